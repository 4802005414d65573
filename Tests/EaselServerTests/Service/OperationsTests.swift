#if Server
import EaselCore
import EaselTesting
import Foundation
import TestSupport
import Testing

@testable import EaselServer

@Suite(.serialized)
struct OperationsTests {
    @Test func `Health and metrics are answered`() async throws {
        try await RunningServer.with { server in
            #expect(try await server.get("/health/live").text == #"{"status":"live"}"#)
            #expect(try await server.get("/health/ready").text == #"{"status":"ready","tiers":{}}"#)
            _ = try await server.get(server.target("w:4"))
            _ = try await server.get(server.target("wrong:1"))
            let metrics = try await server.get("/metrics")
            #expect(metrics["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
            #expect(metrics.text.contains("easel_server_responses_total{status=\"200\"} 1\n"))
            #expect(metrics.text.contains("easel_server_errors_total{code=\"unknownOption\"} 1\n"))
            #expect(metrics.text.contains("easel_server_request_seconds_bucket{le=\"+Inf\"} 2\n"))
            for line in metrics.text.split(separator: "\n") where !line.hasPrefix("#") {
                #expect(Double(line.split(separator: " ").last ?? "") != nil, "\(line)")
            }
        }
    }

    @Test func `A stopping server finishes requests and accepts no connections`() async throws {
        let gate = Gate()
        try await RunningServer.with(routes: { configuration in
            configuration.respond("/held.png", with: .image(.gradient(8, 8)), faults: [.hold(gate)])
        }) { server in
            async let response = server.get(server.target("w:4", "/held.png"))
            await server.origin.waitForRequests(1, for: "/held.png")
            await server.server.stop()
            try await until {
                do { _ = try await server.get("/health/live") } catch { return true }
                return false
            }
            gate.open()
            #expect(try await response.status == 200)
        }
    }

    @Test func `A stopping server completes a result in memory whose client has not read it`() async throws {
        // More than the buffers of the system have room for.
        let file = try TestImage.gradient(8, 8).encoded() + Data(count: 16 << 20)
        try await RunningServer.with(
            { $0.routes.memoryBytes = 256 << 20 },
            routes: { configuration in
                configuration.respond("/large.png", with: .bytes(file, type: "image/png"))
            }
        ) { server in
            let target = server.target("raw:1", "/large.png")
            _ = try await server.get(target)
            let connection = try await WireConnection(port: server.port)
            try await connection.send("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
            try await until { try await server.metric("easel_server_results_total{tier=\"memory\"}") == 1 }
            await server.server.stop()
            try await until {
                do { _ = try await server.get("/health/live") } catch { return true }
                return false
            }
            #expect(try await connection.response().body.count == file.count)
            #expect(try await connection.waitForEnd() == 0)
        }
    }

    @Test func `A stopping server ends within its bound`() async throws {
        try await RunningServer.with(
            { $0.drain = .milliseconds(300) },
            routes: { configuration in
                configuration.respond("/slow.png", with: .image(.gradient(8, 8)), faults: [.noResponse])
            }
        ) { server in
            let connection = try await WireConnection(port: server.port)
            try await connection.send("GET \(server.target("w:4", "/slow.png")) HTTP/1.1\r\nHost: a\r\n\r\n")
            await server.origin.waitForRequests(1, for: "/slow.png")
            let started = ContinuousClock.now
            await server.stop()
            #expect(ContinuousClock.now - started < .seconds(5))
        }
    }

    @Test func `A trace is continued to the source`() async throws {
        try await RunningServer.with { server in
            let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
            _ = try await server.get(server.target("w:4"), ["traceparent": parent])
            let sent = server.origin.requests(for: "/a.png").first?.headers["traceparent"]
            #expect(sent?.hasPrefix("00-0af7651916cd43dd8448eb211c80319c-") == true)
            #expect(sent != parent)
        }
    }

    @Test func `Each request is one line of JSON`() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "easel-log-\(UUID().uuidString)").path
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let file = try #require(FileHandle(forWritingAtPath: path))
        try await RunningServer.with({ $0.routes.logDescriptor = file.fileDescriptor }) { server in
            _ = try await server.get(server.target("w:4"))
            _ = try await server.get("/unsafe/%22")
            try await until { (try? String(contentsOfFile: path, encoding: .utf8))?.split(separator: "\n").count == 2 }
        }
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        let objects = try lines.map { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
        #expect(objects.first??["status"] as? Int == 200)
        #expect(objects.first??["cache"] as? String == "made")
        let milliseconds = objects.first??["ms"] as? Double ?? 0
        #expect(milliseconds > 0 && milliseconds < 10_000)
        #expect(objects.first??["client"] as? String == "127.0.0.1")
        #expect(objects.last??["code"] != nil)
    }
}
#endif
