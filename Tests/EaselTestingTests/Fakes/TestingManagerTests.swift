import EaselCore
import EaselTesting
import FoundationEssentials
import Testing

@Suite("Testing manager")
struct TestingManagerTests {
    @Test("a testing manager loads with the fake transport and the test's clock")
    func retries() async throws {
        let (transport, clock) = (FakeTransport(), ManualClock())
        let url = "http://example.com/a.png"
        let image = try TestImage.gradient(8, 6).encoded()
        transport.respond(url, with: .failure(.timedOut(.connect)), .bytes(image))
        let request = ImageRequest(try #require(URL(string: url))) {
            $0.retry = .exponential(attempts: 1, first: .seconds(3600))
        }
        let task = ImageManager.testing(over: transport, clock: clock).load(request)
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(3600))
        #expect(try await task.response.image.size == PixelSize(8, 6))
    }
}
