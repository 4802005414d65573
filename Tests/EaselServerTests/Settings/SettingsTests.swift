#if Server
import EaselCore
import EaselServerURLs
import Foundation
import Testing

@testable import EaselServer

struct SettingsTests {
    private func settings(_ flags: [String: [String]]) throws -> ServerSettings {
        try ServerSettings(try SettingValues(flags: flags))
    }

    @Test func `Flags precede the environment, and that the file`() throws {
        let values = try SettingValues(
            flags: ["queue": ["1"]],
            environment: ["EASEL_SERVE_QUEUE": "2", "EASEL_SERVE_MAX_BYTES": "3", "PATH": "/bin"],
            file: "# comment\n\nqueue = 4\nmax-bytes = 5\n  max-pixels=6  \nclient-hints\n")
        #expect(values.text("queue") == "1")
        #expect(values.text("max-bytes") == "3")
        #expect(values.text("max-pixels") == "6")
        #expect(try values.isOn("client-hints"))
    }

    @Test(arguments: SettingDefinition.all.map(\.name))
    func `A setting is the same as a flag, in the environment and in a file`(name: String) throws {
        let definition = try #require(SettingDefinition.all.first { $0.name == name })
        let texts = definition.isSwitch ? ["true"] : definition.isList ? ["one", "two"] : ["one"]
        let values = [
            try SettingValues(flags: [name: texts]),
            try SettingValues(flags: [:], environment: [definition.variable: texts.joined(separator: ",")]),
            try SettingValues(flags: [:], file: texts.map { "\(name) = \($0)" }.joined(separator: "\n")),
        ]
        for values in values { #expect(values.texts(name) == texts) }
    }

    @Test func `Lists have several lines, or commas in the environment`() throws {
        let values = try SettingValues(
            flags: [:], environment: ["EASEL_SERVE_ALLOW_SOURCE": "https://a/, https://b/"],
            file: "allow-private = a.example\nallow-private = b.example\n")
        #expect(values.texts("allow-source") == ["https://a/", "https://b/"])
        #expect(values.texts("allow-private") == ["a.example", "b.example"])
    }

    @Test(arguments: ["unknown = 1", "queue = 1\nqueue = 2", "queue", "= 3"])
    func `A file with a mistake is refused`(text: String) {
        #expect(throws: SettingError.self) { _ = try SettingValues(flags: [:], file: text) }
    }

    @Test func `A misspelt variable is refused`() {
        #expect(throws: SettingError.self) { _ = try SettingValues(flags: [:], environment: ["EASEL_SERVE_QUEU": "1"]) }
    }

    @Test func `Secrets are not printed`() throws {
        let values = try SettingValues(flags: ["key": ["aa"], "salt": ["bb"], "queue": ["7"]])
        #expect(values.description == "key = ****\nsalt = ****\nqueue = 7")
    }

    @Test func `Signatures are required unless only this machine can connect`() throws {
        #expect(throws: SettingError.self) { _ = try self.settings(["listen": ["0.0.0.0:8080"]]) }
        #expect(try settings(["listen": ["127.0.0.1:8080"]]).routes.urls.allowsUnsigned)
        #expect(try settings(["listen": ["unix:/tmp/easel.sock"]]).routes.urls.allowsUnsigned)
        let signed = try settings(["listen": ["127.0.0.1:80"], "key": ["aa"], "salt": ["bb"]])
        #expect(!signed.routes.urls.allowsUnsigned)
        #expect(try settings(["listen": [":80"], "allow-unsigned": ["true"]]).routes.urls.allowsUnsigned)
    }

    @Test func `Addresses of IPv6 are in brackets`() throws {
        #expect(try settings(["listen": ["[::1]:80"]]).address == .host("::1", port: 80))
        #expect(try settings(["listen": ["[::1]:80"]]).address.description == "[::1]:80")
    }

    @Test(arguments: [
        ["listen": ["localhost"]], ["listen": ["localhost:70000"]], ["queue": ["-1"]], ["max-pixels": ["many"]],
        ["key": ["aa"]], ["key": ["xx"], "salt": ["bb"]], ["quality": ["jpeg=101"]], ["format": ["gif"]],
        ["trusted-proxy": ["example.com"]], ["tls-key": ["/none"]], ["sandbox": ["maybe"]], ["ttl": ["-1"]],
        ["local-root": ["/does/not/exist"]], ["presets": ["/does/not/exist"]], ["signature-size": ["4"]],
        ["client-hints": ["maybe"]], ["cors-origin": ["a\nb"]],
    ])
    func `An invalid setting is refused`(flags: [String: [String]]) {
        #expect(throws: SettingError.self) { _ = try self.settings(flags) }
    }

    @Test func `Only public hosts are loaded by default`() throws {
        #expect(try settings([:]).routes.privateHosts.isEmpty)
        #expect(try settings([:]).routes.localRoot == nil)
    }
}
#endif
