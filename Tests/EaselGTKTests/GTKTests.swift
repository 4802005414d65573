#if GTK
import CGTK
import EaselCore
import EaselTesting
import Foundation
import GTKMainLoop
import Testing

/// The tests of views. Serialized, because they share the main thread, the display and `FrameTime`.
///
/// They need the display and the main loop of `make test-gtk`, and are skipped otherwise.
@Suite(
    .serialized, .timeLimit(.minutes(1)),
    .enabled(
        if: ProcessInfo.processInfo.environment["EASEL_GTK_TESTS"] != nil,
        "make test-gtk tests views on a private display"))
enum GTKTests {
    /// Whether the display has two pixels per point, as in the second run of `make test-gtk`.
    static let isHiDPI = ProcessInfo.processInfo.environment["GDK_SCALE"] == "2"
}

extension Pixel {
    static let red = Pixel(blue: 0, green: 0, red: 255, alpha: 255)
    static let green = Pixel(blue: 0, green: 255, red: 0, alpha: 255)
    static let blue = Pixel(blue: 255, green: 0, red: 0, alpha: 255)
    static let grey = Pixel(blue: 128, green: 128, red: 128, alpha: 255)
    static let clear = Pixel(blue: 0, green: 0, red: 0, alpha: 0)

    /// Returns whether every component differs by at most `tolerance`.
    func isNear(_ other: Pixel, _ tolerance: Int = 2) -> Bool {
        zip(components, other.components).allSatisfy { abs(Int($0) - Int($1)) <= tolerance }
    }

    private var components: [UInt8] { withUnsafeBytes(of: self) { Array($0) } }
}

extension TestImage {
    /// Returns an image file of one colour.
    static func file(_ color: Pixel, _ width: Int = 64, _ height: Int = 64) -> Data {
        (try? solid(color, width, height).encoded()) ?? Data()
    }
}
#endif
