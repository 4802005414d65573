#if Sandbox
import CEaselSandbox
import EaselCore
import EaselFoundation

/// The process that forks the workers, started by this process. It never reads an image. It loads the libraries once,
/// and reports the end of each worker on the worker's connection.
final class Zygote: Sendable {
    private let socket: Int32
    private let process: pid_t

    /// Starts the process.
    init(program: String) throws(SandboxFailure) {
        var (own, other): (Int32, Int32) = (-1, -1)
        guard easel_sandbox_sockets(&own, &other) == 0 else {
            throw .system("No socket can be created", errno)
        }
        defer { close(other) }
        var process: pid_t = 0
        var environment = Self.environment.map { strdup($0) }
        environment.append(nil)
        defer { for variable in environment { free(variable) } }
        let failure = easel_sandbox_spawn(program, environment, other, &process)
        guard failure == 0 else {
            close(own)
            throw .unavailable("The worker program \(program) cannot be started: \(SharedMemory.reason(failure)).")
        }
        socket = own
        self.process = process
    }

    /// Closes the connection, which ends the process. Another thread reaps it, as this one may be the main thread.
    deinit {
        close(socket)
        _ = SystemThread.start("easel-reap") { [process] in
            var tries = 0
            while tries < 2_000, !easel_sandbox_reap(process) {
                usleep(5_000)
                tries += 1
            }
        }
    }

    /// Starts a worker.
    func startWorker(
        _ kind: WorkerKind, number: Int, memoryLimit: Int
    ) throws(SandboxFailure) -> (WorkerHandle, SandboxRestrictions) {
        var (own, other): (Int32, Int32) = (-1, -1)
        guard easel_sandbox_sockets(&own, &other) == 0 else {
            throw .system("No socket can be created", errno)
        }
        let handle = WorkerHandle(number: number, socket: own)
        let message = ZygoteRequest(kind: kind, memoryLimit: memoryLimit).message
        let result = easel_sandbox_send(socket, message, message.count, [other], 1, false)
        let code = errno
        close(other)
        guard result == 0 else {
            throw code == EPIPE || code == ECONNRESET
                ? .ended(status: nil) : .unavailable("A worker cannot be started: \(SharedMemory.reason(code)).")
        }
        return (handle, try handle.receiveReady(until: .now + .seconds(20)))
    }

    /// The variables that select languages, libraries and fonts, so that SVG looks the same as in this process.
    private static var environment: [String] {
        let names = ["HOME", "LANG", "LANGUAGE", "LD_LIBRARY_PATH", "PATH"]
        let prefixes = ["LC_", "XDG_", "FONTCONFIG_", "GDK_PIXBUF_", "LIBHEIF_"]
        return ProcessInfo.processInfo.environment.compactMap { name, value in
            names.contains(name) || prefixes.contains(where: name.hasPrefix) ? "\(name)=\(value)" : nil
        } + ["\(workerMarker)=1", "SWIFT_BACKTRACE=enable=no"]
    }
}
#endif
