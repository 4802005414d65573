import Foundation

/// curl for the network and two concurrent vipsthumbnail processes for the pixels: files to files, nothing in memory.
struct ThumbnailCommands {
    let name = "curl --parallel + vipsthumbnail"
    private let curl: String
    private let vips: String

    init() throws {
        curl = try Tool.require("curl", for: name)
        vips = try Tool.require("vipsthumbnail", for: name)
    }

    func all(_ base: String, count: Int) -> Contestant {
        Contestant(name, in: .commands, .timed { _ in try run(base, count: count, numbers: "[0-\(count - 1)]") })
    }

    /// Returns the number of small images.
    ///
    /// - Parameter numbers: The numbers to append to the URL, as a curl glob.
    func run(_ base: String, count: Int, numbers: String) throws -> Int {
        let folder = try ScratchFolder.make("commands")
        let output = folder + (numbers.isEmpty ? "/first.jpg" : "/#1.jpg")
        try Tool.run(
            "/bin/sh", "-c",
            """
            "$0" --silent --parallel --parallel-max 6 --output "$2" "$3" && cd "$4" && mkdir small &&
            find . -maxdepth 1 -name '*.jpg' -print0 | VIPS_CONCURRENCY=1 xargs -0 -P 2 -n \((count + 1) / 2) \
            "$1" --size 300x225 --output 'small/%s.jpg[Q=95]'
            """, curl, vips, output, base + numbers, folder)
        return try FileManager.default.contentsOfDirectory(atPath: folder + "/small").count
    }
}
