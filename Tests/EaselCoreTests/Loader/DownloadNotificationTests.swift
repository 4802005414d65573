import EaselTesting
import FoundationEssentials
import Testing

@testable import EaselCore

@Suite("Downloader notifications (S165, S192, X133)", .timeLimit(.minutes(1)))
struct DownloadNotificationTests {
    /// Returns the notifications up to the end of a download.
    private func heard(_ notifications: AsyncStream<DownloadNotification>) async -> [String] {
        var heard: [String] = []
        for await notification in notifications {
            heard.append(notification.event.text)
            switch notification.event {
            case .finished, .stopped: return heard
            default: break
            }
        }
        return heard
    }

    @Test("the start, each response head and the end are each notified once (X131)")
    func order() async throws {
        let fixture = DownloaderFixture()
        fixture.transport.respond("http://images.test/a", with: .redirect(to: "/b"))
        fixture.transport.respond("http://images.test/b", with: .image)
        let notifications = fixture.downloader.notifications
        _ = try await fixture.load(try DownloaderFixture.request())
        #expect(
            await heard(notifications) == [
                "started", "responded 302", "redirected to http://images.test/b", "responded 200", "finished 5",
            ])
    }

    @Test("a retry is notified with the error of the last attempt")
    func retry() async throws {
        let fixture = DownloaderFixture()
        fixture.transport.respond(
            "http://images.test/a", with: .response(status: 503), .image)
        let notifications = fixture.downloader.notifications
        let request = try DownloaderFixture.request { $0.retry = .exponential(attempts: 2, first: .milliseconds(1)) }
        async let loaded = fixture.load(request)
        await fixture.clock.waitForSleepers()
        fixture.clock.advance(by: .seconds(10))
        _ = try await loaded
        #expect(
            await heard(notifications) == [
                "started", "responded 503", "retrying after status", "responded 200", "finished 5",
            ])
    }

    @Test("a failure stops the download with its error")
    func failure() async throws {
        let fixture = DownloaderFixture()
        fixture.transport.respond("http://images.test/a", with: .response(status: 404))
        let notifications = fixture.downloader.notifications
        _ = await fixture.error(of: try DownloaderFixture.request())
        #expect(await heard(notifications) == ["started", "responded 404", "stopped: status"])
    }

    @Test("a download cancelled in the queue has no notifications, and each download has its own number")
    func waiting() async throws {
        let fixture = DownloaderFixture()
        fixture.transport.respond("http://images.test/a", with: .image)
        fixture.downloader.isSuspended = true
        let notifications = fixture.downloader.notifications
        let waiting = Task { [request = try DownloaderFixture.request()] in await fixture.error(of: request) }
        try await until { fixture.downloader.currentDownloadCount == 1 }
        fixture.downloader.cancelAll()
        #expect(await waiting.value == .cancelled)
        fixture.downloader.isSuspended = false
        _ = try await fixture.load(try DownloaderFixture.request())
        var first: DownloadNotification?
        for await notification in notifications {
            first = notification
            break
        }
        #expect(first?.event == .started)
        #expect(first?.id == 2)
    }
}
