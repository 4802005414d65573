import EaselTesting
import Testing

@testable import EaselCore

import EaselFoundation

@Suite("Coder registry (B92)")
struct CoderRegistryTests {
    private struct Decoder: ImageDecoding {
        let format: ImageFormat
        let name: String

        func header(of data: Data) throws(ImageError) -> ImageHeader { throw .unsupported(name) }
        func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
            throw .unsupported(name)
        }
    }

    private struct Encoder: ImageEncoding {
        let format: ImageFormat
        let name: String

        func encode(_ image: DecodedImage, _ options: EncodeOptions) throws(ImageError) -> Data { Data(name.utf8) }
    }

    private let gif = Data("GIF89a and more".utf8)
    private let registry = CoderRegistry(
        decoders: [Decoder(format: .gif, name: "first"), Decoder(format: .png, name: "png")],
        encoders: [Encoder(format: .gif, name: "first")])

    @Test("the decoder is chosen by content")
    func content() throws {
        #expect(try name(for: gif) == "first")
        #expect(try name(for: Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])) == "png")
    }

    @Test("the last registered coder has precedence (R012, X149)")
    func lastFirst() throws {
        registry.register(Decoder(format: .gif, name: "second"))
        #expect(try name(for: gif) == "second")
        let all = ImageFormat("all", signatures: [.bytes([])])
        registry.register(Decoder(format: all, name: "all"))
        #expect(try name(for: gif) == "all")
    }

    @Test("a decoder with another signature is skipped")
    func declining() throws {
        registry.register(Decoder(format: .webp, name: "webp"))
        #expect(try name(for: gif) == "first")
    }

    @Test("unregister removes only the coders of that format")
    func unregister() throws {
        registry.register(Decoder(format: .gif, name: "second"))
        registry.unregister(.gif)
        #expect(throws: ImageError.self) { try registry.decoder(for: gif) }
        #expect(registry.encoder(for: .gif) == nil)
        #expect(try name(for: Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])) == "png")
    }

    @Test("encoders are found by format, the last registered first (X168)")
    func encoders() throws {
        registry.register(Encoder(format: .gif, name: "second"))
        let image = try TestImage.gradient(1, 1).image()
        #expect(try registry.encoder(for: .gif)?.encode(image, EncodeOptions()) == Data("second".utf8))
        #expect(registry.encoder(for: .png) == nil)
    }

    @Test(
        "the error for an unknown file describes its content",
        arguments: [
            ("", "empty"), ("<!DOCTYPE html><html></html>", "web page"), ("\n <HTML lang=en>", "web page"),
            ("hello", "no format has this signature"),
            ("GIF90a and more", "no format has this signature"),
        ])
    func description(content: String, words: String) {
        #expect {
            try registry.decoder(for: Data(content.utf8))
        } throws: { error in
            guard let error = error as? ImageError else { return false }
            return error.code == .badData && error.message.contains(words)
        }
    }

    @Test(
        "a known format without a decoder is unsupported, not bad data",
        arguments: [("RIFF\u{4}\u{0}\u{0}\u{0}WEBPVP8 ", "webp"), ("qoif and more", "qoi")])
    func unsupported(content: String, format: String) {
        #expect(
            throws: ImageError.unsupported("No registered coder reads \(format). Register one, or convert the image.")
        ) {
            try registry.decoder(for: Data(content.utf8))
        }
    }

    @Test("the error of a format whose package trait is off names the trait")
    func missingTrait() {
        registry.setMissingTrait("QOI", for: .qoi)
        let advice = "Enable the package trait QOI, register a coder, or convert the image."
        #expect(throws: ImageError.unsupported("No registered coder reads qoi. \(advice)")) {
            try registry.decoder(for: Data("qoif and more".utf8))
        }
    }

    @Test("the error for binary data has a description")
    func binary() {
        #expect(throws: ImageError.self) { try registry.decoder(for: Data((0..<255).reversed())) }
    }

    @Test("a slice of data is read from its start")
    func slice() throws {
        let padded = Data("padding".utf8) + gif
        #expect(try name(for: padded.dropFirst(7)) == "first")
    }

    @Test("coders can be registered during lookups")
    func concurrent() async {
        await withTaskGroup { group in
            for number in 0..<4 {
                group.addTask { for _ in 0..<100 { registry.register(Decoder(format: .gif, name: "\(number)")) } }
                group.addTask { for _ in 0..<100 { #expect(throws: Never.self) { try registry.decoder(for: gif) } } }
            }
        }
    }

    private func name(for data: Data) throws -> String? {
        try (registry.decoder(for: data) as? Decoder)?.name
    }
}
