import Foundation

/// A client to compare with.
protocol NetworkPeer: AnyObject, Sendable {
    var name: String { get }
    var place: Contestant.Place { get }

    /// Downloads `base` followed by 0, 1, 2 and so on, `atATime` at a time. Returns the number of bytes.
    func download(_ base: String, count: Int, atATime: Int) async throws -> Int

    /// Downloads `base` followed by 0, 1, 2 and so on in sequence. Returns the durations in nanoseconds.
    func latencies(_ base: String, count: Int) async throws -> [Double]

    /// Revalidates a file by its entity tag `count` times, and returns how often it was current.
    func confirm(_ url: String, tag: String, count: Int) async throws -> Int
}

/// A client in this process, with additional functions.
protocol LibraryPeer: NetworkPeer {
    /// Returns the status and size of one response.
    func get(_ url: String, headers: [(String, String)]) async throws -> (status: Int, byteCount: Int)

    /// Starts `count` downloads, cancels them when all are running, and returns the nanoseconds until all have ended.
    func cancel(_ base: String, count: Int) async throws -> Double

    /// Returns the peak of allocated bytes while a reader stops after the first piece of a body.
    func peakBodyMemory(_ url: String) async throws -> Double
}

extension LibraryPeer {
    var place: Contestant.Place { .thisProcess }

    func download(_ base: String, count: Int, atATime: Int) async throws -> Int {
        try await InParallel.sum(count, atATime: atATime) {
            try await self.get(base + String($0), headers: []).byteCount
        }
    }

    func latencies(_ base: String, count: Int) async throws -> [Double] {
        try await InParallel.times(count) { _ = try await self.get(base + String($0), headers: []) }
    }

    func confirm(_ url: String, tag: String, count: Int) async throws -> Int {
        var right = 0
        for _ in 0..<count where try await get(url, headers: [("If-None-Match", tag)]).status == 304 { right += 1 }
        return right
    }
}

/// Repeats work concurrently.
enum InParallel {
    /// Returns the sum over 0..<count, computed by `atATime` tasks that each take the next number.
    static func sum(
        _ count: Int, atATime: Int, _ body: @escaping @Sendable (Int) async throws -> Int
    ) async throws -> Int {
        try await withThrowingTaskGroup(of: Int.self) { group in
            let next = Counter()
            for _ in 0..<min(count, atATime) {
                group.addTask {
                    var sum = 0
                    while true {
                        let number = next.next()
                        guard number < count else { return sum }
                        sum += try await body(number)
                    }
                }
            }
            return try await group.reduce(0, +)
        }
    }

    /// Returns the duration of each of `count`, in nanoseconds.
    static func times(_ count: Int, _ body: (Int) async throws -> Void) async throws -> [Double] {
        let clock = ContinuousClock()
        var times: [Double] = []
        for number in 0..<count {
            let start = clock.now
            try await body(number)
            times.append((clock.now - start) / .nanoseconds(1))
        }
        return times
    }

    /// Returns the peak of allocated bytes above `before` in the next half second.
    static func growth(_ before: Int) async throws -> Double {
        var most = 0
        for _ in 0..<50 {
            try await Task.sleep(for: .milliseconds(10))
            most = max(most, allocatedBytes() - before)
        }
        return Double(most)
    }
}
