#if Server
import EaselCore
import EaselFoundation
import EaselTesting
import Testing

@testable import EaselServerURLs

@Suite("Server URLs: hostile input")
struct RandomURLTests {
    @Test("changed paths are parsed or refused, and never end the process", arguments: 0..<8)
    func paths(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var rules = Paths.unsigned
        rules.sources = .allowing(["https://*.com/images/", "local://", "s3://b/"])
        rules.allowsLimitOptions = true
        let texts = (OptionTests.sizes + OptionTests.appearance + OptionTests.files).flatMap(\.texts)
        let ends = ["plain/\(Paths.source)@png", Paths.base64 + ".webp", "plain/local:///a/b%2Fc", "plain/s3://b/%25"]
        let alphabet = Array("%:/@.?#\\*0123456789abcdefxFf-+=_ \u{0}\u{7F}é".utf8)
        for _ in 0..<2_000 {
            let options = (0..<Int.random(in: 0...3, using: &random)).compactMap { _ in
                texts.randomElement(using: &random)
            }
            let end = ends.randomElement(using: &random) ?? ""
            var path = Array("/unsafe/\((options + [end]).joined(separator: "/"))".utf8)
            if Bool.random(using: &random) { path = Array("/info".utf8) + path }
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                let index = Int.random(in: 0..<path.count, using: &random)
                let byte = alphabet.randomElement(using: &random) ?? 0
                switch Int.random(in: 0...2, using: &random) {
                case 0: path[index] = byte
                case 1: path.insert(byte, at: index)
                default: path.remove(at: index)
                }
            }
            guard let url = try? ImageURL(rawPath: String(decoding: path, as: UTF8.self), rules: rules) else {
                continue
            }
            switch url.location {
            case .file(let file): #expect(!"/\(file)/".contains("/../"))
            case .object(let bucket, _): #expect(bucket == "b")
            case .remote(let remote):
                #expect(remote.scheme == "https" && remote.host?.hasSuffix(".com") == true && remote.user == nil)
                #expect(remote.absoluteString.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
            }
        }
    }

    @Test("extreme options of any image have a plan within the limits, or none", arguments: 0..<8)
    func plans(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(100 + seed))
        let numbers = [0, 1, 2, 3, 15, 16, 99, 100, 1_000, 65_535, 1_000_000]
        let factors = [0.001, 0.1, 0.5, 1, 1.5, 2, 1_000]
        let limits = ResultLimits()
        func side() -> Int { numbers.randomElement(using: &random) ?? 0 }
        func factor() -> Double { factors.randomElement(using: &random) ?? 1 }
        for _ in 0..<1_000 {
            var options = ProcessingOptions()
            options.resizing = ProcessingOptions.Resizing.allCases.randomElement(using: &random) ?? .fit
            (options.width, options.height) = (side(), side())
            (options.minimumWidth, options.minimumHeight) = (Bool.random(using: &random) ? side() : 0, side())
            (options.zoomWidth, options.zoomHeight, options.pixelRatio) = (factor(), factor(), factor())
            options.enlarges = Bool.random(using: &random)
            options.extends.isEnabled = Bool.random(using: &random)
            options.extendsAspectRatio.isEnabled = Bool.random(using: &random)
            let kind = ProcessingOptions.Gravity.Kind.allCases.randomElement(using: &random) ?? .center
            options.gravity = .init(kind, x: factor() - 0.5, y: -factor())
            if Bool.random(using: &random) { options.crop = .init(width: Double(side()), height: factor()) }
            options.padding = .init(top: side(), right: side(), bottom: 1, left: 0)
            options.rotation = [0, 90, 180, 270].randomElement(using: &random) ?? 0
            if Bool.random(using: &random) { options.limits.resultSide = max(1, side()) }
            let size = PixelSize(max(1, side()), max(1, side()))
            let header = ImageHeader(
                format: .png, storedSize: size,
                orientation: ImageOrientation.allCases.randomElement(using: &random) ?? .up)
            guard let plan = try? options.plan(for: header, keepsAnimation: false, limits: limits) else { continue }
            let area = try #require(plan.size?.area)
            #expect(area > 0 && area <= limits.pixels)
            #expect(plan.byteCount > 0)
            let decoded = plan.targetSize.size(for: header.size)
            #expect(decoded.width <= header.size.width && decoded.height <= header.size.height)
        }
    }

    @Test("random options give exactly the planned size", arguments: 0..<4)
    func pixels(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(200 + seed))
        func side() -> Int { Int.random(in: 0...40, using: &random) }
        for _ in 0..<60 {
            var options = ProcessingOptions()
            options.resizing = ProcessingOptions.Resizing.allCases.randomElement(using: &random) ?? .fit
            (options.width, options.height) = (side(), side())
            options.minimumWidth = Bool.random(using: &random) ? side() : 0
            options.pixelRatio = [0.5, 1, 2].randomElement(using: &random)
            options.enlarges = Bool.random(using: &random)
            options.extends.isEnabled = Bool.random(using: &random)
            options.extendsAspectRatio.isEnabled = Bool.random(using: &random)
            options.gravity = .init(
                ProcessingOptions.Gravity.Kind.allCases.randomElement(using: &random) ?? .center, x: 0.3, y: 0.9)
            if Bool.random(using: &random) { options.crop = .init(width: Double(side()), height: 0.5) }
            options.padding = .init(top: side(), left: 1)
            options.rotation = [0, 90, 180, 270].randomElement(using: &random) ?? 0
            let source = try TestImage.gradient(max(1, side()), max(1, side())).image()
            let header = ImageHeader(format: .png, storedSize: source.size)
            let plan = try options.plan(for: header, keepsAnimation: false)
            let decoded = try source.applying([.resize(plan.targetSize)])
            #expect(try decoded.applying(plan.transforms).size == plan.size)
        }
    }
}
#endif
