import EaselCodecs
import EaselCore
import EaselTesting
import Foundation
import Testing

@testable import easel

@Suite(.enabled(if: RunningCommand.isBuilt, "the command easel is not built"))
struct GetCommandTests {
    private func size(_ data: Data?) throws -> PixelSize {
        let data = try #require(data)
        return try CoderRegistry.standard().decoder(for: data).header(of: data).size
    }

    @Test("without options the file is written unchanged")
    func unchangedFile() async throws {
        try await CommandFolder.with { folder in
            let path = try folder.add("a.dat")
            let outcome = try await folder.run(["get", "--json", path, "-o", folder.output])
            #expect(outcome.status == 0)
            #expect(folder.outputs == ["a.png"])
            #expect(folder.outputData("a.png") == FileManager.default.contents(atPath: path))
            let object = try #require(outcome.objects.first)
            #expect(
                Set(object.keys) == [
                    "input", "ok", "output", "width", "height", "bytes", "source", "requests", "coalesced",
                    "bytesReceived", "bytesSaved", "timings",
                ])
            #expect(object["output"] as? String == folder.output + "/a.png")
            let timings = try #require(object["timings"] as? [String: any Sendable])
            #expect(
                Set(timings.keys) == [
                    "queued", "disk", "connect", "firstByte", "transfer", "decode", "transform", "encode", "store",
                    "total",
                ])
        }
    }

    @Test("equal inputs give two files with one load")
    func equalInputs() async throws {
        try await CommandFolder.with { folder in
            let path = try folder.add("a.png")
            let outcome = try await folder.run(["get", "--json", path, path, "-o", folder.output])
            #expect(outcome.objects.map { $0["coalesced"] as? Bool } == [false, true])
            #expect(folder.outputs == ["a-2.png", "a.png"])
        }
    }

    @Test("a scaled image is JPEG, or PNG if it has alpha")
    func scaledImage() async throws {
        try await CommandFolder.with { folder in
            let opaque = try folder.add("opaque.png")
            let clear = try folder.add("clear.png", .solid(.translucentGray, 40, 30))
            let outcome = try await folder.run(["get", opaque, clear, "-o", folder.output, "--width", "20"])
            #expect(outcome.status == 0)
            #expect(folder.outputs == ["clear.png", "opaque.jpg"])
            #expect(try size(folder.outputData("opaque.jpg")) == PixelSize(20, 15))
            #expect(try size(folder.outputData("clear.png")) == PixelSize(20, 15))
        }
    }

    @Test(
        "each fit gives its size",
        arguments: [("contain", PixelSize(20, 15)), ("cover", PixelSize(20, 20)), ("fill", PixelSize(20, 20))])
    func fits(fit: String, expected: PixelSize) async throws {
        try await CommandFolder.with { folder in
            let path = try folder.add("a.png")
            let outcome = try await folder.run([
                "get", path, "-o", folder.output, "--width", "20", "--height", "20", "--fit", fit, "--format", "png",
            ])
            #expect(outcome.status == 0)
            #expect(try size(folder.outputData("a.png")) == expected)
        }
    }

    @Test("file names follow the template")
    func fileNames() async throws {
        try await CommandFolder.with { folder in
            let path = try folder.add("a.png")
            let outcome = try await folder.run([
                "get", path, path, "-o", folder.output, "--name-template", "{index}_{name}_{width}x{height}.{ext}",
            ])
            #expect(outcome.status == 0)
            #expect(folder.outputs == ["1_a_40x30.png", "2_a_40x30.png"])
        }
    }

    @Test("a file that is not an image leaves no output")
    func notAnImage() async throws {
        try await CommandFolder.with { folder in
            let page = try folder.add("a.png", Data("<!doctype html><html></html>".utf8))
            let outcome = try await folder.run(["get", "--json", page, "-o", folder.output, "--format", "original"])
            #expect(outcome.status == 1)
            #expect(folder.outputs.isEmpty)
            #expect(outcome.errors.contains("web page"))
        }
    }

    @Test("an output folder that cannot be created is a failure")
    func uncreatableFolder() async throws {
        try await CommandFolder.with { folder in
            let path = try folder.add("a.png")
            let outcome = try await folder.run(["get", path, "-o", path + "/below"])
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains("cannot be written"))
        }
    }

    @Test("a frame that does not exist is a failure")
    func missingFrame() async throws {
        try await CommandFolder.with { folder in
            let path = try folder.add("a.png")
            let outcome = try await folder.run(["get", "--json", path, "-o", folder.output, "--frame", "3"])
            #expect(outcome.status == 1)
            #expect(folder.outputs.isEmpty)
        }
    }

    /// Writes an animation of three frames in one colour each, and returns its path.
    private func animation(in folder: CommandFolder) throws -> String {
        let durations = [50, 100, 150].map { Duration.milliseconds($0) }
        let frames = AnimationFrames(durations: durations, size: PixelSize(24, 16), loopCount: 2, isOpaque: true) {
            (index) throws(ImageError) in
            let color = Pixel(blue: UInt8(index * 80), green: 0, red: 200, alpha: 255)
            return try TestImage.solid(color, 24, 16).pixels()
        }
        return try folder.add("moving.gif", try GIFCoder().encode(frames, EncodeOptions()))
    }

    @Test("all frames of an animation are written", arguments: ["gif", "apng", "webp"])
    func wholeAnimation(format: String) async throws {
        try await CommandFolder.with { folder in
            let path = try animation(in: folder)
            let outcome = try await folder.run(["get", path, "-o", folder.output, "--format", format, "--width", "12"])
            #expect(outcome.status == 0)
            let name = try #require(folder.outputs.first)
            let data = try #require(folder.outputData(name))
            let header = try CoderRegistry.standard().decoder(for: data).header(of: data)
            #expect(header.format.name == format)
            #expect(header.size == PixelSize(12, 8))
            #expect(header.frameDurations == [50, 100, 150].map { .milliseconds($0) })
            #expect(header.loopCount == 2)
        }
    }

    @Test("a requested frame is written")
    func requestedFrame() async throws {
        try await CommandFolder.with { folder in
            let path = try animation(in: folder)
            let outcome = try await folder.run(["get", path, "-o", folder.output, "--format", "gif", "--frame", "1"])
            #expect(outcome.status == 0)
            let name = try #require(folder.outputs.first)
            let data = try #require(folder.outputData(name))
            let image = try GIFCoder().decode(data, DecodeOptions())
            #expect(image.metadata.header?.frameCount == 1)
            #expect(image.pixels[3, 3].blue == 80)
        }
    }

    @Test("a format without animations gets the first frame")
    func firstFrame() async throws {
        try await CommandFolder.with { folder in
            let path = try animation(in: folder)
            #expect(try await folder.run(["get", path, "-o", folder.output, "--format", "png"]).status == 0)
            let name = try #require(folder.outputs.first)
            let data = try #require(folder.outputData(name))
            #expect(try PNGCoder().header(of: data).frameCount == 1)
        }
    }
}
