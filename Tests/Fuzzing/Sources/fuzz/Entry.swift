import CFuzzer
import Foundation

/// What is fuzzed: one of the names that `fuzz --targets` lists, in the environment, so that libFuzzer's own arguments stay
/// as its manual has them.
private let target = ProcessInfo.processInfo.environment["EASEL_FUZZ"].flatMap(FuzzTarget.init(named:))

/// libFuzzer calls this with every input. What is not of the target's kind is not worth keeping, which -1 says.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target?.run(Data(UnsafeBufferPointer(start: bytes, count: count))) == true ? 0 : -1
}

/// Swift's package manager renames the program's `main` to this.
@_cdecl("fuzz_main")
public func fuzz(_ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> CInt {
    if CommandLine.arguments.dropFirst().first == "--targets" {
        print(FuzzTarget.all.map(\.name).joined(separator: "\n"))
        return 0
    }
    guard target != nil else {
        print("Set EASEL_FUZZ to one of: \(FuzzTarget.all.map(\.name).joined(separator: " "))")
        return 2
    }
    var (count, arguments) = (count, arguments)
    return LLVMFuzzerRunDriver(&count, &arguments) { testOneInput($0, $1) }
}
