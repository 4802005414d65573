import EaselFoundation

/// The open folder of a disk cache, and its read-only folders.
struct DiskLocation {
    let path: String
    let settings: DiskCache.Configuration
    var now: @Sendable () -> ContinuousClock.Instant = { .now }
    private var entries: DiskEntries?
    private var lastCheck: ContinuousClock.Instant?
    private var readOnly: [DiskEntries]?
    private var isMigrated = false
    private var isTagged = false

    /// The time between checks by readers that the folder still exists. Writers always check.
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

    /// Opens the folder. `isAnother` is true if the path is a different folder than in the last call.
    ///
    /// - Throws: An error with `isMissing` if the folder does not exist and `creating` is false.
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

    /// Returns the open read-only folders. Missing ones are tried again in the next call. Nothing in them expires.
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

    /// Writes `CACHEDIR.TAG` before the first store. Reads do not write it.
    private mutating func tag(_ folder: Folder) {
        guard !isTagged else { return }
        isTagged = true
        CacheTag.write(in: folder)
    }
}

/// The file `CACHEDIR.TAG`, which marks a folder that backup programs can skip (bford.info/cachedir).
enum CacheTag {
    static let name = "CACHEDIR.TAG"
    private static let text = """
        Signature: 8a477f597d28d172789f06886806bc55
        # This file marks a folder of cached files, which may be removed at any time.

        """

    /// Writes the tag if there is none. Errors are ignored: the store that follows reports them.
    static func write(in folder: Folder) {
        guard folder.facts(of: name) == nil, var new = try? NewFile(in: folder),
            (try? new.append(Data(text.utf8))) != nil
        else { return }
        try? new.publish(as: name)
    }
}
