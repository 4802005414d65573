import EaselTesting
package import EaselFoundation

/// Truncated or changed files, for which a decoder must quickly return an image or an error.
package enum DamagedFiles {
    /// Returns the file truncated at `places` offsets.
    package static func cut(_ file: Data, places: Int = 50) -> [Data] {
        (0..<places).map { file.prefix(file.count * $0 / places) }
    }

    /// Returns the file with one to four bytes changed, `count` times, with the same changes on every run.
    package static func changed(_ file: Data, count: Int = 500) -> [Data] {
        file.isEmpty ? [] : (0..<count).map { changed(file, round: $0) }
    }

    /// Returns a file with one to four bytes changed, depending on the number of the round.
    package static func changed(_ file: Data, round: Int) -> Data {
        var changed = file
        var random = SeededGenerator(seed: UInt64(file.count) << 32 | UInt64(round))
        for _ in 0...(round % 4) {
            changed[Int.random(in: 0..<file.count, using: &random)] ^= UInt8.random(in: 1 ... .max, using: &random)
        }
        return changed
    }
}
