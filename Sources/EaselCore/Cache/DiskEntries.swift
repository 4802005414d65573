#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import Synchronization

/// The entries of one folder: the blocking calls behind `DiskCache`.
struct DiskEntries {
    let folder: Folder

    private static let attributeName = "user.easel"
    private static let temporaryPrefix = ".tmp-"
    /// Temporary files that this process has named.
    static let temporaryCount = Atomic<Int>(0)
    /// A temporary file older than this is left over even where a process with its number lives.
    private static let temporaryAge = 86_400.0
    /// An entry that was touched less than this ago is not touched again: most hits write nothing.
    private static let touchInterval = 3600.0

    func read(_ key: CacheKey) throws(ImageError) -> Data? {
        for name in names(of: key) {
            do throws(SystemError) {
                guard let (data, attribute) = try folder.read(name, attribute: Self.attributeName) else { continue }
                guard DiskSeal(attribute)?.fits(data) ?? true else {
                    // A miss also where the folder can only be read.
                    _ = try? folder.remove(name)
                    continue
                }
                touch(name)
                return data
            } catch {
                throw .unreadable(path: folder.path + "/" + name, reason: error.reason)
            }
        }
        return nil
    }

    /// Writes an entry and returns the bytes of the one that it replaced.
    func perform(_ data: Data, for key: CacheKey) throws(ImageError) -> Int {
        let replaced = folder.facts(of: key.fileName).map { $0.isFile ? $0.byteCount : 0 } ?? 0
        while true {
            let number = Self.temporaryCount.add(1, ordering: .relaxed).newValue
            do throws(SystemError) {
                try folder.write(
                    data, to: key.fileName, temporaryName: "\(Self.temporaryPrefix)\(processNumber)-\(number)",
                    attribute: (Self.attributeName, DiskSeal(of: data).bytes))
                return replaced
            } catch {
                // Left by a process that had our number, as they all have in a container. The next name is free, or the next.
                if error.isTaken { continue }
                throw .unwritable(path: folder.path + "/" + key.fileName, reason: error.reason)
            }
        }
    }

    func contains(_ key: CacheKey) -> Bool {
        names(of: key).contains { folder.facts(of: $0)?.isFile == true }
    }

    /// Removes an entry and returns the bytes that were freed.
    func remove(_ key: CacheKey) throws(ImageError) -> Int {
        var freed = 0
        for name in names(of: key) {
            let bytes = folder.facts(of: name)?.byteCount ?? 0
            if try removeFile(name) { freed += bytes }
        }
        return freed
    }

    /// Removes all that can be removed, and then tells of the first that could not.
    func removeAll() throws(ImageError) {
        var failure: ImageError?
        for (name, _) in all() {
            do throws(ImageError) { _ = try removeFile(name) } catch { failure = failure ?? error }
        }
        removeTemporaries()
        if let failure { throw failure }
    }

    func statistics() -> DiskCache.Statistics {
        let entries = all()
        return DiskCache.Statistics(entries: entries.count, bytes: entries.reduce(0) { $0 + $1.facts.byteCount })
    }

    func verify() -> DiskCache.Verification {
        var result = DiskCache.Verification(entries: 0, torn: 0, removed: 0, bytes: 0)
        for (name, facts) in all() {
            // A check is no use of the entry, but reading it may count as one for the system.
            defer { folder.touch(name, accessed: facts.accessed) }
            guard let (data, attribute) = try? folder.read(name, attribute: Self.attributeName) else { continue }
            result.entries += 1
            if DiskSeal(attribute)?.fits(data) ?? true {
                result.bytes += data.count
            } else {
                result.torn += 1
                if (try? folder.remove(name)) == true { result.removed += 1 }
            }
        }
        return result
    }

    /// Removes what is too old or alone too large, then the least recently used until half of the limit is left. Returns the bytes left.
    func trim(_ limits: DiskCache.Configuration) -> Int {
        var kept: [(name: String, facts: Folder.Facts)] = []
        let now = Date().timeIntervalSince1970
        for (name, facts) in all() {
            // A clock that went back makes times of use lie ahead: such an entry counts as used just now.
            let isExpired = limits.maximumAge >= .zero && now - facts.accessed >= limits.maximumAge.seconds
            // One that can never fit must not take the others along (B35).
            let isTooLarge = limits.maximumBytes > 0 && facts.byteCount > limits.maximumBytes
            if isExpired || isTooLarge, (try? folder.remove(name)) == true { continue }
            kept.append((name, facts))
        }
        var bytes = kept.reduce(0) { $0 + $1.facts.byteCount }
        guard limits.maximumBytes > 0, bytes > limits.maximumBytes else { return bytes }
        for (name, facts) in kept.sorted(by: { $0.facts.accessed < $1.facts.accessed }) {
            if bytes < limits.maximumBytes / 2 { break }
            if (try? folder.remove(name)) == true { bytes -= facts.byteCount }
        }
        return bytes
    }

    /// Removes what writers that died have left. The files of living ones stay (B51).
    func removeTemporaries() {
        let now = Date().timeIntervalSince1970
        for name in allNames() {
            guard let owner = Self.owner(ofTemporary: name), let facts = folder.facts(of: name), facts.isFile else {
                continue
            }
            let mayBeInUse = owner == processNumber || isProcessAlive(owner)
            if mayBeInUse, now - facts.modified < Self.temporaryAge { continue }
            _ = try? folder.remove(name)
        }
    }

    /// The number of the process that wrote a file called `.tmp-PID-N`; `nil` for any other name.
    private static func owner(ofTemporary name: String) -> Int32? {
        guard name.hasPrefix(temporaryPrefix) else { return nil }
        let numbers = name.dropFirst(temporaryPrefix.count).split(separator: "-", omittingEmptySubsequences: false)
        guard numbers.count == 2, UInt(numbers[1]) != nil, let owner = Int32(numbers[0]), owner > 0 else { return nil }
        return owner
    }

    private func names(of key: CacheKey) -> [String] {
        key.fileExtension.isEmpty ? [key.fileName] : [key.fileName, key.bareFileName]
    }

    private func allNames() -> [String] { (try? folder.names()) ?? [] }

    /// Every entry. Foreign and hidden files, links and folders are not ours to count or to remove: entries are regular
    /// files that are named by 32 hexadecimal digits.
    private func all() -> [(name: String, facts: Folder.Facts)] {
        allNames().filter(Self.isEntryName).compactMap { name in
            folder.facts(of: name).flatMap { $0.isFile ? (name, $0) : nil }
        }
    }

    private static func isEntryName(_ name: String) -> Bool {
        let utf8 = name.utf8
        return utf8.count >= 32 && utf8.prefix(32).allSatisfy(isHexadecimal)
            && (utf8.count == 32 || utf8.dropFirst(32).first == UInt8(ascii: "."))
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }

    private func removeFile(_ name: String) throws(ImageError) -> Bool {
        do throws(SystemError) {
            return try folder.remove(name)
        } catch {
            throw .unwritable(path: folder.path + "/" + name, reason: error.reason)
        }
    }

    private func touch(_ name: String) {
        let now = Date().timeIntervalSince1970
        guard let facts = folder.facts(of: name), abs(now - facts.accessed) > Self.touchInterval else { return }
        folder.touch(name, accessed: now)
    }
}
