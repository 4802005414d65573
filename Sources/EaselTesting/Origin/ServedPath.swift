/// The way from a request's path to a file below a served folder.
enum ServedPath {
    /// The relative path of the file, or `nil` for one that would leave the folder, is hidden or names nothing.
    static func name(_ path: Substring) -> String? {
        guard let decoded = decode(path), !decoded.utf8.contains(0) else { return nil }
        // Split after decoding: `%2F` separates names for the file system too.
        let names = decoded.split(separator: "/", omittingEmptySubsequences: false)
        guard !names.contains(where: { $0.isEmpty || $0.hasPrefix(".") }) else { return nil }
        return decoded
    }

    /// Undoes percent-encoding (RFC 3986 2.1), which FoundationEssentials does not offer.
    private static func decode(_ path: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = path.utf8
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let digits = String(rest.prefix(2)), digits.count == 2, digits.allSatisfy(\.isHexDigit),
                let value = UInt8(digits, radix: 16)
            else { return nil }
            rest = rest.dropFirst(2)
            bytes.append(value)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
