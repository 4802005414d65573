#if GTK
import EaselCore
@MainActor
final class Playback {
    var isAutomatic = true
    init(_ painting: Painting) {}
    func play(_ image: DecodedImage?) {}
    func play(_ images: [DecodedImage]) {}
    func stop() {}
    func setVisible(_ isVisible: Bool) {}
}
#endif
