/// A time that something took, or none, in eight bytes in place of 24: a timeline has nine of them, and goes through many hands.
///
/// Exact for whole microseconds, else to 4 femtoseconds; what is longer than ten hours counts as ten.
struct BriefDuration: Sendable, Hashable {
    private var ticks = Self.none

    private static let none = Int64.min
    /// A tick is so many bits of attoseconds.
    private static let shift = 12

    var duration: Duration? {
        get { ticks == Self.none ? nil : Duration(attoseconds: Int128(ticks) << Self.shift) }
        set { ticks = newValue.map { max(Int64(clamping: $0.attoseconds >> Self.shift), -.max) } ?? Self.none }
    }
}
