import EaselCore

/// The variant of LZW that GIF compresses its indices with, decoded as far as the codes have come.
///
/// A string of the dictionary is the one before it and a byte more, and both stand side by side in the output. So the
/// dictionary holds places in the output, and a string is copied from there, instead of being followed backwards byte
/// by byte through prefixes.
struct GIFLZW: ~Copyable {
    private static let mostCodes = 4096

    /// Every byte stands once in front of the output, so that a code that stands for one is copied as the others are: a
    /// branch on the kind would be unpredictable.
    static let literalCount = 256

    /// Writes them.
    static func putLiterals(into bytes: UnsafeMutableRawBufferPointer) {
        for byte in 0..<literalCount { bytes[byte] = UInt8(byte) }
    }

    /// A string that already stands in the output. Small, so that the whole dictionary stays in the nearest cache.
    private struct Entry {
        var start: Int32
        var length: Int32
    }

    private let dictionary: UnsafeMutablePointer<Entry>
    private let minimumCodeSize: Int
    private var codeSize: Int
    private var next: Int
    private var previous = Entry(start: 0, length: 0)
    /// Indices that have been written.
    private(set) var position = 0
    /// Whether no more will be: after the end code, and after one that makes no sense.
    private(set) var hasEnded: Bool

    init(minimumCodeSize: Int) {
        dictionary = .allocate(capacity: Self.mostCodes)
        for byte in 0..<Self.literalCount {
            dictionary[byte] = Entry(start: Int32(byte - Self.literalCount), length: 1)
        }
        self.minimumCodeSize = minimumCodeSize
        codeSize = minimumCodeSize + 1
        next = 1 << minimumCodeSize + 2
        // Codes of more than 12 bits do not exist, and a byte has no more than 8.
        hasEnded = !(1...8).contains(minimumCodeSize)
    }

    deinit {
        dictionary.deallocate()
    }

    /// Decodes whole codes, as many as `output` has room for, behind the indices that it has written there before.
    ///
    /// - Parameters:
    ///   - data: the codes, with at least four bytes behind `bits` that can be read.
    ///   - bits: the bits of `data` that hold codes. The first code is that of its lower bound.
    ///   - output: in front of it is what `putLiterals` has written, behind it are at least eight more bytes that may be written.
    /// - Returns: the bit behind the last code that was read: the rest is too short for one.
    mutating func decode(
        _ data: UnsafeRawPointer, bits: Range<Int>, into output: UnsafeMutableBufferPointer<UInt8>
    ) -> Int {
        guard !hasEnded, let target = output.baseAddress, output.count <= Int(Int32.max) else { return bits.upperBound }
        // Kept in registers while the loop runs.
        var (codeSize, next, previous, position) = (self.codeSize, self.next, self.previous, self.position)
        defer { (self.codeSize, self.next, self.previous, self.position) = (codeSize, next, previous, position) }
        let entries = dictionary
        let clear = 1 << minimumCodeSize
        let end = clear + 1
        var bit = bits.lowerBound
        while position < output.count, bit + codeSize <= bits.upperBound {
            // At most 7 + 12 bits of the word are used, which starts inside the data.
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
            // The string before and the first byte of this one, which is about to stand behind it. Written before the
            // code is looked up, because the code may be this very string.
            if previous.length > 0, next < Self.mostCodes {
                entries[next] = Entry(start: previous.start, length: previous.length + 1)
                next += 1
            }
            // Once all codes are defined, they keep their size and their strings until a clear code comes. Codes of one bit
            // have their first string before one is defined.
            if next == 1 << codeSize, codeSize < 12 { codeSize += 1 }
            // Entries from `clear + 2` up to `next` have been written since the last clear code.
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

/// Compresses indices as `GIFLZW` reads them, into blocks of up to 255 bytes behind their length.
struct GIFLZWWriter {
    private static let mostCodes = 4096
    private static let slotCount = 8192

    private let clear: Int
    private var codeSize: Int
    private var next: Int
    /// Strings by hash: the code of what comes before the last byte, and that byte; -1 where there is none.
    private var keys = [Int32](repeating: -1, count: slotCount)
    private var codes = [UInt16](repeating: 0, count: slotCount)
    private var word: UInt32 = 0
    private var bitCount = 0
    private var block: [UInt8] = []

    /// Appends the code size, the blocks and their end to `bytes`. All indices have at most `minimumCodeSize` bits.
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
        put(clear, to: &bytes)
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
            put(known, to: &bytes)
            prefix = Int(index)
            growCodes()
            if next < Self.mostCodes {
                keys[slot] = key
                codes[slot] = UInt16(next)
                next += 1
            } else {
                startAgain(&bytes)
            }
        }
        if let prefix { put(prefix, to: &bytes) }
        growCodes()
        put(clear + 1, to: &bytes)
        finish(&bytes)
    }

    /// A reader adds a string one code later than the writer: it needs the longer code when the writer has none left.
    private mutating func growCodes() {
        if next == 1 << codeSize, codeSize < 12 { codeSize += 1 }
    }

    private mutating func startAgain(_ bytes: inout [UInt8]) {
        put(clear, to: &bytes)
        codeSize = clear.trailingZeroBitCount + 1
        next = clear + 2
        for slot in keys.indices { keys[slot] = -1 }
    }

    /// At most half of the slots are ever taken.
    private func slot(of key: Int32) -> Int {
        var slot = Int((UInt32(bitPattern: key) &* 0x9E37_79B1) >> 19)
        while keys[slot] != -1, keys[slot] != key { slot = (slot + 1) & (Self.slotCount - 1) }
        return slot
    }

    private mutating func put(_ code: Int, to bytes: inout [UInt8]) {
        // At most 7 bits wait, and a code has at most 12.
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
