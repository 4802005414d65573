import Easel
import Foundation

/// Images of increasing size, and increasing numbers of animations.
enum GrowthOfImages {
    @Sendable static func sizes() async throws -> [Growth.Series] {
        var whole = Growth.Series(title: "a megapixel of a JPEG, decoded", items: "megapixels", least: 1e6)
        var small = Growth.Series(title: "a megapixel of a JPEG, to 300 x 225", items: "megapixels", least: 1e6)
        let options = DecodeOptions(targetSize: .pixels(width: 300, height: 225))
        for megapixels in Scale.pick([0.1, 1, 10, 99], quick: [0.1, 1]) {
            guard let file = try ImageFiles.jpeg(megapixels: megapixels) else { continue }
            let count = max(1, Int(2 / megapixels))
            func cost(_ options: DecodeOptions) async throws -> Double {
                try await Growth.least("images, \(file.name)") {
                    try await Growth.time {
                        for _ in 0..<count { _ = try JPEGCoder().decode(file.data, options) }
                    } / Double(count) / megapixels
                }
            }
            whole.points.append(Growth.Point(count: megapixels, cost: try await cost(DecodeOptions())))
            small.points.append(Growth.Point(count: megapixels, cost: try await cost(options)))
        }
        return [whole, small]
    }

    /// Measures players with separate animations, on one clock and one frame store.
    @Sendable static func players() async throws -> [Growth.Series] {
        var series = Growth.Series(title: "a frame of an animation that plays, processor time", items: "players")
        guard let file = try ImageFiles.animation(.sticker, as: .gif) else { return [] }
        for count in Scale.pick([1, 10, 50, 200], quick: [1, 10]) {
            let cost = try await Growth.least("players, \(count)", 3) { try await play(file.data, count) }
            series.points.append(Growth.Point(count: Double(count), cost: cost))
        }
        return [series]
    }

    /// Returns the processor time for a shown frame, over one second in which all animations play.
    @MainActor
    private static func play(_ file: Data, _ count: Int) async throws -> Double {
        var shown = 0
        let players = try (0..<count).map { _ in
            AnimationPlayer(try Animation(data: file)) { _ in shown += 1 }
        }
        for player in players { player.play() }
        try await Task.sleep(for: .milliseconds(200))
        shown = 0
        let start = processorTime()
        try await Task.sleep(for: Scale.pick(.seconds(1), quick: .milliseconds(300)))
        let cost = (processorTime() - start) / Double(max(shown, 1))
        for player in players { player.stop() }
        return cost
    }
}
