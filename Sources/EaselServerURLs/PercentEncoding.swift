#if Server
/// Percent-encoding (RFC 3986, section 2.1) of bytes.
enum PercentEncoding {
    private static let sign = UInt8(ascii: "%")

    /// Returns the decoded bytes, or `nil` if a percent sign is not followed by two hexadecimal digits.
    static func decode(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        guard bytes.contains(sign) else { return Array(bytes) }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            guard bytes[index] == sign else {
                decoded.append(bytes[index])
                index += 1
                continue
            }
            guard index + 2 < bytes.endIndex, let high = bytes[index + 1].hexadecimalDigit,
                let low = bytes[index + 2].hexadecimalDigit
            else { return nil }
            decoded.append(high << 4 | low)
            index += 3
        }
        return decoded
    }

    /// Returns the text with every byte encoded that a URL cannot contain, and every percent sign that encodes nothing.
    static func encodeInvalid(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var encoded: [UInt8] = []
        encoded.reserveCapacity(bytes.count)
        for (index, byte) in bytes.enumerated() {
            let isValid =
                byte == sign
                ? index + 2 < bytes.count && bytes[index + 1].hexadecimalDigit != nil
                    && bytes[index + 2].hexadecimalDigit != nil
                : (0x21...0x7E).contains(byte) && !invalid.contains(byte)
            if isValid {
                encoded.append(byte)
            } else {
                encoded += [sign, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static let digits = Array("0123456789ABCDEF".utf8)
    private static let invalid = Set("\"<>\\^`{|}".utf8)
}

extension UInt8 {
    /// The value of a hexadecimal digit, or `nil` for another character.
    var hexadecimalDigit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
#endif
