import Testing

@testable import EaselCore

@Suite("MD5")
struct MD5Tests {
    @Test(
        "digests match RFC 1321 A.5",
        arguments: [
            ("", "d41d8cd98f00b204e9800998ecf8427e"),
            ("a", "0cc175b9c0f1b6a831c399e269772661"),
            ("abc", "900150983cd24fb0d6963f7d28e17f72"),
            ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
            ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
            ("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", "d174ab98d277d9f5a5611c2c9f419d9f"),
            (
                "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
                "57edf4a22be3c955ac49da2e2107b67a"
            ),
        ])
    func vectors(text: String, digest: String) {
        #expect(hexadecimal(MD5.digest(text)) == digest)
    }

    @Test(
        "lengths near the end of a block are padded into one or two blocks",
        arguments: [
            (55, "ef1772b6dff9a122358552954ad0df65"), (56, "3b0c8ac703f828b04c6c197006d17218"),
            (57, "652b906d60af96844ebd21b674f35e93"), (63, "b06521f39153d618550606be297466d5"),
            (64, "014842d480b571495a4a0363793f7367"), (65, "c743a45e0d2e6a95cb859adae0248435"),
            (119, "8a7bd0732ed6a28ce75f6dabc90e1613"), (120, "5f61c0ccad4cac44c75ff505e1f1e537"),
            (1000, "cabe45dcc9ae5b66ba86600cca6b8ba8"),
        ])
    func padding(length: Int, digest: String) {
        #expect(hexadecimal(MD5.digest(String(repeating: "a", count: length))) == digest)
    }

    @Test("the digest does not depend on alignment")
    func unaligned() {
        let text = Array("an unaligned message that is longer than one block of sixty-four bytes, by some".utf8)
        for shift in 1..<8 {
            let shifted = [UInt8](repeating: 0, count: shift) + text
            let digest = shifted.withUnsafeBytes { MD5.digest(UnsafeRawBufferPointer(rebasing: $0[shift...])) }
            #expect(hexadecimal(digest) == hexadecimal(text.withUnsafeBytes { MD5.digest($0) }))
        }
    }

    private func hexadecimal(_ digest: (high: UInt64, low: UInt64)) -> String {
        [digest.high, digest.low].map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
