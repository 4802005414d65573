import EaselCompatibility
import EaselCore
import Testing

@Suite("Error numbers")
struct ErrorNumberTests {
    @Test("the numbers are SDWebImage's if it has one (X061), and others from 3000 on")
    func numbers() {
        let numbered: [(ImageError, Int)] = [
            (.invalidURL(""), 1000), (.badData(""), 1001), (.blocked(by: .cancelled), 1003),
            (.invalidRequest(""), 2000), (.status(404), 2001), (.cancelled, 2002), (.invalidResponse(""), 2003),
            (.contentType(""), 2004), (.unreachable(host: "", reason: ""), 3000), (.timedOut(.connect), 3001),
            (.insecure(host: "", reason: ""), 3002), (.connectionLost(received: 5, expected: 9), 3003),
            (.tooManyRedirects(10), 3004), (.tooLarge(.bytes(9, limit: 5)), 3005), (.notCached, 3006),
            (.unreadable(path: "", reason: ""), 3007), (.unwritable(path: "", reason: ""), 3008),
            (.unsupported(""), 3009), (.invalidated, 3010), (.forbiddenAddress(host: "", reason: ""), 3011),
        ]
        for (error, number) in numbered { #expect(error.number == number, "\(error.code)") }
        #expect(Set(numbered.map(\.1)).count == numbered.count)
    }
}
