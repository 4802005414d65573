import CEaselSystem

/// MD5 (RFC 1321), for the names of cache files and for keys. No secret depends on it.
struct MD5 {
    /// Returns the digest of the UTF-8 form of `text`.
    static func digest(_ text: String) -> (high: UInt64, low: UInt64) {
        text.withBytes { digest(UnsafeRawBufferPointer($0)) }
    }

    /// Returns the digest of `bytes`.
    static func digest(_ bytes: UnsafeRawBufferPointer) -> (high: UInt64, low: UInt64) {
        var state = MD5()
        let whole = bytes.count / 64 * 64
        for start in stride(from: 0, to: whole, by: 64) {
            state.absorb(UnsafeRawBufferPointer(rebasing: bytes[start..<(start + 64)]))
        }
        state.absorbTail(UnsafeRawBufferPointer(rebasing: bytes[whole...]), total: bytes.count)
        return state.digest
    }

    private var words = (UInt32(0x6745_2301), UInt32(0xEFCD_AB89), UInt32(0x98BA_DCFE), UInt32(0x1032_5476))

    private var digest: (high: UInt64, low: UInt64) {
        (
            UInt64(words.0.byteSwapped) << 32 | UInt64(words.1.byteSwapped),
            UInt64(words.2.byteSwapped) << 32 | UInt64(words.3.byteSwapped)
        )
    }

    /// Absorbs the remainder, a one bit, zeros, and the length in bits: one block or two.
    private mutating func absorbTail(_ tail: UnsafeRawBufferPointer, total: Int) {
        withUnsafeTemporaryAllocation(byteCount: 128, alignment: 8) { block in
            block.initializeMemory(as: UInt8.self, repeating: 0)
            block.copyMemory(from: tail)
            block[tail.count] = 0x80
            let count = tail.count < 56 ? 64 : 128
            block.storeBytes(of: (UInt64(total) << 3).littleEndian, toByteOffset: count - 8, as: UInt64.self)
            for start in stride(from: 0, to: count, by: 64) {
                absorb(UnsafeRawBufferPointer(rebasing: block[start..<(start + 64)]))
            }
        }
    }

    private mutating func absorb(_ block: UnsafeRawBufferPointer) {
        withUnsafeMutableBytes(of: &words) { words in
            easel_md5_update(words.assumingMemoryBound(to: UInt32.self).baseAddress, block.baseAddress)
        }
    }
}
