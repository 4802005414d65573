#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What is kept beside the bytes, without reading them.
extension DiskEntries {
    /// That of the first of the key's files that is there and not too old.
    func metadata(_ key: CacheKey) throws(ImageError) -> CacheMetadata? {
        for name in Self.names(of: key) {
            do throws(SystemError) {
                guard let file = try folder.open(name), let facts = try Self.regular(file) else { continue }
                if let metadata = try metadata(of: file, facts, key) { return metadata }
                // Beyond what an attribute holds it is behind the bytes.
                if let found = try read(name, key) { return found }
            } catch {
                throw .unreadable(path: folder.path + "/" + name, reason: error.reason)
            }
        }
        return nil
    }

    /// The same where no disk has to be asked; `nil` says nothing.
    func metadataCached(_ key: CacheKey) -> CacheMetadata? {
        for name in Self.names(of: key) {
            do throws(SystemError) {
                guard let file = try folder.openCached(name) else { continue }
                return try Self.regular(file).flatMap { facts throws(SystemError) in
                    try metadata(of: file, facts, key)
                }
            } catch {
                return nil
            }
        }
        return nil
    }

    private func metadata(
        of file: borrowing OpenFile, _ facts: FileFacts, _ key: CacheKey
    ) throws(SystemError) -> CacheMetadata? {
        guard case .record(let bytes) = try Self.attribute(of: file), let record = DiskRecord(bytes),
            !record.continuesInTrailer, record.length == facts.byteCount, !isExpired(facts, record)
        else { return nil }
        return metadata(in: record, key)
    }

    private func read(_ name: String, _ key: CacheKey) throws(SystemError) -> CacheMetadata? {
        guard let file = try folder.open(name), let facts = try Self.regular(file) else { return nil }
        let data = try file.read(expected: facts.byteCount)
        guard case .sound(let found, _) = examine(data, try Self.attribute(of: file), facts, key) else { return nil }
        return found.metadata
    }
}
