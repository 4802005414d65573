#if Server
import EaselCore

extension ProcessingOptions {
    /// Applies options in order.
    ///
    /// - Parameter rules: what a URL may ask for; `nil` for a preset, which may ask for all.
    mutating func apply(_ options: [OptionArguments], presets: Presets, rules: URLRules?) throws(ImageURLError) {
        for arguments in options {
            guard let name = OptionName(arguments.name) else {
                if OptionName.unsupported.contains(arguments.name) { throw .unsupportedOption(arguments.name) }
                throw .unknownOption(arguments.name)
            }
            if let rules {
                if let allowed = rules.allowedOptions, !allowed.names.contains(name) {
                    throw .forbiddenOption(arguments.name)
                }
                if name.isLimit, !rules.allowsLimitOptions { throw .forbiddenOption(arguments.name) }
            }
            if name == .preset {
                try arguments.check(count: 1...32)
                for preset in arguments.values {
                    try apply(presets.options(of: preset), presets: presets, rules: nil)
                }
            } else {
                try apply(name, arguments)
            }
        }
    }

    private mutating func apply(_ name: OptionName, _ arguments: OptionArguments) throws(ImageURLError) {
        switch name {
        case .resize, .size, .resizingType, .width, .height, .minimumWidth, .minimumHeight, .zoom, .pixelRatio,
            .enlarge, .extend, .extendAspectRatio, .gravity, .crop, .trim, .padding:
            try applySize(name, arguments)
        case .autoRotate, .rotate, .flip, .background, .backgroundAlpha, .adjust, .brightness, .contrast,
            .saturation, .colorMatrix, .blur, .sharpen, .pixelate, .watermark, .colorSpace, .stripColorProfile:
            try applyAppearance(name, arguments)
        case .stripMetadata, .keepCopyright, .enforceThumbnail, .quality, .formatQuality, .maximumBytes, .jpegOptions,
            .format, .page, .pages, .disableAnimation:
            try applyFile(name, arguments)
        case .skipProcessing, .raw, .cacheBuster, .expires, .filename, .returnAttachment, .fallbackImage, .preset,
            .sourceResolution, .sourceBytes, .animationFrames, .frameResolution, .resultDimension:
            try applyHandling(name, arguments)
        }
    }

    /// Sets the format that the extension of the source names.
    mutating func applyExtension(_ name: String) throws(ImageURLError) {
        try applyFile(.format, OptionArguments(name: "extension", values: [name]))
    }
}

// MARK: - Source, limits and response

extension ProcessingOptions {
    private mutating func applyHandling(_ name: OptionName, _ arguments: OptionArguments) throws(ImageURLError) {
        try arguments.check(count: name == .filename ? 1...2 : name == .skipProcessing ? 1...32 : 1...1)
        switch name {
        case .skipProcessing:
            for index in arguments.values.indices { skippedFormats.insert(try arguments.format(index)) }
        case .raw: isRaw = try arguments.boolean()
        case .cacheBuster: cacheBuster = arguments.text(0)
        case .expires: expires = try arguments.expiry
        case .filename: filename = try arguments.filename
        case .returnAttachment: isAttachment = try arguments.boolean()
        case .fallbackImage:
            let source = try arguments.base64()
            fallback = source.isEmpty ? nil : try SourceLocation(source)
            fallbackSource = source.isEmpty ? nil : source
        default: try limits.apply(name, arguments)
        }
    }
}

extension OptionArguments {
    /// A time in seconds since 1970, or `nil` for 0, which sets none.
    var expiry: Int? {
        get throws(ImageURLError) {
            let seconds = try integer(in: 0...(1 << 40))
            return seconds == 0 ? nil : seconds
        }
    }

    /// The name of a file, which is text or base 64.
    fileprivate var filename: String {
        get throws(ImageURLError) {
            let name = has(1) ? (try boolean(1) ? try base64() : text(0)) : text(0)
            let isValid =
                !name.isEmpty && name.utf8.count <= 255
                && name.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != 0x2F && $0 != 0x5C }
            guard isValid else { throw invalid(0, "a name of 1 to 255 bytes without slashes and control characters") }
            return name
        }
    }
}

extension ProcessingOptions.LimitOptions {
    mutating func apply(_ name: OptionName, _ arguments: OptionArguments) throws(ImageURLError) {
        /// Megapixels, with a fraction.
        func pixels() throws(ImageURLError) -> Int { Int(try arguments.number(in: 0...10_000) * 1_000_000) }
        switch name {
        case .sourceResolution: sourcePixels = try pixels()
        case .sourceBytes: sourceBytes = try arguments.integer(in: 0...(1 << 40))
        case .animationFrames: frames = try arguments.integer(in: 1...1_000_000)
        case .frameResolution: framePixels = try pixels()
        case .resultDimension: resultSide = try arguments.integer(in: 1...1_000_000)
        default: throw .unknownOption(arguments.name)
        }
    }
}
#endif
