import Testing

@testable import EaselHTTP

@Suite("Command queue")
struct CommandQueueTests {
    private var queue = CommandQueue<Int, String>()

    private mutating func commands() -> [Int] { queue.takeAll().commands }

    @Test("The first command starts the thread, and later ones wake it once per batch of commands")
    mutating func waking() {
        #expect(queue.post(1) == .startThread)
        #expect(queue.post(2) == .none)
        #expect(commands() == [1, 2])
        #expect(queue.post(3) == .wake)
        #expect(queue.post(4) == .none)
        #expect(commands() == [3, 4])
        #expect(commands() == [])
        #expect(queue.post(5) == .wake)
    }

    @Test("A command for a running exchange does not start the thread")
    mutating func idleCommand() {
        #expect(queue.post(1, startsThread: false) == .refuse)
        #expect(queue.post(2) == .startThread)
    }

    @Test("A failed thread start leaves no state")
    mutating func startFailure() {
        _ = queue.post(1)
        queue.recordStartFailure()
        #expect(queue.post(2) == .startThread)
        #expect(commands() == [2])
    }

    @Test("After stop, new commands are refused and earlier ones are delivered")
    mutating func stopping() {
        _ = queue.post(1)
        let action = queue.stop("a")
        #expect(action.wakes)
        #expect(action.released == nil)
        #expect(queue.post(2) == .refuse)
        let (commands, stops) = queue.takeAll()
        #expect(commands == [1])
        #expect(stops)
    }

    @Test("All callers of stop wait for the same end, and the thread is woken once")
    mutating func waiters() {
        _ = queue.post(1)
        _ = queue.stop("a")
        #expect(!queue.stop("b").wakes)
        _ = queue.stop(nil)
        #expect(queue.finishStop() == ["a", "b"])
        #expect(queue.stop("c").released == "c")
    }

    @Test("A thread that never ran is stopped at once and never starts")
    mutating func stopIdle() {
        let action = queue.stop("a")
        #expect(!action.wakes)
        #expect(action.released == "a")
        #expect(queue.post(1) == .refuse)
    }
}
