#if GTK
import EaselTesting
import Foundation
import Testing

/// Simulates the cells of a list with events in orders that a seed determines.
@Suite("Cells of a list, random events")
struct CellModelTests {
    /// After any order of bind, map, layout, unmap, unbind, resize, release and response, an idle list shows the image
    /// of every cell, visible or preloaded, except cells out of sight that have released theirs.
    ///
    /// `EASEL_SEEDS=100000` runs more orders.
    @Test("every cell of an idle list shows its image")
    func idleList() throws {
        let count = ProcessInfo.processInfo.environment["EASEL_SEEDS"].flatMap { Int($0) } ?? 200
        for seed in 0..<count {
            var random = SeededGenerator(seed: UInt64(seed))
            var model = try CellModel(&random)
            for _ in 0..<80 { model.step(&random) }
            model.finishPending(&random)
            try #require(model.blanks.isEmpty, "seed \(seed): cells \(model.blanks)")
            try #require(model.forgotten.isEmpty, "seed \(seed): cells \(model.forgotten)")
            try #require(model.isIdle, "seed \(seed)")
        }
    }
}
#endif
