import ArgumentParser
import EaselCore
import Foundation

/// Where the cache on disk is.
struct CacheLocation: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Keep the cache in this folder. Default: $EASEL_CACHE_DIR, else easel in the user's folder for caches.",
            valueName: "folder"))
    var cache: String?

    /// The folder, also where the user has named none. An empty variable counts as none.
    func folder(
        environment: [String: String] = ProcessInfo.processInfo.environment,
        usual: String = ImageCache.defaultFolder
    ) -> String {
        if let cache { return cache }
        let named = environment["EASEL_CACHE_DIR", default: ""]
        return named.isEmpty ? usual : named
    }

    func validate() throws {
        if cache?.isEmpty == true { throw ValidationError("--cache has to name a folder.") }
    }
}
