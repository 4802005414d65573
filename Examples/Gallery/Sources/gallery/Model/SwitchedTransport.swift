import EaselGTK
import Synchronization

/// A transport that can be disconnected and that counts its traffic.
final class SwitchedTransport: HTTPTransport {
    struct Counters {
        var requests = 0
        var bytes = 0
        var running = 0
        var failed = 0
    }

    private struct State {
        var counters = Counters()
        var isCut = false
    }

    private let transport: any HTTPTransport
    private let state = Mutex(State())

    init(_ transport: any HTTPTransport) { self.transport = transport }

    var counters: Counters { state.withLock { $0.counters } }

    var isCut: Bool {
        get { state.withLock { $0.isCut } }
        set { state.withLock { $0.isCut = newValue } }
    }

    func send(_ request: HTTPRequest) async throws(ImageError) -> HTTPResponse {
        let isCut = state.withLock { state in
            state.counters.requests += 1
            if state.isCut { state.counters.failed += 1 }
            return state.isCut
        }
        if isCut { throw ImageError(.unreachable, "The network is disconnected.") }
        state.withLock { $0.counters.running += 1 }
        do throws(ImageError) {
            return counting(try await transport.send(request))
        } catch {
            state.withLock { state in
                state.counters.running -= 1
                if error != .cancelled { state.counters.failed += 1 }
            }
            throw error
        }
    }

    func shutDown() async { await transport.shutDown() }

    /// Returns the response, with its bytes counted as they are read.
    private func counting(_ response: HTTPResponse) -> HTTPResponse {
        let ending = Ending { [self] in state.withLock { $0.counters.running -= 1 } }
        let body = HTTPBody { () async throws(ImageError) -> [UInt8]? in
            let bytes = try await response.body.next()
            self.state.withLock { $0.counters.bytes += bytes?.count ?? 0 }
            if bytes == nil { ending.happen() }
            return bytes
        } cancel: {
            ending.happen()
        }
        return HTTPResponse(
            status: response.status, headers: response.headers, version: response.version,
            bodyLength: response.bodyLength, connectTime: response.connectTime, body: body)
    }
}

/// Runs a closure at most once.
private final class Ending: Sendable {
    private let body: Mutex<(@Sendable () -> Void)?>

    init(_ body: @escaping @Sendable () -> Void) { self.body = Mutex(body) }

    func happen() { body.withLock { exchange(&$0, with: nil) }?() }
}
