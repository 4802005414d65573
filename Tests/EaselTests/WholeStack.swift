#if OriginServer
import Easel
import EaselTesting
import Foundation

/// The whole stack over an origin server, with a temporary cache folder.
final class WholeStack: Sendable {
    let origin: OriginServer
    let folder: String
    let manager: ImageManager

    private init(origin: OriginServer, folder: String, manager: ImageManager) {
        self.origin = origin
        self.folder = folder
        self.manager = manager
    }

    /// Runs `body` with a server, a folder and a manager, and removes them afterwards.
    static func run(
        _ configure: (inout OriginConfiguration) -> Void,
        folder: String = FileManager.default.temporaryDirectory.path + "/easel-tests-" + UUID().uuidString,
        _ body: (WholeStack) async throws -> Void
    ) async throws {
        let origin = try await OriginServer.start(configure)
        let stack = WholeStack(origin: origin, folder: folder, manager: manager(folder))
        do {
            try await body(stack)
        } catch {
            await stack.end()
            throw error
        }
        await stack.end()
    }

    /// Returns a manager with an empty memory cache over the same folder.
    func freshManager(observer: (any ImageObserver)? = nil) -> ImageManager {
        Self.manager(folder, observer: observer)
    }

    /// Returns a request that ends after the cache has been written.
    func request(_ path: String, _ configure: (inout ImageRequest) -> Void = { _ in }) -> ImageRequest {
        ImageRequest(origin.url(path)) {
            $0.options = .waitStoreCache
            configure(&$0)
        }
    }

    /// Returns the error of a load of `path`, or `nil` if it succeeds.
    func failure(_ path: String, _ configure: (inout ImageRequest) -> Void = { _ in }) async -> ImageError? {
        do throws(ImageError) {
            _ = try await manager.load(request(path, configure)).response
            return nil
        } catch {
            return error
        }
    }

    /// The files in the cache folder, with temporary ones.
    var cachedFiles: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter {
            $0.prefix { $0.isHexDigit }.count == 32
        }
    }

    private func end() async {
        await origin.stop()
        // The folder does not exist if nothing was stored.
        try? FileManager.default.removeItem(atPath: folder)
    }

    private static func manager(_ folder: String, observer: (any ImageObserver)? = nil) -> ImageManager {
        ImageManager {
            $0.cache = ImageCache(folder: folder)
            $0.observers = [observer].compactMap(\.self)
        }
    }
}
#endif
