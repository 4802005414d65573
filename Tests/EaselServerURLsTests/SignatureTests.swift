#if Server
import EaselServerURLs
import Testing

@Suite("Server URLs: signatures")
struct SignatureTests {
    /// Paths that imgproxy's clients for Python made: imgproxy 1.0.0, and pyimgproxy 0.4 from the fifth on.
    static let vectors = [
        "/ec5ccTfMVKESUn5INyfQ_QS62aSyQWk3Z4J5DpYcAWg/q:75/dpr:2/g:ce/rs:fit:512:512:0/\(Paths.base64).webp",
        "/cZhA-BBcKGh_AzJSYZa9tNnbbBDCJ5YFkpH4pmjqFM8/g:sm/rs:fill:300:400:1/\(Paths.base64)",
        "/3EDZ2FoTCG0vd-1GlgzuWNypgjHoNs_LfMsoDpb7RFw/bl:1.5/bg:ff0000/pd:10:20/g:ce/rs:auto:100:0:0/"
            + "\(Paths.base64).png",
        "/BbUvbIQidqxVYTWPZcnjgBND_34hOpxW5HFqH-_qIyU/g:ce/rs:auto:7:8:0/aHR0cHM6Ly9leGFtcGxlLmNvbS9hIGI_eD3DvA",
        "/PkR4x_yz-WETD6HivYuZKTKXYaL18q7zoKGIfJ0ffHA/resize:fit:512:512/quality:75/dpr:2/blur:1.5/plain/"
            + Paths.source,
        "/LSJjqSuXxwDvwrGg3raM95H3udjjYQYwCeRZlOaDJLo/resize:fill-down:300:200::True:no/auto_rotate:False/plain/"
            + Paths.source,
        "/BvDl_FWJ072eeYI3KdQMDTxTZsdoq8AGrUCkYwzSlZk/crop:0.5:100:fp:0.25:0.75/rotate:90/background:fff/plain/"
            + Paths.source,
        "/-RbbjqvQ_uNPnvyIGh0Dmqizt0llgQTsfInU-UiVBKo/size:100/trim:10:FF00FF:True/padding:1:2:3:4/"
            + "aHR0cHM6Ly9leGFtcGxlLmNvbS9hIGIuanBn",
        "/DWKUlYAK1IACRS8dDzaRxnidg57FmvlNvFY_u71iVUA/background:1:2:3/adjust:10:1.5:0.5/pixelate:4/sharpen:0.7/plain/"
            + Paths.source,
        "/WqN-jOvq-bPiGmTSwcMoSdmoE15P70oLht254rQOvWo/zoom:1.5:2/min-width:10/min-height:20/enlarge:True/"
            + "gravity:soea:10:0.1/plain/\(Paths.source)",
        "/6ZC6_9pLNSy_kx_Zt0m6H5UMIM8wgXtK_mgcnI_SDZM/resize:fit:512:512/quality:75/format:webp/\(Paths.base64)",
    ]

    @Test("the URLs of imgproxy's clients are valid", arguments: vectors)
    func clients(_ path: String) throws {
        let url = try ImageURL(rawPath: path, rules: Paths.signed())
        #expect(url.source.hasPrefix("https://example.com/"))
    }

    @Test("a path with one other byte is refused", arguments: vectors)
    func tampered(_ path: String) throws {
        let rules = try Paths.signed()
        var bytes = Array(path.utf8)
        for index in stride(from: 1, to: bytes.count, by: 3) where bytes[index] != UInt8(ascii: "/") {
            bytes[index] ^= 1
            let changed = String(decoding: bytes, as: UTF8.self)
            #expect(throws: ImageURLError.self) { try ImageURL(rawPath: changed, rules: rules) }
            bytes[index] ^= 1
        }
    }

    @Test("the signature is over the bytes of the path before they are decoded")
    func raw() throws {
        let key = try SigningKey(hexadecimalKey: Paths.key, salt: Paths.salt)
        let encoded = "/w:10/plain/https://example.com/a%20b.jpg"
        let url = try ImageURL(rawPath: "/\(key.signature(of: encoded))\(encoded)", rules: Paths.signed())
        #expect(url.source == "https://example.com/a b.jpg")
        let other = "/w:10/plain/https://example.com/%61%20b.jpg"
        #expect(throws: ImageURLError.self) {
            try ImageURL(rawPath: "/\(key.signature(of: encoded))\(other)", rules: Paths.signed())
        }
    }

    @Test("every one of several keys is valid")
    func rotation() throws {
        let keys = [SigningKey(key: [1, 2], salt: [3]), SigningKey(key: [4], salt: [])]
        var rules = URLRules()
        rules.keys = keys
        let path = "/w:10/plain/\(Paths.source)"
        for key in keys {
            let url = try ImageURL(rawPath: "/\(key.signature(of: path))\(path)", rules: rules)
            #expect(url.options.width == 10)
        }
        rules.keys = [keys[1]]
        #expect(throws: ImageURLError.self) {
            try ImageURL(rawPath: "/\(keys[0].signature(of: path))\(path)", rules: rules)
        }
    }

    @Test("a truncated signature has exactly the length of the rules")
    func truncated() throws {
        var rules = try Paths.signed()
        rules.signatureByteCount = 16
        let path = "/w:10/plain/\(Paths.source)"
        for count in [15, 16, 17, 32] {
            let signature = rules.keys[0].signature(of: path, byteCount: count)
            let url = try? ImageURL(rawPath: "/\(signature)\(path)", rules: rules)
            #expect((url != nil) == (count == 16))
        }
    }

    @Test("a signature of fewer than eight bytes is never valid")
    func tooShort() throws {
        var rules = try Paths.signed()
        rules.signatureByteCount = 1
        let path = "/w:10/plain/\(Paths.source)"
        let signature = rules.keys[0].signature(of: path, byteCount: 1)
        #expect(throws: ImageURLError.self) { try ImageURL(rawPath: "/\(signature)\(path)", rules: rules) }
    }

    @Test("unsigned URLs are valid only if they are allowed", arguments: ["unsafe", "insecure", "_"])
    func unsigned(_ signature: String) throws {
        let path = "/\(signature)/w:10/plain/\(Paths.source)"
        #expect(try ImageURL(rawPath: path, rules: Paths.unsigned).options.width == 10)
        for rules in [URLRules(), try Paths.signed()] {
            let error = #expect(throws: ImageURLError.self) { try ImageURL(rawPath: path, rules: rules) }
            #expect(error?.status == 403)
            #expect(error?.code == "invalidSignature")
        }
    }

    @Test("without a key nothing else is a signature", arguments: ["", "anything", "AAAA", "unsafe2", "UNSAFE"])
    func noSignature(_ signature: String) {
        let path = "/\(signature)/w:10/plain/\(Paths.source)"
        #expect(throws: ImageURLError.self) { try ImageURL(rawPath: path, rules: Paths.unsigned) }
    }

    @Test("an invalid signature is reported before anything else about the URL")
    func order() throws {
        let rules = try Paths.signed()
        let error = #expect(throws: ImageURLError.self) {
            try ImageURL(rawPath: "/AAAA/nonsense:1/plain/x", rules: rules)
        }
        #expect(error?.status == 403)
    }

    @Test("a description is signed like an image")
    func info() throws {
        let rules = try Paths.signed()
        let path = "/plain/\(Paths.source)"
        let url = try ImageURL(rawPath: "/info/\(rules.keys[0].signature(of: path))\(path)", rules: rules)
        #expect(url.kind == .info)
        #expect(throws: ImageURLError.self) { try ImageURL(rawPath: "/info/unsafe\(path)", rules: rules) }
    }

    @Test(
        "keys that are not hexadecimal are refused",
        arguments: [("", "aa"), ("abc", ""), ("xy", ""), ("aa", "b"), ("0x11", "aa")])
    func invalidKey(_ key: String, _ salt: String) {
        #expect(throws: ImageURLError.self) { try SigningKey(hexadecimalKey: key, salt: salt) }
    }
}
#endif
