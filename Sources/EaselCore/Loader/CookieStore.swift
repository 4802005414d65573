import EaselFoundation
import Synchronization

/// Cookies in memory, for requests that handle them (S083). Every method may be called from any thread.
///
/// One store is one user as far as caches know: another user needs another store, and a cache folder of their own or an
/// identity header.
public final class CookieStore: Sendable {
    private let jar = Mutex(CookieJar())

    /// An empty store.
    public init() {}

    /// How many cookies there are, expired ones included.
    public var count: Int { jar.withLock { $0.count } }

    /// Forgets all.
    public func removeAll() { jar.withLock { $0.removeAll() } }

    func take(_ response: HTTPResponse, from url: URL) {
        let fields = response.headers.all("Set-Cookie")
        guard !fields.isEmpty else { return }
        jar.withLock { jar in
            for field in fields { jar.take(field, from: url, now: Date()) }
        }
    }

    func field(for url: URL) -> String? {
        jar.withLock { $0.field(for: url, now: Date()) }
    }
}
