#if Server
import EaselCore
import EaselServerTiers
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1

/// The response for an error, in the form of RFC 9457.
enum ProblemDetails {
    static func response(for error: ServerError, rules: ResponseRules) -> Response {
        var fields = HTTPFields()
        fields[.contentType] = "application/problem+json"
        fields[.cacheControl] = "no-store"
        if let seconds = error.retryAfter { fields[.retryAfter] = "\(seconds)" }
        rules.addCommon(to: &fields)
        return Response(
            status: HTTPTypes.HTTPResponse.Status(code: error.status), headers: fields,
            body: ResponseBody(byteBuffer: ByteBuffer(string: text(of: error))))
    }

    /// Returns the JSON object.
    static func text(of error: ServerError) -> String {
        let title = HTTPResponseStatus(statusCode: error.status).reasonPhrase
        var text = JSONText()
        text.add("type", "about:blank")
        text.add("title", title.isEmpty ? "Error" : title)
        text.add("status", error.status)
        text.add("code", error.code)
        text.add("detail", error.message)
        return text.object
    }
}

/// A JSON object, written field by field.
struct JSONText {
    private var fields = ""

    /// The object in one line.
    var object: String { "{\(fields)}" }

    mutating func add(_ name: String, _ value: String) { add(name, raw: Self.quoted(value)) }
    mutating func add(_ name: String, _ value: Int) { add(name, raw: "\(value)") }
    mutating func add(_ name: String, _ value: Bool) { add(name, raw: value ? "true" : "false") }
    /// Adds seconds in milliseconds, with three decimals.
    mutating func add(_ name: String, milliseconds seconds: Double) {
        add(name, raw: "\((seconds * 1e6).rounded() / 1e3)")
    }

    /// Adds a value that is JSON already.
    mutating func add(_ name: String, raw value: String) {
        if !fields.isEmpty { fields += "," }
        fields += "\"\(name)\":\(value)"
    }

    /// Returns a JSON string.
    static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = [UInt8(ascii: "\"")]
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): bytes += "\\\"".utf8
            case UInt8(ascii: "\\"): bytes += "\\\\".utf8
            case UInt8(ascii: "\n"): bytes += "\\n".utf8
            case UInt8(ascii: "\t"): bytes += "\\t".utf8
            case 0..<0x20, 0x7F: bytes += "\\u00\(hexadecimal([byte]))".utf8
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
        return String(decoding: bytes, as: UTF8.self)
    }
}
#endif
