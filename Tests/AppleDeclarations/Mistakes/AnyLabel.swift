// incorrect argument label in call (have 'from:', expected 'with:')
import EaselApple
import Foundation

@MainActor func mistake(_ view: PlatformView, _ url: URL) {
    view.easel.setImage(from: url)
}
