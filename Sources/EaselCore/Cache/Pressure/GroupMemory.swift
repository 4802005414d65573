/// What a control group tells of its memory, where the kernel does not tell how long tasks wait for it.
struct GroupMemory: Equatable {
    /// How often it was made to give memory back: at the limit that slows it down, and at that which it must keep.
    var reclaims = 0
    /// How often it ran out, and how often a process was ended for it.
    var failures = 0
    /// How much of its limit is taken by what cannot simply be dropped, from 0 to 1; `nil` where that is not to be known.
    var boundShare: Double?

    /// - Parameter read: gives the text of one of the group's files.
    /// - Returns: `nil` for a group without `memory.events`, as the root is one.
    init?(_ read: (_ name: String) -> String?) {
        guard let events = read("memory.events").map(Self.fields), let atMost = events["max"] else { return nil }
        reclaims = (events["high"] ?? 0) + atMost
        failures = (events["oom"] ?? 0) + (events["oom_kill"] ?? 0)
        let limits = ["memory.high", "memory.max"].compactMap { read($0).flatMap(Self.number) }
        if let limit = limits.min(), limit > 0, let used = read("memory.current").flatMap(Self.number),
            let parts = read("memory.stat").map(Self.fields)
        {
            let droppable = max(0, (parts["file"] ?? 0) - (parts["shmem"] ?? 0))
            boundShare = Double(max(0, used - droppable)) / Double(limit)
        }
    }

    /// How short memory is, as far as what happened since shows.
    ///
    /// That memory was taken back says little by itself: a group that reads files fills its limit with copies of them, and
    /// drops these without harm.
    func pressure(since before: GroupMemory) -> MemoryPressure? {
        if failures > before.failures { return .critical }
        guard reclaims > before.reclaims else { return nil }
        switch boundShare {
        case .some(0.9...): return .critical
        case .some(..<0.7): return nil
        default: return .warning
        }
    }

    /// Lines of a name and a number.
    private static func fields(_ text: String) -> [Substring: Int] {
        var fields: [Substring: Int] = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.count == 2, let number = Int(words[1]) { fields[words[0]] = number }
        }
        return fields
    }

    /// `max`, which is no number, limits nothing.
    private static func number(_ text: String) -> Int? { Int(text.prefix { !$0.isNewline }) }
}
