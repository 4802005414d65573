import Foundation

/// The output of a measurement: one line per event.
enum BenchReport {
    /// Seconds since 1970.
    static var now: Double { Date().timeIntervalSince1970 }

    static func write(_ event: String, at time: Double = now, _ more: String = "") {
        print("BENCH {\"event\": \"\(event)\", \"t\": \(time)\(more)}")
        // The measuring process reads from a pipe.
        fflush(nil)
    }

    static func writePass(_ number: Int, from start: Double, to end: Double, frames: [Double]) {
        let list = frames.map { "\($0)" }.joined(separator: ", ")
        write("pass", ", \"n\": \(number), \"t0\": \(start), \"t1\": \(end), \"frames\": [\(list)]")
    }

    static func write(_ event: String, _ more: String) { write(event, at: now, more) }

    /// The processor time of this thread in seconds.
    static var threadTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
