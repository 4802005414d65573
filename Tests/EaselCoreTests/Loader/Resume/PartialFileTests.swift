import FoundationEssentials
import Testing

@testable import EaselCore

@Suite("The file of a part")
struct PartialFileTests {
    private static let key: CacheKey = "http://images.test/a"
    private static let pieces = [Data("first".utf8), Data("second".utf8), Data("third".utf8)]

    private static var file: Data {
        let part = PartialDownload(
            response: ResponseFixture.response(["ETag": "\"1\"", "Vary": "Accept"]), total: 100, body: Data())
        return pieces.reduce(PartialFile.head(of: part, key: key)) { $0 + PartialFile.frame($1) }
    }

    @Test("reads as what was written")
    func roundTrip() throws {
        let part = try #require(PartialFile.read(Self.file, key: Self.key))
        #expect(part.body == Data("firstsecondthird".utf8) && part.total == 100)
        #expect(part.response == ResponseFixture.response(["ETag": "\"1\"", "Vary": "Accept"]))
    }

    @Test("cut off anywhere, it is the pieces before the cut")
    func truncated() {
        let file = Self.file
        let bodies = Set((0..<file.count).map { PartialFile.read(file.prefix($0), key: Self.key)?.body ?? Data() })
        #expect(bodies == [Data(), Data("first".utf8), Data("firstsecond".utf8)])
    }

    @Test("a flipped bit anywhere is noticed: no wrong byte is ever read")
    func damaged() {
        let file = Self.file
        for position in 0..<file.count {
            var damaged = file
            damaged[position] ^= 4
            let body = PartialFile.read(damaged, key: Self.key)?.body ?? Data()
            #expect(Data("firstsecondthird".utf8).starts(with: body), "at \(position)")
            #expect(body.count < 16, "at \(position)")
        }
    }

    @Test("of another key it is nothing")
    func otherKey() {
        #expect(PartialFile.read(Self.file, key: "http://images.test/b") == nil)
    }
}
