import Testing

@testable import EaselCore

@Suite("Processor allowance: scheduler affinity and control group quota")
struct ProcessorAllowanceTests {
    private func allowance(_ files: [String: String], usable: Int = 64) -> Int {
        ProcessorAllowance(usable: usable) { files[$0] }.count
    }

    @Test(
        "without control groups the allowance is that of the scheduler, at least one",
        arguments: [(64, 64), (1, 1), (0, 1)])
    func none(usable: Int, count: Int) {
        #expect(allowance([:], usable: usable) == count)
    }

    @Test(
        "a quota counts as whole processors, rounded up (version 2)",
        arguments: [
            ("200000 100000\n", 2), ("150000 100000\n", 2), ("100000 100000", 1), ("1000 100000\n", 1),
            ("100 1000000\n", 1),
            ("6400000 100000\n", 64), ("9223372036854775807 100000\n", 64), ("9223372036854775807 1\n", 64),
        ]
    )
    func quota(text: String, count: Int) {
        #expect(allowance(["/proc/self/cgroup": "0::/app\n", "/sys/fs/cgroup/app/cpu.max": text]) == count)
    }

    @Test("a quota does not exceed the allowance of the scheduler")
    func affinity() {
        #expect(
            allowance(["/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/cpu.max": "800000 100000\n"], usable: 3) == 3)
    }

    @Test("a lower quota of a parent group applies (version 2)")
    func parent() {
        #expect(
            allowance([
                "/proc/self/cgroup": "0::/a/b\n", "/sys/fs/cgroup/a/b/cpu.max": "max 100000\n",
                "/sys/fs/cgroup/a/cpu.max": "300000 100000\n", "/sys/fs/cgroup/cpu.max": "400000 100000\n",
            ]) == 3)
    }

    @Test("a quota of the cpu controller applies (version 1)")
    func version1() {
        #expect(
            allowance([
                "/proc/self/cgroup": "5:cpuset:/x\n4:cpu,cpuacct:/docker/1\n0::/\n",
                "/sys/fs/cgroup/cpu/docker/1/cpu.cfs_quota_us": "250000\n",
                "/sys/fs/cgroup/cpu/docker/1/cpu.cfs_period_us": "100000\n",
                "/sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1\n", "/sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n",
                "/sys/fs/cgroup/cpuset/x/cpu.cfs_quota_us": "100000\n",
                "/sys/fs/cgroup/cpuset/x/cpu.cfs_period_us": "100000\n",
            ]) == 3)
    }

    @Test(
        "a process pinned to one processor counts one", .withWriter,
        .enabled("the tool taskset cannot restrict a process to one processor on this system") {
            try await WriterProcess.run("", through: onOne, "processors").count == 1
        })
    func oneProcessor() async throws {
        #expect(try await WriterProcess.run("", through: Self.onOne, "processors") == ["1"])
    }

    private static let onOne = ["/usr/bin/env", "taskset", "-c", "0"]

    @Test(
        "values that are not quotas are ignored",
        arguments: ["max 100000\n", "-1 100000", "0 100000\n", "100000 0\n", "100000\n", "", "many few\n", "1 2 3\n"]
    )
    func unlimited(text: String) {
        #expect(allowance(["/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/cpu.max": text]) == 64)
    }
}
