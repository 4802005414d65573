import Testing

@testable import easel

@Suite("Progress log")
struct ProgressLogTests {
    private let start = ContinuousClock.now
    private var log = ProgressLog()

    private mutating func line(_ event: ProgressEvent, after time: Duration) -> String? {
        log.line(for: event, at: start + time)
    }

    @Test("a quick load logs one line at its end")
    mutating func quickLoad() {
        #expect(line(.started(0, name: "a.jpg"), after: .zero) == nil)
        #expect(line(.advanced(0, received: 2_500, expected: 2_500), after: .milliseconds(10)) == nil)
        #expect(line(.finished(0), after: .milliseconds(20)) == "a.jpg: 2.5 kB received")
    }

    @Test("a slow load logs a line per second")
    mutating func slowLoad() {
        _ = line(.started(0, name: "a"), after: .zero)
        #expect(line(.advanced(0, received: 1_000, expected: 4_000), after: .seconds(1)) == "a: 1.0 kB of 4.0 kB")
        #expect(line(.advanced(0, received: 2_000, expected: 4_000), after: .milliseconds(1_900)) == nil)
        #expect(line(.advanced(0, received: 3_000, expected: nil), after: .seconds(2)) == "a: 3.0 kB")
    }

    @Test("a failed load logs no line")
    mutating func failedLoad() {
        _ = line(.started(0, name: "a"), after: .zero)
        _ = line(.advanced(0, received: 5, expected: 10), after: .zero)
        #expect(line(.failed(0), after: .milliseconds(1)) == nil)
        #expect(line(.finished(0), after: .milliseconds(2)) == nil)
    }

    @Test("a load without bytes logs no line")
    mutating func emptyLoad() {
        _ = line(.started(0, name: "a"), after: .zero)
        #expect(line(.finished(0), after: .seconds(5)) == nil)
    }
}

@Suite("Progress style")
struct ProgressStyleTests {
    @Test("terminals get bars, files get lines, and JSON gets no progress") @MainActor
    func defaults() {
        #expect(Console.ProgressStyle.defaultStyle(isTerminal: true, json: false) == .bars)
        #expect(Console.ProgressStyle.defaultStyle(isTerminal: false, json: false) == .lines)
        #expect(Console.ProgressStyle.defaultStyle(isTerminal: true, json: true) == .none)
    }
}
