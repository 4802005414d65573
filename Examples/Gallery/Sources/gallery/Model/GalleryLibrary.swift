import EaselGTK
import Foundation

/// The images, their sources and their states.
@MainActor
final class GalleryLibrary {
    struct Image {
        let url: URL
        let title: String
        /// The last source of the image, or `nil` before the first load.
        var source: ImageSource?
        var hasFailed = false
        var isAnimated = false
    }

    /// The number of loads by source since the counters were reset.
    struct Tally {
        var sources: [ImageSource: Int] = [:]
        var failed = 0
        var times: [ImageSource: Duration] = [:]
    }

    let manager: ImageManager
    let cache: ImageCache
    let transport = SwitchedTransport(CurlTransport.shared)
    private(set) var images: [Image]
    private(set) var tally = Tally()
    /// Called when a counter changes.
    var didChange: () -> Void = {}

    init(_ urls: [URL], folder: String) {
        images = urls.map { Image(url: $0, title: Self.title(of: $0)) }
        let cache = ImageCache(folder: URL(filePath: folder))
        let downloader = ImageDownloader(transport: transport) { $0.accept(.standard()) }
        self.cache = cache
        manager = ImageManager {
            $0.cache = cache
            $0.loader = ImageLoaderChain([downloader, FileLoader(), DataURLLoader()])
            $0.delegate = ImpatientDelegate()
        }
    }

    /// Records the result of a load.
    func note(_ outcome: Result<ImageResponse, ImageError>, of index: Int) {
        switch outcome {
        case .success(let response):
            images[index].source = response.source
            images[index].hasFailed = false
            images[index].isAnimated = (response.image.metadata.header?.frameCount ?? 1) > 1
            tally.sources[response.source, default: 0] += 1
            tally.times[response.source, default: .zero] += response.timeline.total ?? .zero
        case .failure(.cancelled):
            return
        case .failure:
            images[index].hasFailed = true
            tally.failed += 1
        }
        didChange()
    }

    /// Returns whether an image matches the words of a search: a source or a part of the name.
    func matches(_ index: Int, _ query: String) -> Bool {
        let image = images[index]
        return query.lowercased().split(separator: " ").map(String.init).allSatisfy { word in
            switch word {
            case "memory", "disk", "network", "file", "data": image.source?.rawValue == word
            case "failed": image.hasFailed
            case "animated": image.isAnimated
            default: image.title.lowercased().contains(word)
            }
        }
    }

    func clearMemory() {
        cache.memory.removeAll()
        didChange()
    }

    func clearDisk() async {
        try? await cache.removeAll()
        didChange()
    }

    private static func title(of url: URL) -> String {
        let name = url.deletingPathExtension().lastPathComponent
        return name.isEmpty ? url.absoluteString : name
    }
}

/// Retries immediately when the network is restored.
private struct ImpatientDelegate: ImageManagerDelegate {
    func imageManager(blockingTimeFor request: ImageRequest, after error: ImageError) -> Duration? { nil }
}
