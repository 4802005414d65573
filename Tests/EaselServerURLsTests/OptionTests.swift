#if Server
import EaselCore
import Testing

@testable import EaselServerURLs

@Suite("Server URLs: options")
struct OptionTests {
    typealias Options = ProcessingOptions

    /// An option in its forms, and what all of them mean.
    struct Sample: Sendable, CustomTestStringConvertible {
        let texts: [String]
        let change: @Sendable (inout Options) -> Void
        var testDescription: String { texts[0] }

        init(_ texts: String..., change: @escaping @Sendable (inout Options) -> Void) {
            self.texts = texts
            self.change = change
        }
    }

    static let sizes = [
        Sample("resize:fill:10:20:1:0", "rs:fill:10:20:t:f", "rt:fill/w:10/h:20/el:True") {
            ($0.resizing, $0.width, $0.height, $0.enlarges) = (.fill, 10, 20, true)
        },
        Sample("resize::10", "rs::10::", "size:10", "s:10", "width:10", "w:10") { $0.width = 10 },
        Sample("size::20:1:1:no:5:0.1", "h:20/el:1/ex:true:no:5:0.1", "s::20:1/extend:T:no:5:0.1") {
            ($0.height, $0.enlarges) = (20, true)
            $0.extends = .init(isEnabled: true, gravity: .init(.north, x: 5, y: 0.1))
        },
        Sample("rs:fill-down:1:1", "resizing_type:fill-down/w:1/h:1") {
            ($0.resizing, $0.width, $0.height) = (.fillDown, 1, 1)
        },
        Sample("min-width:1/min-height:2", "mw:1/mh:2") { ($0.minimumWidth, $0.minimumHeight) = (1, 2) },
        Sample("zoom:1.5", "z:1.5:1.5") { ($0.zoomWidth, $0.zoomHeight) = (1.5, 1.5) },
        Sample("zoom:2:.5", "z:2:5e-1") { ($0.zoomWidth, $0.zoomHeight) = (2, 0.5) },
        Sample("dpr:2", "dpr:2.0") { $0.pixelRatio = 2 },
        Sample("extend_aspect_ratio:1:fp:0.25:1", "extend_ar:1:fp:0.25:1", "exar:1:fp:.25:1") {
            $0.extendsAspectRatio = .init(isEnabled: true, gravity: .init(.focusPoint, x: 0.25, y: 1))
        },
        Sample("gravity:sm", "g:sm") { $0.gravity = .init(.smart) },
        Sample("gravity:soea:-3:7", "g:soea:-3:7") { $0.gravity = .init(.southEast, x: -3, y: 7) },
        Sample("crop:0.5", "c:0.5:0") { $0.crop = .init(width: 0.5) },
        Sample("crop:100:50:nowe:1:2", "c:100:50:nowe:1:2") {
            $0.crop = .init(width: 100, height: 50, gravity: .init(.northWest, x: 1, y: 2))
        },
        Sample("trim:5.5:f0f:1:0", "t:5.5:FF00FF:true") {
            $0.trim = .init(tolerance: 5.5, color: ImageColor(0xFF00FF), isEqualHorizontally: true)
        },
        Sample("padding:1", "pd:1:1:1:1") { $0.padding = .init(top: 1, right: 1, bottom: 1, left: 1) },
        Sample("padding:1:2", "pd:1:2:1:2", "pd:1:2::") { $0.padding = .init(top: 1, right: 2, bottom: 1, left: 2) },
        Sample("padding::2:3", "pd:0:2:3:2") { $0.padding = .init(top: 0, right: 2, bottom: 3, left: 2) },
    ]

    static let appearance = [
        Sample("auto_rotate:False", "ar:0") { $0.appliesOrientation = false },
        Sample("rotate:-90", "rot:270", "rot:630") { $0.rotation = 270 },
        Sample("flip:1:0", "fl:1") { $0.flipsHorizontally = true },
        Sample("flip::t", "fl:0:1") { $0.flipsVertically = true },
        Sample("background:1:2:255", "bg:0102ff") { $0.background = ImageColor(0x0102FF) },
        Sample("bg:fff/bg:") { $0.background = nil },
        Sample("background_alpha:0.5", "bga:.5") { $0.backgroundAlpha = 0.5 },
        Sample("adjust:-10:1.5:0", "a:-10:1.5:0", "brightness:-10/contrast:1.5/saturation:0", "br:-10/co:1.5/sa:0") {
            ($0.brightness, $0.contrast, $0.saturation) = (-10, 1.5, 0)
        },
        Sample("blur:1.5", "bl:1.5") { $0.blur = 1.5 }, Sample("sharpen:1.5", "sh:1.5") { $0.sharpen = 1.5 },
        Sample("pixelate:4", "pix:4") { $0.pixelate = 4 },
        Sample("watermark:0.5:soea:10:0.1:0.2", "wm:.5:soea:10:.1:.2") {
            $0.watermark = .init(opacity: 0.5, gravity: .init(.southEast, x: 10, y: 0.1), scale: 0.2)
        },
        Sample("watermark:1:re:5:6", "wm:1:re:5:6") {
            $0.watermark = .init(gravity: .init(.center, x: 5, y: 6), isTiled: true)
        },
        Sample("color_space:p3", "cs:display_p3", "cp:p3", "icc:p3") { $0.colorSpace = .displayP3 },
        Sample("strip_color_profile:0", "scp:f") { $0.stripsColorProfile = false },
        Sample("color_matrix:0:1:0:0:0:1:0:0:0:0:0:0:1:0:0:0:0:0:1:-0.5") {
            $0.colorMatrix = [0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, -0.5]
        },
    ]

    static let files = [
        Sample("quality:75", "q:75") { $0.quality = 75 }, Sample("q:75/q:0") { $0.quality = nil },
        Sample("format_quality:jpeg:75:webp:60", "fq:jpg:75:webp:60") { $0.formatQualities = [.jpeg: 75, .webp: 60] },
        Sample("max_bytes:1000", "mb:1000") { $0.maximumByteCount = 1_000 },
        Sample("format:jpg", "f:jpeg", "ext:jpg") { $0.format = .jpeg },
        Sample("jpeg_options:1:0", "jpgo:t") { $0.isProgressive = true },
        Sample("jpgo::1:0:0:0:0") { $0.hasFullChroma = true },
        Sample("strip_metadata:0", "sm:0") { $0.stripsMetadata = false },
        Sample("keep_copyright:0", "kcr:0") { $0.keepsCopyright = false },
        Sample("enforce_thumbnail:0", "eth:f") { _ in },
        Sample("page:3", "pg:3", "pg:3/pgs:1") { $0.page = 3 },
        Sample("disable_animation:1", "da:t") { $0.isAnimationDisabled = true },
        Sample("skip_processing:jpg:heic", "skp:heic:jpeg") { $0.skippedFormats = [.jpeg, .heic] },
        Sample("raw:1") { $0.isRaw = true }, Sample("cachebuster:a%3Ab", "cb:a%3ab") { $0.cacheBuster = "a:b" },
        Sample("expires:1700000000", "exp:1700000000") { $0.expires = 1_700_000_000 },
        Sample("exp:5/exp:0") { $0.expires = nil },
        Sample("filename:a%20b.jpg", "fn:YSBiLmpwZw:1", "fn:a%20b.jpg:0") { $0.filename = "a b.jpg" },
        Sample("return_attachment:1", "att:1") { $0.isAttachment = true },
    ]

    static let all = sizes + appearance + files

    @Test("every form of an option means the same", arguments: all)
    func forms(_ sample: Sample) throws {
        var expected = Options()
        sample.change(&expected)
        for text in sample.texts { #expect(try Paths.options(text) == expected) }
    }

    @Test(
        "invalid arguments have a status of 422 and are named",
        arguments: [
            "w:-1", "w:1.5", "w:a", "w:", "w:1:2", "w:+1", "w:9999999", "w: 1", "w:0x10", "h:1e3", "rs:cover:1:1",
            "rs:fit:1:1:2", "rs:fit:1:1:1:1:no:1:2:3", "z:0", "z:-1", "z:nan", "z:inf", "z:0x1p4", "z:1:2:3", "dpr:0",
            "dpr:infinity", "el:yes", "el:tRue", "ex:1:sm", "g:xx", "g:sm:1", "g:fp:0.5", "g:fp:0.5:1.5", "g:no:1:2:3",
            "c::50", "c:-1", "c:1:1:no:1:2:3", "t:256", "t:1:12345", "t:1:ggg", "pd:-1", "pd:1:2:3:4:5", "rot:45",
            "rot:a", "fl:2", "bg:12", "bg:12345g", "bg:1:2", "bg:1:2:256", "bga:2", "br:256", "co:-1", "cm:1:2",
            "bl:-1", "pix:-1", "wm:2", "wm:1:sm", "wm:1:fp:0.1:0.1", "cs:cmyk", "q:101", "q:-1", "fq:jpg", "fq:xyz:1",
            "fq:jpg:0", "mb:-1", "f:xyz", "f:", "f:jpg:png", "pg:-1", "raw:maybe", "exp:-1", "exp:a", "fn:a%2Fb",
            "fn:..%5Ca", "fn:", "fn:a%0Db", "fn:***:1", "att:2", "skp:xyz", "w:%zz", "cb:%FF",
        ])
    func invalid(_ option: String) {
        let error = Paths.error(option)
        #expect(error?.status == 422)
        #expect(error?.code == "invalidOption")
        #expect(error?.message.contains("`\(option.prefix { $0 != ":" })`") == true)
    }

    @Test(
        "what is not supported says so",
        arguments: [
            "autoquality:ssim", "f:best", "f:heic", "f:svg", "eth:1", "pgs:2", "g:obj:face", "c:1:1:objw:face:2",
            "wm:1:ch", "jpgo:1:1:1", "ra:cubic", "dpi:72", "monochrome:1", "hs:md5:00", "wmt:YQ",
        ])
    func unsupported(_ option: String) {
        let error = Paths.error(option)
        #expect(error?.status == 422)
        #expect(error?.code == "unsupportedOption")
        #expect(error?.message.contains("`\(option.prefix { $0 != ":" })`") == true)
    }

    @Test("an unknown option is named", arguments: ["nonsense:1", "W:1", "fit:1", ":1"])
    func unknown(_ option: String) {
        let error = Paths.error(option)
        #expect(error?.status == 422)
        #expect(error?.code == "unknownOption")
    }

    @Test("an extension after the source overrides the option, unless the source is raw")
    func fileExtension() throws {
        let path = "/plain/\(Paths.source)@webp"
        #expect(try ImageURL(rawPath: "/unsafe/f:png\(path)", rules: Paths.unsigned).options.format == .webp)
        #expect(try ImageURL(rawPath: "/unsafe/raw:1\(path)", rules: Paths.unsigned).options.format == nil)
        let error = #expect(throws: ImageURLError.self) {
            try ImageURL(rawPath: "/unsafe/plain/\(Paths.source)@exe", rules: Paths.unsigned)
        }
        #expect(error?.code == "invalidOption")
    }

    @Test("client hints apply only if the URL has no width and no pixel ratio")
    func hints() throws {
        let hints = ClientHints(pixelRatio: "2", width: "1000")
        #expect(Options().applying(hints).width == 500)
        #expect(Options().applying(hints).pixelRatio == 2)
        let given = try Paths.options("w:10/dpr:3").applying(hints)
        #expect(given.width == 10)
        #expect(given.pixelRatio == 3)
        for text in ["nan", "0", "-1", "1e9", "x", "", "99999999999999999999"] {
            #expect(Options().applying(ClientHints(pixelRatio: text, width: text)) == Options())
        }
    }

    @Test(
        "the key of a result depends on every option of its bytes, and on no other",
        arguments: all)
    func key(_ sample: Sample) throws {
        let options = try Paths.options(sample.texts[0])
        let isHandling = ["exp", "fi", "ret", "cach", "enf", "bg:fff", "q:75/", "background_a", "format:"].contains(
            where: sample.texts[0].hasPrefix)
        #expect((options.resultKey == Options().resultKey) == isHandling)
        #expect(try Set(sample.texts.map { try Paths.options($0).resultKey }).count == 1)
    }

    @Test("the key of a result depends on the image to use if the source fails")
    func fallbackKey() throws {
        let keys = try ["fiu:aHR0cHM6Ly9iL2M", "fiu:aHR0cHM6Ly9iL2Q", "w:0"].map { try Paths.options($0).resultKey }
        #expect(Set(keys).count == 3)
    }

    @Test("different options have different keys")
    func keysDiffer() throws {
        let samples = Self.sizes + Self.appearance
        let keys = try samples.map { try Paths.options($0.texts[0]).pixelKey }
        // A background that is removed again, and the opacity of none, change nothing.
        #expect(Set(keys).count == samples.count - 1)
        #expect(try Paths.options("q:70/f:webp/sm:0").pixelKey == Options().pixelKey)
    }
}
#endif
