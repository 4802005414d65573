import Foundation
import GRDB

/// Entries as blobs of an SQLite database, over GRDB: a write-ahead log, no wait for the disk, cached statements.
final class BlobDatabase: DiskPeer {
    static let name = "SQLite blobs"

    private let database: DatabasePool

    init(folder: String) throws {
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = NORMAL") }
        database = try DatabasePool(path: folder + "/cache.sqlite", configuration: configuration)
        try database.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE IF NOT EXISTS entry (
                        key TEXT PRIMARY KEY NOT NULL, used REAL NOT NULL, size INTEGER NOT NULL, data BLOB NOT NULL);
                    CREATE INDEX IF NOT EXISTS use ON entry (used, size);
                    """)
        }
    }

    func store(_ data: Data, for key: String) throws {
        try database.write { try Self.insert("REPLACE", data, for: key, in: $0) }
    }

    private static func insert(
        _ onConflict: String, _ data: Data, for key: String, in database: Database
    ) throws {
        try database.cachedStatement(sql: "INSERT OR \(onConflict) INTO entry VALUES (?, ?, ?, ?)")
            .execute(arguments: [key, Date().timeIntervalSinceReferenceDate, data.count, data])
    }

    func data(for key: String) throws -> Data? {
        try database.read { database in
            try Data.fetchOne(
                database.cachedStatement(sql: "SELECT data FROM entry WHERE key = ?"), arguments: [key])
        }
    }

    func contains(_ key: String) throws -> Bool {
        try database.read { database in
            try Int.fetchOne(database.cachedStatement(sql: "SELECT 1 FROM entry WHERE key = ?"), arguments: [key])
                != nil
        }
    }

    func flush() {}

    func totalSize() throws -> Int {
        try database.read { try Int.fetchOne($0, sql: "SELECT sum(size) FROM entry") ?? 0 }
    }

    func trimToHalf() throws {
        try database.write { database in
            try database.execute(
                sql: """
                    DELETE FROM entry WHERE rowid IN (
                        SELECT rowid FROM entry ORDER BY used LIMIT (SELECT count(*) / 2 FROM entry))
                    """)
        }
    }

    func fill(_ keys: [String], with data: Data) throws {
        try database.write { database in
            for key in keys { try Self.insert("IGNORE", data, for: key, in: database) }
        }
    }
}
