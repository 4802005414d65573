import FoundationEssentials
import Testing

@testable import EaselCore

@Suite("A file in flight")
struct ArrivingFileTests {
    private final class Reader: Sendable {}

    /// A load that joins during the pause before a retry receives the file of the failed attempt.
    @Test("an observer that is added after the end is not retained")
    func observedAfterTheEnd() {
        let file = ArrivingFile(beginning: Data([1]), expected: nil, response: nil)
        #expect(file.finish() == Data([1]))
        weak var reader: Reader?
        do {
            let new = Reader()
            reader = new
            file.observe { withExtendedLifetime((new, file)) {} }
        }
        #expect(reader == nil)
        #expect(file.count == 0)
    }
}
