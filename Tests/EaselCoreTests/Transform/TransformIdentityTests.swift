import EaselTesting
import TestSupport
import Testing

@testable import EaselCore

@Suite("Transforms: identifiers and common behaviour (B20, B21, B98)")
struct TransformIdentityTests {
    /// Returns every transform, with parameters that differ in one value at a time.
    private static func all() throws -> [ImageTransform] {
        let mark = try TransformFixture.noise(3, 2)
        let other = try TransformFixture.noise(2, 3)
        let line = ImageBorder(width: 2, color: .white)
        let matrix = ImageTransform.colorMatrix(red: [1, 0, 0, 0], green: [0, 1, 0, 0], blue: [0, 0, 1, 0])
        let darker = ImageTransform.colorMatrix(red: [1, 0, 0, 0], green: [0, 1, 0, 0], blue: [0, 0, 0.5, 0])
        let lighter = ImageTransform.colorMatrix(
            red: [1, 0, 0, 0], green: [0, 1, 0, 0], blue: [0, 0, 1, 0], offset: [0.1, 0, 0, 0])
        let blends = BlendMode.allCases.map { ImageTransform.tint(ImageColor(0x336699, alpha: 100), blendMode: $0) }
        return blends + [
            .cropToSquare, .crop(to: PixelSize(3, 4)), .crop(x: 0, y: 0, width: 3, height: 4),
            .crop(x: 1, y: 0, width: 3, height: 4), .crop(x: 0, y: 1, width: 3, height: 4),
            .resize(.pixels(width: 3, height: 4)), .resize(.pixels(width: 3, height: 4), upscaling: true),
            .resize(.pixels(width: 3, height: 4, mode: .fill)), .resizeToFill(PixelSize(3, 4)),
            .flip(.horizontal), .flip(.vertical), .rotate(degrees: 90), .rotate(degrees: 33.5),
            .rotate(degrees: 90, fitting: false), .rotate(degrees: 33.5, fitting: false),
            .roundedCorners(radius: 2), .roundedCorners(radius: 2.5), .roundedCorners(topLeft: 2),
            .roundedCorners(topRight: 2), .roundedCorners(bottomLeft: 2), .roundedCorners(bottomRight: 2),
            .roundedCorners(radius: 2, border: line),
            .roundedCorners(radius: 2, border: ImageBorder(width: 3, color: .white)),
            .roundedCorners(radius: 2, border: ImageBorder(width: 2, color: ImageColor(0xFF_FFFF, alpha: 254))),
            .circle, .circle(border: line), .tint(ImageColor(0x336698, alpha: 100)),
            .tint(ImageColor(0x336699)), .background(.white), .background(.black),
            .brightness(0.1), .contrast(0.1), .saturation(0.1), .gamma(0.1), .brightness(0.2), .grayscale, .sepia,
            .invert, matrix, darker, lighter, .blur(sigma: 1), .blur(sigma: 1.5),
            .sharpen(sigma: 1, amount: 1), .sharpen(sigma: 1, amount: 1.5), .sharpen(sigma: 1.5, amount: 1),
            .overlay(mark), .overlay(other), .overlay(mark, at: .top), .overlay(mark, offset: (x: 1, y: 0)),
            .overlay(mark, offset: (x: 0, y: 1)), .overlay(mark, opacity: 0.5),
            .overlay(mark, blendMode: .multiply), .pad(1), .pad(left: 1),
            .pad(1, color: .white), .pad(to: PixelSize(9, 9)), .trim(), .trim(.clear),
            .trim(.color(.white)), .trim(tolerance: 3), .pipeline([.sepia]), .pipeline([]),
            .custom("Sepia") { $0 }, .custom("B") { $0 },
        ]
    }

    @Test("every different parameter gives another identifier (B20, X178, X179)")
    func unique() throws {
        let all = try Self.all()
        let texts = all.map(\.identifier)
        #expect(Set(texts).count == texts.count)
        // Equal parameters give equal transforms.
        #expect(try Self.all() == all)
    }

    @Test("numbers have one canonical form")
    func canonical() {
        #expect(ImageTransform.blur(sigma: 3).identifier == "Blur(3)")
        #expect(ImageTransform.blur(sigma: 0.1).identifier == "Blur(0.1)")
        #expect(ImageTransform.brightness(-0.0) == .brightness(0))
        #expect(ImageTransform.roundedCorners(radius: 12).identifier == "RoundedCorners(12)")
        #expect(1e300.canonicalText == "1e+300")
    }

    @Test("no component exceeds alpha, and an opaque result has opaque pixels")
    func premultiplied() throws {
        for image in [try TransformFixture.translucentNoise(23, 17), try TransformFixture.noise(17, 23)] {
            for transform in try Self.all() {
                let result = try image.applying([transform])
                let pixels = result.allPixels
                #expect(
                    pixels.allSatisfy { max($0.red, $0.green, $0.blue) <= $0.alpha }, "\(transform.identifier)")
                if result.pixels.isOpaque {
                    #expect(pixels.allSatisfy { $0.alpha == 255 }, "\(transform.identifier)")
                }
                #expect(result.metadata.isTransformed || transform == .pipeline([]))
            }
        }
    }

    @Test("an image of one pixel supports every transform except a crop outside")
    func onePixel() throws {
        let image = try TransformFixture.noise(1, 1)
        for transform in try Self.all() {
            do {
                let size = try image.applying([transform]).size
                #expect(size.width > 0 && size.height > 0)
            } catch {
                guard error.code == .unsupported else { throw error }
                #expect(transform.identifier.hasPrefix("Crop("))
            }
        }
    }

    @Test("scale and metadata are preserved (X051, X177, X167)")
    func metadata() throws {
        var image = try TransformFixture.noise(8, 8)
        image.scale = 3
        image.metadata.frameIndex = 5
        for transform in try Self.all() {
            let result = try image.applying([transform])
            #expect(result.scale == 3 && result.metadata.frameIndex == 5, "\(transform.identifier)")
        }
    }

    @Test("transforms that check for cancellation throw when cancelled")
    func cancellation() throws {
        let image = try TransformFixture.translucentNoise(24, 24)
        var checking = 0
        for transform in try Self.all() where !transform.identifier.hasPrefix("Custom") {
            let callCount = Counter()
            // The transform is called directly, without the check before it starts.
            let result = Result { () throws(ImageError) in
                try transform.body.value(image) {
                    callCount.add()
                    return true
                }
            }
            guard callCount.count > 0 else { continue }
            checking += 1
            #expect(result.error == .cancelled, "\(transform.identifier)")
        }
        #expect(checking > 10)
    }

    @Test("a pipeline equals its steps, in result and key (B98, X180)")
    func pipeline() throws {
        let image = try TransformFixture.noise(20, 14)
        let steps: [ImageTransform] = [.cropToSquare, .blur(sigma: 1), .roundedCorners(radius: 3)]
        let pipeline = ImageTransform.pipeline(steps)
        let nested = ImageTransform.pipeline([.pipeline([steps[0], steps[1]]), .pipeline([]), steps[2]])
        #expect(nested == pipeline)
        #expect([pipeline].keySuffix == steps.keySuffix)
        #expect([ImageTransform.pipeline([])].keySuffix.isEmpty)
        let expected = try image.applying(steps)
        #expect(try image.applying([pipeline]).difference(from: expected) <= .exact)
        #expect(ImageTransform.pipeline(steps.reversed()) != pipeline)
    }

    @Test("a closure transform is identified by its identifier (B21)")
    func closures() throws {
        let image = try TransformFixture.noise(4, 4)
        let half = ImageTransform.custom("half") { $0 }
        #expect(half == .custom("half") { $0 })
        #expect(half != .custom("other") { $0 })
        let failing = ImageTransform.custom("fails") { _ throws(ImageError) in throw .unsupported("no") }
        #expect(throws: ImageError.unsupported("no")) { try image.applying([half, failing]) }
    }
}
