import Foundation
import Testing

@testable import EaselCore

@Suite("Image request: copies")
struct RequestCopyTests {
    private let request = ImageRequest(URL(filePath: "/a.png"))

    @Test("a copy that changes leaves the other as it was")
    func copies() {
        var copy = request
        copy.frame = 3
        #expect(request.frame == 0)
        #expect(copy != request)
        copy.frame = 0
        #expect(copy == request)
        #expect(copy.hashValue == request.hashValue)
    }

    @Test("a key that was asked for is not kept for what changes it (S057, B26)")
    func keys() {
        let key = request.originalKey
        var copy = request
        copy.url = URL(filePath: "/b.png")
        #expect(copy.originalKey != key)
        copy = request
        copy.http.headers["Cookie"] = "a=b"
        #expect(copy.originalKey != key)
        copy.http.headers["Cookie"] = nil
        #expect(copy.originalKey == key)
        copy.cache.key = "name"
        #expect(copy.originalKey != key)
        copy = request
        copy.targetSize = .pixels(width: 1, height: 1)
        #expect(copy.originalKey == key)
        #expect(copy.key != key)
    }

    @Test("a hash that was asked for is not kept for what changes")
    func hashes() {
        var copy = request
        _ = copy.hashValue
        copy.options = .progressive
        var fresh = ImageRequest(request.url)
        fresh.options = .progressive
        #expect(copy.hashValue == fresh.hashValue)
        #expect(copy == fresh)
    }

    @Test("what is shared of a request is that of the request as it is now (B57)")
    func shared() {
        var copy = request
        let before = copy.sharedOriginal
        copy.limits.bytes = 7
        #expect(copy.sharedOriginal != before)
        #expect(copy.sharedOriginal.limits.bytes == 7)
        #expect(request.sharedOriginal == before)
    }
}
