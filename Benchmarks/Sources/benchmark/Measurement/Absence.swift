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

    static var all: [String] { told.withLock { $0 } }

    /// Somebody who cannot take part is named and left out.
    static func orTell<Value>(_ make: () throws -> Value) -> Value? {
        do { return try make() } catch {
            tell(error)
            return nil
        }
    }
}
