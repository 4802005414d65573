import Testing
import EaselFoundation
import Foundation
import TestSupport

@testable import EaselCore

/// Checks how every stored field of a request affects the keys (B19, X004, X179).
@Suite("Request: fields and keys")
struct ImageRequestFieldsTests {
    /// The keys that a field is part of.
    enum Part {
        /// No key: the field affects neither the file nor the pixels.
        case none
        /// The image key: the field affects the pixels.
        case image
        /// Both keys: the field affects the file or the identity of the requester.
        case file
    }

    typealias Row = (field: String, part: Part, change: @Sendable (inout ImageRequest) -> Void)

    private static let rows: [Row] = [
        ("url", .file, { $0.url = URL(fileURLWithPath: "/b.png") }),
        ("options", .none, { $0.options = .retryFailed }),
        ("priority", .none, { $0.priority = .high }),
        ("targetSize", .image, { $0.targetSize = .pixels(width: 3, height: 4) }),
        ("precision", .none, { $0.precision = .atLeast }),
        ("frame", .image, { $0.frame = 1 }),
        ("colorSpace", .image, { $0.colorSpace = .displayP3 }),
        ("depth", .image, { $0.depth = .sixteen }),
        ("hdrHeadroom", .image, { $0.hdrHeadroom = 4 }),
        ("transforms", .image, { $0.transforms = [.cropToSquare] }),
        ("avoidsDefaultTransforms", .none, { $0.avoidsDefaultTransforms = true }),
        ("placeholder", .none, { $0.placeholder = .cachedVariant }),
        ("preview", .none, { $0.preview = .url(URL(fileURLWithPath: "/small.png")) }),
        ("alternatives", .none, { $0.alternatives = [URL(fileURLWithPath: "/b.png")] }),
        ("onLowData", .none, { $0.onLowData = .cacheOnly }),
        (
            "primary", .file,
            {
                $0.fields.primary = Primary(key: CacheKey("first"), url: $0.url)
                $0.url = URL(fileURLWithPath: "/alternative.png")
            }
        ),
        ("isSubstitute", .none, { $0.fields.isSubstitute = true }),
        ("isOffline", .none, { $0.fields.isOffline = true }),
        ("scale", .none, { $0.scale = 3 }),
        ("retry", .none, { $0.retry = .exponential(attempts: 3) }),
        ("limits", .none, { $0.limits.pixels = 5 }),
        ("loader", .file, { $0.loader = Identified("mine", FileLoader()) }),
        ("coder", .image, { $0.coder = Identified("mine", TestCoder()) }),
        ("extras", .file, { $0[Shelf.self] = 3 }),

        ("cache.query", .none, { $0.cache.query = .memory }),
        ("cache.store", .none, { $0.cache.store = .memory }),
        ("cache.queryOriginal", .none, { $0.cache.queryOriginal = [] }),
        ("cache.storeOriginal", .none, { $0.cache.storeOriginal = [] }),
        ("cache.key", .file, { $0.cache.key = "other" }),
        ("cache.imageCache", .none, { $0.cache.imageCache = Identified(ScriptedCache()) }),
        ("cache.originalImageCache", .none, { $0.cache.originalImageCache = Identified(ScriptedCache()) }),
        ("cache.tags", .none, { $0.cache.tags = ["album"] }),
        ("cache.isPinned", .none, { $0.cache.isPinned = true }),
        // Part of the image key only if the image is not just the file, see below.
        ("cache.encoding", .none, { $0.cache.encoding = EncodeOptions(quality: 0.2) }),
        ("cache.serializer", .file, { $0.cache.serializer = Identified("mine") { data, _ in data } }),

        ("http.headers", .none, { $0.http.headers["Accept-Language"] = "de" }),
        ("http.identityHeaders", .none, { $0.http.identityHeaders = ["X-User"] }),
        ("http.credential", .file, { $0.http.credential = .basic(user: "u", password: "p") }),
        ("http.handlesCookies", .file, { $0.http.handlesCookies = true }),
        ("http.security", .none, { $0.http.security.trustedCertificateFile = "/a" }),
        ("http.timeouts", .none, { $0.http.timeouts.connect = .seconds(1) }),
        ("http.policy", .none, { $0.http.policy = .offline }),
        ("http.stored", .none, { $0.http.stored = stored }),
        ("http.partialFolder", .none, { $0.http.partialFolder = "/tmp" }),
        ("http.deadline", .none, { $0.http.deadline = .seconds(1) }),
        ("http.requestModifier", .file, { $0.http.requestModifier = Identified("mine") { $0 } }),
        ("http.responseModifier", .file, { $0.http.responseModifier = Identified("mine") { $0 } }),
        ("http.decryptor", .file, { $0.http.decryptor = Identified("mine") { $0 } }),
    ]

    private static let stored = StoredResponse(
        status: 200, headers: [:], url: "http://images.test/a", request: [:], requested: Date(timeIntervalSince1970: 0),
        received: Date(timeIntervalSince1970: 0))

    private let base: ImageRequest

    init() throws {
        base = ImageRequest(try #require(URL(string: "https://images.test/a.png")))
    }

    @Test("the table has exactly the stored fields, so that a new one must be added")
    func complete() {
        var fields: [String] = []
        for child in Mirror(reflecting: base.storage.fields).children {
            guard let label = child.label else { continue }
            if let http = child.value as? ImageRequest.HTTP {
                fields += Mirror(reflecting: http).children.compactMap { $0.label.map { "http.\($0)" } }
            } else if child.value is ImageRequest.Cache {
                fields += Mirror(reflecting: child.value).children.compactMap { $0.label.map { "\(label).\($0)" } }
            } else {
                fields.append(label)
            }
        }
        #expect(fields.sorted() == Self.rows.map(\.field).sorted())
    }

    @Test("each field changes exactly the keys that it is part of (B19, B22, B23)", arguments: rows)
    func keys(row: Row) {
        var request = base
        row.change(&request)
        #expect(request != base, "\(row.field) is part of the value")
        #expect((request.key != base.key) == (row.part != .none), "\(row.field)")
        #expect((request.originalKey != base.originalKey) == (row.part == .file), "\(row.field)")
        #expect(
            (request.familyKey == base.familyKey) == (row.part == .none || row.field == "targetSize"), "\(row.field)")
    }

    @Test("different fields make different keys (B20)")
    func distinct() {
        let keys = Self.rows.filter { $0.part != .none }.map { row in
            var request = base
            row.change(&request)
            return request.key
        }
        #expect(Set(keys + [base.key]).count == keys.count + 1)
    }

    @Test("exactly the options that affect pixels or identity are in the key, bit by bit (X004 is not copied)")
    func options() {
        let inKey: LoadOptions = [.scaleDownLargeImages, .allowPartial]
        for bit in 0..<32 {
            let option = LoadOptions(rawValue: 1 << bit)
            #expect((base.adding(option).key != base.key) == inKey.contains(option), "bit \(bit)")
        }
        var thumbnail = base
        thumbnail.targetSize = .pixels(width: 3, height: 4)
        #expect(thumbnail.adding(.stopWhenSufficient).key != thumbnail.key)
    }

    @Test("each encoding field is in the key of an encoded image, and not in that of a plain file (X032)")
    func encoding() {
        let changes: [(String, @Sendable (inout EncodeOptions) -> Void)] = [
            ("quality", { $0.quality = 0.5 }), ("background", { $0.background.red = 1 }),
            ("isLossless", { $0.isLossless = true }), ("isProgressive", { $0.isProgressive = true }),
            ("effort", { $0.effort = 3 }), ("chromaSubsampling", { $0.chromaSubsampling = .half }),
            ("optimizesHuffmanTables", { $0.optimizesHuffmanTables = true }),
            ("compressionLevel", { $0.compressionLevel = 2 }),
            ("maximumPixelSize", { $0.maximumPixelSize = PixelSize(5, 6) }),
            ("maximumByteCount", { $0.maximumByteCount = 9 }),
            ("metadata", { $0.metadata = FileMetadata(exif: Data([1])) }),
        ]
        #expect(Mirror(reflecting: EncodeOptions()).children.compactMap(\.label) == changes.map(\.0))
        var thumbnail = base
        thumbnail.targetSize = .pixels(width: 3, height: 4)
        var keys = [thumbnail.key]
        thumbnail.cache.encoding = EncodeOptions()
        keys.append(thumbnail.key)
        for (_, change) in changes {
            var encoding = EncodeOptions()
            change(&encoding)
            thumbnail.cache.encoding = encoding
            keys.append(thumbnail.key)
            #expect(thumbnail.originalKey == base.originalKey)
        }
        #expect(Set(keys).count == changes.count + 2)
    }

    @Test("identity headers are in the key with their values (B26)")
    func identity() {
        var request = base
        request.http.identityHeaders = ["X-User"]
        request.http.headers["X-User"] = "one"
        #expect(request.originalKey != base.originalKey)
        request.http.security.clientCertificate = .init(certificateFile: "/a", keyFile: "/b")
        let withCertificate = request.originalKey
        request.http.security.clientCertificate = nil
        #expect(request.originalKey != withCertificate)
    }
}

/// An extra whose value is in the keys.
enum Shelf: RequestExtra {
    static let defaultValue = 0
    static func keyText(of value: Int) -> String? { "Shelf(\(value))" }
}

@Suite("Image request: copies")
struct RequestCopyTests {
    private let request = ImageRequest(URL(filePath: "/a.png"))

    @Test("changing a copy does not change the original")
    func copies() {
        var copy = request
        copy.frame = 3
        #expect(request.frame == 0)
        #expect(copy != request)
        copy.frame = 0
        #expect(copy == request)
        #expect(copy.hashValue == request.hashValue)
    }

    @Test("a cached key is not reused after a change (S057, B26)")
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

    @Test("a cached hash is not reused after a change")
    func hashes() {
        var copy = request
        _ = copy.hashValue
        copy.options = .progressive
        var fresh = ImageRequest(request.url)
        fresh.options = .progressive
        #expect(copy.hashValue == fresh.hashValue)
        #expect(copy == fresh)
    }

    @Test("sharedOriginal follows changes of the request (B57)")
    func shared() {
        var copy = request
        let before = copy.sharedOriginal
        copy.limits.bytes = 7
        #expect(copy.sharedOriginal != before)
        #expect(copy.sharedOriginal.limits.bytes == 7)
        #expect(request.sharedOriginal == before)
    }
}
