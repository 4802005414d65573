import EaselCore

extension GridScreen {
    /// Loads a cell's picture.
    func load(_ input: String, _ index: Int, _ box: PixelSize, _ priority: LoadPriority) {
        let load: ImageTask
        do throws(ImageError) {
            load = start(try ImageInput(input), index, box, priority)
        } catch {
            cells[index, default: Cell()].error = error
            return post(.failed(index, box))
        }
        work(on: index, box, load) { [source, session] () async throws(ImageError) in
            let response = try await session.withinDeadline { () async throws(ImageError) in try await load.response }
            return (try await source.picture(response.image, box: box, number: index + 1), response)
        }
    }

    /// Makes the picture that a cell has smaller.
    func fit(_ index: Int, _ box: PixelSize) {
        guard let image = cells[index]?.picture?.image else { return }
        work(on: index, box, nil) { [source] () async throws(ImageError) in
            (try await source.picture(image, box: box, number: index + 1), nil)
        }
    }

    /// Ends what is under way for a cell.
    func stop(_ index: Int) {
        cells[index]?.work?.cancel()
        cells[index]?.load?.cancel()
        cells[index]?.endWork()
    }

    private func start(
        _ input: ImageInput, _ index: Int, _ box: PixelSize, _ priority: LoadPriority
    ) -> ImageTask {
        var request = source.request(for: input, box: box, in: session)
        request.priority = priority
        // Once is enough: whoever scrolls to and fro asks no server again.
        if cells[index]?.isCounted == true { request.options.remove(.refreshCached) }
        return session.manager.load(request)
    }

    private func work(
        on index: Int, _ box: PixelSize, _ load: ImageTask?,
        _ body: @escaping @Sendable () async throws(ImageError) -> (CellPicture, ImageResponse?)
    ) {
        cells[index, default: Cell()].load = load
        cells[index]?.work = Task {
            let outcome: Result<(CellPicture, ImageResponse?), ImageError>
            do throws(ImageError) { outcome = .success(try await body()) } catch { outcome = .failure(error) }
            // There may be other work in its place.
            if !Task.isCancelled { end(index, box, outcome) }
        }
    }

    private func end(
        _ index: Int, _ box: PixelSize, _ outcome: Result<(CellPicture, ImageResponse?), ImageError>
    ) {
        cells[index]?.endWork()
        switch outcome {
        case .success((let picture, let response)):
            cells[index]?.picture = picture
            // One that plays goes on, with frames of another size.
            if let animation = picture.image.animation { cells[index]?.player?.replace(animation) }
            if let response, cells[index]?.isCounted == false {
                cells[index]?.isCounted = true
                session.statistics.add(source: response.source, timeline: response.timeline)
            }
            post(.ready(index, box))
        case .failure(let error):
            cells[index]?.error = error
            post(.failed(index, box))
        }
    }
}

extension GridScreen.Cell {
    /// Nothing is under way any more.
    fileprivate mutating func endWork() {
        work = nil
        load = nil
    }

    /// Gives its memory back.
    @MainActor
    mutating func release() {
        player?.stop()
        player = nil
        picture = nil
    }
}
