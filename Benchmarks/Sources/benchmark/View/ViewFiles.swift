import Easel
import Foundation

/// The images of the views, as a folder of files, created once and stored with the build.
enum ViewFiles {
    static let count = 600
    static let animationCount = 50
    /// The number of distinct images.
    private static let distinctCount = Scale.pick(count, quick: 60)
    private static let distinctAnimationCount = Scale.pick(animationCount, quick: 5)
    private static let size = PixelSize(1200, 900)
    private static let animationSize = PixelSize(160, 120)
    private static let frameCount = 20

    /// The sets of photographs, with the names for `--set`.
    enum Photographs: String, CaseIterable {
        case baseline
        case progressive
    }

    /// Returns the folder with all images: `baseline/000.jpg`, `progressive/000.jpg`, `gif/00.gif` and so on.
    static func folder() throws -> String {
        // Increase the number when the images change.
        let name = Scale.pick("views-1", quick: "views-quick-1")
        let folder = FileManager.default.currentDirectoryPath + "/Benchmarks/.build/" + name
        guard !FileManager.default.fileExists(atPath: folder) else { return folder }
        FileHandle.standardError.write(Data("benchmark: making the images of views\n".utf8))
        let unfinished = folder + "-unfinished"
        for name in Photographs.allCases.map(\.rawValue) + ["gif"] {
            try FileManager.default.createDirectory(atPath: unfinished + "/" + name, withIntermediateDirectories: true)
        }
        let landscape = try Photograph.make(PixelSize(4000, 3000), seed: 11)
        for index in 0..<distinctCount { try writePhotograph(index, landscape, into: unfinished) }
        for index in 0..<distinctAnimationCount { try writeAnimation(index, landscape, into: unfinished) }
        for set in Photographs.allCases {
            try repeatFiles("\(unfinished)/\(set)/%03d.jpg", existing: distinctCount, upTo: count)
        }
        try repeatFiles("\(unfinished)/gif/%02d.gif", existing: distinctAnimationCount, upTo: animationCount)
        try FileManager.default.moveItem(atPath: unfinished, toPath: folder)
        return folder
    }

    /// Writes a distinct part of the landscape, about 138 KB.
    private static func writePhotograph(_ index: Int, _ landscape: DecodedImage, into folder: String) throws {
        let part = try part(of: landscape, x: index % 30 * 93, y: index / 30 * 105, size)
        for set in Photographs.allCases {
            let options = EncodeOptions(quality: 0.88, isProgressive: set == .progressive)
            let name = String(format: "%03d.jpg", index)
            try JPEGCoder().encode(part, options).write(to: URL(filePath: "\(folder)/\(set)/\(name)"))
        }
    }

    /// Writes a camera that moves to the right, at twenty frames per second.
    private static func writeAnimation(_ index: Int, _ landscape: DecodedImage, into folder: String) throws {
        let durations = [Duration](repeating: .milliseconds(50), count: frameCount)
        let frames = AnimationFrames(durations: durations, size: animationSize, loopCount: 0, isOpaque: true) {
            frame throws(ImageError) in
            try Self.part(of: landscape, x: index * 70 + frame * 4, y: index * 53, animationSize).pixels
        }
        let name = String(format: "%02d.gif", index)
        try GIFCoder().encode(frames, EncodeOptions()).write(to: URL(filePath: "\(folder)/gif/\(name)"))
    }

    /// Adds copies of the existing files under further names.
    private static func repeatFiles(_ names: String, existing: Int, upTo count: Int) throws {
        for index in existing..<count {
            try FileManager.default.linkItem(
                atPath: String(format: names, index % existing), toPath: String(format: names, index))
        }
    }

    private static func part(
        of image: DecodedImage, x: Int, y: Int, _ size: PixelSize
    ) throws(ImageError) -> DecodedImage {
        let pixels = try PixelBuffer(size: size, isOpaque: true) { bytes, bytesPerRow in
            image.pixels.withUnsafeBytes { source in
                for row in 0..<size.height {
                    let start = (y + row) * image.pixels.bytesPerRow + x * 4
                    bytes[(row * bytesPerRow)..<(row * bytesPerRow + size.width * 4)]
                        .copyBytes(from: source[start..<(start + size.width * 4)])
                }
            }
        }
        return DecodedImage(pixels: pixels, metadata: ImageMetadata())
    }
}
