import ArgumentParser
import Easel
import Synchronization
import Testing

@testable import easel

@Suite("Exit status")
struct ExitStatusTests {
    @Test("a usage error exits with 2")
    func usageError() {
        #expect(ExitStatus.of(ValidationError("x")) == 2)
        let error = #expect(throws: (any Error).self) { _ = try EaselCommand.parseAsRoot(["--no-such-option"]) }
        #expect(error.map(ExitStatus.of) == 2)
    }

    @Test("help and version exit with 0")
    func helpAndVersion() {
        for argument in ["--help", "--version"] {
            let error = #expect(throws: (any Error).self) {
                var command = try EaselCommand.parseAsRoot([argument])
                try command.run()
            }
            #expect(error.map(ExitStatus.of) == 0)
        }
    }

    @Test("the version of the command is that of the library")
    func libraryVersion() {
        #expect(EaselCommand.configuration.version == Easel.version)
        #expect(Easel.version.wholeMatch(of: /\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?/) != nil)
    }

    @Test("an explicit exit code is kept")
    func explicitCode() {
        #expect(ExitStatus.of(ExitCode(ExitStatus.failure)) == 1)
    }
}

@Suite("Exit actions")
struct ExitActionsTests {
    @Test("pending actions run once, in reverse order")
    func reverseOrder() {
        let done = Mutex<[Int]>([])
        let actions = ExitActions()
        for number in 1...3 { _ = actions.add { done.withLock { $0.append(number) } } }
        actions.runAll()
        actions.runAll()
        #expect(done.withLock { $0 } == [3, 2, 1])
    }

    @Test("a removed action does not run")
    func removal() {
        let done = Mutex(0)
        let actions = ExitActions()
        let token = actions.add { done.withLock { $0 += 1 } }
        actions.remove(token)
        actions.runAll()
        #expect(done.withLock { $0 } == 0)
    }
}
