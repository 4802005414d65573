import Testing

@testable import easel

@Suite("Capability reply")
struct CapabilityReplyTests {
    private func reply(_ text: String) -> CapabilityReply {
        var reply = CapabilityReply()
        reply.consume(Array(text.utf8))
        return reply
    }

    @Test("a kitty terminal confirms its protocol before the attributes")
    func kittyReply() {
        let reply = reply("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62;c")
        #expect(reply.isComplete)
        #expect(reply.capabilities == TerminalCapabilities(kitty: true, sixel: false))
    }

    @Test("an error reply means that kitty graphics are not supported")
    func kittyError() {
        let reply = reply("\u{1B}_Gi=31;EINVAL:no\u{1B}\\\u{1B}[?62;c")
        #expect(reply.isComplete)
        #expect(!reply.capabilities.kitty)
    }

    @Test("attribute 4 means sixel")
    func sixelAttribute() {
        #expect(reply("\u{1B}[?62;4;22c").capabilities == TerminalCapabilities(kitty: false, sixel: true))
    }

    @Test("a 4 inside another attribute does not mean sixel")
    func otherAttributes() {
        let reply = reply("\u{1B}[?64;14;42c")
        #expect(reply.isComplete)
        #expect(!reply.capabilities.sixel)
    }

    @Test("a reply is parsed byte by byte")
    func singleBytes() {
        var reply = CapabilityReply()
        for byte in "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?1;4c".utf8 {
            #expect(!reply.isComplete)
            reply.consume(CollectionOfOne(byte))
        }
        #expect(reply.capabilities == TerminalCapabilities(kitty: true, sixel: true))
    }

    @Test("typed keys before the reply are ignored")
    func typedKeys() {
        let reply = reply("ls\n\u{1B}[A\u{1B}[?4c")
        #expect(reply.isComplete)
        #expect(reply.capabilities.sixel)
    }

    @Test("a reply is incomplete without the attributes")
    func incompleteReply() {
        #expect(!reply("\u{1B}_Gi=31;OK\u{1B}\\").isComplete)
    }

    @Test("a very long sequence is skipped")
    func longSequence() {
        let reply = reply("\u{1B}_" + String(repeating: "x", count: 100_000) + "\u{1B}\\\u{1B}[?4c")
        #expect(reply.isComplete)
        #expect(reply.capabilities == TerminalCapabilities(kitty: false, sixel: true))
    }
}

@Suite("Capability query")
struct CapabilityQueryTests {
    @Test("the query requests kitty graphics first, then the attributes")
    func queryOrder() {
        let query = TerminalCapabilities.query(environment: ["TERM": "xterm-256color"])
        #expect(query == "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[c")
    }

    @Test(
        "a multiplexer is not queried for kitty graphics",
        arguments: [["TMUX": "/tmp/x"], ["TERM": "tmux-256color"], ["TERM": "screen"]])
    func multiplexer(environment: [String: String]) {
        #expect(TerminalCapabilities.query(environment: environment) == "\u{1B}[c")
    }
}
