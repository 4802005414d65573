/// MD5 (RFC 1321), for names of cache files and keys alone, as SDWebImage has them (S121). No secret depends on it.
struct MD5 {
    /// The digest of the UTF-8 form of `text`, as two words in the order of its bytes.
    static func digest(_ text: String) -> (high: UInt64, low: UInt64) {
        var text = text
        return text.withUTF8 { digest(UnsafeRawBufferPointer($0)) }
    }

    /// The digest of `bytes`.
    static func digest(_ bytes: UnsafeRawBufferPointer) -> (high: UInt64, low: UInt64) {
        var state = MD5()
        let whole = bytes.count / 64 * 64
        for start in stride(from: 0, to: whole, by: 64) {
            state.absorb(UnsafeRawBufferPointer(rebasing: bytes[start..<(start + 64)]))
        }
        state.absorbTail(UnsafeRawBufferPointer(rebasing: bytes[whole...]), total: bytes.count)
        return state.words
    }

    private var a: UInt32 = 0x6745_2301
    private var b: UInt32 = 0xEFCD_AB89
    private var c: UInt32 = 0x98BA_DCFE
    private var d: UInt32 = 0x1032_5476

    private var words: (high: UInt64, low: UInt64) {
        (
            UInt64(a.byteSwapped) << 32 | UInt64(b.byteSwapped),
            UInt64(c.byteSwapped) << 32 | UInt64(d.byteSwapped)
        )
    }

    /// The rest, a one bit, zeros, and the length in bits: one block or two.
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
        var (a, b, c, d) = (self.a, self.b, self.c, self.d)
        for step in 0..<64 {
            let mixed: UInt32
            let word: Int
            switch step >> 4 {
            case 0: (mixed, word) = ((b & c) | (~b & d), step)
            case 1: (mixed, word) = ((d & b) | (~d & c), (5 * step + 1) & 15)
            case 2: (mixed, word) = (b ^ c ^ d, (3 * step + 5) & 15)
            default: (mixed, word) = (c ^ (b | ~d), (7 * step) & 15)
            }
            let input = UInt32(littleEndian: block.loadUnaligned(fromByteOffset: word * 4, as: UInt32.self))
            let sum = a &+ mixed &+ Self.sines[step] &+ input
            let turn = Self.turns[(step >> 4) << 2 | step & 3]
            (a, d, c, b) = (d, c, b, b &+ (sum << turn | sum >> (32 - turn)))
        }
        self.a &+= a
        self.b &+= b
        self.c &+= c
        self.d &+= d
    }

    private static let turns: [UInt32] = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]

    /// floor(2^32 * abs(sin(i + 1))), RFC 1321 3.4.
    private static let sines: [UInt32] = [
        0xD76A_A478, 0xE8C7_B756, 0x2420_70DB, 0xC1BD_CEEE, 0xF57C_0FAF, 0x4787_C62A, 0xA830_4613, 0xFD46_9501,
        0x6980_98D8, 0x8B44_F7AF, 0xFFFF_5BB1, 0x895C_D7BE, 0x6B90_1122, 0xFD98_7193, 0xA679_438E, 0x49B4_0821,
        0xF61E_2562, 0xC040_B340, 0x265E_5A51, 0xE9B6_C7AA, 0xD62F_105D, 0x0244_1453, 0xD8A1_E681, 0xE7D3_FBC8,
        0x21E1_CDE6, 0xC337_07D6, 0xF4D5_0D87, 0x455A_14ED, 0xA9E3_E905, 0xFCEF_A3F8, 0x676F_02D9, 0x8D2A_4C8A,
        0xFFFA_3942, 0x8771_F681, 0x6D9D_6122, 0xFDE5_380C, 0xA4BE_EA44, 0x4BDE_CFA9, 0xF6BB_4B60, 0xBEBF_BC70,
        0x289B_7EC6, 0xEAA1_27FA, 0xD4EF_3085, 0x0488_1D05, 0xD9D4_D039, 0xE6DB_99E5, 0x1FA2_7CF8, 0xC4AC_5665,
        0xF429_2244, 0x432A_FF97, 0xAB94_23A7, 0xFC93_A039, 0x655B_59C3, 0x8F0C_CC92, 0xFFEF_F47D, 0x8584_5DD1,
        0x6FA8_7E4F, 0xFE2C_E6E0, 0xA301_4314, 0x4E08_11A1, 0xF753_7E82, 0xBD3A_F235, 0x2AD7_D2BB, 0xEB86_D391,
    ]
}
