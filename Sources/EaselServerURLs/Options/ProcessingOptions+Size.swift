#if Server
import EaselCore

extension ProcessingOptions {
    /// The longest side that a URL can ask for. The server's limit of pixels is usually reached first.
    private static let sides = 0...1_000_000

    /// The factors that sizes are multiplied by.
    private static let factors = 0.001...1_000.0

    mutating func applySize(_ name: OptionName, _ arguments: OptionArguments) throws(ImageURLError) {
        switch name {
        case .resize: try applyResize(arguments)
        case .size: try applySize(arguments)
        case .zoom: try applyZoom(arguments)
        case .extend: extends = try Extension(arguments)
        case .extendAspectRatio: extendsAspectRatio = try Extension(arguments)
        case .gravity: gravity = try Gravity(arguments)
        case .crop: crop = try Crop(arguments)
        case .trim: trim = try Trim(arguments)
        case .padding: padding = try Padding(arguments)
        default:
            try arguments.check(count: 1...1)
            try applySingle(name, arguments)
        }
    }

    private mutating func applySingle(_ name: OptionName, _ arguments: OptionArguments) throws(ImageURLError) {
        switch name {
        case .resizingType: resizing = try arguments.choice()
        case .width: width = try arguments.integer(in: Self.sides)
        case .height: height = try arguments.integer(in: Self.sides)
        case .minimumWidth: minimumWidth = try arguments.integer(in: Self.sides)
        case .minimumHeight: minimumHeight = try arguments.integer(in: Self.sides)
        case .pixelRatio: pixelRatio = try arguments.number(in: Self.factors)
        case .enlarge: enlarges = try arguments.boolean()
        default: throw .unknownOption(arguments.name)
        }
    }

    private mutating func applyResize(_ arguments: OptionArguments) throws(ImageURLError) {
        try arguments.check(count: 1...8)
        if arguments.has(0) { resizing = try arguments.choice() }
        if arguments.values.count > 1 { try applySize(arguments.dropping(1)) }
    }

    private mutating func applySize(_ arguments: OptionArguments) throws(ImageURLError) {
        try arguments.check(count: 1...7)
        if arguments.has(0) { width = try arguments.integer(0, in: Self.sides) }
        if arguments.has(1) { height = try arguments.integer(1, in: Self.sides) }
        if arguments.has(2) { enlarges = try arguments.boolean(2) }
        if arguments.has(3) { extends = try Extension(arguments.dropping(3)) }
    }

    private mutating func applyZoom(_ arguments: OptionArguments) throws(ImageURLError) {
        try arguments.check(count: 1...2)
        zoomWidth = try arguments.number(0, in: Self.factors)
        zoomHeight = arguments.values.count == 2 ? try arguments.number(1, in: Self.factors) : zoomWidth
    }
}

extension ProcessingOptions.Gravity {
    /// Reads a kind and two offsets or coordinates.
    ///
    /// - Parameter allowsSmart: whether the content of the image can decide.
    init(_ arguments: OptionArguments, allowsSmart: Bool = true) throws(ImageURLError) {
        if ["obj", "objw"].contains(arguments.text(0)) {
            throw .unsupportedOption(arguments.name, "does not support the detection of objects")
        }
        kind = try arguments.choice(except: allowsSmart ? [] : [Kind.smart.rawValue])
        switch kind {
        case .smart: try arguments.check(count: 1...1)
        case .focusPoint: try arguments.check(count: 3...3)
        default: try arguments.check(count: 1...3)
        }
        let range = kind == .focusPoint ? 0...1 : -1_000_000...1_000_000.0
        if arguments.values.count > 1 { x = try arguments.number(1, in: range) }
        if arguments.values.count > 2 { y = try arguments.number(2, in: range) }
    }
}

extension ProcessingOptions.Extension {
    fileprivate init(_ arguments: OptionArguments) throws(ImageURLError) {
        try arguments.check(count: 1...4)
        isEnabled = try arguments.boolean()
        if arguments.has(1) { gravity = try .init(arguments.dropping(1), allowsSmart: false) }
    }
}

extension ProcessingOptions.Crop {
    fileprivate init(_ arguments: OptionArguments) throws(ImageURLError) {
        try arguments.check(count: 1...5)
        width = try arguments.number(0, in: 0...1_000_000)
        if arguments.values.count > 1 { height = try arguments.number(1, in: 0...1_000_000) }
        if arguments.values.count > 2 { gravity = try .init(arguments.dropping(2)) }
    }
}

extension ProcessingOptions.Trim {
    fileprivate init(_ arguments: OptionArguments) throws(ImageURLError) {
        try arguments.check(count: 1...4)
        if arguments.has(0) { tolerance = try arguments.number(0, in: 0...255) }
        if arguments.has(1) { color = try arguments.color(1) }
        if arguments.has(2) { isEqualHorizontally = try arguments.boolean(2) }
        if arguments.has(3) { isEqualVertically = try arguments.boolean(3) }
    }
}

extension ProcessingOptions.Padding {
    /// Reads edges in the order of CSS. One that is missing equals the opposite one, or the top.
    fileprivate init(_ arguments: OptionArguments) throws(ImageURLError) {
        try arguments.check(count: 1...4)
        func edge(_ index: Int, else other: Int) throws(ImageURLError) -> Int {
            arguments.has(index) ? try arguments.integer(index, in: 0...1_000_000) : other
        }
        top = try edge(0, else: 0)
        right = try edge(1, else: top)
        bottom = try edge(2, else: top)
        left = try edge(3, else: right)
    }
}
#endif
