import EaselFoundation

extension ImageRequest {
    /// The key of the original file: the URL, and the user's identity if there is one.
    public var originalKey: CacheKey {
        storage.derive(\.originalKey) {
            if let primary = fields.primary { return primary.key }
            let suffix = identitySuffix
            let key = urlKey
            return suffix.isEmpty ? key : CacheKey(key.text + suffix, fileExtension: key.fileExtension)
        }
    }

    /// The key that all keys of this URL share: that of the original file without a user.
    var urlKey: CacheKey {
        CacheKey(
            cache.key ?? url.textWithoutUserAndFragment,
            fileExtension: isHTTP || url.isFileURL ? url.fileExtension : "")
    }

    /// The key of the requested image: that of the original, and every parameter that changes pixels.
    public var key: CacheKey {
        storage.derive(\.key) {
            let suffix = decodedSize.keySuffix + variantSuffix
            if suffix.isEmpty { return originalKey }
            // No URL in a key has a `#`, so that no original has the key of another's variant.
            let original = originalKey
            return CacheKey(original.text + "#" + suffix, fileExtension: original.fileExtension)
        }
    }

    /// The key of the image on disk. Its file contains one frame, and does not record whether there are more.
    var diskKey: CacheKey {
        guard options.contains(.decodeFirstFrameOnly), !isOriginal else { return key }
        let key = key
        return CacheKey(key.text + "-FirstFrame", fileExtension: key.fileExtension)
    }

    /// A key that all sizes of this image share. Nothing is stored under it.
    package var familyKey: CacheKey {
        storage.derive(\.familyKey) {
            CacheKey(originalKey.text + "#-AnySize" + variantSuffix, fileExtension: "")
        }
    }

    /// Whether the requested image is the whole original. Both then have the same key.
    var isOriginal: Bool {
        decodedSize == .original && frame == 0 && colorSpace == .sRGB && depth == .eight && hdrHeadroom == nil
            && transforms.isEmpty && coder == nil
    }

    /// The size for the decoder.
    var decodedSize: TargetSize {
        guard targetSize == .original, options.contains(.scaleDownLargeImages) else { return targetSize }
        return .scaledDown(bytes: Self.largeImageBytes)
    }

    /// The pixels per point: two for `name@2x.png`.
    var resultScale: Double {
        if let scale { return scale }
        // Avoids parsing most URLs. The name may be percent-encoded.
        guard url.absoluteString.has("@") || url.absoluteString.has("%") else { return 1 }
        let name = url.lastPathComponent
        return name.contains("@2x.") ? 2 : name.contains("@3x.") ? 3 : 1
    }

    var isHTTP: Bool {
        let scheme = url.scheme?.lowercased()
        return scheme == "http" || scheme == "https"
    }

    /// Whether the image can be an animation.
    var wantsAnimation: Bool { frame == 0 && !options.contains(.decodeFirstFrameOnly) }

    /// Whether the download may end before the end of the file.
    var mayStopEarly: Bool { options.contains(.stopWhenSufficient) && decodedSize != .original && frame == 0 }

    /// The URL without its fragment, which is not sent to servers.
    var urlWithoutFragment: URL {
        guard isHTTP, let hash = url.absoluteString.firstIndex(of: "#") else { return url }
        return URL(string: String(url.absoluteString[..<hash])) ?? url
    }

    /// 60 MB of pixels.
    private static let largeImageBytes = 60 << 20

    /// The parameters that change pixels, except the size.
    private var variantSuffix: String {
        var suffix = ""
        if frame != 0 { suffix += "-Frame(\(frame))" }
        if colorSpace != .sRGB { suffix += "-Colors(\(colorSpace.rawValue))" }
        if depth != .eight { suffix += "-Depth(16)" }
        if let hdrHeadroom { suffix += "-Headroom(\(hdrHeadroom))" }
        if options.contains(.allowPartial) { suffix += "-Partial" }
        if mayStopEarly { suffix += "-Sufficient" }
        if let coder { suffix += "-Coder(\(Self.lengthPrefixed(coder.name ?? "")))" }
        // The original file itself is not encoded.
        if !isOriginal, let encoding = cache.encoding { suffix += "-Encoded(\(encoding.keyText))" }
        return suffix + transforms.keySuffix
    }

    /// The user's identity, and the hooks that change the file. A digest, because keys are logged and these are secret.
    private var identitySuffix: String {
        var parts: [String] = []
        if !http.headers.fields.isEmpty {
            for name in ["Authorization", "Cookie"] + http.identityHeaders.sorted() {
                parts += http.headers.all(name).map { name.lowercased() + ":" + $0 }
            }
        }
        if http.headers["Authorization"] == nil, let credential = http.credential ?? HTTPCredential(url) {
            // The text of an equal header.
            parts.append("authorization:" + (credential.authorization ?? "\(credential)"))
        }
        if let certificate = http.security.clientCertificate {
            parts.append("certificate:" + certificate.certificateFile)
        }
        if http.handlesCookies { parts.append("cookies") }
        func add(_ kind: String, _ name: String?) {
            if let name { parts.append("\(kind):" + Self.lengthPrefixed(name)) }
        }
        add("loader", loader?.name)
        add("request", http.requestModifier?.name)
        add("response", http.responseModifier?.name)
        add("decryptor", http.decryptor?.name)
        add("serializer", cache.serializer?.name)
        for text in extras.keyTexts { add("extra", text) }
        return parts.isEmpty ? "" : "#\(CacheKey.identity)\(Digest(of: parts.joined(separator: "\n")).text))"
    }

    /// Returns a text after its length, so that no content can end it early.
    private static func lengthPrefixed(_ text: String) -> String { "\(text.utf8.count):\(text)" }
}

extension URL {
    /// `pathExtension`, without parsing the URL again if its last component is simple.
    fileprivate var fileExtension: String {
        let plain = absoluteString.withBytes { text -> String? in
            let path = text.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
            // The first two slashes are those of the host.
            guard let first = path.firstIndex(of: UInt8(ascii: "/")), let last = path.lastIndex(of: UInt8(ascii: "/")),
                last > first + 1
            else { return nil }
            let name = path[(last + 1)...]
            guard !name.isEmpty, !name.contains(UInt8(ascii: "%")) else { return nil }
            guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return "" }
            let letters = name[(dot + 1)...]
            let isPlain = letters.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) }
            return dot > name.startIndex && isPlain && !letters.isEmpty ? String(decoding: letters, as: UTF8.self) : nil
        }
        return plain ?? pathExtension
    }

    /// The text without user, password and fragment, which are not part of a request's URL.
    var textWithoutUserAndFragment: String {
        let text = absoluteString
        // Avoids parsing most URLs.
        let hash = text.has("#") ? text.utf8.firstIndex(of: UInt8(ascii: "#")) : nil
        let whole = hash.map { String(text[..<$0]) } ?? text
        guard whole.has("@"), user != nil, var parts = URLComponents(string: whole) else { return whole }
        parts.user = nil
        parts.password = nil
        return parts.string ?? whole
    }
}

extension EncodeOptions {
    /// Every field.
    fileprivate var keyText: String {
        let color = [background.blue, background.green, background.red, background.alpha].map { "\($0)" }
        var parts = ["\(quality)", color.joined(separator: "."), "\(isLossless)", "\(isProgressive)"]
        if let size = maximumPixelSize { parts.append("\(size.width)x\(size.height)") }
        if let count = maximumByteCount { parts.append("\(count)B") }
        if let effort { parts.append("effort:\(effort)") }
        if let chromaSubsampling { parts.append("chroma:\(chromaSubsampling.rawValue)") }
        if optimizesHuffmanTables { parts.append("optimized") }
        if let compressionLevel { parts.append("level:\(compressionLevel)") }
        if let metadata { parts += ["exif:\(Self.digest(metadata.exif))", "xmp:\(Self.digest(metadata.xmp))"] }
        return parts.joined(separator: ",")
    }

    private static func digest(_ data: Data?) -> String {
        guard let data else { return "none" }
        let digest = data.withUnsafeBytes { MD5.digest($0) }
        return String(digest.high, radix: 16) + "-" + String(digest.low, radix: 16)
    }
}
