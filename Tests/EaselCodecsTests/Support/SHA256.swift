/// SHA-256 (FIPS 180-4), for comparing pixels with known hashes.
enum SHA256 {
    static func hexDigest(_ message: [UInt8]) -> String {
        var state: [UInt32] = [
            0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
        ]
        var padded = message + [0x80]
        padded += [UInt8](repeating: 0, count: (120 - padded.count % 64) % 64)
        for shift in stride(from: 56, through: 0, by: -8) {
            padded.append(UInt8(truncatingIfNeeded: (message.count * 8) >> shift))
        }
        padded.withUnsafeBufferPointer { bytes in
            constants.withUnsafeBufferPointer { constants in
                for block in stride(from: 0, to: bytes.count, by: 64) { compress(&state, bytes, at: block, constants) }
            }
        }
        return state.map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }.joined()
    }

    private static func compress(
        _ state: inout [UInt32], _ bytes: UnsafeBufferPointer<UInt8>, at start: Int,
        _ constants: UnsafeBufferPointer<UInt32>
    ) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { words in
            for i in 0..<16 {
                let j = start &+ i &* 4
                words[i] =
                    UInt32(bytes[j]) << 24 | UInt32(bytes[j &+ 1]) << 16 | UInt32(bytes[j &+ 2]) << 8
                    | UInt32(bytes[j &+ 3])
            }
            for i in 16..<64 {
                let a = words[i &- 15]
                let b = words[i &- 2]
                words[i] =
                    words[i &- 16] &+ (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) &+ words[i &- 7]
                    &+ (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10)
            }
            var (a, b, c, d) = (state[0], state[1], state[2], state[3])
            var (e, f, g, h) = (state[4], state[5], state[6], state[7])
            for i in 0..<64 {
                let first =
                    h &+ (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) &+ ((e & f) ^ (~e & g)) &+ constants[i]
                    &+ words[i]
                let second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) &+ ((a & b) ^ (a & c) ^ (b & c))
                (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
            }
            for (index, value) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= value }
        }
    }

    @inline(__always)
    private static func rotate(_ value: UInt32, _ count: UInt32) -> UInt32 {
        value &>> count | value &<< (32 &- count)
    }

    /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
    private static let constants: [UInt32] = {
        var primes: [Int] = []
        var candidate = 2
        while primes.count < 64 {
            if primes.allSatisfy({ candidate % $0 != 0 }) { primes.append(candidate) }
            candidate += 1
        }
        return primes.map { prime in
            // The integer cube root of prime * 2^96, whose low 32 bits are the fraction.
            var root: UInt64 = 0
            for bit in stride(from: UInt64(36), through: 0, by: -1) {
                let trial = root | 1 << bit
                if cube(trial) <= UInt128(prime) << 96 { root = trial }
            }
            return UInt32(truncatingIfNeeded: root)
        }
    }()

    private static func cube(_ value: UInt64) -> UInt128 {
        UInt128(value) * UInt128(value) * UInt128(value)
    }
}
