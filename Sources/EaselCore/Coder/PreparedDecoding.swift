package import EaselFoundation

/// A decoder that prepares each file before it is decoded. It can read the header, choose the size by it, and wait until
/// there is memory for the pixels.
package protocol PreparedDecoding: ImageDecoding {
    /// Returns the decode of one file. Called once for each decode, on the threads of loads.
    ///
    /// - Throws: The errors of `ImageDecoding.decode`. The file is not decoded then.
    func prepare(_ file: Data) async throws(ImageError) -> PreparedDecode
}

/// A decode that is ready to run.
package struct PreparedDecode: Sendable {
    /// Decodes the file instead of the decoder that prepared it.
    package var decoder: any ImageDecoding
    /// The permission to use memory. Retained by each response of the load (`ImageResponse.permit`).
    package var permit: any AnyObject & Sendable

    package init(decoder: any ImageDecoding, permit: any AnyObject & Sendable) {
        self.decoder = decoder
        self.permit = permit
    }
}
