import EaselFoundation
import EaselCore

extension OriginResponse {
    /// Reads and encodes the body, and compresses it where `request` accepts that. Blocks.
    func answer(to request: OriginRequest) -> Answer {
        do throws(ImageError) {
            let body = try body()
            guard isCompressed, request.headers.all("Accept-Encoding").contains(where: { $0.contains("gzip") }) else {
                return Answer(to: request, with: self, body: body)
            }
            let compressed = with(headers: ["Content-Encoding": "gzip"])
            return Answer(to: request, with: compressed, body: try Gzip.compress(body))
        } catch {
            let isMissing = if case .unreadable = error { true } else { false }
            return Answer(
                status: isMissing ? 404 : 500, headers: ["Content-Type": "text/plain; charset=utf-8"],
                body: Data(String(describing: error).utf8))
        }
    }

    private func body() throws(ImageError) -> Data {
        switch content {
        case .data(let data): return data
        case .image(let image, let format): return try image.encoded(as: format)
        case .file(let path):
            do {
                return try Data(contentsOf: URL(filePath: path))
            } catch {
                throw .unreadable(path: path, reason: String(describing: error))
            }
        }
    }
}
