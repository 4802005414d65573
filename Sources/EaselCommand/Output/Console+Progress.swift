import EaselCore
import Foundation

extension Console {
    /// Calls `body` and shows the progress that it reports; of what comes over a network, that is: a local file is there
    /// before anyone could read its name.
    func showingProgress<Value: Sendable>(
        of input: ImageInput,
        _ body: (_ report: @escaping @Sendable (LoadProgress) -> Void) async throws(ImageError) -> Value
    ) async throws(ImageError) -> Value {
        let id = nextTransfer()
        let isRemote = !input.url.isFileURL && input.url.scheme != "data"
        // Only the newest counts: bars are drawn far less often than bytes come.
        let (reports, continuation) = AsyncStream.makeStream(
            of: LoadProgress.self, bufferingPolicy: .bufferingNewest(1))
        progress(.started(id, name: input.name))
        let showing = Task {
            for await report in reports where isRemote {
                progress(.advanced(id, received: report.received, expected: report.expected))
            }
        }
        let outcome: Result<Value, ImageError>
        do throws(ImageError) {
            outcome = .success(try await body { continuation.yield($0) })
        } catch {
            outcome = .failure(error)
        }
        continuation.finish()
        await showing.value
        if case .success = outcome { progress(.finished(id)) } else { progress(.failed(id)) }
        return try outcome.get()
    }
}
