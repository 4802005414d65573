import EaselCore

/// Calls `body`, and cancels it when `limit` is over.
///
/// - Throws: what `body` throws, `ImageError.timedOut(.total)` after the limit, `.cancelled` where the caller is cancelled.
func withDeadline<Value: Sendable>(
    _ limit: Duration?, _ body: @escaping @Sendable () async throws(ImageError) -> Value
) async throws(ImageError) -> Value {
    guard let limit else { return try await body() }
    let outcome = await withTaskGroup(of: Result<Value, ImageError>.self) { group in
        group.addTask {
            do throws(ImageError) { return .success(try await body()) } catch { return .failure(error) }
        }
        group.addTask {
            do { try await Task.sleep(for: limit) } catch { return .failure(.cancelled) }
            return .failure(.timedOut(.total))
        }
        defer { group.cancelAll() }
        return await group.next() ?? .failure(.cancelled)
    }
    return try outcome.get()
}
