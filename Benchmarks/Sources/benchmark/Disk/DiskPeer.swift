import Foundation

/// A cache to compare with. Each is written for this benchmark, after the design that it is named for.
protocol DiskPeer: AnyObject, Sendable {
    static var name: String { get }

    /// Creates a cache in an existing folder.
    init(folder: String) throws

    func store(_ data: Data, for key: String) throws
    func data(for key: String) throws -> Data?
    func contains(_ key: String) throws -> Bool

    /// Returns when all stores are on disk.
    func flush() throws

    /// Returns the bytes of all entries.
    func totalSize() throws -> Int

    /// Removes the least recently used entries until half of the bytes remain.
    func trimToHalf() throws

    /// Stores the same bytes for all missing keys, as fast as possible. Not measured.
    func fill(_ keys: [String], with data: Data) throws
}

/// Writes a file if it is missing.
func fill(_ file: URL, with data: Data) throws {
    if access(file.path, F_OK) != 0 { try data.write(to: file) }
}
