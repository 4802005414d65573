#if Server
import EaselCore

/// The changes of a decoded image, in the order of imgproxy: rotate, crop, scale, cut to the result, filter, extend,
/// pad, fill the background, place the watermark.
struct ProcessingSteps {
    let options: ProcessingOptions
    let geometry: ImageGeometry
    let watermark: WatermarkImage?
    /// Whether the image is one frame of an animation, all of which have to be cut alike.
    let isAnimated: Bool
    private(set) var transforms: [ImageTransform] = []
    /// The size after the transforms so far.
    private(set) var size: PixelSize

    /// - Parameters:
    ///   - size: the size that the image has, after its orientation.
    ///   - isScaled: whether the image is decoded at the factors of the geometry.
    init(
        _ options: ProcessingOptions, _ geometry: ImageGeometry, size: PixelSize, isScaled: Bool,
        watermark: WatermarkImage?, isAnimated: Bool
    ) {
        self.options = options
        self.geometry = geometry
        self.watermark = watermark
        self.isAnimated = isAnimated
        self.size = size
        rotate()
        crop(isScaled: isScaled)
        if !isScaled { scale() }
        cutToResult()
        filter()
        extend()
        if let background = options.backgroundColor { transforms.append(.background(background)) }
        if let placement = options.watermark, let watermark {
            transforms.append(ImageTransform(WatermarkTransform(placement, watermark, geometry.pixelRatio)))
        }
    }

    private mutating func rotate() {
        if options.rotation != 0 {
            // Easel rotates counter-clockwise.
            transforms.append(.rotate(degrees: Double(360 - options.rotation)))
            if options.rotation % 180 != 0 { size = PixelSize(size.height, size.width) }
        }
        if options.flipsHorizontally { transforms.append(.flip(.horizontal)) }
        if options.flipsVertically { transforms.append(.flip(.vertical)) }
    }

    /// Cuts the area out of the source, or out of the scaled source.
    private mutating func crop(isScaled: Bool) {
        guard geometry.crop != geometry.source else { return }
        let gravity = options.crop?.gravity ?? options.gravity
        let area = isScaled ? geometry.scaled : geometry.crop
        if isSmart(gravity) { return cutSmartly(to: area) }
        // Offsets are pixels of the source.
        let position = gravity.position(of: geometry.crop, in: geometry.source, pixelRatio: 1)
        func scaled(_ value: Int, _ factor: Double, _ free: Int) -> Int {
            isScaled ? min(max(0, Int(length: Double(value) * factor)), free) : value
        }
        cut(
            to: area,
            at: PixelPosition(
                x: scaled(position.x, geometry.scale.width, size.width - area.width),
                y: scaled(position.y, geometry.scale.height, size.height - area.height)))
    }

    private mutating func scale() {
        guard geometry.scaled != size else { return }
        transforms.append(.resize(.pixels(geometry.scaled, mode: .fill), upscaling: true))
        size = geometry.scaled
    }

    private mutating func cutToResult() {
        let requested = geometry.resultCrop
        let part = PixelSize(
            requested.width == 0 ? size.width : min(size.width, requested.width),
            requested.height == 0 ? size.height : min(size.height, requested.height))
        guard part != size else { return }
        if isSmart(options.gravity) { return cutSmartly(to: part) }
        cut(to: part, at: options.gravity.position(of: part, in: size, pixelRatio: geometry.pixelRatio))
    }

    private mutating func filter() {
        if options.brightness != 0 { transforms.append(.brightness(Double(options.brightness) / 255)) }
        if options.contrast != 1 { transforms.append(.contrast(options.contrast)) }
        if options.saturation != 1 { transforms.append(.saturation(options.saturation)) }
        if let matrix = options.colorMatrix { transforms.append(.colorMatrix(matrix)) }
        if options.blur > 0 { transforms.append(.blur(sigma: options.blur)) }
        if options.sharpen > 0 { transforms.append(.sharpen(sigma: options.sharpen, amount: 1)) }
        if options.pixelate > 1 { transforms.append(.pixelate(side: options.pixelate)) }
    }

    /// Adds the edges of both extensions and of the padding at once.
    private mutating func extend() {
        var edges = geometry.padding(options)
        let inside = size
        func add(_ target: PixelSize, _ gravity: ProcessingOptions.Gravity) {
            let whole = PixelSize(max(size.width, target.width), max(size.height, target.height))
            let position = gravity.position(of: size, in: whole, pixelRatio: geometry.pixelRatio)
            edges.left += position.x
            edges.right += whole.width - size.width - position.x
            edges.top += position.y
            edges.bottom += whole.height - size.height - position.y
            size = whole
        }
        if options.extends.isEnabled { add(geometry.target, options.extends.gravity) }
        if options.extendsAspectRatio.isEnabled { add(geometry.extended, options.extendsAspectRatio.gravity) }
        guard edges != ProcessingOptions.Padding() else { return }
        transforms.append(
            .pad(top: edges.top, left: edges.left, bottom: edges.bottom, right: edges.right))
        size = PixelSize(
            inside.width + edges.left + edges.right, inside.height + edges.top + edges.bottom)
    }

    private mutating func cut(to part: PixelSize, at position: PixelPosition) {
        guard part != size else { return }
        transforms.append(.crop(x: position.x, y: position.y, width: part.width, height: part.height))
        size = part
    }

    private mutating func cutSmartly(to part: PixelSize) {
        guard part != size else { return }
        transforms.append(.smartCrop(to: part))
        size = part
    }

    /// Whether the content decides. Frames of an animation would be cut at different positions.
    private func isSmart(_ gravity: ProcessingOptions.Gravity) -> Bool { gravity.kind == .smart && !isAnimated }
}

extension ProcessingOptions {
    /// The background with its opacity.
    var backgroundColor: ImageColor? {
        background.map { color in
            var color = color
            color.alpha = UInt8((backgroundAlpha * 255).rounded())
            return color
        }
    }
}

extension ImageTransform {
    /// Returns the transform of four rows of four factors and an offset.
    fileprivate static func colorMatrix(_ numbers: [Double]) -> ImageTransform {
        func factors(_ row: Int) -> SIMD4<Double> { SIMD4(numbers[5 * row..<5 * row + 4]) }
        return .colorMatrix(
            red: factors(0), green: factors(1), blue: factors(2), alpha: factors(3),
            offset: SIMD4(numbers[4], numbers[9], numbers[14], numbers[19]))
    }
}
#endif
