#if GTK
import CGTK
import Foundation

/// What is said of a picture to who cannot see it: what the application says, else the name of its file.
struct AccessibleLabel {
    /// The application's word.
    var text: String?
    /// What was said last.
    private(set) var told: String?

    /// The words for a picture from `url`, where it has any: a name of letters, not of numbers and signs.
    ///
    /// By hand, because this is done for each cell that scrolls by, and `URL` takes several times as long.
    static func words(of url: URL?) -> String? {
        guard let url else { return nil }
        let text = url.absoluteString.utf8
        guard !text.starts(with: "data:".utf8) else { return nil }
        let path = text.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        let start = path.lastIndex(of: UInt8(ascii: "/")).map(path.index(after:)) ?? path.startIndex
        var name = path[start...]
        if let dot = name.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex { name = name[..<dot] }
        var words = name.split { "-_+. ".utf8.contains($0) }.map { String(Substring($0)) }.joined(separator: " ")
        if words.utf8.contains(UInt8(ascii: "%")) { words = words.removingPercentEncoding ?? words }
        return words.contains { $0.isLetter } ? words : nil
    }

    /// Tells it of a widget that shows the picture at `url`.
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
