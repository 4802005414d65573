import EaselTesting
import TestSupport
import Testing

@testable import EaselCore

@Suite("Task state: observers")
struct TaskStateTests {
    private let log = Recorder<String>()

    @Test("events arrive in order, with one end and nothing after it (P001, P002)")
    func order() throws {
        var state = TaskState()
        _ = watch(&state)
        state.receive(.progress(LoadProgress(received: 1, expected: 2)))
        state.receive(.preview(try Self.response()))
        state.receive(.finished(.failure(.cancelled)))
        state.receive(.progress(LoadProgress(received: 2, expected: 2)))
        state.receive(.finished(.success(try Self.response())))
        replay(&state)
        #expect(log.events == ["progress 1", "preview", "finished cancelled"])
    }

    @Test("a late observer receives the last progress and the last image, and then later events (B102)")
    func late() throws {
        var state = TaskState()
        for received in 1...3 { state.receive(.progress(LoadProgress(received: received, expected: nil))) }
        state.receive(.cached(try Self.response()))
        state.receive(.preview(try Self.response()))
        _ = watch(&state)
        state.receive(.progress(LoadProgress(received: 4, expected: nil)))
        replay(&state)
        #expect(log.events == ["progress 3", "preview", "progress 4"])
    }

    @Test("a late observer receives a placeholder before the progress")
    func latePlaceholder() throws {
        var state = TaskState()
        state.receive(placeholder: try Self.response())
        state.receive(.progress(LoadProgress(received: 1, expected: nil)))
        _ = watch(&state)
        state.receive(.preview(try Self.response()))
        _ = watch(&state, name: "later ")
        replay(&state)
        #expect(log.events == ["preview", "progress 1", "preview", "later progress 1", "later preview"])
    }

    @Test("an observer added after the end receives it once (B102)")
    func afterEnd() throws {
        var state = TaskState()
        state.receive(.finished(.success(try Self.response())))
        _ = watch(&state)
        replay(&state)
        #expect(log.events == ["finished"])
    }

    @Test("a removed observer receives nothing more, and others do")
    func removed() {
        var state = TaskState()
        let first = watch(&state, name: "first ")
        _ = watch(&state, name: "second ")
        state.removeObserver(first)
        state.removeObserver(99)
        state.receive(.progress(LoadProgress(received: 1, expected: nil)))
        replay(&state)
        #expect(log.events == ["second progress 1"])
    }

    @Test("one caller at a time delivers, including events that others add meanwhile")
    func oneCaller() throws {
        var state = TaskState()
        _ = watch(&state)
        state.receive(.progress(LoadProgress(received: 1, expected: nil)))
        let begins = state.beginDelivering()
        state.receive(.progress(LoadProgress(received: 2, expected: nil)))
        let beginsTwice = state.beginDelivering()
        #expect(begins && !beginsTwice)
        while let delivery = state.nextDelivery() { delivery.observer(delivery.event) }
        #expect(log.events == ["progress 1", "progress 2"])
        let beginsWithNothing = state.beginDelivering()
        #expect(!beginsWithNothing)
    }

    @Test("a request that will be sent cannot be refused, and a refused request cannot be sent")
    func asking() {
        var (sent, refused) = (TaskState(), TaskState())
        let first = (sent.willSendRequest(), sent.refuseRequest(), sent.willSendRequest())
        let second = (refused.refuseRequest(), refused.willSendRequest())
        #expect(first == (true, false, true))
        #expect(second == (true, false))
    }

    @Test("a load with an arriving file cannot be refused, and one that has ended sends no request")
    func askingLate() {
        var (arriving, ended) = (TaskState(), TaskState())
        arriving.receive(.progress(LoadProgress(received: 1, expected: nil)))
        _ = ended.willSendRequest()
        ended.receive(.finished(.failure(.notCached)))
        let answers = (arriving.refuseRequest(), ended.refuseRequest(), ended.willSendRequest())
        #expect(answers == (false, true, false))
    }

    private func replay(_ state: inout TaskState) {
        guard state.beginDelivering() else { return }
        while let delivery = state.nextDelivery() { delivery.observer(delivery.event) }
    }

    private func watch(_ state: inout TaskState, name: String = "") -> Int {
        state.addObserver { [log] event in
            switch event {
            case .progress(let progress): log.record("\(name)progress \(progress.received)")
            case .cached: log.record("\(name)cached")
            case .preview: log.record("\(name)preview")
            case .finished(.success): log.record("\(name)finished")
            case .finished(.failure(let error)): log.record("\(name)finished \(error.code)")
            }
        }
    }

    static func response() throws -> ImageResponse {
        ImageResponse(
            image: try TestImage.gradient(2, 2).image(), source: .network, request: try DownloaderFixture.request())
    }
}
