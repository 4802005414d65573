import Synchronization

/// A peer that is not available.
struct MissingPeer: Error, CustomStringConvertible {
    var name: String
    var reason: String

    var description: String { "no \(name): \(reason)" }
}

/// Missing peers and works, with reasons, reported at once and below the tables.
enum Absence {
    private static let reported = Mutex<[String]>([])
    private static let missingFunctions = Mutex<[String: [String]]>([:])

    /// Whether Easel itself failed, which is an error.
    static let easelFailed = Flag()

    static func report(_ error: any Error) { report("\(error)") }

    static func report(_ text: String) {
        let isNew = reported.withLock { reported in
            guard !reported.contains(text) else { return false }
            reported.append(text)
            return true
        }
        if isNew { Progress.shared.printLine(text) }
    }

    /// Records that a peer lacks a function. Reported only below the tables, since there are many.
    static func report(_ peer: String, cannot work: String) {
        missingFunctions.withLock { missingFunctions in
            if missingFunctions[peer, default: []].contains(work) { return }
            missingFunctions[peer, default: []].append(work)
        }
    }

    /// A line for each report, and for each peer with missing functions.
    static var all: [String] {
        let peers = missingFunctions.withLock { $0 }.sorted { $0.key < $1.key }
        return reported.withLock { $0 } + peers.map { "\($0) does not support \($1.joined(separator: "; "))" }
    }

    /// Makes a value, or reports the missing peer and returns `nil`.
    static func makeOrReport<Value>(_ make: () throws -> Value) -> Value? {
        do { return try make() } catch {
            report(error)
            return nil
        }
    }
}
