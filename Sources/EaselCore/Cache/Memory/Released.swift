/// Values that left the cache, carried out of its lock to be destroyed there: their ends may take long, and may call
/// the cache. One value, the usual number, needs no array.
@usableFromInline
struct Released<Value> {
    @usableFromInline var first: Value?
    @usableFromInline var others: [Value] = []

    @inlinable
    init() {}

    @inlinable
    mutating func add(_ value: consuming Value) {
        if first == nil { first = consume value } else { others.append(consume value) }
    }

    @inlinable
    mutating func add(_ value: consuming Value?) {
        if let value = consume value { add(value) }
    }

    /// All of them, the first to leave first.
    var values: [Value] { first.map { [$0] + others } ?? [] }
}

extension Released: Sendable where Value: Sendable {}
