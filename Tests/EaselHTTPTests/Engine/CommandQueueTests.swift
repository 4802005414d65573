import Testing

@testable import EaselHTTP

@Suite("Command queue")
struct CommandQueueTests {
    private var queue = CommandQueue<Int, String>()

    private mutating func commands() -> [Int]? { queue.takeAll()?.commands }
    private mutating func stops() -> Bool? { queue.takeAll()?.stops }

    @Test("The first command starts the thread, later ones wake it once, and only from its sleep")
    mutating func waking() {
        #expect(queue.post(1) == .startThread)
        #expect(queue.post(2) == .none)
        #expect(commands() == [1, 2])
        #expect(queue.post(3) == .none)
        #expect(commands() == [3])
        #expect(queue.mayRest() == true)
        #expect(queue.post(4) == .wake)
        #expect(queue.post(5) == .none)
        #expect(commands() == [4, 5])
        #expect(queue.post(6) == .none)
    }

    @Test("The thread looks again before it sleeps where a command came, or the end, since it last looked")
    mutating func resting() {
        _ = queue.post(1)
        #expect(queue.mayRest() == false)
        #expect(queue.post(2) == .none)
        #expect(commands() == [1, 2])
        #expect(queue.mayRest() == true)
        _ = queue.stop("a")
        #expect(queue.mayRest() == false)
    }

    @Test("A command about a running exchange starts no thread")
    mutating func idleCommand() {
        #expect(queue.post(1, startsThread: false) == .refuse)
        #expect(queue.post(2) == .startThread)
    }

    @Test("A thread that could not start leaves no trace")
    mutating func startFailure() {
        _ = queue.post(1)
        queue.startFailed()
        #expect(queue.post(2) == .startThread)
        #expect(commands() == [2])
    }

    @Test("After stop nothing is taken, and what was posted before is handed over as the last")
    mutating func stopping() throws {
        _ = queue.post(1)
        let action = queue.stop("a")
        #expect(action.wakes)
        #expect(action.released == nil)
        #expect(queue.post(2) == .refuse)
        let taken = queue.takeAll()
        let (commands, stops) = try #require(taken)
        #expect(commands == [1])
        #expect(stops)
    }

    @Test("All who stop wait for one end, and the thread is woken once")
    mutating func waiters() {
        _ = queue.post(1)
        _ = queue.stop("a")
        #expect(!queue.stop("b").wakes)
        _ = queue.stop(nil)
        #expect(queue.ended() == ["a", "b"])
        #expect(queue.stop("c").released == "c")
    }

    @Test("A thread that never ran has nothing to wait for, and never will run")
    mutating func stopIdle() {
        let action = queue.stop("a")
        #expect(!action.wakes)
        #expect(action.released == "a")
        #expect(queue.post(1) == .refuse)
    }

    @Test("Somebody works in the place of a thread that sleeps, one at a time, and never of one that works")
    mutating func borrowing() {
        _ = queue.post(1)
        #expect(queue.borrow() == false)
        _ = queue.takeAll()
        #expect(queue.borrow() == false)
        _ = queue.mayRest()
        #expect(queue.borrow() == true)
        #expect(queue.borrow() == false)
        #expect(queue.giveBack() == false, "Nobody has to wake.")
        #expect(queue.borrow() == true)
    }

    @Test("The thread that wakes while somebody works in its place waits, and is woken at the end of that")
    mutating func awaited() {
        _ = queue.post(1)
        _ = queue.takeAll()
        _ = queue.mayRest()
        _ = queue.borrow()
        #expect(commands() == nil)
        #expect(queue.giveBack() == true)
        #expect(commands() == [])
        #expect(queue.borrow() == false, "It works again.")
    }

    @Test("What is asked while somebody works in the thread's place wakes it at the end of that, and not before")
    mutating func askedMeanwhile() {
        _ = queue.post(1)
        _ = queue.takeAll()
        _ = queue.mayRest()
        _ = queue.borrow()
        #expect(queue.post(2) == .none)
        #expect(queue.giveBack() == true)
        #expect(commands() == [2])
    }

    @Test("A stop wakes the thread also where somebody works in its place, and nobody does so afterwards")
    mutating func stoppedMeanwhile() {
        _ = queue.post(1)
        _ = queue.takeAll()
        _ = queue.mayRest()
        _ = queue.borrow()
        #expect(queue.stop("a").wakes)
        #expect(commands() == nil)
        #expect(queue.giveBack() == true)
        #expect(stops() == true)
        #expect(queue.borrow() == false)
    }
}
