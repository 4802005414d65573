import Foundation

/// The writes and renames of other processes in a folder.
final class FileChanges: Sendable {
    /// Whether the system reports changes of files.
    static let areReported: Bool = {
        let descriptor = open()
        defer { close(descriptor) }
        return descriptor >= 0
    }()

    private let descriptor = open()

    /// Starts watching. `nil` if the folder does not exist.
    init?(in path: String) {
        #if canImport(Darwin)
        return nil
        #else
        guard inotify_add_watch(descriptor, path, UInt32(IN_MODIFY | IN_MOVED_TO)) >= 0 else { return nil }
        #endif
    }

    private static func open() -> Int32 {
        #if canImport(Darwin)
        -1
        #else
        inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        #endif
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
