#if Sandbox
import EaselCodecs
import EaselCore
import EaselTesting
import Foundation
import Testing

@testable import EaselSandbox

extension ProcessTests {
    @Suite("Sandbox: arriving files", .timeLimit(.minutes(2)))
    struct ArrivingFilesTests {
        private let here = CoderRegistry.standard()
        private let isolated = CoderRegistry.standard()
        private let sandbox: Sandbox

        init() throws {
            sandbox = try Sandboxes.standard { $0.maximumWorkers = 1 }
            isolated.isolate(nil, in: sandbox)
        }

        /// Decodes a file in parts, here and in a worker, and compares the previews. Returns their number.
        private func compare(
            _ data: Data, _ options: DecodeOptions, between parts: () async throws -> Void = {}
        ) async throws -> Int {
            let decoders = try [here, isolated].map { coders in
                try #require(try coders.decoder(for: data) as? any IncrementalDecoding).makeIncrementalDecoder(options)
            }
            var count = 0
            for part in 0..<8 {
                let bytes = data[(data.count * part / 8)..<(data.count * (part + 1) / 8)]
                let previews = try decoders.map { decoder in
                    try decoder.append(Data(bytes))
                    return try decoder.imagePreview()
                }
                #expect((previews[0] == nil) == (previews[1] == nil), "part \(part)")
                if let first = previews[0], let second = previews[1] {
                    #expect(first.image.metadata == second.image.metadata, "part \(part)")
                    #expect(first.image.pixels.hasSameRows(as: second.image.pixels), "part \(part)")
                    #expect(first.isSufficient == second.isSufficient, "part \(part)")
                    count += 1
                }
                try await parts()
            }
            return count
        }

        @Test(
            "a worker shows an arriving file like this process, and receives each part once",
            arguments: [ImageFormat.webp, .jxl, .jpeg, .png])
        func previews(_ format: ImageFormat) async throws {
            let encoder = try #require(here.encoder(for: format))
            let data = try encoder.encode(
                TestImage.gradient(301, 203).image(), EncodeOptions(quality: 0.8, isProgressive: true))
            let count = try await compare(data, DecodeOptions(targetSize: .pixels(width: 120, height: 120)))
            #expect(count > 0)
            #expect(sandbox.statistics.unprotected == 0 && sandbox.statistics.crashes == 0)
            #expect(sandbox.statistics.jobs == 8 && sandbox.statistics.startedWorkers == 1)
        }

        @Test("if a worker ends, another one receives the file so far")
        func anotherWorker() async throws {
            let data = try WebPCoder().encode(TestImage.gradient(301, 203).image(), EncodeOptions(quality: 0.8))
            let count = try await compare(data, DecodeOptions()) {
                for worker in ownWorkers() { kill(worker, SIGKILL) }
                try await until { ownWorkers().isEmpty }
            }
            #expect(count > 0)
            #expect(sandbox.statistics.startedWorkers == 8)
        }

        @Test("a damaged file is an error, and a cancelled one too")
        func failures() throws {
            let data = try WebPCoder().encode(TestImage.gradient(64, 64).image(), EncodeOptions())
            let decoder = try #require(try isolated.decoder(for: data) as? any IncrementalDecoding)
            let damaged = decoder.makeIncrementalDecoder(DecodeOptions(limits: ImageLimits(pixels: 64)))
            try damaged.append(data)
            #expect(throws: ImageError.self) { try damaged.preview() }
            let cancelled = decoder.makeIncrementalDecoder(DecodeOptions(isCancelled: { true }))
            #expect(throws: ImageError.cancelled) { try cancelled.append(data) }
        }

        @Test("without a worker, an arriving file is decoded in this process")
        func unprotected() async throws {
            let sandbox = try Sandbox { $0.program = "/nonexistent" }
            let coders = CoderRegistry.standard()
            coders.isolate(nil, in: sandbox)
            let data = try WebPCoder().encode(TestImage.gradient(301, 203).image(), EncodeOptions(quality: 0.8))
            let decoder = try #require(try coders.decoder(for: data) as? any IncrementalDecoding)
                .makeIncrementalDecoder(DecodeOptions())
            var count = 0
            for part in [data.prefix(data.count / 2), data.dropFirst(data.count / 2)] {
                try decoder.append(Data(part))
                if try decoder.preview() != nil { count += 1 }
            }
            #expect(count > 0)
            #expect(sandbox.statistics.unprotected == 1)
        }
    }
}
#endif
