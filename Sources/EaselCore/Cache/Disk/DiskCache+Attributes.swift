extension DiskCache {
    /// Returns whether the file system of a folder has extended attributes. The folder need not exist. Blocks.
    package static func supportsAttributes(_ folder: String) -> Bool {
        var path = folder
        while true {
            if let file = try? OpenFile(path: path, blocks: false) {
                do throws(SystemError) {
                    _ = try file.attribute("user.easel")
                    return true
                } catch {
                    return !error.isUnsupported
                }
            }
            guard let slash = path.lastIndex(of: "/"), path.count > 1 else { return false }
            path = slash == path.startIndex ? "/" : String(path[..<slash])
        }
    }
}
