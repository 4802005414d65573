import EaselFoundation

/// What the way of a request shows before its end.
extension Pipeline {
    /// What an original comes to.
    enum Arrival {
        case whole(Original)
        /// What had come of it was enough; the rest was not waited for.
        case sufficient(Picture)
    }

    /// The original file. Meanwhile previews of it are shown to those who want them; where the request allows, one that is
    /// good enough takes the place of the file.
    func arrival(
        _ request: ImageRequest, _ context: LoadContext,
        _ original: @escaping @Sendable (LoadContext) async throws(ImageError) -> Original
    ) async throws(ImageError) -> Arrival {
        let download = Download()
        let previews = Previews(request, pixels: pixels, context: context, onSufficient: { download.cancel() })
        let maker = PreviewMaker(interval: request.mayStopEarly ? .zero : previewInterval, clock: clock) {
            await previews.make()
        }
        defer {
            previews.end()
            maker.end()
        }
        let watched: @Sendable () async throws(ImageError) -> Original = { () throws(ImageError) in
            try await context.relaying(
                { update in
                    guard case .arriving(let file) = update else { return context.report(update) }
                    previews.follow(file)
                    file.observe { if previews.isWanted { maker.newsCame() } }
                }, original)
        }
        guard request.mayStopEarly else { return .whole(try await watched()) }
        do throws(ImageError) {
            return .whole(try await download.run(watched))
        } catch {
            guard error == .cancelled, let sufficient = previews.sufficient else { throw error }
            return .sufficient(picture(sufficient, request))
        }
    }

    private func picture(_ sufficient: Previews.Sufficient, _ request: ImageRequest) -> Picture {
        var file = LoadedData(data: Data(), source: .network, response: sufficient.response)
        file.provenance.mayBeKept = mayBeKept(file, request)
        file.provenance.stamp = known.stamp()
        var picture = Picture(image: sufficient.image, source: .network, provenance: file.provenance)
        picture.image.noteSampling()
        picture.timeline.bytesReceived = sufficient.bytesReceived
        picture.timeline.bytesSaved = sufficient.bytesSaved
        picture.timeline.requests = 1
        return picture
    }

    /// A picture that is made by `transform` from what `body` brings, with its previews made alike.
    func showing(
        _ transform: ImageTransform, of request: ImageRequest, _ context: LoadContext,
        _ body: (LoadContext) async throws(ImageError) -> Picture
    ) async throws(ImageError) -> Picture {
        let latest = LatestPreview()
        let maker = PreviewMaker(interval: .zero, clock: clock) { [pixels] in
            guard let image = latest.take(), let made = try? await pixels.applied(transform, to: image, context),
                !Task.isCancelled
            else { return }
            context.report(.preview(made))
        }
        defer { maker.end() }
        return try await context.relaying(
            { update in
                guard case .preview(let image) = update, request.transforms(image) else {
                    return context.report(update)
                }
                latest.put(image)
                maker.newsCame()
            }, body)
    }
}
