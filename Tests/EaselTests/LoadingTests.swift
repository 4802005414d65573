#if OriginServer
import Easel
import EaselTesting
import Foundation
import Testing

@Suite("A web image, end to end", .timeLimit(.minutes(1)))
struct LoadingTests {
    private static let configure: @Sendable (inout OriginConfiguration) -> Void = {
        $0.respond("/a.png", with: .image(.gradient(64, 48)))
    }

    @Test("64 simultaneous loads share one request, and each gets the image (S007, S140, S142)")
    func once() async throws {
        let gate = Gate()
        try await WholeStack.run {
            $0.respond("/a.png", with: .image(.gradient(64, 48)), faults: [.hold(gate)])
        } _: { stack in
            let tasks = (0..<64).map { _ in stack.manager.load(stack.request("/a.png")) }
            await stack.origin.waitForRequests(1, for: "/a.png")
            gate.open()
            var requests = 0
            for task in tasks {
                let response = try await task.response
                #expect(response.image.size == PixelSize(64, 48))
                requests += response.timeline.requests
            }
            #expect(requests == 1)
            #expect(stack.origin.requests.count == 1)
        }
    }

    @Test("a request has the readable formats (X122) and the user agent, but no credentials by default")
    func headers() async throws {
        try await WholeStack.run(Self.configure) { stack in
            _ = try await stack.manager.load(stack.request("/a.png")).response
            let sent = try #require(stack.origin.requests.first).headers
            let types = try #require(sent["Accept"]).split(separator: ",").map(String.init)
            for type in ["image/jpeg", "image/png", "image/gif", "image/webp"] { #expect(types.contains(type)) }
            #expect(types.suffix(2) == ["image/*;q=0.9", "*/*;q=0.8"])
            #expect(sent["User-Agent"] == "Easel")
            #expect(sent["Cookie"] == nil && sent["Authorization"] == nil)
        }
    }

    @Test("an image is loaded from the network, then from memory, then in a new manager from disk (S001 to S003, S170)")
    func levels() async throws {
        try await WholeStack.run(Self.configure) { stack in
            let request = stack.request("/a.png")
            let golden = try TestImage.gradient(64, 48).pixels()
            for (manager, source) in [
                (stack.manager, ImageSource.network), (stack.manager, .memory), (stack.freshManager(), .disk),
            ] {
                let response = try await manager.load(request).response
                #expect(response.source == source)
                #expect(response.image.pixels.difference(from: golden) <= .exact)
            }
            #expect(stack.origin.requests.count == 1)
        }
    }

    @Test("an image is decoded to the target size")
    func targetSize() async throws {
        try await WholeStack.run(Self.configure) { stack in
            let request = stack.request("/a.png") { $0.targetSize = .pixels(width: 16, height: 16) }
            let image = try await stack.manager.image(for: request)
            #expect(image.size == PixelSize(16, 12))
        }
    }

    @Test("progress never decreases and ends with all bytes (B79)")
    func progress() async throws {
        try await WholeStack.run {
            $0.respond(
                "/a.png", with: .image(.checkerboard(300, 200)), faults: [.drip(bytes: 100, every: .zero)])
        } _: { stack in
            var received: [Int] = []
            var size = 0
            for await event in stack.manager.load(stack.request("/a.png")).events {
                if case .progress(let progress) = event { received.append(progress.received) }
                if case .finished(let result) = event { size = try result.get().data?.count ?? 0 }
            }
            #expect(received == received.sorted())
            #expect(received.last == size && size > 0)
        }
    }

    @Test("a redirect is followed, and the image is cached under the requested URL")
    func redirect() async throws {
        try await WholeStack.run {
            Self.configure(&$0)
            $0.respond("/old/b.png", with: .redirect(to: "../a.png"))
        } _: { stack in
            let response = try await stack.manager.load(stack.request("/old/b.png")).response
            #expect(response.timeline.requests == 2)
            let again = try await stack.freshManager().load(stack.request("/old/b.png")).response
            #expect(again.source == .disk)
        }
    }

    @Test("the format is that of the bytes, not of the Content-Type (B91)")
    func wrongType() async throws {
        try await WholeStack.run {
            $0.respond(
                "/a.jpg", with: .image(.gradient(8, 8)).with(headers: ["Content-Type": "text/plain"]))
        } _: { stack in
            let response = try await stack.manager.load(stack.request("/a.jpg")).response
            #expect(response.image.metadata.header?.format == .png)
        }
    }

    @Test("cancelling the last subscriber closes the transfer (S154, S162, S163)")
    func cancel() async throws {
        try await WholeStack.run {
            $0.respond("/a.png", with: .image(.gradient(64, 48)), faults: [.holdBody(Gate(), at: 20)])
        } _: { stack in
            let task = stack.manager.load(stack.request("/a.png"))
            await stack.origin.waitForRequests(1, for: "/a.png")
            task.cancel()
            #expect(await stack.origin.waitForClose(of: "/a.png")?.ending == .closedByClient)
            #expect(stack.cachedFiles.isEmpty)
        }
    }

    @Test("file: and data: URLs are loaded too")
    func otherSchemes() async throws {
        try await WholeStack.run(Self.configure) { stack in
            let data = try await stack.manager.data(for: stack.request("/a.png")).data
            try FileManager.default.createDirectory(atPath: stack.folder, withIntermediateDirectories: true)
            let file = URL(fileURLWithPath: stack.folder + "/own file.png")
            try data.write(to: file)
            let inline = try #require(URL(string: "data:image/png;base64," + data.base64EncodedString()))
            for (url, source) in [(file, ImageSource.file), (inline, .data)] {
                let response = try await stack.manager.load(ImageRequest(url)).response
                #expect(response.source == source)
                #expect(response.image.size == PixelSize(64, 48))
            }
        }
    }
}
#endif
