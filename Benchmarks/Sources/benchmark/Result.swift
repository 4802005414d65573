import Foundation

/// What one piece of work gave.
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

    /// The best peer's median against ours: over 1 where Easel leads.
    var ratio: Double {
        let medians = peers.map(\.figures.median)
        return unit.isLowerBetter ? (medians.min() ?? .nan) / ours.median : ours.median / (medians.max() ?? .nan)
    }

    /// One peer's median against ours, the same way.
    func ratio(to peer: Figures) -> Double {
        unit.isLowerBetter ? peer.median / ours.median : ours.median / peer.median
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
        try container.encode(Dictionary(uniqueKeysWithValues: peers), forKey: .peers)
        try container.encode(ratio, forKey: .ratio)
    }
}

extension [Result] {
    /// One line a contestant: median, least and most, and how far we lead: before the best of the others, and before each.
    var table: String {
        let rows = flatMap { result in
            [Self.row(result, "Easel", result.ours, ratio: Self.number(result.ratio) + " x")]
                + result.peers.map {
                    Self.row(result, $0.name, $0.figures, ratio: Self.number(result.ratio(to: $0.figures)) + " x")
                }
        }
        let lines = [["group", "work", "by", "median", "min", "max", "unit", "ratio"]] + rows
        let widths = lines[0].indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        return lines.map { line in
            zip(line, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }.joined(separator: "  ")
        }.joined(separator: "\n")
    }

    private static func row(_ result: Result, _ name: String, _ figures: Figures, ratio: String) -> [String] {
        [
            result.group, result.work, name, number(figures.median), number(figures.min), number(figures.max),
            result.unit.rawValue, ratio,
        ]
    }

    private static func number(_ value: Double) -> String { String(format: "%.2f", value) }
}
