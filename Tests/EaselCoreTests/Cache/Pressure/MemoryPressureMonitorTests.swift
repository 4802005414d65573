import EaselTesting
import Synchronization
import TestSupport
import Testing

@testable import EaselCore

@Suite("Memory pressure: observers (R007, B14)")
struct MemoryPressureMonitorTests {
    @Test("every observer receives each report, until its observation ends")
    func reports() {
        let monitor = MemoryPressureMonitor()
        let (first, second) = (Recorder<MemoryPressure>(), Recorder<MemoryPressure>())
        var observation: MemoryPressureObservation? = monitor.observe { first.record($0) }
        let other = monitor.observe { second.record($0) }
        monitor.report(.warning)
        observation = nil
        monitor.report(.critical)
        #expect(first.events == [.warning])
        #expect(second.events == [.warning, .critical])
        #expect(observation == nil)
        withExtendedLifetime(other) {}
    }

    @Test("the source runs while there are observers, and its reports reach them")
    func source() {
        let source = FakePressure()
        let monitor = MemoryPressureMonitor(source)
        #expect(source.events == [])
        let reports = Recorder<MemoryPressure>()
        var observations = [monitor.observe { reports.record($0) }, monitor.observe { _ in }]
        #expect(source.events == [.start])
        source.send(.critical)
        #expect(reports.events == [.critical])
        observations.removeFirst()
        #expect(source.events == [.start])
        observations.removeFirst()
        #expect(source.events == [.start, .stop])
        let again = monitor.observe { _ in }
        #expect(source.events == [.start, .stop, .start])
        withExtendedLifetime(again) {}
    }

    @Test("changes during a start or stop of the source are applied afterwards, one at a time")
    func crossing() {
        final class Holder: Sendable { let observation = Mutex<MemoryPressureObservation?>(nil) }
        let source = FakePressure()
        let monitor = MemoryPressureMonitor(source)
        let holder = Holder()
        source.setAction { events in
            switch events {
            case [.start]:
                // An observation that ends at once has no effect.
                withExtendedLifetime(monitor.observe { _ in }) {}
            case [.start, .stop]:
                let late = monitor.observe { _ in }
                holder.observation.withLock { $0 = late }
            case [.start, .stop, .start]:
                let late = holder.observation.withLock { $0.take() }
                withExtendedLifetime(late) {}
            default: break
            }
            #expect(source.events == events, "nothing is done meanwhile")
        }
        var first: MemoryPressureObservation? = monitor.observe { _ in }
        #expect(source.events == [.start])
        first = nil
        #expect(source.events == [.start, .stop, .start, .stop])
        #expect(first == nil)
        source.setAction(nil)
    }

    @Test("concurrent observations leave the source stopped, with a stop for every start", .timeLimit(.minutes(1)))
    func threads() async {
        let source = FakePressure()
        let monitor = MemoryPressureMonitor(source)
        await withDiscardingTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<200 { withExtendedLifetime(monitor.observe { _ in }) {} }
                }
            }
        }
        let expected = source.events.indices.map { $0.isMultiple(of: 2) ? FakePressure.Event.start : .stop }
        #expect(source.events == expected)
        #expect(source.events.last == .stop)
    }

    @Test("an image cache trims on memory pressure, and stops the source when it is deallocated (B14)")
    func imageCache() throws {
        let source = FakePressure()
        var cache: ImageCache? = ImageCache(folder: nil as String?) {
            $0.memory.pressureMonitor = MemoryPressureMonitor(source)
        }
        for number in 0..<8 {
            cache?.store(try TestImage.gradient(4, 4).image(), for: CacheKey("\(number)"))
        }
        source.send(.warning)
        #expect(cache?.memory.count == 2)
        source.send(.critical)
        #expect(cache?.memory.count == 0)
        #expect(source.events == [.start])
        cache = nil
        #expect(source.events == [.start, .stop])
    }
}

/// A source that sends the test's reports and records its starts and stops.
private final class FakePressure: MemoryPressureSource {
    enum Event: Equatable, Sendable {
        case start
        case stop
    }

    private let recorder = Recorder<Event>()
    private let report = Mutex<(@Sendable (MemoryPressure) -> Void)?>(nil)
    private let action = Mutex<(@Sendable (_ events: [Event]) -> Void)?>(nil)

    var events: [Event] { recorder.events }

    /// Calls `action` during each start and stop, with the events so far.
    func setAction(_ action: (@Sendable (_ events: [Event]) -> Void)?) {
        self.action.withLock { $0 = action }
    }

    func start(_ report: @escaping @Sendable (MemoryPressure) -> Void) {
        self.report.withLock { $0 = report }
        record(.start)
    }

    func stop() { record(.stop) }

    private func record(_ event: Event) {
        recorder.record(event)
        action.withLock { $0 }?(events)
    }

    func send(_ pressure: MemoryPressure) { report.withLock { $0 }?(pressure) }
}
