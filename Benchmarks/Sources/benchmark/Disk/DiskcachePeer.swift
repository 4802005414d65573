/// Python's diskcache, in processes that use their own clocks: SQLite for small values, files for large ones. One
/// process reads existing entries, and one stores, each round into an empty folder.
final class DiskcachePeer {
    static let name = "diskcache"
    private let count: Int
    private let reading: PythonProcess
    private let writing: PythonProcess

    init(count: Int) throws {
        self.count = count
        reading = try Self.process()
        writing = try Self.process()
        _ = try reading.send(["disk-new", try ScratchFolder.make("diskcache")])
        _ = try Self.time(reading, "store", [count])
    }

    private static func process() throws -> PythonProcess {
        try PythonProcess(for: name, script: "caches-peer", packages: [.cachetools, .diskcache])
    }

    private static func time(_ process: PythonProcess, _ work: String, _ arguments: [Int]) throws -> Double {
        let answer = try process.send(["disk-" + work] + arguments)
        guard let time = PythonProcess.numbers(answer).first else {
            throw WrongResult(contestant: name, work: work)
        }
        return time
    }

    func reader(_ work: String, operations: Int) -> Contestant {
        Contestant(
            Self.name, in: reading.place,
            .counted { [reading, count] in try Self.time(reading, work, [count, operations]) })
    }

    func writer() throws -> Contestant {
        Contestant(
            Self.name, in: writing.place,
            prepare: { [writing] in
                _ = try writing.send(["disk-new", try ScratchFolder.make("diskcache")])
            },
            .counted { [writing, count] in try Self.time(writing, "store", [count]) })
    }
}
