#if Server
import EaselCore
import EaselServerURLs
import Testing

@Suite("Server URLs: sizes")
struct GeometryTests {
    private func size(_ options: String, of source: PixelSize, orientation: ImageOrientation = .up) throws -> PixelSize?
    {
        let header = ImageHeader(format: .jpeg, storedSize: source, orientation: orientation)
        return try Paths.options(options).plan(for: header, keepsAnimation: false).size
    }

    /// The results of imgproxy's rules, for a source of 2040 x 1356 pixels.
    static let results: [(String, Int, Int)] = [
        ("rs:fit:512:512", 512, 340), ("w:512", 512, 340), ("h:340", 512, 340), ("rs:fit:512:0", 512, 340),
        ("rs:fill:512:512", 512, 512), ("rs:force:512:512", 512, 512), ("rs:force:512:0", 512, 1_356),
        ("rs:auto:512:400", 512, 400), ("rs:auto:400:512", 400, 266), ("rs:fit:5000:5000", 2_040, 1_356),
        ("rs:fit:5000:5000:1", 5_000, 3_324), ("rs:fill:5000:5000", 2_040, 1_356),
        ("rs:fill:5000:5000:1", 5_000, 5_000), ("rs:fill-down:5000:5000", 1_356, 1_356),
        ("rs:fill-down:4000:1000", 2_040, 510), ("rs:fill-down:100:100", 100, 100),
        ("w:512/dpr:2", 1_024, 681), ("w:1500/dpr:2", 2_040, 1_356), ("w:1500/dpr:2/el:1", 3_000, 1_994),
        ("w:512/z:0.5", 256, 170), ("w:512/z:2:1", 1_024, 340), ("z:0.5", 1_020, 678), ("z:2", 2_040, 1_356),
        ("w:100/mw:400", 100, 266), ("rs:fit:300:300/mh:250", 300, 250), ("rs:fill:5000:100", 2_040, 100),
        ("w:1", 1, 1), ("rs:force:1:1", 1, 1), ("w:512/rot:90", 512, 770), ("rs:fill:300:200/rot:270", 300, 200),
        ("c:1000:500/w:100", 100, 50), ("c:0.5/w:100", 100, 133), ("c:0:678/w:510", 510, 170),
        ("c:9999:9999/w:512", 512, 340), ("c:100:50/w:400/el:1", 400, 200), ("c:1020:1356/rot:90/w:102", 102, 136),
        ("w:512/pd:10", 532, 360), ("w:512/pd:10:20:30:40/dpr:2", 1_144, 761), ("pd:5", 2_050, 1_366),
        ("rs:fit:512:512:0:1", 512, 512), ("rs:fit:5000:3000:0:1", 5_000, 3_000),
        ("rs:fit:512:512/exar:1", 512, 512), ("rs:fit:3000:3000/exar:1", 2_040, 2_040),
        ("rs:fit:512:512:0:1/pd:8", 528, 528), ("rs:fit:300:400/ex:1/dpr:2", 600, 800),
    ]

    @Test("results have imgproxy's sizes", arguments: results)
    func resultSize(_ options: String, _ width: Int, _ height: Int) throws {
        #expect(try size(options, of: PixelSize(2_040, 1_356)) == PixelSize(width, height))
    }

    @Test("halves are rounded up, and no side vanishes")
    func rounding() throws {
        #expect(try size("w:10", of: PixelSize(40, 30)) == PixelSize(10, 8))
        #expect(try size("w:100", of: PixelSize(1_000, 14)) == PixelSize(100, 1))
        #expect(try size("w:100", of: PixelSize(1_000, 3)) == PixelSize(100, 1))
        #expect(try size("w:1", of: PixelSize(10_000, 1)) == PixelSize(1, 1))
    }

    @Test("sizes are of the upright image, unless the orientation is ignored")
    func orientation() throws {
        #expect(try size("w:100", of: PixelSize(400, 200), orientation: .right) == PixelSize(100, 200))
        #expect(try size("w:100/ar:0", of: PixelSize(400, 200), orientation: .right) == PixelSize(100, 50))
        #expect(try size("w:100/rot:90", of: PixelSize(400, 200), orientation: .right) == PixelSize(100, 50))
    }

    @Test("the decoder reduces, unless something has to be enlarged or trimmed")
    func decodedSize() throws {
        func target(_ options: String) throws -> TargetSize {
            let header = ImageHeader(format: .jpeg, storedSize: PixelSize(2_040, 1_356))
            return try Paths.options(options).plan(for: header, keepsAnimation: false).targetSize
        }
        #expect(try target("w:512") == .pixels(width: 512, height: 340, mode: .fill))
        #expect(try target("c:1020:678/w:102") == .pixels(width: 204, height: 136, mode: .fill))
        #expect(try target("w:512/rot:90") == .pixels(width: 770, height: 512, mode: .fill))
        #expect(try target("q:50") == .original)
        #expect(try target("w:3000/el:1") == .original)
        #expect(try target("rs:force:100:3000:1") == .original)
        #expect(try target("t:10/w:10") == .original)
    }

    @Test("a result beyond the limit of pixels is refused before anything is decoded")
    func limits() {
        let header = ImageHeader(format: .jpeg, storedSize: PixelSize(1, 1_000))
        for options in [
            "w:100000/h:100000/rs:fill/el:1", "w:1000000/el:1", "z:1000:1000/el:1", "pd:100000", "dpr:1000/w:1000/el:1",
            "rs:fill:10000:10000:1", "rs:fit:10000:10000:0:1", "w:1000000/dpr:1000/z:1000/el:1/pd:1000000",
        ] {
            let error = #expect(throws: ImageURLError.self) {
                try Paths.options(options).plan(for: header, keepsAnimation: false)
            }
            #expect(error?.code == "resultTooLarge")
        }
    }

    @Test("a result with a longer side than allowed is scaled down")
    func longestSide() throws {
        var limits = ResultLimits()
        limits.side = 500
        let header = ImageHeader(format: .jpeg, storedSize: PixelSize(2_000, 1_000))
        func size(_ options: String) throws -> PixelSize? {
            try Paths.options(options).plan(for: header, keepsAnimation: false, limits: limits).size
        }
        #expect(try size("q:50") == PixelSize(500, 250))
        #expect(try size("w:400") == PixelSize(400, 200))
        #expect(try size("rs:fill:1000:1000") == PixelSize(500, 500))
        #expect(try size("w:400/pd:300") == PixelSize(500, 400))
        #expect(try size("rs:fit:1000:1000:0:1") == PixelSize(500, 500))
    }

    @Test("a page that does not exist is refused, unless the animation is kept")
    func pages() throws {
        let header = ImageHeader(format: .gif, storedSize: PixelSize(10, 10), frameCount: 3)
        #expect(try Paths.options("pg:2").plan(for: header, keepsAnimation: false).frame == 2)
        #expect(try Paths.options("pg:2").plan(for: header, keepsAnimation: true).frame == 0)
        let error = #expect(throws: ImageURLError.self) {
            try Paths.options("pg:3").plan(for: header, keepsAnimation: false)
        }
        #expect(error?.status == 422)
    }

    @Test("the estimate of memory grows with the source and the result")
    func byteCount() throws {
        func count(_ options: String, _ format: ImageFormat, _ size: PixelSize) throws -> Int {
            let header = ImageHeader(format: format, storedSize: size)
            return try Paths.options(options).plan(for: header, keepsAnimation: false).byteCount
        }
        let (small, large) = (PixelSize(400, 300), PixelSize(4_000, 3_000))
        #expect(try count("w:100", .png, small) < count("w:100", .png, large))
        #expect(try count("w:100", .jpeg, large) < count("w:100", .png, large) / 10)
        #expect(try count("w:100", .png, large) >= 48_000_000)
        #expect(try count("w:5000/el:1", .jpeg, small) > 100_000_000)
    }

    @Test("a profile with the primaries of P3 is kept as such on request")
    func colorSpace() throws {
        func space(_ options: String, _ profile: String?) throws -> ColorSpace {
            let header = ImageHeader(format: .jpeg, storedSize: PixelSize(1, 1), profileName: profile)
            return try Paths.options(options).plan(for: header, keepsAnimation: false).colorSpace
        }
        #expect(try space("w:1", "Display P3") == .sRGB)
        #expect(try space("scp:0", "Display P3") == .displayP3)
        #expect(try space("scp:0", "Adobe RGB (1998)") == .sRGB)
        #expect(try space("cs:p3", nil) == .displayP3)
    }
}
#endif
