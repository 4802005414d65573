import EaselCodecs
import EaselCore
import EaselTesting
import Foundation
import Synchronization
import Testing

@Suite("WebP: thumbnails of lossy files to a quarter and less (X156)")
struct WebPThumbnailTests {
    private let coder = WebPCoder()

    @Test(
        "the result equals the scaled-down image, including partial blocks at the edges",
        arguments: [PixelSize(640, 480), PixelSize(403, 299), PixelSize(997, 131)])
    func similarity(stored: PixelSize) throws {
        let file = try Files.webp(framed(stored), quality: 0.95)
        let full = try coder.decode(file, DecodeOptions()).pixels
        for divisor in [4, 5, 9, 16] {
            let size = PixelSize(stored.width / divisor, stored.height / divisor)
            let image = try coder.decode(file, thumbnail(size))
            #expect(image.size == size)
            #expect(image.metadata.isThumbnail)
            #expect(image.pixels.isOpaque)
            let reduced = try full.resized(to: size)
            #expect(image.pixels.structuralSimilarity(to: reduced) > 0.99)
            #expect(image.pixels.largestDifference(from: reduced) <= 4)
        }
    }

    @Test("subsampled chroma is scaled correctly")
    func colors() throws {
        let file = try Files.webp(Images.gradient(403, 299), quality: 0.95)
        let full = try coder.decode(file, DecodeOptions()).pixels
        let size = PixelSize(50, 37)
        #expect(try coder.decode(file, thumbnail(size)).pixels.largestDifference(from: full.resized(to: size)) <= 4)
    }

    @Test("an image with one side that shrinks only a little is scaled by libwebp")
    func oneSide() throws {
        let file = try Files.webp(Images.gradient(400, 60), quality: 0.95)
        let size = PixelSize(40, 50)
        let image = try coder.decode(file, thumbnail(size))
        #expect(image.size == size)
        let full = try coder.decode(file, DecodeOptions()).pixels
        #expect(image.pixels.largestDifference(from: try full.resized(to: size)) <= 6)
    }

    @Test("a truncated file returns the available rows or an error")
    func cutOff() throws {
        let file = try Files.webp(Images.noise(256, 256, seed: 3), quality: 0.9)
        let half = file.prefix(file.count / 2)
        var options = thumbnail(PixelSize(32, 32))
        #expect(throws: ImageError.self) { try coder.decode(half, options) }
        options.allowsPartial = true
        let image = try coder.decode(half, options)
        #expect(image.metadata.isPartial)
        #expect(image.pixels[16, 2].alpha == 255)
        #expect(image.pixels[16, 31].alpha == 0)
    }

    @Test("a decode ends at the first check that reports cancellation")
    func cancellation() throws {
        let file = try Files.webp(Images.noise(256, 256, seed: 4), quality: 0.9)
        func countChecks(until last: Int) -> (count: Int, error: ImageError?) {
            let checkCount = Mutex(0)
            var options = thumbnail(PixelSize(32, 32))
            options.isCancelled = {
                checkCount.withLock {
                    $0 += 1; return $0 >= last
                }
            }
            do throws(ImageError) {
                _ = try coder.decode(file, options)
                return (checkCount.withLock(\.self), nil)
            } catch {
                return (checkCount.withLock(\.self), error)
            }
        }
        let all = countChecks(until: .max)
        #expect(all.count >= 16)
        for position in 1...all.count { #expect(countChecks(until: position) == (position, .cancelled)) }
    }

    private func thumbnail(_ size: PixelSize) -> DecodeOptions {
        DecodeOptions(targetSize: .pixels(width: size.width, height: size.height, mode: .fill))
    }

    /// Returns smoothly changing grays in a dark frame, which makes shifted edges visible.
    private func framed(_ size: PixelSize) throws -> PixelBuffer {
        let margin = 24
        return try .drawn(size.width, size.height, isOpaque: true) { x, y in
            let isInside = (margin..<size.width - margin).contains(x) && (margin..<size.height - margin).contains(y)
            let gray = isInside ? UInt8(120 + x * 100 / size.width) : 40
            return Pixel(blue: gray, green: gray, red: gray, alpha: 255)
        }
    }
}
