import EaselFoundation

/// Where a disk cache's entries are: its folder, opened once and looked after, and the folders that it only reads.
struct DiskLocation {
    let path: String
    let settings: DiskCache.Configuration
    var now: @Sendable () -> ContinuousClock.Instant = { .now }
    private var entries: DiskEntries?
    private var lastCheck: ContinuousClock.Instant?
    private var readOnly: [DiskEntries]?
    private var isMigrated = false
    private var isTagged = false

    /// A folder that was moved away is noticed by readers after this time at the latest; by writers at once.
    private static let checkInterval = Duration.seconds(1)

    init(path: String, settings: DiskCache.Configuration) {
        self.path = path
        self.settings = settings
    }

    /// The open folder, if it was looked at a short while ago. Asks no disk.
    func opened() -> DiskEntries? {
        guard let lastCheck, now() - lastCheck < Self.checkInterval else { return nil }
        return entries
    }

    /// Whether there is no folder, as far as that can be told without asking a disk.
    var isKnownMissing: Bool { isMigrated && entries == nil && Folder.isKnownMissing(path) }

    /// The open folder; `isAnother` tells that it is not the one of the last call.
    ///
    /// - Throws: an error that `isMissing` where there is none and it shall not be made.
    mutating func open(creating: Bool) throws(SystemError) -> (entries: DiskEntries, isAnother: Bool) {
        migrate()
        if !creating, let entries = opened() { return (entries, false) }
        lastCheck = now()
        if let entries, entries.folder.isInPlace {
            if creating { tag(entries.folder) }
            return (entries, false)
        }
        entries = nil
        isTagged = false
        let opened = DiskEntries(folder: try Folder(path: path, creating: creating), settings: settings)
        if creating { tag(opened.folder) }
        entries = opened
        return (opened, true)
    }

    /// With the first store: a folder that is only read, or was made by others, is not ours to mark.
    private mutating func tag(_ folder: Folder) {
        guard !isTagged else { return }
        isTagged = true
        CacheTag.write(in: folder)
    }

    /// The folders that are only read (S184). One that is missing now may come later.
    mutating func readOnlyFolders() -> [DiskEntries] {
        if let readOnly { return readOnly }
        let folders = settings.readOnlyFolders.compactMap { path in
            (try? Folder(path: path, creating: false)).map {
                DiskEntries(folder: $0, settings: settings.forReadingOnly)
            }
        }
        if folders.count == settings.readOnlyFolders.count { readOnly = folders }
        return folders
    }

    private mutating func migrate() {
        guard !isMigrated else { return }
        isMigrated = true
        settings.migrate?(path)
    }
}

extension DiskCache.Configuration {
    /// Nothing in a folder of others is ever too old.
    fileprivate var forReadingOnly: Self {
        var settings = self
        settings.maximumAge = .seconds(-1)
        settings.encryption = nil
        settings.asksForEachName = true
        return settings
    }
}

/// `CACHEDIR.TAG`, which tells programs that make backups that a folder can be left out (bford.info/cachedir).
enum CacheTag {
    static let name = "CACHEDIR.TAG"
    private static let text = """
        Signature: 8a477f597d28d172789f06886806bc55
        # This file marks a folder of cached files, which may be removed at any time.

        """

    /// Leaves one that is there, and no half of one. A folder that cannot be written is its next user's to report.
    static func write(in folder: Folder) {
        guard folder.facts(of: name) == nil, var new = try? NewFile(in: folder, isNamed: true),
            (try? new.file.append(Data(text.utf8))) != nil
        else { return }
        try? new.take(name)
    }
}
