#if Server
import EaselCore
import EaselTesting
import Foundation
import TestSupport
import Testing

@testable import EaselServer

@Suite(.serialized)
struct SharedWorkTests {
    @Test func `64 clients for one new image are one piece of work`() async throws {
        let gate = Gate()
        try await RunningServer.with(routes: { configuration in
            configuration.respond("/held.png", with: .image(.gradient(64, 64)), faults: [.hold(gate)])
        }) { server in
            let target = server.target("w:16", "/held.png")
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<64 { group.addTask { try await server.get(target).status } }
                await server.origin.waitForRequests(1, for: "/held.png")
                try await until { server.server.flightCallers >= 64 }
                gate.open()
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses == [Int](repeating: 200, count: 64))
            #expect(server.origin.requests(for: "/held.png").count == 1)
            #expect(try await server.metric("easel_server_coalesced_total") == 63)
            #expect(try await server.metric("easel_server_decode_seconds_count{format=\"png\"}") == 1)
        }
    }

    @Test func `One source at four sizes is fetched once`() async throws {
        let gate = Gate()
        try await RunningServer.with(routes: { configuration in
            configuration.respond("/held.png", with: .image(.gradient(64, 64)), faults: [.hold(gate)])
        }) { server in
            try await withThrowingTaskGroup(of: Void.self) { (group) async throws in
                for width in [8, 16, 24, 32] {
                    group.addTask { () async throws in
                        let target = server.target("w:\(width)", "/held.png")
                        #expect(try await server.get(target).status == 200)
                    }
                }
                try await until { server.server.flightCallers >= 4 }
                gate.open()
                try await group.waitForAll()
            }
            #expect(server.origin.requests(for: "/held.png").count == 1)
        }
    }

    @Test func `Two formats of the same pixels are decoded once`() async throws {
        let gate = Gate()
        try await RunningServer.with(routes: { configuration in
            configuration.respond("/held.png", with: .image(.gradient(64, 64)), faults: [.hold(gate)])
        }) { server in
            try await withThrowingTaskGroup(of: Void.self) { (group) async throws in
                for suffix in ["@webp", "@jpg", "@png"] {
                    group.addTask { () async throws in
                        let target = server.target("w:16", "/held.png", extension: suffix)
                        #expect(try await server.get(target).status == 200)
                    }
                }
                try await until { server.server.flightCallers >= 3 }
                gate.open()
                try await group.waitForAll()
            }
            #expect(try await server.metric("easel_server_decode_seconds_count{format=\"png\"}") == 1)
        }
    }

    @Test func `A client that disconnects cancels its request`() async throws {
        try await RunningServer.with(routes: { configuration in
            configuration.respond("/slow.png", with: .image(.gradient(8, 8)), faults: [.noResponse])
        }) { server in
            let connection = try await WireConnection(port: server.port)
            try await connection.send("GET \(server.target("w:4", "/slow.png")) HTTP/1.1\r\nHost: a\r\n\r\n")
            await server.origin.waitForRequests(1, for: "/slow.png")
            connection.hangUp()
            _ = await server.origin.waitForClose(of: "/slow.png")
            try await until { server.server.flightCallers == 0 }
        }
    }

    @Test func `A client that disconnects does not cancel the request of another`() async throws {
        let gate = Gate()
        try await RunningServer.with(routes: { configuration in
            configuration.respond("/held.png", with: .image(.gradient(8, 8)), faults: [.hold(gate)])
        }) { server in
            let target = server.target("w:4", "/held.png")
            let connection = try await WireConnection(port: server.port)
            try await connection.send("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
            await server.origin.waitForRequests(1, for: "/held.png")
            async let other = server.get(target)
            try await until { server.server.flightCallers == 2 }
            connection.hangUp()
            try await until { server.server.flightCallers == 1 }
            gate.open()
            #expect(try await other.status == 200)
            #expect(server.origin.requests(for: "/held.png").count == 1)
        }
    }

    @Test func `A full queue answers 503 at once, and hits are answered meanwhile`() async throws {
        let gate = Gate()
        try await RunningServer.with(
            {
                $0.routes.concurrentRequests = 1
                $0.routes.queueLength = 1
            },
            routes: { configuration in
                for name in 0..<3 {
                    configuration.respond("/\(name).png", with: .image(.gradient(8, 8)), faults: [.hold(gate)])
                }
            }
        ) { server in
            let hit = server.target("w:4")
            #expect(try await server.get(hit).status == 200)
            async let first = server.get(server.target("w:4", "/0.png"))
            await server.origin.waitForRequests(1, for: "/0.png")
            async let second = server.get(server.target("w:4", "/1.png"))
            try await until { try await server.metric("easel_server_queue_waiting") == 1 }
            let refused = try await server.get(server.target("w:4", "/2.png"))
            #expect(refused.status == 503)
            #expect(refused.code == "overloaded")
            #expect(refused["retry-after"] != nil)
            #expect(try await server.get(hit).status == 200)
            gate.open()
            #expect(try await first.status == 200)
            #expect(try await second.status == 200)
            #expect(server.origin.requests(for: "/2.png").isEmpty)
        }
    }

    @Test func `A queued request of a client that disconnects leaves the queue`() async throws {
        let gate = Gate()
        try await RunningServer.with(
            { $0.routes.concurrentRequests = 1 },
            routes: { configuration in
                configuration.respond("/held.png", with: .image(.gradient(8, 8)), faults: [.hold(gate)])
            }
        ) { server in
            async let first = server.get(server.target("w:4", "/held.png"))
            await server.origin.waitForRequests(1, for: "/held.png")
            let connection = try await WireConnection(port: server.port)
            try await connection.send("GET \(server.target("w:4")) HTTP/1.1\r\nHost: a\r\n\r\n")
            try await until { try await server.metric("easel_server_queue_waiting") == 1 }
            connection.hangUp()
            try await until { try await server.metric("easel_server_queue_waiting") == 0 }
            gate.open()
            #expect(try await first.status == 200)
            #expect(server.origin.requests(for: "/a.png").isEmpty)
        }
    }
}
#endif
