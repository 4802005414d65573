#if Server
import EaselCore
import EaselTesting
import Foundation
import InMemoryTracing
import TestSupport
import Testing
import Tracing

@testable import EaselServer

@Suite("Image server: spans", .timeLimit(.minutes(2)))
struct SpanTests {
    @Test("a request has a span in the client's trace, with its stages, and the source continues it")
    func stages() async throws {
        let tracer = InMemoryTracer()
        let key = InMemoryTracer.traceIDKey
        try await withTracer(tracer) {
            try await RunningServer.with { server in
                let fields = [key: "client", InMemoryTracer.spanIDKey: "parent"]
                let status = try await server.get(server.target("w:4"), fields).status
                #expect(status == 200)
                let sent = server.origin.requests(for: "/a.png").first?.headers[key]
                #expect(sent == "client")
            }
        }
        let spans = tracer.finishedSpans
        let request = try #require(spans.first { $0.operationName == "easel.request" })
        #expect(request.traceID == "client" && request.parentSpanID == "parent")
        #expect(request.attributes["http.response.status_code"]?.toSpanAttribute() == .int64(200))
        let parts = spans.filter { $0.parentSpanID == request.spanID }.map(\.operationName)
        for stage in ["easel.firstByte", "easel.transfer", "easel.decode", "easel.encode"] {
            #expect(parts.contains(stage), "\(stage)")
        }
    }

    @Test("the span of a request that a source fails is an error")
    func failure() async throws {
        let tracer = InMemoryTracer()
        try await withTracer(tracer) {
            try await RunningServer.with(routes: { $0.respond("/down.png", with: .status(500)) }) { server in
                let status = try await server.get(server.target("w:4", "/down.png")).status
                #expect(status >= 500)
            }
        }
        let request = tracer.finishedSpans.first { $0.operationName == "easel.request" }
        #expect(request?.status?.code == .error)
    }
}
#endif
