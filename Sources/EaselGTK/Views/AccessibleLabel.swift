#if GTK
import CGTK
import Foundation

/// The description of an image for assistive technology: the application's text or the name of the file.
struct AccessibleLabel {
    /// The application's text.
    var text: String?
    /// The last text that was set.
    private(set) var told: String?

    /// Returns the words in the file name of `url`, or `nil` if it has no letters.
    ///
    /// Parsed without `URL`, which takes several times as long, because this runs for each cell while scrolling.
    static func words(of url: URL?) -> String? {
        guard var text = url?.absoluteString else { return nil }
        return text.withUTF8 { bytes in
            guard !bytes.starts(with: "data:".utf8) else { return nil }
            let name = fileName(in: bytes)
            // Most images of a feed have numeric names.
            guard name.contains(where: mayBeOfLetter) else { return nil }
            var words = name.split { "-_+. ".utf8.contains($0) }.map { String(decoding: $0, as: UTF8.self) }
                .joined(separator: " ")
            if words.utf8.contains(UInt8(ascii: "%")) { words = words.removingPercentEncoding ?? words }
            return words.contains { $0.isLetter } ? words : nil
        }
    }

    /// Returns the last component of the path without its extension.
    private static func fileName(in url: UnsafeBufferPointer<UInt8>) -> Slice<UnsafeBufferPointer<UInt8>> {
        let path = url.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        let start = path.lastIndex(of: UInt8(ascii: "/")).map(path.index(after:)) ?? path.startIndex
        let name = path[start...]
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else { return name }
        return name[..<dot]
    }

    /// Returns whether the byte may belong to a letter: ASCII, percent-encoded or UTF-8.
    private static func mayBeOfLetter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "%"), 0x80...:
            true
        default: false
        }
    }

    /// Sets the description of a widget that shows the image at `url`.
    @MainActor
    mutating func tell(_ url: URL?, of widget: UnsafeMutablePointer<GtkWidget>) {
        let label = text ?? Self.words(of: url)
        guard label != told else { return }
        told = label
        if widget.isA(gtk_picture_get_type()) {
            gtk_picture_set_alternative_text(OpaquePointer(widget), label)
        } else if let label {
            easel_set_accessible_label(widget, label)
        }
    }
}
#endif
