import EaselFoundation

/// What an application changes on the way: the request, the answer, the bytes (X130, R025). Called outside of every lock.
extension ImageDownloader.Configuration {
    /// Whether anything is to be done to a request before it is sent.
    var changesRequests: Bool { headerFilter != nil || requestModifier != nil }

    /// The request as it is sent.
    ///
    /// - Throws: `ImageError.invalidRequest` where the modifier refuses, and what it throws.
    func modified(_ request: HTTPRequest) async throws(ImageError) -> HTTPRequest {
        var request = request
        if let headerFilter { request.headers = headerFilter(request.url, request.headers) }
        guard let requestModifier else { return request }
        let modified = try await Self.call({ try await requestModifier(request) }) { reason in
            .invalidRequest("the request modifier failed: \(reason)")
        }
        guard let modified else { throw .invalidRequest("the request modifier refused it.") }
        return modified
    }

    /// The answer as it is looked at.
    ///
    /// - Throws: `ImageError.invalidResponse` where the modifier refuses, and what it throws.
    func modified(_ response: HTTPResponse) async throws(ImageError) -> HTTPResponse {
        guard let responseModifier else { return response }
        let modified = try await Self.call({ try await responseModifier(response) }) { reason in
            .invalidResponse("the response modifier failed: \(reason)")
        }
        guard let modified else { throw .invalidResponse("the response modifier refused it.") }
        return modified
    }

    /// Whether the answer is one: status and type are looked at in this order, behind the modifier (X139).
    ///
    /// - Throws: `ImageError.status`, `.contentType`.
    func check(_ response: HTTPResponse) throws(ImageError) {
        guard acceptableStatusCodes.contains(response.status) else { throw .status(response.status) }
        if let acceptableContentTypes {
            let type = response.mediaType
            guard acceptableContentTypes.contains(where: { Self.matches(type, $0) }) else {
                throw .contentType(type.isEmpty ? "no content type" : type)
            }
        }
    }

    /// The file that came.
    ///
    /// - Throws: `ImageError.badData` where it cannot be decrypted, and what the decryptor throws.
    func decrypted(_ data: Data) async throws(ImageError) -> Data {
        guard let decryptor else { return data }
        let decrypted = try await Self.call({ try await decryptor(data) }) { reason in
            .badData("The file could not be decrypted: \(reason)")
        }
        guard let decrypted, !decrypted.isEmpty else { throw .badData("The file could not be decrypted.") }
        return decrypted
    }

    /// An `ImageError` comes through as it is, the end of the task as `cancelled`; others get `wrap` and their own words.
    private static func call<Value>(
        _ body: () async throws -> Value, wrap: (String) -> ImageError
    ) async throws(ImageError) -> Value {
        do {
            let value = try await body()
            if Task.isCancelled { throw ImageError.cancelled }
            return value
        } catch let error as ImageError {
            throw error
        } catch is CancellationError {
            throw .cancelled
        } catch {
            throw wrap("\(error).")
        }
    }

    private static func matches(_ type: String, _ pattern: String) -> Bool {
        pattern.hasSuffix("/*") ? type.hasPrefix(pattern.dropLast()) : type == pattern
    }
}

extension HTTPResponse {
    /// The content type without its parameters, in lower case; empty where the server gives none.
    fileprivate var mediaType: String {
        let type = (headers["Content-Type"] ?? "").prefix { $0 != ";" }
        return type.filter { $0 != " " && $0 != "\t" }.lowercased()
    }
}
