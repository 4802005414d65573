import EaselApple
import EaselCore
import Foundation
import Synchronization
import Testing

/// A manager with numbers as URLs: `url(7)` is an image of the value 7 with 8 by 6 pixels, and `url(404)` fails.
@MainActor
struct Images {
    let manager: ImageManager
    private let gates: Gates

    /// - Parameter held: The images that wait for `open`.
    init(holding held: Int...) {
        let gates = Gates(held)
        self.gates = gates
        var configuration = ImageManager.Configuration()
        configuration.loader = NumberLoader(gates: gates)
        configuration.coders = CoderRegistry(decoders: [NumberCoder()])
        manager = ImageManager(configuration: configuration)
    }

    func url(_ number: Int) -> URL { URL(string: "http://images.test/\(number)") ?? URL(fileURLWithPath: "/") }

    /// Lets an image load.
    func open(_ number: Int) { gates.open(number) }

    /// Makes an image wait for `open`.
    func hold(_ number: Int) { gates.close(number) }

    /// Loads an image into memory without a view.
    @discardableResult
    func inMemory(_ number: Int, _ configure: (inout ImageRequest) -> Void = { _ in }) async -> URL {
        _ = try? await manager.load(ImageRequest(url(number), configure)).response
        return url(number)
    }
}

/// Gates that images wait for.
final class Gates: Sendable {
    private struct State {
        var closed: Set<Int>
        var waiting: [Int: [CheckedContinuation<Void, Never>]] = [:]
    }

    private let state: Mutex<State>

    init(_ closed: [Int]) { state = Mutex(State(closed: Set(closed))) }

    func open(_ number: Int) {
        let waiting = state.withLock { state in
            state.closed.remove(number)
            return state.waiting.removeValue(forKey: number) ?? []
        }
        for continuation in waiting { continuation.resume() }
    }

    func close(_ number: Int) {
        state.withLock { _ = $0.closed.insert(number) }
    }

    /// Returns early if the task is cancelled.
    func wait(_ number: Int) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOpen = state.withLock { state in
                    guard state.closed.contains(number), !Task.isCancelled else { return true }
                    state.waiting[number, default: []].append(continuation)
                    return false
                }
                if isOpen { continuation.resume() }
            }
        } onCancel: {
            open(number)
        }
    }
}

private struct NumberLoader: ImageLoading {
    let gates: Gates

    func canLoad(_ request: ImageRequest) -> Bool { true }

    func load(_ request: ImageRequest, _ context: LoadContext) async throws(ImageError) -> LoadedData {
        let number = Int(request.url.lastPathComponent) ?? 404
        context.report(received: 5, expected: 10)
        await gates.wait(number)
        if Task.isCancelled { throw .cancelled }
        guard number < 256 else { throw .status(number) }
        return LoadedData(data: Data("NUMBER".utf8) + [UInt8(number)], source: .network)
    }
}

/// A coder for images of one value.
struct NumberCoder: ImageDecoding {
    static let header = ImageHeader(format: numberFormat, storedSize: PixelSize(8, 6))
    private static let numberFormat = ImageFormat("number", signatures: [.text("NUMBER")])

    var format: ImageFormat { Self.numberFormat }

    func header(of data: Data) throws(ImageError) -> ImageHeader { Self.header }

    func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        let size = options.targetSize.size(for: Self.header.size)
        let image = try DecodedImage.solid(data.last ?? 0, size)
        return DecodedImage(
            pixels: image.pixels,
            metadata: ImageMetadata(header: Self.header, isThumbnail: size != Self.header.size))
    }
}

extension DecodedImage {
    static func solid(_ value: UInt8, _ size: PixelSize = PixelSize(8, 6)) throws(ImageError) -> DecodedImage {
        let pixels = try PixelBuffer(size: size, isOpaque: value == 255) { bytes, _ in
            for index in bytes.indices { bytes[index] = value }
        }
        return DecodedImage(pixels: pixels, metadata: ImageMetadata())
    }
}

/// Waits on the main actor until `condition` is true. Records an issue if it still is false after half a minute.
@MainActor
func until(sourceLocation: SourceLocation = #_sourceLocation, _ condition: @MainActor () -> Bool) async {
    let end = ContinuousClock.now + .seconds(30)
    while !condition() {
        guard .now < end else {
            Issue.record("The condition is still false after 30 seconds.", sourceLocation: sourceLocation)
            return
        }
        await Task.yield()
    }
}

/// Runs all pending jobs of the main actor.
@MainActor
func mainTurns() async {
    for _ in 0..<20 { await Task.yield() }
}
