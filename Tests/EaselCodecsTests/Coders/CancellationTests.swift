import EaselCodecs
import EaselCore
import Foundation
import Synchronization
import Testing

@Suite("Coders: cancellation")
struct CancellationTests {
    struct Sample: CustomTestStringConvertible {
        var name: String
        var decoder: any ImageDecoding
        var file: Data
        /// The minimum number of cancellation checks of a decode.
        var checks: Int
        var testDescription: String { name }
    }

    /// A counter of cancellation checks that cancels from one check on.
    private final class Canceller: Sendable {
        private let checkCount = Mutex(0)
        private let last: Int

        init(at last: Int = .max) {
            self.last = last
        }

        var count: Int { checkCount.withLock { $0 } }

        func check() -> Bool {
            checkCount.withLock { checkCount in
                checkCount += 1
                return checkCount >= last
            }
        }
    }

    static func samples() throws -> [Sample] {
        let noise = try Images.noise(128, 256, seed: 4)
        let frames = (0..<10).map { Files.GIFFrame(width: 20, height: 20, seed: UInt64($0)) }
        return [
            Sample(name: "JPEG", decoder: JPEGCoder(), file: try Files.jpeg(noise), checks: 8),
            Sample(name: "progressive JPEG", decoder: JPEGCoder(), file: Files.progressiveJPEG, checks: 4),
            Sample(name: "PNG", decoder: PNGCoder(), file: try Files.png(noise), checks: 4),
            Sample(name: "WebP", decoder: WebPCoder(), file: try Files.webp(noise, quality: 0.9), checks: 16),
            Sample(name: "lossless WebP", decoder: WebPCoder(), file: try Files.webp(noise), checks: 2),
            Sample(name: "GIF", decoder: GIFCoder(), file: Files.gif(20, 20, frames), checks: 2),
        ]
    }

    @Test("a decode checks for cancellation often enough", arguments: try samples())
    func minimumChecks(_ sample: Sample) throws {
        let canceller = Canceller()
        _ = try sample.decoder.decode(sample.file, DecodeOptions(isCancelled: { canceller.check() }))
        #expect(canceller.count >= sample.checks)
    }

    @Test("a decode ends at the first check that reports cancellation", arguments: try samples())
    func everyCheck(_ sample: Sample) throws {
        let counter = Canceller()
        _ = try sample.decoder.decode(sample.file, DecodeOptions(isCancelled: { counter.check() }))
        for position in 1...counter.count {
            let canceller = Canceller(at: position)
            #expect(throws: ImageError.cancelled) {
                try sample.decoder.decode(sample.file, DecodeOptions(isCancelled: { canceller.check() }))
            }
            #expect(canceller.count == position)
        }
    }
}

@Suite("Coders: cancelling an uninterruptible library call")
struct AbandonedDecodeTests {
    /// Images large enough to be decoded in the background.
    static func samples() throws -> [CancellationTests.Sample] {
        var samples = [CancellationTests.Sample(name: "PNG", decoder: PNGCoder(), file: Files.largePNG(), checks: 1)]
        #if AVIF || JXL
        let image = try PixelBuffer(size: PixelSize(400, 400), isOpaque: true) { bytes, _ in
            bytes.initializeMemory(as: UInt8.self, repeating: 255)
        }
        #endif
        #if AVIF
        let avif = try Files.avif(image, quality: 0.5)
        samples.append(.init(name: "AVIF", decoder: AVIFCoder(), file: avif, checks: 1))
        #endif
        #if JXL
        let jxl = try Files.jxl(image, quality: 0.5)
        samples.append(.init(name: "JPEG XL", decoder: JXLCoder(), file: jxl, checks: 1))
        #endif
        #if SVG
        let svg = Data("<svg xmlns='http://www.w3.org/2000/svg' width='8' height='8'/>".utf8)
        samples.append(.init(name: "SVG", decoder: SVGCoder(), file: svg, checks: 1))
        #endif
        return samples
    }

    @Test("a decode returns the image, and one that is cancelled at any time returns nothing", arguments: try samples())
    func cancellation(_ sample: CancellationTests.Sample) throws {
        let image = try sample.decoder.decode(sample.file, DecodeOptions())
        #expect(try image.size == sample.decoder.header(of: sample.file).size)
        for last in 1...4 {
            let checkCount = Mutex(0)
            let options = DecodeOptions(isCancelled: {
                checkCount.withLock { checkCount in
                    checkCount += 1
                    return checkCount >= last
                }
            })
            do throws(ImageError) {
                // A decode that ends before that many checks may succeed.
                #expect(try sample.decoder.decode(sample.file, options).size == image.size)
                #expect(last > 1)
            } catch {
                #expect(error == .cancelled)
            }
        }
    }

    @Test("a decode ends at its time limit", arguments: try samples())
    func timeLimit(_ sample: CancellationTests.Sample) {
        let limits = ImageLimits(decodingTime: .zero)
        do throws(ImageError) {
            // The limit is not checked in the first 5 ms.
            _ = try sample.decoder.decode(sample.file, DecodeOptions(limits: limits))
        } catch {
            #expect(error == .tooLarge(.time(limit: .zero)))
        }
    }
}
