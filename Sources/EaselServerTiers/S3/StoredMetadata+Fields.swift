#if Server
import EaselCore
import EaselFoundation

/// The form of metadata in the fields of an object: base64 in parts, because OpenStack Swift accepts 256 bytes in a
/// field, and S3 2 KB in all.
extension StoredMetadata {
    private static let partLength = 240
    private static let maximumPartCount = 16

    private static func fieldName(_ number: Int) -> String { "x-amz-meta-easel-\(number)" }

    /// Returns the fields.
    ///
    /// - Throws: `TierError.tooLarge` if the texts are too long.
    func fields() throws(TierError) -> HTTPHeaders {
        var headers = HTTPHeaders()
        var rest = Array(Data(try encode()).base64EncodedString().utf8)[...]
        var number = 0
        while !rest.isEmpty {
            headers[Self.fieldName(number)] = String(decoding: rest.prefix(Self.partLength), as: UTF8.self)
            rest = rest.dropFirst(Self.partLength)
            number += 1
        }
        return headers
    }

    /// Reads the fields of an object. Returns `nil` if they contain no metadata.
    init?(fields headers: HTTPHeaders) {
        var text = ""
        for number in 0..<Self.maximumPartCount {
            guard let part = headers[Self.fieldName(number)] else { break }
            text += part
        }
        guard let bytes = Data(base64Encoded: text) else { return nil }
        self.init(Array(bytes))
    }
}
#endif
