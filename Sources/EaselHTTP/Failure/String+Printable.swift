extension String {
    /// The text as a terminal may show it: printable ASCII only, and not too much of it. A server can have its words
    /// in an error message.
    var printable: String {
        let limit = 200
        let bytes = utf8.prefix(limit).map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }
        return String(decoding: bytes, as: UTF8.self)
    }
}
