import EaselTesting
import Testing

@testable import EaselCore

@Suite("Task state: what watchers see")
struct TaskStateTests {
    private let seen = Recorder<String>()

    @Test("events in order, one end, and nothing behind it (P001, P002)")
    func order() throws {
        var state = TaskState()
        _ = watch(&state)
        state.receive(.progress(LoadProgress(received: 1, expected: 2)))
        state.receive(.preview(try Self.response()))
        state.receive(.finished(.failure(.cancelled)))
        state.receive(.progress(LoadProgress(received: 2, expected: 2)))
        state.receive(.finished(.success(try Self.response())))
        tell(&state)
        #expect(seen.events == ["progress 1", "preview", "finished cancelled"])
    }

    @Test("a late watcher sees the last progress and the last image, and goes on from there (B102)")
    func late() throws {
        var state = TaskState()
        for received in 1...3 { state.receive(.progress(LoadProgress(received: received, expected: nil))) }
        state.receive(.cached(try Self.response()))
        state.receive(.preview(try Self.response()))
        _ = watch(&state)
        state.receive(.progress(LoadProgress(received: 4, expected: nil)))
        tell(&state)
        #expect(seen.events == ["progress 3", "preview", "progress 4"])
    }

    @Test("a late watcher sees a placeholder before the progress, as it stands there from the beginning")
    func latePlaceholder() throws {
        var state = TaskState()
        state.receive(placeholder: try Self.response())
        state.receive(.progress(LoadProgress(received: 1, expected: nil)))
        _ = watch(&state)
        state.receive(.preview(try Self.response()))
        _ = watch(&state, name: "later ")
        tell(&state)
        #expect(seen.events == ["preview", "progress 1", "preview", "later progress 1", "later preview"])
    }

    @Test("a watcher that comes after the end sees it, once (B102)")
    func afterEnd() throws {
        var state = TaskState()
        state.receive(.finished(.success(try Self.response())))
        _ = watch(&state)
        tell(&state)
        #expect(seen.events == ["finished"])
    }

    @Test("who was removed sees no more, others do")
    func removed() {
        var state = TaskState()
        let first = watch(&state, name: "first ")
        _ = watch(&state, name: "second ")
        state.removeObserver(first)
        state.removeObserver(99)
        state.receive(.progress(LoadProgress(received: 1, expected: nil)))
        tell(&state)
        #expect(seen.events == ["second progress 1"])
    }

    @Test("one caller at a time tells, and tells too what others add meanwhile")
    func oneCaller() throws {
        var state = TaskState()
        _ = watch(&state)
        state.receive(.progress(LoadProgress(received: 1, expected: nil)))
        let begins = state.beginDelivering()
        state.receive(.progress(LoadProgress(received: 2, expected: nil)))
        let beginsTwice = state.beginDelivering()
        #expect(begins && !beginsTwice)
        while let delivery = state.nextDelivery() { delivery.observer(delivery.event) }
        #expect(seen.events == ["progress 1", "progress 2"])
        let beginsWithNothing = state.beginDelivering()
        #expect(!beginsWithNothing)
    }

    @Test("whoever comes first decides: what has been asked for is not refused, and what is refused is not asked for")
    func asking() {
        var (asked, refused) = (TaskState(), TaskState())
        let first = (asked.willSendRequest(), asked.refuseRequest(), asked.willSendRequest())
        let second = (refused.refuseRequest(), refused.willSendRequest())
        #expect(first == (true, false, true))
        #expect(second == (true, false))
    }

    @Test("a load whose file is on its way is not refused, one that has ended has nothing to ask")
    func askingLate() {
        var (arriving, ended) = (TaskState(), TaskState())
        arriving.receive(.progress(LoadProgress(received: 1, expected: nil)))
        _ = ended.willSendRequest()
        ended.receive(.finished(.failure(.notCached)))
        let answers = (arriving.refuseRequest(), ended.refuseRequest(), ended.willSendRequest())
        #expect(answers == (false, true, false))
    }

    private func tell(_ state: inout TaskState) {
        guard state.beginDelivering() else { return }
        while let delivery = state.nextDelivery() { delivery.observer(delivery.event) }
    }

    private func watch(_ state: inout TaskState, name: String = "") -> Int {
        state.addObserver { [seen] event in
            switch event {
            case .progress(let progress): seen.record("\(name)progress \(progress.received)")
            case .cached: seen.record("\(name)cached")
            case .preview: seen.record("\(name)preview")
            case .finished(.success): seen.record("\(name)finished")
            case .finished(.failure(let error)): seen.record("\(name)finished \(error.code)")
            }
        }
    }

    static func response() throws -> ImageResponse {
        ImageResponse(
            image: try TestImage.gradient(2, 2).image(), source: .network, request: try DownloaderFixture.request())
    }
}
