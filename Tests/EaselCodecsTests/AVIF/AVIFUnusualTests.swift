#if AVIF
import CAVIF
import EaselCodecs
import EaselCore
import Foundation
import Testing

@Suite("AVIF: rare features")
struct AVIFUnusualTests {
    private typealias Color = AVIFFiles.Color

    private static let side = AVIFFiles.side
    private static let red = Color(red: 250, green: 10, blue: 10)
    private static let blue = Color(red: 10, green: 10, blue: 250)

    /// Returns a red tile beside a blue one, followed by the alpha items.
    private func grid(_ alpha: [AVIFItems.Item], _ references: [(String, Int, [Int])]) throws -> AVIFItems {
        let grid = AVIFItems.Item(
            kind: "grid", data: AVIFItems.grid(2, 2 * Self.side, Self.side),
            properties: [AVIFItems.size(2 * Self.side, Self.side)])
        return AVIFItems(
            items: [grid, try AVIFFiles.item(Self.red), try AVIFFiles.item(Self.blue)] + alpha,
            references: references.map { (kind: $0.0, from: $0.1, to: $0.2) })
    }

    /// Returns the pixel in the middle of each tile.
    private func centers(_ file: Data, count: Int) throws -> [Pixel] {
        let pixels = try AVIFCoder().decode(file, DecodeOptions()).pixels
        #expect(pixels.size == PixelSize(Self.side * count, Self.side))
        return (0..<count).map { pixels[Self.side * $0 + Self.side / 2, Self.side / 2] }
    }

    private func expect(_ pixel: Pixel, _ color: Color) {
        for (sample, expected) in [(pixel.red, color.red), (pixel.green, color.green), (pixel.blue, color.blue)] {
            let premultiplied = Int(expected) * Int(color.alpha) / 255
            #expect(abs(Int(sample) - premultiplied) < 12)
        }
        #expect(abs(Int(pixel.alpha) - Int(color.alpha)) < 6)
    }

    private func translucent(_ color: Color, _ alpha: UInt8) -> Color {
        Color(red: color.red, green: color.green, blue: color.blue, alpha: alpha)
    }

    @Test("a grid of tiles without alpha is decoded")
    func plain() throws {
        let file = try grid([], [("dimg", 1, [2, 3])]).file
        let pixels = try centers(file, count: 2)
        expect(pixels[0], Self.red)
        expect(pixels[1], Self.blue)
        #expect(try !AVIFCoder().header(of: file).hasAlpha)
    }

    @Test(
        "tiles are placed in the order of the grid's references, whatever their numbers",
        .enabled(if: AVIF_VERSION_MAJOR >= 1, "libavif 0.11 places tiles in file order"))
    func tileOrder() throws {
        let pixels = try centers(grid([], [("dimg", 1, [3, 2])]).file, count: 2)
        expect(pixels[0], Self.blue)
        expect(pixels[1], Self.red)
    }

    @Test("alpha can also be a grid of tiles")
    func alphaGrid() throws {
        let alpha = AVIFItems.Item(
            kind: "grid", data: AVIFItems.grid(2, 2 * Self.side, Self.side),
            properties: [AVIFItems.size(2 * Self.side, Self.side), AVIFItems.alpha])
        let file = try grid(
            [alpha, AVIFFiles.alphaItem(200), AVIFFiles.alphaItem(100)],
            [("dimg", 1, [2, 3]), ("dimg", 4, [5, 6]), ("auxl", 4, [1])])
        let pixels = try centers(file.file, count: 2)
        expect(pixels[0], translucent(Self.red, 200))
        expect(pixels[1], translucent(Self.blue, 100))
    }

    @Test("alpha can be a single item for a grid of tiles")
    func wholeAlpha() throws {
        let file = try grid(
            [AVIFFiles.alphaItem(100, width: 2 * Self.side)], [("dimg", 1, [2, 3]), ("auxl", 4, [1])])
        let pixels = try centers(file.file, count: 2)
        expect(pixels[0], translucent(Self.red, 100))
        expect(pixels[1], translucent(Self.blue, 100))
    }

    @Test(
        "each tile can have separate alpha",
        .enabled(if: AVIF_VERSION_MAJOR >= 1, "libavif 0.11 ignores the alpha of tiles"))
    func tilesWithAlpha() throws {
        let file = try grid(
            [AVIFFiles.alphaItem(200), AVIFFiles.alphaItem(100)],
            [("dimg", 1, [2, 3]), ("auxl", 4, [2]), ("auxl", 5, [3])])
        let pixels = try centers(file.file, count: 2)
        expect(pixels[0], translucent(Self.red, 200))
        expect(pixels[1], translucent(Self.blue, 100))
    }

    @Test("a sound track is ignored", arguments: ["avis", "avif"])
    func sound(brand: String) throws {
        var file = try AVIFFiles.animation([Self.red, translucent(Self.blue, 100)])
        // Turns the alpha track into a sound track.
        let track = try #require(file.offsets(of: "trak").last)
        func offsets(_ letters: String) -> [Int] { file.offsets(of: letters).filter { $0 > track } }
        let offset = try #require(offsets("tkhd").first)
        let size = file[(offset - 4)..<offset].reduce(0) { $0 << 8 | Int($1) }
        file.overwrite(at: offset - 4 + size - 8, [UInt8](repeating: 0, count: 8))
        for (old, new) in [("auxv", "soun"), ("pict", "soun"), ("auxl", "cdsc"), ("av01", "mp4a"), ("vmhd", "smhd")] {
            for offset in offsets(old) { file.overwrite(at: offset, new.utf8) }
        }
        file.overwrite(at: 8, brand.utf8)
        #expect(try AVIFCoder().header(of: file).frameCount == (brand == "avis" ? 2 : 1))
        let pixel = try centers(file, count: 1)[0]
        #expect(pixel.red > 238 && pixel.blue < 22)
    }

    @Test("a gain map of an unknown version is ignored, and the base image is decoded", arguments: [0, 1, 99])
    func gainMap(version: UInt8) throws {
        var base = try AVIFFiles.item(Self.red)
        base.isHidden = false
        let map = AVIFItems.Item(
            kind: "tmap", data: [version, 0, 99, 0, 99, 0], properties: [AVIFItems.size(Self.side, Self.side)],
            isHidden: false)
        let file = AVIFItems(
            items: [base, map, try AVIFFiles.item(Self.blue)], references: [("dimg", 2, [1, 3])],
            brands: ["avif", "mif1", "miaf", "tmap"],
            groups: AVIFItems.fullBox(
                "altr", AVIFItems.number(9, 4) + AVIFItems.number(2, 4) + [0, 0, 0, 2, 0, 0, 0, 1]))
        expect(try centers(file.file, count: 1)[0], Self.red)
    }
}
#endif
