import FoundationEssentials
import Testing

@testable import EaselCore

@Suite("Age and freshness (RFC 9111 4.2)")
struct FreshnessTests {
    private typealias Fixture = ResponseFixture

    private func age(_ headers: HTTPHeaders, requested: Double = 0, received: Double = 0, at now: Double) -> Double {
        Fixture.response(headers, requested: requested, received: received).age(at: Fixture.date(now))
    }

    // MARK: - Age (4.2.3)

    @Test("the age is the time since the response arrived")
    func resident() {
        #expect(age([:], at: 30) == 30)
    }

    @Test("the age includes the Age field and the response delay")
    func ageField() {
        #expect(age(["Age": "100"], requested: 0, received: 4, at: 14) == 114)
    }

    @Test("the age counts from Date if that is longer ago")
    func apparent() {
        #expect(age(["Date": Fixture.text(-500), "Age": "100"], at: 10) == 510)
        #expect(age(["Date": Fixture.text(-50), "Age": "100"], at: 10) == 110)
    }

    @Test("the age is not negative if the server's clock is ahead")
    func serverAhead() {
        #expect(age(["Date": Fixture.text(1_000_000_000)], at: 10) == 10)
    }

    @Test("an Age that is not a number is ignored, and one that is too large is 2^31 (5.1)")
    func strangeAge() {
        #expect(age(["Age": "old"], at: 10) == 10)
        #expect(age(["Age": String(repeating: "9", count: 99)], at: 0) == 2_147_483_648)
    }

    @Test("a clock that moved back makes every response stale, unless it moved by only a second")
    func clockBack() {
        #expect(age([:], at: -10) == .infinity)
        #expect(age([:], at: -1) == 0)
        #expect(!Fixture.response("max-age=1000000").isFresh(at: Fixture.date(-86_400)))
    }

    @Test("a clock that is years ahead makes every response stale")
    func clockAhead() {
        #expect(!Fixture.response("max-age=31536000").isFresh(at: Fixture.date(3 * 31_536_000)))
    }

    // MARK: - Lifetime (4.2.1)

    @Test("max-age takes precedence over Expires (5.3)")
    func maxAge() {
        let response = Fixture.response(["Cache-Control": "max-age=60", "Expires": Fixture.text(3600)])
        #expect(response.lifetime == 60)
        #expect(response.isFresh(at: Fixture.date(59)))
        #expect(!response.isFresh(at: Fixture.date(60)))
    }

    @Test("s-maxage is ignored, because it concerns shared caches (5.2.2.10)")
    func sharedMaxAge() {
        #expect(Fixture.response("s-maxage=3600, max-age=10").lifetime == 10)
        #expect(Fixture.response("s-maxage=3600").lifetime == 0)
    }

    @Test("the lifetime is Expires minus Date, both by the server's clock (5.3)")
    func expires() {
        let response = Fixture.response(["Date": Fixture.text(-7200), "Expires": Fixture.text(-3600)])
        #expect(response.lifetime == 3600)
        #expect(Fixture.response(["Expires": Fixture.text(100)]).lifetime == 100)
    }

    @Test("an Expires that is not a date is in the past (5.3)", arguments: ["0", "-1", "", "never"])
    func invalidExpires(text: String) {
        let response = Fixture.response(["Expires": text, "Last-Modified": Fixture.text(-1_000_000)])
        #expect(response.lifetime == 0)
    }

    @Test("two different Expires make the response stale (4.2.1)")
    func conflictingExpires() {
        #expect(Fixture.response(["Expires": Fixture.text(100), "expires": Fixture.text(200)]).lifetime == 0)
        #expect(Fixture.response(["Expires": Fixture.text(100), "expires": Fixture.text(100)]).lifetime == 100)
    }

    // MARK: - Heuristic (4.2.2)

    @Test("the heuristic lifetime is a tenth of the time since Last-Modified, at most a week")
    func heuristic() {
        #expect(Fixture.response(["Last-Modified": Fixture.text(-36_000)]).lifetime == 3600)
        #expect(Fixture.response(["Last-Modified": Fixture.text(-400_000_000)]).lifetime == 604_800)
        #expect(Fixture.response(["Last-Modified": Fixture.text(500)]).lifetime == 0)
        #expect(Fixture.response([:]).lifetime == 0)
    }

    @Test("other statuses have no heuristic lifetime, unless the response is public (4.2.2)")
    func heuristicStatus() {
        let modified = Fixture.text(-36_000)
        #expect(Fixture.response(["Last-Modified": modified], status: 201).lifetime == 0)
        #expect(Fixture.response(["Last-Modified": modified, "Cache-Control": "public"], status: 201).lifetime == 3600)
    }

    @Test("a response is fresh no longer than the redirects that lead to it")
    func redirects() {
        var response = Fixture.response("max-age=100")
        response.redirectsFreshUntil = Fixture.date(10)
        #expect(response.isFresh(at: Fixture.date(9)) && !response.isFresh(at: Fixture.date(10)))
    }

    @Test("a redirect is fresh only for its explicit lifetime (RFC 9110 15.4)")
    func redirectLifetime() {
        func seconds(_ headers: HTTPHeaders) -> Double {
            StoredResponse.redirectFreshUntil(
                status: 302, headers: headers, requested: Fixture.start, received: Fixture.start
            ).timeIntervalSince(Fixture.start)
        }
        #expect(seconds(["Cache-Control": "max-age=60"]) == 60)
        #expect(seconds(["Cache-Control": "max-age=60, no-cache"]) == 0)
        #expect(seconds(["Cache-Control": "max-age=60, no-store"]) == 0)
        #expect(seconds([:]) == 0)
    }

    // MARK: - Storing (3)

    @Test(
        "a response is stored unless its status, no-store or `Vary: *` forbids it",
        arguments: [
            ([:], 200, true), (["Cache-Control": "private"], 200, true), (["Cache-Control": "no-store"], 200, false),
            (["Cache-Control": "no-store, max-age=60"], 200, false), (["Cache-Control": "max-age=0"], 200, true),
            ([:], 206, false), ([:], 201, false), (["Cache-Control": "max-age=1"], 201, true),
            (["Vary": "*"], 200, false),
            (["Cache-Control": "max-age=60"], 404, false),
        ] as [(HTTPHeaders, Int, Bool)])
    func storing(headers: HTTPHeaders, status: Int, isStored: Bool) {
        #expect(Fixture.response(headers, status: status).mayBeStored(for: [:]) == isStored)
    }

    @Test("no-store in a request forbids storing (5.2.1.5)")
    func requestNoStore() {
        #expect(!Fixture.response("max-age=60").mayBeStored(for: ["Cache-Control": "no-store"]))
    }
}
