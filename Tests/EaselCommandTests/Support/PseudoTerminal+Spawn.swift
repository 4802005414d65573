import Foundation
import Testing

extension PseudoTerminal {
    /// `POSIX_SPAWN_SETSID`, a Linux extension that Swift does not import.
    #if canImport(Darwin)
    private static let newSession: Int16 = 0x400
    #else
    private static let newSession: Int16 = 0x80
    #endif

    /// The path of the device. Not from `ttyname`, whose buffer all threads share.
    private var name: String {
        get throws {
            var bytes = [CChar](repeating: 0, count: 256)
            try #require(ttyname_r(device.fileDescriptor, &bytes, bytes.count) == 0)
            return bytes.withUnsafeBytes { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        }
    }

    /// Runs a program in this terminal, which sends it ctrl-C and size changes.
    ///
    /// - Parameter readsKeys: Whether its standard input is the terminal instead of being empty.
    func spawn(_ arguments: [String], environment: [String: String], readsKeys: Bool) throws -> pid_t {
        let program = try #require(arguments.first)
        let name = try self.name
        return try Self.withPreparedValue(posix_spawnattr_init, posix_spawnattr_destroy) { attributes in
            // The first terminal that a session leader opens becomes the controlling terminal.
            posix_spawnattr_setflags(attributes, Self.newSession)
            return try Self.withPreparedValue(posix_spawn_file_actions_init, posix_spawn_file_actions_destroy) {
                files in
                posix_spawn_file_actions_addopen(files, STDOUT_FILENO, name, O_RDWR, 0)
                posix_spawn_file_actions_adddup2(files, STDOUT_FILENO, STDERR_FILENO)
                posix_spawn_file_actions_addopen(files, STDIN_FILENO, readsKeys ? name : "/dev/null", O_RDWR, 0)
                return try Self.withCStrings(arguments) { arguments in
                    try Self.withCStrings(environment.map { "\($0)=\($1)" }) { environment in
                        var process: pid_t = 0
                        let error = posix_spawn(
                            &process, program, files, attributes, arguments, environment)
                        try #require(error == 0)
                        return process
                    }
                }
            }
        }
    }

    /// Calls `body` with a value that C functions initialize and destroy, whatever its type on this system.
    private static func withPreparedValue<Value, Result>(
        _ prepare: (UnsafeMutablePointer<Value>) -> Int32, _ destroy: (UnsafeMutablePointer<Value>) -> Int32,
        _ body: (UnsafeMutablePointer<Value>) throws -> Result
    ) throws -> Result {
        let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)
        defer { value.deallocate() }
        try #require(prepare(value) == 0)
        defer { _ = destroy(value) }
        return try body(value)
    }

    private static func withCStrings<Result>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) throws -> Result
    ) rethrows -> Result {
        let copies = strings.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return try body(copies + [nil])
    }
}
