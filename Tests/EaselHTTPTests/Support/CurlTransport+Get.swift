import EaselCore
import EaselHTTP

extension CurlTransport {
    /// Returns a response and its whole body.
    func get(
        _ url: String, method: String = "GET", headers: HTTPHeaders = [:], timeouts: HTTPTimeouts = HTTPTimeouts(),
        allowsInvalidCertificates: Bool = false
    ) async throws(ImageError) -> (response: HTTPResponse, bytes: [UInt8]) {
        let response = try await send(
            HTTPRequest(
                url: url, method: method, headers: headers, timeouts: timeouts,
                allowsInvalidCertificates: allowsInvalidCertificates))
        return (response, try await response.body.all())
    }
}

extension HTTPBody {
    /// Returns the rest of the body.
    func all() async throws(ImageError) -> [UInt8] {
        var bytes: [UInt8] = []
        while let piece = try await next() { bytes += piece }
        return bytes
    }
}
