import Testing

@testable import EaselCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A disk cache in a folder of its own, and what a test does behind its back.
struct DiskCacheFixture {
    let folder: TemporaryFolder
    let cache: DiskCache

    static func with(
        maximumBytes: Int = 0, maximumAge: Duration = .days(30), _ body: (DiskCacheFixture) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            let configuration = DiskCache.Configuration(maximumBytes: maximumBytes, maximumAge: maximumAge)
            try await body(
                DiskCacheFixture(folder: folder, cache: DiskCache(folder: folder.path, configuration: configuration)))
        }
    }

    /// Stores `length` bytes for `key`, last used so many seconds ago.
    func store(_ key: CacheKey, length: Int, used seconds: Double) async throws {
        try await cache.store(Data(repeating: 7, count: length), for: key)
        try touch(key.fileName, used: seconds)
    }

    func touch(_ name: String, used seconds: Double) throws {
        try Folder(path: folder.path, creating: false).touch(name, accessed: Date().timeIntervalSince1970 - seconds)
    }

    /// Seconds since the file was used.
    func age(of name: String) throws -> Double {
        let facts = try Folder(path: folder.path, creating: false).facts(of: name)
        return Date().timeIntervalSince1970 - (try #require(facts).accessed)
    }

    /// Changes a file's bytes in place, so that what is stored beside them stays.
    func damage(_ key: CacheKey, _ change: (FileHandleWriter) throws -> Void) throws {
        try change(FileHandleWriter(folder[key.fileName]))
    }

    /// The keys, among those given, that something is stored for.
    func present(_ keys: [CacheKey]) async -> [String] {
        var present: [String] = []
        for key in keys where await cache.contains(key) { present.append(key.text) }
        return present
    }
}
