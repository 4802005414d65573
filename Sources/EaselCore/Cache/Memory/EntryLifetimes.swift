/// When entries expire, for caches in which any does (B10). Times are those since some fixed moment.
@usableFromInline
struct EntryLifetimes: Sendable {
    /// The end of one entry.
    @usableFromInline
    struct Expiry: Sendable {
        var deadline: Duration
        /// How long it lives after its last use, where uses prolong it.
        var extendsBy: Duration?
    }

    /// By place; empty as long as no entry has an end.
    private var expiries: ContiguousArray<Expiry?> = []
    /// How many entries have one.
    private(set) var count = 0

    subscript(place: Int32) -> Expiry? { expiries.isEmpty ? nil : expiries[Int(place)] }

    /// Sets the end of a new entry; `nil` for never.
    mutating func set(_ expiry: Expiry?, at place: Int32, slotCount: Int) {
        if expiry == nil, expiries.isEmpty { return }
        while expiries.count < slotCount {
            expiries.reserveQuarter()
            expiries.append(nil)
        }
        count += (expiry == nil ? 0 : 1) - (expiries[Int(place)] == nil ? 0 : 1)
        expiries[Int(place)] = expiry
    }

    /// Forgets an entry that is gone.
    mutating func remove(_ place: Int32) {
        guard !expiries.isEmpty, expiries[Int(place)].take() != nil else { return }
        count -= 1
    }

    func isExpired(_ place: Int32, at now: Duration) -> Bool {
        self[place].map { $0.deadline <= now } ?? false
    }

    /// Prolongs the life of an entry that was read, where that is wanted.
    mutating func didUse(_ place: Int32, at now: Duration) {
        guard let extendsBy = self[place]?.extendsBy else { return }
        expiries[Int(place)]?.deadline = now + extendsBy
    }

    /// The places that have expired.
    func expired(at now: Duration) -> [Int32] {
        expiries.indices.filter { index in expiries[index].map { $0.deadline <= now } ?? false }
            .map { Int32(truncatingIfNeeded: $0) }
    }

    /// Whether the count is right. For tests.
    var isConsistent: Bool { expiries.count { $0 != nil } == count }
}
