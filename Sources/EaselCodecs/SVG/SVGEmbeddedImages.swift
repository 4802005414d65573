#if SVG
import CEaselSVG
import EaselCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The images that a document holds in `data:` URLs, checked before librsvg decodes any of them.
///
/// A few bytes can announce gigabytes of pixels, and the decoders that librsvg uses have no limit. All
/// images together may have as many pixels as one image. Documents within the document are checked the same way.
struct SVGEmbeddedImages {
    private let limit: Int
    private var pixelsLeft: Int
    private var depth = 0
    private var error: ImageError?

    /// Images that have at most `limit` pixels together.
    init(limit: Int) {
        self.limit = limit
        pixelsLeft = limit
    }

    /// Reads the document and checks each image in it.
    ///
    /// - Throws: `ImageError.tooLarge` with the size of the first image beyond the limit; `.badData` for a document that is not
    ///   well formed, and for embedded data that is no image.
    /// - Complexity: O(n) in the document's length with its entities replaced.
    mutating func check(_ document: UnsafeBufferPointer<UInt8>) throws(ImageError) {
        let isWellFormed = withUnsafeMutablePointer(to: &self) { images in
            easel_svg_visit_references(
                document.baseAddress, document.count,
                { context, reference, count in
                    guard let context, let reference else { return false }
                    let images = context.assumingMemoryBound(to: SVGEmbeddedImages.self)
                    return images.pointee.allow(UnsafeBufferPointer(start: reference, count: count))
                }, images)
        }
        if let error { throw error }
        guard isWellFormed else {
            throw .badData("The SVG is damaged, cut off, or grows beyond what is allowed.")
        }
    }

    private mutating func allow(_ reference: UnsafeBufferPointer<UInt8>) -> Bool {
        do throws(ImageError) {
            if let data = Self.data(reference), !data.isEmpty { try judge(data) }
            return true
        } catch {
            self.error = error
            return false
        }
    }

    private mutating func judge(_ data: Data) throws(ImageError) {
        if data.withUnsafeBytes(ImageFormat.svg.matches) {
            guard depth < Self.deepest else {
                throw .badData("The SVG holds documents more than \(Self.deepest) levels deep.")
            }
            depth += 1
            try data.span.withUnsafeBufferPointer { (bytes) throws(ImageError) in try check(bytes) }
            depth -= 1
            return
        }
        guard let decoder = Self.decoders.first(where: { data.withUnsafeBytes($0.format.matches) }) else {
            throw .badData("The SVG holds data that is no image in PNG, JPEG, GIF, WebP, BMP or SVG.")
        }
        let size = try decoder.header(of: data).storedSize
        guard let area = size.area, area <= pixelsLeft else { throw .tooLarge(.pixels(size, limit: limit)) }
        pixelsLeft -= area
    }

    private static let deepest = 3
    private static let decoders: [any ImageDecoding] = [
        PNGCoder(), JPEGCoder(), GIFCoder(), WebPCoder(), BMPCoder(),
    ]

    /// What a `data:` URL holds, read as the URL Standard and forgiving base64 have it; `nil` for any other reference.
    private static func data(_ reference: UnsafeBufferPointer<UInt8>) -> Data? {
        let start = reference.drop { $0 <= 0x20 }
        guard let colon = start.prefix(longestScheme).firstIndex(of: UInt8(ascii: ":")),
            text(start[..<colon]) == "data"
        else { return nil }
        let content = start[(colon + 1)...]
        guard let comma = content.firstIndex(of: UInt8(ascii: ",")) else { return nil }
        let body = unescaped(content[(comma + 1)...])
        guard text(content[..<comma]).hasSuffix(";base64") else { return body }
        return Data(base64Encoded: padded(body), options: .ignoreUnknownCharacters)
    }

    /// `data:` with room for line ends, which URLs pass over.
    private static let longestScheme = 64

    /// In lower case and without white space.
    private static func text(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String {
        String(decoding: bytes.filter { $0 > 0x20 }, as: UTF8.self).lowercased()
    }

    /// Percent escapes undone, up to a fragment. Other bytes stay.
    private static func unescaped(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Data {
        var result = Data(capacity: bytes.count)
        var place = bytes.startIndex
        while place < bytes.endIndex, bytes[place] != UInt8(ascii: "#") {
            if bytes[place] == UInt8(ascii: "%"), place + 2 < bytes.endIndex,
                let byte = UInt8(String(decoding: bytes[(place + 1)...(place + 2)], as: UTF8.self), radix: 16)
            {
                result.append(byte)
                place += 3
            } else {
                result.append(bytes[place])
                place += 1
            }
        }
        return result
    }

    /// Base64 with the padding that may be left off.
    private static func padded(_ base64: Data) -> Data {
        var result = base64.filter { $0 > 0x20 && $0 != UInt8(ascii: "=") }
        while result.count % 4 != 0 { result.append(UInt8(ascii: "=")) }
        return result
    }
}
#endif
