import EaselCodecs
import EaselCore
import Foundation
import Testing

@Suite("PNM")
struct PNMTests {
    private func levels(_ text: String, _ samples: [UInt8] = []) throws -> [[UInt8]] {
        let file = Data(text.utf8) + Data(samples)
        let image = try CoderRegistry.standard().decoder(for: file).decode(file, DecodeOptions())
        return image.pixels.pixels.map { [$0.red, $0.green, $0.blue, $0.alpha] }
    }

    private func gray(_ levels: UInt8...) -> [[UInt8]] { levels.map { [$0, $0, $0, 255] } }

    @Test("bit maps are decoded as text and packed, with 1 as black")
    func bits() throws {
        #expect(try levels("P1\n# made by hand\n3 2\n1 0 1\n010") == gray(0, 255, 0, 255, 0, 255))
        #expect(
            try levels("P4 10 1\n", [0b1010_0000, 0b0100_0000])
                == gray(0, 255, 0, 255, 255, 255, 255, 255, 255, 0))
    }

    @Test("gray maps of any maximum are decoded as text and as bytes")
    func grays() throws {
        #expect(try levels("P2\n2 2 # size\n15\n0 15\n5 10\n") == gray(0, 255, 85, 170))
        #expect(try levels("P5\n3 1\n100\n", [0, 50, 100]) == gray(0, 128, 255))
        #expect(try levels("P5\n3 1\n65535\n", [0, 0, 128, 0, 255, 255]) == gray(0, 128, 255))
        #expect(try levels("P5\n2 1\n1000\n", [1, 244, 3, 232]) == gray(128, 255))
    }

    @Test("pixel maps are decoded as text and as bytes")
    func colors() throws {
        #expect(try levels("P3 1 2 255 255 0 7\n1 2 3") == [[255, 0, 7, 255], [1, 2, 3, 255]])
        #expect(try levels("P6 1 1 255\n", [9, 8, 7]) == [[9, 8, 7, 255]])
    }

    @Test("arbitrary maps of one to four channels are decoded, with straight alpha")
    func arbitrary() throws {
        func header(_ depth: Int, _ type: String) -> String {
            "P7\nWIDTH 2\n# note\nHEIGHT 1\nDEPTH \(depth)\nMAXVAL 255\nTUPLTYPE \(type)\nENDHDR\n"
        }
        #expect(try levels(header(1, "GRAYSCALE"), [4, 5]) == gray(4, 5))
        #expect(
            try levels(header(2, "GRAYSCALE_ALPHA"), [200, 255, 200, 0]) == [[200, 200, 200, 255], [0, 0, 0, 0]])
        #expect(try levels(header(3, "RGB"), [1, 2, 3, 4, 5, 6]) == [[1, 2, 3, 255], [4, 5, 6, 255]])
        #expect(
            try levels(header(4, "RGB_ALPHA"), [255, 0, 100, 128, 1, 2, 3, 255]) == [
                [128, 0, 50, 128], [1, 2, 3, 255],
            ])
    }

    @Test(
        "a damaged or truncated file is an error",
        arguments: [
            "P6", "P6 ", "P6 2 2", "P6 2 2 255\n\u{1}", "P6 0 2 255\n", "P6 2 2 70000\n", "P2 2 2 255 1 2 3",
            "P1 2 2 1 0 2 1",
            "P3 1 1 255 1 -2 3", "P6 99999999999999999999 1 255\n", "P7\nWIDTH 2\nENDHDR\n",
        ])
    func damage(_ text: String) {
        let data = Data(text.utf8)
        let error = #expect(throws: ImageError.self) { try PNMCoder().decode(data, DecodeOptions()) }
        #expect(error?.code == .badData)
    }

    @Test("a truncated file of the largest size is an error without a limit")
    func largest() {
        let file = Data("P6 2147483647 2147483647 65535\n".utf8)
        let error = #expect(throws: ImageError.self) {
            try PNMCoder().decode(file, DecodeOptions(limits: ImageLimits(pixels: .max)))
        }
        #expect(error?.code == .badData)
    }

    @Test("complete rows are decoded if partial images are allowed")
    func partial() throws {
        let file = Data("P5 2 3 255\n".utf8) + [1, 2, 3]
        let image = try PNMCoder().decode(file, DecodeOptions(allowsPartial: true))
        #expect(image.metadata.isPartial)
        #expect(image.pixels.pixels.map(\.alpha) == [255, 255, 0, 0, 0, 0])
    }

    @Test(
        "text with a similar start is not recognized as PNM", arguments: ["PNG", "P8 1 1 255\n", "P", "P6x", "Photo"])
    func sniffing(_ text: String) {
        #expect(throws: ImageError.self) { try CoderRegistry.standard().decoder(for: Data(text.utf8)) }
    }
}
