import ArgumentParser
import Synchronization
import Testing

@testable import easel

@Suite struct ExitStatusTests {
    @Test func wrongUsageIsTwo() {
        #expect(ExitStatus.of(ValidationError("x")) == 2)
        let error = #expect(throws: (any Error).self) { _ = try EaselCommand.parseAsRoot(["--no-such-option"]) }
        #expect(error.map(ExitStatus.of) == 2)
    }

    @Test func helpAndVersionSucceed() {
        for argument in ["--help", "--version"] {
            let error = #expect(throws: (any Error).self) {
                var command = try EaselCommand.parseAsRoot([argument])
                try command.run()
            }
            #expect(error.map(ExitStatus.of) == 0)
        }
    }

    @Test func anExitCodeIsItself() {
        #expect(ExitStatus.of(ExitCode(ExitStatus.failure)) == 1)
    }
}

@Suite struct ExitActionsTests {
    @Test func pendingActionsRunOnceInReverseOrder() {
        let done = Mutex<[Int]>([])
        let actions = ExitActions()
        for number in 1...3 { _ = actions.add { done.withLock { $0.append(number) } } }
        actions.runAll()
        actions.runAll()
        #expect(done.withLock { $0 } == [3, 2, 1])
    }

    @Test func aRemovedActionDoesNotRun() {
        let done = Mutex(0)
        let actions = ExitActions()
        let token = actions.add { done.withLock { $0 += 1 } }
        actions.remove(token)
        actions.runAll()
        #expect(done.withLock { $0 } == 0)
    }
}
