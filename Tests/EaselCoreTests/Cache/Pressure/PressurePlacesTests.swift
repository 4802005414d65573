import Testing

@testable import EaselCore

@Suite("Memory pressure: files of the system")
struct PressurePlacesTests {
    private func places(cgroup: String?, environment: [String: String] = [:]) async throws -> PressurePlaces {
        try await TemporaryFolder.with { root in
            try root.makeFolder("proc")
            try root.makeFolder("proc/self")
            if let cgroup { try root.write(cgroup.utf8, to: "proc/self/cgroup") }
            var places = PressurePlaces.ofSystem(root: root.path, environment: environment)
            places.stallFiles = places.stallFiles.map { $0.replacing(root.path, with: "") }
            places.groups = places.groups.map { $0.replacing(root.path, with: "") }
            return places
        }
    }

    @Test("stalls are read for the group and the machine, and limits for the groups above too")
    func group() async throws {
        let places = try await places(cgroup: "0::/user.slice/app\n")
        #expect(
            places.stallFiles == [
                "/sys/fs/cgroup/user.slice/app/memory.pressure",
                "/sys/fs/cgroup/unified/user.slice/app/memory.pressure", "/proc/pressure/memory",
            ])
        #expect(
            places.groups == [
                "/sys/fs/cgroup", "/sys/fs/cgroup/unified", "/sys/fs/cgroup/user.slice",
                "/sys/fs/cgroup/unified/user.slice", "/sys/fs/cgroup/user.slice/app",
                "/sys/fs/cgroup/unified/user.slice/app",
            ])
    }

    @Test(
        "without cgroups v2 only the stalls of the machine are read",
        arguments: [nil, "", "4:memory:/a\n"])
    func machine(cgroup: String?) async throws {
        let expected = PressurePlaces(stallFiles: ["/proc/pressure/memory"])
        #expect(try await places(cgroup: cgroup) == expected)
    }

    @Test("the file named by systemd replaces that of the group")
    func given() async throws {
        let places = try await places(cgroup: "0::/a\n", environment: ["MEMORY_PRESSURE_WATCH": "/run/pressure"])
        #expect(places.stallFiles == ["/run/pressure", "/proc/pressure/memory"])
    }

    @Test("nothing is monitored if systemd disables it")
    func off() async throws {
        let places = try await places(cgroup: "0::/a\n", environment: ["MEMORY_PRESSURE_WATCH": "/dev/null"])
        #expect(places == PressurePlaces())
    }
}
