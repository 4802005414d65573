import Foundation

/// A cache of files, or of what stands for them, to measure against. Each is built for this, after the design it is named
/// for; none is anybody's code.
protocol DiskPeer: AnyObject, Sendable {
    static var name: String { get }

    /// A cache in a folder that is there.
    init(folder: String) throws

    func store(_ data: Data, for key: String) throws
    func data(for key: String) throws -> Data?
    func exists(_ key: String) throws -> Bool

    /// Returns when what was stored is on disk.
    func flush() throws

    /// The bytes of all entries.
    func totalSize() throws -> Int

    /// Removes the least recently used entries until half of what is there is left.
    func trimToHalf() throws

    /// Stores the same bytes for those of the keys that are missing, as fast as can be: what is measured is what comes after.
    func fill(_ keys: [String], with data: Data) throws
}

/// Writes a file that is missing.
func fill(_ file: URL, with data: Data) throws {
    if access(file.path, F_OK) != 0 { try data.write(to: file) }
}
