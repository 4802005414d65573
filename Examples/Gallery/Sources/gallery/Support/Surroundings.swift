import EaselGTK
import Foundation

/// What is arranged before GTK starts.
enum Surroundings {
    /// GTK loads OpenGL's libraries also where it draws with Cairo: a tenth of a second, and 18 MB.
    static func leaveOutUnusedGraphics() {
        guard ProcessInfo.processInfo.environment["GSK_RENDERER"] == "cairo" else { return }
        if gtk_get_minor_version() < 14 { setenv("GDK_DEBUG", "gl-disable", 0) } else { setenv("GDK_DISABLE", "gl", 0) }
    }
}
