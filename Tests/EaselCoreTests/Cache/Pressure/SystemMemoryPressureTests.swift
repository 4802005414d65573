import EaselFoundation
import EaselTesting
import TestSupport
import Testing

@testable import EaselCore

@Suite(
    "Memory pressure: reports of the kernel", .timeLimit(.minutes(1)),
    .enabled(if: access("/proc/self/fd", R_OK) == 0, "This system is not Linux."))
struct SystemMemoryPressureTests {
    private static let account = "/proc/pressure/memory"

    private func source(_ files: PressureFiles) -> SystemMemoryPressure {
        SystemMemoryPressure { files }
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

    @Test("data in a pipe is a warning, and stopping closes every descriptor")
    func pipe() async throws {
        try await TemporaryFolder.with { folder in
            try folder.makePipe("pressure")
            let source = source(PressureFiles(stallFiles: [folder["pressure"]]))
            let reports = Recorder<MemoryPressure>()
            source.start { reports.record($0) }
            try await until { openCount(folder["pressure"]) == 1 }
            let pipe = open(folder["pressure"], O_WRONLY | O_NONBLOCK)
            #expect(systemWrite(pipe, "x", 1) == 1)
            close(pipe)
            await reports.wait(for: 1)
            #expect(reports.events == [.warning])
            source.stop()
            try await until { openCount(folder["pressure"]) == 0 }
        }
    }

    @Test("a file that accepts no trigger is skipped")
    func unusable() async throws {
        try await TemporaryFolder.with { folder in
            try folder.makeFolder("folder")
            #expect(StallTrigger.all.compactMap { $0.open(folder["folder"]) }.isEmpty)
            #expect(StallTrigger.all.compactMap { $0.open(folder["missing"]) }.isEmpty)
            let source = source(PressureFiles(stallFiles: [folder["folder"], folder["missing"]]))
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
        .enabled(if: access(account, W_OK) == 0, "This kernel does not report pressure stalls, or not to this user."))
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
            let source = source(PressureFiles(stallFiles: [folder["pressure"]]))
            for _ in 0..<100 {
                source.start { _ in }
                source.stop()
            }
            source.stop()
            try await until { openCount(folder["pressure"]) == 0 }
        }
    }
}
