#if Metrics
import EaselCore
import EaselMetrics
import EaselTesting
import Foundation
import Logging
import Synchronization
import Testing

@Suite("Logging", .timeLimit(.minutes(1)))
struct LoggingObserverTests {
    private let lines = LogLines()

    private func manager(_ transport: FakeTransport, _ level: Logger.Level) -> ImageManager {
        var logger = Logger(label: "easel.test") { [lines] _ in RecordingHandler(lines: lines) }
        logger.logLevel = level
        var configuration = ImageManager.Configuration()
        configuration.loader = ImageDownloader(transport: transport)
        configuration.coders = CoderRegistry(decoders: [GreyCoder()])
        configuration.observers = [LoggingObserver(logger)]
        return ImageManager(configuration: configuration)
    }

    @Test("a load, its download and its stages are logged at their levels without the URL's secrets")
    func levels() async throws {
        let transport = FakeTransport()
        transport.respond("http://images.test/a?token=secret", with: .bytes(GreyCoder.file))
        let url = try #require(URL(string: "http://user:secret@images.test/a?token=secret#secret"))
        _ = try await manager(transport, .trace).image(for: url)
        let all = lines.all
        #expect(all.contains { $0.hasPrefix("trace decode") })
        #expect(all.contains { $0.hasPrefix("debug download finished, 4 bytes") })
        #expect(all.contains { $0.hasPrefix("debug loaded") && $0.contains("url=http://images.test/a ") })
        #expect(all.allSatisfy { !$0.contains("secret") })
    }

    @Test("only failures and warnings are logged at the notice level")
    func quiet() async throws {
        let transport = FakeTransport()
        transport.respond("http://images.test/a", with: .response(status: 404))
        let manager = manager(transport, .notice)
        let url = try #require(URL(string: "http://images.test/a"))
        await #expect(throws: ImageError.self) { try await manager.image(for: url) }
        #expect(lines.all.count == 1)
        #expect(lines.all.first?.hasPrefix("notice failed") == true)
    }
}

private final class LogLines: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
}

private struct RecordingHandler: LogHandler {
    let lines: LogLines
    var logLevel = Logger.Level.trace
    var metadata = Logger.Metadata()

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let details = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value) " }.joined()
        lines.add("\(event.level) \(event.message) \(details)")
    }
}
#endif
