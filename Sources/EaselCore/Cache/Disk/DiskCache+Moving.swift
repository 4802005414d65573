#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Taking over what another version or another program has left.
extension DiskCache {
    /// Moves a folder of entries to where they shall be from now on (X077, X109). Meant for `Configuration.migrate`.
    ///
    /// A destination that is missing becomes the folder itself, in one step. Into one that is there, files are moved one by
    /// one; those whose names are taken stay behind, and with them the folder. SDWebImage's and Easel's files have the
    /// same names. Nothing happens where `source` is no folder, or both are the same. Blocks: call it from a thread that may.
    ///
    /// - Throws: `ImageError.unwritable` where something cannot be moved, to another file system say.
    public static func moveEntries(from source: String, to destination: String) throws(ImageError) {
        guard let from = try? Folder(path: source, creating: false) else { return }
        do throws(SystemError) {
            guard let to = try? Folder(path: destination, creating: false) else {
                try Folder.makeParent(of: destination)
                guard systemRename(source, destination) == 0 else { throw .last }
                return
            }
            guard !from.isSame(as: to) else { return }
            for name in try from.names() where from.facts(of: name)?.isFile == true && to.facts(of: name) == nil {
                try from.move(name, to: to)
            }
        } catch {
            throw .unwritable(path: destination, reason: error.reason)
        }
        // Refused, rightly, while anything is left.
        rmdir(source)
    }
}
