#if Server
import EaselCore

extension ProcessingOptions {
    mutating func applyFile(_ name: OptionName, _ arguments: OptionArguments) throws(ImageURLError) {
        switch name {
        case .formatQuality: try applyFormatQuality(arguments)
        case .jpegOptions: try applyJPEGOptions(arguments)
        default:
            try arguments.check(count: 1...1)
            try applySingle(name, arguments)
        }
    }

    private mutating func applySingle(_ name: OptionName, _ arguments: OptionArguments) throws(ImageURLError) {
        switch name {
        case .stripMetadata: stripsMetadata = try arguments.boolean()
        case .keepCopyright: keepsCopyright = try arguments.boolean()
        case .enforceThumbnail:
            if try arguments.boolean() {
                throw .unsupportedOption(arguments.name, "does not support embedded thumbnails")
            }
        case .quality:
            let quality = try arguments.integer(in: 0...100)
            self.quality = quality == 0 ? nil : quality
        case .maximumBytes:
            let count = try arguments.integer(in: 0...(1 << 40))
            maximumByteCount = count == 0 ? nil : count
        case .format: format = try arguments.writableFormat
        case .page: page = try arguments.integer(in: 0...1_000_000)
        case .pages:
            if try arguments.integer(in: 1...1_000_000) > 1 {
                throw .unsupportedOption(arguments.name, "does not support more than one page")
            }
        case .disableAnimation: isAnimationDisabled = try arguments.boolean()
        default: throw .unknownOption(arguments.name)
        }
    }

    private mutating func applyFormatQuality(_ arguments: OptionArguments) throws(ImageURLError) {
        try arguments.check(count: 2...32)
        guard arguments.values.count % 2 == 0 else {
            throw arguments.invalid(arguments.values.count - 1, "pairs of a format and a quality")
        }
        for index in stride(from: 0, to: arguments.values.count, by: 2) {
            formatQualities[try arguments.format(index)] = try arguments.integer(index + 1, in: 1...100)
        }
    }

    private mutating func applyJPEGOptions(_ arguments: OptionArguments) throws(ImageURLError) {
        try arguments.check(count: 1...6)
        if arguments.has(0) { isProgressive = try arguments.boolean(0) }
        if arguments.has(1) { hasFullChroma = try arguments.boolean(1) }
        for index in 2..<6 where arguments.has(index) {
            if index == 5 ? arguments.text(5) == "0" : try !arguments.boolean(index) { continue }
            throw .unsupportedOption(arguments.name, "supports only its first two arguments")
        }
    }
}

extension OptionArguments {
    fileprivate var writableFormat: ImageFormat {
        get throws(ImageURLError) {
            if text(0) == "best" { throw .unsupportedOption(name, "does not support `best`") }
            let format = try format()
            guard FormatName.writable.contains(format) else {
                throw .unsupportedOption(name, "does not support the format \(format.name)")
            }
            return format
        }
    }
}
#endif
