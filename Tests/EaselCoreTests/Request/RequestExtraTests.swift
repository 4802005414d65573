import Testing

@testable import EaselCore

import EaselFoundation
import TestSupport

/// An extra that does not affect the image.
private enum Label: RequestExtra {
    static let defaultValue = "none"
}

@Suite("Request: extras and named values (X022, X025)")
struct RequestExtraTests {
    private let base: ImageRequest

    init() throws {
        base = ImageRequest(try #require(URL(string: "https://images.test/a.png")))
    }

    @Test("an extra has its default until it is set, and value semantics (B24)")
    func values() {
        var request = base
        #expect(request[Label.self] == "none" && request[Shelf.self] == 0)
        request[Label.self] = "cover"
        request[Shelf.self] = 2
        #expect(request[Label.self] == "cover" && request[Shelf.self] == 2)
        #expect(request != base && base[Label.self] == "none")
        request[Label.self] = "none"
        request[Shelf.self] = 0
        #expect(request == base)
        #expect(request.hashValue == base.hashValue)
    }

    @Test("an extra with key text separates keys and work, one without does not")
    func keys() {
        var labelled = base
        labelled[Label.self] = "cover"
        #expect(labelled.key == base.key && labelled.sharedLoad == base.sharedLoad)
        var (first, second) = (base, base)
        first[Shelf.self] = 1
        second[Shelf.self] = 2
        #expect(Set([base, first, second].map(\.originalKey)).count == 3)
        #expect(Set([base, first, second].map(\.sharedOriginal)).count == 3)
        #expect(!first.key.text.contains("Shelf"))
    }

    @Test("values are equal if they have the same name or, without names, are the same object")
    func names() {
        let (first, second) = (ScriptedCache(), ScriptedCache())
        typealias Place = Identified<any ImageCaching>
        #expect(Place("a", first) == Place("a", second))
        #expect(Place("a", first) != Place("b", first))
        #expect(Place(first) == Place(first))
        #expect(Place(first) != Place(second) && Place(first) != Place("a", first))
        #expect(Place("a", first).name == "a" && Place(first).name == nil)
    }

    @Test("a named loader is in the keys; an unnamed one is not, but separates loads (X022)")
    func loaders() {
        var (named, object) = (base, base)
        named.loader = Identified("mine", ScriptedLoader())
        object.loader = Identified(ScriptedLoader())
        #expect(named.originalKey != base.originalKey)
        #expect(object.originalKey == base.originalKey && object.key == base.key)
        #expect(object.sharedOriginal != base.sharedOriginal)
    }

    @Test("names are separated from other parts of a key")
    func ambiguousNames() {
        var (first, second) = (base, base)
        first.loader = Identified("a\nserializer:1:b", ScriptedLoader())
        second.loader = Identified("a", ScriptedLoader())
        second.cache.serializer = Identified("b") { data, _ in data }
        #expect(first.originalKey != second.originalKey)
        first = base
        second = base
        first.coder = Identified("a)-Transform(10:CropSquare", TestCoder())
        second.coder = Identified("a", TestCoder())
        second.transforms = [.cropToSquare]
        #expect(first.key != second.key)
    }

    @Test("requests share a download unless they differ in how the file is loaded (R004)")
    func sharing() {
        var request = base
        request.coder = Identified("mine", TestCoder())
        request.targetSize = .pixels(width: 3, height: 4)
        request.cache.encoding = EncodeOptions()
        // Both read and store the file in the same cache.
        request.cache.queryOriginal = base.cache.query.intersection(.disk)
        #expect(request.sharedOriginal == base.sharedOriginal)
        request.cache.originalImageCache = Identified(ScriptedCache())
        #expect(request.sharedOriginal != base.sharedOriginal)
    }
}
