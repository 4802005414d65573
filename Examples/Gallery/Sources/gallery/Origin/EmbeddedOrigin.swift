import EaselGTK
import Foundation
#if EMBEDDED_ORIGIN
import EaselTesting

/// A server inside the gallery that paints the requested images.
enum EmbeddedOrigin {
    /// Starts the server and returns the URLs of its images.
    static func start(count: Int = 3_000) async throws -> [URL] {
        let names = (0..<count).map(name)
        let origin = try await OriginServer.start { configuration in
            for (number, name) in names.enumerated() {
                configuration.respond("/\(name)") { _ in await answer(number) }
            }
        }
        return names.map { origin.url("/\($0)") }
    }

    /// Every eleventh image is animated.
    private static func isAnimated(_ number: Int) -> Bool { number % 11 == 5 }

    private static func kind(_ number: Int) -> Painter.Kind {
        if isAnimated(number) { return number % 2 == 0 ? .ripples : .moons }
        let kinds = Painter.Kind.allCases
        return kinds[(number * 7 + number / 6) % kinds.count]
    }

    private static func name(_ number: Int) -> String {
        let digits = String(format: "%04d", number)
        return "\(kind(number).rawValue)-\(digits).\(isAnimated(number) ? "gif" : "jpg")"
    }

    private static func answer(_ number: Int) async -> OriginResponse {
        // Painting blocks, so it must not run on Swift's cooperative threads.
        let painted = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: Result { try paint(number) }) }
        }
        guard let file = try? painted.get() else { return .status(500) }
        let type = isAnimated(number) ? "image/gif" : "image/jpeg"
        return .bytes(file, type: type).with(headers: ["Cache-Control": "max-age=86400"])
    }

    private static let queue = DispatchQueue(label: "painter", attributes: .concurrent)

    private static func paint(_ number: Int) throws -> Data {
        let kind = kind(number)
        if isAnimated(number) {
            let count = 24
            let durations = [Duration](repeating: .milliseconds(50), count: count)
            let frames = AnimationFrames(
                durations: durations, size: PixelSize(320, 240), loopCount: 0, isOpaque: true
            ) { (index) throws(ImageError) in
                let phase = Float(index) / Float(count)
                return try Painter(kind, number: number, ratio: 0.75, phase: phase).image(width: 320)
            }
            return try GIFCoder().encode(frames, EncodeOptions())
        }
        let ratio: Float = [0.75, 0.75, 1, 1.25, 0.66][number % 5]
        let pixels = try Painter(kind, number: number, ratio: ratio).image(width: 900)
        return try JPEGCoder().encode(
            DecodedImage(pixels: pixels, metadata: ImageMetadata()), EncodeOptions(quality: 0.88))
    }
}
#else
/// A build without a server requires URLs.
enum EmbeddedOrigin {
    static func start() async throws -> [URL] { [] }
}
#endif
