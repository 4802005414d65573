#if GTK
import CGTK
import Foundation

/// The description of an image for assistive technology: the application's text or the name of the file.
struct AccessibleLabel {
    var text: String?
    private(set) var current: String?

    /// Returns the words in the file name of `url`, or `nil` if it has no letters.
    static func words(of url: URL?) -> String? {
        guard let url, url.scheme != "data" else { return nil }
        let words = url.deletingPathExtension().lastPathComponent.split { "-_+. ".contains($0) }.joined(separator: " ")
        return words.contains(where: \.isLetter) ? words : nil
    }

    /// Sets the description of a widget that shows the image at `url`.
    @MainActor
    mutating func update(_ url: URL?, of widget: UnsafeMutablePointer<GtkWidget>) {
        let label = text ?? Self.words(of: url)
        guard label != current else { return }
        current = label
        if widget.isA(gtk_picture_get_type()) {
            gtk_picture_set_alternative_text(OpaquePointer(widget), label)
        } else {
            easel_set_accessible_label(widget, label)
        }
    }
}
#endif
