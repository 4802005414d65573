#if GTK
import CGTK
import EaselFoundation
import EaselCore

/// When a widget's loads begin.
public enum LoadStart: Sendable, Hashable {
    /// When it is seen: a grid binds many more cells than it shows, and what is shown should not wait for them. What is in
    /// memory is shown in any case.
    case whenMapped
    /// When it is seen or, as a prefetch, when hardly anything that is seen is left to load: for cells of lists, which GTK binds
    /// before they come into sight.
    case ahead
    /// At once, and with the priority of a prefetch as long as it is not seen.
    case whenSet
}

/// A load that begins when its widget is seen.
struct WaitingLoad {
    let url: URL
    let completion: ImageCompletion?
    /// Called at most once.
    let begin: @MainActor () -> Void
}

extension WidgetTarget {
    /// Begins a load now, or when the widget can be seen and has a size.
    ///
    /// - Parameters:
    ///   - request: what it loads.
    ///   - show: shows its placeholder, if it has to wait.
    func begin(
        _ load: WaitingLoad, _ request: ImageRequest, in slot: ImageSlot, _ options: TargetOptions,
        _ manager: ImageManager, show: (DecodedImage?) -> Void
    ) {
        dropWaiting(in: slot)
        if mayBegin { return load.begin() }
        var request = request
        if request.targetSize == .original, !options.contains(.originalSize) {
            request.targetSize = targetSize(in: slot)
        }
        if manager.hasInMemory(request) { return load.begin() }
        // The order of every load, with a pause before the last of it.
        cancelImageLoad(in: slot)
        waiting[slot] = load
        if loadStart == .ahead { LoadsAhead.shared.add(self) }
        if !options.contains(.delayPlaceholder) { show(manager.placeholder(for: request)) }
    }

    /// Begins what waits.
    func beginWaiting() {
        guard !waiting.isEmpty else { return }
        let loads = exchange(&waiting, with: [:])
        LoadsAhead.shared.leave(self)
        for load in loads.values { load.begin() }
    }

    /// Lets go of a load that waits; its completion hears that it was cancelled, in a later turn as every other's does.
    func dropWaiting(in slot: ImageSlot) {
        guard let dropped = waiting.removeValue(forKey: slot) else { return }
        if waiting.isEmpty { LoadsAhead.shared.leave(self) }
        guard let completion = dropped.completion else { return }
        Task { [weak self] in
            if self != nil { completion(.failure(.cancelled)) }
        }
    }

    /// What waits goes by the new rule.
    func loadStartDidChange() {
        guard !waiting.isEmpty else { return }
        switch loadStart {
        case .whenSet: beginWaiting()
        case .whenMapped: LoadsAhead.shared.leave(self)
        case .ahead: LoadsAhead.shared.add(self)
        }
    }

    private var mayBegin: Bool {
        switch loadStart {
        case .whenSet: true
        case .whenMapped, .ahead: isLaidOut
        }
    }
}
#endif
