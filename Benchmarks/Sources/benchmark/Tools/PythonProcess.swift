import Foundation

/// A Python script that stays alive. A line with the work goes in, a line with the result comes out.
final class PythonProcess: @unchecked Sendable {
    // Unlocked, since one contestant works at a time.
    private let name: String
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var rest = Data()

    /// - Parameters:
    ///   - name: The peer's name.
    ///   - script: The name of the script among the package's resources.
    ///   - packages: The Python packages that it requires.
    init(
        for name: String, script: String, arguments: [String] = [], packages: [PythonPackage]
    ) throws {
        self.name = name
        process.executableURL = URL(filePath: try Self.python(with: packages, for: name))
        process.arguments = [try Self.path(of: script)] + arguments
        process.standardInput = input
        process.standardOutput = output
        // Suppresses OpenCV's line for each animation frame without a background.
        process.environment = ProcessInfo.processInfo.environment.merging(["OPENCV_LOG_LEVEL": "ERROR"]) { $1 }
        try process.run()
    }

    /// The process whose memory is measured.
    var place: Contestant.Place { .process(process.processIdentifier) }

    deinit { try? input.fileHandleForWriting.close() }

    /// Sends a request and returns the response. Both are JSON arrays.
    func send(_ request: [Any]) throws -> [Any] {
        input.fileHandleForWriting.write(try JSONSerialization.data(withJSONObject: request) + Data("\n".utf8))
        while !rest.contains(UInt8(ascii: "\n")) {
            let piece = output.fileHandleForReading.availableData
            guard !piece.isEmpty else { throw MissingPeer(name: name, reason: "its process has ended.") }
            rest += piece
        }
        let line = rest.prefix { $0 != UInt8(ascii: "\n") }
        rest = Data(rest.dropFirst(line.count + 1))
        return try JSONSerialization.jsonObject(with: line) as? [Any] ?? []
    }

    /// Returns the numbers of a response.
    static func numbers(_ response: [Any]) -> [Double] { response.compactMap { ($0 as? NSNumber)?.doubleValue } }

    static func path(of script: String) throws -> String {
        if let path = Bundle.module.path(forResource: script, ofType: "py") { return path }
        throw MissingPeer(name: script, reason: "the script is missing.")
    }

    /// Returns Python with packages, which are installed into a folder of the build.
    static func python(
        with packages: [PythonPackage], for name: String, in environment: String = "python"
    ) throws -> String {
        let system = try Tool.require("python3", for: name)
        guard !packages.isEmpty else { return system }
        let folder = FileManager.default.currentDirectoryPath + "/Benchmarks/.build/" + environment
        let python = folder + "/bin/python"
        let imports = packages.map { "import \($0.module)" }.joined(separator: "; ")
        if (try? Tool.run(python, "-c", imports)) != nil { return python }
        do {
            if !FileManager.default.isExecutableFile(atPath: python) { try Tool.run(system, "-m", "venv", folder) }
            try Tool.run(python, ["-m", "pip", "install", "--quiet"] + packages.map(\.requirement))
        } catch {
            throw MissingPeer(name: name, reason: "it could not be installed into \(folder): \(error)")
        }
        return python
    }
}

/// A Python package.
struct PythonPackage: Sendable {
    /// The requirement for pip.
    var requirement: String
    /// The name to import.
    var module: String

    static let aiohttp = PythonPackage(requirement: "aiohttp>=3.13,<4", module: "aiohttp")
    static let cachetools = PythonPackage(requirement: "cachetools>=6", module: "cachetools")
    static let diskcache = PythonPackage(requirement: "diskcache>=5.6", module: "diskcache")
    static let imagecodecs = PythonPackage(requirement: "imagecodecs", module: "imagecodecs")
    static let opencv = PythonPackage(requirement: "opencv-python-headless>=4.12", module: "cv2")
    static let pillow = PythonPackage(requirement: "pillow>=12", module: "PIL")
    static let thumbor = PythonPackage(requirement: "thumbor>=7.8,<8", module: "thumbor")
    static let pyvips = PythonPackage(requirement: "pyvips[binary]>=3", module: "pyvips")
}
