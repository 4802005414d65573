import EaselTesting
import Testing

@testable import EaselCore

@Suite("Coalescer: before a request is sent", .timeLimit(.minutes(1)))
struct CoalescerRequestTests {
    private typealias Shared = Coalescer<String, Int>
    private let coalescer = Shared()
    private let outcomes = Recorder<Result<Int, ImageError>>()
    private let begin = Gate()

    @Test("it is asked where one of those who wait wants it, and all of them have heard of it")
    func wanted() async {
        let clients = [client(wants: false), client(wants: true), client(wants: false)]
        for client in clients { _ = coalescer.subscribe(client, to: "a") }
        begin.open()
        await outcomes.wait { $0.count == 3 }
        #expect(outcomes.events == [.success(7), .success(7), .success(7)])
        #expect(clients.map(\.questions.events.count) == [1, 1, 1])
    }

    @Test("it is not asked where nobody does")
    func unwanted() async {
        _ = coalescer.subscribe(client(wants: false), to: "a")
        begin.open()
        await outcomes.wait { $0.count == 1 }
        #expect(outcomes.events == [.failure(.cancelled)])
    }

    @Test("who joins while the others are asked is asked too")
    func joinsMeanwhile() async {
        let first = client(wants: false)
        let second = client(wants: true)
        first.afterwards.record { [coalescer] in _ = coalescer.subscribe(second, to: "a") }
        _ = coalescer.subscribe(first, to: "a")
        begin.open()
        await outcomes.wait { $0.count == 2 }
        #expect(outcomes.events == [.success(7), .success(7)])
    }

    private func client(wants: Bool) -> Client { Client(wants, begin, outcomes) }

    /// Says whether it wants a server to be asked, whenever it is asked.
    private final class Client: Subscriber {
        typealias Value = Int
        let demand = LoadDemand(priority: .normal)
        let observation: Observation? = nil
        let questions = Recorder<Bool>()
        /// What happens behind its answer.
        let afterwards = Recorder<@Sendable () -> Void>()
        private let wants: Bool
        private let begin: Gate
        private let outcomes: Recorder<Result<Int, ImageError>>

        init(_ wants: Bool, _ begin: Gate, _ outcomes: Recorder<Result<Int, ImageError>>) {
            self.wants = wants
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
            questions.record(wants)
            if questions.events.count == 1 { for action in afterwards.events { action() } }
            return wants
        }

        func didReceive(_ update: LoadUpdate) {}
        func didFinish(_ outcome: Result<Coalesced<Int>, ImageError>) { outcomes.record(outcome.map(\.value)) }
    }
}
