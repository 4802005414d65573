import Testing

@testable import EaselCore

@Suite("Memory allowance: physical memory and control group limits")
struct MemoryAllowanceTests {
    private let gigabyte = 1_000_000_000

    private func allowance(_ files: [String: String]) -> Int {
        MemoryAllowance(physicalMemory: UInt64(8 * gigabyte)) { files[$0] }.byteCount
    }

    @Test("without control groups the allowance is the physical memory")
    func none() {
        #expect(allowance([:]) == 8 * gigabyte)
    }

    @Test("a limit of the group applies (version 2)")
    func group() {
        #expect(
            allowance([
                "/proc/self/cgroup": "0::/user.slice/app\n", "/sys/fs/cgroup/user.slice/app/memory.max": "1000000000\n",
            ]) == gigabyte)
    }

    @Test("a lower limit of a parent group applies (version 2)")
    func parent() {
        #expect(
            allowance([
                "/proc/self/cgroup": "0::/a/b\n", "/sys/fs/cgroup/a/b/memory.max": "max\n",
                "/sys/fs/cgroup/a/memory.max": "2000000000\n", "/sys/fs/cgroup/memory.max": "3000000000\n",
            ]) == 2 * gigabyte)
    }

    @Test("in a container the limit of the root applies", arguments: ["0::/\n", "0::/../other\n"])
    func container(text: String) {
        #expect(
            allowance(["/proc/self/cgroup": text, "/sys/fs/cgroup/memory.max": "1000000000\n"]) == gigabyte)
    }

    @Test("a limit of the memory controller applies (version 1)")
    func version1() {
        #expect(
            allowance([
                "/proc/self/cgroup": "5:devices:/x\n4:cpu,memory:/docker/1\n0::/\n",
                "/sys/fs/cgroup/memory/docker/1/memory.limit_in_bytes": "1000000000\n",
                "/sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
                "/sys/fs/cgroup/memory/x/memory.limit_in_bytes": "5\n",
            ]) == gigabyte)
    }

    @Test(
        "values that are not limits are ignored",
        arguments: ["max\n", "9223372036854771712\n", "", "-1\n", "18446744073709551616"]
    )
    func unlimited(text: String) {
        #expect(
            allowance(["/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/memory.max": text]) == 8 * gigabyte)
    }

    @Test("images get a quarter, at most 512 MB (P019)")
    func images() {
        #expect(MemoryAllowance(physicalMemory: 1_000_000_000) { _ in nil }.bytesForImages == 250_000_000)
        #expect(MemoryAllowance(physicalMemory: .max) { _ in nil }.bytesForImages == 512_000_000)
    }

    @Test("unknown physical memory counts as 1 GiB")
    func unknown() {
        #expect(MemoryAllowance(physicalMemory: 0) { _ in nil }.byteCount == 1 << 30)
    }

    @Test("this process has an allowance")
    func process() {
        #expect(MemoryAllowance.ofProcess.byteCount > 0)
        #expect(ByteCount.automatic.bytes == MemoryAllowance.ofProcess.bytesForImages)
    }
}
