import EaselTesting
import FoundationEssentials
import TestSupport
import Testing

@testable import EaselCore

@Suite("Downloader notifications (S165, S192, X133)", .timeLimit(.minutes(1)))
struct DownloadNotificationTests {
    private let observer = Observer()

    private func load(_ request: ImageRequest, _ fixture: DownloaderFixture) async throws(ImageError) {
        let context = LoadContext(priority: .normal, observation: Observation([observer]))
        _ = try await fixture.downloader.load(request, context)
    }

    @Test("the start, each response head and the end are each notified once (X131)")
    func order() async throws {
        let fixture = DownloaderFixture()
        fixture.transport.respond("http://images.test/a", with: .redirect(to: "/b"))
        fixture.transport.respond("http://images.test/b", with: .image)
        try await load(try DownloaderFixture.request(), fixture)
        #expect(
            observer.texts == [
                "started", "responded 302", "redirected to http://images.test/b", "responded 200", "finished 5",
            ])
    }

    @Test("a retry is notified with the error of the last attempt")
    func retry() async throws {
        let fixture = DownloaderFixture()
        fixture.transport.respond(
            "http://images.test/a", with: .response(status: 503), .image)
        let request = try DownloaderFixture.request { $0.retry = .exponential(attempts: 2, first: .milliseconds(1)) }
        async let loaded: Void = load(request, fixture)
        await fixture.clock.waitForSleepers()
        fixture.clock.advance(by: .seconds(10))
        try await loaded
        #expect(
            observer.texts == [
                "started", "responded 503", "retrying after status", "responded 200", "finished 5",
            ])
    }

    @Test("a failure stops the download with its error")
    func failure() async throws {
        let fixture = DownloaderFixture()
        fixture.transport.respond("http://images.test/a", with: .response(status: 404))
        await #expect(throws: ImageError.status(404)) { try await load(try DownloaderFixture.request(), fixture) }
        #expect(observer.texts == ["started", "responded 404", "stopped: status"])
    }

    @Test("a download cancelled in the queue has no notifications, and each download has its own number")
    func waiting() async throws {
        let fixture = DownloaderFixture()
        fixture.transport.respond("http://images.test/a", with: .image)
        fixture.downloader.isSuspended = true
        let waiting = Task { [request = try DownloaderFixture.request()] in try await load(request, fixture) }
        try await until { fixture.downloader.currentDownloadCount == 1 }
        fixture.downloader.cancelAll()
        await #expect(throws: ImageError.cancelled) { try await waiting.value }
        fixture.downloader.isSuspended = false
        try await load(try DownloaderFixture.request(), fixture)
        let first = observer.notifications.events.first
        #expect(first?.event == .started)
        #expect(first?.id == 2)
    }
}

private final class Observer: ImageObserver {
    let notifications = Recorder<DownloadNotification>()

    var texts: [String] { notifications.events.map(\.event.text) }

    func didReceive(_ notification: DownloadNotification) { notifications.record(notification) }
}
