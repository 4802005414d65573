import EaselFoundation

/// What is kept beside the bytes, without reading them.
extension DiskEntries {
    /// That of the first of the key's files that is there and not too old.
    func metadata(_ key: CacheKey) throws(ImageError) -> CacheMetadata? {
        for name in Self.names(of: key) {
            do throws(SystemError) {
                guard let file = try folder.open(name), let facts = try Self.regular(file) else { continue }
                let attribute = try Self.attribute(of: file)
                if let record = try Self.record(of: file, attribute) {
                    if !isExpired(facts, record), let metadata = metadata(in: record, key) { return metadata }
                } else if case .none = attribute, settings.encryption == nil, !isExpired(facts, nil) {
                    return CacheMetadata()
                }
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
                // What is behind the bytes may have to be fetched.
                guard let facts = try Self.regular(file), case .record(let bytes) = try Self.attribute(of: file),
                    let record = DiskRecord(bytes), !record.continuesInTrailer, record.length == facts.byteCount,
                    !isExpired(facts, record)
                else { return nil }
                return metadata(in: record, key)
            } catch {
                return nil
            }
        }
        return nil
    }
}
