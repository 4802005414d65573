#if GTK
import EaselTesting
import Foundation
import Testing

/// The cells of a list, from being bound to showing their images, in orders that a seed determines.
@Suite struct CellModelTests {
    /// After any order of bind, map, layout, unmap, unbind, resize, release and response, an idle list shows the image
    /// of every cell, visible or loaded ahead, except cells out of sight that have released theirs.
    ///
    /// `EASEL_SEEDS=100000` runs more orders.
    @Test func everyCellOfAnIdleListShowsItsImage() throws {
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
