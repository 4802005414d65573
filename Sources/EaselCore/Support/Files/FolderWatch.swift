import CEaselSystem
import Synchronization

/// What is known of the names in an open folder, whoever in whatever process makes them. No call blocks.
final class FolderWatch: Sendable {
    let feed: NameFeed
    private let number: Int32

    /// `nil` where the system does not tell all names that come, or has no room for another folder.
    init?(_ folder: Folder, feed: NameFeed = .shared) {
        guard let number = feed.begin(folder) else { return nil }
        self.feed = feed
        self.number = number
    }

    deinit { feed.end(number) }

    /// Whether an entry is not there, as of now; `false` where nobody knows.
    func isMissing(_ key: CacheKey) -> Bool {
        feed.change(number) { $0.isMissing(key.digest.high) }
    }

    /// A listing begins, for the caller to make; `nil` where none is needed.
    func beginListing() -> FolderNames.Listing? {
        feed.change(number) { $0.beginListing() }
    }

    /// A listing ends with these names; with `nil` where it failed.
    func end(_ listing: FolderNames.Listing, _ names: [String]?) {
        let digests = names.map(FolderNames.digests)
        feed.change(number) { $0.end(listing, digests) }
    }
}

/// What the system tells of the names that come into folders. One for the process: a user may have no more than a hundred or so.
final class NameFeed: Sendable {
    static let shared = NameFeed()

    private struct Watched {
        var names = FolderNames()
        /// Those who share it: the same folder may be open more than once.
        var watchCount = 0
    }

    /// -1 where the system has no such thing.
    private let descriptor = easel_changes_open()
    /// Held also while news are read: whoever looks next has to find all that were told before.
    private let folders = Mutex<[Int32: Watched]>([:])

    fileprivate func begin(_ folder: Folder) -> Int32? {
        guard descriptor >= 0 else { return nil }
        return folders.withLock { folders in
            let number = folder.watchNames(descriptor)
            guard number >= 0 else { return nil }
            folders[number, default: Watched()].watchCount += 1
            return number
        }
    }

    fileprivate func end(_ number: Int32) {
        folders.withLock { folders in
            folders[number]?.watchCount -= 1
            guard folders[number]?.watchCount == 0 else { return }
            folders[number] = nil
            easel_names_unwatch(descriptor, number)
        }
    }

    /// What is known of a folder after all news.
    fileprivate func change<Value: Sendable>(_ number: Int32, _ body: (inout FolderNames) -> Value) -> Value {
        folders.withLock { folders in
            read(&folders)
            return body(&folders[number, default: Watched()].names)
        }
    }

    private func read(_ folders: inout [Int32: Watched]) {
        let result = withUnsafeMutablePointer(to: &folders) { folders in
            easel_names_read(
                descriptor,
                { folders, number, name in
                    guard let folders = folders?.assumingMemoryBound(to: [Int32: Watched].self) else { return }
                    NameFeed.tell(&folders.pointee, number, name)
                }, folders)
        }
        if result != 0 { for number in folders.keys { folders[number]?.names.close() } }
    }

    private static func tell(_ folders: inout [Int32: Watched], _ number: Int32, _ name: UnsafePointer<CChar>?) {
        if let name {
            folders[number]?.names.appeared(NameBytes(name))
        } else if number >= 0 {
            folders[number]?.names.close()
        } else {
            for number in folders.keys { folders[number]?.names.forget() }
        }
    }
}

/// The bytes of a C string, without its end.
private struct NameBytes: Sequence, IteratorProtocol {
    private var rest: UnsafePointer<CChar>

    init(_ text: UnsafePointer<CChar>) {
        rest = text
    }

    mutating func next() -> UInt8? {
        guard rest.pointee != 0 else { return nil }
        defer { rest += 1 }
        return UInt8(bitPattern: rest.pointee)
    }
}
