import EaselCore
import Foundation

/// A fuzzer that reads a file with every function of a coder. Errors are expected; a finding is a crash, a hang, memory
/// beyond the limits, or an image that does not match its header.
struct CoderFuzzer {
    let decoder: any ImageDecoding

    private let limits = ImageLimits(pixels: 1_000_000, bytes: 1 << 20, frames: 50)

    func run(_ data: Data) {
        let header = try? decoder.header(of: data)
        for allowsPartial in [false, true] {
            let options = DecodeOptions(depth: .sixteen, limits: limits, allowsPartial: allowsPartial)
            guard let image = try? decoder.decode(data, options) else { continue }
            precondition(
                allowsPartial || !image.metadata.isPartial,
                "The image is partial, although partial images are not allowed.")
            precondition(image.size == image.metadata.header?.size, "The image's size differs from its header's.")
            precondition(
                image.deepPixels?.size ?? image.size == image.size,
                "The size of the deep pixels differs from the image's.")
            if let header {
                precondition(image.size == header.size, "The image's size differs from that of header(of:).")
            }
        }
        let small = DecodeOptions(
            targetSize: .pixels(width: 9, height: 7), depth: .sixteen, limits: limits, allowsPartial: true)
        if let image = try? decoder.decode(data, small) {
            precondition(image.size.width <= 9 && image.size.height <= 7, "The image does not fit its box.")
        }
        playFrames(data)
        feed(data)
    }

    /// Decodes the first, last and middle frames, and the one after the middle.
    private func playFrames(_ data: Data) {
        guard let animating = decoder as? any AnimationDecoding,
            let animation = try? animating.makeAnimationDecoder(data, DecodeOptions(depth: .sixteen, limits: limits))
        else { return }
        let count = animation.header.frameCount
        precondition(count <= limits.frames, "There are more frames than allowed.")
        for index in [0, count - 1, count / 2, count / 2 + 1] {
            guard let image = try? animation.frame(index, isCancelled: { false }) else { continue }
            precondition(image.size == animation.header.size, "A frame's size differs from the animation's.")
        }
    }

    /// Appends the data in growing pieces, so that they end at any offset.
    private func feed(_ data: Data) {
        guard let incremental = decoder as? any IncrementalDecoding else { return }
        let arriving = incremental.makeIncrementalDecoder(DecodeOptions(limits: limits))
        var offset = 0
        var length = 1
        do throws(ImageError) {
            while offset < data.count {
                let end = min(data.count, offset + length)
                try arriving.append(data[offset..<end])
                _ = try arriving.preview()
                offset = end
                length = length * 2 + 1
            }
        } catch { return }
    }
}
