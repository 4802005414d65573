import Testing

@testable import EaselCore

@Suite("Image errors")
struct ImageErrorTests {
    private static let all: [ImageError] = [
        .invalidURL("The URL is empty."), .badData("This is no image."),
        .blocked(by: .badData("No image.")), .invalidRequest("it was refused."), .status(404),
        .cancelled,
        .invalidResponse("it is odd."), .contentType("text/html"),
        .unreachable(host: "images.test", reason: "no such host"), .timedOut(.connect),
        .insecure(host: "images.test", reason: "expired"), .connectionLost(received: 5, expected: 9),
        .tooManyRedirects(10), .tooLarge(.bytes(9, limit: 5)), .notCached,
        .unreadable(path: "/a", reason: "no"), .unwritable(path: "/a", reason: "no"),
        .unsupported("No encoder."), .invalidated,
        .forbiddenAddress(host: "images.test", reason: "it is this machine"),
    ]

    private static let texts: [ImageError] =
        all + [400, 401, 403, 404, 407, 410, 418, 429, 500, 503].map(ImageError.status)
        + [
            .timedOut(.idle), .timedOut(.total), .connectionLost(received: 5, expected: nil),
            .tooLarge(.pixels(PixelSize(9, 9), limit: 5)), .tooLarge(.frames(9, limit: 5)),
            .tooLarge(.time(limit: .seconds(5))),
        ]

    @Test("every kind of error has a distinct code")
    func codes() {
        #expect(Set(Self.all.map(\.code)).count == Self.all.count)
        #expect(ImageError.forbiddenAddress(host: "a", reason: "b").code.rawValue == "forbiddenAddress")
    }

    @Test("an error of an application has its own code, message and cause")
    func custom() {
        let error = ImageError(.init(rawValue: "outOfPaper"), "No paper.", underlyingError: CancellationError())
        #expect(error.code.description == "outOfPaper")
        #expect(error.description == "No paper." && error.recoverySuggestion == nil)
        #expect(error.underlyingError is CancellationError)
    }

    @Test("an error has its value for programs")
    func details() {
        #expect(ImageError.status(404).status == 404)
        #expect(ImageError.timedOut(.idle).timeout == .idle)
        #expect(ImageError.tooLarge(.frames(9, limit: 5)).excess == .frames(9, limit: 5))
    }

    @Test("a description consists of whole sentences (B109)", arguments: texts)
    func descriptions(error: ImageError) throws {
        let text = error.description
        #expect(text.hasSuffix("."))
        #expect(!text.contains(".."))
        #expect(!text.contains("Optional("))
        #expect(text.first?.isUppercase == true || text.hasPrefix("/") || text.hasPrefix("images.test"))
        #expect("\(error)" == text)
    }

    @Test("different errors have different descriptions")
    func distinctTexts() {
        let distinct: [ImageError] = [
            .status(401), .status(403), .status(404), .status(418), .status(429), .status(500), .timedOut(.connect),
            .timedOut(.idle), .timedOut(.total), .tooLarge(.bytes(9, limit: 5)), .tooLarge(.frames(9, limit: 5)),
            .tooLarge(.time(limit: .seconds(5))),
        ]
        #expect(Set(distinct.map(\.description)).count == distinct.count)
    }

    @Test("a description has the numbers of its error (X062)")
    func figures() {
        #expect(ImageError.status(404).description.contains("404"))
        #expect(ImageError.connectionLost(received: 5, expected: 9).description.contains("5 of 9 bytes"))
        #expect(ImageError.connectionLost(received: 5, expected: nil).description.contains("5 bytes"))
        #expect(ImageError.tooLarge(.pixels(PixelSize(50, 60), limit: 7)).description.contains("50 x 60"))
        #expect(ImageError.tooLarge(.bytes(98, limit: 76)).description.contains("98"))
        #expect(ImageError.tooLarge(.bytes(98, limit: 76)).description.contains("76"))
    }
}
