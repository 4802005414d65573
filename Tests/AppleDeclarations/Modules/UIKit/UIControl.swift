@MainActor open class UIControl: UIView {
    public struct State: OptionSet, Hashable, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let normal: State = []
        public static let highlighted = State(rawValue: 1)
        public static let disabled = State(rawValue: 2)
        public static let selected = State(rawValue: 4)
        public static let focused = State(rawValue: 8)
    }
}

@MainActor open class UIButton: UIControl {
    private var images: [State: UIImage] = [:]
    private var backgrounds: [State: UIImage] = [:]

    public override init(frame: CGRect) { super.init(frame: frame) }
    public required init?(coder: NSCoder) { nil }

    open func setImage(_ image: UIImage?, for state: UIControl.State) { images[state] = image }
    open func setBackgroundImage(_ image: UIImage?, for state: UIControl.State) { backgrounds[state] = image }
    open func image(for state: UIControl.State) -> UIImage? { images[state] }
    open func backgroundImage(for state: UIControl.State) -> UIImage? { backgrounds[state] }
}

@MainActor open class UIActivityIndicatorView: UIView {
    public enum Style: Int, Sendable {
        case medium = 100
        case large = 101
    }

    open var color: UIColor?
    open var hidesWhenStopped = true
    open private(set) var isAnimating = false

    public init(style: Style) { super.init(frame: CGRect(x: 0, y: 0, width: 20, height: 20)) }
    public required init?(coder: NSCoder) { nil }

    open func startAnimating() { isAnimating = true }
    open func stopAnimating() { isAnimating = false }
}

@MainActor open class UIProgressView: UIView {
    public enum Style: Int, Sendable {
        case `default`, bar
    }

    open private(set) var progress: Float = 0

    public init(progressViewStyle style: Style) { super.init(frame: CGRect(x: 0, y: 0, width: 100, height: 4)) }
    public required init?(coder: NSCoder) { nil }

    open func setProgress(_ progress: Float, animated: Bool) { self.progress = progress }
}

open class UIColor: NSObject, @unchecked Sendable {
    open class var gray: UIColor { UIColor() }
    open class var white: UIColor { UIColor() }
}
