import EaselCore
import EaselViews
import EaselSwiftUI
import Foundation
import Observation
import Testing

@Suite("WebImage model", .timeLimit(.minutes(1)))
@MainActor
struct WebImageModelTests {
    private let model = WebImageModel()

    private func source(_ url: URL, placeholder: UInt8? = nil) throws -> WebImageModel.Source {
        let image = try placeholder.map { Placeholder.image(try .solid($0)) }
        return WebImageModel.Source(ImageRequest(url) { $0.placeholder = image })
    }

    @Test("a load starts when the view appears, and shows the placeholder and then the image")
    func order() async throws {
        let images = Images(holding: 7)
        model.load(try source(images.url(7), placeholder: 1), manager: images.manager)
        #expect(model.name == "empty")
        #expect(!images.manager.isRunning)
        model.appear()
        #expect(model.name == "preview 1")
        images.open(7)
        await until { model.name == "success 7" }
        #expect(model.progress == 1)
    }

    @Test("an image in memory is shown as soon as the view appears")
    func memory() async throws {
        let images = Images()
        model.load(try source(await images.inMemory(7)), manager: images.manager)
        model.appear()
        #expect(model.name == "success 7")
    }

    @Test("a view that disappears cancels its load, and loads again when it reappears")
    func disappears() async throws {
        let images = Images(holding: 7)
        model.load(try source(images.url(7)), manager: images.manager)
        model.appear()
        let task = try #require(model.imageTask())
        model.disappear()
        #expect(task.isCancelled)
        await mainTurns()
        #expect(model.name == "empty")
        model.appear()
        images.open(7)
        await until { model.name == "success 7" }
    }

    @Test("a view with its image loads nothing when it reappears")
    func comesBack() async throws {
        let images = Images()
        model.load(try source(images.url(7)), manager: images.manager)
        model.appear()
        await until { model.name == "success 7" && model.progress == 1 }
        model.disappear()
        model.appear()
        #expect(model.imageTask() == nil)
        #expect(model.name == "success 7")
    }

    @Test("a load that continues off screen has a low priority until the view reappears")
    func lowersPriority() throws {
        let images = Images(holding: 7)
        model.disappearanceBehavior = .lowersPriority
        model.load(try source(images.url(7)), manager: images.manager)
        model.appear()
        #expect(model.imageTask()?.priority == .normal)
        model.disappear()
        #expect(model.imageTask()?.priority == .low)
        model.appear()
        #expect(model.imageTask()?.priority == .normal)
    }

    @Test("S023: the slow old image never replaces the new one")
    func reuse() async throws {
        let images = Images(holding: 7)
        model.appear()
        model.load(try source(images.url(7)), manager: images.manager)
        model.load(try source(images.url(8)), manager: images.manager)
        await until { model.name == "success 8" }
        images.open(7)
        await mainTurns()
        #expect(model.name == "success 8")
    }

    @Test("setting the same source again has no effect")
    func same() throws {
        let images = Images(holding: 7)
        model.appear()
        model.load(try source(images.url(7)), manager: images.manager)
        let task = model.imageTask()
        model.load(try source(images.url(7)), manager: images.manager)
        #expect(model.imageTask() === task)
    }

    @Test("a failure has its error and the error placeholder")
    func failure() async throws {
        let images = Images()
        var source = try source(images.url(404))
        source.errorPlaceholder = .image(try .solid(3))
        model.load(source, manager: images.manager)
        model.appear()
        await until { model.name.hasPrefix("failure") }
        #expect(model.name == "failure status 3")
    }

    @Test("without a request nothing is shown")
    func nothing() async throws {
        let images = Images()
        model.appear()
        model.load(try source(images.url(7)), manager: images.manager)
        await until { model.name == "success 7" }
        model.load(WebImageModel.Source(nil), manager: images.manager)
        #expect(model.name == "empty")
    }

    @Test("X196: an image from a server is shown with the view's animation")
    func transition() async throws {
        let images = Images()
        var changes: [String] = []
        model.transition = .fade
        model.animate = { [model] _, change, finish in
            change()
            changes.append(model.name)
            finish()
        }
        model.load(try source(images.url(7)), manager: images.manager)
        model.appear()
        await until { model.name == "success 7" }
        #expect(changes == ["success 7"])
    }

    @Test("R014: the image is decoded to the displayed size")
    func size() async throws {
        let images = Images()
        model.pixelSize = PixelSize(4, 3)
        model.load(try source(images.url(7)), manager: images.manager)
        model.appear()
        await until { model.name == "success 7" }
        guard case .success(let image) = model.phase else {
            Issue.record("There is no image.")
            return
        }
        #expect(image.size == PixelSize(4, 3))
    }

    @Test("observers of the model are notified of a change")
    func observed() async throws {
        let images = Images()
        model.load(try source(images.url(7)), manager: images.manager)
        await confirmation { changed in
            withObservationTracking {
                _ = model.phase
            } onChange: {
                changed()
            }
            model.appear()
            await until { model.name == "success 7" }
        }
    }

    @Test("a released model cancels its load")
    func released() async throws {
        let images = Images(holding: 7)
        var task: ImageTask?
        do {
            let model = WebImageModel()
            model.load(try source(images.url(7)), manager: images.manager)
            model.appear()
            task = model.imageTask()
        }
        #expect(task?.isCancelled == true)
    }
}

extension WebImageModel {
    /// The phase and the value of the shown image.
    var name: String {
        switch phase {
        case .empty: "empty"
        case .preview(let image): "preview \(image.pixels[0, 0].blue)"
        case .success(let image): "success \(image.pixels[0, 0].blue)"
        case .failure(let error, let image):
            "failure \(error.code)" + (image.map { " \($0.pixels[0, 0].blue)" } ?? "")
        }
    }
}
