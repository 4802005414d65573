import EaselTesting
import Testing

@testable import EaselCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

@Suite(
    "Memory pressure: reports of the kernel", .timeLimit(.minutes(1)),
    .enabled(if: access("/proc/self/fd", R_OK) == 0, "This system is not Linux."))
struct SystemMemoryPressureTests {
    private static let account = "/proc/pressure/memory"

    private func source(_ places: PressurePlaces) -> SystemMemoryPressure {
        SystemMemoryPressure { places }
    }

    /// Returns the number of file descriptors of this process that refer to a path.
    private func openCount(_ path: String) -> Int {
        (0..<1_024).count { number in
            var target = [CChar](repeating: 0, count: 4_096)
            let length = readlink("/proc/self/fd/\(number)", &target, target.count - 1)
            return length > 0
                && String(decoding: target.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self) == path
        }
    }

    /// Returns contents of constant length.
    private func events(_ high: Int, _ oom: Int) -> String {
        "low 0\nhigh \(10_000_000 + high)\nmax 0\noom \(oom)\noom_kill 0\n"
    }

    /// Overwrites a file with contents of the same length, so that it is never empty, like that of the kernel.
    private func overwrite(_ path: String, _ text: String) {
        let file = open(path, O_WRONLY)
        defer { close(file) }
        #expect(systemWrite(file, text, text.utf8.count) == text.utf8.count)
    }

    @Test("data in a pipe is a warning, and stopping closes every descriptor")
    func pipe() async throws {
        try await TemporaryFolder.with { folder in
            try folder.makePipe("pressure")
            let source = source(PressurePlaces(stallFiles: [folder["pressure"]]))
            let heard = Recorder<MemoryPressure>()
            source.start { heard.record($0) }
            try await until { openCount(folder["pressure"]) == 1 }
            let pipe = open(folder["pressure"], O_WRONLY | O_NONBLOCK)
            #expect(systemWrite(pipe, "x", 1) == 1)
            close(pipe)
            await heard.wait(for: 1)
            #expect(heard.events == [.warning])
            source.stop()
            try await until { openCount(folder["pressure"]) == 0 }
        }
    }

    @Test("without stall files the counters of the group are monitored")
    func counters() async throws {
        try await TemporaryFolder.with { folder in
            try folder.makeFolder("group")
            try folder.write(events(0, 0).utf8, to: "group/memory.events")
            let source = source(
                PressurePlaces(stallFiles: [folder["missing"]], groups: [folder.path, folder["group"]]))
            let heard = Recorder<MemoryPressure>()
            source.start { heard.record($0) }
            // Repeats the change until the monitor has started.
            var high = 0
            try await until {
                high += 1
                overwrite(folder["group/memory.events"], events(high, 0))
                return !heard.events.isEmpty
            }
            overwrite(folder["group/memory.events"], events(high, 1))
            await heard.wait(for: 2)
            #expect(heard.events == [.warning, .critical])
            source.stop()
        }
    }

    @Test("a file that accepts no trigger is skipped")
    func unusable() async throws {
        try await TemporaryFolder.with { folder in
            try folder.makeFolder("folder")
            #expect(StallTrigger.all.compactMap { $0.open(folder["folder"]) }.isEmpty)
            #expect(StallTrigger.all.compactMap { $0.open(folder["missing"]) }.isEmpty)
            let source = source(PressurePlaces(stallFiles: [folder["folder"], folder["missing"]]))
            source.start { _ in }
            source.stop()
        }
    }

    @Test("a trigger is written with its terminating NUL")
    func text() async throws {
        try await TemporaryFolder.with { folder in
            try folder.write([], to: "account")
            let trigger = try #require(StallTrigger.all.first)
            let file = try #require(trigger.open(folder["account"]))
            close(file)
            #expect(try folder.bytes(of: "account") == Array("some 140000 2000000\0".utf8))
        }
    }

    @Test(
        "this kernel accepts the triggers",
        .enabled(if: access(account, W_OK) == 0, "This kernel keeps no account of stalls, or not for this user."))
    func kernel() {
        let files = StallTrigger.all.compactMap { $0.open(Self.account) }
        #expect(files.count == StallTrigger.all.count)
        for file in files {
            var polled = pollfd(fd: file, events: Int16(POLLPRI), revents: 0)
            #expect(poll(&polled, 1, 0) >= 0)
            #expect(Int32(polled.revents) & (POLLERR | POLLNVAL) == 0)
            close(file)
        }
    }

    @Test("repeated starts and stops leave no file open")
    func churn() async throws {
        try await TemporaryFolder.with { folder in
            try folder.makePipe("pressure")
            let source = source(PressurePlaces(stallFiles: [folder["pressure"]]))
            for _ in 0..<100 {
                source.start { _ in }
                source.stop()
            }
            source.stop()
            try await until { openCount(folder["pressure"]) == 0 }
        }
    }
}
