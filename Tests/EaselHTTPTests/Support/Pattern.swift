import Foundation

/// Test data without repetition, so that lost or repeated chunks are detected.
enum Pattern {
    static func data(_ count: Int) -> Data {
        // A prime length, so that pieces of a power of two that are lost or repeated are detected.
        let block = Data((0..<65_521).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 5) })
        var data = Data(capacity: count + block.count)
        while data.count < count { data.append(block) }
        return data.prefix(count)
    }
}
