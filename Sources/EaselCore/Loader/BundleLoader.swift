import EaselFoundation

/// Loads pictures that come with the application: `bundle:icons/plus.png` is the file `icons/plus.png` of its resources.
public struct BundleLoader: ImageLoading {
    private let folder: String

    /// A loader for the application's own resources: those of its bundle, or, where applications have none, the files
    /// beside its executable.
    public init() {
        self.init(folder: Self.mainFolder)
    }

    /// A loader for the files in `folder`, such as `Bundle.module.bundlePath`.
    public init(folder: String) {
        self.folder = folder
    }

    /// Takes `bundle:` URLs, whatever the case.
    public func canLoad(_ request: ImageRequest) -> Bool { request.url.scheme?.lowercased() == "bundle" }

    /// Reads the whole file.
    ///
    /// - Throws: `ImageError.invalidURL` for a name that leads out of the folder, `.unreadable`, `.tooLarge`.
    public func load(_ request: ImageRequest, _ context: LoadContext) async throws(ImageError) -> LoadedData {
        let names = Self.path(request.url).split(separator: "/")
        guard !names.isEmpty, !names.contains(".."), !names.contains("."), !names.contains(where: { $0.contains("\0") })
        else { throw .invalidURL("The bundle: URL names no resource.") }
        let path = folder + "/" + names.joined(separator: "/")
        return try await FileLoader.load(path: path, limit: request.limits.bytes, context)
    }

    /// What stands behind the scheme, with or without slashes, percent escapes undone.
    private static func path(_ url: URL) -> String {
        let text = url.absoluteString
        let rest = text[text.index(text.firstIndex(of: ":") ?? text.startIndex, offsetBy: 1)...]
        let name = rest.prefix { $0 != "?" && $0 != "#" }
        return DataURL.unescaped(name.utf8).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    private static var mainFolder: String {
        #if canImport(FoundationEssentials)
        let executable =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments
            .first ?? ""
        return executable.lastIndex(of: "/").map { String(executable[..<$0]) } ?? "."
        #else
        return Bundle.main.resourcePath ?? Bundle.main.bundlePath
        #endif
    }
}
