#if GTK
import CGTK
import EaselCore
@testable import EaselGTK
import Testing

extension GTKTests {
    @Suite("Network conditions") @MainActor
    struct Network {
        private nonisolated static let cases: [(Bool, Bool, NetworkConditions)] = [
            (true, false, []), (true, true, [.constrained, .expensive]), (false, false, .offline),
        ]

        @Test("a metered network is constrained and expensive", arguments: cases)
        func meteredNetwork(isAvailable: Bool, isMetered: Bool, expected: NetworkConditions) {
            #expect(NetworkConditions(isAvailable: isAvailable, isMetered: isMetered) == expected)
        }

        @Test("the conditions are those of GLib's network monitor")
        func monitorConditions() throws {
            let monitor = try #require(g_network_monitor_get_default())
            let conditions = NetworkConditions.observeSystem()()
            #expect(conditions.contains(.offline) == (g_network_monitor_get_network_available(monitor) == 0))
            #expect(conditions.contains(.constrained) == (g_network_monitor_get_network_metered(monitor) != 0))
        }
    }
}
#endif
