#if GTK
import EaselTesting
import Foundation
import Testing

/// Cells of a list on the way from being bound to showing their image, in orders that a seed decides.
@Suite struct CellModelTests {
    /// Whatever the order of bind, map, layout, unmap, unbind, resize, letting go and answer: at rest every cell shows what it was
    /// bound to, those that are seen and, as they load ahead, the others too, but for those out of sight that have let go.
    ///
    /// `EASEL_SEEDS=100000` tries more orders.
    @Test func atRestEveryCellShowsItsImage() throws {
        let count = ProcessInfo.processInfo.environment["EASEL_SEEDS"].flatMap { Int($0) } ?? 200
        for seed in 0..<count {
            var random = SeededGenerator(seed: UInt64(seed))
            var model = try CellModel(&random)
            for _ in 0..<80 { model.step(&random) }
            model.rest(&random)
            try #require(model.blanks.isEmpty, "seed \(seed): cells \(model.blanks)")
            try #require(model.forgotten.isEmpty, "seed \(seed): cells \(model.forgotten)")
            try #require(model.isIdle, "seed \(seed)")
        }
    }
}
#endif
