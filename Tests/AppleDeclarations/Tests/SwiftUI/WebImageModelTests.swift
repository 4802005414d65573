import EaselCore
import EaselSwiftUI
import Foundation
import Observation
import Testing

@Suite("WebImage's model", .timeLimit(.minutes(1)))
@MainActor
struct WebImageModelTests {
    private let model = WebImageModel()

    private func source(_ url: URL, placeholder: UInt8? = nil) throws -> WebImageModel.Source {
        let picture = try placeholder.map { Placeholder.image(try .solid($0)) }
        return WebImageModel.Source(ImageRequest(url) { $0.placeholder = picture })
    }

    @Test("nothing is loaded before the view appears; then placeholder and picture follow each other")
    func order() async throws {
        let pictures = Pictures(holding: 7)
        model.load(try source(pictures.url(7), placeholder: 1), manager: pictures.manager)
        #expect(model.name == "empty")
        #expect(!pictures.manager.isRunning)
        model.appear()
        #expect(model.name == "preview 1")
        pictures.open(7)
        await until { model.name == "success 7" }
        #expect(model.progress == 1)
    }

    @Test("a picture in memory is there as soon as the view is")
    func memory() async throws {
        let pictures = Pictures()
        model.load(try source(await pictures.inMemory(7)), manager: pictures.manager)
        model.appear()
        #expect(model.name == "success 7")
    }

    @Test("a view that disappears cancels its load, and begins anew when it comes back")
    func disappears() async throws {
        let pictures = Pictures(holding: 7)
        model.load(try source(pictures.url(7)), manager: pictures.manager)
        model.appear()
        let task = try #require(model.imageTask())
        model.disappear()
        #expect(task.isCancelled)
        await mainTurns()
        #expect(model.name == "empty")
        model.appear()
        pictures.open(7)
        await until { model.name == "success 7" }
    }

    @Test("a view that has its picture loads nothing when it comes back")
    func comesBack() async throws {
        let pictures = Pictures()
        model.load(try source(pictures.url(7)), manager: pictures.manager)
        model.appear()
        await until { model.name == "success 7" && model.progress == 1 }
        model.disappear()
        model.appear()
        #expect(model.imageTask() == nil)
        #expect(model.name == "success 7")
    }

    @Test("a load that goes on off screen is less urgent until the view comes back")
    func lowersPriority() throws {
        let pictures = Pictures(holding: 7)
        model.departure = .lowersPriority
        model.load(try source(pictures.url(7)), manager: pictures.manager)
        model.appear()
        #expect(model.imageTask()?.priority == .normal)
        model.disappear()
        #expect(model.imageTask()?.priority == .low)
        model.appear()
        #expect(model.imageTask()?.priority == .normal)
    }

    @Test("S023: the slow old picture never replaces the new one")
    func reuse() async throws {
        let pictures = Pictures(holding: 7)
        model.appear()
        model.load(try source(pictures.url(7)), manager: pictures.manager)
        model.load(try source(pictures.url(8)), manager: pictures.manager)
        await until { model.name == "success 8" }
        pictures.open(7)
        await mainTurns()
        #expect(model.name == "success 8")
    }

    @Test("the same source again changes nothing")
    func same() throws {
        let pictures = Pictures(holding: 7)
        model.appear()
        model.load(try source(pictures.url(7)), manager: pictures.manager)
        let task = model.imageTask()
        model.load(try source(pictures.url(7)), manager: pictures.manager)
        #expect(model.imageTask() === task)
    }

    @Test("a failure tells why, with the error placeholder")
    func failure() async throws {
        let pictures = Pictures()
        var source = try source(pictures.url(404))
        source.errorPlaceholder = .image(try .solid(3))
        model.load(source, manager: pictures.manager)
        model.appear()
        await until { model.name.hasPrefix("failure") }
        #expect(model.name == "failure status 3")
    }

    @Test("without a request there is nothing to show")
    func nothing() async throws {
        let pictures = Pictures()
        model.appear()
        model.load(try source(pictures.url(7)), manager: pictures.manager)
        await until { model.name == "success 7" }
        model.load(WebImageModel.Source(nil), manager: pictures.manager)
        #expect(model.name == "empty")
    }

    @Test("X196: a picture from a server is shown within the view's animation")
    func transition() async throws {
        let pictures = Pictures()
        var changes: [String] = []
        model.transition = .fade
        model.animate = { [model] _, change, finish in
            change()
            changes.append(model.name)
            finish()
        }
        model.load(try source(pictures.url(7)), manager: pictures.manager)
        model.appear()
        await until { model.name == "success 7" }
        #expect(changes == ["success 7"])
    }

    @Test("R014: the picture is decoded to what is seen")
    func size() async throws {
        let pictures = Pictures()
        model.pixelSize = PixelSize(4, 3)
        model.load(try source(pictures.url(7)), manager: pictures.manager)
        model.appear()
        await until { model.name == "success 7" }
        guard case .success(let picture) = model.phase else { return }
        #expect(picture.size == PixelSize(4, 3))
    }

    @Test("who watches the model hears of a change")
    func observed() async throws {
        let pictures = Pictures()
        model.load(try source(pictures.url(7)), manager: pictures.manager)
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

    @Test("a model that is gone ends its load")
    func released() async throws {
        let pictures = Pictures(holding: 7)
        var task: ImageTask?
        do {
            let model = WebImageModel()
            model.load(try source(pictures.url(7)), manager: pictures.manager)
            model.appear()
            task = model.imageTask()
        }
        #expect(task?.isCancelled == true)
    }
}

extension WebImageModel {
    /// The phase and the value of what it shows.
    var name: String {
        switch phase {
        case .empty: "empty"
        case .preview(let picture): "preview \(picture.pixels[0, 0].blue)"
        case .success(let picture): "success \(picture.pixels[0, 0].blue)"
        case .failure(let error, let picture):
            "failure \(error.code)" + (picture.map { " \($0.pixels[0, 0].blue)" } ?? "")
        }
    }
}
