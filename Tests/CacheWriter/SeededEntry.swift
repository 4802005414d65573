import EaselCore

import EaselFoundation

/// An entry whose bytes identify it, so that a test detects both torn and swapped entries: a line with its number,
/// version and length, and noise that depends only on these.
struct SeededEntry {
    let number: Int
    let version: Int

    var key: CacheKey { CacheKey("https://images.test/\(number).png") }

    var data: Data {
        var random = SplitMix(state: UInt64(number) << 32 | UInt64(version))
        let seed = random.next()
        let start = Int(seed % UInt64(Self.noise.count - Self.longest))
        let length = Int((seed >> 20) % UInt64(Self.longest))
        var data = Data("entry \(number) version \(version) length \(length)\n".utf8)
        data.append(Self.noise[start..<(start + length)])
        return data
    }

    /// Returns the version of the entry `number` that `data` is, or `nil` if the data is damaged or of another entry.
    static func version(of data: Data, number: Int) -> Int? {
        let words = data.prefix(80).prefix { $0 != UInt8(ascii: "\n") }.split(separator: UInt8(ascii: " "))
        guard words.count == 6, let version = Int(String(decoding: words[3], as: UTF8.self)) else { return nil }
        return data == SeededEntry(number: number, version: version).data ? version : nil
    }

    /// The maximum length of the noise in bytes.
    private static let longest = 40_000

    private static let noise: Data = {
        var noise = Data(capacity: 3 * longest)
        var random = SplitMix(state: 0)
        for _ in 0..<(3 * longest / 8) { withUnsafeBytes(of: random.next()) { noise.append(contentsOf: $0) } }
        return noise
    }()
}
