import Foundation

/// A file cut at fifty places, and with bytes changed in two thousand ways: the same each time, so that a number is all
/// that a finding needs. Chance alone hardly meets a header of thirty bytes: every other change is among the first 512.
struct DamagedFile {
    static let cuts = 50
    static let changes = 2_000

    let file: Data

    /// The numbers of all that can be made of it; none of an empty file.
    var numbers: Range<Int> { file.isEmpty ? 0..<0 : 0..<(Self.cuts + Self.changes) }

    /// The first `cuts` are cut short, one byte less than whole the last of them; the others have one to four bytes changed.
    subscript(number: Int) -> Data {
        if number < Self.cuts { return file.prefix((file.count - 1) * number / (Self.cuts - 1)) }
        var changed = file
        var state = UInt64(number)
        for _ in 0...(number / 2 % 4) {
            let count = number % 2 == 0 ? file.count : min(file.count, 512)
            let place = Self.next(&state) % count
            changed[place] ^= UInt8(1 + Self.next(&state) % 255)
        }
        return changed
    }

    /// Knuth's linear congruential generator (MMIX), of which the upper bits are the good ones.
    private static func next(_ state: inout UInt64) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33)
    }
}
