import EaselTesting
import Testing

@testable import EaselCore

import EaselFoundation

/// A downloader with scripted responses and a manual clock.
struct DownloaderFixture {
    let transport = FakeTransport()
    let clock = ManualClock()
    let downloader: ImageDownloader

    init(_ configure: (inout ImageDownloader.Configuration) -> Void = { _ in }) {
        downloader = ImageDownloader(transport: transport, clock: clock, configure)
    }

    static func request(
        _ url: String = "http://images.test/a", _ configure: (inout ImageRequest) -> Void = { _ in }
    ) throws -> ImageRequest {
        ImageRequest(try #require(URL(string: url)), configure)
    }

    func load(_ request: ImageRequest, _ recorder: LoadRecorder = LoadRecorder()) async throws(ImageError) -> LoadedData
    {
        try await downloader.load(request, recorder.context)
    }

    /// Returns the error of a load.
    func error(of request: ImageRequest, _ recorder: LoadRecorder = LoadRecorder()) async -> ImageError? {
        do throws(ImageError) {
            _ = try await load(request, recorder)
            return nil
        } catch {
            return error
        }
    }

    var urls: [String] { transport.requests.map(\.url) }
}

extension FakeResponse {
    static func redirect(_ status: Int = 302, to location: String?) -> FakeResponse {
        response(status: status, headers: location.map { ["Location": $0] } ?? [:], body: [.bytes(Data("moved".utf8))])
    }

    static var image: FakeResponse { .bytes(Data("image".utf8)) }
}
