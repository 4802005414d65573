/// The targets of the rows.
enum Aims {
    private enum Aim {
        /// At least this ratio to one peer, or to the best.
        case ratio(Double, to: String?)
        /// At most this many nanoseconds.
        case under(Double)
    }

    private static let aims =
        fixed + server(.jpeg, 1.5) + server(.png, 1.2) + server(.webp, 1) + server(.avif, 1.5)

    private static let fixed: [(work: String, [Aim])] = [
        ("hit, 1,000 entries", [.ratio(20, to: "NSCache"), .ratio(3, to: "linked nodes")]),
        ("insert and evict, 1,000 entries", [.ratio(10, to: "NSCache"), .ratio(2, to: "linked nodes")]),
        ("read 20 KB", [.ratio(8, to: FoundationFolder.name), .ratio(5, to: BlobDatabase.name)]),
        ("store 20 KB", [.ratio(6, to: FoundationFolder.name), .ratio(4, to: BlobDatabase.name)]),
        ("open, 100,000 entries", [.under(1e6)]),
        ("total size, 100,000 entries", [.under(1e3)]),
        ("remove a URL among 100,000 entries", [.under(5e7)]),
        ("remove a tag of ten URLs among 100,000 entries", [.under(1e9)]),
        (
            "2,000 x 20 KB, 6 at a time, HTTP/1.1",
            [.ratio(4, to: "URLSession"), .ratio(1.1, to: "AsyncHTTPClient"), .ratio(1.1, to: "aiohttp")]
        ),
        ("JPEG 4:2:0 12 MP", [.ratio(1.1, to: "imagecodecs"), .ratio(1.4, to: "gdk-pixbuf")]),
        ("JPEG 4:4:4 12 MP", [.ratio(1, to: nil)]),
        ("JPEG progressive 12 MP", [.ratio(1, to: nil)]),
        ("PNG RGB 12 MP", [.ratio(1.8, to: nil)]),
        ("PNG RGBA 12 MP", [.ratio(1.8, to: nil)]),
        ("PNG palette 12 MP", [.ratio(2.2, to: nil)]),
        ("WebP lossy 12 MP", [.ratio(1.05, to: nil)]),
        ("WebP lossy + alpha 12 MP", [.ratio(1.1, to: nil)]),
        ("WebP lossless 12 MP", [.ratio(1, to: nil)]),
        ("AVIF 12 MP", [.ratio(1 / 1.05, to: PythonLibrary.system)]),
        ("HEIC 12 MP", [.ratio(1 / 1.05, to: PythonLibrary.system)]),
        ("JPEG XL 12 MP", [.ratio(1 / 1.05, to: PythonLibrary.system)]),
        ("JPEG 4:2:0 12 MP to 300 x 225", [.ratio(1.05, to: nil)]),
        ("JPEG progressive 12 MP to 300 x 225", [.ratio(8, to: nil)]),
        ("PNG RGB 12 MP to 300 x 225", [.ratio(1.5, to: nil)]),
        ("WebP lossy 12 MP to 300 x 225", [.ratio(1.2, to: nil)]),
        ("Lanczos to 800 x 600, PNG RGB 12 MP", [.ratio(1.2, to: "pyvips"), .ratio(5, to: "Pillow")]),
        ("Lanczos to 300 x 225, PNG RGB 12 MP", [.ratio(1.2, to: "pyvips"), .ratio(5, to: "Pillow")]),
        ("rotate by 90 degrees, PNG RGB 3 MP", [.ratio(1.5, to: nil)]),
        ("flip, PNG RGB 3 MP", [.ratio(1, to: nil)]),
        ("blur, sigma 10, PNG RGB 3 MP", [.ratio(1, to: nil)]),
        ("GIF pan, all frames", [.ratio(1.3, to: nil)]),
        ("GIF sticker, all frames", [.ratio(3, to: nil)]),
        ("GIF delta, all frames", [.ratio(10, to: nil)]),
        ("WebP pan, all frames", [.ratio(1.05, to: nil)]),
        ("WebP sticker, all frames", [.ratio(1.05, to: nil)]),
        ("WebP delta, all frames", [.ratio(1.05, to: nil)]),
        ("APNG pan, all frames", [.ratio(1.3, to: nil)]),
        ("APNG sticker, all frames", [.ratio(1.3, to: nil)]),
        ("APNG delta, all frames", [.ratio(1.3, to: nil)]),
        (WholeCalls.hit, [.under(1_500), .ratio(10, to: "URLCache")]),
        (EndToEndGroup.cold, [.ratio(1.5, to: nil)]),
        (EndToEndGroup.fromDisk, [.ratio(3, to: nil)]),
        (WaitingLine.name, [.under(3_000)]),
        ("hot, one file, 64 connections", [.ratio(0.4, to: "nginx, files")]),
        ("hot, one file, 64 connections, processor time", [.under(1e5)]),
    ]

    /// The targets of a format for which Easel's image server has to be faster by a ratio.
    private static func server(_ format: ServedFormat, _ ratio: Double) -> [(work: String, [Aim])] {
        let name = format.rawValue
        return [
            ("\(name), 16 connections", [.ratio(ratio, to: nil)]),
            ("\(name), 16 connections, processor time", [.ratio(ratio, to: nil)]),
            (
                "\(name), 16 connections, peak memory",
                [.ratio(1, to: "thumbor"), .ratio(1, to: ImageServers.wheel), .ratio(1, to: ImageServers.system)]
            ),
            ("\(name), bytes", [.ratio(1, to: nil)]),
        ]
    }

    /// Returns a line for each target with a result.
    static func table(_ results: [Result]) -> String? {
        let rows = results.flatMap { result in
            let found = aims.first { $0.work == result.work }?.1 ?? []
            return found.compactMap { row(result, $0) }
        }
        return rows.isEmpty ? nil : Table(["work", "aim", "is", ""], rows).description
    }

    private static func row(_ result: Result, _ aim: Aim) -> [String]? {
        switch aim {
        case .under(let most):
            return [
                result.work, "under \(number(most)) ns", "\(number(result.ours.median)) ns",
                result.ours.median < most ? "reached" : "MISSED",
            ]
        case .ratio(let least, let name):
            let peer = name.map { name in result.peers.first { $0.name == name }?.figures.median }
            guard let ratio = peer.map({ $0.flatMap { result.ratio(to: $0) } }) ?? result.ratio else { return nil }
            return [
                result.work, "\(number(least)) x \(name ?? "the best")", number(ratio) + " x",
                ratio >= least ? "reached" : "MISSED",
            ]
        }
    }
}
