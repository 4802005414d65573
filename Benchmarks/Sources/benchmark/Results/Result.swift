import Foundation

/// The results of one work.
struct Result: Sendable {
    var group: String
    var work: String
    var unit: Work.Unit
    var ours: Figures
    var peers: [(name: String, figures: Figures)]

    init(work: Work, ours: Figures, peers: [(name: String, figures: Figures)]) {
        group = work.group
        self.work = work.name
        unit = work.unit
        self.ours = ours
        self.peers = peers
    }

    /// The best peer's median divided by Easel's, or the reverse if higher is better; `nil` without a peer.
    var ratio: Double? {
        let medians = peers.map(\.figures.median)
        guard let best = unit.isLowerBetter ? medians.min() : medians.max() else { return nil }
        return ratio(to: best)
    }

    /// Returns the ratio for one peer's median; `nil` if it is undefined.
    func ratio(to peer: Double) -> Double? {
        let ratio = unit.isLowerBetter ? peer / ours.median : ours.median / peer
        return ratio.isFinite ? ratio : nil
    }
}

extension Result: Encodable {
    private enum Key: String, CodingKey {
        case group, work, unit, lowerIsBetter, ours, peers, ratio
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(group, forKey: .group)
        try container.encode(work, forKey: .work)
        try container.encode(unit.rawValue, forKey: .unit)
        try container.encode(unit.isLowerBetter, forKey: .lowerIsBetter)
        try container.encode(ours, forKey: .ours)
        try container.encode(Dictionary(peers) { first, _ in first }, forKey: .peers)
        try container.encode(ratio, forKey: .ratio)
    }
}

extension [Result] {
    func write(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try encoder.encode(self).write(to: URL(filePath: path), options: .atomic)
    }
}
