import EaselGTK
import Foundation

/// The application: prepares the images, shows the window, and quits with it.
@MainActor
final class Gallery {
    let loop = g_main_loop_new(nil, 0)
    private let arguments: GalleryArguments
    private var window: GalleryWindow?

    init(_ arguments: GalleryArguments) { self.arguments = arguments }

    func begin() {
        g_set_application_name("Easel Gallery")
        Style.preferDark()
        Style.add(Self.styleSheet)
        Task {
            do {
                let urls = arguments.urls.isEmpty ? try await EmbeddedOrigin.start() : arguments.urls
                show(urls)
            } catch {
                print("Cannot start the gallery's server. \(error)")
                exit(1)
            }
        }
    }

    private func show(_ urls: [URL]) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "easel-gallery")
        // The gallery's own images change between runs.
        if arguments.urls.isEmpty { try? FileManager.default.removeItem(at: folder) }
        let window = GalleryWindow(GalleryLibrary(urls, folder: folder.path))
        self.window = window
        connect(window.window, "destroy") { [loop] in g_main_loop_quit(loop) }
        gtk_window_present(window.window.window)
        guard let shots = arguments.shots else { return }
        Task {
            do { try await ScreenshotTour(window, folder: shots).run() } catch {
                print(error)
                exit(1)
            }
            g_main_loop_quit(loop)
        }
    }

    private static let styleSheet = """
        .gallery-grid { background: #17171b; padding: 6px; }
        .gallery-grid > child { padding: 4px; border-radius: 10px; background: none; }
        .gallery-grid > child:selected { background: rgba(120, 170, 255, 0.35); }
        .gallery-cell { border-radius: 8px; }
        .badge { background: rgba(0, 0, 0, 0.55); color: white; border-radius: 9px; padding: 1px 7px; font-size: 11px;
          margin: 6px; }
        .panel { background: #1f1f25; padding: 16px; }
        .panel-title { font-weight: bold; font-size: 15px; margin-top: 10px; }
        .fact { font-size: 13px; opacity: 0.7; }
        .value { font-size: 13px; font-feature-settings: "tnum"; }
        .detail { background: #0e0e11; }
        .bar { background: #5b8def; border-radius: 3px; min-height: 8px; }
        .bar.memory, .tally.memory { background: #4cb782; }
        .bar.disk, .tally.disk { background: #e0a63a; }
        .bar.network, .tally.network { background: #5b8def; }
        .tally { border-radius: 4px; min-height: 8px; }
        .cut:checked { background: #b3392c; color: white; }
        .empty { font-size: 17px; opacity: 0.6; }
        """
}
