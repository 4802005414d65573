import EaselCore
import Testing

@testable import easel

@Suite("Run statistics")
struct RunStatisticsTests {
    @Test("hits are counted by level, and shared work only once")
    func levels() {
        var statistics = RunStatistics()
        var timeline = LoadTimeline()
        timeline.requests = 2
        timeline[.decode] = .milliseconds(1)
        timeline.bytesReceived = 100
        statistics.add(source: .network, timeline: timeline)
        var shared = timeline
        shared.requests = 0
        shared.bytesReceived = 0
        shared.isCoalesced = true
        statistics.add(source: .network, timeline: shared)
        statistics.add(source: .disk, timeline: LoadTimeline())
        #expect(
            statistics.line(peakMemory: 9)
                == "stats: 0 memory, 1 disk, 2 network, 0 file, 0 data; 2 requests, 100 bytes received, 1 decode, "
                + "9 bytes of peak memory")
    }

    @Test("saved bytes are reported")
    func bytesSavedByCaching() {
        var statistics = RunStatistics()
        var timeline = LoadTimeline()
        timeline.bytesReceived = 10
        timeline.bytesSaved = 90
        statistics.add(source: .network, timeline: timeline)
        #expect(statistics.line(peakMemory: 9).contains("10 bytes received, 90 bytes saved, "))
    }

    @Test("the peak memory is measured")
    func memory() {
        #expect(RunStatistics.peakMemory > 1 << 20)
    }
}

@Suite("Warning log")
struct WarningLogTests {
    @Test("each warning is returned once")
    func warnings() {
        let log = WarningLog()
        let first = ImageWarning.notStored(.unwritable(path: "a", reason: "full"))
        let second = ImageWarning.notRead(.unreadable(path: "b", reason: "torn"))
        log.didReceive(first)
        log.didReceive(first)
        #expect(log.take() == [first])
        log.didReceive(second)
        log.didReceive(first)
        #expect(log.take() == [second])
        #expect(log.take() == [])
    }
}
