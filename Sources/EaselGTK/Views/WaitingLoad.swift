#if GTK
import CGTK
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import EaselCore

/// When a widget's loads begin.
public enum LoadStart: Sendable, Hashable {
    /// When it is seen: a grid binds many more cells than it shows, and what is shown should not wait for them. What is in
    /// memory is shown in any case.
    case whenMapped
    /// At once, and with the priority of a prefetch as long as it is not seen.
    case whenSet
}

/// A load that begins when its widget is seen.
struct WaitingLoad {
    let url: URL
    let begin: @MainActor () -> Void
}

extension WidgetTarget {
    /// Begins a load now, or when the widget can be seen and has a size.
    ///
    /// - Parameter begin: begins it; called at most once, and not if the slot is set again before.
    func begin(
        _ request: ImageRequest, placeholder: Placeholder?, in slot: ImageSlot, _ options: TargetOptions,
        _ manager: ImageManager, setter: ImageSetter?, _ begin: @escaping @MainActor () -> Void
    ) {
        waiting[slot] = nil
        var sized = request
        if request.targetSize == .original, !options.contains(.originalSize) {
            sized.targetSize = targetSize(in: slot)
        }
        if mayBegin || manager.hasInMemory(sized) { return begin() }
        // The order of every load (S023 to S025), with a pause before the last of it.
        cancelImageLoad(in: slot)
        waiting[slot] = WaitingLoad(url: request.url, begin: begin)
        if !options.contains(.delayPlaceholder) {
            sized.placeholder = placeholder ?? request.placeholder
            let image = manager.placeholder(for: sized)
            if let setter { setter(image) } else { show(image, in: slot) }
        }
    }

    /// Begins what waits.
    func beginWaiting() {
        guard !waiting.isEmpty else { return }
        let loads = exchange(&waiting, with: [:])
        for load in loads.values { load.begin() }
    }

    private var mayBegin: Bool {
        switch loadStart {
        case .whenSet: true
        case .whenMapped: isLaidOut
        }
    }
}
#endif
