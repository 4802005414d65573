/// The sockets that libcurl wants to hear of, and those that it will want to hear of again: what its thread sleeps on.
///
/// A kept connection is listened to between two exchanges too, though libcurl takes its socket back for that time: so the next
/// request on it changes nothing, and whoever sends it need not wake the thread. Pure: descriptors are numbers here.
struct SocketTable {
    /// What a socket is waited for.
    struct Interest: OptionSet, Hashable {
        let rawValue: UInt8
        static let reading = Interest(rawValue: 1)
        static let writing = Interest(rawValue: 2)
    }

    /// A socket to sleep on.
    struct Watch: Equatable {
        var descriptor: Int32
        var interest: Interest
    }

    private struct Entry {
        /// Empty while libcurl does not want it.
        var wanted: Interest
        /// What the thread that sleeps listens to, or slept on last.
        var heard: Interest = []
    }

    private var entries: [Int32: Entry] = [:]
    /// Whether what is to be slept on differs from the last sleep's.
    private var hasChanged = true
    private var watches: [Watch] = []

    /// Whether the thread, if it sleeps, would miss something that is wanted.
    var isMissing: Bool {
        hasChanged && entries.values.contains { !$0.wanted.isEmpty && $0.wanted != $0.heard }
    }

    /// libcurl wants to hear of a socket.
    mutating func want(_ descriptor: Int32, _ interest: Interest) {
        let heard = entries[descriptor]?.heard ?? []
        entries[descriptor] = Entry(wanted: interest, heard: heard)
        // To listen for more than is wanted would find a socket ready that nobody deals with.
        guard heard != interest else { return }
        hasChanged = true
    }

    /// libcurl does not want to hear of it for now. A connection's socket is listened to on and on.
    mutating func release(_ descriptor: Int32, isConnection: Bool) {
        guard isConnection, let heard = entries[descriptor]?.heard, heard == .reading else {
            return forget(descriptor)
        }
        entries[descriptor]?.wanted = []
    }

    /// It is closed: its number may be another's from now on.
    mutating func forget(_ descriptor: Int32) {
        guard entries.removeValue(forKey: descriptor) != nil else { return }
        hasChanged = true
    }

    /// Something has happened to a socket. Returns whether libcurl wants to hear of it; where it does not, for a server
    /// has closed a connection, say, it is not listened to any more.
    mutating func heard(_ descriptor: Int32) -> Bool {
        guard let entry = entries[descriptor] else { return false }
        if entry.wanted.isEmpty { forget(descriptor) }
        return !entry.wanted.isEmpty
    }

    /// The thread goes to sleep: on these.
    mutating func sleep() -> [Watch] {
        guard hasChanged else { return watches }
        hasChanged = false
        watches = []
        for (descriptor, entry) in entries {
            let interest = entry.wanted.isEmpty ? .reading : entry.wanted
            entries[descriptor]?.heard = interest
            watches.append(Watch(descriptor: descriptor, interest: interest))
        }
        return watches
    }
}
