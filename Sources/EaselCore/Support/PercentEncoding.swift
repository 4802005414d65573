/// Percent-encoding of bytes (RFC 3986, section 2.1).
package enum PercentEncoding {
    private static let sign = UInt8(ascii: "%")

    /// Returns the decoded bytes. Returns `nil` if a percent sign without two hexadecimal digits may not be kept.
    package static func decode<Bytes: RangeReplaceableCollection<UInt8>>(
        _ text: some Collection<UInt8>, keepsStrayPercents: Bool = false
    ) -> Bytes? {
        var bytes = Bytes()
        bytes.reserveCapacity(text.count)
        var rest = text[...]
        while let byte = rest.popFirst() {
            guard byte == sign else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
            if digits.count == 2 {
                bytes.append(UInt8(digits[0] << 4 | digits[1]))
                rest = rest.dropFirst(2)
            } else if keepsStrayPercents {
                bytes.append(byte)
            } else {
                return nil
            }
        }
        return bytes
    }

    /// Returns the text with each byte encoded that is neither unreserved (RFC 3986, section 2.3) nor in `allowed`.
    package static func encode(_ text: String, except allowed: String = "") -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if isUnreserved(byte) || allowed.utf8.contains(byte) {
                bytes.append(byte)
            } else {
                bytes += escape(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the three bytes that encode a byte.
    package static func escape(_ byte: UInt8) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return [sign, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default:
            false
        }
    }
}

/// Returns bytes in lower-case hexadecimal digits.
package func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
}
