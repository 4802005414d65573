#if canImport(SwiftUI)
@_exported public import EaselApple
@_exported public import EaselCore
@_exported public import EaselViews
public import SwiftUI

/// A view that loads and shows an image, including animated ones.
///
/// ```swift
/// WebImage(url) { phase in
///     if let image = phase.image {
///         image.resizable().aspectRatio(contentMode: .fill)
///     } else {
///         ProgressView()
///     }
/// }
/// .frame(width: 120, height: 90)
/// ```
///
/// The load starts when the view appears and is cancelled when it disappears.
public struct WebImage<Content: View>: View {
    private var source: WebImageModel.Source
    private var manager: ImageManager?
    private var transition: ImageTransition?
    private var disappearanceBehavior = WebImageModel.DisappearanceBehavior.cancels
    private var size: CGSize?
    private var isAnimating: Binding<Bool>
    private var frameIndex: Binding<Int>?
    private var content: (WebImagePhase) -> Content

    @State private var model = WebImageModel(ticker: .display)
    @Environment(\.displayScale) private var displayScale

    /// Creates a view for the image of a request.
    ///
    /// - Parameters:
    ///   - isAnimating: Whether an animation plays. Becomes false after its last loop.
    ///   - content: Returns the view for a phase.
    public init(
        _ request: ImageRequest?, isAnimating: Binding<Bool> = .constant(true),
        @ViewBuilder content: @escaping (WebImagePhase) -> Content
    ) {
        source = WebImageModel.Source(request)
        self.isAnimating = isAnimating
        self.content = content
    }

    /// Creates a view for the image at a URL.
    public init(
        _ url: URL?, isAnimating: Binding<Bool> = .constant(true),
        @ViewBuilder content: @escaping (WebImagePhase) -> Content
    ) {
        self.init(url.map { ImageRequest($0) }, isAnimating: isAnimating, content: content)
    }

    /// The content for the current phase.
    public var body: some View {
        content(WebImagePhase(model.phase))
            .onChange(of: settings, initial: true) { _, settings in apply(settings) }
            .onChange(of: isAnimating.wrappedValue, initial: true) { _, isOn in model.isAnimating = isOn }
            .onChange(of: model.isAnimating) { _, isOn in isAnimating.wrappedValue = isOn }
            .onChange(of: frameIndex?.wrappedValue) { _, index in index.map(model.seek(toFrame:)) }
            .onChange(of: model.frameIndex) { _, index in frameIndex?.wrappedValue = index }
            .onAppear { model.appear() }
            .onDisappear { model.disappear() }
    }
}

// MARK: - Settings

extension WebImage {
    /// Loads with this manager instead of `ViewTarget.manager`.
    public func manager(_ manager: ImageManager) -> Self { copy { $0.manager = manager } }

    /// Sets the placeholders while there is no image and after an error.
    public func placeholder(_ placeholder: Placeholder?, error: Placeholder? = nil) -> Self {
        copy {
            $0.source.request?.placeholder = placeholder
            $0.source.errorPlaceholder = error
        }
    }

    /// Sets the transition to an image from a server. The content's own views may use SwiftUI transitions, which run
    /// for the same duration.
    public func imageTransition(_ transition: ImageTransition?) -> Self { copy { $0.transition = transition } }

    /// Sets options for showing the image.
    public func targetOptions(_ options: TargetOptions) -> Self { copy { $0.source.options = options } }

    /// Decodes the image to cover this size in points. Use it if the image is shown smaller than it is.
    public func decoded(toCover size: CGSize) -> Self { copy { $0.size = size } }

    /// Binds the frame of an animation, to read and to change it.
    public func frameIndex(_ index: Binding<Int>) -> Self { copy { $0.frameIndex = index } }

    /// Continues the load at a lower priority while the view is not visible.
    public func keepsLoadingOffScreen() -> Self { copy { $0.disappearanceBehavior = .lowersPriority } }

    private func copy(changing change: (inout Self) -> Void) -> Self {
        var view = self
        change(&view)
        return view
    }

    private struct Settings: Equatable {
        let source: WebImageModel.Source
        let size: PixelSize?
    }

    private var settings: Settings {
        func pixels(_ points: CGFloat) -> Int { Int((points * displayScale).rounded(.up)) }
        return Settings(source: source, size: size.map { PixelSize(pixels($0.width), pixels($0.height)) })
    }

    private func apply(_ settings: Settings) {
        model.disappearanceBehavior = disappearanceBehavior
        model.transition = transition
        model.animate = { transition, change, finish in
            withAnimation(transition.animation, change) { finish() }
        }
        model.pixelSize = settings.size
        model.load(settings.source, manager: manager ?? ViewTarget.manager)
    }
}

// MARK: - Default content

extension WebImage where Content == WebImageContent {
    /// Creates a view that shows the image at a URL at its own size.
    public init(_ url: URL?, isAnimating: Binding<Bool> = .constant(true)) {
        self.init(url, isAnimating: isAnimating) { WebImageContent(image: $0.image, transition: .opacity) }
    }

    /// Resizes the image to the available space.
    public func resizable() -> WebImage<WebImageContent> {
        let transition = self.transition?.anyTransition ?? .opacity
        return copy { $0.content = { WebImageContent(image: $0.image?.resizable(), transition: transition) } }
    }
}

/// An image, or nothing.
public struct WebImageContent: View {
    fileprivate let image: Image?
    fileprivate let transition: AnyTransition

    /// The image, if there is one.
    public var body: some View {
        if let image { image.transition(transition) }
    }
}
#endif
