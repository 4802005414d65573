import EaselCore
import Foundation
import TestSupport
import Testing

extension DamagedFiles {
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
