import Testing
import EaselFoundation

@testable import EaselCore

@Suite("Request: cache keys")
struct ImageRequestKeyTests {
    private let base: ImageRequest

    init() throws {
        base = ImageRequest(try #require(URL(string: "https://images.test/folder/a.png?size=1")))
    }

    @Test("equal requests have equal keys (B19)")
    func equal() throws {
        let other = ImageRequest(try #require(URL(string: "https://images.test/folder/a.png?size=1")))
        #expect(base == other)
        #expect(base.key == other.key)
        #expect(base.key == base.originalKey)
        #expect(base.originalKey.text == "https://images.test/folder/a.png?size=1")
    }

    @Test(
        "the extension is that of the URL (X100, X101)",
        arguments: [
            "http://a.test", "http://a.test/x.png", "http://a.test/x.png/", "http://a.test/x.p%6Eg",
            "http://a.test/.png",
            "http://a.test/x.tar.gz?y=.z#.q", "http://a.test/x.", "http://a.test/a.b/c", "http://a.test/?x.png",
            "http://a.test/x.p-g", "file:///x.JPG", "file:///x", "http://a.test/x.png?name=a/b.c",
        ])
    func fileExtension(_ text: String) throws {
        let url = try #require(URL(string: text))
        #expect(ImageRequest(url).originalKey.fileExtension == url.pathExtension)
    }

    @Test("a request changed after its key was read has another key (B20)")
    func changed() {
        var request = base
        let first = request.key
        request.targetSize = .pixels(width: 10, height: 20)
        let second = request.key
        request.frame = 1
        #expect(Set([first, second, request.key, base.key]).count == 3)
    }

    @Test("every parameter that affects pixels changes the key in a different way (B19, B20, X182)")
    func pixelParameters() {
        let changes: [(inout ImageRequest) -> Void] = [
            { _ in },
            { $0.targetSize = .pixels(width: 10, height: 20) },
            { $0.targetSize = .pixels(width: 20, height: 10) },
            { $0.targetSize = .pixels(width: 10, height: 20, mode: .aspectFill) },
            { $0.targetSize = .pixels(width: 10, height: 20, mode: .fill) },
            { $0.targetSize = .pixels(width: 1, height: 20) },
            { $0.targetSize = .scaledDown(bytes: 1_000) },
            { $0.targetSize = .scaledDown(bytes: 1_001) },
            { $0.options = .scaleDownLargeImages },
            { $0.options = .allowPartial },
            { $0.frame = 1 },
            { $0.frame = 11 },
            { $0.colorSpace = .displayP3 },
            { $0.colorSpace = .unconverted },
            { $0.transforms = [.cropToSquare] },
            { $0.transforms = [.crop(to: PixelSize(3, 4))] },
            { $0.transforms = [.crop(to: PixelSize(4, 3))] },
            { $0.transforms = [.cropToSquare, .crop(to: PixelSize(3, 4))] },
            { $0.transforms = [.crop(to: PixelSize(3, 4)), .cropToSquare] },
            { $0.transforms = [.cropToSquare, .cropToSquare] },
            {
                $0.transforms = [.cropToSquare]; $0.targetSize = .pixels(width: 10, height: 20)
            },
        ]
        let keys = changes.map { change in
            var request = base
            change(&request)
            return request.key
        }
        #expect(Set(keys).count == changes.count)
        #expect(Set(keys.map(\.fileName)).count == changes.count)
    }

    @Test("the original key does not depend on decoding and transforms (X045)")
    func originalKey() {
        var request = base
        request.targetSize = .pixels(width: 10, height: 20)
        request.transforms = [.cropToSquare]
        request.options = [.allowPartial, .scaleDownLargeImages]
        #expect(request.originalKey == base.originalKey)
        #expect(request.key != base.originalKey)
    }

    @Test("parameters that do not affect pixels do not change the key (B23)")
    func otherParameters() {
        let changes: [(inout ImageRequest) -> Void] = [
            { $0.priority = .high },
            { $0.options = [.retryFailed, .refreshCached, .fromLoaderOnly, .fromCacheOnly, .waitStoreCache] },
            { $0.options = [.queryMemoryData, .avoidCoalescing, .allowInvalidCertificates] },
            { $0.scale = 3 },
            { $0.cache.query = [] },
            { $0.cache.store = .memory },
            { $0.http.headers = ["Accept": "image/webp", "X-Trace": "1"] },
            { $0.http.timeouts.connect = .seconds(1) },
            { $0.retry = .exponential(attempts: 2) },
            { $0.limits.pixels = 5 },
        ]
        for (number, change) in changes.enumerated() {
            var request = base
            change(&request)
            #expect(request.key == base.key, "change \(number)")
            #expect(request.originalKey == base.originalKey, "change \(number)")
        }
    }

    @Test("scaleDownLargeImages and the equal limit of bytes have the same key (S089)")
    func scaledDown() {
        var option = base
        option.options = .scaleDownLargeImages
        var size = base
        size.targetSize = .scaledDown(bytes: 60 << 20)
        #expect(option.key == size.key)
        option.targetSize = .pixels(width: 10, height: 20)
        var same = base
        same.targetSize = .pixels(width: 10, height: 20)
        #expect(option.key == same.key)
    }

    @Test("a fragment is not part of the key, because it is not sent")
    func fragment() throws {
        let url = try #require(URL(string: "https://images.test/folder/a.png?size=1#part"))
        #expect(ImageRequest(url).key == base.key)
    }

    @Test("the query of the URL is part of the key")
    func query() throws {
        let url = try #require(URL(string: "https://images.test/folder/a.png?size=2"))
        #expect(ImageRequest(url).key != base.key)
    }

    @Test("a custom key replaces the URL in both keys, but not in the load (B22)")
    func ownKey() throws {
        let url = try #require(URL(string: "https://other.test/b.png?token=1"))
        var request = ImageRequest(url) { $0.cache.key = "image 7" }
        let other = ImageRequest(try #require(URL(string: "https://other.test/b.png?token=2"))) {
            $0.cache.key = "image 7"
        }
        #expect(request.originalKey == other.originalKey)
        #expect(request.originalKey.text == "image 7")
        #expect(request.url == url)
        request.targetSize = .pixels(width: 1, height: 1)
        #expect(request.key != other.key)
        #expect(request.originalKey == other.originalKey)
    }

    @Test("changing a copy does not change the original request (B24)")
    func values() {
        var copy = base
        copy.options = .retryFailed
        copy.transforms.append(.cropToSquare)
        copy.http.headers["X"] = "1"
        #expect(base.options.isEmpty && base.transforms.isEmpty && base.http.headers.fields.isEmpty)
        #expect(base.adding(.allowPartial).options == .allowPartial)
        #expect(base.options.isEmpty)
    }

    @Test("the file name has the extension of the URL, whatever the processing (S121, X181)")
    func fileExtension() {
        var request = base
        request.targetSize = .pixels(width: 10, height: 20)
        #expect(request.key.fileName.hasSuffix(".png"))
        #expect(base.key.fileName.hasSuffix(".png"))
    }

    @Test("the content of a data URL is not an extension")
    func dataURL() throws {
        let request = ImageRequest(try #require(URL(string: "data:image/svg+xml,a/b.c.d")))
        #expect(request.key.fileExtension.isEmpty)
    }

    @Test("the size precision is in no key, because the image is the same (B16)")
    func precision() {
        var other = base
        other.precision = .atLeast
        #expect(other.key == base.key)
        #expect(other.familyKey == base.familyKey)
        #expect(other.sharedLoad == base.sharedLoad)
    }

    @Test("all sizes of an image have one family key, which is not an image key (B15)")
    func family() {
        let sizes: [TargetSize] = [
            .original, .pixels(width: 10, height: 20), .pixels(width: 9, height: 9, mode: .fill),
            .scaledDown(bytes: 100),
        ]
        let requests = sizes.map { size in
            var request = base
            request.targetSize = size
            return request
        }
        #expect(Set(requests.map(\.familyKey)).count == 1)
        #expect(!requests.map(\.key).contains(base.familyKey))
    }

    @Test("parameters that affect identity, or pixels except for size, change the family key (B15, B26)")
    func otherFamilies() {
        let changes: [(inout ImageRequest) -> Void] = [
            { _ in },
            { $0.frame = 1 },
            { $0.colorSpace = .displayP3 },
            { $0.transforms = [.cropToSquare] },
            { $0.options = .allowPartial },
            { $0.cache.key = "other" },
            { $0.http.headers["Authorization"] = "Bearer a" },
        ]
        let families = changes.map { change in
            var request = base
            change(&request)
            return request.familyKey
        }
        #expect(Set(families).count == changes.count)
    }
}

@Suite("Request: scale")
struct ImageRequestScaleTests {
    @Test(
        "the scale is read from the file name (S168, X026)",
        arguments: [
            ("https://images.test/a.png", 1.0), ("https://images.test/a@2x.png", 2),
            ("https://images.test/a@3x.png", 3),
            ("https://images.test/a%402x.png", 2), ("https://images.test/a@2x.png?width=5", 2),
            ("https://images.test/a@2x/b.png", 1), ("https://images.test/a2x.png", 1), ("https://a@2x.test/b.png", 1),
            ("file:///images/a@2x.png", 2), ("https://images.test/a.png?name=b@2x.png", 1),
        ])
    func names(url: String, scale: Double) throws {
        #expect(ImageRequest(try #require(URL(string: url))).resultScale == scale)
    }

    @Test("an explicit scale overrides the file name")
    func explicit() throws {
        let request = ImageRequest(try #require(URL(string: "https://images.test/a@2x.png"))) { $0.scale = 1.5 }
        #expect(request.resultScale == 1.5)
    }
}
