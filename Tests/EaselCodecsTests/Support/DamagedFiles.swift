import EaselTesting
import EaselCore
import Foundation
import Testing

/// Truncated or changed files, for which a decoder must quickly return an image or an error.
enum DamagedFiles {
    /// Returns the file truncated at `places` offsets.
    static func cut(_ file: Data, places: Int = 50) -> [Data] {
        (0..<places).map { file.prefix(file.count * $0 / places) }
    }

    /// Returns the file with one to four bytes changed, `count` times, with the same changes on every run.
    static func changed(_ file: Data, count: Int = 500) -> [Data] {
        var random = SeededGenerator(seed: UInt64(file.count))
        return (0..<count).map { round in
            var changed = file
            for _ in 0...(round % 4) {
                changed[Int.random(in: 0..<file.count, using: &random)] ^= UInt8.random(in: 1 ... .max, using: &random)
            }
            return changed
        }
    }

    /// Decodes the first frame, and if the coder supports animations, a few more with one decoder.
    static func expectImageOrError(_ decoder: any ImageDecoding, for files: [Data]) {
        // A changed header may announce a large image within the default limits, which takes too long for a test.
        let limits = ImageLimits(pixels: 200_000, frames: 100)
        for (round, file) in files.enumerated() {
            let options = DecodeOptions(limits: limits, allowsPartial: round % 2 == 0)
            do {
                let image = try decoder.decode(file, options)
                #expect(image.size == image.metadata.header?.size)
                #expect(options.allowsPartial || !image.metadata.isPartial)
                guard let decoder = decoder as? any AnimationDecoding else { continue }
                let frames = try decoder.makeAnimationDecoder(file, options)
                for index in [0, 2, 1] where index < frames.header.frameCount {
                    let frame = try frames.frame(index) { false }
                    #expect(frame.size == frames.header.size)
                }
            } catch {
                #expect([.badData, .tooLarge, .unsupported].contains(error.code), "\(round): \(error)")
            }
        }
    }
}
