import Synchronization

/// A peer that is not available.
struct MissingPeer: Error, CustomStringConvertible {
    var name: String
    var reason: String

    var description: String { "no \(name): \(reason)" }
}

/// Missing peers and works, with reasons, reported at once and below the tables.
enum Absence {
    private static let told = Mutex<[String]>([])
    private static let unable = Mutex<[String: [String]]>([:])

    /// Whether Easel itself failed, which is an error.
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

    /// Records that a peer lacks a function. Reported only below the tables, since there are many.
    static func tell(_ peer: String, cannot work: String) {
        unable.withLock { unable in
            if unable[peer, default: []].contains(work) { return }
            unable[peer, default: []].append(work)
        }
    }

    /// A line for each report, and for each peer with missing functions.
    static var all: [String] {
        let peers = unable.withLock { $0 }.sorted { $0.key < $1.key }
        return told.withLock { $0 } + peers.map { "\($0) does not do \($1.joined(separator: "; "))" }
    }

    /// Makes a value, or reports the missing peer and returns `nil`.
    static func orTell<Value>(_ make: () throws -> Value) -> Value? {
        do { return try make() } catch {
            tell(error)
            return nil
        }
    }
}
