import Synchronization

extension ResamplerWeights {
    private struct Axis: Equatable {
        var sourceCount: Int
        var extent: Double
        var targetCount: Int
    }

    private struct Kept {
        var axis: Axis
        var weights: ResamplerWeights
    }

    /// Those of the last few axes: all cells of a grid are as large, and so are most files that a server has.
    private static let kept = Mutex<[Kept]>([])
    private static let mostKept = 8
    /// Longer ones are made anew: beside so many pixels that does not matter.
    private static let longestKept = 2_048

    /// The weights of an axis, made only where they were not made lately.
    static func kept(sourceCount: Int, extent: Double, targetCount: Int) -> ResamplerWeights {
        let axis = Axis(sourceCount: sourceCount, extent: extent, targetCount: targetCount)
        if let found = kept.withLock({ $0.first { $0.axis == axis }?.weights }) { return found }
        let made = ResamplerWeights(sourceCount: sourceCount, extent: extent, targetCount: targetCount)
        guard max(sourceCount, targetCount) <= longestKept else { return made }
        kept.withLock { kept in
            kept.append(Kept(axis: axis, weights: made))
            if kept.count > mostKept { kept.removeFirst() }
        }
        return made
    }
}
