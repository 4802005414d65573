#if Server
public import EaselCore
import EaselFoundation

/// A loader of `s3://bucket/key`, which downloads from an object store with signed requests.
///
/// The key is percent-encoded, as in every URL. Limits, retries and timeouts are those of the downloader.
public struct S3Loader: ImageLoading {
    private let endpoint: S3Endpoint
    private let downloader: ImageDownloader

    /// Creates a loader.
    ///
    /// - Parameters:
    ///   - endpoint: The object store, with the credentials that sign the requests.
    ///   - transport: Carries the exchanges.
    ///   - configure: Changes the configuration of the downloader. Its request modifier is replaced.
    public init(
        endpoint: S3Endpoint, transport: any HTTPTransport,
        _ configure: (inout ImageDownloader.Configuration) -> Void = { _ in }
    ) {
        self.endpoint = endpoint
        downloader = ImageDownloader(transport: transport) { configuration in
            configure(&configuration)
            configuration.requestModifier = { try Self.signed($0, endpoint) }
        }
    }

    /// Returns whether the URL begins with `s3:`.
    public func canLoad(_ request: ImageRequest) -> Bool { request.url.scheme?.lowercased() == "s3" }

    /// Downloads an object.
    ///
    /// - Throws: `ImageError.invalidURL` for a URL without bucket or key, and the errors of `ImageDownloader.load`.
    public func load(_ request: ImageRequest, _ context: LoadContext) async throws(ImageError) -> LoadedData {
        var request = request
        request.url = try Self.url(of: request.url.absoluteString, endpoint)
        // Not sent to another host that the store redirects to, like the signature.
        request.http.identityHeaders.insert("x-amz-security-token")
        return try await downloader.load(request, context)
    }

    /// Returns the URL of an object in the store.
    static func url(of text: String, _ endpoint: S3Endpoint) throws(ImageError) -> URL {
        guard let (scheme, rest) = text.split(at: "://"), scheme.lowercased() == "s3" else {
            throw .invalidURL("The URL does not begin with s3://.")
        }
        let parts = rest.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].isEmpty, let key = String(parts[1]).decodingPercents else {
            throw .invalidURL("The URL has no bucket or no key, or is malformed.")
        }
        guard !parts[1].utf8.contains(where: { "?#".utf8.contains($0) }) else {
            throw .invalidURL("The URL of an object has no query. Write ? as %3F, and # as %23.")
        }
        do throws(TierError) {
            let location = try S3Location(bucket: String(parts[0]), key: key)
            if let url = URL(string: try endpoint.address(of: location).url) { return url }
        } catch {
            throw .invalidURL(error.message)
        }
        throw .invalidURL("The URL is malformed.")
    }

    /// Returns a request with a signature. Only the fields of the signature and the range are signed, because the
    /// transport can change others.
    private static func signed(_ request: HTTPRequest, _ endpoint: S3Endpoint) throws -> HTTPRequest? {
        guard let (_, rest) = request.url.split(at: "://"), let slash = rest.utf8.firstIndex(of: UInt8(ascii: "/"))
        else { return nil }
        let signed = SignatureV4.Request(
            method: request.method, host: String(rest[..<slash]), path: String(rest[slash...]))
        let fields = SignatureV4(credentials: endpoint.credentials, region: endpoint.region)
            .fields(for: signed, at: Date())
        var request = request
        for field in fields.fields { request.headers[field.name] = field.value }
        return request
    }
}
#endif
