import EaselFoundation

extension DiskEntries {
    /// Every entry. Foreign and hidden files, links and folders are not ours to count or to remove: entries are regular
    /// files that are named by 32 hexadecimal digits. What writers that died have left is removed on the way (B51).
    func list() throws(SystemError) -> [DiskTrim.Entry] {
        let now = Date().timeIntervalSince1970
        var entries: [DiskTrim.Entry] = []
        for name in try names() {
            if Self.isEntryName(name) {
                guard let facts = folder.facts(of: name), facts.isFile else { continue }
                entries.append(DiskTrim.Entry(name: name, facts: facts, created: created(name)))
            } else if let owner = TemporaryName.owner(of: name), let facts = folder.facts(of: name), facts.isFile,
                TemporaryName.isLeftOver(owner: owner, modified: facts.modified, now: now)
            {
                _ = try? folder.remove(name)
            }
        }
        return entries
    }

    private func names() throws(SystemError) -> [String] {
        do throws(SystemError) { return try folder.names() } catch {
            // It was removed.
            if error.isMissing { return [] }
            throw error
        }
    }

    /// Whether the bytes of an entry are those that were stored; `nil` where it cannot be read, or judged.
    func isSound(_ name: String) -> Bool? {
        guard let file = try? folder.open(name), let facts = try? file.facts(),
            let attribute = try? Self.attribute(of: file), !attribute.isOfAnotherVersion,
            let data = try? file.read(expected: facts.byteCount)
        else { return nil }
        return Self.sound(data, attribute) != nil
    }

    /// Removes the very file that a listing saw; one that has taken its name since then stays. Returns whether it is gone.
    func removeUnchanged(_ entry: DiskTrim.Entry) -> Bool {
        guard let facts = folder.facts(of: entry.name) else { return true }
        guard facts.number == entry.facts.number, facts.modified == entry.facts.modified else { return false }
        return (try? folder.remove(entry.name)) == true
    }

    /// When an entry's bytes were stored, which only its record knows; read only where expiration goes by it.
    func created(_ name: String) -> Double? {
        guard settings.expiration == .creation, let file = try? folder.open(name),
            let attribute = try? Self.attribute(of: file), let record = try? Self.record(of: file, attribute)
        else { return nil }
        return Double(record.created) / 1000
    }

    private static func isEntryName(_ name: String) -> Bool {
        let utf8 = name.utf8
        return utf8.count >= 32 && utf8.prefix(32).allSatisfy(isHexadecimal)
            && (utf8.count == 32 || utf8.dropFirst(32).first == UInt8(ascii: "."))
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}
