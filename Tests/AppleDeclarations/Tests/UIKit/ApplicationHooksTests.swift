import EaselUIKit
import Foundation
import Testing
import UIKit

@Suite("UIKit application hooks", .timeLimit(.minutes(1)), .serialized)
@MainActor
struct ApplicationHooksTests {
    private let monitor = MemoryPressureMonitor()
    private let center = NotificationCenter()
    private let cache: ImageCache
    private let key = CacheKey("image", fileExtension: "")

    init() {
        cache = ImageCache(folder: nil as String?) { [monitor] in $0.memory.pressureMonitor = monitor }
    }

    @Test("X095, X096: a memory warning clears the memory cache")
    func warning() throws {
        let hooks = ApplicationHooks(cache, monitor: monitor, center: center)
        cache.store(try .solid(7), for: key)
        center.post(name: UIApplication.didReceiveMemoryWarningNotification, object: nil)
        #expect(cache.memory.count == 0)
        withExtendedLifetime(hooks) {}
    }

    @Test("X095: entering the background starts a background task, which is ended")
    func background() async {
        let hooks = ApplicationHooks(cache, monitor: monitor, center: center)
        center.post(name: UIApplication.didEnterBackgroundNotification, object: nil)
        #expect(UIApplication.shared.backgroundTasks.count == 1)
        await until { UIApplication.shared.backgroundTasks.isEmpty }
        withExtendedLifetime(hooks) {}
    }

    @Test("released hooks are not notified")
    func ended() throws {
        var hooks: ApplicationHooks? = ApplicationHooks(cache, monitor: monitor, center: center)
        cache.store(try .solid(7), for: key)
        withExtendedLifetime(hooks) {}
        hooks = nil
        center.post(name: UIApplication.didReceiveMemoryWarningNotification, object: nil)
        #expect(cache.memory.count == 1)
    }

    @Test("S082, X145: an expired background task stops its work once")
    func expired() {
        var stops = 0
        let time = BackgroundTime("test") { stops += 1 }
        UIApplication.shared.backgroundTasks.values.first?()
        #expect(stops == 1)
        #expect(UIApplication.shared.backgroundTasks.isEmpty)
        time.end()
        #expect(stops == 1)
    }
}
