import Testing

@testable import EaselCore

import EaselFoundation

/// A disk cache in a temporary folder, with direct access to its files.
struct DiskCacheFixture {
    let folder: TemporaryFolder
    let cache: DiskCache

    static func with(
        maximumBytes: Int = 0, maximumAge: DiskCache.Age = .days(30), _ body: (DiskCacheFixture) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            let configuration = DiskCache.Configuration(maximumBytes: ByteCount(maximumBytes), maximumAge: maximumAge)
            try await body(
                DiskCacheFixture(folder: folder, cache: DiskCache(folder: folder.path, configuration: configuration)))
        }
    }

    /// Calls `body` with a fixture of this configuration, optionally on another file system.
    static func with(
        on fileSystem: SmallFileSystem? = nil, _ configure: (inout DiskCache.Configuration) -> Void,
        _ body: (DiskCacheFixture) async throws -> Void
    ) async throws {
        var configuration = DiskCache.Configuration(maximumBytes: 0)
        configure(&configuration)
        let run = { (folder: TemporaryFolder) in
            try await body(
                DiskCacheFixture(folder: folder, cache: DiskCache(folder: folder.path, configuration: configuration)))
        }
        if let fileSystem { try await fileSystem.with(run) } else { try await TemporaryFolder.with(run) }
    }

    /// Returns another cache over the same folder, like that of another process.
    func another(_ configure: (inout DiskCache.Configuration) -> Void = { _ in }) -> DiskCache {
        var configuration = cache.configuration
        configure(&configuration)
        return DiskCache(folder: folder.path, configuration: configuration)
    }

    /// Stores `length` bytes for `key`, last used `seconds` ago.
    func store(_ key: CacheKey, length: Int, used seconds: Double) async throws {
        try await cache.store(Data(repeating: 7, count: length), for: key)
        // The first count removes expired entries. Wait until it is done.
        await cache.settle()
        try touch(key.fileName, used: seconds)
    }

    func touch(_ name: String, used seconds: Double) throws {
        try Folder(path: folder.path, creating: false).touch(name, accessed: Date().timeIntervalSince1970 - seconds)
    }

    /// Returns the seconds since the last use of a file.
    func age(of name: String) throws -> Double {
        let facts = try Folder(path: folder.path, creating: false).facts(of: name)
        return Date().timeIntervalSince1970 - (try #require(facts).accessed)
    }

    /// Changes a file in place and keeps its attributes.
    func damage(_ key: CacheKey, _ change: (FileHandleWriter) throws -> Void) throws {
        try change(FileHandleWriter(folder[key.fileName]))
    }

    /// Returns those of the given keys that have an entry.
    func present(_ keys: [CacheKey]) async -> [String] {
        var present: [String] = []
        for key in keys where await cache.contains(key) { present.append(key.text) }
        return present
    }

    // MARK: - Direct access to files

    private var opened: Folder { get throws { try Folder(path: folder.path, creating: false) } }

    /// Returns the attributes of the key's file.
    func facts(_ key: CacheKey) throws -> FileFacts {
        try #require(opened.facts(of: key.fileName))
    }

    /// Returns the record in the attribute of the key's file.
    func record(_ key: CacheKey) throws -> DiskRecord? {
        try opened.open(key.fileName)?.attribute(DiskEntries.attributeName).flatMap { DiskRecord($0) }
    }

    /// Replaces the record in the attribute of the key's file.
    func setAttribute(_ key: CacheKey, _ bytes: [UInt8]) throws {
        try opened.open(key.fileName)?.setAttribute(DiskEntries.attributeName, bytes)
    }

    /// Sets the seconds since the last use, the last change and the store of an entry.
    func setAges(_ key: CacheKey, accessed: Double = 0, modified: Double = 0, created: Double = 0) throws {
        let now = Date().timeIntervalSince1970
        // Without attributes the record is in the file, which tests write themselves.
        if var record = (try? record(key)).flatMap(\.self) {
            record.created = Int64((now - created) * 1000)
            try setAttribute(key, record.bytes)
        }
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: now - modified)], ofItemAtPath: folder[key.fileName])
        try touch(key.fileName, used: accessed)
    }
}
