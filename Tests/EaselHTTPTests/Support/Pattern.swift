import Foundation

/// Bytes in which every part looks different, made fast.
enum Pattern {
    static func data(_ count: Int) -> Data {
        // A prime length, so that no power of two hides a piece that is lost or comes twice.
        let block = Data((0..<65_521).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 5) })
        var data = Data(capacity: count + block.count)
        while data.count < count { data.append(block) }
        return data.prefix(count)
    }
}
