#if OriginServer
import EaselHTTP
import EaselTesting
import Foundation
import Testing

@testable import EaselCore

@Suite("Downloader over libcurl: many at once (P006)", .timeLimit(.minutes(2)))
struct DownloadStormTests {
    @Test("1,000 slow downloads cancelled at random leave no transfer, socket, task or file, and downloads still work")
    func storm() async throws {
        let origin = try await OriginServer.start {
            $0.respond("/slow", with: .bytes(Data(count: 4000)), faults: [.drip(bytes: 1000, every: .milliseconds(2))])
            $0.respond("/stuck", with: .bytes(Data(count: 4000)), faults: [.holdBody(Gate(), at: 1000)])
            $0.respond("/silent", with: .bytes(Data(count: 4000)), faults: [.noResponse])
            $0.respond("/b", with: .text("still here"))
        }
        let transport = CurlTransport(connectionsPerHost: nil)
        let folder = FileManager.default.temporaryDirectory.path + "/easel-storm-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let downloader = ImageDownloader(transport: transport) {
            $0.partialFolder = folder
            $0.concurrentTransfers = 48
            $0.concurrentTransfersPerHost = 48
            $0.order = .lifo
        }
        var random = SystemRandomNumberGenerator()
        let loads = (0..<1000).map { number in
            let path = ["/slow", "/stuck", "/silent"][number % 3]
            let request = ImageRequest(origin.url("\(path)?\(number)")) { $0.retry = .exponential(attempts: 3) }
            let context = LoadContext(priority: LoadPriority.allCases[number % 2]) { _ in }
            return Task { () -> ImageError? in
                do throws(ImageError) {
                    _ = try await downloader.load(request, context)
                    return nil
                } catch {
                    return error
                }
            }
        }
        await origin.waitForRequests(48)
        for (count, index) in loads.indices.shuffled(using: &random).enumerated() {
            loads[index].cancel()
            // Some are cancelled while others are still starting.
            if count % 50 == 0 { await Task.yield() }
        }
        for load in loads {
            let error = await load.value
            #expect(error == nil || error == .cancelled)
        }
        #expect(downloader.currentDownloadCount == 0)

        let url = origin.url("/b")
        let loaded = try await downloader.load(ImageRequest(url), LoadContext(priority: .normal) { _ in })
        #expect(loaded.data == Data("still here".utf8))
        // Every started response has ended, so no transfer is leaked.
        await origin.wait { $0.allSatisfy { $0.ending != nil } }
        await transport.shutDown()
        #expect(try Descriptors.connected(to: origin.port).isEmpty)
        // No download received enough bytes to be stored as partial.
        #expect((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] == [])
        await origin.stop()
    }

    @Test("10,000 waiting downloads are all cancelled at once and leave nothing")
    func waiting() async throws {
        let origin = try await OriginServer.start {
            $0.respond("/stuck", with: .bytes(Data(count: 4000)), faults: [.noResponse])
        }
        let transport = CurlTransport()
        let downloader = ImageDownloader(transport: transport)
        let loads = (0..<10_000).map { number in
            let request = ImageRequest(origin.url("/stuck?\(number)")) {
                $0.http.timeouts = HTTPTimeouts(connect: .seconds(120), idle: .seconds(120))
            }
            return Task { try await downloader.load(request, LoadContext(priority: .normal) { _ in }) }
        }
        await origin.waitForRequests(6)
        try await until { downloader.currentDownloadCount == 10_000 }
        downloader.cancelAll()
        for load in loads { await #expect(throws: ImageError.cancelled) { try await load.value } }
        #expect(downloader.currentDownloadCount == 0)
        #expect(origin.requests.count == 6)
        await transport.shutDown()
        #expect(try Descriptors.connected(to: origin.port).isEmpty)
        await origin.stop()
    }
}
#endif
