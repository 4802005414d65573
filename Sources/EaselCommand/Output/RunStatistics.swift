import EaselCore
import Foundation

/// What a run has done, for `--stats`.
struct RunStatistics: Sendable, Hashable {
    private var pictures: [ImageSource: Int] = [:]
    private var requests = 0
    private var receivedBytes = 0
    private var savedBytes = 0
    private var decodes = 0

    /// Counts one load.
    mutating func add(source: ImageSource, timeline: LoadTimeline) {
        pictures[source, default: 0] += 1
        requests += timeline.requests
        if timeline.isCoalesced { return }
        receivedBytes += timeline.bytesReceived
        savedBytes += timeline.bytesSaved
        if timeline.decode != nil { decodes += 1 }
    }

    /// The line: hits by level, requests, bytes, decodes, peak memory.
    func line(peakMemory: Int) -> String {
        let hits = ImageSource.allCases.map { "\(pictures[$0, default: 0]) \($0.rawValue)" }.joined(separator: ", ")
        let saved = savedBytes > 0 ? "\(savedBytes.counted("byte")) saved, " : ""
        return "stats: \(hits); \(requests.counted("request")), \(receivedBytes.counted("byte")) received, " + saved
            + "\(decodes.counted("decode")), \(peakMemory) bytes of memory at most"
    }

    /// The most memory that this process has had, in bytes.
    static var peakMemory: Int {
        var usage = rusage()
        // RUSAGE_SELF, which is 0 everywhere, but of another type on each platform.
        guard getrusage(0, &usage) == 0 else { return 0 }
        #if canImport(Darwin)
        let unit = 1
        #else
        let unit = 1024
        #endif
        return Int(usage.ru_maxrss) * unit
    }
}
