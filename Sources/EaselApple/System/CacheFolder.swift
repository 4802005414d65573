public import EaselCore
public import Foundation

/// The folder of a cache on Apple platforms, with its file attributes.
public struct CacheFolder: Sendable {
    /// The path of the folder.
    public var path: String
    /// The file protection, or `nil` for the application's default. Applies to files stored afterwards, which inherit
    /// it from the folder.
    public var protection: FileProtectionType?
    /// Whether the folder is excluded from iCloud and Finder backups. On by default, because cached files can be loaded
    /// again.
    public var isExcludedFromBackup = true

    /// Creates a folder value for a path.
    public init(path: String) { self.path = path }

    /// Returns a folder in the application's caches, which the system may empty while the application is not running.
    public static func caches(_ name: String = "easel") -> CacheFolder {
        let folder = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
        return CacheFolder(
            path: (folder ?? FileManager.default.temporaryDirectory).appendingPathComponent(name, isDirectory: true)
                .path)
    }

    #if canImport(UIKit) || canImport(AppKit)
    /// Returns a folder in the container that an application shares with its extensions, or `nil` without an
    /// entitlement for the group. Several processes can use one cache concurrently.
    public static func appGroup(_ identifier: String, _ name: String = "easel") -> CacheFolder? {
        guard let container = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: identifier)
        else { return nil }
        return CacheFolder(path: container.appendingPathComponent("Library/Caches/" + name, isDirectory: true).path)
    }
    #endif

    /// Creates the folder with its attributes. Blocks. Errors are ignored here, because the next store reports them.
    func prepare() {
        var attributes: [FileAttributeKey: Any] = [:]
        if let protection { attributes[.protectionKey] = protection }
        let manager = FileManager.default
        try? manager.createDirectory(atPath: path, withIntermediateDirectories: true, attributes: attributes)
        // An existing folder keeps its attributes otherwise.
        if !attributes.isEmpty { try? manager.setAttributes(attributes, ofItemAtPath: path) }
        guard isExcludedFromBackup else { return }
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        var url = URL(fileURLWithPath: path, isDirectory: true)
        try? url.setResourceValues(values)
    }
}

extension ImageCache {
    /// Creates a cache in this folder. The folder is created before the first access.
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
