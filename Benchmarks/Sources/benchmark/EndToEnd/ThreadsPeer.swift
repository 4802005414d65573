/// Python with aiohttp for the network and Pillow in threads for the pixels, in a process that stays alive and uses its
/// clock.
final class ThreadsPeer {
    static let name = "aiohttp + Pillow in threads"
    private let base: String
    private let count: Int
    private let process: PythonProcess

    init(_ base: String, count: Int) throws {
        self.base = base
        self.count = count
        process = try PythonProcess(
            for: Self.name, script: "threads-peer", packages: [.aiohttp, .cachetools, .pillow])
        // Input of the warm works.
        _ = try time("fill", [try ScratchFolder.make("threads")])
    }

    func contestant(_ work: String) -> Contestant {
        Contestant(
            Self.name, in: process.place,
            .counted { try self.time(work, work == "cold" ? [try ScratchFolder.make("threads")] : []) })
    }

    /// Returns the nanoseconds for each of `count`.
    private func time(_ work: String, _ arguments: [String]) throws -> Double {
        let answer = PythonProcess.numbers(try process.send([work, base, count] + arguments))
        guard answer.count == 2, answer[1] == Double(count) else {
            throw WrongResult(contestant: Self.name, work: work)
        }
        return answer[0] / Double(count)
    }
}
