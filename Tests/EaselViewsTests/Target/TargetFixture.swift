import EaselTesting
import FoundationEssentials
import Synchronization
import TestSupport

@testable import EaselCore
@testable import EaselViews

/// A view that records its calls. An image is named after the value of its pixels.
@MainActor
final class TestView: ImageTarget {
    let targetState = ImageTargetState()
    var log: [String] = []
    var size: PixelSize?
    var images: [ImageSlot: DecodedImage] = [:]
    var frames: [DecodedImage] = []
    /// Transitions that run until the test ends them.
    var transitions: [@MainActor () -> Void] = []
    var onShow: (@MainActor () -> Void)?

    var pixelSize: PixelSize? { size }
    var image: DecodedImage? { images[.image] }

    func show(_ image: DecodedImage?, in slot: ImageSlot) {
        images[slot] = image
        log.append("\(slot == .image ? "" : "\(slot) ")\(image.name)")
        onShow?()
    }

    func show(
        _ image: DecodedImage, in slot: ImageSlot, with transition: ImageTransition,
        finish: @escaping @MainActor () -> Void
    ) {
        images[slot] = image
        log.append("\(transition.kind) to \(Optional(image).name)")
        transitions.append(finish)
    }

    func showAnimation(of images: [DecodedImage]) {
        frames = images
        log.append("animation \(images.map { Optional($0).name }.joined(separator: " "))")
    }

    func replaceIndicator(_ old: (any LoadIndicator)?, with new: (any LoadIndicator)?) {
        log.append("indicator \(old == nil ? "none" : "old") to \(new == nil ? "none" : "new")")
    }

    /// A completion that records its result.
    var completion: ImageCompletion {
        { [weak self] outcome in
            switch outcome {
            case .success(let response): self?.log.append("completed \(Optional(response.image).name)")
            case .failure(let error): self?.log.append("failed \(error.code)")
            }
        }
    }
}

extension DecodedImage? {
    /// The value of the first byte.
    @MainActor var name: String { map { String($0.pixels[0, 0].blue) } ?? "nothing" }
}

/// An indicator that records its calls in the log of its view.
@MainActor
final class TestIndicator: LoadIndicator {
    private weak var view: TestView?
    private var fraction: Double?
    init(_ view: TestView) { self.view = view }
    func start() { view?.log.append("start") }
    func stop() { view?.log.append("stop") }
    func update(fraction: Double) {
        // Progress can be reported twice, by the load and to a subscriber that joins it.
        if fraction != self.fraction { view?.log.append("fraction \(fraction)") }
        self.fraction = fraction
    }
}

/// A view and a manager with numbers as URLs: `url(7)` is an image of the value 7, `url(404)` an error.
@MainActor
struct TargetFixture {
    let view = TestView()
    let parts: ManagerFixture
    private let gates: GateTable

    /// - Parameter held: images that are loaded only after `open`.
    init(holding held: Int...) {
        let gates = GateTable(held)
        self.gates = gates
        parts = ManagerFixture(
            loader: ScriptedLoader { request, context throws(ImageError) in
                let number = Self.number(request.url)
                if let gate = gates.table[number] {
                    context.report(received: 5, expected: 10)
                    do { try await gate.wait() } catch { throw .cancelled }
                }
                guard number < 256 else { throw .status(number) }
                return LoadedData(data: TestCoder.file(value: UInt8(number)), source: .network)
            })
    }

    var manager: ImageManager { parts.manager }

    func url(_ number: Int) -> URL { URL(filePath: "/\(number)").httpForTests }

    /// Loads an image into memory and returns its URL.
    @discardableResult
    func inMemory(_ number: Int, _ configure: (inout ImageRequest) -> Void = { _ in }) async -> URL {
        _ = await manager.load(ImageRequest(url(number), configure)).outcome
        return url(number)
    }

    func open(_ number: Int) { gates.table[number]?.open() }

    nonisolated private static func number(_ url: URL) -> Int { Int(url.lastPathComponent) ?? 404 }
}

private struct GateTable: Sendable {
    let table: [Int: Gate]
    init(_ numbers: [Int]) { table = Dictionary(uniqueKeysWithValues: numbers.map { ($0, Gate()) }) }
}

extension URL {
    fileprivate var httpForTests: URL { URL(string: "http://example.com" + path) ?? self }
}

/// Runs the work that is pending on the main actor.
@MainActor
func mainTurns() async {
    for _ in 0..<10 { await Task.yield() }
}

/// Images with one value for all pixels.
enum PixelValue {
    static func image(_ value: UInt8) throws(ImageError) -> DecodedImage {
        try TestCoder().decode(TestCoder.file(value: value), DecodeOptions())
    }
}
