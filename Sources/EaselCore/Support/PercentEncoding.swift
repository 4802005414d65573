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

    /// Returns the three bytes that encode a byte.
    package static func escape(_ byte: UInt8) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return [sign, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
}
