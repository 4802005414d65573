import CEaselSystem
import Foundation

/// What other processes do to the files of a folder: what they write, and the names that they give.
final class FileChanges: Sendable {
    /// Whether the system tells it.
    static let areTold: Bool = {
        let descriptor = easel_changes_open()
        defer { close(descriptor) }
        return descriptor >= 0
    }()

    private let descriptor = easel_changes_open()

    /// From now on. `nil` where there is no such folder.
    init?(in path: String) {
        guard easel_changes_add(descriptor, path) == 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// Waits until something has happened since the last call.
    func next() async {
        await withCheckedContinuation { continuation in
            // On a thread of its own, because it waits.
            Thread.detachNewThread { [descriptor] in
                var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                while poll(&polled, 1, -1) < 0 && errno == EINTR {}
                var events = [UInt8](repeating: 0, count: 65_536)
                _ = read(descriptor, &events, events.count)
                continuation.resume()
            }
        }
    }
}
