import EaselFoundation

/// The folder of a disk cache, opened once, and the folders that the cache only reads.
struct DiskLocation {
    let path: String
    let settings: DiskCache.Configuration
    var now: @Sendable () -> ContinuousClock.Instant = { .now }
    private var entries: DiskEntries?
    private var lastCheck: ContinuousClock.Instant?
    private var readOnly: [DiskEntries]?
    private var isMigrated = false
    private var isTagged = false

    /// Readers notice a folder that was moved away after this time at the latest, writers at once.
    private static let checkInterval = Duration.seconds(1)

    init(path: String, settings: DiskCache.Configuration) {
        self.path = path
        self.settings = settings
    }

    /// The open folder, if it was checked within the last second. Does not block.
    func opened() -> DiskEntries? {
        guard let lastCheck, now() - lastCheck < Self.checkInterval else { return nil }
        return entries
    }

    /// Opens the folder. `isAnother` is true if it is not the one of the last call.
    ///
    /// - Throws: An error that `isMissing` if there is none and `creating` is false.
    mutating func open(creating: Bool) throws(SystemError) -> (entries: DiskEntries, isAnother: Bool) {
        if !isMigrated {
            isMigrated = true
            settings.migrate?(path)
        }
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

    /// The folders that are only read. One that is missing now may come later. Nothing in them is ever too old.
    mutating func readOnlyFolders() -> [DiskEntries] {
        if let readOnly { return readOnly }
        var settings = settings
        settings.maximumAge = .forever
        settings.encryption = nil
        let folders = settings.readOnlyFolders.compactMap { path in
            (try? Folder(path: path, creating: false)).map { DiskEntries(folder: $0, settings: settings) }
        }
        if folders.count == settings.readOnlyFolders.count { readOnly = folders }
        return folders
    }

    /// Marks the folder with the first store: one that is only read is not marked.
    private mutating func tag(_ folder: Folder) {
        guard !isTagged else { return }
        isTagged = true
        CacheTag.write(in: folder)
    }
}

/// `CACHEDIR.TAG`, which marks a folder that backup programs can leave out (bford.info/cachedir).
enum CacheTag {
    static let name = "CACHEDIR.TAG"
    private static let text = """
        Signature: 8a477f597d28d172789f06886806bc55
        # This file marks a folder of cached files, which may be removed at any time.

        """

    /// Writes the tag if there is none. An error is ignored: the next store in the folder reports it.
    static func write(in folder: Folder) {
        guard folder.facts(of: name) == nil, var new = try? NewFile(in: folder),
            (try? new.append(Data(text.utf8))) != nil
        else { return }
        try? new.publish(as: name)
    }
}
