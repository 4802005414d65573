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

    private let writes = easel_changes_open()
    private let names = easel_changes_open()

    /// From now on. `nil` where there is no such folder, or not all is told of it.
    init?(in path: String) {
        let folder = open(path, O_RDONLY | O_DIRECTORY)
        defer { close(folder) }
        guard easel_changes_add(writes, path) == 0, easel_names_watch(names, folder) >= 0 else { return nil }
    }

    deinit {
        close(writes)
        close(names)
    }

    /// Waits until something has happened since the last call.
    func next() async {
        await withCheckedContinuation { continuation in
            // On a thread of its own, because it waits.
            Thread.detachNewThread { [descriptors = [writes, names]] in
                var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
                while poll(&polled, nfds_t(polled.count), -1) < 0 && errno == EINTR {}
                var events = [UInt8](repeating: 0, count: 65_536)
                for descriptor in descriptors { _ = read(descriptor, &events, events.count) }
                continuation.resume()
            }
        }
    }
}
