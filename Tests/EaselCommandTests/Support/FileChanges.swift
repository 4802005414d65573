import CEaselSystem
import Foundation

/// The writes and renames of other processes in a folder.
final class FileChanges: Sendable {
    /// Whether the system reports changes of files.
    static let areReported: Bool = {
        let descriptor = easel_changes_open()
        defer { close(descriptor) }
        return descriptor >= 0
    }()

    private let descriptor = easel_changes_open()

    /// Starts watching. `nil` if the folder does not exist.
    init?(in path: String) {
        guard easel_changes_add(descriptor, path) == 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// Waits until something has changed since the last call.
    func next() async {
        await withCheckedContinuation { continuation in
            // On a separate thread, because `poll` blocks.
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
