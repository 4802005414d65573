import CEaselCurl
import EaselCore
import Testing

@testable import EaselHTTP

@Suite("Failures of libcurl (R041)")
struct CurlFailureTests {
    private func error(_ code: CURLcode, message: String = "", system: Int32 = 0) -> ImageError {
        CurlFailure(code: code, host: "a.example", message: message, systemError: system, received: 7, expected: 9)
            .error
    }

    @Test("An unknown name is reported as an unreachable host, without the URL and its secrets")
    func unknownHost() {
        #expect(
            error(CURLE_COULDNT_RESOLVE_HOST)
                == .unreachable(host: "a.example", reason: "no address is known for this name"))
    }

    @Test("A refused connection has the system's reason")
    func refused() {
        #expect(
            error(CURLE_COULDNT_CONNECT, system: 111) == .unreachable(host: "a.example", reason: "connection refused"))
        #expect(
            error(CURLE_COULDNT_CONNECT) == .unreachable(host: "a.example", reason: "no server answers at this address")
        )
    }

    @Test("An invalid certificate is reported as insecure, with libcurl's message")
    func certificate() {
        #expect(
            error(CURLE_PEER_FAILED_VERIFICATION, message: "SSL certificate problem: self-signed certificate")
                == .insecure(host: "a.example", reason: "SSL certificate problem: self-signed certificate"))
    }

    @Test("Server text in a message is shortened, with its control characters replaced")
    func hostileMessage() {
        let message = "\u{1B}[2Jä" + String(repeating: "x", count: 1000)
        let error = error(CURLE_SSL_CONNECT_ERROR, message: message)
        let reason = "?[2J??xxx" + String(repeating: "x", count: 191)
        #expect(error == .insecure(host: "a.example", reason: reason))
    }

    @Test(
        "A broken connection reports how many bytes it received",
        arguments: [
            CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_HTTP2, CURLE_HTTP2_STREAM,
        ].map(\.rawValue))
    func broken(code: UInt32) {
        #expect(error(CURLcode(code)) == .connectionLost(received: 7, expected: 9))
    }

    @Test("A libcurl timeout is reported as a connect timeout")
    func timeout() {
        #expect(error(CURLE_OPERATION_TIMEDOUT) == .timedOut(.connect))
    }

    @Test("A response that is not HTTP is invalid")
    func notHTTP() {
        #expect(error(CURLE_UNSUPPORTED_PROTOCOL) == .invalidResponse("it is not HTTP."))
        #expect(error(CURLE_WEIRD_SERVER_REPLY) == .invalidResponse("it is not HTTP."))
    }

    @Test("A head over libcurl's limit, which it reports as out of memory, is an invalid response")
    func largeHead() {
        #expect(error(CURLE_OUT_OF_MEMORY).code == .invalidResponse)
    }

    @Test("A code without a specific message has libcurl's")
    func other() {
        #expect(error(CURLE_FAILED_INIT) == .unreachable(host: "a.example", reason: "Failed initialization"))
    }
}
