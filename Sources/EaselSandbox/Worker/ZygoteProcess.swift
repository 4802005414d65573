#if Sandbox
import CEaselSandbox
import EaselCodecs
import EaselCore
import EaselFoundation

/// The main loop of the zygote, the process that forks workers. It has one thread, never reads an image, and ends when
/// the application closes the connection.
///
/// It also holds the socket of each worker. It reports the end of the worker on that socket, and kills the worker when
/// the application closes it.
struct ZygoteProcess {
    private struct Child {
        var socket: Int32
        var process: pid_t
    }

    /// The restrictions that all workers of a kind share.
    private struct Setup {
        var filter: OpaquePointer?
        var ruleset: Int32
    }

    /// The connection to the application.
    private let control: Int32 = 3
    private let childSignals = easel_sandbox_watch_children()
    private let coders: CoderRegistry
    private var children: [Child] = []
    private var setups: [WorkerKind: Setup] = [:]

    init(coders: CoderRegistry) { self.coders = coders }

    mutating func run() -> Never {
        IsolatedProcess.enter()
        while true {
            var files = [control, childSignals].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            // With no requested events, `poll` reports only the end of the connection.
            files += children.map { pollfd(fd: $0.socket, events: 0, revents: 0) }
            // Without a descriptor for signals, children are reaped every 50 ms.
            _ = poll(&files, nfds_t(files.count), childSignals >= 0 ? -1 : 50)
            for (child, file) in zip(children, files.dropFirst(2)) where file.revents != 0 {
                kill(child.process, SIGKILL)
            }
            reapChildren()
            if files[0].revents != 0 { receiveRequest() }
        }
    }

    private mutating func reapChildren() {
        // The signals are read and ignored.
        var signal = [UInt8](repeating: 0, count: 128)
        if childSignals >= 0 { while read(childSignals, &signal, signal.count) > 0 {} }
        var status: Int32 = 0
        while case let process = waitpid(-1, &status, WNOHANG), process > 0 {
            guard let index = children.firstIndex(where: { $0.process == process }) else { continue }
            let child = children.remove(at: index)
            send(.ended(status: status), to: child.socket)
            close(child.socket)
        }
    }

    private mutating func receiveRequest() {
        // Longer than a request, so that the socket in a request of another version is received too.
        var message = [UInt8](repeating: 0, count: 256)
        var socket: Int32 = -1
        var fileCount: Int32 = 0
        let count = easel_sandbox_receive(control, &message, message.count, &socket, 1, &fileCount, false)
        if count < 0, errno == EAGAIN { return }
        guard count > 0, fileCount == 1, let request = ZygoteRequest(message: Array(message.prefix(count))) else {
            // The application has ended, or has another version: the answer makes its error name the version.
            if fileCount == 1 {
                send(.ready(version: protocolVersion, SandboxRestrictions(bits: 0, landlockVersion: 0)), to: socket)
            }
            end()
        }
        start(request, socket)
    }

    /// Ends this process and its children. It reaps them, as the first process of a container may not.
    private func end() -> Never {
        for child in children { kill(child.process, SIGKILL) }
        var status: Int32 = 0
        // A killed process ends without delay, unless the kernel waits for a device, which no worker can open.
        for child in children { while waitpid(child.process, &status, 0) < 0, errno == EINTR {} }
        _exit(0)
    }

    private mutating func start(_ request: ZygoteRequest, _ socket: Int32) {
        let setup = setups[request.kind] ?? makeSetup(request.kind)
        setups[request.kind] = setup
        // A lock that another thread holds would stay locked in the fork. The threads of libraries end soon.
        var tries = 0
        while easel_sandbox_thread_count() > 1 {
            tries += 1
            guard tries < 200 else { return fail(EDEADLK, socket) }
            usleep(5_000)
        }
        let parent = getpid()
        let process = easel_sandbox_fork()
        if process == 0 {
            guard easel_sandbox_prepare(socket, setup.ruleset, parent) == 0,
                easel_sandbox_set_timeout(3, WorkerProcess.idleInterval) == 0
            else { _exit(1) }
            let restrictions = easel_sandbox_enter(
                setup.filter, setup.ruleset < 0 ? -1 : 4, request.memoryLimit, Self.processorSeconds)
            var worker = WorkerProcess(socket: 3, coders: coders)
            worker.run(
                SandboxRestrictions(
                    bits: UInt8(truncatingIfNeeded: restrictions),
                    landlockVersion: Int(easel_sandbox_landlock_version())))
        }
        guard process > 0 else { return fail(errno, socket) }
        children.append(Child(socket: socket, process: process))
    }

    private func fail(_ code: Int32, _ socket: Int32) {
        send(.notStarted(code: code), to: socket)
        close(socket)
    }

    private func send(_ answer: WorkerAnswer, to socket: Int32) {
        let message = answer.message
        _ = easel_sandbox_send(socket, message, message.count, nil, 0, false)
    }

    private func makeSetup(_ kind: WorkerKind) -> Setup {
        WorkerWarming.run(kind, coders)
        let readsFonts = kind == .drawing
        return Setup(filter: easel_sandbox_filter_make(readsFonts), ruleset: easel_sandbox_ruleset(readsFonts))
    }

    /// The limit of processor time, as a safeguard: the application kills a worker much earlier.
    private static let processorSeconds: UInt32 = 3_600
}
#endif
