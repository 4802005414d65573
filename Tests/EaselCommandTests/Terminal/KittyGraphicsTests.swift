import EaselCore
import EaselTesting
import Foundation
import Testing

@testable import easel

@Suite("Kitty graphics")
struct KittyGraphicsTests {
    private struct Code {
        let keys: String
        let payload: String
    }

    private func codes(_ text: String) -> [Code] {
        text.components(separatedBy: "\u{1B}\\").filter { !$0.isEmpty }.compactMap { code in
            guard code.hasPrefix("\u{1B}_G"), let semicolon = code.firstIndex(of: ";") else { return nil }
            return Code(
                keys: String(code[code.index(code.startIndex, offsetBy: 3)..<semicolon]),
                payload: String(code[code.index(after: semicolon)...]))
        }
    }

    @Test("a small image is one escape code with its size")
    func smallImage() throws {
        let codes = codes(KittyGraphics.encode(try TestImage.gradient(5, 3).pixels()))
        #expect(codes.map(\.keys) == ["a=T,f=32,s=5,v=3,q=2,m=0"])
    }

    @Test("the payload is straight RGBA")
    func straightAlpha() throws {
        let pixels = try PixelBuffer.rows([[.pureRed, .translucentGray, .clear]])
        let payload = try #require(codes(KittyGraphics.encode(pixels)).first?.payload)
        #expect(Data(base64Encoded: payload) == Data([255, 0, 0, 255, 255, 255, 255, 128, 0, 0, 0, 0]))
    }

    @Test("a large image is split into chunks")
    func chunks() throws {
        let codes = codes(KittyGraphics.encode(try TestImage.gradient(100, 50).pixels()))
        #expect(codes.count == 7)
        #expect(codes.allSatisfy { $0.payload.count <= KittyGraphics.longestChunk })
        #expect(codes.first?.keys.hasSuffix(",m=1") == true)
        #expect(codes.dropFirst().dropLast().allSatisfy { $0.keys == "m=1" })
        #expect(codes.last?.keys == "m=0")
        #expect(codes.reduce(0) { $0 + (Data(base64Encoded: $1.payload)?.count ?? 0) } == 100 * 50 * 4)
    }
}
