import EaselCore
import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A failed URLSession task and its error.
struct SessionFailure {
    let error: any Error
    /// Host and port, without credentials.
    let host: String
    /// Whether the response head was received.
    let hasHead: Bool
    /// The number of body bytes received.
    let received: Int
    /// The number of body bytes announced.
    let expected: Int?

    /// The corresponding error of the library.
    var imageError: ImageError {
        guard let error = error as? URLError else {
            return .unreachable(host: host, reason: error.localizedDescription)
        }
        return switch error.code {
        case .cancelled: .cancelled
        case .badURL, .unsupportedURL: .invalidURL("The URL is malformed.")
        case .timedOut: .timedOut(hasHead ? .idle : .connect)
        case .cannotFindHost, .dnsLookupFailed:
            .unreachable(host: host, reason: "no address is known for this name")
        case .cannotConnectToHost where !hasHead: .unreachable(host: host, reason: "nothing answers there")
        case .notConnectedToInternet: .unreachable(host: host, reason: "there is no network connection")
        case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
            .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection,
            .userCancelledAuthentication:
            .insecure(host: host, reason: error.localizedDescription)
        case .cannotDecodeRawData, .cannotDecodeContentData: .invalidResponse("its body is malformed.")
        case .badServerResponse, .cannotParseResponse: .invalidResponse("it is not HTTP.")
        case .networkConnectionLost, .zeroByteResource: .connectionLost(received: received, expected: expected)
        case _ where hasHead: .connectionLost(received: received, expected: expected)
        default: .unreachable(host: host, reason: error.localizedDescription)
        }
    }
}
