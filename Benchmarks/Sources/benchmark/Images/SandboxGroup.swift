import Easel
import EaselSandbox
import Foundation

/// Decoding in the workers of a sandbox compared with decoding in this process, by the same decoders.
enum SandboxGroup {
    static let name = "sandbox"

    @Sendable static func works() async throws -> [Work] {
        let sandbox = try Sandbox()
        if let reason = sandbox.status().shortcoming {
            Absence.report("no sandbox: \(reason)")
            return []
        }
        let kinds = [ImageFiles.Kind.avif, .heic, .jxl, .webp, .webpLossless, .tiff, .png, .jpeg]
        var files = try kinds.compactMap { try ImageFiles.photograph($0, ImageFiles.small) }
            .map { (name: $0.name, data: $0.data) }
        files.append((name: "SVG shapes", data: Data(drawing.utf8)))
        let thumbnails = try files.map { file in
            try work("\(file.name) to 300 x 225", [file.data], repeated: 4, sandbox)
        }
        // No single format dominates, and both kinds of workers run.
        return try thumbnails + [work("every format once", files.map(\.data), repeated: 1, sandbox), first()]
    }

    private static func work(_ title: String, _ files: [Data], repeated count: Int, _ sandbox: Sandbox) throws -> Work {
        let isolated = CoderRegistry.standard()
        isolated.isolate(nil, in: sandbox)
        func contestant(_ title: String, _ coders: CoderRegistry) throws -> Contestant {
            let decoders = try files.map { try coders.decoder(for: $0) }
            return Contestant(
                title,
                .timed { count in
                    var right = 0
                    for _ in 0..<count {
                        let sizes = try zip(decoders, files).map { try $0.decode($1, options).size }
                        if sizes.allSatisfy({ $0.width <= 300 && $0.height <= 225 }) { right += 1 }
                    }
                    return right
                })
        }
        return Work(
            group: name, name: title, operations: count, ours: try contestant("Easel", isolated),
            peers: [try contestant("in process", .standard())])
    }

    /// The first image of a sandbox, for which the processes are started.
    private static func first() throws -> Work {
        guard let file = try ImageFiles.photograph(.webp, ImageFiles.icon) else { throw CancellationError() }
        let decoder = try CoderRegistry.standard().decoder(for: file.data)
        return Work(
            group: name, name: "\(file.name), first image", maximumRounds: 10,
            ours: Contestant(
                "Easel",
                .timed { count in
                    let sandbox = try Sandbox()
                    let coders = CoderRegistry.standard()
                    coders.isolate(nil, in: sandbox)
                    let size = try coders.decoder(for: file.data).decode(file.data, DecodeOptions()).size
                    return size == file.size ? count : 0
                }),
            peers: [
                Contestant(
                    "in process",
                    .timed { count in
                        try decoder.decode(file.data, DecodeOptions()).size == file.size ? count : 0
                    })
            ])
    }

    private static let options = DecodeOptions(targetSize: .pixels(width: 300, height: 225))

    private static let drawing =
        "<svg xmlns='http://www.w3.org/2000/svg' width='400' height='300'>"
        + (0..<40).map { "<circle cx='\($0 * 10)' cy='\($0 * 7)' r='\($0 + 5)' fill='#\($0 + 20)40a0' opacity='.6'/>" }
        .joined() + "</svg>"
}
