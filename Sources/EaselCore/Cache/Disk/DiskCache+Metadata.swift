extension DiskCache {
    /// What is kept beside the bytes for `key`, without reading those where that can be avoided; `nil` where there is no
    /// entry. Not a use, and no proof that the bytes are sound.
    ///
    /// - Throws: `ImageError.unreadable`.
    public func metadata(for key: CacheKey) async throws(ImageError) -> CacheMetadata? {
        let found = await WorkerPool.files.finish { existing()?.metadata(of: key) }
        switch found {
        case .metadata(let metadata): return metadata
        case .missing: return nil
        case .unknown, nil: return try await file(for: key)?.metadata
        }
    }
}

extension DiskEntries {
    /// What can be told without an entry's bytes.
    enum MetadataFinding {
        case metadata(CacheMetadata)
        case missing
        /// Encrypted, or behind the bytes.
        case unknown
    }

    /// Blocks.
    func metadata(of key: CacheKey) -> MetadataFinding {
        do throws(SystemError) {
            for name in Self.names(of: key) {
                guard let file = try folder.open(name) else { continue }
                guard case .record(let bytes) = try Self.attribute(of: file), let record = DiskRecord(bytes),
                    !record.continuesInTrailer, !record.isEncrypted,
                    let metadata = CacheMetadata(record.details, created: record.createdDate)
                else { return .unknown }
                return .metadata(metadata)
            }
            return settings.readOnlyFolders.isEmpty && settings.additionalPath == nil ? .missing : .unknown
        } catch {
            return .unknown
        }
    }
}
