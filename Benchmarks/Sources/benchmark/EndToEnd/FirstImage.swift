import Easel
import Foundation

/// Measures, in a separate process, the time from its start to the first image.
enum FirstImage {
    static let option = "--first-image"

    /// - Parameters:
    ///   - url: The image's URL.
    ///   - folder: The cache folder.
    static func show(_ url: String, folder: String) async throws {
        let image = try await EndToEndGroup.manager(folder: folder).image(for: EndToEndGroup.request(url))
        print(image.size.width, "x", image.size.height)
    }
}
