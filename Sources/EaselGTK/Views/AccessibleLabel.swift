#if GTK
import CGTK
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What is said of a picture to who cannot see it: what the application says, else the name of its file.
struct AccessibleLabel {
    /// The application's word.
    var text: String?
    /// What was said last.
    private(set) var told: String?

    /// The words for a picture from `url`, where it has any: a name of letters, not of numbers and signs.
    static func words(of url: URL?) -> String? {
        guard let url, url.scheme != "data" else { return nil }
        let name = url.deletingPathExtension().lastPathComponent
        let words = name.split { "-_+. ".contains($0) }.joined(separator: " ")
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
