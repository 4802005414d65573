import EaselTesting
import Testing

@testable import EaselCore

@Suite("Rectangles, edges and overlays")
struct EdgeTransformTests {
    private let red = ImageColor(red: 255, green: 0, blue: 0)

    @Test(
        "a crop returns the part of the rectangle within the image",
        arguments: [
            (2, 1, 3, 2, 2, 1, 3, 2), (-2, -1, 4, 3, 0, 0, 2, 2), (5, 3, 100, 100, 5, 3, 3, 2),
            (0, 0, 8, 5, 0, 0, 8, 5), (7, 4, 1, 1, 7, 4, 1, 1), (3, 2, .max, .max, 3, 2, 5, 3),
        ])
    func crop(x: Int, y: Int, width: Int, height: Int, left: Int, top: Int, across: Int, down: Int) throws {
        let image = try TransformFixture.noise(8, 5)
        let part = try image.applying([.crop(x: x, y: y, width: width, height: height)])
        #expect(part.size == PixelSize(across, down))
        #expect(part.pixels.isOpaque)
        for row in 0..<down {
            for column in 0..<across {
                #expect(part.pixels[column, row] == image.pixels[left + column, top + row])
            }
        }
    }

    @Test(
        "an empty crop throws",
        arguments: [(0, 0, 0, 3), (0, 0, 3, -1), (8, 0, 2, 2), (-5, 0, 5, 5), (.min, 0, 5, 5), (.max, 0, .max, 5)])
    func cropNothing(x: Int, y: Int, width: Int, height: Int) throws {
        let image = try TransformFixture.noise(8, 5)
        #expect {
            try image.applying([.crop(x: x, y: y, width: width, height: height)])
        } throws: { error in
            (error as? ImageError)?.code == .unsupported
        }
    }

    @Test("padding adds edges that a crop removes")
    func pad() throws {
        let image = try TransformFixture.translucentNoise(4, 3)
        let padded = try image.applying([.pad(top: 1, left: 2, bottom: 3, right: 4)])
        #expect(padded.size == PixelSize(10, 7))
        #expect(padded.pixels[0, 0].alpha == 0 && padded.pixels[9, 6].alpha == 0 && padded.pixels[2, 0].alpha == 0)
        let cropped = try padded.applying([.crop(x: 2, y: 1, width: 4, height: 3)])
        #expect(cropped.difference(from: image) <= .exact)
    }

    @Test("an opaque padding colour fills clear pixels and makes the image opaque")
    func padOpaque() throws {
        let image = try TransformFixture.image(1, 1, isOpaque: false) { _, _ in .clear }
        let padded = try image.applying([.pad(1, color: red)])
        #expect(padded.pixels.isOpaque)
        #expect(padded.allPixels.allSatisfy { $0 == red.pixel })
    }

    @Test("padding to a size puts the image in the middle and cuts nothing")
    func padTo() throws {
        let image = try TransformFixture.noise(4, 3)
        let padded = try image.applying([.pad(to: PixelSize(7, 2), color: red)])
        #expect(padded.size == PixelSize(7, 3))
        #expect(padded.pixels[0, 0] == red.pixel && padded.pixels[1, 0] == image.pixels[0, 0])
        #expect(padded.pixels[4, 2] == image.pixels[3, 2] && padded.pixels[5, 2] == red.pixel)
    }

    @Test("padding that is too large throws, negative padding has no effect")
    func padTooMuch() throws {
        let image = try TransformFixture.noise(2, 2)
        for padding in [ImageTransform.pad(.max), .pad(left: 1 << 40), .pad(top: .max)] {
            #expect {
                try image.applying([padding])
            } throws: { error in
                (error as? ImageError)?.code == .tooLarge
            }
        }
        #expect(try image.applying([.pad(-5)]).size == image.size)
    }

    @Test("trimming removes padding of any colour", arguments: [ImageColor.clear, .white])
    func trim(color: ImageColor) throws {
        let image = try TransformFixture.image(5, 4, isOpaque: true) { x, y in
            x == 2 || y == 1 ? ImageColor(0x204060) : ImageColor(0x102030)
        }
        let padded = try image.applying([.pad(top: 2, bottom: 1, right: 6, color: color)])
        let border: TrimBorder = color == .clear ? .clear : .color(color)
        #expect(try padded.applying([.trim(border)]).difference(from: image) <= .exact)
        let last = try padded.applying([.flip(.horizontal), .trim(.corner), .flip(.horizontal)])
        #expect(last.difference(from: image) <= .exact)
    }

    @Test("trimming keeps a single pixel at an edge", arguments: [(0, 0), (9, 0), (4, 7), (9, 7)])
    func trimPoint(x: Int, y: Int) throws {
        let image = try TransformFixture.image(10, 8, isOpaque: false) { column, row in
            column == x && row == y ? red : .clear
        }
        let trimmed = try image.applying([.trim(.clear)])
        #expect(trimmed.size == PixelSize(1, 1) && trimmed.pixels[0, 0] == red.pixel)
    }

    @Test("the tolerance determines the border, and an image without other pixels stays")
    func tolerance() throws {
        let image = try TransformFixture.image(6, 1, isOpaque: true) { x, _ in
            ImageColor(red: UInt8(x * 10), green: 0, blue: 0)
        }
        #expect(try image.applying([.trim(.corner, tolerance: 9)]).size == PixelSize(5, 1))
        #expect(try image.applying([.trim(.corner, tolerance: 10)]).size == PixelSize(4, 1))
        #expect(try image.applying([.trim(.corner, tolerance: 255)]).size == PixelSize(6, 1))
        #expect(try image.applying([.trim(.clear)]).size == PixelSize(6, 1))
    }

    @Test(
        "an overlay is placed at its anchor",
        arguments: [
            (OverlayAnchor.topLeft, 0, 0), (.top, 3, 0), (.topRight, 7, 0), (.left, 0, 3), (.center, 3, 3),
            (.right, 7, 3), (.bottomLeft, 0, 6), (.bottom, 3, 6), (.bottomRight, 7, 6),
        ])
    func overlay(anchor: OverlayAnchor, x: Int, y: Int) throws {
        let ground = try TransformFixture.noise(9, 8)
        let mark = try TransformFixture.image(2, 2, isOpaque: true) { _, _ in red }
        let marked = try ground.applying([.overlay(mark, at: anchor)])
        for row in 0..<8 {
            for column in 0..<9 {
                let isMarked = (x...(x + 1)).contains(column) && (y...(y + 1)).contains(row)
                #expect(marked.pixels[column, row] == (isMarked ? red.pixel : ground.pixels[column, row]))
            }
        }
        #expect(marked.pixels.isOpaque)
    }

    @Test("an overlay is clipped at the edges, and has no effect outside")
    func overlayOutside() throws {
        let ground = try TransformFixture.noise(4, 4)
        let mark = try TransformFixture.image(9, 9, isOpaque: true) { _, _ in red }
        let covered = try ground.applying([.overlay(mark, at: .center)])
        #expect(covered.allPixels.allSatisfy { $0 == red.pixel })
        for offset in [(x: 50, y: 0), (x: 0, y: -50), (x: Int.max, y: 0), (x: 0, y: Int.min)] {
            let same = try ground.applying([.overlay(mark, at: .topLeft, offset: offset)])
            #expect(same.difference(from: ground) <= .exact)
        }
    }

    @Test("half the opacity gives the middle colour")
    func opacity() throws {
        let ground = try TransformFixture.image(1, 1, isOpaque: true) { _, _ in .black }
        let mark = try TransformFixture.image(1, 1, isOpaque: true) { _, _ in .white }
        let half = try ground.applying([.overlay(mark, opacity: 0.5)])
        #expect(half.pixels.color(x: 0, y: 0) == ImageColor(red: 128, green: 128, blue: 128))
        #expect(try ground.applying([.overlay(mark, opacity: .nan)]).pixels.color(x: 0, y: 0) == .black)
    }
}
