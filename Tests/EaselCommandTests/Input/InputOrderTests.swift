import Testing

@testable import easel

@Suite struct InputOrderTests {
    private func started(_ order: inout InputOrder<String>) -> [String] {
        var started: [String] = []
        while let next = order.nextStart() { started.append(next.input) }
        return started
    }

    private func delivered(_ order: inout InputOrder<String>) -> [String] {
        var delivered: [String] = []
        while case .deliver(let input, let index, let value, let isRepeated)? = order.nextDelivery() {
            delivered.append("\(index) \(input) \(value)\(isRepeated ? " again" : "")")
        }
        return delivered
    }

    @Test func resultsComeInTheOrderOfTheInputs() {
        var order = InputOrder<String>(["a", "b", "c"], window: 9)
        #expect(started(&order) == ["a", "b", "c"])
        order.finish(2, "C")
        #expect(delivered(&order) == [])
        order.finish(0, "A")
        #expect(delivered(&order) == ["1 a A"])
        order.finish(1, "B")
        #expect(delivered(&order) == ["2 b B", "3 c C"])
        if order.nextDelivery() != nil { Issue.record("There is one more step.") }
    }

    @Test func equalInputsAreStartedOnce() {
        var order = InputOrder<String>(["a", "a", "b", "a"], window: 9)
        #expect(started(&order) == ["a", "b"])
        order.finish(0, "A")
        order.finish(2, "B")
        #expect(delivered(&order) == ["1 a A", "2 a A again", "3 b B", "4 a A again"])
    }

    @Test func noMoreThanAWindowIsAhead() {
        var order = InputOrder<String>(["a", "b", "c", "d"], window: 2)
        #expect(started(&order) == ["a", "b"])
        order.finish(1, "B")
        #expect(delivered(&order) == [])
        #expect(started(&order) == [])
        order.finish(0, "A")
        #expect(delivered(&order) == ["1 a A", "2 b B"])
        #expect(started(&order) == ["c", "d"])
    }

    @Test func noInputsHaveNoSteps() {
        var order = InputOrder<String>([], window: 2)
        if order.nextStart() != nil { Issue.record("There is one more start.") }
        if order.nextDelivery() != nil { Issue.record("There is one more step.") }
    }
}
