import EaselCodecs
import EaselCore
import Foundation
import Synchronization
import Testing

@Suite("Coders: a cancelled load stops its decode")
struct CancellationTests {
    struct Sample: CustomTestStringConvertible {
        var name: String
        var decoder: any ImageDecoding
        var file: Data
        /// How often a decode has to ask at least.
        var questions: Int
        var testDescription: String { name }
    }

    /// Says yes from one question on, and counts them.
    private final class Canceller: Sendable {
        private let asked = Mutex(0)
        private let last: Int

        init(at last: Int = .max) {
            self.last = last
        }

        var count: Int { asked.withLock { $0 } }

        func ask() -> Bool {
            asked.withLock { asked in
                asked += 1
                return asked >= last
            }
        }
    }

    static func samples() throws -> [Sample] {
        let noise = try Pictures.noise(128, 256, seed: 4)
        let frames = (0..<10).map { Files.GIFFrame(width: 20, height: 20, seed: UInt64($0)) }
        return [
            Sample(name: "JPEG", decoder: JPEGCoder(), file: try Files.jpeg(noise), questions: 8),
            Sample(name: "progressive JPEG", decoder: JPEGCoder(), file: Files.progressiveJPEG, questions: 4),
            Sample(name: "PNG", decoder: PNGCoder(), file: try Files.png(noise), questions: 4),
            Sample(name: "WebP", decoder: WebPCoder(), file: try Files.webp(noise, quality: 0.9), questions: 16),
            Sample(name: "lossless WebP", decoder: WebPCoder(), file: try Files.webp(noise), questions: 2),
            Sample(name: "GIF", decoder: GIFCoder(), file: Files.gif(20, 20, frames), questions: 2),
        ]
    }

    @Test("a decode asks often enough, whatever its size", arguments: try samples())
    func questions(_ sample: Sample) throws {
        let canceller = Canceller()
        _ = try sample.decoder.decode(sample.file, DecodeOptions(isCancelled: { canceller.ask() }))
        #expect(canceller.count >= sample.questions)
    }

    @Test("whichever question is answered with yes, the decode ends there", arguments: try samples())
    func everyQuestion(_ sample: Sample) throws {
        let counter = Canceller()
        _ = try sample.decoder.decode(sample.file, DecodeOptions(isCancelled: { counter.ask() }))
        for place in 1...counter.count {
            let canceller = Canceller(at: place)
            #expect(throws: ImageError.cancelled) {
                try sample.decoder.decode(sample.file, DecodeOptions(isCancelled: { canceller.ask() }))
            }
            #expect(canceller.count == place)
        }
    }
}
