import Easel
import Foundation

/// Decoding, thumbnails, transforms and animations compared with Python's libraries, each in a separate process that
/// measures its own time. All work on one thread.
enum ImageGroups {
    static let decode = "decode"
    static let thumbnail = "thumbnail"
    static let transform = "transform"
    static let animation = "animation"

    /// Decodes files of all formats to pixels.
    @Sendable static func decodeWorks() async throws -> [Work] {
        let libraries = PythonLibrary.all()
        var files = try ImageFiles.Kind.allCases.compactMap { try ImageFiles.photograph($0, ImageFiles.large) }
        for kind in [ImageFiles.Kind.jpeg, .png, .webp] {
            for size in [ImageFiles.medium, ImageFiles.small, ImageFiles.icon] {
                if let file = try ImageFiles.photograph(kind, size) { files.append(file) }
            }
        }
        let coders = CoderRegistry.standard()
        return try files.compactMap { file -> Work? in
            let decoder = try coders.decoder(for: file.data)
            return try work(
                decode, file.name, pixels: file.size, libraries, "decode", [file.path], expected: [file.size]
            ) {
                try decoder.decode(file.data, DecodeOptions()).size == file.size
            }
        }
    }

    /// Decodes 12 MP to 300 x 225.
    @Sendable static func thumbnailWorks() async throws -> [Work] {
        let libraries = PythonLibrary.all()
        let coders = CoderRegistry.standard()
        let size = PixelSize(300, 225)
        return try [ImageFiles.Kind.jpeg, .jpegFull, .progressive, .png, .webp].compactMap { kind -> Work? in
            guard let file = try ImageFiles.photograph(kind, ImageFiles.large) else { return nil }
            let decoder = try coders.decoder(for: file.data)
            let options = DecodeOptions(targetSize: .pixels(width: size.width, height: size.height))
            return try work(
                thumbnail, "\(file.name) to 300 x 225", pixels: file.size, libraries, "thumbnail",
                [file.path, size.width, size.height], expected: [size]
            ) {
                try decoder.decode(file.data, options).size == size
            }
        }
    }

    /// Transforms pixels.
    @Sendable static func transformWorks() async throws -> [Work] {
        guard let large = try ImageFiles.photograph(.png, ImageFiles.large),
            let medium = try ImageFiles.photograph(.png, ImageFiles.medium)
        else { return [] }
        return try transforms(
            of: large, [800, 300].map { Step(.resize(width: $0, height: $0 * 3 / 4)) })
            + transforms(of: medium, [Step(.rotate), Step(.flip), Step(.blur(sigma: 10))]) + pixelWorks()
    }

    private static func transforms(of file: ImageFiles.File, _ steps: [Step]) throws -> [Work] {
        let libraries = try PythonLibrary.all(holding: file.path)
        let image = try PNGCoder().decode(file.data, DecodeOptions())
        return try steps.compactMap { step -> Work? in
            let size = step.size(of: image.size)
            return try work(
                transform, "\(step.name) \(file.name)", pixels: file.size, libraries, step.work, step.arguments,
                expected: [size]
            ) {
                try image.applying([step.transform]).size == size
            }
        }
    }

    /// Composites all frames.
    @Sendable static func animationWorks() async throws -> [Work] {
        let libraries = PythonLibrary.all()
        var works: [Work] = []
        for format in AnimationFormat.allCases {
            for scene in AnimationScene.allCases {
                guard let file = try ImageFiles.animation(scene, as: format) else { continue }
                let decoder = format.decoder
                let count = try decoder.header(of: file.data).frameCount
                // Equal frames may have been joined.
                let pixels = PixelSize(file.size.width * count, file.size.height)
                works += try [
                    work(
                        animation, "\(file.name), all frames", pixels: pixels, libraries, "frames", [file.path],
                        expected: [PixelSize(count, 0)]
                    ) {
                        let animation = try decoder.makeAnimationDecoder(file.data, DecodeOptions())
                        return try (0..<count).allSatisfy { try animation.frame($0) { false }.size == file.size }
                    }
                ].compactMap { $0 }
            }
        }
        return works
    }

    /// - Parameters:
    ///   - pixels: The size of the work, from which the repetitions in a round follow.
    ///   - name: The libraries' name for the work, followed by its arguments.
    ///   - expected: The correct result.
    static func work(
        _ group: String, _ title: String, pixels: PixelSize, _ libraries: [PythonLibrary], _ name: String,
        _ arguments: [any Sendable], expected: [PixelSize], ours: @escaping () throws -> Bool
    ) throws -> Work? {
        let operations = max(1, 2_000_000 / (pixels.width * pixels.height))
        let peers: [Contestant] = try libraries.compactMap { library in
            guard matches(try library.measure(name, 1, arguments), expected) else {
                // The system's libraries only decode.
                if library.name != PythonLibrary.system { Absence.report(library.name, cannot: title) }
                return nil
            }
            var peer = Contestant(
                library.name, in: library.place,
                .counted {
                    let answer = try library.measure(name, operations, arguments)
                    guard matches(answer, expected) else { throw WrongResult(contestant: library.name, work: title) }
                    return answer[0]
                })
            peer.forget = { _ = try? library.measure("forget", 0, []) }
            return peer
        }
        // Without a peer there is no ratio.
        guard !peers.isEmpty else { return nil }
        var easel = Contestant(
            "Easel",
            .timed { count in
                var right = 0
                for _ in 0..<count where try ours() { right += 1 }
                return right
            })
        // Otherwise the pixels of the previous row would be reused, and not be measured.
        easel.forget = { MemoryPressureMonitor.system.report(.critical) }
        return Work(group: group, name: title, operations: operations, ours: easel, peers: peers)
    }

    private static func matches(_ answer: [Double], _ expected: [PixelSize]) -> Bool {
        answer.count == 3 && expected.contains(PixelSize(Int(answer[1]), Int(answer[2])))
    }

    /// One transform, for Easel and for the peers.
    private struct Step {
        enum Kind {
            case resize(width: Int, height: Int)
            case rotate
            case flip
            case blur(sigma: Double)
        }

        let kind: Kind

        init(_ kind: Kind) {
            self.kind = kind
        }

        var name: String {
            switch kind {
            case .resize(let width, let height): "Lanczos to \(width) x \(height),"
            case .rotate: "rotate by 90 degrees,"
            case .flip: "flip,"
            case .blur(let sigma): "blur, sigma \(Int(sigma)),"
            }
        }

        var work: String {
            switch kind {
            case .resize: "resize"
            case .rotate: "rotate"
            case .flip: "flip"
            case .blur: "blur"
            }
        }

        var arguments: [any Sendable] {
            switch kind {
            case .resize(let width, let height): [width, height]
            case .blur(let sigma): [sigma]
            default: []
            }
        }

        var transform: ImageTransform {
            switch kind {
            case .resize(let width, let height): .resize(.pixels(width: width, height: height, mode: .fill))
            case .rotate: .rotate(degrees: 90)
            case .flip: .flip(.horizontal)
            case .blur(let sigma): .blur(sigma: sigma)
            }
        }

        func size(of source: PixelSize) -> PixelSize {
            switch kind {
            case .resize(let width, let height): PixelSize(width, height)
            case .rotate: PixelSize(source.height, source.width)
            default: source
            }
        }
    }
}
