import Foundation
import Testing

@testable import easel

@Suite("Terminal query")
struct TerminalQueryTests {
    private func query(_ terminal: PseudoTerminal, timeout: Duration) -> TerminalQuery {
        TerminalQuery(
            input: terminal.device.fileDescriptor,
            output: StandardStream(descriptor: terminal.device.fileDescriptor), timeout: timeout)
    }

    @Test("the reply of the terminal is parsed")
    func parsedReply() throws {
        let terminal = try #require(PseudoTerminal())
        try terminal.userSide.write(contentsOf: Data("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62;4c".utf8))
        let capabilities = query(terminal, timeout: .seconds(60)).capabilities(environment: [:])
        #expect(capabilities == TerminalCapabilities(kitty: true, sixel: true))
        #expect(terminal.waitsForLines)
    }

    @Test("a terminal that does not reply has no capabilities")
    func silentTerminal() throws {
        let terminal = try #require(PseudoTerminal())
        let capabilities = query(terminal, timeout: .milliseconds(1)).capabilities(environment: [:])
        #expect(capabilities == TerminalCapabilities())
        #expect(terminal.waitsForLines)
    }

    @Test("a pipe is not queried")
    func pipeInput() throws {
        let pipe = Pipe()
        let query = TerminalQuery(
            input: pipe.fileHandleForReading.fileDescriptor,
            output: StandardStream(descriptor: pipe.fileHandleForWriting.fileDescriptor), timeout: .seconds(60))
        #expect(query.capabilities(environment: [:]) == TerminalCapabilities())
        try pipe.fileHandleForWriting.close()
        #expect(try pipe.fileHandleForReading.readToEnd() ?? Data() == Data())
    }

    @Test("raw mode ends after the body")
    func rawMode() throws {
        let terminal = try #require(PseudoTerminal())
        let waited = TerminalSettings(of: terminal.device.fileDescriptor)?.withRawMode { terminal.waitsForLines }
        #expect(waited == false)
        #expect(terminal.waitsForLines)
    }
}
