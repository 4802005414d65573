import Testing

@testable import EaselCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

@Suite("System errors")
struct SystemErrorTests {
    @Test("say the system's reason without its capital")
    func reason() {
        #expect(SystemError(number: ENOSPC).reason == "no space left on device")
        #expect(SystemError(number: ENOENT).reason == "no such file or directory")
    }

    @Test("a file is missing also where its folder is a file")
    func missing() {
        #expect(SystemError(number: ENOENT).isMissing)
        #expect(SystemError(number: ENOTDIR).isMissing)
        #expect(!SystemError(number: EACCES).isMissing)
    }

    @Test("this process lives, and one with a number that none has does not")
    func processes() {
        #expect(isProcessAlive(processNumber))
        #expect(isProcessAlive(1))
        #expect(!isProcessAlive(.max))
    }
}
