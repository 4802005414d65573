import EaselTesting
import TestSupport
import Testing

@testable import EaselCore

@Suite("Transforms: identity and order (B98)")
struct ImageTransformTests {
    private struct Step: ImageTransforming {
        let identifier: String
        let applied: Recorder<String>
        var error: ImageError?

        func apply(to image: DecodedImage, isCancelled: @Sendable () -> Bool) throws(ImageError) -> DecodedImage {
            applied.record(identifier)
            if let error { throw error }
            return image
        }
    }

    private let applied = Recorder<String>()

    @Test("transforms of equal parameters are equal, others differ (B20)")
    func equality() {
        #expect(ImageTransform.cropToSquare == .cropToSquare)
        #expect(ImageTransform.crop(to: PixelSize(3, 4)) == .crop(to: PixelSize(3, 4)))
        let distinct: Set<ImageTransform> = [
            .cropToSquare, .crop(to: PixelSize(3, 4)), .crop(to: PixelSize(4, 3)), .crop(to: PixelSize(34, 4)),
            step("A"),
            step("B"),
        ]
        #expect(distinct.count == 6)
    }

    @Test("the key has all transforms in order, and nothing for none (B98)")
    func keys() {
        #expect([ImageTransform]().keySuffix.isEmpty)
        #expect([step("A"), step("B")].keySuffix != [step("B"), step("A")].keySuffix)
        #expect([step("A")].keySuffix != [step("A"), step("A")].keySuffix)
        #expect([step("A,B")].keySuffix != [step("A"), step("B")].keySuffix)
    }

    @Test("transforms are applied in order and recorded in the metadata")
    func order() throws {
        let image = try TestImage.gradient(2, 2).image()
        let result = try image.applying([step("A"), step("B"), step("C")])
        #expect(applied.events == ["A", "B", "C"])
        #expect(result.metadata.isTransformed)
        #expect(!image.metadata.isTransformed)
    }

    @Test("no transforms have no effect")
    func none() throws {
        let image = try TestImage.gradient(2, 2).image()
        #expect(try image.applying([]).metadata == image.metadata)
    }

    @Test("the first transform that fails throws its error (B98)")
    func failing() throws {
        let image = try TestImage.gradient(2, 2).image()
        #expect(throws: ImageError.unsupported("no")) {
            try image.applying([step("A"), step("B", error: .unsupported("no")), step("C")])
        }
        #expect(applied.events == ["A", "B"])
    }

    @Test("a cancelled load applies no further transforms")
    func cancelled() throws {
        let image = try TestImage.gradient(2, 2).image()
        #expect(throws: ImageError.cancelled) {
            try image.applying([step("A"), step("B")]) { !applied.events.isEmpty }
        }
        #expect(applied.events == ["A"])
    }

    private func step(_ identifier: String, error: ImageError? = nil) -> ImageTransform {
        ImageTransform(Step(identifier: identifier, applied: applied, error: error))
    }
}
