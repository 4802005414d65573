import ArgumentParser
import EaselCore

/// What is made of a picture before it is written.
struct ConversionOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Write this format.", valueName: "format"))
    var format: OutputFormat?

    @Option(
        help: ArgumentHelp(
            "Write this frame of an animation, counted from 0, as it is shown; else all of them where the format holds them.",
            valueName: "number"))
    var frame: Int?

    @Option(help: ArgumentHelp("Scale down to this width.", valueName: "pixels"))
    var width: Int?

    @Option(help: ArgumentHelp("Scale down to this height.", valueName: "pixels"))
    var height: Int?

    @Option(help: ArgumentHelp("How to fill both: whole inside, cropped to fill, or stretched.", valueName: "fit"))
    var fit: Fit?

    /// How a picture fills a width and a height.
    enum Fit: String, ExpressibleByArgument, CaseIterable {
        /// The box full; what hangs over is cut off.
        case cover
        /// The whole picture, inside the box.
        case contain
        /// Exactly the box, proportions be damned.
        case fill
    }

    /// What `--format` takes.
    enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
        case png, jpeg, webp, gif, apng, avif, jxl, original
    }

    func validate() throws {
        for (name, side) in [("--width", width), ("--height", height)] {
            if let side, !(1...Self.longestSide).contains(side) {
                throw ValidationError("\(name) has to be from 1 to \(Self.longestSide).")
            }
        }
        if let frame, frame < 0 { throw ValidationError("--frame has to be 0 or more.") }
        if fit != nil, width == nil, height == nil { throw ValidationError("--fit needs --width or --height.") }
        if format == .original, changesPixels {
            throw ValidationError(
                "--format original writes files as they came: leave out --frame, --width and --height.")
        }
    }

    /// What these options come to.
    func conversion(coders: CoderRegistry) -> Conversion {
        Conversion(
            coders: coders, format: imageFormat, isOriginal: format == .original || (format == nil && !changesPixels),
            frame: frame, targetSize: targetSize, crop: fit == .cover ? box : nil)
    }

    /// Far more than any format can hold.
    private static let longestSide = 1_000_000

    private var changesPixels: Bool { frame != nil || width != nil || height != nil || fit != nil }

    /// Both sides, where both are given: with one, every fit means the same.
    private var box: PixelSize? {
        guard let width, let height else { return nil }
        return PixelSize(width, height)
    }

    private var targetSize: TargetSize {
        guard width != nil || height != nil else { return .original }
        let mode: TargetSize.ContentMode =
            switch box == nil ? .contain : fit ?? .contain {
            case .cover: .aspectFill
            case .contain: .aspectFit
            case .fill: .fill
            }
        // A missing side is one that never decides.
        return .pixels(width: width ?? Self.unbounded, height: height ?? Self.unbounded, mode: mode)
    }

    private static let unbounded = 1 << 40

    private var imageFormat: ImageFormat? {
        switch format {
        case .png: .png
        case .jpeg: .jpeg
        case .webp: .webp
        case .gif: .gif
        case .apng: .apng
        case .avif: .avif
        case .jxl: .jxl
        case .original, nil: nil
        }
    }
}
