import CEaselSystem
import Synchronization

import EaselFoundation
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A folder held open, and the calls on the files directly in it. Calls block, but for those that say otherwise.
///
/// Names are resolved against the descriptor, so that a path that changes underneath cannot lead elsewhere, and links
/// are never followed.
final class Folder: Sendable {
    let path: String
    private let descriptor: Int32
    /// By which a folder is known, however it is called.
    private let identity: Identity
    private let canNameLater = Atomic(true)

    private struct Identity: Equatable, Sendable {
        let device: dev_t
        let number: ino_t

        init(_ status: stat) {
            device = status.st_dev
            number = status.st_ino
        }
    }

    /// Opens the folder at `path`. With `creating`, it and its parents are made where they are missing.
    init(path: String, creating: Bool) throws(SystemError) {
        if creating { try Self.makeFolder(path) }
        let descriptor = systemOpen(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let error = SystemError.last
            close(descriptor)
            throw error
        }
        self.path = path
        self.descriptor = descriptor
        identity = Identity(status)
    }

    deinit { close(descriptor) }

    /// Whether the path still leads here: a folder that was removed or moved away still takes files.
    var isInPlace: Bool {
        var there = stat()
        return stat(path, &there) == 0 && Identity(there) == identity
    }

    /// Whether both are one folder, however they were opened.
    func isSame(as other: Folder) -> Bool { other.identity == identity }

    /// Bytes that this user may still write on the file system, or `nil` where it does not tell.
    var freeBytes: Int? {
        var facts = statvfs()
        guard fstatvfs(descriptor, &facts) == 0 else { return nil }
        return Int(clamping: UInt64(facts.f_bavail) &* UInt64(facts.f_frsize))
    }

    /// A file opened for reading, or `nil` where there is none, or a link. Does not block on a pipe.
    func open(_ name: String) throws(SystemError) -> OpenFile? {
        let file = openat(descriptor, name, Self.reading)
        if file >= 0 { return OpenFile(descriptor: file) }
        let error = SystemError.last
        if error.isMissing || error.isLink { return nil }
        throw error
    }

    /// The same if no disk has to be asked, and then at once.
    ///
    /// - Throws: any error where it does not work this way: then `open` has to be asked.
    func openCached(_ name: String) throws(SystemError) -> OpenFile? {
        let file = easel_open_cached(descriptor, name, Self.reading)
        if file >= 0 { return OpenFile(descriptor: file) }
        let error = SystemError.last
        if error.isMissing { return nil }
        throw error
    }

    /// A new file, open for writing.
    ///
    /// - Throws: an error that `isTaken` where there is one of this name.
    func create(_ name: String) throws(SystemError) -> OpenFile {
        let file = openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .last }
        return OpenFile(descriptor: file)
    }

    /// Whether `createUnnamed` is worth trying, as far as is known.
    var namesLater: Bool { canNameLater.load(ordering: .relaxed) }

    /// A new file that has no name as yet and is gone when it is closed before it gets one; `nil` where there is no such thing.
    func createUnnamed() -> OpenFile? {
        guard namesLater else { return nil }
        let file = easel_create_unnamed(descriptor)
        // Whatever the reason, the ordinary way tells it better.
        return file >= 0 ? OpenFile(descriptor: file) : nil
    }

    /// Gives a file of `createUnnamed` a name. Returns `false`, and does nothing, where another has it.
    ///
    /// Where that proves to be impossible here, `createUnnamed` makes none from then on.
    func name(_ file: borrowing OpenFile, _ name: String) throws(SystemError) -> Bool {
        do throws(SystemError) {
            try file.take(name, in: descriptor)
            return true
        } catch {
            if error.isTaken { return false }
            // The system knows no such call, or forbids it, by many numbers.
            if !error.isMissing, !error.isFull { canNameLater.store(false, ordering: .relaxed) }
            throw error
        }
    }

    /// Gives a file another name, in place of the file that has it, so that no reader ever sees a part of either.
    func rename(_ name: String, to new: String) throws(SystemError) {
        guard easel_rename_at(descriptor, name, new) == 0 else { throw .last }
    }

    /// Gives a file a name that no other has. Returns `false`, and does nothing, where one has it, or where the system has no such
    /// call or forbids it.
    func rename(_ name: String, toNew new: String) throws(SystemError) -> Bool {
        if easel_rename_new_at(descriptor, name, new) == 0 { return true }
        let error = SystemError.last
        // The ordinary way tells any other reason better.
        if error.isMissing { throw error }
        return false
    }

    /// Moves a file into another folder of the same file system, in place of the file that has its name there.
    func move(_ name: String, to folder: Folder) throws(SystemError) {
        guard renameat(descriptor, name, folder.descriptor, name) == 0 else { throw .last }
    }

    /// What the system tells of a file, or `nil` where there is none.
    func facts(of name: String) -> FileFacts? {
        var status = stat()
        guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        return FileFacts(status)
    }

    /// The same if no disk has to be asked, and then at once.
    ///
    /// - Throws: any error where it does not work this way: then `facts` has to be asked.
    func factsCached(of name: String) throws(SystemError) -> FileFacts? {
        var status = stat()
        if easel_stat_cached(descriptor, name, &status) == 0 { return FileFacts(status) }
        let error = SystemError.last
        if error.isMissing { return nil }
        throw error
    }

    /// Whether there is nothing at a path, as far as that can be told without asking a disk, and then at once.
    static func isKnownMissing(_ path: String) -> Bool {
        var status = stat()
        return easel_stat_cached(AT_FDCWD, path, &status) != 0 && SystemError.last.isMissing
    }

    /// Has a descriptor of `easel_changes_open` tell the names that come. Returns the folder's number there, or -1.
    func watchNames(_ changes: Int32) -> Int32 { easel_names_watch(changes, descriptor) }

    /// Removes a file. Returns whether there was one.
    @discardableResult
    func remove(_ name: String) throws(SystemError) -> Bool {
        if unlinkat(descriptor, name, 0) == 0 { return true }
        let error = SystemError.last
        if error.isMissing { return false }
        throw error
    }

    /// Sets the time of last access, in seconds since 1970, and leaves the rest.
    ///
    /// - Parameter orModified: whether the time of modification is set too where the file system does not keep that of an access.
    func touch(_ name: String, accessed seconds: Double, orModified: Bool = false) {
        let whole = seconds.rounded(.down)
        let nanoseconds = Int((seconds - whole) * 1e9)
        easel_touch_at(descriptor, name, Int(whole), nanoseconds, false)
        // FAT keeps the day, and some of its drivers nothing.
        if orModified, let facts = facts(of: name), facts.hasDayOfAccess || facts.accessed < seconds - 2 {
            easel_touch_at(descriptor, name, Int(whole), nanoseconds, true)
        }
    }

    /// The names of everything in the folder, in no order.
    func names() throws(SystemError) -> [String] {
        // A stream owns and moves its descriptor, so it gets one of its own.
        let own = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard own >= 0 else { throw .last }
        guard let stream = fdopendir(own) else {
            defer { close(own) }
            throw .last
        }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else { break }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        // Else a part would pass for the whole.
        guard errno == 0 else { throw .last }
        return names
    }

    private static let reading = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK

    /// Makes the folder that a path lies in, with its parents.
    static func makeParent(of path: String) throws(SystemError) {
        guard let slash = path.dropLast().lastIndex(of: "/"), slash != path.startIndex else { return }
        try makeFolder(String(path[..<slash]))
    }

    private static func makeFolder(_ path: String) throws(SystemError) {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        let error = SystemError.last
        guard error.isMissing, let slash = path.dropLast().lastIndex(of: "/"), slash != path.startIndex else {
            throw error
        }
        try makeFolder(String(path[..<slash]))
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .last }
    }
}

/// The bytes of a file, whole; one byte more than `limit` where it is longer. Blocks.
func readFile(_ path: String, limit: Int) throws(SystemError) -> Data {
    let descriptor = systemOpen(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last }
    let file = OpenFile(descriptor: descriptor)
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .last }
    guard status.st_mode & S_IFMT != S_IFDIR else { throw SystemError(number: EISDIR) }
    return try file.read(expected: Int(status.st_size), limit: limit)
}
