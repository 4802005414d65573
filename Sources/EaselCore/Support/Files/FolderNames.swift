/// Which entries a folder may hold, by the digests that their names begin with: what is not among them is not there, and
/// nobody has to ask.
///
/// A pure value. A listing tells what was there, and from before it began the system tells what comes. What goes is left
/// in: to ask for it once more is no harm.
struct FolderNames {
    /// A listing under way.
    struct Listing: Hashable {
        fileprivate let number: Int
    }

    private enum State {
        case unknown
        case listing(Listing)
        /// With the number that were there by the listing.
        case known(Int)
        /// Nobody tells of it any more.
        case closed
    }

    private var state = State.unknown
    private var digests: Set<UInt64> = []
    private var listings = 0

    /// Whether an entry is not there; `false` where nobody knows.
    func isMissing(_ digest: UInt64) -> Bool {
        guard case .known = state else { return false }
        return !digests.contains(digest)
    }

    /// A name has come. Others than those of entries mean nothing.
    mutating func appeared(_ name: some Sequence<UInt8>) {
        switch state {
        case .unknown, .closed: return
        case .listing, .known: break
        }
        guard let digest = Self.digest(name) else { return }
        digests.insert(digest)
        // With all that have gone since they would grow for ever.
        if case .known(let count) = state, digests.count > 2 * count + Self.slack { forget() }
    }

    /// Names were lost.
    mutating func forget() {
        digests = []
        if case .closed = state { return }
        state = .unknown
    }

    /// From now on nobody tells what comes, so that nothing is known any more.
    mutating func close() {
        digests = []
        state = .closed
    }

    /// A listing begins, for whoever is told its number; `nil` where none is needed.
    mutating func beginListing() -> Listing? {
        guard case .unknown = state else { return nil }
        listings += 1
        let listing = Listing(number: listings)
        state = .listing(listing)
        return listing
    }

    /// A listing ends with the digests of these names; with `nil` where it failed.
    mutating func end(_ listing: Listing, _ listed: Set<UInt64>?) {
        // Names may have been lost meanwhile.
        guard case .listing(listing) = state else { return }
        guard let listed else { return forget() }
        digests = listed.union(digests)
        state = .known(digests.count)
    }

    /// Names that may come before it is worth a listing to be rid of those that have gone.
    static let slack = 65_536

    /// Those of the entries among the names.
    static func digests(of names: [String]) -> Set<UInt64> {
        Set(names.lazy.compactMap { digest($0.utf8) })
    }

    /// The first half of the digest that an entry's name begins with; `nil` for other names. In capitals it is the same name
    /// where a file system folds case.
    private static func digest(_ name: some Sequence<UInt8>) -> UInt64? {
        var digest: UInt64 = 0
        var count = 0
        for byte in name.prefix(16) {
            guard let value = value(of: byte) else { return nil }
            digest = digest << 4 | value
            count += 1
        }
        return count == 16 ? digest : nil
    }

    private static func value(of digit: UInt8) -> UInt64? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(digit - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(digit - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(digit - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}
