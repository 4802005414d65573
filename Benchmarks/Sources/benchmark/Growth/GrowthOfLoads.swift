import Easel
import Foundation

/// Increasing numbers of concurrent loads.
enum GrowthOfLoads {
    @Sendable static func waiting() async throws -> [Growth.Series] {
        var series = Growth.Series(title: "a load that waits for its turn, begun and cancelled", items: "loads")
        for count in Scale.pick([1, 10, 100, 1_000, 10_000], quick: [1, 10, 100]) {
            let requests = try LoadsInLine.requests(count)
            let cost = await Growth.least("waiting, \(count)", count < 10_000 ? 5 : 2) {
                let start = processorTime()
                let right = await LoadsInLine.beginAndCancel(requests)
                return right == count ? (processorTime() - start) / Double(count) : .nan
            }
            series.points.append(Growth.Point(count: Double(count), cost: cost))
        }
        return [series]
    }

    @Sendable static func subscribers() async throws -> [Growth.Series] {
        var series = Growth.Series(title: "a subscriber of one URL, processor time", items: "subscribers")
        let pixels = try PixelBuffer(size: PixelSize(1, 1), isOpaque: true) { _, _ in }
        let file = try PNGCoder().encode(DecodedImage(pixels: pixels, metadata: ImageMetadata()), EncodeOptions())
        guard let url = URL(string: "held://images.example/one.png") else { return [] }
        for count in Scale.pick([1, 10, 100, 1_000], quick: [1, 10, 100]) {
            let cost = try await Growth.least("subscribers, \(count)", 9) {
                let loader = HeldLoader(file: file)
                let manager = ImageManager {
                    $0.cache = ImageCache(folder: nil)
                    $0.loader = loader
                }
                let start = processorTime()
                let tasks = (0..<count).map { _ in manager.load(ImageRequest(url)) }
                loader.isOpen.raise()
                for task in tasks { _ = try await task.response }
                return (processorTime() - start) / Double(count)
            }
            series.points.append(Growth.Point(count: Double(count), cost: cost))
        }
        return [series]
    }

    /// A loader that waits until it is opened.
    private struct HeldLoader: ImageLoading {
        let file: Data
        let isOpen = Flag()

        func canLoad(_ request: ImageRequest) -> Bool { true }

        func load(_ request: ImageRequest, _ context: LoadContext) async throws(ImageError) -> LoadedData {
            while !isOpen.isRaised { try? await Task.sleep(for: .microseconds(200)) }
            return LoadedData(data: file, source: .network)
        }
    }
}
