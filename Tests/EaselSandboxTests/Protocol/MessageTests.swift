import EaselCore
import Foundation
import Testing

@testable import EaselSandbox

@Suite("Sandbox: messages")
struct MessageTests {
    private static let everyOption = {
        var options = plainOptions
        options.hdrHeadroom = 2.5
        return options
    }()
    private static let plainOptions = DecodeOptions(
        targetSize: .pixels(width: 300, height: 200, mode: .aspectFill), frame: 7, colorSpace: .displayP3,
        depth: .sixteen,
        limits: ImageLimits(pixels: 1, bytes: 2, frames: 3, decodingTime: .milliseconds(4500)),
        allowsPartial: true)

    private static let jobs = [
        WorkerJob(number: 1, format: "webp", operation: .header, fileByteCount: 0),
        WorkerJob(number: 2, format: "webp", operation: .headerOfBeginning, fileByteCount: 9),
        WorkerJob(number: 3, format: "webp", operation: .metadata, fileByteCount: 9, memoryByteCount: 64),
        WorkerJob(number: .max, format: "heic", operation: .decode(everyOption), fileByteCount: .max),
        WorkerJob(number: 5, format: "avif", operation: .open(session: 8, everyOption)),
        WorkerJob(number: 6, format: "avif", operation: .frame(session: .max, everyOption)),
        WorkerJob(number: 6, format: "jxl", operation: .preview(session: 3, byteCount: .max, everyOption)),
        WorkerJob(number: 7, format: "svg", operation: .memory, memoryByteCount: 1 << 40),
    ]

    @Test("a job survives the conversion to a message and back", arguments: jobs)
    func job(_ job: WorkerJob) throws {
        let read = try #require(WorkerJob(message: job.message))
        #expect(String(describing: read.operation).prefix(40) == String(describing: job.operation).prefix(40))
        #expect(read.message == job.message)
        #expect(job.message.count <= WorkerJob.maximumByteCount)
    }

    @Test("decode options survive the conversion to a message and back")
    func decodeOptions() throws {
        let message = WorkerJob(number: 1, format: "png", operation: .decode(Self.everyOption)).message
        guard case .decode(let read) = try #require(WorkerJob(message: message)).operation else {
            Issue.record("Another operation")
            return
        }
        #expect(read.targetSize == Self.everyOption.targetSize)
        #expect(read.frame == 7)
        #expect(read.colorSpace == .displayP3)
        #expect(read.depth == .sixteen)
        #expect(read.hdrHeadroom == 2.5)
        #expect(read.limits == Self.everyOption.limits)
        #expect(read.allowsPartial)
    }

    @Test("a truncated or too long message is not a job", arguments: jobs)
    func damage(_ job: WorkerJob) {
        for count in 0..<job.message.count { #expect(WorkerJob(message: Array(job.message.prefix(count))) == nil) }
        #expect(WorkerJob(message: job.message + [0]) == nil)
    }

    @Test(
        "an answer survives the conversion to a message and back",
        arguments: [
            WorkerAnswer.ready(version: 1, SandboxRestrictions(bits: 7, landlockVersion: 6)),
            .done(job: .max, resultByteCount: .max), .needsMemory(job: 1, resultByteCount: 2, memoryByteCount: 3),
            .needsFile(job: 4), .failed(job: 5, resultByteCount: 6), .notStarted(code: 11), .ended(status: 139),
        ])
    func answer(_ answer: WorkerAnswer) {
        #expect(answer.message.count == WorkerAnswer.byteCount)
        #expect(WorkerAnswer(message: answer.message) == answer)
    }

    @Test("a message with a negative number, an unknown kind or the wrong length is not an answer")
    func invalidAnswer() {
        var negative = WorkerAnswer.done(job: 1, resultByteCount: 1).message
        negative[23] = 0x80
        var unknown = negative
        unknown[23] = 0
        unknown[0] = 99
        for bytes in [negative, unknown, [], Array(WorkerAnswer.needsFile(job: 1).message.dropLast())] {
            #expect(WorkerAnswer(message: bytes) == nil)
        }
    }

    @Test(
        "an error of a decoder survives the conversion to a result and back",
        arguments: [
            ImageError.badData("ä"), .unsupported("b"), .tooLarge(.pixels(PixelSize(1, 2), limit: 3)),
            .tooLarge(.frames(1, limit: 2)), .tooLarge(.bytes(3, limit: 4)),
            .tooLarge(.time(limit: .milliseconds(300))),
        ])
    func error(_ error: ImageError) {
        #expect(ImageError(workerResult: error.workerResult) == error)
    }

    @Test("the text of an error is truncated, and control characters are replaced")
    func hostileError() throws {
        let text = String(repeating: "\u{1B}[2J\n", count: 1_000)
        let read = try #require(ImageError(workerResult: ImageError.badData(text).workerResult)).message
        #expect(read.utf8.count <= 1_000)
        #expect(read.unicodeScalars.allSatisfy { $0.value >= 32 })
    }

    @Test("metadata survives the conversion to a result and back")
    func metadata() {
        for metadata in [FileMetadata(), FileMetadata(exif: Data([1, 2])), FileMetadata(exif: Data(), xmp: Data([3]))] {
            #expect(FileMetadata(workerResult: metadata.workerResult) == metadata)
        }
        #expect(FileMetadata(workerResult: [255, 255, 255, 255, 255, 255, 255, 127]) == nil)
    }

    @Test("a request survives the conversion to a message and back; an unknown kind is not a request")
    func request() {
        for kind in WorkerKind.allCases {
            let request = ZygoteRequest(kind: kind, memoryLimit: 1 << 31)
            #expect(ZygoteRequest(message: request.message) == request)
        }
        #expect(ZygoteRequest(message: [9] + ZygoteRequest(kind: .raster, memoryLimit: 1).message.dropFirst()) == nil)
    }
}

@Suite("Sandbox: results")
struct WorkerResultTests {
    private static let header = {
        var header = plainHeader
        header.gainMapHeadroom = 4.5
        return header
    }()
    private static let plainHeader = ImageHeader(
        format: .webp, storedSize: PixelSize(40, 20), orientation: .right, frameCount: 2, loopCount: 0,
        frameDurations: [.milliseconds(29), .milliseconds(70)], hasAlpha: true, bitDepth: 10, profileName: "P3")

    private static let map = WorkerImage.Map(
        size: PixelSize(10, 20), isOpaque: true,
        parameters: GainMap.Parameters(minimum: SIMD3(-1, 0, 1), maximum: SIMD3(1, 2, 3), alternateHeadroom: 3))

    private func result(_ change: (inout WorkerImage) -> Void = { _ in }) throws -> WorkerImage {
        let pixels = try PixelBuffer(size: PixelSize(20, 40), isOpaque: false) { _, _ in }
        var image = try WorkerImage(DecodedImage(pixels: pixels, metadata: ImageMetadata(header: Self.header)))
        change(&image)
        return image
    }

    #if Sandbox
    private func check(_ image: WorkerImage, _ options: DecodeOptions = DecodeOptions()) throws -> ResultLayout {
        try SandboxRunner.check(image.bytes, SandboxJob(format: .webp, data: Data(count: 100), options: options)).1
    }

    @Test("a result survives the conversion to bytes and back")
    func roundTrip() throws {
        for colors in [nil, DeepColors.perceptualQuantizer, .standard(.displayP3)] {
            let image = try result { $0.deepColors = colors }
            #expect(WorkerImage(bytes: image.bytes) == image)
            let mapped = try result { ($0.deepColors, $0.gainMap) = (colors, Self.map) }
            #expect(WorkerImage(bytes: mapped.bytes) == mapped)
        }
    }

    @Test("the size of the pixels follows from the options and the header")
    func layout() throws {
        let layout = try check(result(), DecodeOptions(targetSize: .pixels(width: 10, height: 20)))
        #expect(layout.pixels.lowerBound % 64 == 0)
        #expect(layout.pixels.count == 64 * 20)
        #expect(layout.deepPixels.isEmpty && layout.gainMap.isEmpty)
        let mapped = try result { ($0.deepColors, $0.gainMap) = (.perceptualQuantizer, Self.map) }
        var options = DecodeOptions()
        options.hdrHeadroom = 2
        let other = try check(mapped, options)
        #expect(other.deepPixels.count == 192 * 40 && other.gainMap.count == 64 * 20)
        #expect(other.gainMap.lowerBound == other.deepPixels.upperBound && other.byteCount == other.gainMap.upperBound)
    }

    @Test("a result that contradicts the request is refused")
    func contradictions() throws {
        let lies: [(inout WorkerImage) -> Void] = [
            { $0.header.format = .heic }, { $0.header.storedSize = PixelSize(0, 1) },
            { $0.header.storedSize = PixelSize(1 << 30, 1 << 30) }, { $0.frameIndex = 1 }, { $0.isPartial = true },
            { $0.deepColors = .perceptualQuantizer }, { $0.gainMap = Self.map }, { $0.header.frameCount = 1 },
            { $0.header.frameCount = 1 << 30 },
        ]
        for lie in lies {
            let image = try result(lie)
            #expect(throws: SandboxFailure.self) { try check(image) }
        }
        #expect(throws: Never.self) { try check(result()) }
        for lie in [\WorkerImage.Map.size.width, \.size.height] {
            let image = try result {
                $0.gainMap = Self.map
                $0.gainMap?[keyPath: lie] = 41
            }
            #expect(throws: SandboxFailure.self) { try check(image, DecodeOptions(depth: .sixteen)) }
        }
        let infinite = try result {
            $0.gainMap = Self.map
            $0.gainMap?.parameters.maximum.x = .infinity
        }
        #expect(throws: SandboxFailure.self) { try check(infinite, DecodeOptions(depth: .sixteen)) }
    }
    #endif

    @Test("truncated bytes are not a result")
    func damage() throws {
        let bytes = try result().bytes
        for count in 0..<bytes.count { #expect(WorkerImage(bytes: Array(bytes.prefix(count))) == nil) }
    }
}
