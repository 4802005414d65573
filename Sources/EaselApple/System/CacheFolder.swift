public import EaselCore
public import Foundation

/// Where a cache's files are on Apple's platforms, and what the system may do with them.
public struct CacheFolder: Sendable {
    /// The folder.
    public var path: String
    /// When the files can be read while the device is locked: as the application's own default says, unless this does.
    /// It holds for files that are stored from then on, as each takes over what its folder has.
    public var protection: FileProtectionType?
    /// Whether the folder stays out of iCloud's and Finder's backups. On by default: what is cached can be had again.
    public var isExcludedFromBackup = true

    /// The folder at this path.
    public init(path: String) {
        self.path = path
    }

    /// A folder of this name in the application's caches, which the system may empty while the application does not run.
    public static func caches(_ name: String = "easel") -> CacheFolder {
        let folder = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
        return CacheFolder(
            path: (folder ?? FileManager.default.temporaryDirectory).appendingPathComponent(name, isDirectory: true)
                .path)
    }

    #if canImport(UIKit) || canImport(AppKit)
    /// A folder in the container that an application shares with its extensions; `nil` where the application has no
    /// entitlement for the group. Several processes can use one cache at a time.
    public static func appGroup(_ identifier: String, _ name: String = "easel") -> CacheFolder? {
        guard let container = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: identifier)
        else { return nil }
        return CacheFolder(path: container.appendingPathComponent("Library/Caches/" + name, isDirectory: true).path)
    }
    #endif

    /// Makes the folder with what is said of it here. Blocks; a folder that cannot be made is the next store's to report.
    func prepare() {
        var attributes: [FileAttributeKey: Any] = [:]
        if let protection { attributes[.protectionKey] = protection }
        let manager = FileManager.default
        try? manager.createDirectory(atPath: path, withIntermediateDirectories: true, attributes: attributes)
        // One that was there keeps the attributes that it had.
        if !attributes.isEmpty { try? manager.setAttributes(attributes, ofItemAtPath: path) }
        guard isExcludedFromBackup else { return }
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        var url = URL(fileURLWithPath: path, isDirectory: true)
        try? url.setResourceValues(values)
    }
}

extension ImageCache {
    /// A cache in this folder, which is made with what is said of it before the first file is stored or read.
    public convenience init(_ folder: CacheFolder, _ configure: (inout Configuration) -> Void = { _ in }) {
        self.init(folder: folder.path) { configuration in
            configure(&configuration)
            let migrate = configuration.disk.migrate
            configuration.disk.migrate = { path in
                folder.prepare()
                migrate?(path)
            }
        }
    }
}
