import EaselTesting
import Testing

@testable import EaselCore

@Suite("Image task: event streams (B102)", .timeLimit(.minutes(1)))
struct ImageTaskEventsTests {
    private let task: ImageTask
    private let response: ImageResponse

    init() throws {
        task = ImageTask(try DownloaderFixture.request())
        response = try TaskStateTests.response()
    }

    @Test("a stream ends after the finished event")
    func end() async {
        let events = task.events
        task.report(received: 1, expected: 2)
        task.didReceive(.preview(response.image))
        task.finish(.success(response))
        task.report(received: 2, expected: 2)
        task.finish(.failure(.cancelled))
        #expect(await words(events) == ["progress 1", "preview", "finished"])
    }

    @Test("a slow reader receives only the newest preview, and every other event in order")
    func slowReader() async {
        let events = task.events
        task.didReceive(.preview(response.image))
        task.report(received: 1, expected: 3)
        task.didReceive(.preview(response.image))
        task.report(received: 2, expected: 3)
        for _ in 0..<100 { task.didReceive(.preview(response.image)) }
        task.finish(.success(response))
        #expect(await words(events) == ["progress 1", "progress 2", "preview", "finished"])
    }

    @Test("several streams are independent, and each begins with the current state of the load")
    func several() async {
        let first = task.events
        task.report(received: 1, expected: 3)
        task.report(received: 2, expected: 3)
        let second = task.events
        task.report(received: 3, expected: 3)
        task.finish(.success(response))
        let third = task.events
        #expect(await words(first) == ["progress 1", "progress 2", "progress 3", "finished"])
        #expect(await words(second) == ["progress 2", "progress 3", "finished"])
        #expect(await words(third) == ["progress 3", "finished"])
    }

    @Test("cancelling a load ends its streams with the error")
    func cancelled() async {
        let events = task.events
        task.cancel()
        #expect(await words(events) == ["finished cancelled"])
    }

    @Test("a reader that stops early does not affect the load or other readers")
    func readerLeaves() async {
        let (first, second) = (task.events, task.events)
        task.report(received: 1, expected: 2)
        for await _ in first { break }
        task.report(received: 2, expected: 2)
        task.finish(.success(response))
        #expect(!task.isCancelled)
        #expect(await words(second) == ["progress 1", "progress 2", "finished"])
    }

    @Test("cancelling a reader during events blocks nothing")
    func readerCancelled() async {
        for _ in 0..<100 {
            let task = ImageTask(task.request)
            await withTaskGroup { group in
                let events = task.events
                let reader = Task { for await _ in events {} }
                group.addTask { for received in 0..<20 { task.report(received: received, expected: nil) } }
                group.addTask { reader.cancel() }
                group.addTask { task.finish(.failure(.status(404))) }
                group.addTask { await reader.value }
            }
            #expect(await words(task.events).last == "finished status")
        }
    }

    @Test("a stream created during events neither loses nor repeats one")
    func streamDuringEvents() async {
        for _ in 0..<30 {
            let task = ImageTask(task.request)
            let producer = Task {
                for received in 1...50 { task.report(received: received, expected: nil) }
                task.finish(.failure(.status(404)))
            }
            let events = await words(task.events)
            await producer.value
            let numbers = events.dropLast().compactMap { Int($0.dropFirst("progress ".count)) }
            #expect(events.last == "finished status")
            #expect(numbers == numbers.first.map { Array($0...50) } ?? [])
        }
    }

    private func words(_ events: AsyncStream<LoadEvent>) async -> [String] {
        var words: [String] = []
        for await event in events {
            switch event {
            case .progress(let progress): words.append("progress \(progress.received)")
            case .cached: words.append("cached")
            case .preview: words.append("preview")
            case .finished(.success): words.append("finished")
            case .finished(.failure(let error)): words.append("finished \(error.code)")
            }
        }
        return words
    }
}
