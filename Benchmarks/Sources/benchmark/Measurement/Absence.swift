import Synchronization

/// A peer that cannot take part here.
struct MissingPeer: Error, CustomStringConvertible {
    var name: String
    var reason: String

    var description: String { "no \(name): \(reason)" }
}

/// Who and what was left out, and why: told at once, and under the tables.
enum Absence {
    private static let told = Mutex<[String]>([])
    private static let unable = Mutex<[String: [String]]>([:])

    /// Whether Easel itself did something wrong, which is worse than being left out.
    static let easelFailed = Flag()

    static func tell(_ error: any Error) { tell("\(error)") }

    static func tell(_ text: String) {
        let isNew = told.withLock { told in
            guard !told.contains(text) else { return false }
            told.append(text)
            return true
        }
        if isNew { Progress.shared.say(text) }
    }

    /// A peer that is here, and has no such function. Told under the tables alone: there are many.
    static func tell(_ peer: String, cannot work: String) {
        unable.withLock { unable in
            if unable[peer, default: []].contains(work) { return }
            unable[peer, default: []].append(work)
        }
    }

    /// A line for each thing that was told, and for each peer that cannot do everything.
    static var all: [String] {
        let peers = unable.withLock { $0 }.sorted { $0.key < $1.key }
        return told.withLock { $0 } + peers.map { "\($0) does not do \($1.joined(separator: "; "))" }
    }

    /// Somebody who cannot take part is named and left out.
    static func orTell<Value>(_ make: () throws -> Value) -> Value? {
        do { return try make() } catch {
            tell(error)
            return nil
        }
    }
}
