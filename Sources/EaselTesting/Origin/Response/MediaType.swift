import EaselCore

/// The content type of a file that is served.
enum MediaType {
    /// By the extension, as web servers do; an unknown one is a stream of bytes.
    static func ofFile(_ path: String) -> String {
        guard let name = path.split(separator: "/").last, let dot = name.lastIndex(of: ".") else { return unknown }
        let fileExtension = name[name.index(after: dot)...].lowercased()
        return special[fileExtension]
            ?? ImageFormat.known.first { $0.fileExtension == fileExtension }?.mediaType
            ?? unknown
    }

    private static let unknown = "application/octet-stream"

    /// What is no picture, and the second spellings of pictures.
    private static let special = [
        "html": "text/html; charset=utf-8", "txt": "text/plain; charset=utf-8", "json": "application/json",
        "svg": "image/svg+xml", "apng": "image/apng", "jpeg": "image/jpeg", "tiff": "image/tiff",
    ]
}
