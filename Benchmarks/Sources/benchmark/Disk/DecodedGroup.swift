import Easel
import EaselCompatibility
import Foundation

/// Easel's decoded thumbnails compared with decoding a thumbnail's file: 300 x 225, in the system's page cache.
enum DecodedGroup {
    private static let count = 100
    private static let reads = Scale.pick(1_000, quick: 100)

    @Sendable static func works() async throws -> [Work] {
        let jpeg = try JPEGCoder().encode(makeImage(), EncodeOptions(quality: 0.9))
        let cache = ImageCache(folder: URL(filePath: try ScratchFolder.make("decoded")))
        let coders = CoderRegistry.standard()
        let manager = ImageManager { $0.cache = cache }
        let requests = try (0..<count).map { number in
            guard let url = URL(string: "http://localhost/\(number).jpg") else { throw URLError(.badURL) }
            return ImageRequest(url) {
                $0.targetSize = .pixels(width: 300, height: 225)
                $0.options = .waitStoreCache
            }
        }
        for request in requests {
            try await cache.disk?.store(jpeg, for: request.originalKey)
            _ = try await manager.image(for: request)
        }
        await cache.settle()
        let order = Shuffle.numbers(reads, below: count)
        func work(_ name: String, _ check: @escaping (DecodedImage) -> Bool) -> Work {
            Work(
                group: DiskGroup.name, name: name, operations: order.count,
                ours: Contestant(
                    "Easel",
                    .timed { _ in
                        var matches = 0
                        for number in order {
                            let found = try await cache.query(
                                requests[number].key, from: .disk, promotes: false, decodingWith: coders)
                            if let found, check(found.image) { matches += 1 }
                        }
                        return matches
                    }),
                peers: [
                    Contestant(
                        "JPEG from Easel's disk cache",
                        .timed { _ in
                            var matches = 0
                            for number in order {
                                let key = requests[number].originalKey
                                guard let data = try await cache.disk?.data(for: key) else { continue }
                                if check(try JPEGCoder().decode(data, DecodeOptions())) { matches += 1 }
                            }
                            return matches
                        })
                ])
        }
        return [
            work("decoded 300 x 225 to pixels", { $0.size.width == 300 }),
            work("decoded 300 x 225 to pixels, each read", { sum(of: $0) != 0 }),
        ]
    }

    /// Sums one byte in sixteen, which touches every page and every cache line.
    private static func sum(of image: DecodedImage) -> UInt64 {
        image.pixels.withUnsafeBytes { bytes in
            var sum: UInt64 = 0
            var position = 0
            while position < bytes.count {
                sum &+= UInt64(bytes[position])
                position += 16
            }
            return sum
        }
    }

    /// Makes a smooth image with some grain, like a photograph.
    private static func makeImage() throws -> DecodedImage {
        var shuffle = Shuffle()
        let pixels = try PixelBuffer(size: PixelSize(300, 225), isOpaque: true) { bytes, bytesPerRow in
            for y in 0..<225 {
                for x in 0..<300 {
                    let grain = Int(shuffle.next() & 15)
                    let start = y * bytesPerRow + x * 4
                    bytes[start] = UInt8(40 + x / 2 + grain)
                    bytes[start + 1] = UInt8(60 + y / 2 + grain)
                    bytes[start + 2] = UInt8(200 - (x + y) / 4 + grain)
                    bytes[start + 3] = 255
                }
            }
        }
        return DecodedImage(pixels: pixels, metadata: ImageMetadata())
    }
}
