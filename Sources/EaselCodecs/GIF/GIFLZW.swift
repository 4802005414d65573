import EaselCore

/// A decoder of GIF's LZW variant that decodes all codes received so far.
///
/// Each dictionary string is the previous string plus one byte, and both are adjacent in the output. The dictionary
/// therefore stores positions in the output, which replaces the byte-by-byte traversal of prefixes by a copy.
struct GIFLZW: ~Copyable {
    static let maxCodeCount = 4096

    /// The number of literal bytes stored before the output. A code for a single byte is copied like any other code,
    /// which avoids an unpredictable branch.
    static let literalCount = 256

    static func writeLiterals(into bytes: UnsafeMutableRawBufferPointer) {
        for byte in 0..<literalCount { bytes[byte] = UInt8(byte) }
    }

    /// A string in the output. Small, so that the dictionary fits the L1 cache.
    private struct Entry {
        var start: Int32
        var length: Int32
    }

    private let dictionary: UnsafeMutablePointer<Entry>
    private let minimumCodeSize: Int
    private var codeSize: Int
    private var next: Int
    private var previous = Entry(start: 0, length: 0)
    /// The number of indices written.
    private(set) var position = 0
    /// Whether decoding has ended, by an end code or an invalid code.
    private(set) var hasEnded: Bool

    init(minimumCodeSize: Int) {
        dictionary = .allocate(capacity: Self.maxCodeCount)
        for byte in 0..<Self.literalCount {
            dictionary[byte] = Entry(start: Int32(byte - Self.literalCount), length: 1)
        }
        self.minimumCodeSize = minimumCodeSize
        codeSize = minimumCodeSize + 1
        next = 1 << minimumCodeSize + 2
        // Codes have at most 12 bits and literals at most 8.
        hasEnded = !(1...8).contains(minimumCodeSize)
    }

    deinit { dictionary.deallocate() }

    /// Decodes complete codes until `output` is full. Appends to the indices written before.
    ///
    /// - Parameters:
    ///   - data: the codes, with at least four readable bytes after `bits`.
    ///   - bits: the bits of `data` that contain codes. The first code starts at the lower bound.
    ///   - output: preceded by the bytes of `writeLiterals`, and followed by at least eight writable bytes.
    /// - Returns: the position after the last code. The remaining bits are too few for another one.
    mutating func decode(
        _ data: UnsafeRawPointer, bits: Range<Int>, into output: UnsafeMutableBufferPointer<UInt8>
    ) -> Int {
        guard !hasEnded, let target = output.baseAddress, output.count <= Int(Int32.max) else { return bits.upperBound }
        // Local copies stay in registers during the loop.
        var (codeSize, next, previous, position) = (self.codeSize, self.next, self.previous, self.position)
        defer { (self.codeSize, self.next, self.previous, self.position) = (codeSize, next, previous, position) }
        let entries = dictionary
        let clear = 1 << minimumCodeSize
        let end = clear + 1
        var bit = bits.lowerBound
        while position < output.count, bit + codeSize <= bits.upperBound {
            // Uses at most 7 + 12 bits of the word, which starts inside the data.
            let word = UInt32(littleEndian: data.loadUnaligned(fromByteOffset: bit >> 3, as: UInt32.self))
            let code = Int(word >> UInt32(bit & 7)) & ((1 << codeSize) - 1)
            bit += codeSize
            if code == clear {
                (codeSize, next, previous.length) = (minimumCodeSize + 1, clear + 2, 0)
                continue
            }
            if code == end {
                hasEnded = true
                break
            }
            // The previous string plus the first byte of this one, which is about to be written after it. Added before
            // the lookup, since the code can refer to this string.
            if previous.length > 0, next < Self.maxCodeCount {
                entries[next] = Entry(start: previous.start, length: previous.length + 1)
                next += 1
            }
            // A full dictionary does not change until a clear code. With 1-bit codes, the first string precedes any
            // code.
            if next == 1 << codeSize, codeSize < 12 { codeSize += 1 }
            // The entries from `clear + 2` to `next` were written after the last clear code.
            guard code < next else {
                hasEnded = true
                break
            }
            let entry = entries[code]
            let length = min(Int(entry.length), output.count - position)
            Self.copy(target + Int(entry.start), to: target + position, length)
            previous = Entry(start: Int32(truncatingIfNeeded: position), length: Int32(truncatingIfNeeded: length))
            position += length
        }
        return bit
    }

    /// Copies words of eight bytes. The last word can extend past the end, where later output overwrites it.
    /// Overlapping ranges are copied byte by byte, since a string can contain bytes that it writes.
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

/// A writer that compresses indices into sub-blocks of up to 255 bytes, each preceded by its length.
struct GIFLZWWriter {
    private static let slotCount = 8192

    private let clear: Int
    private var codeSize: Int
    private var next: Int
    /// The keys of the hash table: the code of the prefix, and the last byte; -1 for an empty slot.
    private var keys = [Int32](repeating: -1, count: slotCount)
    private var codes = [UInt16](repeating: 0, count: slotCount)
    private var word: UInt32 = 0
    private var bitCount = 0
    private var block: [UInt8] = []

    /// Appends the code size, the sub-blocks and the terminator. Indices have at most `minimumCodeSize` bits.
    static func write(_ indices: [UInt8], minimumCodeSize: Int, to bytes: inout [UInt8]) {
        bytes.append(UInt8(minimumCodeSize))
        var writer = GIFLZWWriter(minimumCodeSize: minimumCodeSize)
        writer.write(indices, to: &bytes)
    }

    private init(minimumCodeSize: Int) {
        clear = 1 << minimumCodeSize
        codeSize = minimumCodeSize + 1
        next = clear + 2
    }

    private mutating func write(_ indices: [UInt8], to bytes: inout [UInt8]) {
        write(clear, to: &bytes)
        var prefix: Int?
        for index in indices {
            guard let known = prefix else {
                prefix = Int(index)
                continue
            }
            let key = Int32(known << 8 | Int(index))
            let slot = slot(of: key)
            if keys[slot] == key {
                prefix = Int(codes[slot])
                continue
            }
            write(known, to: &bytes)
            prefix = Int(index)
            growCodes()
            if next < GIFLZW.maxCodeCount {
                keys[slot] = key
                codes[slot] = UInt16(next)
                next += 1
            } else {
                reset(&bytes)
            }
        }
        if let prefix { write(prefix, to: &bytes) }
        growCodes()
        write(clear + 1, to: &bytes)
        finish(&bytes)
    }

    /// Widens codes when all of the current size are used. A reader adds each string one code later than the writer.
    private mutating func growCodes() {
        if next == 1 << codeSize, codeSize < 12 { codeSize += 1 }
    }

    private mutating func reset(_ bytes: inout [UInt8]) {
        write(clear, to: &bytes)
        codeSize = clear.trailingZeroBitCount + 1
        next = clear + 2
        for slot in keys.indices { keys[slot] = -1 }
    }

    /// Returns the slot of a key. At most half of the slots are used.
    private func slot(of key: Int32) -> Int {
        var slot = Int((UInt32(bitPattern: key) &* 0x9E37_79B1) >> 19)
        while keys[slot] != -1, keys[slot] != key { slot = (slot + 1) & (Self.slotCount - 1) }
        return slot
    }

    private mutating func write(_ code: Int, to bytes: inout [UInt8]) {
        // At most 7 pending bits plus a code of at most 12.
        word |= UInt32(code) << UInt32(bitCount)
        bitCount += codeSize
        while bitCount >= 8 {
            block.append(UInt8(truncatingIfNeeded: word))
            word >>= 8
            bitCount -= 8
            if block.count == 255 { endBlock(&bytes) }
        }
    }

    private mutating func finish(_ bytes: inout [UInt8]) {
        if bitCount > 0 { block.append(UInt8(truncatingIfNeeded: word)) }
        if !block.isEmpty { endBlock(&bytes) }
        bytes.append(0)
    }

    private mutating func endBlock(_ bytes: inout [UInt8]) {
        bytes.append(UInt8(block.count))
        bytes += block
        block.removeAll(keepingCapacity: true)
    }
}
