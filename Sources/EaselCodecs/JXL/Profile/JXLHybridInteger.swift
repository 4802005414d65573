#if JXL
/// How numbers become symbols: a small one is its own, a larger one has a symbol that tells how long it is, with its
/// highest and its lowest bits, and the bits in between follow (ISO/IEC 18181-1, annex C).
struct JXLHybridInteger {
    private let splitExponent: Int
    private let highBits: Int
    private let lowBits: Int

    /// `nil` for what contradicts itself.
    ///
    /// - Parameter logAlphabetSize: symbols are below 2 to the power of that.
    init?(_ reader: inout JXLBitReader, logAlphabetSize: Int) {
        guard let splitExponent = reader.bits(logAlphabetSize.significantBits) else { return nil }
        self.splitExponent = splitExponent
        guard splitExponent != logAlphabetSize else {
            (highBits, lowBits) = (0, 0)
            return
        }
        guard let high = reader.bits(splitExponent.significantBits), high <= splitExponent,
            let low = reader.bits((splitExponent - high).significantBits), high + low <= splitExponent
        else { return nil }
        (highBits, lowBits) = (high, low)
    }

    /// The number that a symbol and the bits behind it mean. `nil` beyond 32 bits.
    func number(_ symbol: Int, _ reader: inout JXLBitReader) -> Int? {
        let split = 1 << splitExponent
        guard symbol >= split else { return symbol }
        let count = splitExponent - highBits - lowBits + (symbol - split) >> (highBits + lowBits)
        guard count < 30, let middle = reader.bits(count) else { return nil }
        let high = 1 << highBits | symbol >> lowBits & (1 << highBits - 1)
        let number = (high << count | middle) << lowBits | symbol & (1 << lowBits - 1)
        return number >> 32 == 0 ? number : nil
    }
}

extension Int {
    /// Bits that a number, not below zero, needs.
    var significantBits: Int { bitWidth - leadingZeroBitCount }
}
#endif
