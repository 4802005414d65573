#if OriginServer
import Easel
import EaselTesting
import Foundation
import Testing

@Suite("HTTP caching, end to end (RFC 9111)", .timeLimit(.minutes(1)))
struct HTTPCachingTests {
    private static let image = OriginResponse.image(.gradient(64, 48))

    private func validators(_ stack: WholeStack, _ path: String = "/a.png") -> [String?] {
        stack.origin.requests(for: path).map { $0.headers["If-None-Match"] ?? $0.headers["If-Modified-Since"] }
    }

    @Test("a 304 is one round trip without a body, and extends the freshness of the entry (X140)")
    func notModified() async throws {
        try await WholeStack.run {
            $0.respond(
                "/a.png",
                with: [
                    Self.image.with(headers: ["ETag": "\"1\"", "Cache-Control": "max-age=0"]),
                    OriginResponse.status(304).with(headers: ["ETag": "\"1\"", "Cache-Control": "max-age=600"]),
                    .status(500),
                ])
        } _: { stack in
            let request = stack.request("/a.png") { $0.http.policy = .standard }
            _ = try await stack.manager.load(request).response
            let confirming = stack.freshManager()
            let confirmed = try await confirming.load(request).response
            #expect(confirmed.source == .disk && confirmed.timeline.requests == 1)
            // The load does not wait for the metadata update after a 304.
            await confirming.finishRefreshes()
            #expect(stack.origin.requests.last.map { $0.bytesWritten < 300 } == true)
            let fresh = try await stack.freshManager().load(request).response
            #expect(fresh.source == .disk && fresh.timeline.requests == 0)
            #expect(validators(stack) == [nil, "\"1\""])
        }
    }

    @Test("a date is enough to revalidate")
    func lastModified() async throws {
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        try await WholeStack.run {
            $0.respond(
                "/a.png", with: Self.image.with(headers: ["Last-Modified": date, "Cache-Control": "no-cache"]))
        } _: { stack in
            let request = stack.request("/a.png") { $0.http.policy = .standard }
            for _ in 0..<2 { _ = try await stack.manager.load(request).response }
            #expect(validators(stack) == [nil, date])
        }
    }

    @Test("after a redirect, validators are sent only to the URL that returned them")
    func redirect() async throws {
        try await WholeStack.run {
            $0.respond("/old.png", with: .redirect(to: "/a.png"))
            $0.respond("/a.png", with: Self.image.with(headers: ["ETag": "\"1\"", "Cache-Control": "max-age=600"]))
        } _: { stack in
            let request = stack.request("/old.png") { $0.http.policy = .standard }
            for _ in 0..<2 { _ = try await stack.manager.load(request).response }
            // The redirect has no freshness lifetime, so it is requested again (RFC 9110 15.4.3).
            #expect(validators(stack, "/old.png") == [nil, nil])
            #expect(validators(stack) == [nil, "\"1\""])
        }
    }

    @Test("a 304 for another version is ignored, and the file is loaded whole (4.3.4)")
    func wrongNotModified() async throws {
        try await WholeStack.run {
            $0.respond(
                "/a.png",
                with: [
                    Self.image.with(headers: ["ETag": "\"1\"", "Cache-Control": "no-cache"]),
                    OriginResponse.status(304).with(headers: ["ETag": "\"2\""]),
                    OriginResponse.image(.gradient(10, 10)).with(headers: ["ETag": "\"2\""]),
                ])
        } _: { stack in
            let request = stack.request("/a.png") { $0.http.policy = .standard }
            _ = try await stack.manager.load(request).response
            let response = try await stack.manager.load(request).response
            #expect(response.image.size == PixelSize(10, 10) && response.timeline.requests == 2)
            #expect(validators(stack) == [nil, "\"1\"", nil])
        }
    }

    @Test("a 304 for an unconditional request is an error")
    func unaskedNotModified() async throws {
        try await WholeStack.run {
            $0.respond("/a.png", with: .status(304))
        } _: { stack in
            #expect(await stack.failure("/a.png") { $0.http.policy = .standard } == .status(304))
            #expect(stack.cachedFiles.isEmpty)
        }
    }

    @Test("a request with other values of the Vary fields gets another response (4.1)")
    func vary() async throws {
        try await WholeStack.run {
            $0.respond("/a.png", with: Self.image.with(headers: ["Vary": "Accept", "Cache-Control": "max-age=600"]))
        } _: { stack in
            let usual = stack.request("/a.png") { $0.http.policy = .standard }
            _ = try await stack.manager.load(usual).response
            #expect(try await stack.freshManager().load(usual).response.source == .disk)
            let other = stack.request("/a.png") {
                $0.http.policy = .standard
                $0.http.headers["Accept"] = "image/webp"
            }
            #expect(try await stack.freshManager().load(other).response.source == .network)
        }
    }

    @Test("the stale image is used if the server is unreachable and the response allowed it (RFC 5861 4)")
    func staleIfError() async throws {
        try await WholeStack.run {
            $0.respond("/a.png", with: Self.image.with(headers: ["Cache-Control": "max-age=0, stale-if-error=600"]))
        } _: { stack in
            let request = stack.request("/a.png") { $0.http.policy = .standard }
            _ = try await stack.manager.load(request).response
            await stack.origin.stop()
            let log = WarningLog()
            let response = try await stack.freshManager(observer: log).load(request).response
            #expect(response.source == .disk && log.codes == [.unreachable])
        }
    }

    @Test("refreshCached returns the cached image at once and then the revalidated one (S081, P008)")
    func refreshCached() async throws {
        try await WholeStack.run {
            $0.respond("/a.png", with: Self.image.with(headers: ["ETag": "\"1\""]))
        } _: { stack in
            _ = try await stack.manager.load(stack.request("/a.png")).response
            let refresh = stack.request("/a.png") { $0.options.insert(.refreshCached) }
            var widths: [Int] = []
            for replacement in [64, 20] {
                if replacement != 64 {
                    stack.origin.respond("/a.png", with: .image(.gradient(20, 20)).with(headers: ["ETag": "\"2\""]))
                }
                for await event in stack.manager.load(refresh).events {
                    switch event {
                    case .cached(let response): widths.append(response.image.size.width)
                    case .finished(let result): widths.append(try result.get().image.size.width)
                    default: break
                    }
                }
            }
            #expect(widths == [64, 64, 64, 20])
            #expect(validators(stack) == [nil, "\"1\"", "\"1\""])
            #expect(try await stack.manager.image(for: stack.request("/a.png")).size.width == 20)
        }
    }
}
#endif
