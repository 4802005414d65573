#if Server
/// A text in the exposition format of Prometheus, version 0.0.4.
struct MetricsText {
    private(set) var text = ""

    enum Kind: String { case counter, gauge, histogram }

    /// Adds a metric with one value for each set of labels.
    mutating func add(
        _ name: String, _ kind: Kind, _ help: String, _ values: [(labels: [(String, String)], value: Double)]
    ) {
        guard !values.isEmpty else { return }
        begin(name, kind, help)
        for (labels, value) in values { addLine(name, labels, value) }
    }

    /// Adds a metric without labels.
    mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: Double) {
        add(name, kind, help, [([], value)])
    }

    /// Adds a metric with one label.
    mutating func add(
        _ name: String, _ kind: Kind, _ help: String, by label: String, _ values: [String: Int]
    ) {
        add(name, kind, help, values.sorted { $0.key < $1.key }.map { ([(label, $0.key)], Double($0.value)) })
    }

    /// Adds a histogram of seconds for each set of labels.
    mutating func addHistogram(
        _ name: String, _ help: String, _ values: [(labels: [(String, String)], durations: ServerMetrics.Durations)]
    ) {
        guard !values.isEmpty else { return }
        begin(name, .histogram, help)
        for (labels, durations) in values {
            var count = 0
            for (bound, number) in zip(ServerMetrics.Durations.bounds, durations.counts) {
                count += number
                addLine(name + "_bucket", labels + [("le", Self.number(bound))], Double(count))
            }
            count = durations.counts.reduce(0, +)
            addLine(name + "_bucket", labels + [("le", "+Inf")], Double(count))
            addLine(name + "_sum", labels, durations.sum)
            addLine(name + "_count", labels, Double(count))
        }
    }

    private mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    }

    private mutating func addLine(_ name: String, _ labels: [(String, String)], _ value: Double) {
        let list = labels.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
        text += "\(name)\(list.isEmpty ? "" : "{\(list)}") \(Self.number(value))\n"
    }

    private static func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            default: result.append(character)
            }
        }
        return result
    }
}
#endif
