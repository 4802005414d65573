import Testing

@testable import EaselCore

@Suite("Memory pressure: files of the system")
struct PressureFilesTests {
    private func files(cgroup: String?, environment: [String: String] = [:]) async throws -> PressureFiles {
        try await TemporaryFolder.with { root in
            try root.makeFolder("proc")
            try root.makeFolder("proc/self")
            if let cgroup { try root.write(cgroup.utf8, to: "proc/self/cgroup") }
            var files = PressureFiles.ofSystem(root: root.path, environment: environment)
            files.stallFiles = files.stallFiles.map { $0.replacing(root.path, with: "") }
            return files
        }
    }

    @Test("stalls are read for the group and the machine")
    func group() async throws {
        let files = try await files(cgroup: "0::/user.slice/app\n")
        #expect(
            files.stallFiles == [
                "/sys/fs/cgroup/user.slice/app/memory.pressure",
                "/sys/fs/cgroup/unified/user.slice/app/memory.pressure", "/proc/pressure/memory",
            ])
    }

    @Test(
        "without cgroups v2 only the stalls of the machine are read",
        arguments: [nil, "", "4:memory:/a\n"])
    func machine(cgroup: String?) async throws {
        let expected = PressureFiles(stallFiles: ["/proc/pressure/memory"])
        #expect(try await files(cgroup: cgroup) == expected)
    }

    @Test("the file named by systemd replaces that of the group")
    func systemdFile() async throws {
        let files = try await files(cgroup: "0::/a\n", environment: ["MEMORY_PRESSURE_WATCH": "/run/pressure"])
        #expect(files.stallFiles == ["/run/pressure", "/proc/pressure/memory"])
    }

    @Test("nothing is monitored if systemd disables it")
    func off() async throws {
        let files = try await files(cgroup: "0::/a\n", environment: ["MEMORY_PRESSURE_WATCH": "/dev/null"])
        #expect(files == PressureFiles())
    }
}
