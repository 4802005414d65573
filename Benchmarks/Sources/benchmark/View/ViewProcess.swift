import Foundation

/// What GTK draws with, as `GSK_RENDERER` names it.
enum ViewRenderer: String, CaseIterable {
    case cairo
    case openGL = "gl"

    /// How rows name it.
    var name: String { self == .cairo ? "Cairo" : "GL" }
}

/// A gallery that runs on a display and writes lines with what happens.
final class ViewProcess {
    /// When it was started, in seconds since 1970.
    let started: Double
    private let process = Process()
    private let output = Pipe()
    private var rest = Data()

    init(_ command: [String], on display: VirtualDisplay, drawnBy renderer: ViewRenderer) throws {
        process.executableURL = URL(filePath: command[0])
        process.arguments = Array(command.dropFirst())
        var environment = ProcessInfo.processInfo.environment
        environment["DISPLAY"] = display.name
        environment["GDK_BACKEND"] = "x11"
        environment["GSK_RENDERER"] = renderer.rawValue
        // Mesa's own, so that a graphics card makes no difference.
        environment["LIBGL_ALWAYS_SOFTWARE"] = "1"
        environment["GTK_A11Y"] = "none"
        process.environment = environment
        process.standardOutput = output
        let descriptor = output.fileHandleForReading.fileDescriptor
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        started = Date().timeIntervalSince1970
        try process.run()
    }

    deinit { end() }

    func end() {
        guard process.isRunning else { return }
        // A process that Foundation starts may have SIGTERM blocked, and would stay for ever.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    var isRunning: Bool { process.isRunning }

    /// What it has reported since the last call; does not wait.
    func events() throws -> [ViewEvent] {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(output.fileHandleForReading.fileDescriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            rest += Data(buffer.prefix(count))
        }
        var events: [ViewEvent] = []
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let line = rest[rest.startIndex..<end]
            rest = Data(rest[(end + 1)...])
            if line.starts(with: Data("BENCH ".utf8)) {
                events.append(try JSONDecoder().decode(ViewEvent.self, from: line.dropFirst(6)))
            }
        }
        return events
    }

    /// Seconds of processor time that it has used; to a hundredth.
    var processorTime: Double {
        guard let text = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/stat", encoding: .utf8),
            let name = text.lastIndex(of: ")")
        else { return 0 }
        let fields = text[name...].split(separator: " ")
        return fields[12...13].compactMap { Double($0) }.reduce(0, +) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Bytes of memory that it has, its share of what it has together with others included.
    var memory: Double {
        let path = "/proc/\(process.processIdentifier)/smaps_rollup"
        guard let text = try? String(contentsOfFile: path, encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("Pss:") }),
            let kilobytes = line.split(separator: " ").dropFirst().first.flatMap({ Double($0) })
        else { return 0 }
        return kilobytes * 1024
    }
}

/// A line that a gallery writes.
struct ViewEvent: Decodable {
    var event: String
    var t: Double
    /// When frames were drawn, in a pass.
    var frames: [Double]?
}
