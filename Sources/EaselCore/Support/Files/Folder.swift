import CEaselSystem
import EaselFoundation

/// An open folder, and operations on the files in it. All calls except `openCached` block.
///
/// Names are resolved against the descriptor, so that changes of the path have no effect. Links are not followed.
final class Folder: Sendable {
    let path: String
    private let descriptor: Int32
    private let device: dev_t
    private let number: ino_t

    /// Opens the folder at `path`. With `creating`, creates it and its parents if they are missing.
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
        device = status.st_dev
        number = status.st_ino
    }

    deinit { close(descriptor) }

    /// Whether the path still refers to this folder. A folder that was removed or moved still accepts files.
    var isInPlace: Bool {
        var current = stat()
        return stat(path, &current) == 0 && current.st_dev == device && current.st_ino == number
    }

    /// Returns whether both are the same folder.
    func isSame(as other: Folder) -> Bool { other.device == device && other.number == number }

    /// The number of bytes that this user may still write on the file system, if known.
    var freeBytes: Int? {
        var facts = statvfs()
        guard fstatvfs(descriptor, &facts) == 0 else { return nil }
        return Int(clamping: UInt64(facts.f_bavail) &* UInt64(facts.f_frsize))
    }

    // MARK: - Files

    /// Opens a file for reading. Returns `nil` if there is none, or a link. Does not block on a pipe.
    func open(_ name: String) throws(SystemError) -> OpenFile? {
        let file = openat(descriptor, name, Self.reading)
        if file >= 0 { return OpenFile(descriptor: file) }
        let error = SystemError.last
        if error.isMissing || error.isLink { return nil }
        throw error
    }

    /// Opens a file for reading without waiting for a disk.
    ///
    /// - Throws: An error if that is not possible: then call `open`.
    func openCached(_ name: String) throws(SystemError) -> OpenFile? {
        let file = easel_open_cached(descriptor, name, Self.reading)
        if file >= 0 { return OpenFile(descriptor: file) }
        let error = SystemError.last
        if error.isMissing { return nil }
        throw error
    }

    private static let reading = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK

    /// Creates a file, open for writing. No file may have this name.
    func create(_ name: String) throws(SystemError) -> OpenFile {
        let file = openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .last }
        return OpenFile(descriptor: file)
    }

    /// Renames a file in one step, and replaces the file that has the new name.
    func rename(_ name: String, to new: String) throws(SystemError) {
        guard renameat(descriptor, name, descriptor, new) == 0 else { throw .last }
    }

    /// Moves a file into another folder of the same file system, and replaces the file that has its name there.
    func move(_ name: String, to folder: Folder) throws(SystemError) {
        guard renameat(descriptor, name, folder.descriptor, name) == 0 else { throw .last }
    }

    /// Returns the facts about a file, or `nil` if there is none.
    func facts(of name: String) -> FileFacts? {
        var status = stat()
        guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        return FileFacts(status)
    }

    /// Removes a file. Returns whether there was one.
    @discardableResult
    func remove(_ name: String) throws(SystemError) -> Bool {
        if unlinkat(descriptor, name, 0) == 0 { return true }
        let error = SystemError.last
        if error.isMissing { return false }
        throw error
    }

    /// Removes a file that no process has locked. Without locks in the file system, removes only one that is a day old.
    func removeIfUnlocked(_ name: String) {
        guard let file = try? open(name), let facts = try? file.facts(), facts.isFile else { return }
        // A hard link has the modification time of its file, but its creation is a change.
        let isOld = Date().timeIntervalSince1970 - facts.changed >= 86_400
        if file.lock(exclusively: true) ?? isOld { _ = try? remove(name) }
    }

    /// Sets the time of the last access, in seconds since 1970.
    ///
    /// - Parameter orModified: Whether to set the time of modification instead if the file system stores no access
    ///   times.
    func touch(_ name: String, accessed seconds: Double, orModified: Bool = false) {
        let whole = seconds.rounded(.down)
        let nanoseconds = Int((seconds - whole) * 1e9)
        easel_touch_at(descriptor, name, Int(whole), nanoseconds, false)
        // FAT stores the day, and some of its drivers nothing.
        if orModified, let facts = facts(of: name), facts.hasDayOfAccess || facts.accessed < seconds - 2 {
            easel_touch_at(descriptor, name, Int(whole), nanoseconds, true)
        }
    }

    /// Makes the folders in the path of a file that are missing.
    func makeFolders(of name: String) {
        for slash in name.indices where name[slash] == "/" { mkdirat(descriptor, String(name[..<slash]), 0o700) }
    }

    /// Waits until a file's name and the folders in it survive a loss of power, if the file system supports that.
    func synchronise(_ name: String) {
        for end in name.indices where name[end] == "/" { _ = try? open(String(name[..<end]))?.synchronise() }
        _ = try? open(".")?.synchronise()
    }

    /// Gives a file another name, which has to be free. Not all file systems support that.
    func link(_ name: String, as new: String) throws(SystemError) {
        guard linkat(descriptor, name, descriptor, new, 0) == 0 else { throw .last }
    }

    /// Removes a folder in this one if it is empty.
    func removeEmptyFolder(_ name: String) { unlinkat(descriptor, name, AT_REMOVEDIR) }

    /// Returns the names of everything in the folder, or in one of its folders.
    func names(in folder: String = ".") throws(SystemError) -> [String] {
        // A stream owns and moves its descriptor, so it needs another one.
        let own = openat(descriptor, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
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
        guard errno == 0 else { throw .last }
        return names
    }

    // MARK: - Paths

    /// Renames the folder at a path, and creates the parents of its new path.
    static func move(_ path: String, to new: String) throws(SystemError) {
        if let parent = parent(of: new) { try makeFolder(parent) }
        guard renameat(AT_FDCWD, path, AT_FDCWD, new) == 0 else { throw .last }
    }

    /// Removes the folder at a path if it is empty.
    static func removeEmpty(_ path: String) { rmdir(path) }

    private static func makeFolder(_ path: String) throws(SystemError) {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        let error = SystemError.last
        guard error.isMissing, let parent = parent(of: path) else { throw error }
        try makeFolder(parent)
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .last }
    }

    private static func parent(of path: String) -> String? {
        guard let slash = path.dropLast().lastIndex(of: "/"), slash != path.startIndex else { return nil }
        return String(path[..<slash])
    }
}

/// Reads a file, or one byte more than `limit`. Blocks.
func readFile(_ path: String, limit: Int) throws(SystemError) -> Data {
    let file = try OpenFile(path: path)
    return try file.read(expected: file.facts().byteCount, limit: limit)
}
