open class UIImage: NSObject, @unchecked Sendable {
    public enum Orientation: Int, Sendable {
        case up, down, left, right, upMirrored, downMirrored, leftMirrored, rightMirrored
    }

    public let cgImage: CGImage?
    public let scale: CGFloat
    public let imageOrientation: Orientation
    public let images: [UIImage]?
    public let duration: TimeInterval

    public init(cgImage: CGImage, scale: CGFloat, orientation: Orientation) {
        self.cgImage = cgImage
        self.scale = scale
        imageOrientation = orientation
        images = nil
        duration = 0
    }

    public convenience init(cgImage: CGImage) { self.init(cgImage: cgImage, scale: 1, orientation: .up) }

    open var size: CGSize {
        CGSize(width: CGFloat(cgImage?.width ?? 0) / scale, height: CGFloat(cgImage?.height ?? 0) / scale)
    }
}

@MainActor open class UIImageView: UIView {
    open var image: UIImage? {
        didSet { shown.append(image) }
    }
    open var highlightedImage: UIImage?
    open var isHighlighted = false
    open var animationImages: [UIImage]?
    open var highlightedAnimationImages: [UIImage]?
    open var animationDuration: TimeInterval = 0
    open var animationRepeatCount = 0
    open private(set) var isAnimating = false
    /// For tests: every image that was set, in order.
    public private(set) var shown: [UIImage?] = []

    public init(image: UIImage?) {
        self.image = image
        super.init(frame: .zero)
    }

    public override init(frame: CGRect) { super.init(frame: frame) }

    public required init?(coder: NSCoder) { nil }

    open func startAnimating() { isAnimating = true }
    open func stopAnimating() { isAnimating = false }
}

@MainActor open class UICollectionViewCell: UIView {}
