import EaselTesting
import TestSupport
import Testing

@testable import EaselCore

@Suite("Coalescer: before a request is sent", .timeLimit(.minutes(1)))
struct CoalescerRequestTests {
    private typealias Shared = Coalescer<String, Int>
    private let coalescer = Shared()
    private let outcomes = Recorder<Result<Int, ImageError>>()
    private let begin = Gate()

    @Test("a request is sent if any subscriber needs it, and every subscriber is queried once")
    func subscriberMaySend() async {
        let clients = [client(needsRequest: false), client(needsRequest: true), client(needsRequest: false)]
        for client in clients { _ = coalescer.subscribe(client, to: "a") }
        begin.open()
        await outcomes.wait { $0.count == 3 }
        #expect(outcomes.events == [.success(7), .success(7), .success(7)])
        #expect(clients.map(\.calls.events.count) == [1, 1, 1])
    }

    @Test("no request is sent if no subscriber needs it")
    func unwanted() async {
        _ = coalescer.subscribe(client(needsRequest: false), to: "a")
        begin.open()
        await outcomes.wait { $0.count == 1 }
        #expect(outcomes.events == [.failure(.cancelled)])
    }

    @Test("a subscriber that joins while others are queried is queried too")
    func joinsMeanwhile() async {
        let first = client(needsRequest: false)
        let second = client(needsRequest: true)
        first.afterwards.record { [coalescer] in _ = coalescer.subscribe(second, to: "a") }
        _ = coalescer.subscribe(first, to: "a")
        begin.open()
        await outcomes.wait { $0.count == 2 }
        #expect(outcomes.events == [.success(7), .success(7)])
    }

    private func client(needsRequest: Bool) -> Client { Client(needsRequest, begin, outcomes) }

    /// A subscriber that returns a fixed answer from `willSendRequest()` and records each call.
    private final class Client: Subscriber {
        typealias Value = Int
        let demand = LoadDemand(priority: .normal)
        let observation: Observation? = nil
        let calls = Recorder<Bool>()
        /// Actions that run during its first answer.
        let afterwards = Recorder<@Sendable () -> Void>()
        private let needsRequest: Bool
        private let begin: Gate
        private let outcomes: Recorder<Result<Int, ImageError>>

        init(_ needsRequest: Bool, _ begin: Gate, _ outcomes: Recorder<Result<Int, ImageError>>) {
            self.needsRequest = needsRequest
            self.begin = begin
            self.outcomes = outcomes
        }

        var operation: Shared.Operation {
            { [begin] context throws(ImageError) in
                try? await begin.wait()
                guard context.willSendRequest() else { throw .cancelled }
                return 7
            }
        }

        func willSendRequest() -> Bool {
            calls.record(needsRequest)
            if calls.events.count == 1 { for action in afterwards.events { action() } }
            return needsRequest
        }

        func didReceive(_ update: LoadUpdate) {}
        func didFinish(_ outcome: Result<Coalesced<Int>, ImageError>) { outcomes.record(outcome.map(\.value)) }
    }
}
