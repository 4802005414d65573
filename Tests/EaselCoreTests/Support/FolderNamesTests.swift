import Testing

@testable import EaselCore

@Suite("Names of a folder: what is known to be missing")
struct FolderNamesTests {
    private static let first: UInt64 = 0x0123_4567_89ab_cdef
    private static let second: UInt64 = 0xfedc_ba98_7654_3210
    private static let name = "0123456789abcdef0011223344556677.png"

    @Test("nothing is, before a listing was made")
    func unknown() {
        var names = FolderNames()
        #expect(!names.isMissing(Self.first))
        names.appeared(Self.name.utf8)
        #expect(!names.isMissing(Self.second))
    }

    @Test("nothing is, while a listing is made")
    func listing() throws {
        var names = FolderNames()
        _ = try begin(&names)
        #expect(!names.isMissing(Self.first))
    }

    @Test("all is that a listing has not shown")
    func listed() throws {
        let names = try known([Self.name])
        #expect(!names.isMissing(Self.first))
        #expect(names.isMissing(Self.second))
    }

    @Test("one that comes afterwards is not")
    func appeared() throws {
        var names = try known([])
        #expect(names.isMissing(Self.first))
        names.appeared(Self.name.utf8)
        #expect(!names.isMissing(Self.first))
    }

    @Test("one that comes while a listing is made, which may not show it, is not")
    func appearedMeanwhile() throws {
        var names = FolderNames()
        let listing = try begin(&names)
        names.appeared(Self.name.utf8)
        names.end(listing, [])
        #expect(!names.isMissing(Self.first))
        #expect(names.isMissing(Self.second))
    }

    @Test("a listing that failed tells nothing, and another may be made")
    func failed() throws {
        var names = FolderNames()
        names.end(try begin(&names), nil)
        #expect(!names.isMissing(Self.first))
        names.end(try begin(&names), [])
        #expect(names.isMissing(Self.first))
    }

    @Test("after names were lost nothing is")
    func lost() throws {
        var names = try known([])
        names.forget()
        #expect(!names.isMissing(Self.first))
    }

    @Test("a listing during which names were lost tells nothing, also where another is under way by then")
    func lostMeanwhile() throws {
        var names = FolderNames()
        let old = try begin(&names)
        names.forget()
        let new = try begin(&names)
        names.end(old, [])
        #expect(!names.isMissing(Self.first))
        names.end(new, [Self.first])
        #expect(!names.isMissing(Self.first))
        #expect(names.isMissing(Self.second))
    }

    @Test("no second listing is made while there is one, or when all is known")
    func oneListing() throws {
        var names = FolderNames()
        let listing = try begin(&names)
        let beginsDuring = begins(&names)
        names.end(listing, [])
        let beginsAfter = begins(&names)
        #expect(!beginsDuring)
        #expect(!beginsAfter)
    }

    @Test("when nobody tells any more nothing is ever again, and no listing is made")
    func closed() throws {
        var names = try known([])
        names.close()
        names.forget()
        #expect(!names.isMissing(Self.first))
        let isListed = begins(&names)
        #expect(!isListed)
    }

    @Test("a listing that was under way when the telling ended tells nothing")
    func closedMeanwhile() throws {
        var names = FolderNames()
        let listing = try begin(&names)
        names.close()
        names.end(listing, [])
        #expect(!names.isMissing(Self.first))
    }

    @Test("so many may come until it is worth a new listing to be rid of those that have gone")
    func growth() throws {
        var names = try known([Self.name])
        // The listed one may double, too.
        for number in 0...FolderNames.slack { names.appeared(Self.name(UInt64(number))) }
        #expect(names.isMissing(Self.second))
        names.appeared(Self.name(UInt64(FolderNames.slack + 1)))
        #expect(!names.isMissing(Self.second))
        names.end(try begin(&names), [])
        #expect(names.isMissing(0))
    }

    @Test(
        "names that are none of an entry's mean nothing",
        arguments: ["", "CACHEDIR.TAG", ".tmp-1-2", "0123456789abcde", "0123456789abcdeg0011223344556677", "ünïcode"])
    func foreign(name: String) throws {
        var names = try known([name])
        names.appeared(name.utf8)
        #expect(names.isMissing(Self.first))
        #expect(FolderNames.digests(of: [name]).isEmpty)
    }

    @Test("capitals may be the same name")
    func capitals() throws {
        #expect(FolderNames.digests(of: [Self.name.uppercased()]) == [Self.first])
        var names = try known([])
        names.appeared(Self.name.uppercased().utf8)
        #expect(!names.isMissing(Self.first))
    }

    @Test("a key's two names have the digest by which it is asked for")
    func keys() {
        let key = CacheKey("https://images.test/a.png")
        #expect(FolderNames.digests(of: [key.fileName]) == [key.digest.high])
        #expect(FolderNames.digests(of: [key.bareFileName]) == [key.digest.high])
    }

    /// What is known after a listing that showed these.
    private func known(_ listed: [String]) throws -> FolderNames {
        var names = FolderNames()
        names.end(try begin(&names), FolderNames.digests(of: listed))
        return names
    }

    private func begin(_ names: inout FolderNames) throws -> FolderNames.Listing {
        let listing = names.beginListing()
        return try #require(listing)
    }

    private func begins(_ names: inout FolderNames) -> Bool { names.beginListing() != nil }

    private static func name(_ number: UInt64) -> some Sequence<UInt8> {
        let digits = String(number, radix: 16)
        return (String(repeating: "0", count: 16 - digits.utf8.count) + digits).utf8
    }
}
