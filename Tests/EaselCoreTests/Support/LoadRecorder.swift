import EaselTesting
import TestSupport

@testable import EaselCore

/// A load context that records its updates.
struct LoadRecorder: Sendable {
    let context: LoadContext
    private let updates: Recorder<LoadUpdate>

    init(priority: LoadPriority = .normal) {
        let updates = Recorder<LoadUpdate>()
        self.updates = updates
        context = LoadContext(priority: priority, observation: nil) { updates.record($0) }
    }

    var progress: [LoadProgress] { Self.progress(of: updates.events) }

    /// Returns early if the task is cancelled.
    func waitForProgress(_ count: Int = 1) async {
        await updates.wait { Self.progress(of: $0).count >= count }
    }

    var previews: Int {
        updates.events.reduce(0) { if case .preview = $1 { $0 + 1 } else { $0 } }
    }

    private static func progress(of updates: [LoadUpdate]) -> [LoadProgress] {
        updates.compactMap { if case .progress(let progress) = $0 { progress } else { nil } }
    }
}
