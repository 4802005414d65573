#if Server
import EaselCodecs
import EaselCore
import EaselTesting
import Testing

@testable import EaselServerURLs

@Suite("Server URLs: pixels")
struct PixelTests {
    /// Returns the result of options for an image, which is decoded from a PNG according to the plan.
    private func result(
        _ options: String, of pixels: PixelBuffer, watermark: WatermarkImage? = nil
    ) throws -> DecodedImage {
        let file = try PNGCoder().encode(
            DecodedImage(pixels: pixels, metadata: ImageMetadata()), EncodeOptions())
        let header = try PNGCoder().header(of: file)
        let plan = try Paths.options(options).plan(for: header, keepsAnimation: false, watermark: watermark)
        let decoded = try PNGCoder().decode(
            file, DecodeOptions(targetSize: plan.targetSize, frame: plan.frame, colorSpace: plan.colorSpace))
        let image = try decoded.applying(plan.transforms)
        if let size = plan.size { #expect(image.size == size) }
        return image
    }

    /// An opaque image of one color for each quarter: red, green, blue and white.
    private func quarters(_ width: Int, _ height: Int) throws -> PixelBuffer {
        try draw(width, height) { x, y in
            switch (x < width / 2, y < height / 2) {
            case (true, true): ImageColor(0xFF0000)
            case (false, true): ImageColor(0x00FF00)
            case (true, false): ImageColor(0x0000FF)
            case (false, false): .white
            }
        }
    }

    private func draw(_ width: Int, _ height: Int, _ color: (Int, Int) -> ImageColor) throws -> PixelBuffer {
        try PixelBuffer(size: PixelSize(width, height), isOpaque: false) { bytes, bytesPerRow in
            for y in 0..<height {
                for x in 0..<width {
                    let pixel = color(x, y).pixel
                    for (index, value) in [pixel.blue, pixel.green, pixel.red, pixel.alpha].enumerated() {
                        bytes[y * bytesPerRow + x * 4 + index] = value
                    }
                }
            }
        }
    }

    private func corners(_ image: DecodedImage) -> [ImageColor?] {
        let (right, bottom) = (image.size.width - 1, image.size.height - 1)
        return [(0, 0), (right, 0), (0, bottom), (right, bottom)].map { image.pixels.color(x: $0.0, y: $0.1) }
    }

    private let red = ImageColor(0xFF0000)
    private let green = ImageColor(0x00FF00)
    private let blue = ImageColor(0x0000FF)

    @Test("every combination of sizes gives exactly the planned size", arguments: GeometryTests.results.map(\.0))
    func sizes(_ options: String) throws {
        // A tenth of the pixels, so that the test is fast.
        _ = try result(options.replacingLimits, of: quarters(204, 135))
    }

    @Test("a rotation is clockwise, and then the image is mirrored")
    func rotation() throws {
        #expect(try corners(result("rot:90", of: quarters(8, 6))) == [blue, red, .white, green])
        #expect(try corners(result("rot:90/fl:1", of: quarters(8, 6))) == [red, blue, green, .white])
        #expect(try corners(result("fl:0:1", of: quarters(8, 6))) == [blue, .white, red, green])
    }

    @Test("the crop is cut out of the rotated image, by its own gravity")
    func crop() throws {
        #expect(try corners(result("c:0.5:0.5:soea", of: quarters(8, 8))) == Array(repeating: .white, count: 4))
        #expect(try corners(result("c:4:4:nowe/rot:90", of: quarters(8, 8))) == Array(repeating: blue, count: 4))
        #expect(try corners(result("c:2:2:fp:1:0/w:1", of: quarters(8, 8))) == Array(repeating: green, count: 4))
        #expect(try corners(result("c:4:4:nowe:4:0", of: quarters(8, 8))) == Array(repeating: green, count: 4))
    }

    @Test("a crop of a reduced image has the position of that in the source")
    func scaledCrop() throws {
        let pixels = try draw(400, 300) { x, _ in x < 200 ? red : blue }
        let image = try result("c:200:300:ea/w:50", of: pixels)
        #expect(image.size == PixelSize(50, 75))
        #expect(image.pixels.color(x: 10, y: 30) == blue)
        #expect(image.pixels.color(x: 49, y: 74) == blue)
    }

    @Test("the gravity decides what `fill` cuts off")
    func gravity() throws {
        #expect(try corners(result("rs:fill:4:2/g:no", of: quarters(4, 4))) == [red, green, red, green])
        #expect(try corners(result("rs:fill:4:2/g:so", of: quarters(4, 4))) == [blue, .white, blue, .white])
        #expect(try corners(result("rs:fill:2:4/g:fp:1:0.5", of: quarters(4, 4))) == [green, green, .white, .white])
    }

    @Test("smart gravity keeps the part with the most detail")
    func smartGravity() throws {
        let pixels = try draw(300, 100) { x, y in
            (200..<280).contains(x) && (x / 4 + y / 4) % 2 == 0 ? .black : ImageColor(0x808080)
        }
        let image = try result("rs:fill:100:100/g:sm", of: pixels)
        #expect(image.pixels.averageColor.red < 100)
        #expect(try result("rs:fill:100:100", of: pixels).pixels.averageColor.red > 120)
    }

    @Test("an extension and a padding are transparent, or have the background")
    func edges() throws {
        let plain = try result("rs:fit:8:8:0:1/pd:1", of: quarters(4, 4))
        #expect(plain.size == PixelSize(10, 10))
        #expect(corners(plain) == Array(repeating: .clear, count: 4))
        #expect(plain.pixels.color(x: 3, y: 3) == red)
        let filled = try result("rs:fit:8:8:0:1:nowe/pd:1/bg:00f", of: quarters(4, 4))
        #expect(corners(filled) == Array(repeating: blue, count: 4))
        #expect(filled.pixels.color(x: 1, y: 1) == red)
        #expect(filled.pixels.isOpaque)
    }

    @Test("a trimmed image is what remains, and is then resized")
    func trim() throws {
        let pixels = try draw(40, 40) { x, y in (10..<20).contains(x) && (10..<30).contains(y) ? red : .white }
        let image = try result("t:10/h:10", of: pixels)
        #expect(image.size == PixelSize(5, 10))
        #expect(corners(image) == Array(repeating: red, count: 4))
        #expect(try result("t:10:fff", of: pixels).size == PixelSize(10, 20))
        #expect(try result("t:10:000", of: pixels).size == PixelSize(40, 40))
        #expect(try result("t:10::1", of: pixels).size == PixelSize(20, 20))
    }

    @Test("magenta trims what is transparent")
    func trimTransparency() throws {
        let pixels = try draw(20, 20) { x, y in (5..<15).contains(x) && (5..<15).contains(y) ? red : .clear }
        #expect(try result("t:10:ff00ff", of: pixels).size == PixelSize(10, 10))
    }

    @Test("filters are applied in the order: colors, blur, sharpness, squares")
    func filters() throws {
        let gray = try draw(8, 8) { _, _ in ImageColor(0x404040) }
        #expect(try result("br:16", of: gray).pixels.color(x: 0, y: 0) == ImageColor(0x505050))
        let halves = try draw(8, 8) { x, _ in x < 4 ? .black : .white }
        let squares = try result("pix:8", of: halves).pixels
        #expect(squares.color(x: 0, y: 0) == ImageColor(0x808080))
        #expect(squares.color(x: 7, y: 7) == ImageColor(0x808080))
        let matrix = "cm:0:0:1:0:0:0:1:0:0:0:1:0:0:0:0:0:0:0:1:0"
        #expect(try result(matrix, of: quarters(4, 4)).pixels.color(x: 0, y: 0) == blue)
        let blurred = try result("bl:2", of: halves).pixels.color(x: 3, y: 3)
        #expect((blurred?.red ?? 0) > 60)
        #expect(try result("sa:0", of: quarters(4, 4)).pixels.color(x: 0, y: 0) == ImageColor(0x363636))
    }

    @Test("an orientation that is ignored gives the stored image", arguments: ImageOrientation.allCases)
    func orientation(_ orientation: ImageOrientation) throws {
        let stored = try quarters(8, 6)
        let upright = try stored.upright(from: orientation, isCancelled: { false })
        var header = ImageHeader(format: .jpeg, storedSize: stored.size, orientation: orientation)
        let plan = try Paths.options("ar:0").plan(for: header, keepsAnimation: false)
        let image = try DecodedImage(pixels: upright, metadata: ImageMetadata()).applying(plan.transforms)
        #expect(image.size == stored.size)
        #expect(corners(image) == [red, green, blue, .white])
        header.storedSize = PixelSize(80, 60)
        let reduced = try Paths.options("ar:0/w:40").plan(for: header, keepsAnimation: false)
        #expect(reduced.size == PixelSize(40, 30))
    }

    @Test("a watermark is placed by its position, scaled and tiled")
    func watermark() throws {
        let mark = WatermarkImage(
            DecodedImage(pixels: try draw(2, 2) { _, _ in red }, metadata: ImageMetadata()))
        let gray = try draw(20, 10) { _, _ in ImageColor(0x808080) }
        let corner = try result("wm:1:soea", of: gray, watermark: mark)
        #expect(corner.pixels.color(x: 19, y: 9) == red)
        #expect(corner.pixels.color(x: 17, y: 9) == ImageColor(0x808080))
        let offset = try result("wm:1:nowe:3:0.5", of: gray, watermark: mark)
        #expect(offset.pixels.color(x: 3, y: 5) == red)
        #expect(offset.pixels.color(x: 2, y: 5) == ImageColor(0x808080))
        let scaled = try result("wm:1:ce:0:0:1", of: gray, watermark: mark)
        #expect(scaled.pixels.color(x: 10, y: 0) == red)
        #expect(scaled.pixels.color(x: 2, y: 5) == ImageColor(0x808080))
        let tiled = try result("wm:1:re:2:3", of: gray, watermark: mark)
        let columns = (0..<20).map { tiled.pixels.color(x: $0, y: 4) == red }
        #expect(columns[9] && columns[10] && !columns[11] && !columns[12] && columns[13] && columns[14])
        let faint = try result("wm:0.5", of: gray, watermark: mark)
        #expect(faint.pixels.color(x: 10, y: 5) == ImageColor(0xC04040))
        #expect(throws: ImageURLError.self) { try result("wm:1", of: gray) }
    }

    @Test("the frames of an animation are cut alike, and are not trimmed")
    func animation() throws {
        let header = ImageHeader(format: .gif, storedSize: PixelSize(30, 10), frameCount: 2)
        func identifiers(_ options: String, keepsAnimation: Bool) throws -> [String] {
            try Paths.options(options).plan(for: header, keepsAnimation: keepsAnimation).transforms.map(\.identifier)
        }
        #expect(try identifiers("rs:fill:10:10/g:sm", keepsAnimation: true) == ["Crop(10,0,10x10)"])
        #expect(try identifiers("rs:fill:10:10/g:sm", keepsAnimation: false) == ["SmartCrop(10 x 10)"])
        #expect(try identifiers("t:10", keepsAnimation: true).isEmpty)
        #expect(try identifiers("t:10", keepsAnimation: false).count == 1)
    }

    @Test("a plan has the size to decode to, and the transforms after that")
    func plan() throws {
        let header = ImageHeader(format: .jpeg, storedSize: PixelSize(2_040, 1_356))
        let plan = try Paths.options("w:512/bl:1").plan(for: header, keepsAnimation: false)
        #expect(plan.targetSize == .pixels(width: 512, height: 340, mode: .fill))
        #expect(plan.transforms == [.blur(sigma: 1)])
    }
}

extension String {
    /// Options for an image of a tenth of the size.
    fileprivate var replacingLimits: String {
        split(separator: "/").map { option in
            option.split(separator: ":", omittingEmptySubsequences: false).enumerated().map { index, value in
                guard index > 0, let number = Int(value), number >= 100, !option.hasPrefix("rot") else {
                    return String(value)
                }
                return "\(number / 10)"
            }.joined(separator: ":")
        }.joined(separator: "/")
    }
}
#endif
