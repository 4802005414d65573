import Easel
import Foundation

/// The bytes of results, at the similarity to a reference that Easel's have: Pillow's Lanczos filter on all pixels.
struct ResultSizes {
    private let photographs: ServerPhotographs
    private let format: ServedFormat
    private let references: [PixelBuffer]
    private let load = ServerLoad(connections: 2)

    private static let script = """
        import sys
        from PIL import Image
        for source, target in zip(sys.argv[1::2], sys.argv[2::2]):
            image = Image.open(source).convert("RGB")
            image.resize((512, round(512 * image.height / image.width)), Image.Resampling.LANCZOS).save(target)
        """

    init(_ photographs: ServerPhotographs, _ format: ServedFormat) throws {
        self.photographs = photographs
        self.format = format
        let python = try PythonProcess.python(with: [.pillow], for: "the reference of results")
        let folder = try ScratchFolder.make("references")
        let numbers = 0..<ServerPhotographs.comparedCount
        let paths = numbers.flatMap { [photographs.path($0, format), "\(folder)/\($0).png"] }
        try Tool.run(python, ["-c", Self.script] + paths)
        references = try numbers.map { number in
            let file = try Data(contentsOf: URL(filePath: "\(folder)/\(number).png"))
            return try PNGCoder().decode(file, DecodeOptions()).pixels
        }
    }

    /// Returns the row of a format.
    func work(_ easel: ImageServerProcess, _ peers: [ImageServerProcess]) async throws -> Work {
        let ours = try await measure(easel, format.quality)
        func contestant(_ server: ImageServerProcess, _ count: @escaping () async throws -> Double) -> Contestant {
            Contestant(server.name, in: .servers, .counted(count))
        }
        Progress.shared.printLine("\(format.rawValue): SSIM \(ours.similarity), \(Int(ours.byteCount)) bytes")
        return Work(
            group: ServerGroup.name, name: "\(format.rawValue), bytes", unit: .bytes, maximumRounds: 1,
            ours: contestant(easel) { ours.byteCount },
            peers: peers.map { peer in
                contestant(peer) {
                    guard format != .png else { return try await measure(peer, format.quality).byteCount }
                    return try await QualityPoint.reaching(ours.similarity, from: format.quality) {
                        try await measure(peer, $0)
                    }.byteCount
                }
            })
    }

    private func measure(_ server: ImageServerProcess, _ quality: Int) async throws -> QualityPoint {
        let images = photographs.images(format, count: references.count, quality: quality)
        var (byteCount, similarity) = (0, 0.0)
        for (image, reference) in zip(images, references) {
            let file = try await load.get(server.url(image))
            byteCount += file.count
            let pixels = try CoderRegistry.standard().decoder(for: file).decode(file, DecodeOptions()).pixels
            similarity += Similarity.of(pixels, to: reference)
        }
        let count = Double(references.count)
        return QualityPoint(quality: quality, byteCount: Double(byteCount) / count, similarity: similarity / count)
    }
}
