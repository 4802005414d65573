import Synchronization

/// The previews of one picture while its original is on its way: decoded from what has come, each shown once, none behind
/// `end()`.
final class Previews: Sendable {
    private struct State {
        var picture: ArrivingPicture?
        var sufficient: Sufficient?
        var isEnded = false
    }

    /// A preview that is all that the request wants.
    struct Sufficient {
        let image: DecodedImage
        let response: StoredResponse?
        let bytesReceived: Int
        /// Bytes that need not be loaded.
        let bytesSaved: Int
    }

    private let request: ImageRequest
    private let pixels: PixelWork
    private let context: LoadContext
    private let onSufficient: @Sendable () -> Void
    private let state = Mutex(State())

    /// With less than this to come, a connection that can be used again is worth more.
    private static let leastSaving = 16 << 10

    /// - Parameters:
    ///   - context: where previews are shown, and what says whether anybody wants them.
    ///   - onSufficient: called once, when a request that allows that needs nothing more.
    init(
        _ request: ImageRequest, pixels: PixelWork, context: LoadContext, onSufficient: @escaping @Sendable () -> Void
    ) {
        self.request = request
        self.pixels = pixels
        self.context = context
        self.onSufficient = onSufficient
    }

    /// What the request can be satisfied with, if anything.
    var sufficient: Sufficient? { state.withLock { $0.sufficient } }

    /// Whether anybody looks now.
    var isWanted: Bool { request.frame == 0 && (request.mayStopEarly || context.demand.wantsPreviews) }

    /// Looks at `file` from now on, and no more at one that came before: a new attempt brings it anew.
    func follow(_ file: ArrivingFile) {
        let picture = ArrivingPicture(
            file, pixels.options(request), coders: pixels.coders, isAnimated: request.wantsAnimation)
        state.withLock { $0.picture = $0.isEnded ? nil : picture }
    }

    /// No preview comes behind this.
    func end() {
        state.withLock { state in
            state.isEnded = true
            state.picture = nil
        }
    }

    /// Shows what there is now, if it is new.
    func make() async {
        guard let picture = state.withLock({ $0.isEnded ? nil : $0.picture }) else { return }
        let isShown = context.demand.wantsPreviews
        guard let preview = try? await pixels.preview(context, of: picture, onlySufficient: !isShown),
            isCurrent(picture)
        else { return }
        if isShown { context.report(.preview(preview.image)) }
        guard preview.isSufficient, request.mayStopEarly else { return }
        let file = picture.file
        let received = file.count
        let rest = file.expected.map { $0 - received } ?? 0
        guard file.expected == nil || rest >= Self.leastSaving else { return }
        var image = preview.image
        image.metadata.isPartial = false
        let isFirst = state.withLock { state in
            guard !state.isEnded, state.sufficient == nil else { return false }
            state.sufficient = Sufficient(
                image: image, response: file.response, bytesReceived: received, bytesSaved: rest)
            return true
        }
        if isFirst { onSufficient() }
    }

    private func isCurrent(_ picture: ArrivingPicture) -> Bool {
        state.withLock { !$0.isEnded && $0.picture === picture }
    }
}
