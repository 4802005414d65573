import EaselCore
import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The head of an answer, as far as URLSession tells of it: fields of the same name have become one.
struct SessionHead: Sendable {
    let status: Int
    let headers: HTTPHeaders
    /// As it travels; `nil` where the head does not say.
    let contentLength: Int?

    init(_ response: HTTPURLResponse) {
        status = response.statusCode
        let fields = response.allHeaderFields.compactMap { name, value -> HTTPHeaders.Field? in
            guard let name = name as? String, let value = value as? String else { return nil }
            return HTTPHeaders.Field(name: name, value: value)
        }
        // A dictionary has no order: one that is the same each time.
        headers = HTTPHeaders(fields.sorted { $0.name < $1.name })
        contentLength = response.expectedContentLength >= 0 ? Int(clamping: response.expectedContentLength) : nil
    }

    /// The body's length once decoded, where the head tells.
    func bodyLength(method: String) -> Int? {
        if method == "HEAD" || status == 204 || status == 304 { return 0 }
        let coding = headers["Content-Encoding"]?.lowercased() ?? "identity"
        return coding == "identity" ? contentLength : nil
    }
}
