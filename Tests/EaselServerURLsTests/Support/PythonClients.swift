#if Server
import Foundation
import Testing

/// imgproxy's client libraries for Python, as they are on PyPI: imgproxy 1.0.0 and pyimgproxy 0.4.
enum PythonClients {
    /// The interpreter that has them: that of the environment, or the system's.
    private static let interpreter = ProcessInfo.processInfo.environment["EASEL_PYTHON"] ?? "python3"

    /// Whether both can be imported.
    static let areInstalled = (try? run("import imgproxy, pyimgproxy")) != nil

    /// The reason for skipping tests without them.
    static let advice: Comment =
        "needs `pip install imgproxy==1.0.0 pyimgproxy==0.4`, or their interpreter in EASEL_PYTHON"

    /// The paths that a program prints. It has `short`, which makes one with imgproxy, and `long`, which returns an
    /// image of pyimgproxy.
    static func paths(_ lines: String) throws -> [String] {
        let program = """
            from imgproxy import ImgProxy
            from pyimgproxy import ImgProxy as Other
            key, salt, source = "\(Paths.key)", "\(Paths.salt)", "\(Paths.source)"
            other = Other(url="http://server", key=key, salt=salt)
            def short(*options, image=source, **values):
                print(ImgProxy(image, key=key, salt=salt, **values)(*options))
            def long(make, image=source):
                print(make(other.image(image)).url[len("http://server"):])
            \(lines)
            """
        return try run(program).split(separator: "\n").map(String.init)
    }

    private static func run(_ program: String) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [interpreter, "-c", program]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
        return String(decoding: data, as: UTF8.self)
    }
}
#endif
