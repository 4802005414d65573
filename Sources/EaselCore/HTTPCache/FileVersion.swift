import EaselFoundation

/// Tells one content of a URL from another: its length and checksum. Not against malice: the server that could forge
/// one is the one that sends the picture anyway.
struct FileVersion: Sendable, Hashable {
    private static let field = "file-version"
    private let text: String

    init(of data: Data) {
        text = "\(data.count)-" + String(data.withUnsafeBytes(CRC32C.checksum), radix: 16)
    }

    /// As it is kept beside a file, and beside the pictures that were made from it.
    init?(metadata: [String: String]) {
        guard let text = metadata[Self.field] else { return nil }
        self.text = text
    }

    var metadata: [String: String] { [Self.field: text] }
}
