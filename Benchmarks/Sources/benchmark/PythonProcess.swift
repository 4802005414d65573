import Foundation

/// A script of Python that runs all the time: a line with the work goes in, a line with the result comes out.
final class PythonProcess: @unchecked Sendable {
    // Not locked: one contestant works at a time.
    private let name: String
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var rest = Data()

    /// - Parameters:
    ///   - name: whom it is for.
    ///   - script: its name among the package's resources.
    ///   - package: what it needs, as pip is asked for it, and how Python calls that; `nil` for a script that needs none.
    init(
        for name: String, script: String, arguments: [String], package: (requirement: String, module: String)?
    ) throws {
        self.name = name
        guard let path = Bundle.module.path(forResource: script, ofType: "py") else {
            throw MissingPeer(name: name, reason: "its script is not there.")
        }
        process.executableURL = URL(filePath: try Self.python(with: package, for: name))
        process.arguments = [path] + arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    deinit { try? input.fileHandleForWriting.close() }

    /// The answer to a question, both lists that JSON can hold.
    func ask(_ question: [Any]) throws -> [Any] {
        input.fileHandleForWriting.write(try JSONSerialization.data(withJSONObject: question) + Data("\n".utf8))
        while !rest.contains(UInt8(ascii: "\n")) {
            let piece = output.fileHandleForReading.availableData
            guard !piece.isEmpty else { throw MissingPeer(name: name, reason: "its process has ended.") }
            rest += piece
        }
        let line = rest.prefix { $0 != UInt8(ascii: "\n") }
        rest = Data(rest.dropFirst(line.count + 1))
        return try JSONSerialization.jsonObject(with: line) as? [Any] ?? []
    }

    /// Python with a package, which is installed into the folder of the build.
    static func python(
        with package: (requirement: String, module: String)?, for name: String
    ) throws -> String {
        guard let system = Tool.find("python3") else { throw MissingPeer(name: name, reason: "there is no Python.") }
        guard let package else { return system }
        let folder = FileManager.default.currentDirectoryPath + "/Benchmarks/.build/python"
        let python = folder + "/bin/python"
        if (try? Tool.run(python, "-c", "import \(package.module)")) != nil { return python }
        do {
            if !FileManager.default.isExecutableFile(atPath: python) { try Tool.run(system, "-m", "venv", folder) }
            try Tool.run(python, "-m", "pip", "install", "--quiet", package.requirement)
        } catch {
            throw MissingPeer(name: name, reason: "it could not be installed into \(folder): \(error)")
        }
        return python
    }
}
