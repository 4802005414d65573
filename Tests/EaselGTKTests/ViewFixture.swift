#if GTK
import CGTK
import EaselCore
@testable import EaselGTK
import EaselTesting
import Foundation
import Testing

/// An image in a window, and a server with responses from the test.
@MainActor
final class ViewFixture {
    let transport = FakeTransport()
    let manager: ImageManager
    let image: UnsafeMutablePointer<GtkWidget>
    let window: TestWindow

    /// Creates a window that an image of this size fills.
    init(width: Int = 64, height: Int = 64) throws {
        try TestWindow.prepare()
        manager = .testing(over: transport)
        image = try #require(gtk_picture_new())
        window = try TestWindow(image, width: width, height: height)
    }

    isolated deinit { window.close() }

    /// Makes the server respond to a path with an image of one colour when `gate` opens.
    @discardableResult
    func serve(_ path: String, _ color: Pixel, width: Int = 64, height: Int = 64, gate: Gate? = nil) -> URL {
        transport.respond(
            Self.url(path).absoluteString,
            with: .response(
                headers: ["Content-Type": "image/png"], body: [.bytes(TestImage.file(color, width, height))], gate: gate
            )
        )
        return Self.url(path)
    }

    static func url(_ path: String) -> URL {
        URL(string: "http://images.test/\(path)") ?? URL(filePath: "/\(path)")
    }

    /// Sets the image, and returns when its load has ended.
    @discardableResult
    func load(
        _ url: URL?, placeholder: Placeholder? = nil, errorPlaceholder: Placeholder? = nil,
        in widget: UnsafeMutablePointer<GtkWidget>? = nil
    ) async -> Result<ImageResponse, ImageError> {
        await withCheckedContinuation { continuation in
            (widget ?? image).easel.setImage(
                with: url, placeholder: placeholder, errorPlaceholder: errorPlaceholder, manager: manager
            ) { continuation.resume(returning: $0) }
        }
    }

    /// Waits until `count` requests have been sent.
    func waitForRequest(_ count: Int = 1) async { await transport.waitForRequests(count) }
}

/// The time of transitions and spinners, which changes only when a test advances it.
@MainActor
final class StoppedTime {
    private(set) var now = Duration.seconds(1_000)

    init() { FrameTime.now = { [weak self] in self?.now ?? FrameTime.monotonic() } }

    isolated deinit { FrameTime.now = FrameTime.monotonic }

    func advance(by duration: Duration) { now += duration }
}
#endif
