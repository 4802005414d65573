/// The variant of LZW that GIF compresses its indices with.
///
/// A string of the dictionary is the one before it and a byte more, and both stand side by side in the output. So the
/// dictionary holds places in the output, and a string is copied from there, instead of being followed backwards byte
/// by byte through prefixes.
enum GIFLZW {
    private static let mostCodes = 4096

    /// Decodes as many indices as `output` has room for. Returns how many there were: fewer where the data ends early
    /// or makes no sense.
    ///
    /// - Parameters:
    ///   - data: the codes, with at least four bytes behind `count` that can be read.
    ///   - count: the bytes of codes.
    ///   - output: behind it are at least eight more bytes that may be written.
    static func decode(
        _ data: UnsafeRawPointer, count: Int, minimumCodeSize: Int, into output: UnsafeMutableBufferPointer<UInt8>
    ) -> Int {
        // Codes of more than 12 bits do not exist, and a byte has no more than 8.
        guard (1...8).contains(minimumCodeSize), let target = output.baseAddress, output.count <= Int(Int32.max)
        else { return 0 }
        return withUnsafeTemporaryAllocation(of: Entry.self, capacity: mostCodes) { dictionary in
            guard let entries = dictionary.baseAddress else { return 0 }
            return decode(data, bitCount: count * 8, minimumCodeSize, entries, target, limit: output.count)
        }
    }

    /// A string that already stands in the output. Small, so that the whole dictionary stays in the nearest cache.
    private struct Entry {
        var start: Int32
        var length: Int32
    }

    private static func decode(
        _ data: UnsafeRawPointer, bitCount: Int, _ minimumCodeSize: Int, _ entries: UnsafeMutablePointer<Entry>,
        _ output: UnsafeMutablePointer<UInt8>, limit: Int
    ) -> Int {
        let clear = 1 << minimumCodeSize
        let end = clear + 1
        var codeSize = minimumCodeSize + 1
        var next = clear + 2
        var previous = Entry(start: 0, length: 0)
        var position = 0
        var bit = 0
        while position < limit, bit + codeSize <= bitCount {
            // At most 7 + 12 bits of the word are used, which starts inside the data.
            let word = UInt32(littleEndian: data.loadUnaligned(fromByteOffset: bit >> 3, as: UInt32.self))
            let code = Int(word >> UInt32(bit & 7)) & ((1 << codeSize) - 1)
            bit += codeSize
            if code == clear {
                (codeSize, next, previous.length) = (minimumCodeSize + 1, clear + 2, 0)
                continue
            }
            if code == end { break }
            // The string before and the first byte of this one, which is about to stand behind it. Written before the
            // code is looked up, because the code may be this very string.
            if previous.length > 0, next < mostCodes {
                entries[next] = Entry(start: previous.start, length: previous.length + 1)
                next += 1
                if next == 1 << codeSize, codeSize < 12 { codeSize += 1 }
            }
            var length = 1
            if code < clear {
                output[position] = UInt8(truncatingIfNeeded: code)
            } else {
                // Entries from `clear + 2` up to `next` have been written since the last clear code.
                guard code < next else { break }
                length = min(Int(entries[code].length), limit - position)
                copy(output + Int(entries[code].start), to: output + position, length)
            }
            previous = Entry(start: Int32(truncatingIfNeeded: position), length: Int32(truncatingIfNeeded: length))
            position += length
        }
        return position
    }

    /// Words of eight bytes, the last of which may reach over the end: what stands there is written later. Byte by byte from
    /// the front where the two overlap: the string may end with a byte that it is about to write.
    @inline(__always)
    private static func copy(_ source: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt8>, _ length: Int) {
        if source + 8 <= target {
            let (from, to) = (UnsafeRawPointer(source), UnsafeMutableRawPointer(target))
            var offset = 0
            repeat {
                to.storeBytes(
                    of: from.loadUnaligned(fromByteOffset: offset, as: UInt64.self), toByteOffset: offset,
                    as: UInt64.self)
                offset += 8
            } while offset < length
        } else {
            for index in 0..<length { target[index] = source[index] }
        }
    }
}
