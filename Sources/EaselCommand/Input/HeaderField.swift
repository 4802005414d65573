import ArgumentParser

/// A header field that the user adds, written `Name: value`.
struct HeaderField: ExpressibleByArgument, Sendable, Hashable {
    /// A token (RFC 9110 5.1).
    let name: String
    /// Without the spaces around it (RFC 9110 5.5).
    let value: String

    /// `nil` where there is no colon, the name is no token, or the value would break out of its line.
    init?(argument: String) {
        guard let colon = argument.firstIndex(of: ":") else { return nil }
        let name = argument[..<colon]
        let value = argument[argument.index(after: colon)...]
        guard !name.isEmpty, name.utf8.allSatisfy(Self.isTokenCharacter),
            value.unicodeScalars.allSatisfy({ $0 == "\t" || ($0.value >= 0x20 && $0.value != 0x7F) })
        else { return nil }
        self.name = String(name)
        let spaces: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        self.value = String(String(value.drop(while: spaces).reversed()).drop(while: spaces).reversed())
    }

    private static func isTokenCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
