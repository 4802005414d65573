import Easel
import Foundation

/// Encoding compared with Python's libraries, on one thread. The peers write at the quality whose similarity to the
/// pixels is that of Easel's file, or the next higher one, and at the same effort.
enum EncodeGroup {
    static let name = "encode"

    /// The formats, with the qualities and efforts of Easel's image server.
    private enum Format: String, CaseIterable {
        case jpeg = "JPEG"
        case png = "PNG"
        case webp = "WebP"
        case avif = "AVIF"
        case jxl = "JPEG XL"

        var quality: Int {
            switch self {
            case .jpeg, .jxl: 80
            case .png: 100
            case .webp: 75
            case .avif: 65
            }
        }

        private var effort: Int {
            switch self {
            case .jpeg: 3
            case .png: 0
            case .webp: 5
            case .avif: 2
            case .jxl: 4
            }
        }

        private var encoder: any ImageEncoding {
            switch self {
            case .jpeg: JPEGCoder()
            case .png: PNGCoder()
            case .webp: WebPCoder()
            case .avif: AVIFCoder()
            case .jxl: JXLCoder()
            }
        }

        func encode(_ image: DecodedImage) throws -> Data {
            var options = EncodeOptions(quality: Double(quality) / 100)
            options.effort = effort
            return try encoder.encode(image, options)
        }
    }

    @Sendable static func works() async throws -> [Work] {
        let libraries = PythonLibrary.all().filter { ["Pillow", "pyvips", "imagecodecs"].contains($0.name) }
        guard let large = try ImageFiles.photograph(.png, ImageFiles.medium), let small = try ImageFiles.result() else {
            return []
        }
        var works: [Work] = []
        for file in [small, large] {
            let image = try PNGCoder().decode(file.data, DecodeOptions())
            let able = try libraries.filter { try $0.measure("hold", 1, [file.path]).count == 3 }
            for format in Format.allCases { works += try await rows(format, image, file.path, able) }
        }
        return works
    }

    private static func rows(
        _ format: Format, _ image: DecodedImage, _ path: String, _ libraries: [PythonLibrary]
    ) async throws -> [Work] {
        let ours = try format.encode(image)
        let similarity = try similarity(of: ours, to: image)
        let title = "\(format.rawValue) \(image.size)"
        let operations = max(1, 1_000_000 / (image.size.width * image.size.height))
        var times: [Contestant] = [], sizes: [Contestant] = []
        for library in libraries {
            guard let point = try await point(library, format, image, similarity) else {
                Absence.report(library.name, cannot: "encode: \(format.rawValue)")
                continue
            }
            times.append(
                Contestant(
                    library.name, in: library.place,
                    .counted {
                        // The library may hold the image of another case.
                        _ = try library.measure("hold", 1, [path])
                        return try library.measure("encode", operations, [format.rawValue, point.quality])[0]
                    }))
            sizes.append(Contestant(library.name, in: library.place, .counted { point.byteCount }))
        }
        let easel = Contestant(
            "Easel",
            .timed { count in
                var right = 0
                for _ in 0..<count where try format.encode(image).count == ours.count { right += 1 }
                return right
            })
        let text = format == .png ? "bytes" : "bytes at SSIM \((similarity * 10_000).rounded() / 10_000)"
        return [
            Work(group: name, name: title, operations: operations, ours: easel, peers: times),
            Work(
                group: name, name: "\(title), \(text)", unit: .bytes, maximumRounds: 1,
                ours: Contestant("Easel", .counted { Double(ours.count) }), peers: sizes),
        ]
    }

    /// Returns the quality and the bytes of a library's file of this similarity; `nil` if it cannot write the format.
    private static func point(
        _ library: PythonLibrary, _ format: Format, _ image: DecodedImage, _ similarity: Double
    ) async throws -> QualityPoint? {
        let path = try ScratchFolder.make("encode") + "/file"
        func measure(_ quality: Int) throws -> QualityPoint? {
            guard try library.measure("encode", 1, [format.rawValue, quality]).count == 3 else { return nil }
            _ = try library.measure("save", 1, [path])
            let file = try Data(contentsOf: URL(filePath: path))
            let similarity = try self.similarity(of: file, to: image)
            return QualityPoint(quality: quality, byteCount: Double(file.count), similarity: similarity)
        }
        guard let first = try measure(format.quality), format != .png else { return try measure(format.quality) }
        return try await QualityPoint.reaching(similarity, from: format.quality) { quality in
            try measure(quality) ?? first
        }
    }

    private static func similarity(of file: Data, to image: DecodedImage) throws -> Double {
        let decoder = try CoderRegistry.standard().decoder(for: file)
        return Similarity.of(try decoder.decode(file, DecodeOptions()).pixels, to: image.pixels)
    }
}
