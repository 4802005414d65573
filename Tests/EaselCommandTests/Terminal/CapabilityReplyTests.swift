import Testing

@testable import easel

@Suite struct CapabilityReplyTests {
    private func reply(_ text: String) -> CapabilityReply {
        var reply = CapabilityReply()
        reply.consume(Array(text.utf8))
        return reply
    }

    @Test func kittyConfirmsBeforeItsAttributes() {
        let reply = reply("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62;c")
        #expect(reply.isComplete)
        #expect(reply.capabilities == TerminalCapabilities(kitty: true, sixel: false))
    }

    @Test func anErrorFromKittyMeansNoSupport() {
        let reply = reply("\u{1B}_Gi=31;EINVAL:no\u{1B}\\\u{1B}[?62;c")
        #expect(reply.isComplete)
        #expect(!reply.capabilities.kitty)
    }

    @Test func attributeFourIsSixel() {
        #expect(reply("\u{1B}[?62;4;22c").capabilities == TerminalCapabilities(kitty: false, sixel: true))
    }

    @Test func fourInsideAnotherAttributeIsNotSixel() {
        let reply = reply("\u{1B}[?64;14;42c")
        #expect(reply.isComplete)
        #expect(!reply.capabilities.sixel)
    }

    @Test func singleBytesAreParsed() {
        var reply = CapabilityReply()
        for byte in "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?1;4c".utf8 {
            #expect(!reply.isComplete)
            reply.consume(CollectionOfOne(byte))
        }
        #expect(reply.capabilities == TerminalCapabilities(kitty: true, sixel: true))
    }

    @Test func typedKeysAreIgnored() {
        let reply = reply("ls\n\u{1B}[A\u{1B}[?4c")
        #expect(reply.isComplete)
        #expect(reply.capabilities.sixel)
    }

    @Test func nothingIsCompleteWithoutAttributes() {
        #expect(!reply("\u{1B}_Gi=31;OK\u{1B}\\").isComplete)
    }

    @Test func anEndlessAnswerIsBounded() {
        let reply = reply("\u{1B}_" + String(repeating: "x", count: 100_000) + "\u{1B}\\\u{1B}[?4c")
        #expect(reply.isComplete)
        #expect(reply.capabilities == TerminalCapabilities(kitty: false, sixel: true))
    }
}

@Suite struct CapabilityQueryTests {
    @Test func theQueryHasKittyAndThenAttributes() {
        let query = TerminalCapabilities.query(environment: ["TERM": "xterm-256color"])
        #expect(query == "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[c")
    }

    @Test(arguments: [["TMUX": "/tmp/x"], ["TERM": "tmux-256color"], ["TERM": "screen"]])
    func aMultiplexerIsNotQueriedForKitty(environment: [String: String]) {
        #expect(TerminalCapabilities.query(environment: environment) == "\u{1B}[c")
    }
}
