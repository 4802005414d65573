#if Server
import EaselCore

extension ProcessingOptions {
    mutating func applyAppearance(_ name: OptionName, _ arguments: OptionArguments) throws(ImageURLError) {
        switch name {
        case .flip: try applyFlip(arguments)
        case .background: background = try arguments.background
        case .adjust: try applyAdjustments(arguments)
        case .colorMatrix: try applyColorMatrix(arguments)
        case .watermark: watermark = try Watermark(arguments)
        default:
            try arguments.check(count: 1...1)
            try applySingle(name, arguments)
        }
    }

    private mutating func applySingle(_ name: OptionName, _ arguments: OptionArguments) throws(ImageURLError) {
        switch name {
        case .autoRotate: appliesOrientation = try arguments.boolean()
        case .rotate: rotation = try arguments.rotation
        case .backgroundAlpha: backgroundAlpha = try arguments.number(in: 0...1)
        case .brightness: brightness = try arguments.integer(in: -255...255)
        case .contrast: contrast = try arguments.number(in: 0...127)
        case .saturation: saturation = try arguments.number(in: 0...127)
        case .blur: blur = try arguments.number(in: 0...1_000)
        case .sharpen: sharpen = try arguments.number(in: 0...1_000)
        case .pixelate: pixelate = try arguments.integer(in: 0...1_000_000)
        case .stripColorProfile: stripsColorProfile = try arguments.boolean()
        case .colorSpace: colorSpace = try arguments.colorSpace
        default: throw .unknownOption(arguments.name)
        }
    }

    private mutating func applyFlip(_ arguments: OptionArguments) throws(ImageURLError) {
        try arguments.check(count: 1...2)
        if arguments.has(0) { flipsHorizontally = try arguments.boolean(0) }
        if arguments.has(1) { flipsVertically = try arguments.boolean(1) }
    }

    private mutating func applyAdjustments(_ arguments: OptionArguments) throws(ImageURLError) {
        try arguments.check(count: 1...3)
        if arguments.has(0) { brightness = try arguments.integer(0, in: -255...255) }
        if arguments.has(1) { contrast = try arguments.number(1, in: 0...127) }
        if arguments.has(2) { saturation = try arguments.number(2, in: 0...127) }
    }

    private mutating func applyColorMatrix(_ arguments: OptionArguments) throws(ImageURLError) {
        try arguments.check(count: 20...20)
        var numbers: [Double] = []
        for index in 0..<20 { numbers.append(try arguments.number(index, in: -127...127)) }
        colorMatrix = numbers
    }
}

extension OptionArguments {
    fileprivate var rotation: Int {
        get throws(ImageURLError) {
            let angle = try integer(in: -1_000_000...1_000_000)
            guard angle % 90 == 0 else { throw invalid(0, "a multiple of 90") }
            return (angle % 360 + 360) % 360
        }
    }

    /// A color as hexadecimal digits or as three numbers; `nil` for an empty argument.
    fileprivate var background: ImageColor? {
        get throws(ImageURLError) {
            if values.count == 3 {
                return ImageColor(
                    red: UInt8(try integer(0, in: 0...255)), green: UInt8(try integer(1, in: 0...255)),
                    blue: UInt8(try integer(2, in: 0...255)))
            }
            try check(count: 1...1)
            return has(0) ? try color() : nil
        }
    }

    fileprivate var colorSpace: ColorSpace {
        get throws(ImageURLError) {
            switch text(0) {
            case "srgb", "sRGB": .sRGB
            case "p3", "display_p3": .displayP3
            default: throw invalid(0, "srgb or p3")
            }
        }
    }
}

extension ProcessingOptions.Watermark {
    fileprivate init(_ arguments: OptionArguments) throws(ImageURLError) {
        try arguments.check(count: 1...5)
        opacity = try arguments.number(0, in: 0...1)
        if arguments.has(1) {
            switch arguments.text(1) {
            case "re": isTiled = true
            case "ch": throw .unsupportedOption(arguments.name, "does not support the position `ch`")
            default: gravity.kind = try arguments.choice(1, except: ["sm", "fp"])
            }
        }
        if arguments.has(2) { gravity.x = try arguments.number(2, in: -1_000_000...1_000_000) }
        if arguments.has(3) { gravity.y = try arguments.number(3, in: -1_000_000...1_000_000) }
        if arguments.has(4) { scale = try arguments.number(4, in: 0...1_000) }
    }
}
#endif
