import Foundation

/// A running image server, with the form of its URLs.
final class ImageServerProcess: Sendable {
    let name: String
    private let process: TiedProcess
    private let makeURL: @Sendable (ServedImage) -> String

    /// Starts a server on a free port.
    ///
    /// - Parameters:
    ///   - command: Returns the command for a port.
    ///   - url: Returns the URL of an image on a port.
    init(
        _ name: String, command: (UInt16) throws -> [String],
        url: @escaping @Sendable (UInt16, ServedImage) -> String
    ) throws {
        self.name = name
        let port = try Loopback.freePort()
        process = try TiedProcess(try command(port), isServer: true)
        makeURL = { url(port, $0) }
        for _ in 0..<2000 where !Loopback.isListening(port) { usleep(10_000) }
        guard Loopback.isListening(port) else { throw MissingPeer(name: name, reason: "it did not start.") }
    }

    var tree: ProcessTree { ProcessTree(root: process.identifier) }

    func url(_ image: ServedImage) -> String { makeURL(image) }
}

/// A result to request.
struct ServedImage: Sendable {
    /// The URL of the photograph.
    var source: String
    var format: ServedFormat
    /// The box that the result fits in.
    var side = 512
    var quality: Int?
}

/// The formats of sources and results.
enum ServedFormat: String, CaseIterable, Sendable {
    case jpeg = "JPEG"
    case png = "PNG"
    case webp = "WebP"
    case avif = "AVIF"

    /// The quality of the results. PNG has none.
    var quality: Int {
        switch self {
        case .jpeg: 80
        case .png: 100
        case .webp: 75
        case .avif: 65
        }
    }

    var fileExtension: String { self == .jpeg ? "jpg" : rawValue.lowercased() }
}
