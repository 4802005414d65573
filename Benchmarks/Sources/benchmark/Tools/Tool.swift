import Foundation
import Synchronization

/// Installed commands.
enum Tool {
    private static let folders = ["/usr/sbin", "/usr/bin", "/bin", "/usr/local/bin", "/opt/homebrew/bin"]

    /// The peak memory of one command.
    static let peak = Peak()

    static func find(_ name: String) -> String? {
        folders.map { $0 + "/" + name }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// - Throws: `MissingPeer` if it is not installed.
    static func require(_ name: String, for peer: String? = nil) throws -> String {
        if let path = find(name) { return path }
        throw MissingPeer(name: peer ?? name, reason: "\(name) is not installed.")
    }

    /// Runs a command and returns its output. Foundation's `Process` does not allow sampling the command's memory.
    @discardableResult
    static func run(_ path: String, _ arguments: String...) throws -> String { try run(path, arguments) }

    @discardableResult
    static func run(_ path: String, _ arguments: [String]) throws -> String {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw MissingPeer(name: path, reason: "a pipe cannot be opened.") }
        let (reading, writing) = (ends[0], ends[1])
        defer { close(reading) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, writing, 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addclose(&actions, reading)
        posix_spawn_file_actions_addclose(&actions, writing)
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) }
        words.append(nil)
        defer { for word in words { free(word) } }
        var number: pid_t = 0
        let code = posix_spawn(&number, path, &actions, nil, words, environ)
        close(writing)
        guard code == 0 else { throw MissingPeer(name: path, reason: "it does not start: \(code).") }
        let text = String(decoding: readToEnd(reading, of: number), as: UTF8.self)
        var status: Int32 = 0
        while waitpid(number, &status, 0) < 0, errno == EINTR {}
        guard status == 0 else {
            throw MissingPeer(name: path, reason: "it ended with \(status >> 8 & 255).")
        }
        return text
    }

    /// Samples the memory of the command and its children until the end. The system's figure after the end would
    /// include this process, which every command starts as a copy of.
    private static func readToEnd(_ file: Int32, of process: pid_t) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            var state = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
            guard poll(&state, 1, 5) > 0 else {
                peak.note(MemoryUse.peak(ofProcessAndChildren: process))
                continue
            }
            let count = read(file, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return bytes }
            bytes += piece.prefix(count)
        }
    }

    final class Peak: Sendable {
        private let most = Mutex(0)

        var bytes: Int { most.withLock { $0 } }
        func forget() { most.withLock { $0 = 0 } }
        func note(_ bytes: Int) { most.withLock { $0 = max($0, bytes) } }
    }
}
