import Testing

@testable import EaselCore

import EaselFoundation

@Suite("Request: pixels a point")
struct ImageRequestScaleTests {
    @Test(
        "are read from the name (S168, X026)",
        arguments: [
            ("https://images.test/a.png", 1.0), ("https://images.test/a@2x.png", 2),
            ("https://images.test/a@3x.png", 3),
            ("https://images.test/a%402x.png", 2), ("https://images.test/a@2x.png?width=5", 2),
            ("https://images.test/a@2x/b.png", 1), ("https://images.test/a2x.png", 1), ("https://a@2x.test/b.png", 1),
            ("file:///pictures/a@2x.png", 2), ("https://images.test/a.png?name=b@2x.png", 1),
        ])
    func names(url: String, scale: Double) throws {
        #expect(ImageRequest(try #require(URL(string: url))).resultScale == scale)
    }

    @Test("are the request's where it says so")
    func explicit() throws {
        let request = ImageRequest(try #require(URL(string: "https://images.test/a@2x.png"))) { $0.scale = 1.5 }
        #expect(request.resultScale == 1.5)
    }
}
