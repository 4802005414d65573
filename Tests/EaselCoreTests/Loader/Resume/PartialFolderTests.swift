import FoundationEssentials
import Testing

@testable import EaselCore

@Suite("Folder of partial downloads")
struct PartialFolderTests {
    private func makePart(_ count: Int) -> PartialDownload {
        PartialDownload(
            response: ResponseFixture.response(["ETag": "\"1\""]), total: nil, body: Data(repeating: 7, count: count))
    }

    @Test("bytes appended in chunks can be read at once")
    func pieces() async throws {
        try await TemporaryFolder.with { temporary in
            let folder = PartialFolder(path: temporary["partial"])
            let writer = try #require(await folder.begin(makePart(10), for: "a"))
            for _ in 0..<50 { await writer.append([UInt8](repeating: 7, count: 100_000)) }
            #expect(await folder.partial(for: "a", limit: .max)?.body == Data(repeating: 7, count: 5_000_010))
            #expect(await folder.partial(for: "a", limit: 5_000_009) == nil)
            #expect(await folder.partial(for: "b", limit: .max) == nil)
            await folder.remove("a")
            #expect(await folder.partial(for: "a", limit: .max) == nil)
        }
    }

    @Test("the limits are enforced by removing the oldest first")
    func limits() async throws {
        try await TemporaryFolder.with { temporary in
            let folder = PartialFolder(
                path: temporary.path, limits: .init(count: 3, bytes: 100_000, age: .seconds(86_400)))
            for key in ["a", "b", "c", "d", "e"] { _ = await folder.begin(makePart(100), for: CacheKey(key)) }
            let names3 = try temporary.names()
            #expect(names3.count == 3)
            #expect(await folder.partial(for: "e", limit: .max) != nil)
            _ = await folder.begin(makePart(99_900), for: "f")
            let names1 = try temporary.names()
            #expect(names1.count == 1)
        }
    }

    @Test("one that exceeds the size limit is stored up to the limit")
    func oneTooLarge() async throws {
        try await TemporaryFolder.with { temporary in
            let folder = PartialFolder(path: temporary.path, limits: .init(bytes: 1000))
            let writer = try #require(await folder.begin(makePart(100), for: "a"))
            for size in [500, 500, 10] { await writer.append([UInt8](repeating: 7, count: size)) }
            #expect(await folder.partial(for: "a", limit: .max)?.body.count == 600)
        }
    }

    @Test("a folder that cannot be created only disables resuming")
    func unwritable() async throws {
        try await TemporaryFolder.with { temporary in
            try temporary.write([1], to: "file")
            let folder = PartialFolder(path: temporary["file"])
            #expect(await folder.begin(makePart(1), for: "a") == nil)
            #expect(await folder.partial(for: "a", limit: .max) == nil)
        }
    }
}

@Suite("File of a partial download")
struct PartialFileTests {
    private static let key: CacheKey = "http://images.test/a"
    private static let pieces = [Data("first".utf8), Data("second".utf8), Data("third".utf8)]

    private static var file: Data {
        let part = PartialDownload(
            response: ResponseFixture.response(["ETag": "\"1\"", "Vary": "Accept"]), total: 100, body: Data())
        return pieces.reduce(PartialFile.head(of: part, key: key)) { $0 + PartialFile.frame($1) }
    }

    @Test("the written file is read back")
    func roundTrip() throws {
        let part = try #require(PartialFile.read(Self.file, key: Self.key))
        #expect(part.body == Data("firstsecondthird".utf8) && part.total == 100)
        #expect(part.response == ResponseFixture.response(["ETag": "\"1\"", "Vary": "Accept"]))
    }

    @Test("a truncated file gives the complete frames before the cut")
    func truncated() {
        let file = Self.file
        let bodies = Set((0..<file.count).map { PartialFile.read(file.prefix($0), key: Self.key)?.body ?? Data() })
        #expect(bodies == [Data(), Data("first".utf8), Data("firstsecond".utf8)])
    }

    @Test("a flipped bit is detected, and no wrong byte is read")
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

    @Test("a file for another key is not read")
    func otherKey() {
        #expect(PartialFile.read(Self.file, key: "http://images.test/b") == nil)
    }
}
