public import EaselFoundation
import Synchronization

/// The coders of a manager. The last one registered has precedence.
///
/// A class, so that existing managers use coders registered later. Every method may be called from any thread.
public final class CoderRegistry: Sendable {
    private struct Coders {
        var decoders: [any ImageDecoding] = []
        var encoders: [any ImageEncoding] = []
        /// The disabled package traits, by the format of their coder.
        var missingTraits: [ImageFormat: String] = [:]
    }

    private let coders: Mutex<Coders>
    /// The decoder for every file, without regard to its bytes.
    private let only: (any ImageDecoding)?

    /// Creates a registry of these coders; the last ones have precedence.
    public init(decoders: [any ImageDecoding] = [], encoders: [any ImageEncoding] = []) {
        coders = Mutex(Coders(decoders: decoders, encoders: encoders))
        only = nil
    }

    init(only decoder: any ImageDecoding) {
        coders = Mutex(Coders())
        only = decoder
    }

    /// Adds a decoder that precedes the others.
    public func register(_ decoder: any ImageDecoding) {
        coders.withLock { $0.decoders.append(decoder) }
    }

    /// Adds an encoder that precedes the others.
    public func register(_ encoder: any ImageEncoding) {
        coders.withLock { $0.encoders.append(encoder) }
    }

    /// Adds a decoder for files that no other decodes.
    package func registerFallback(_ decoder: any ImageDecoding) {
        coders.withLock { $0.decoders.insert(decoder, at: 0) }
    }

    /// Adds an encoder for a format that no other encodes.
    package func registerFallback(_ encoder: any ImageEncoding) {
        coders.withLock { $0.encoders.insert(encoder, at: 0) }
    }

    /// Removes the coders of one format.
    public func unregister(_ format: ImageFormat) {
        coders.withLock { coders in
            coders.decoders.removeAll { $0.format == format }
            coders.encoders.removeAll { $0.format == format }
        }
    }

    /// Replaces each decoder by what `replacement` returns for it.
    package func replaceDecoders(_ replacement: (any ImageDecoding) -> any ImageDecoding) {
        coders.withLock { $0.decoders = $0.decoders.map(replacement) }
    }

    /// Returns the decoder that precedes the others of a format.
    package func decoder(forFormatNamed name: String) -> (any ImageDecoding)? {
        coders.withLock { $0.decoders }.last { $0.format.name == name }
    }

    /// Records that the coder of a format is missing because a package trait is disabled.
    package func setMissingTrait(_ trait: String, for format: ImageFormat) {
        coders.withLock { $0.missingTraits[format] = trait }
    }

    /// Returns the decoder for a file, by its content alone.
    ///
    /// - Throws: `ImageError.unsupported` for a known format without a decoder, `.badData` for an unknown format.
    public func decoder(for data: Data) throws(ImageError) -> any ImageDecoding {
        if let only { return only }
        let decoders = coders.withLock { $0.decoders }
        if let decoder = data.withUnsafeBytes({ bytes in decoders.last { $0.format.matches(bytes) } }) {
            return decoder
        }
        if let format = data.withUnsafeBytes(ImageFormat.sniff) {
            let advice =
                coders.withLock { $0.missingTraits[format] }
                .map { "Enable the package trait \($0), register a coder" } ?? "Register one"
            throw .unsupported("No registered coder reads \(format.name). \(advice), or convert the image.")
        }
        throw .badData(Self.describe(data))
    }

    /// The formats with a decoder, the last registered first, each once.
    package var readableFormats: [ImageFormat] {
        var seen: Set<ImageFormat> = []
        return coders.withLock { $0.decoders }.reversed().map { $0.format }.filter { seen.insert($0).inserted }
    }

    /// The formats with an encoder, each once.
    package var writableFormats: [ImageFormat] {
        var seen: Set<ImageFormat> = []
        return coders.withLock { $0.encoders }.map { $0.format }.filter { seen.insert($0).inserted }
    }

    /// Returns the encoder for `format`, or `nil` if none is registered.
    public func encoder(for format: ImageFormat) -> (any ImageEncoding)? {
        coders.withLock { $0.encoders }.last { $0.format == format }
    }

    /// Returns the encoder to store an image as a file: in the format of the image, else PNG with alpha and JPEG
    /// without; `nil` if none of them is registered.
    ///
    /// Only PNG and JPEG files record wide colors, and only PNG stores deep ones.
    package func encoder(toKeep image: DecodedImage) -> (any ImageEncoding)? {
        if image.deepPixels != nil { return encoder(for: .png) }
        return [image.metadata.header?.format, image.pixels.isOpaque ? .jpeg : .png, .png].lazy
            .compactMap(\.self)
            .filter { image.metadata.colorSpace != .displayP3 || [.jpeg, .png].contains($0) }
            .compactMap(self.encoder).first
    }

    private static func describe(_ data: Data) -> String {
        if data.isEmpty { return "The file is empty. Check where it comes from." }
        let start = String(decoding: data.prefix(256), as: UTF8.self).lowercased()
        if start.contains("<!doctype html") || start.contains("<html") {
            return "This is a web page, not an image. Open the URL in a browser to see its content."
        }
        return "Unrecognised image format: no format has this signature."
    }
}
