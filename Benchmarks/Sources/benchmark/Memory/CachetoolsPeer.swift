/// Python's cachetools, in a process of its own, which measures by its own clock.
final class CachetoolsPeer: Sendable {
    static let name = "cachetools"
    private let process: PythonProcess

    init() throws {
        process = try PythonProcess(for: Self.name, script: "caches-peer", packages: [.cachetools])
    }

    /// Nanoseconds for one of `operations`, on a cache of so many entries.
    func contestant(_ work: String, count: Int, operations: Int) -> Contestant {
        Contestant(
            Self.name, in: process.place,
            .counted { [process] in
                let answer = try process.ask([work, count, operations])
                guard let time = PythonProcess.numbers(answer).first else {
                    throw WrongResult(contestant: Self.name, work: work)
                }
                return time
            })
    }
}

extension Work {
    /// With Python's cache as one more peer; the first word of a work's name is what is done.
    func joined(by peer: CachetoolsPeer?, _ count: Int) -> Work {
        guard let peer, let kind = name.split(whereSeparator: { ", ".contains($0) }).first else { return self }
        var work = self
        work.peers.append(peer.contestant(String(kind), count: count, operations: operations))
        return work
    }
}
