import EaselCore

/// A part of a load's time, as charts show it.
enum TimedStage: CaseIterable, Sendable, Hashable {
    case disk, queued, connect, firstByte, transfer, decode, transform, encode, store, other

    /// What a person calls it.
    var name: String {
        switch self {
        case .firstByte: "first byte"
        default: "\(self)"
        }
    }

    /// What it is drawn with where there are no colours.
    var letter: Character {
        switch self {
        case .disk: "k"
        case .queued: "q"
        case .connect: "c"
        case .firstByte: "f"
        case .transfer: "t"
        case .decode: "d"
        case .transform: "x"
        case .encode: "e"
        case .store: "s"
        case .other: "."
        }
    }

    /// The number of its colour among the 256 of terminals; of about the same lightness, and told apart without red and green.
    var color: Int {
        switch self {
        case .disk: 109
        case .queued: 245
        case .connect: 179
        case .firstByte: 172
        case .transfer: 68
        case .decode: 133
        case .transform: 175
        case .encode: 97
        case .store: 73
        case .other: 238
        }
    }
}

extension LoadTimeline {
    /// The stages that took time, in the order in which they happen. What is none of them, such as waiting for the work of
    /// another load, is `other`, so that all add up to the total.
    func stages(encode: Duration?) -> [(stage: TimedStage, duration: Duration)] {
        // Connecting is a part of waiting for the first byte.
        let wait = firstByte.map { max(.zero, $0 - (connect ?? .zero)) }
        let known: [(TimedStage, Duration?)] = [
            (.disk, disk), (.queued, queued), (.connect, connect), (.firstByte, wait), (.transfer, transfer),
            (.decode, decode), (.transform, transform), (.encode, encode), (.store, store),
        ]
        var stages = known.compactMap { stage, duration in duration.map { (stage: stage, duration: $0) } }
        let sum = stages.reduce(Duration.zero) { $0 + $1.duration }
        if let total, total > sum { stages.append((.other, total - sum)) }
        return stages.filter { $0.duration > .zero }
    }
}

extension Duration {
    /// Milliseconds, with a tenth where that says something.
    var millisecondsText: String {
        let tenths = Int((milliseconds * 10).rounded())
        return tenths < 1000 ? "\(tenths / 10).\(tenths % 10)" : "\((tenths + 5) / 10)"
    }
}
