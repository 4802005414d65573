import Foundation

/// A file truncated at fifty offsets, and with bytes changed two thousand times. Deterministic, so a number
/// identifies an input. Every other change is in the first 512 bytes, to hit the header often.
struct DamagedFile {
    static let cuts = 50
    static let changes = 2_000

    let file: Data

    /// The numbers of all inputs. Empty for an empty file.
    var numbers: Range<Int> { file.isEmpty ? 0..<0 : 0..<(Self.cuts + Self.changes) }

    /// The first `cuts` inputs are truncated, the last of them by one byte; the others have one to four changed bytes.
    subscript(number: Int) -> Data {
        if number < Self.cuts { return file.prefix((file.count - 1) * number / (Self.cuts - 1)) }
        var changed = file
        var state = UInt64(number)
        for _ in 0...(number / 2 % 4) {
            let count = number % 2 == 0 ? file.count : min(file.count, 512)
            let index = Self.next(&state) % count
            changed[index] ^= UInt8(1 + Self.next(&state) % 255)
        }
        return changed
    }

    /// Returns the next number of Knuth's linear congruential generator (MMIX). Its upper bits are the better ones.
    private static func next(_ state: inout UInt64) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33)
    }
}
