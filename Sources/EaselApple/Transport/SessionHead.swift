import EaselCore
import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension ResponseHead {
    /// Creates the head of a URLSession response, which joins fields of the same name.
    init(_ response: HTTPURLResponse) {
        let fields = response.allHeaderFields.compactMap { name, value -> HTTPHeaders.Field? in
            guard let name = name as? String, let value = value as? String else { return nil }
            return HTTPHeaders.Field(name: name, value: value)
        }
        // A dictionary has no order, so the fields are sorted to be deterministic.
        self.init(status: response.statusCode, headers: HTTPHeaders(fields.sorted { $0.name < $1.name }))
        contentLength = response.expectedContentLength >= 0 ? Int(clamping: response.expectedContentLength) : nil
        readContentCoding()
    }
}
