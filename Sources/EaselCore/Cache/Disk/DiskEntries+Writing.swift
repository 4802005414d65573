import EaselFoundation

extension DiskEntries {
    /// What is written: the payload, encrypted where that is asked for, and what stands beside it.
    struct Sealed {
        let payload: Data
        let record: DiskRecord

        /// Bytes that it takes on the disk.
        var byteCount: Int { payload.count + record.details.count }
    }

    /// An entry that is written and has no name as yet.
    struct Written: ~Copyable {
        var file: NewFile
        let byteCount: Int
    }

    /// - Throws: `ImageError.unwritable` for metadata beyond all measure, and what the encryption throws.
    func seal(_ data: Data, _ metadata: CacheMetadata, for key: CacheKey) throws(ImageError) -> Sealed {
        var payload = data
        if let encryption = settings.encryption {
            payload = try encryption.seal(data, context: DiskSecret.payload(key))
        }
        var record = DiskRecord(of: payload, created: Date())
        record.isEncrypted = settings.encryption != nil
        record.details = try details(metadata, for: key)
        return Sealed(payload: payload, record: record)
    }

    /// Writes an entry that nobody sees before it has its name.
    func write(_ sealed: Sealed) throws(SystemError) -> Written {
        let new = try NewFile(in: folder, isNamed: settings.writesNamedFiles)
        try new.file.append(sealed.payload)
        let trailerCount = try Self.writeRecord(of: sealed, to: new.file)
        if settings.isDurable { try new.file.synchronise() }
        return Written(file: new, byteCount: sealed.payload.count + trailerCount)
    }

    /// Replaces the metadata of a key's entry, in one step: a reader sees the old or the new. Returns the entry written
    /// anew where the file system has no room for it beside the bytes.
    func setMetadata(_ metadata: CacheMetadata, for key: CacheKey) throws(ImageError) -> (name: String, sealed: Sealed)?
    {
        let details = try details(metadata, for: key)
        for name in Self.names(of: key) {
            do throws(SystemError) {
                guard let file = try folder.open(name), try file.facts().isFile else { continue }
                let attribute = try Self.attribute(of: file)
                if case .record(let bytes) = attribute, var record = DiskRecord(bytes), !record.continuesInTrailer {
                    record.details = details
                    do throws(SystemError) {
                        try file.setAttribute(Self.attributeName, record.bytes)
                        file.setModifiedNow()
                        return nil
                    } catch {
                        if !error.isTooLarge { throw error }
                    }
                }
                let data = try file.read(expected: file.facts().byteCount)
                guard let (before, payload) = Self.sound(data, attribute) else { continue }
                var record = before ?? DiskRecord(of: payload, created: Date())
                record.details = details
                return (name, Sealed(payload: payload, record: record))
            } catch {
                throw unwritable(name, error)
            }
        }
        return nil
    }

    func unwritable(_ name: String, _ error: SystemError) -> ImageError {
        .unwritable(path: folder.path + "/" + name, reason: error.reason)
    }

    private func details(_ metadata: CacheMetadata, for key: CacheKey) throws(ImageError) -> [UInt8] {
        var details = metadata.bytes
        if let encryption = settings.encryption {
            details = Array(try encryption.seal(Data(details), context: DiskSecret.details(key)))
        }
        guard details.count <= DiskRecord.longestDetails else {
            throw .unwritable(
                path: folder.path + "/" + key.fileName,
                reason: "its metadata has more than \(DiskRecord.longestDetails) bytes")
        }
        return details
    }

    /// The record goes into an attribute; where there is none, or it has no room, it follows the bytes. Returns how many
    /// bytes that are.
    private static func writeRecord(of sealed: Sealed, to file: borrowing OpenFile) throws(SystemError) -> Int {
        let record = sealed.record
        do throws(SystemError) {
            // A payload that ends like a trailer would be cut off in a copy without the attribute.
            if !DiskRecord.isTrailer(atEndOf: sealed.payload) {
                try file.setAttribute(attributeName, record.bytes)
                return 0
            }
            try file.setAttribute(attributeName, record.pointer.bytes)
        } catch {
            guard error.isUnsupported || error.isTooLarge else { throw error }
            if error.isTooLarge { try file.setAttribute(attributeName, record.pointer.bytes) }
        }
        let trailer = record.trailer
        try file.append(trailer)
        return trailer.count
    }
}
