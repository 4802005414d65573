/// Evicted values that somebody else still holds (X097, B15), each with what it takes to store it again.
struct WeakLevel<Value> {
    /// Gives a way back to a value that does not keep it, or `nil` where nobody else holds it.
    typealias MakeReference = @Sendable (_ value: inout Value) -> (@Sendable () -> Value?)?

    struct Entry {
        var reference: @Sendable () -> Value?
        var cost: Int
        var expiry: EntryLifetimes.Expiry?

        func isExpired(at now: Duration?) -> Bool {
            guard let now, let expiry else { return false }
            return expiry.deadline <= now
        }
    }

    /// `nil` switches the level off.
    private let makeReference: MakeReference?
    private var entries: [Digest: Entry] = [:]
    private static var smallestSweep: Int { 64 }
    /// At how many entries the dead ones are looked for: twice what lived the last time, so that it costs each entry little.
    private var nextSweep = smallestSweep

    init(makeReference: MakeReference?) {
        self.makeReference = makeReference
    }

    var count: Int { entries.count }

    var digests: some Sequence<Digest> { entries.keys }

    func cost(of digest: Digest) -> Int? { entries[digest]?.cost }

    /// The value, if it is still held and has not expired.
    func value(of digest: Digest, at now: Duration?) -> Value? {
        guard !entries.isEmpty, let entry = entries[digest], !entry.isExpired(at: now) else { return nil }
        return entry.reference()
    }

    /// A way back to a value that leaves the cache, if somebody else holds it.
    func reference(to value: inout Value) -> (@Sendable () -> Value?)? { makeReference?(&value) }

    /// Takes an entry out, if there is one, with its value, if that is still held.
    mutating func take(_ digest: Digest) -> (value: Value?, entry: Entry)? {
        guard !entries.isEmpty, let entry = entries.removeValue(forKey: digest) else { return nil }
        return (entry.reference(), entry)
    }

    /// Keeps an entry: a new one, or one that was taken.
    mutating func put(_ entry: Entry, for digest: Digest) { entries[digest] = entry }

    mutating func removeAll() {
        entries = [:]
        nextSweep = Self.smallestSweep
    }

    /// Forgets those whose values are gone, where there are many entries, and returns which these were.
    ///
    /// - Parameter released: gets the values that the sweep has met. Their last holder may have gone meanwhile.
    mutating func sweepIfDue(_ released: inout Released<Value>) -> [Digest] {
        guard entries.count >= nextSweep else { return [] }
        var dead: [Digest] = []
        for (digest, entry) in entries {
            if let value = entry.reference() { released.add(value) } else { dead.append(digest) }
        }
        for digest in dead { entries[digest] = nil }
        nextSweep = max(Self.smallestSweep, entries.count * 2)
        return dead
    }
}

extension WeakLevel: Sendable where Value: Sendable {}
