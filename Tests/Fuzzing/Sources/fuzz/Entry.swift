import CFuzzer
import Foundation

/// The target, one of the names that `fuzz --targets` lists. Read from the environment, so that all arguments are
/// libFuzzer's.
private let target = ProcessInfo.processInfo.environment["EASEL_FUZZ"].flatMap(FuzzTarget.init(named:))

/// Called by libFuzzer with every input. Returns -1, which discards it, for inputs of another kind.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target?.run(Data(UnsafeBufferPointer(start: bytes, count: count))) == true ? 0 : -1
}

/// Swift's package manager renames the program's `main` to this.
@_cdecl("fuzz_main")
public func fuzz(_ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> CInt {
    switch CommandLine.arguments.dropFirst().first {
    case "--targets":
        print(FuzzTarget.all.map(\.name).joined(separator: "\n"))
        return 0
    case "--damage": return damage(CommandLine.arguments.dropFirst(2))
    default: break
    }
    guard target != nil else {
        print("Set EASEL_FUZZ to one of: \(FuzzTarget.all.map(\.name).joined(separator: " "))")
        return 2
    }
    var (count, arguments) = (count, arguments)
    return LLVMFuzzerRunDriver(&count, &arguments) { testOneInput($0, $1) }
}

/// Runs `--damage FILE PROGRESS [NUMBER]`; see ``DamageRun``.
private func damage(_ arguments: ArraySlice<String>) -> CInt {
    guard let file = arguments.first, let progressFile = arguments.dropFirst().first else { return 2 }
    do {
        let run = try DamageRun(of: URL(filePath: file), progressFile: URL(filePath: progressFile))
        print(try run.run(only: arguments.dropFirst(2).first.flatMap { Int($0) }))
        return 0
    } catch {
        print("\(file): \(error)")
        return 1
    }
}
