#if Server
import EaselCore

extension PercentEncoding {
    /// Returns the text with every byte encoded that a URL cannot contain, and every percent sign that encodes nothing.
    static func encodeInvalid(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var encoded: [UInt8] = []
        encoded.reserveCapacity(bytes.count)
        for (index, byte) in bytes.enumerated() {
            let isValid =
                byte == UInt8(ascii: "%")
                ? index + 2 < bytes.count && bytes[index + 1].hexadecimalDigit != nil
                    && bytes[index + 2].hexadecimalDigit != nil
                : (0x21...0x7E).contains(byte) && !invalid.contains(byte)
            if isValid {
                encoded.append(byte)
            } else {
                encoded += escape(byte)
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

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
