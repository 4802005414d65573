#if Sandbox
import CEaselSandbox
package import EaselCore
import EaselFoundation
import Synchronization

/// The program that workers run.
enum WorkerProgram {
    /// Whether this program can run as a worker, as it has called `Sandbox.runWorkerIfRequested()`.
    private static let isThisProgram = Atomic(false)

    /// Returns the path of the worker program: the given one, `easel-decoder` in the folder of this program, or this
    /// program.
    static func path(_ given: String?) throws(SandboxFailure) -> String {
        if let given { return given }
        var path = [CChar](repeating: 0, count: 4096)
        guard easel_sandbox_program(&path, path.count) else {
            throw .unavailable("The path of this program is unknown. Set Sandbox.Configuration.program.")
        }
        let program = String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let folder = program.lastIndex(of: "/").map { String(program[...$0]) } ?? ""
        let sibling = folder + "easel-decoder"
        if access(sibling, X_OK) == 0 { return sibling }
        if isThisProgram.load(ordering: .relaxed) { return program }
        throw .unavailable("The worker program easel-decoder is missing in \(folder).")
    }

    static func run(coders: () -> CoderRegistry) {
        isThisProgram.store(true, ordering: .relaxed)
        guard getenv(workerMarker) != nil else { return }
        // Without a connection, another program has set the variable.
        guard fcntl(3, F_GETFD) >= 0 else { _exit(1) }
        // Otherwise the application's files and ports would stay open after it closes them.
        guard easel_sandbox_close_inherited() == 0 else { _exit(1) }
        // Programs that this process starts must not become workers.
        unsetenv(workerMarker)
        var zygote = ZygoteProcess(coders: coders())
        zygote.run()
    }
}

extension Sandbox {
    /// Turns this process into a worker with other decoders, for tests.
    package static func runWorkerIfRequested(coders: () -> CoderRegistry) { WorkerProgram.run(coders: coders) }
}
#endif
