import EaselCore
import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// How URLSession ended a task that failed, and what that means to a person.
struct SessionFailure {
    let error: any Error
    /// Host and port, without user and password.
    let host: String
    /// Whether the head of the answer had come.
    let hasHead: Bool
    /// Bytes of the body that came.
    let received: Int
    /// Bytes that were announced.
    let expected: Int?

    /// The error of the library that it is.
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
        case .notConnectedToInternet: .unreachable(host: host, reason: "there is no network")
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
