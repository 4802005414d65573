import Foundation

/// What one piece of work gave.
struct Result {
    var work: Work
    var ours: Figures
    var peers: [(name: String, figures: Figures)]

    /// The best peer's median against ours: over 1 where Easel leads.
    var ratio: Double { (peers.map(\.figures.median).min() ?? .nan) / ours.median }
}

extension Result: Encodable {
    private enum Key: String, CodingKey {
        case group, work, unit, lowerIsBetter, ours, peers, ratio
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(work.group, forKey: .group)
        try container.encode(work.name, forKey: .work)
        try container.encode("ns", forKey: .unit)
        try container.encode(true, forKey: .lowerIsBetter)
        try container.encode(ours, forKey: .ours)
        try container.encode(Dictionary(uniqueKeysWithValues: peers), forKey: .peers)
        try container.encode(ratio, forKey: .ratio)
    }
}

extension [Result] {
    /// One line a contestant: median, least and most, and how much the best peer takes of our time.
    var table: String {
        let rows = flatMap { result in
            [Self.row(result, "Easel", result.ours, ratio: Self.number(result.ratio) + " x")]
                + result.peers.map { Self.row(result, $0.name, $0.figures, ratio: "") }
        }
        let lines = [["group", "work", "by", "median", "min", "max", "unit", "ratio"]] + rows
        let widths = lines[0].indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        return lines.map { line in
            zip(line, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }.joined(separator: "  ")
        }.joined(separator: "\n")
    }

    private static func row(_ result: Result, _ name: String, _ figures: Figures, ratio: String) -> [String] {
        [
            result.work.group, result.work.name, name, number(figures.median), number(figures.min), number(figures.max),
            "ns", ratio,
        ]
    }

    private static func number(_ value: Double) -> String { String(format: "%.2f", value) }
}
