import EaselTesting
import FoundationEssentials
import TestSupport
import Testing

@testable import EaselCore

@Suite("Progressive loads (S080, X142, B93)", .timeLimit(.minutes(1)))
struct ProgressiveLoadTests {
    private let gates = [Gate(), Gate(), Gate()]

    @Test("previews arrive in order with the file, and the whole image is last")
    func order() async throws {
        let fixture = PreviewFixture()
        fixture.answer(scans: [9, 9, 9], gates: gates)
        let task = fixture.manager.load(try fixture.request(.progressive))
        let words = await task.widths(opening: gates)
        #expect(words.starts(with: ["preview 1", "preview 2"]))
        #expect(words.last == "finished 3")
        #expect(try await task.response.image.metadata.isPartial == false)
    }

    @Test("a load without previews receives none, and nothing is decoded for them")
    func notAsked() async throws {
        let fixture = PreviewFixture()
        for gate in gates { gate.open() }
        fixture.answer(scans: [9, 9, 9], gates: gates)
        let task = fixture.manager.load(try fixture.request([]))
        #expect(await task.widths(opening: []) == ["finished 3"])
        #expect(fixture.coder.decoders.count == 0)
    }

    @Test("a load that joins receives previews even if its leader requested none")
    func joiner() async throws {
        let fixture = PreviewFixture()
        fixture.answer(scans: [9, 9, 9], gates: gates)
        let leader = fixture.manager.load(try fixture.request([]))
        await leader.firstProgress()
        let joiner = fixture.manager.load(try fixture.request(.progressive))
        await joiner.firstProgress()
        let words = await joiner.widths(opening: gates)
        #expect(words.starts(with: ["preview 1", "preview 2"]))
        #expect(words.last == "finished 3")
        #expect(fixture.transport.requests.count == 1)
    }

    @Test("a late subscriber receives the last preview at once (B61)")
    func lateJoiner() async throws {
        let fixture = PreviewFixture()
        fixture.answer(scans: [9, 9, 9], gates: gates)
        let leader = fixture.manager.load(try fixture.request(.progressive))
        gates[0].open()
        for await event in leader.events { if case .preview = event { break } }
        let joiner = fixture.manager.load(try fixture.request(.progressive))
        for await event in joiner.events {
            guard case .preview(let preview) = event else { continue }
            #expect(preview.image.size.width == 1)
            break
        }
        for gate in gates { gate.open() }
        #expect(try await joiner.response.image.size.width == 3)
    }

    @Test("previews are transformed like the image (X050)")
    func transformed() async throws {
        let fixture = PreviewFixture()
        fixture.answer(scans: [9, 9, 9], gates: gates)
        let request = try fixture.request(.progressive) { $0.transforms = [ImageTransform(InvertTransform())] }
        let task = fixture.manager.load(request)
        gates[0].open()
        for await event in task.events {
            guard case .preview(let preview) = event else { continue }
            #expect(preview.image.pixels[0, 0].blue == 246)
            break
        }
        for gate in gates { gate.open() }
        #expect(try await task.response.image.pixels[0, 0].blue == 246)
    }

    @Test("previews are never cached (S097)")
    func notCached() async throws {
        let fixture = PreviewFixture()
        fixture.answer(scans: [9, 9, 9], gates: gates)
        let task = fixture.manager.load(try fixture.request(.progressive))
        gates[0].open()
        for await event in task.events {
            guard case .preview = event else { continue }
            #expect(fixture.cache.imageKeys.isEmpty)
            #expect(fixture.cache.storedFiles.isEmpty)
            break
        }
        task.cancel()
        #expect(await task.outcome.error == .cancelled)
        #expect(fixture.cache.imageKeys.isEmpty)
    }

    @Test("a damaged preview does not fail the load")
    func damagedPreview() async throws {
        let fixture = PreviewFixture()
        for gate in gates { gate.open() }
        fixture.answer(scans: [0, 9, 9], gates: gates)
        let task = fixture.manager.load(try fixture.request(.progressive))
        #expect(await task.widths(opening: []).last == "finished 3")
    }

    @Test("a retry shows previews from its beginning, and none of the failed attempt")
    func retried() async throws {
        let fixture = PreviewFixture()
        let connectionLost = ImageError.connectionLost(received: 65, expected: 67)
        fixture.transport.respond(
            PreviewFixture.url,
            with: .response(body: [.bytes(GrowingCoder.head + [7]), .hold(gates[0]), .failure(connectionLost)]),
            .response(body: [.bytes(GrowingCoder.head + [9]), .hold(gates[1]), .bytes(Data([9, 9]))]))
        let request = try fixture.request(.progressive) { $0.retry = .exponential(attempts: 1, first: .zero) }
        let task = fixture.manager.load(request)
        var previews: [UInt8] = []
        for await event in task.events {
            guard case .preview(let preview) = event else { continue }
            previews.append(preview.image.pixels[0, 0].blue)
            #expect(preview.image.size.width == 1)
            gates[previews.count - 1].open()
            if previews.count == 2 { break }
        }
        #expect(previews == [7, 9])
        #expect(try await task.response.image.size.width == 3)
    }

    @Test("a download that fails releases what it received, and its downloader")
    func released() async throws {
        weak var transport: FakeTransport?
        do {
            let fixture = PreviewFixture()
            fixture.transport.respond(
                PreviewFixture.url,
                with: .response(body: [
                    .bytes(GrowingCoder.head + [7]), .failure(.connectionLost(received: 65, expected: nil)),
                ]))
            transport = fixture.transport
            let task = fixture.manager.load(try fixture.request([]))
            await #expect(throws: ImageError.self) { try await task.response }
        }
        try await until { transport == nil }
    }

    @Test("a load that leaves a download releases its decoder, although the download continues")
    func leaves() async throws {
        let fixture = PreviewFixture()
        fixture.answer(scans: [9, 9, 9], gates: gates)
        let leader = fixture.manager.load(try fixture.request([]))
        await leader.firstProgress()
        let joiner = fixture.manager.load(
            try fixture.request(.progressive) { $0.targetSize = .pixels(width: 1, height: 1) })
        gates[0].open()
        for await event in joiner.events { if case .preview = event { break } }
        joiner.cancel()
        try await until { fixture.coder.releasedDecoders.count == 1 }
        for gate in gates { gate.open() }
        #expect(try await leader.response.image.size.width == 3)
    }

    @Test("encrypted bytes are not shown (X142)")
    func encrypted() async throws {
        let fixture = PreviewFixture { $0.decryptor = { $0 } }
        for gate in gates { gate.open() }
        fixture.answer(scans: [9, 9, 9], gates: gates)
        let task = fixture.manager.load(try fixture.request(.progressive))
        #expect(await task.widths(opening: []) == ["finished 3"])
        #expect(fixture.coder.decoders.count == 0)
    }

    @Test("a cached image takes precedence over previews (S092)")
    func refreshed() async throws {
        let fixture = PreviewFixture()
        let request = try fixture.request([.progressive, .refreshCached])
        fixture.cache.put(GrowingCoder.head + [9, 9], for: request.originalKey)
        for gate in gates { gate.open() }
        fixture.answer(scans: [9, 9, 9], gates: gates)
        #expect(await fixture.manager.load(request).widths(opening: []) == ["cached 2", "finished 3"])
        #expect(fixture.coder.decoders.count == 0)
    }
}
