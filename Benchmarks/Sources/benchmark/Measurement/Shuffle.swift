/// A generator of pseudorandom numbers, the same in every run.
struct Shuffle: RandomNumberGenerator {
    private var state: UInt64 = 88_172_645_463_325_252

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }

    /// Returns numbers from 0 up to `limit`.
    static func numbers(_ count: Int, below limit: Int) -> [Int] {
        var shuffle = Shuffle()
        return (0..<count).map { _ in Int(shuffle.next() >> 1) % limit }
    }
}
