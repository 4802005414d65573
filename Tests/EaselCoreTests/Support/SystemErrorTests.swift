import EaselFoundation
import Testing

@testable import EaselCore

@Suite("System errors")
struct SystemErrorTests {
    @Test("the reason is that of the system, in lower case")
    func reason() {
        #expect(SystemError(number: ENOSPC).reason == "no space left on device")
        #expect(SystemError(number: ENOENT).reason == "no such file or directory")
    }

    @Test("a file is missing even if its folder is a file")
    func missing() {
        #expect(SystemError(number: ENOENT).isMissing)
        #expect(SystemError(number: ENOTDIR).isMissing)
        #expect(!SystemError(number: EACCES).isMissing)
    }
}
