import Easel
import Foundation

/// The photographs of the group, in the four formats, served by nginx.
struct ServerPhotographs: Sendable {
    static let count = Scale.pick(100, quick: 4)
    static let size = Scale.pick(PixelSize(2040, 1356), quick: PixelSize(1020, 678))
    /// The photographs whose results are compared with a reference.
    static let comparedCount = Scale.pick(12, quick: 2)

    let folder: String
    let origin: NginxServer

    /// Makes the files, unless an earlier run did, and starts the origin.
    init() throws {
        folder = try ImageFiles.folder("server-\(Self.size.width)") { folder in
            Progress.shared.printLine("making \(Self.count) photographs in four formats, which takes minutes")
            for number in 0..<Self.count {
                let image = try Photograph.make(Self.size, seed: UInt64(number + 1))
                for format in ServedFormat.allCases {
                    let data = try Self.encode(image, as: format)
                    try data.write(to: URL(filePath: "\(folder)/\(number).\(format.fileExtension)"))
                }
            }
        }
        origin = try NginxServer(root: folder)
    }

    func path(_ number: Int, _ format: ServedFormat) -> String { "\(folder)/\(number).\(format.fileExtension)" }

    func source(_ number: Int, _ format: ServedFormat) -> String { origin.url("\(number).\(format.fileExtension)") }

    /// Returns the images to request from a server: photographs in a format, converted to the same format.
    func images(_ format: ServedFormat, count: Int = Self.count, side: Int = 512, quality: Int? = nil) -> [ServedImage]
    {
        (0..<count).map {
            ServedImage(source: source($0, format), format: format, side: side, quality: quality)
        }
    }

    private static func encode(_ image: DecodedImage, as format: ServedFormat) throws -> Data {
        var options = EncodeOptions(quality: format == .avif ? 0.8 : 0.9)
        // Saves minutes.
        options.effort = 1
        return switch format {
        case .jpeg: try JPEGCoder().encode(image, options)
        case .png: try PNGCoder().encode(image, options)
        case .webp: try WebPCoder().encode(image, options)
        case .avif: try AVIFCoder().encode(image, options)
        }
    }
}
