import Easel
import Foundation

/// Four sizes of one photograph: one whole decode that is scaled four times, compared with a decode for each size.
/// It shows for which formats the image server shares decodes.
enum SharedDecodes {
    private static let sides = Scale.pick([128, 256, 512, 1024], quick: [64, 128, 256, 512])

    @Sendable static func works() async throws -> [Work] {
        let photographs = try ServerPhotographs()
        return try ServedFormat.allCases.map { format in
            let file = try Data(contentsOf: URL(filePath: photographs.path(0, format)))
            let decoder = try CoderRegistry.standard().decoder(for: file)
            func contestant(_ name: String, _ decode: @escaping () throws -> [DecodedImage]) -> Contestant {
                Contestant(name, .timed { _ in try decode().map(\.size.width) == sides ? 1 : 0 })
            }
            return Work(
                group: ServerGroup.name, name: "\(format.rawValue), four sizes from one decode",
                ours: contestant("Easel") {
                    let image = try decoder.decode(file, DecodeOptions())
                    return try sides.map { try image.applying([.resize(target($0))]) }
                },
                peers: [
                    contestant("a decode for each size") {
                        try sides.map { try decoder.decode(file, DecodeOptions(targetSize: target($0))) }
                    }
                ])
        }
    }

    private static func target(_ side: Int) -> TargetSize {
        let size = ServerPhotographs.size
        let height = Int((Double(side * size.height) / Double(size.width)).rounded())
        return .pixels(width: side, height: height, mode: .fill)
    }
}
