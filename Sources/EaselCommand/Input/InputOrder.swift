/// Which input is worked on next, and whose result is due: results come in the order of the inputs, and equal inputs are
/// worked on once.
///
/// It holds a result for as long as an input in the list still waits for it, and starts no more than `window` inputs ahead
/// of the one that is due, so that results do not pile up behind a slow one.
struct InputOrder<Value> {
    /// What is to be done to come closer to the end.
    enum Step {
        /// This input's result is due.
        case deliver(input: String, index: Int, Value, isRepeated: Bool)
        /// The result that is due is not there yet.
        case wait
    }

    private let inputs: [String]
    private let window: Int
    private var waiting: [String: Int]
    private var started: Set<String> = []
    private var results: [String: Value] = [:]
    private var delivered: Set<String> = []
    private var nextToStart = 0
    private var nextToDeliver = 0

    /// The order of these inputs.
    init(_ inputs: [String], window: Int) {
        self.inputs = inputs
        self.window = window
        waiting = inputs.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    /// The next input to work on, and the number by which its result is told; `nil` where none may be started now.
    mutating func nextStart() -> (number: Int, input: String)? {
        while nextToStart < min(inputs.count, nextToDeliver + window) {
            defer { nextToStart += 1 }
            if started.insert(inputs[nextToStart]).inserted { return (nextToStart, inputs[nextToStart]) }
        }
        return nil
    }

    /// Takes the result of an input that was started.
    mutating func finish(_ number: Int, _ value: Value) {
        results[inputs[number]] = value
    }

    /// The next step, which counts as done; `nil` after the last.
    mutating func nextDelivery() -> Step? {
        guard nextToDeliver < inputs.count else { return nil }
        let input = inputs[nextToDeliver]
        guard let value = results[input] else { return .wait }
        nextToDeliver += 1
        let left = waiting[input, default: 1] - 1
        waiting[input] = left
        if left == 0 { results[input] = nil }
        let isFirst = delivered.insert(input).inserted
        return .deliver(input: input, index: nextToDeliver, value, isRepeated: !isFirst)
    }
}
