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
