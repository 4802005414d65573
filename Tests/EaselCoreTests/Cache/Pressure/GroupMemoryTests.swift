import Testing

@testable import EaselCore

@Suite("Memory pressure: counters of a control group")
struct GroupMemoryTests {
    private func group(
        high: Int = 0, max: Int = 0, oom: Int = 0, kills: Int = 0, files: [String: String] = [:]
    ) -> GroupMemory? {
        let events = "low 0\nhigh \(high)\nmax \(max)\noom \(oom)\noom_kill \(kills)\noom_group_kill 0\n"
        let all = files.merging(["memory.events": events]) { file, _ in file }
        return GroupMemory { all[$0] }
    }

    /// Returns the files of a group limited to 1,000 bytes that uses `used` bytes, `cached` of them in the page cache.
    private func files(used: Int, cached: Int) -> [String: String] {
        [
            "memory.max": "1000\n", "memory.high": "max\n", "memory.current": "\(used)\n",
            "memory.stat": "anon 5\nfile \(cached)\nshmem 0\n",
        ]
    }

    private func pressure(from before: GroupMemory?, to now: GroupMemory?) throws -> MemoryPressure? {
        try #require(now).pressure(since: #require(before))
    }

    @Test("a group without an events file is not monitored")
    func missing() {
        #expect(GroupMemory { _ in nil } == nil)
        #expect(GroupMemory { $0 == "memory.events" ? "" : nil } == nil)
    }

    @Test("there is no pressure while no counter increases")
    func quiet() throws {
        #expect(try pressure(from: group(high: 5, max: 2), to: group(high: 5, max: 2)) == nil)
        #expect(try pressure(from: group(high: 5), to: group(high: 1)) == nil)
    }

    @Test("reclaimed memory is a warning if the usage is unknown")
    func unknownShare() throws {
        #expect(try pressure(from: group(), to: group(high: 1)) == .warning)
        #expect(try pressure(from: group(max: 4), to: group(max: 5)) == .warning)
    }

    @Test("running out of memory is critical, whatever the usage")
    func out() throws {
        let files = files(used: 10, cached: 0)
        #expect(try pressure(from: group(files: files), to: group(oom: 1, files: files)) == .critical)
        #expect(try pressure(from: group(kills: 1), to: group(kills: 2)) == .critical)
    }

    @Test(
        "the page cache does not count towards the usage",
        arguments: [
            (1_000, 900, nil), (1_000, 301, nil), (1_000, 300, MemoryPressure.warning), (1_000, 101, .warning),
            (1_000, 100, .critical), (1_000, 0, .critical),
        ])
    func share(used: Int, cached: Int, expected: MemoryPressure?) throws {
        let files = files(used: used, cached: cached)
        #expect(try pressure(from: group(files: files), to: group(max: 1, files: files)) == expected)
    }

    @Test("the lower of two limits counts, and shared memory counts as used")
    func details() {
        var files = files(used: 400, cached: 100)
        files["memory.high"] = "500\n"
        #expect(group(files: files)?.boundShare == 0.6)
        files["memory.stat"] = "file 100\nshmem 100\n"
        #expect(group(files: files)?.boundShare == 0.8)
        files["memory.high"] = "max"
        files["memory.max"] = "max"
        #expect(group(files: files)?.boundShare == nil)
    }
}
