#if Server
import EaselCore
import EaselServerURLs
import Testing

@Suite("Server URLs: formats")
struct EncodingTests {
    private func header(_ format: ImageFormat, frames: Int = 1, hasAlpha: Bool = false) -> ImageHeader {
        ImageHeader(format: format, storedSize: PixelSize(40, 30), frameCount: frames, hasAlpha: hasAlpha)
    }

    private func encoding(
        _ options: String, _ header: ImageHeader, _ accept: String = "", isUnderLoad: Bool = false
    ) throws -> ChosenEncoding {
        try Paths.options(options).encoding(
            for: header, accepts: AcceptedFormats(accept: accept), isUnderLoad: isUnderLoad)
    }

    @Test("the accepted formats are those that are named and not refused")
    func accept() {
        let browser = AcceptedFormats(accept: "image/avif,image/webp,image/apng,image/*,*/*;q=0.8")
        #expect(browser == [.avif, .webp])
        #expect(AcceptedFormats(accept: "*/*") == [])
        #expect(AcceptedFormats(accept: "image/*") == [])
        #expect(AcceptedFormats(accept: "IMAGE/JXL ; q=0.5, image/webp;q=0") == [.jxl])
        #expect(AcceptedFormats(accept: "image/webp;q=0.001") == [.webp])
        #expect(AcceptedFormats(accept: "image/webp2, ximage/avif") == [])
    }

    @Test("the best accepted format is chosen")
    func negotiation() throws {
        let all = "image/jxl,image/avif,image/webp"
        #expect(try encoding("w:1", header(.jpeg), all).format == .jxl)
        #expect(try encoding("w:1", header(.jpeg), "image/avif,image/webp").format == .avif)
        #expect(try encoding("w:1", header(.jpeg), "image/webp").format == .webp)
        #expect(try encoding("w:1", header(.jpeg), all).isNegotiated)
    }

    @Test(
        "without an accepted format, that of the source is kept if every client shows it",
        arguments: [
            (ImageFormat.jpeg, false, ImageFormat.jpeg), (.png, false, .png), (.gif, true, .gif), (.webp, false, .jpeg),
            (.webp, true, .png), (.avif, false, .jpeg), (.heic, false, .jpeg), (.tiff, true, .png), (.apng, true, .png),
        ])
    func common(_ source: ImageFormat, _ hasAlpha: Bool, _ result: ImageFormat) throws {
        #expect(try encoding("w:1", header(source, hasAlpha: hasAlpha)).format == result)
    }

    @Test("transparent edges need a format with alpha, unless the background fills them")
    func edges() throws {
        #expect(try encoding("pd:10", header(.webp)).format == .png)
        #expect(try encoding("ex:1", header(.webp)).format == .png)
        #expect(try encoding("pd:10/bg:fff", header(.webp)).format == .jpeg)
        #expect(try encoding("pd:10/bg:fff/bga:0.5", header(.webp)).format == .png)
    }

    @Test("the format of the URL is not negotiated")
    func explicit() throws {
        let encoding = try encoding("f:png", header(.jpeg), "image/webp")
        #expect(encoding.format == .png)
        #expect(!encoding.isNegotiated)
    }

    @Test("an animation stays one in the formats that store it")
    func animation() throws {
        let animated = header(.gif, frames: 3)
        for (options, accept, format, keeps) in [
            ("w:1", "", ImageFormat.gif, true), ("w:1", "image/jxl,image/avif,image/webp", .webp, true),
            ("w:1", "image/avif", .gif, true), ("f:webp", "", .webp, true), ("f:apng", "", .apng, true),
            ("f:png", "", .png, false), ("f:jpg", "", .jpeg, false), ("da:1", "image/avif", .avif, false),
            ("da:1/f:apng", "", .png, false), ("da:1", "", .gif, false),
        ] {
            let encoding = try encoding(options, animated, accept)
            #expect(encoding.format == format)
            #expect(encoding.keepsAnimation == keeps)
        }
        #expect(try encoding("w:1", header(.avif, frames: 3)).format == .gif)
        #expect(try encoding("w:1", header(.apng, frames: 3)).format == .apng)
        #expect(try encoding("f:webp", header(.jpeg)).keepsAnimation == false)
    }

    @Test("the quality is that of the URL, of its format, or of the server")
    func quality() throws {
        func quality(_ options: String) throws -> Double { try encoding(options, header(.jpeg)).options.quality }
        #expect(try quality("f:webp") == 0.75)
        #expect(try quality("f:avif") == 0.65)
        #expect(try quality("f:webp/fq:webp:50:avif:20") == 0.5)
        #expect(try quality("f:webp/fq:webp:50/q:40") == 0.4)
        // libjpeg's own scale: 1 to 100 for 0 to 1.
        for percent in 1...100 {
            #expect(Int((try quality("f:jpg/q:\(percent)") * 99).rounded()) + 1 == percent)
        }
    }

    @Test("a quality of 100 is not lossless")
    func best() throws {
        for format in ["webp", "avif", "jxl"] {
            #expect(try encoding("f:\(format)/q:100", header(.jpeg)).options.quality < 1)
        }
    }

    @Test("a limit of bytes applies to formats with a quality")
    func maximumBytes() throws {
        #expect(try encoding("mb:1000/f:jpg", header(.jpeg)).options.maximumByteCount == 1_000)
        #expect(try encoding("mb:1000/f:png", header(.jpeg)).options.maximumByteCount == nil)
    }

    @Test("under load less effort is spent")
    func load() throws {
        for format in ["jpg", "webp", "avif"] {
            let usual = try encoding("f:\(format)", header(.jpeg)).options.effort ?? 0
            #expect(try encoding("f:\(format)", header(.jpeg), isUnderLoad: true).options.effort ?? 0 < usual)
        }
    }

    @Test("the source is answered as it is with `raw`, and with `skip_processing` in the same format")
    func skipping() throws {
        func skips(_ options: String, _ format: ImageFormat) throws -> Bool {
            try Paths.options(options).skipsProcessing(of: format)
        }
        #expect(try skips("raw:1/f:png", .jpeg))
        #expect(try skips("skp:jpg", .jpeg))
        #expect(try skips("skp:jpg/f:jpg", .jpeg))
        #expect(try !skips("skp:jpg/f:png", .jpeg))
        #expect(try !skips("skp:jpg", .png))
        #expect(try skips("w:10", .svg))
        #expect(try !skips("f:png", .svg))
    }
}
#endif
