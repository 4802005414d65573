public import EaselFoundation
import Synchronization

/// The coders that a manager uses: the last one registered is asked first (R012, X149, B92).
///
/// A class, so that a coder registered later serves managers that exist; every method may be called from any thread.
public final class CoderRegistry: Sendable {
    private struct Coders {
        var decoders: [any ImageDecoding] = []
        var encoders: [any ImageEncoding] = []
        /// The package traits that are off, by the format whose coder each brings.
        var missingTraits: [ImageFormat: String] = [:]
    }

    private let coders: Mutex<Coders>
    /// Who is asked whatever the bytes are.
    private let only: (any ImageDecoding)?

    /// A registry of these coders, the last ones asked first.
    public init(decoders: [any ImageDecoding] = [], encoders: [any ImageEncoding] = []) {
        coders = Mutex(Coders(decoders: decoders, encoders: encoders))
        only = nil
    }

    /// A registry of one decoder, which takes every file (X022).
    init(only decoder: any ImageDecoding) {
        coders = Mutex(Coders(decoders: [decoder]))
        only = decoder
    }

    /// Adds a decoder, in front of those that are there.
    public func register(_ decoder: any ImageDecoding) {
        coders.withLock { $0.decoders.append(decoder) }
    }

    /// Adds an encoder, in front of those that are there.
    public func register(_ encoder: any ImageEncoding) {
        coders.withLock { $0.encoders.append(encoder) }
    }

    /// Adds a decoder behind those that are there: it is asked about files that none of them takes.
    public func registerBehind(_ decoder: any ImageDecoding) {
        coders.withLock { $0.decoders.insert(decoder, at: 0) }
    }

    /// Adds an encoder behind those that are there, for a format that none of them writes.
    public func registerBehind(_ encoder: any ImageEncoding) {
        coders.withLock { $0.encoders.insert(encoder, at: 0) }
    }

    /// Removes the decoders of one format; other formats keep theirs.
    public func unregister(_ format: ImageFormat) {
        coders.withLock { coders in
            coders.decoders.removeAll { $0.format == format }
            coders.encoders.removeAll { $0.format == format }
        }
    }

    /// Says that the coder of a format is not here because a package trait is off.
    package func setMissingTrait(_ trait: String, for format: ImageFormat) {
        coders.withLock { $0.missingTraits[format] = trait }
    }

    /// The decoder for a file with these bytes, by its content alone.
    ///
    /// - Throws: `ImageError.unsupported` for a format that is known and has no decoder here, `.badData` that says what
    ///   the bytes look like instead.
    public func decoder(for data: Data) throws(ImageError) -> any ImageDecoding {
        if let only { return only }
        let decoders = coders.withLock { $0.decoders }
        let decoder = data.withUnsafeBytes { bytes in
            decoders.last { $0.format.matches(bytes) }
        }
        if let decoder { return decoder }
        if let format = data.withUnsafeBytes(ImageFormat.sniff) {
            let advice =
                coders.withLock { $0.missingTraits[format] }
                .map { "Enable the package trait \($0), register a coder" } ?? "Register one"
            throw .unsupported("No coder here reads \(format.name). \(advice), or convert the picture.")
        }
        throw .badData(Self.describe(data))
    }

    /// The formats that are read, the last registered first, each once.
    public var readableFormats: [ImageFormat] {
        var seen: Set<ImageFormat> = []
        return coders.withLock { $0.decoders }.reversed().map { $0.format }.filter { seen.insert($0).inserted }
    }

    /// The encoder for `format`, or `nil` where none is registered.
    public func encoder(for format: ImageFormat) -> (any ImageEncoding)? {
        coders.withLock { $0.encoders }.last { $0.format == format }
    }

    /// The encoder for a picture that is to be kept as a file: of the format that it came in, else PNG for one with alpha
    /// and JPEG for the rest (X080); `nil` where none of them is registered.
    ///
    /// Wide colours are kept in these two alone, whose encoders say in the file what the colours are, and deep ones in PNG.
    func encoder(toKeep image: DecodedImage) -> (any ImageEncoding)? {
        if image.deepPixels != nil { return encoder(for: .png) }
        return [image.metadata.format, image.pixels.isOpaque ? .jpeg : .png, .png].lazy
            .compactMap(\.self)
            .filter { image.metadata.colorSpace != .displayP3 || [.jpeg, .png].contains($0) }
            .compactMap(self.encoder).first
    }

    /// What came instead of a picture, for a person.
    private static func describe(_ data: Data) -> String {
        if data.isEmpty { return "The file is empty. Check where it comes from." }
        let start = String(decoding: data.prefix(256), as: UTF8.self).lowercased()
        if start.contains("<!doctype html") || start.contains("<html") {
            return "This is a web page, not a picture. Open the URL in a browser to see what it says."
        }
        return "This is no picture that Easel knows: no format has this signature."
    }
}
