#if Server
import EaselCore
import EaselServerURLs
import EaselTesting
import Synchronization
import Testing

@testable import EaselServer

struct DeferredStoresTests {
    private struct State: Sendable {
        var isAccepting = false
        var attempts: [String] = []
        var stored: [String] = []
    }

    private let clock = ManualClock()
    private let monitor = Monitor(State())
    private let stores: DeferredStores

    init() {
        stores = DeferredStores(capacity: 2, clock: LoadClock(clock)) { [monitor] key in
            monitor.update { state in
                state.attempts.append(key.source)
                if state.isAccepting { state.stored.append(key.source) }
                return state.isAccepting
            }
        }
    }

    private func key(_ name: String) throws -> ResultKey {
        var rules = URLRules()
        rules.allowsUnsigned = true
        let path = "/unsafe/w:4/plain/http://example.com/\(name)"
        let url = try ImageURL(rawPath: path, rules: rules)
        return ResultKey(ParsedURL(path: path, url: url, usesHints: false, settings: ""), ResultVariant())
    }

    @Test func `Results are stored when the tier accepts them, and one that is not accepted keeps no other waiting`()
        async throws
    {
        let (first, second) = (try key("a"), try key("b"))
        stores.add(first)
        stores.add(second)
        await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        _ = await monitor.wait { $0.attempts == [second.source] }
        await clock.waitForSleepers()
        monitor.update { $0.isAccepting = true }
        clock.advance(by: .seconds(1))
        await clock.waitForSleepers()
        #expect(monitor.state.attempts.count == 1)
        clock.advance(by: .seconds(1))
        _ = await monitor.wait { $0.stored == [first.source, second.source] }
        #expect(stores.count == 0)
    }

    @Test func `Keys over the capacity are forgotten, and so are all at the end`() throws {
        for name in ["a", "b", "c"] { stores.add(try key(name)) }
        #expect(stores.count == 2)
        stores.shutDown()
        #expect(stores.count == 0)
        stores.add(try key("d"))
        #expect(stores.count == 0)
    }
}
#endif
