import Foundation

/// A client to measure against.
protocol NetworkPeer: AnyObject, Sendable {
    var name: String { get }
    var place: Contestant.Place { get }

    /// Downloads `base` followed by 0, 1, 2 and so on, so many of them, so many at a time. Returns how many bytes came.
    func download(_ base: String, count: Int, atATime: Int) async throws -> Int

    /// Downloads `base` followed by 0, 1, 2 and so on, one after the other, and returns how long each took, in nanoseconds.
    func latencies(_ base: String, count: Int) async throws -> [Double]

    /// Asks so often for what it has already, by its entity tag, and returns how often that was still current.
    func confirm(_ url: String, tag: String, count: Int) async throws -> Int
}

/// One that can also be asked for single things, in this process.
protocol LibraryPeer: NetworkPeer {
    /// The status and the bytes of one answer.
    func get(_ url: String, headers: [(String, String)]) async throws -> (status: Int, byteCount: Int)

    /// Begins so many downloads, calls `cancelling` when all are under way, ends them, and returns when all have ended.
    func cancel(_ base: String, count: Int) async throws -> Double

    /// The most memory, in bytes, that is allocated while a reader has taken the first piece of a body and does not go on.
    func heldBytes(_ url: String) async throws -> Double
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

/// How a piece of work is done many times.
enum InParallel {
    /// The sum over 0..<count, worked on by `atATime` tasks that each take the next number.
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

    /// How long each of `count` took, in nanoseconds.
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

    /// The most that is allocated in the half second after now, over what is allocated now.
    static func growth(_ before: Int) async throws -> Double {
        var most = 0
        for _ in 0..<50 {
            try await Task.sleep(for: .milliseconds(10))
            most = max(most, allocatedBytes() - before)
        }
        return Double(most)
    }
}
