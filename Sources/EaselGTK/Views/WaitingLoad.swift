#if GTK
import CGTK
import EaselFoundation
import EaselCore

/// When a widget's loads start.
public enum LoadStart: Sendable, Hashable {
    /// When the widget is visible: a grid binds many more cells than it shows, which must not delay visible ones.
    /// Images in memory are shown immediately.
    case whenMapped
    /// When the widget is visible, or as a prefetch when few visible widgets are loading. For cells of lists, which GTK
    /// binds before they are visible.
    case preload
    /// Immediately, with the priority of a prefetch while the widget is not visible.
    case whenSet
}

struct WaitingLoad {
    let url: URL
    let completion: ImageCompletion?
    /// Starts the load. Called at most once.
    let begin: @MainActor () -> Void
}

extension WidgetTarget {
    /// Starts a load now, or when the widget is visible and has a size.
    ///
    /// - Parameters:
    ///   - request: The request to load.
    ///   - show: Shows the placeholder if the load has to wait.
    func begin(
        _ load: WaitingLoad, _ request: ImageRequest, in slot: ImageSlot, _ options: TargetOptions,
        _ manager: ImageManager, show: (DecodedImage?) -> Void
    ) {
        dropWaiting(in: slot)
        if loadStart == .whenSet || isLaidOut { return load.begin() }
        var request = request
        if request.targetSize == .original, !options.contains(.originalSize) {
            request.targetSize = targetSize(in: slot)
        }
        if manager.cachedImage(for: request) != nil { return load.begin() }
        // Cancel the previous load first, as every load does.
        cancelImageLoad(in: slot)
        waiting[slot] = load
        if loadStart == .preload { Preloader.shared.add(self) }
        if !options.contains(.delayPlaceholder) { show(manager.placeholder(for: request)) }
    }

    func startWaitingLoads() {
        guard !waiting.isEmpty else { return }
        let loads = exchange(&waiting, with: [:])
        Preloader.shared.remove(self)
        for load in loads.values { load.begin() }
    }

    /// Drops a waiting load. Its completion receives `.cancelled` asynchronously, as for any load.
    func dropWaiting(in slot: ImageSlot) {
        guard let dropped = waiting.removeValue(forKey: slot) else { return }
        if waiting.isEmpty { Preloader.shared.remove(self) }
        guard let completion = dropped.completion else { return }
        Task { [weak self] in
            if self != nil { completion(.failure(.cancelled)) }
        }
    }

    func loadStartDidChange() {
        guard !waiting.isEmpty else { return }
        switch loadStart {
        case .whenSet: startWaitingLoads()
        case .whenMapped: Preloader.shared.remove(self)
        case .preload: Preloader.shared.add(self)
        }
    }
}
#endif
