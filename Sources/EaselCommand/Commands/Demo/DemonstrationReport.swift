#if OriginServer
import EaselCore

/// What the demonstration has measured, and how it reads.
struct DemonstrationReport: Sendable {
    /// Every picture loaded once.
    struct Pass: Sendable {
        /// In the order of the pictures.
        var results: [Result<ImageResponse, ImageError>] = []
        /// From the first call to the last end.
        var total = Duration.zero
    }

    /// As the user wrote them.
    let urls: [String]
    /// What a person calls them.
    let names: [String]
    /// Over the network.
    var cold = Pass()
    /// The same manager again.
    var memory = Pass()
    /// A manager that has only the files.
    var disk = Pass()
    /// How often each picture was asked for at the server, where it can tell.
    var requestsAtOrigin: [Int]?

    /// No pass yet.
    init(urls: [String], names: [String]) {
        self.urls = urls
        self.names = names
    }

    /// The pictures that came.
    var pictures: [PixelBuffer] { cold.results.compactMap { try? $0.get().image.pixels } }

    /// What failed, and why.
    var failures: [(url: String, error: ImageError)] {
        zip(urls, cold.results).compactMap { url, result in
            if case .failure(let error) = result { (url, error) } else { nil }
        }
    }

    /// The table and the totals.
    var lines: [String] {
        var table = Table([
            ("image", .left), ("format", .left), ("pixels", .right), ("bytes", .right), ("cold", .right),
            ("again", .right), ("new manager", .right),
        ])
        for index in names.indices { table.add(row(index)) }
        table.add([
            "all at once", "", "", ByteCount.text(byteCount), time(cold.total), time(memory.total), time(disk.total),
        ])
        return table.lines + ["", requests]
    }

    private func row(_ index: Int) -> [String] {
        let response = cold.results.indices.contains(index) ? try? cold.results[index].get() : nil
        let header = response?.image.metadata.header
        return [
            names[index].truncated(to: 32), header?.format.name ?? "failed", header.map { "\($0.size)" } ?? "",
            response?.data.map { ByteCount.text($0.count) } ?? "",
        ] + [cold, memory, disk].map { cell($0, index) }
    }

    /// Where it came from, and after how many milliseconds.
    private func cell(_ pass: Pass, _ index: Int) -> String {
        guard pass.results.indices.contains(index), let response = try? pass.results[index].get() else { return "" }
        return "\(response.source.rawValue) \(time(response.timeline.total ?? .zero))"
    }

    /// Milliseconds, to the microsecond: a picture from memory takes few.
    private func time(_ duration: Duration) -> String {
        let microseconds = Int((duration.milliseconds * 1000).rounded())
        let fraction = String(microseconds % 1000)
        return "\(microseconds / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction + " ms"
    }

    private var byteCount: Int { cold.results.reduce(0) { $0 + ((try? $1.get().data?.count) ?? 0) } }

    private var requests: String {
        if let counts = requestsAtOrigin {
            let each = counts.allSatisfy { $0 == 1 } ? ", exactly one an image" : ", which is not one an image"
            return "Requests that reached the origin: \(counts.reduce(0, +)) for \(counts.count) images\(each)."
        }
        let sent = [cold, memory, disk].flatMap(\.results).reduce(0) { $0 + ((try? $1.get().timeline.requests) ?? 0) }
        return "Requests sent, redirects and retries included: \(sent) for \(names.count) images."
    }
}
#endif
