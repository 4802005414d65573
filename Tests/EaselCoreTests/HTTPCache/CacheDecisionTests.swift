import FoundationEssentials
import Testing

@testable import EaselCore

@Suite("Cache decisions for a stored response (RFC 9111 4)")
struct CacheDecisionTests {
    private typealias Fixture = ResponseFixture

    private func decide(
        _ control: String?, under policy: CachePolicy = .standard, request: HTTPHeaders = [:], isRefresh: Bool = false,
        at seconds: Double = 0
    ) -> CacheDecision {
        CacheDecision.decide(
            policy, stored: control.map { Fixture.response($0) }, request: request, isRefresh: isRefresh,
            now: Fixture.date(seconds))
    }

    // MARK: - Policies

    @Test("the forever policy uses a stored response of any age, and revalidates it only on a refresh")
    func forever() {
        #expect(decide("no-store, max-age=0", under: .forever, at: 1e9) == .use)
        #expect(decide("max-age=60", under: .forever, isRefresh: true) == .revalidate)
        #expect(decide(nil, under: .forever, isRefresh: true) == .fetch)
    }

    @Test("the offline policy uses a stored response of any age and sends no request")
    func offline() {
        #expect(decide("no-cache", under: .offline, isRefresh: true, at: 1e9) == .use)
        #expect(decide(nil, under: .offline) == .fail)
    }

    @Test("the standard policy uses a fresh response, revalidates a stale one and fetches a missing one")
    func standard() {
        #expect(decide("max-age=60", at: 59) == .use)
        #expect(decide("max-age=60", at: 60) == .revalidate)
        #expect(decide(nil) == .fetch)
    }

    // MARK: - Response directives

    @Test("a no-cache response is revalidated even if it is fresh (5.2.2.4)")
    func noCache() {
        #expect(decide("no-cache, max-age=60") == .revalidate)
    }

    @Test("a stored response with no-store is not used (5.2.2.5)")
    func noStore() {
        #expect(decide("no-store, max-age=60") == .fetch)
    }

    @Test("must-revalidate has no effect on a fresh response (5.2.2.2)")
    func mustRevalidate() {
        #expect(decide("must-revalidate, max-age=60", at: 10) == .use)
        #expect(decide("must-revalidate, max-age=60, stale-while-revalidate=60", at: 70) == .revalidate)
    }

    @Test("a stale response is used during its stale-while-revalidate time (RFC 5861 3)")
    func staleWhileRevalidate() {
        let control = "max-age=60, stale-while-revalidate=30"
        #expect(decide(control, at: 59) == .use)
        #expect(decide(control, at: 60) == .useWhileRevalidating)
        #expect(decide(control, at: 89) == .useWhileRevalidating)
        #expect(decide(control, at: 90) == .revalidate)
        #expect(decide("no-cache, stale-while-revalidate=30") == .revalidate)
    }

    @Test("a refresh revalidates a fresh response, unless it is immutable (RFC 8246 2)")
    func refresh() {
        #expect(decide("max-age=60", isRefresh: true) == .revalidate)
        #expect(decide("max-age=60, immutable", isRefresh: true) == .use)
        #expect(decide("max-age=60, immutable", isRefresh: true, at: 60) == .revalidate)
    }

    @Test("a response for other Vary fields is a miss (4.1, B88)")
    func vary() {
        let stored = Fixture.response(
            ["Vary": "Accept", "Cache-Control": "max-age=60"], request: ["Accept": "image/webp"])
        func decide(_ accept: String) -> CacheDecision {
            CacheDecision.decide(.standard, stored: stored, request: ["Accept": accept], now: Fixture.start)
        }
        #expect(decide("image/webp") == .use)
        #expect(decide("image/png") == .fetch)
    }

    // MARK: - Request directives (5.2.1)

    @Test("max-age in a request limits the age of the response (5.2.1.1)")
    func requestMaxAge() {
        let request: HTTPHeaders = ["Cache-Control": "max-age=10"]
        #expect(decide("max-age=60", request: request, at: 10) == .use)
        #expect(decide("max-age=60", request: request, at: 11) == .revalidate)
    }

    @Test("max-stale in a request accepts a response that is stale for at most that time (5.2.1.2)")
    func maxStale() {
        #expect(decide("max-age=60", request: ["Cache-Control": "max-stale=10"], at: 70) == .use)
        #expect(decide("max-age=60", request: ["Cache-Control": "max-stale=10"], at: 71) == .revalidate)
        #expect(decide("max-age=60", request: ["Cache-Control": "max-stale"], at: 1e6) == .use)
        #expect(decide("max-age=60, must-revalidate", request: ["Cache-Control": "max-stale"], at: 61) == .revalidate)
    }

    @Test("min-fresh in a request requires a response that stays fresh for that time (5.2.1.3)")
    func minFresh() {
        #expect(decide("max-age=60", request: ["Cache-Control": "min-fresh=10"], at: 49) == .use)
        #expect(decide("max-age=60", request: ["Cache-Control": "min-fresh=10"], at: 50) == .revalidate)
    }

    @Test("no-cache in a request always revalidates (5.2.1.4), and so does Pragma (5.4)")
    func requestNoCache() {
        #expect(decide("max-age=60", request: ["Cache-Control": "no-cache"]) == .revalidate)
        #expect(decide("max-age=60", request: ["Pragma": "no-cache"]) == .revalidate)
    }

    @Test("only-if-cached in a request never sends a request (5.2.1.7)")
    func onlyIfCached() {
        let request: HTTPHeaders = ["Cache-Control": "only-if-cached"]
        #expect(decide("max-age=60", request: request) == .use)
        #expect(decide("max-age=60", request: request, at: 60) == .fail)
        #expect(decide("max-age=60, stale-while-revalidate=60", request: request, at: 60) == .use)
        #expect(decide(nil, request: request) == .fail)
    }

    // MARK: - Errors (RFC 5861 4)

    private func mayReplace(
        _ control: String, for error: ImageError = .status(503), request: HTTPHeaders = [:], at seconds: Double
    ) -> Bool {
        CacheDecision.mayReplaceError(
            error, with: Fixture.response(control), request: request, now: Fixture.date(seconds))
    }

    @Test("a stale response replaces an error during its stale-if-error time")
    func staleIfError() {
        #expect(mayReplace("max-age=60, stale-if-error=30", at: 89))
        #expect(!mayReplace("max-age=60, stale-if-error=30", at: 90))
        #expect(!mayReplace("max-age=60", at: 61))
        #expect(mayReplace("max-age=60", request: ["Cache-Control": "stale-if-error=30"], at: 89))
    }

    @Test("must-revalidate and no-cache override stale-if-error (RFC 9111 4.2.4)")
    func forbidden() {
        #expect(!mayReplace("max-age=60, stale-if-error=30, must-revalidate", at: 61))
        #expect(!mayReplace("no-cache, stale-if-error=30", at: 1))
    }

    @Test(
        "a stale response replaces server and connection errors, and no others",
        arguments: [
            (.status(500), true), (.status(502), true), (.status(503), true), (.status(504), true),
            (.status(404), false), (.status(501), false), (.unreachable(host: "", reason: ""), true),
            (.timedOut(.connect), true), (.connectionLost(received: 0, expected: nil), true), (.cancelled, false),
            (.insecure(host: "", reason: ""), false), (.badData(""), false),
        ] as [(ImageError, Bool)])
    func errors(error: ImageError, mayReplace isReplaced: Bool) {
        #expect(mayReplace("max-age=60, stale-if-error=30", for: error, at: 61) == isReplaced)
    }
}
