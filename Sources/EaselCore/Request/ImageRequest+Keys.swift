import EaselFoundation

extension ImageRequest {
    /// The key of the original file: the URL, and who asks where that matters (S057, B26).
    public var originalKey: CacheKey {
        storage.originalKey {
            CacheKey(originalKeyText, fileExtension: url.isFileURL || isHTTP ? Self.pathExtension(of: url) : "")
        }
    }

    /// The key of the picture as asked for: the original's, and every parameter that changes pixels (X044, R006).
    public var key: CacheKey {
        storage.key {
            let suffix = decodedSize.keySuffix + restOfKeySuffix
            if suffix.isEmpty { return originalKey }
            // No URL in a key has a `#`: none can be mistaken for another's variant.
            let original = originalKey
            return CacheKey(original.text + "#" + suffix, fileExtension: original.fileExtension)
        }
    }

    /// The key of the picture on disk. A file there holds one frame, and does not tell whether there were more.
    var diskKey: CacheKey {
        guard options.contains(.decodeFirstFrameOnly), !isOriginal else { return key }
        let key = key
        return CacheKey(key.text + "-FirstFrame", fileExtension: key.fileExtension)
    }

    /// What the keys of this picture in all its sizes have in common. Nothing is stored under it.
    public var familyKey: CacheKey {
        CacheKey(originalKey.text + "#-AnySize" + restOfKeySuffix, fileExtension: "")
    }

    /// Whether the picture as asked for is the original file, decoded whole: both keys are then one, and so is the store (X053 is not copied).
    var isOriginal: Bool {
        decodedSize == .original && frame == 0 && colorSpace == .sRGB && depth == .eight && transforms.isEmpty
            && coder == nil
    }

    /// The size that a decoder is asked for.
    var decodedSize: TargetSize {
        guard targetSize == .original, options.contains(.scaleDownLargeImages) else { return targetSize }
        return .scaledDown(bytes: Self.largeImageBytes)
    }

    /// Pixels a point.
    var resultScale: Double { scale ?? Self.scale(inNameOf: url) }

    var isHTTP: Bool {
        url.absoluteString.withBytes { bytes in
            guard bytes.count > 4, bytes[0] | 0x20 == UInt8(ascii: "h"), bytes[1] | 0x20 == UInt8(ascii: "t"),
                bytes[2] | 0x20 == UInt8(ascii: "t"), bytes[3] | 0x20 == UInt8(ascii: "p")
            else { return false }
            let end = bytes[4] | 0x20 == UInt8(ascii: "s") ? 5 : 4
            return bytes.count > end && bytes[end] == UInt8(ascii: ":")
        }
    }

    /// Whether all frames of an animation are wanted.
    var wantsAnimation: Bool { frame == 0 && !options.contains(.decodeFirstFrameOnly) }

    /// What a server is asked for: a fragment never reaches it (R004).
    var urlWithoutFragment: URL {
        guard isHTTP, url.fragment != nil, let hash = url.absoluteString.firstIndex(of: "#") else { return url }
        return URL(string: String(url.absoluteString[..<hash])) ?? url
    }

    /// X157: 60 MB of pixels.
    private static let largeImageBytes = 60 << 20

    private var originalKeyText: String {
        (cache.key ?? Self.withoutUserAndFragment(url)) + identitySuffix
    }

    /// The parameters that change pixels, but for the size.
    private var restOfKeySuffix: String {
        frameSuffix + colorSuffix + depthSuffix + partialSuffix + coderSuffix + encodingSuffix + transforms.keySuffix
    }

    private var frameSuffix: String { frame == 0 ? "" : "-Frame(\(frame))" }

    private var colorSuffix: String { colorSpace == .sRGB ? "" : "-Colors(\(colorSpace.rawValue))" }

    private var depthSuffix: String { depth == .eight ? "" : "-Depth(16)" }

    private var coderSuffix: String { coder.map { "-Coder(\(Self.counted($0.name ?? "")))" } ?? "" }

    /// A picture that is simply the file is not encoded.
    private var encodingSuffix: String {
        guard !isOriginal, let encoding = cache.encoding else { return "" }
        return "-Encoded(\(encoding.keyText))"
    }

    private var partialSuffix: String {
        (options.contains(.allowPartial) ? "-Partial" : "") + (mayStopEarly ? "-Sufficient" : "")
    }

    /// Whether a part of the file may be all that is loaded: only less than the whole picture can be had of that.
    var mayStopEarly: Bool { options.contains(.stopWhenSufficient) && decodedSize != .original && frame == 0 }

    /// A password is no part of a text that may be shown: it goes into the identity. Few URLs have one, and only they are
    /// taken apart.
    private static func withoutUserAndFragment(_ url: URL) -> String {
        let text = url.absoluteString
        let hash = text.has("#") ? text.utf8.firstIndex(of: UInt8(ascii: "#")) : nil
        let whole = hash.map { String(text[..<$0]) } ?? text
        guard whole.has("@"), url.user != nil, var parts = URLComponents(string: whole) else {
            return whole
        }
        parts.user = nil
        parts.password = nil
        return parts.string ?? whole
    }

    /// Who asks, where that is known. Hashed, because a key may be logged and shown, and these are secrets.
    private var identitySuffix: String {
        if isAnonymous { return "" }
        let names = ["Authorization", "Cookie"] + http.identityHeaders.sorted()
        var parts = names.flatMap { name in http.headers.all(name).map { name.lowercased() + ":" + $0 } }
        if http.headers["Authorization"] == nil, let credential = http.credential ?? HTTPCredential(url) {
            // A header that says the same is the same person.
            parts.append("authorization:" + (credential.authorization ?? "\(credential)"))
        }
        if let certificate = http.security.clientCertificate {
            parts.append("certificate:" + certificate.certificateFile)
        }
        if http.handlesCookies || options.contains(.handleCookies) { parts.append("cookies") }
        parts += hookTexts + extras.keyTexts.map { "extra:" + Self.counted($0) }
        return parts.isEmpty ? "" : "#Identity(\(CacheKey(parts.joined(separator: "\n"), fileExtension: "").fileName))"
    }

    /// Whether nothing is set that could tell who asks, as for almost all requests: what follows costs more than a memory hit.
    private var isAnonymous: Bool {
        storage.fields.http.isAnonymous && loader == nil && storage.fields.cache.serializer == nil
            && !options.contains(.handleCookies) && extras == RequestExtras() && !url.absoluteString.has("@")
    }

    /// As `url.pathExtension`, which takes several times as long.
    private static func pathExtension(of url: URL) -> String {
        url.absoluteString.withBytes(plainExtension) ?? url.pathExtension
    }

    /// The extension of a URL whose last part is plain: nothing but letters and digits behind its dot, if it has one.
    private static func plainExtension(of text: UnsafeBufferPointer<UInt8>) -> String? {
        var (slashes, name, dot, end) = (0, 0, -1, text.count)
        for (place, byte) in text.enumerated() {
            switch byte {
            case UInt8(ascii: "/"): (slashes, name, dot) = (slashes + 1, place + 1, -1)
            case UInt8(ascii: "."): dot = place
            case UInt8(ascii: "%"): return nil
            case UInt8(ascii: "?"), UInt8(ascii: "#"): end = place
            default: break
            }
            if end < text.count { break }
        }
        // The first two slashes stand before the host.
        guard slashes > 2, name < end else { return nil }
        guard dot >= 0 else { return "" }
        let letters = text[(dot + 1)..<end]
        let isPlain = letters.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) }
        return dot > name && isPlain && !letters.isEmpty ? String(decoding: letters, as: UTF8.self) : nil
    }

    /// What changes the file that is loaded, or the one that is kept of it.
    private var hookTexts: [String] {
        let names = [
            ("loader", loader?.name), ("request", http.requestModifier?.name),
            ("response", http.responseModifier?.name),
            ("decryptor", http.decryptor?.name), ("serializer", cache.serializer?.name),
        ]
        return names.compactMap { kind, name in name.map { "\(kind):" + Self.counted($0) } }
    }

    /// A text that ends where it says, whatever is in it.
    private static func counted(_ text: String) -> String { "\(text.utf8.count):\(text)" }

    /// `name@2x.png` means two pixels a point (X026).
    private static func scale(inNameOf url: URL) -> Double {
        // Few names have one, written out or escaped. To take each apart and search it costs more than a memory hit's lookup.
        let text = url.absoluteString
        guard text.has("@") || text.has("%") else { return 1 }
        let name = url.lastPathComponent
        if name.contains("@2x.") { return 2 }
        if name.contains("@3x.") { return 3 }
        return 1
    }
}

extension ImageRequest.HTTP {
    /// Whether nothing of it tells who asks, or changes what comes.
    fileprivate var isAnonymous: Bool {
        headers.fields.isEmpty && credential == nil && !handlesCookies && security.clientCertificate == nil
            && requestModifier == nil && responseModifier == nil && decryptor == nil
    }
}

extension EncodeOptions {
    /// Every field.
    fileprivate var keyText: String {
        let color = [background.blue, background.green, background.red, background.alpha].map { "\($0)" }
        var parts = ["\(quality)", color.joined(separator: "."), "\(isLossless)", "\(isProgressive)"]
        if let size = maximumPixelSize { parts.append("\(size.width)x\(size.height)") }
        if let count = maximumByteCount { parts.append("\(count)B") }
        if let metadata { parts += ["exif:\(Self.digest(metadata.exif))", "xmp:\(Self.digest(metadata.xmp))"] }
        return parts.joined(separator: ",")
    }

    /// Bytes of any number, as a text of a few.
    private static func digest(_ data: Data?) -> String {
        guard let data else { return "none" }
        let digest = data.withUnsafeBytes { MD5.digest($0) }
        return String(digest.high, radix: 16) + "-" + String(digest.low, radix: 16)
    }
}
