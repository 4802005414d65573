import Foundation

/// What a measurement writes, a line an event, as it happens.
enum BenchReport {
    /// Seconds since 1970.
    static var now: Double { Date().timeIntervalSince1970 }

    static func write(_ event: String, at time: Double = now, _ more: String = "") {
        print("BENCH {\"event\": \"\(event)\", \"t\": \(time)\(more)}")
        // Whoever measures reads from a pipe.
        fflush(nil)
    }

    static func writePass(_ number: Int, from start: Double, to end: Double, frames: [Double]) {
        let list = frames.map { "\($0)" }.joined(separator: ", ")
        write("pass", ", \"n\": \(number), \"t0\": \(start), \"t1\": \(end), \"frames\": [\(list)]")
    }

    private static func write(_ event: String, _ more: String) { write(event, at: now, more) }
}
