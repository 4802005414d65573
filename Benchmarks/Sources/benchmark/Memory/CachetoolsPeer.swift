/// Python's cachetools, in a separate process that uses its own clock.
final class CachetoolsPeer: Sendable {
    static let name = "cachetools"
    private let process: PythonProcess

    init() throws {
        process = try PythonProcess(for: Self.name, script: "caches-peer", packages: [.cachetools])
    }

    /// Returns the nanoseconds for one of `operations`, on a cache of `count` entries.
    func contestant(_ work: String, count: Int, operations: Int) -> Contestant {
        Contestant(
            Self.name, in: process.place,
            .counted { [process] in
                let answer = try process.send([work, count, operations])
                guard let time = PythonProcess.numbers(answer).first else {
                    throw WrongResult(contestant: Self.name, work: work)
                }
                return time
            })
    }
}

extension Work {
    /// Adds Python's cache as a peer. The first word of a work's name selects the operation.
    func joined(by peer: CachetoolsPeer?, _ count: Int) -> Work {
        guard let peer, let kind = name.split(whereSeparator: { ", ".contains($0) }).first else { return self }
        var work = self
        work.peers.append(peer.contestant(String(kind), count: count, operations: operations))
        return work
    }
}
