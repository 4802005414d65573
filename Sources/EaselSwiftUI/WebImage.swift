#if canImport(SwiftUI)
@_exported public import EaselApple
@_exported public import EaselCore
public import SwiftUI

/// A view that loads an image and shows it, animated ones too.
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
/// The load begins when the view appears, is cancelled when it disappears, and begins anew when it comes back.
public struct WebImage<Content: View>: View {
    private var source: WebImageModel.Source
    private var manager: ImageManager?
    private var transition: ImageTransition?
    private var departure = WebImageModel.Departure.cancels
    private var size: CGSize?
    private var isAnimating: Binding<Bool>
    private var frameIndex: Binding<Int>?
    private let content: (WebImagePhase) -> Content

    @State private var model = WebImageModel(ticker: .display)
    @Environment(\.displayScale) private var displayScale

    /// The image of a request, as `content` shows it.
    ///
    /// - Parameters:
    ///   - isAnimating: whether an animation plays; it becomes false when its last loop is over.
    ///   - content: makes a view of each phase.
    public init(
        _ request: ImageRequest?, isAnimating: Binding<Bool> = .constant(true),
        @ViewBuilder content: @escaping (WebImagePhase) -> Content
    ) {
        source = WebImageModel.Source(request)
        self.isAnimating = isAnimating
        self.content = content
    }

    /// The image at a URL, as `content` shows it.
    public init(
        _ url: URL?, isAnimating: Binding<Bool> = .constant(true),
        @ViewBuilder content: @escaping (WebImagePhase) -> Content
    ) {
        self.init(url.map { ImageRequest($0) }, isAnimating: isAnimating, content: content)
    }

    /// What `content` makes of the phase.
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

// MARK: - What it is set to

extension WebImage {
    /// Loads by another manager than `ViewTarget.manager`.
    public func manager(_ manager: ImageManager) -> Self { changed { $0.manager = manager } }

    /// Shows something until there is an image, and something else where there is none.
    public func placeholder(_ placeholder: Placeholder?, error: Placeholder? = nil) -> Self {
        changed {
            $0.source.request?.placeholder = placeholder
            $0.source.errorPlaceholder = error
        }
    }

    /// How an image from a server takes the place of what was there. Views of the content's own that come and go may
    /// have transitions of SwiftUI's: they run in the same time.
    public func imageTransition(_ transition: ImageTransition?) -> Self { changed { $0.transition = transition } }

    /// What showing the image does differently.
    public func targetOptions(_ options: TargetOptions) -> Self { changed { $0.source.options = options } }

    /// Decodes to what covers this size in points: say so wherever the image is shown smaller than it is.
    public func decoded(toCover size: CGSize) -> Self { changed { $0.size = size } }

    /// Tells the frame of an animation that is to be seen, and takes another.
    public func frameIndex(_ index: Binding<Int>) -> Self { changed { $0.frameIndex = index } }

    /// Lets the load go on while the view cannot be seen, less urgently than what can be.
    public func keepsLoadingOffScreen() -> Self { changed { $0.departure = .lowersPriority } }

    private func changed(_ change: (inout Self) -> Void) -> Self {
        var view = self
        change(&view)
        return view
    }

    /// What makes another load of it, where it changes.
    private struct Settings: Equatable {
        let source: WebImageModel.Source
        let size: PixelSize?
    }

    private var settings: Settings {
        Settings(
            source: source,
            size: size.map { size in
                PixelSize(
                    Int((size.width * displayScale).rounded(.up)), Int((size.height * displayScale).rounded(.up)))
            })
    }

    private func apply(_ settings: Settings) {
        model.departure = departure
        model.transition = transition
        model.animate = { transition, change, finish in
            withAnimation(transition.animation, change) { finish() }
        }
        model.pixelSize = settings.size
        model.load(settings.source, manager: manager ?? ViewTarget.manager)
    }
}

// MARK: - Without content of its own

extension WebImage where Content == WebImageContent {
    /// The image at a URL at its own size, in nothing but itself.
    public init(_ url: URL?, isAnimating: Binding<Bool> = .constant(true)) {
        self.init(url, isAnimating: isAnimating) { WebImageContent(image: $0.image, transition: .opacity) }
    }

    /// Fills the space that the view is offered.
    public func resizable() -> WebImage<WebImageContent> {
        let transition = self.transition?.anyTransition ?? .opacity
        var view = WebImage(source.request, isAnimating: isAnimating) {
            WebImageContent(image: $0.image?.resizable(), transition: transition)
        }
        view.source = source
        view.manager = manager
        view.transition = self.transition
        view.departure = departure
        view.size = size
        view.frameIndex = frameIndex
        return view
    }
}

/// An image, or nothing.
public struct WebImageContent: View {
    fileprivate let image: Image?
    fileprivate let transition: AnyTransition

    /// The image, where there is one.
    public var body: some View {
        if let image { image.transition(transition) }
    }
}
#endif
