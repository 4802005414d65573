import EaselTesting
import Testing

@testable import EaselCore

import EaselFoundation

@Suite("Downloader: concurrent transfers", .timeLimit(.minutes(1)))
struct DownloaderAdmissionTests {
    @Test("a host has at most its limit of transfers while others run, and its case does not matter (S188)")
    func perHost() async throws {
        let fixture = DownloaderFixture { $0.concurrentTransfersPerHost = 2 }
        let gate = Gate()
        let urls =
            (0..<5).map { $0 % 2 == 0 ? "http://one.test/\($0)" : "http://ONE.test/\($0)" } + ["http://two.test/0"]
        for url in urls { fixture.transport.respond(url, with: .response(body: [.bytes(Data([1]))], gate: gate)) }
        try await withThrowingTaskGroup { group in
            for url in urls {
                let request = try DownloaderFixture.request(url)
                group.addTask { _ = try await fixture.load(request) }
            }
            try await until { fixture.downloader.currentDownloadCount == 6 }
            await fixture.transport.waitForRequests(3)
            #expect(fixture.urls.filter { $0.lowercased().hasPrefix("http://one.test") }.count == 2)
            #expect(fixture.urls.count == 3)
            gate.open()
            try await group.waitForAll()
        }
        #expect(fixture.urls.count == 6)
        #expect(fixture.downloader.currentDownloadCount == 0)
    }

    @Test("the total limit holds, and raising it starts waiting transfers at once (B68, S146)")
    func inAll() async throws {
        let fixture = DownloaderFixture { $0.concurrentTransfers = 1 }
        let gate = Gate()
        for host in 0..<4 {
            fixture.transport.respond("http://\(host).test/", with: .response(body: [.bytes(Data([1]))], gate: gate))
        }
        try await withThrowingTaskGroup { group in
            for host in 0..<4 {
                let request = try DownloaderFixture.request("http://\(host).test/")
                group.addTask { _ = try await fixture.load(request) }
            }
            try await until { fixture.downloader.currentDownloadCount == 4 }
            await fixture.transport.waitForRequests(1)
            #expect(fixture.urls.count == 1)
            fixture.downloader.concurrentTransfers = 3
            await fixture.transport.waitForRequests(3)
            #expect(fixture.urls.count == 3)
            gate.open()
            try await group.waitForAll()
        }
        #expect(fixture.downloader.concurrentTransfers == 3)
    }

    @Test("a suspended downloader sends nothing, and resuming starts transfers in LIFO order (S139, X127)")
    func suspended() async throws {
        let fixture = DownloaderFixture {
            $0.concurrentTransfers = 1
            $0.order = .lifo
        }
        fixture.downloader.isSuspended = true
        try await withThrowingTaskGroup { group in
            for number in 0..<4 {
                let url = "http://images.test/\(number)"
                fixture.transport.respond(url, with: .image)
                let request = try DownloaderFixture.request(url)
                group.addTask { _ = try await fixture.load(request) }
                try await until { fixture.downloader.currentDownloadCount == number + 1 }
            }
            #expect(fixture.urls.isEmpty)
            fixture.downloader.isSuspended = false
            try await group.waitForAll()
        }
        #expect(fixture.urls == (0..<4).reversed().map { "http://images.test/\($0)" })
    }
}
