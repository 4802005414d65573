import Easel
import Foundation

/// Easel's downloads compared with other clients, with the same nginx on this machine.
enum NetworkGroup {
    static let name = "network"

    /// The server and its clients.
    struct Field {
        let server: NginxServer
        let easel: EaselClient
        let libraries: [any LibraryPeer]
        let python: AiohttpPeer?
        let curl: CurlPeer?

        var peers: [any NetworkPeer] { warmPeers + (curl.map { [$0] } ?? []) }
    }

    static let small = 20_000
    static let large = Scale.pick(50, quick: 5) << 20
    /// The number of small files.
    private static let many = Scale.pick(2000, quick: 200)

    @Sendable static func works() async throws -> [Work] {
        let files = ["small": try image(), "tiny": Data(head), "large": largeFile()]
        let server = try NginxServer(files)
        let certificate = server.certificate
        let libraries: [any LibraryPeer] = [
            URLSessionPeer(), AsyncHTTPClientPeer(certificate: certificate),
        ]
        let python = Absence.makeOrReport { try AiohttpPeer(certificate: certificate) }
        let curl = Absence.makeOrReport { try CurlPeer(certificate: certificate) }
        let easel = EaselClient(certificate: certificate)
        let field = Field(server: server, easel: easel, libraries: libraries, python: python, curl: curl)
        let title = "\(Scale.title(many)) x 20 KB"
        var works = [
            many(field, "\(title), 6 at a time, HTTP/1.1", server.url("many/"), atATime: 6),
            many(
                await field.trusting(server.secureURL("tiny")), "\(title), 6 at a time, HTTP/2 TLS",
                server.secureURL("many/"), atATime: 6),
            many(field, "\(title), all at once, HTTP/1.1", server.url("many/"), atATime: many),
        ]
        works += [latency(field), largeBody(field), slowReader(field), subscribers(field)]
        works.append(try cancellation(field))
        works += try await cachingWorks(field)
        return works
    }

    // MARK: - Works

    private static func many(_ field: Field, _ work: String, _ base: String, atATime: Int) -> Work {
        let count = Self.many
        func rate(
            _ name: String, _ place: Contestant.Place = .thisProcess, _ download: @escaping () async throws -> Int
        ) -> Contestant {
            Contestant(
                name, in: place,
                .counted {
                    let start = ContinuousClock.now
                    let byteCount = try await download()
                    guard byteCount == count * small else { throw WrongResult(contestant: name, work: work) }
                    return Double(count) / ((.now - start) / .seconds(1))
                })
        }
        return Work(
            group: name, name: work, unit: .perSecond, operations: count,
            ours: rate("Easel") { try await field.easel.download(base, count: count, atATime: atATime) },
            peers: field.peers.map { peer in
                rate(peer.name, peer.place) { try await peer.download(base, count: count, atATime: atATime) }
            })
    }

    /// Measures different URLs, since a load that starts as another ends may share its file.
    private static func latency(_ field: Field) -> Work {
        let count = Scale.pick(500, quick: 50)
        let base = field.server.url("tiny?")
        func median(
            _ name: String, _ place: Contestant.Place = .thisProcess, _ times: @escaping () async throws -> [Double]
        ) -> Contestant {
            Contestant(name, in: place, .counted { Figures(try await times()).median })
        }
        return Work(
            group: name, name: "3 bytes, warm connection, median", operations: count,
            ours: median("Easel") {
                try await InParallel.times(count) { _ = try await field.easel.get(base + String($0)) }
            },
            peers: field.warmPeers.map { peer in
                median(peer.name, peer.place) { try await peer.latencies(base, count: count) }
            })
    }

    private static func largeBody(_ field: Field) -> Work {
        let base = field.server.url("large?")
        let number = Counter()
        // Uses different URLs, as in `latency`.
        func rate(_ name: String, _ download: @escaping (String) async throws -> Int) -> Contestant {
            Contestant(
                name,
                .counted {
                    let start = ContinuousClock.now
                    guard try await download(base + String(number.next())) == large else {
                        throw WrongResult(contestant: name, work: "a large body")
                    }
                    return Double(large) / 1e6 / ((.now - start) / .seconds(1))
                })
        }
        return Work(
            group: name, name: "one body of \(large >> 20) MB, kept, HTTP/1.1", unit: .megabytesPerSecond,
            ours: rate("Easel") { try await field.easel.get($0).data.count },
            peers: field.libraries.map { peer in rate(peer.name) { try await peer.get($0, headers: []).byteCount } })
    }

    private static func slowReader(_ field: Field) -> Work {
        let url = field.server.url("large")
        return Work(
            group: name, name: "\(large >> 20) MB, reader stands still, memory", unit: .bytes, maximumRounds: 1,
            ours: Contestant("Easel", .counted { try await EaselClient.peakBodyMemory(url) }),
            peers: field.libraries.map { peer in
                Contestant(peer.name, .counted { try await peer.peakBodyMemory(url) })
            })
    }

    /// The processor time of each load that shares a file, for several files. Peers download the file for each. Easel
    /// delivers it after all loads have started.
    private static func subscribers(_ field: Field) -> Work {
        let count = 64
        let fileCount = Scale.pick(16, quick: 2)
        let urls = (0..<fileCount).map { field.server.url("many/shared\($0)") }
        func cost(_ name: String, requests: Int, _ share: @escaping () async throws -> Int) -> Contestant {
            Contestant(
                name,
                .counted {
                    let before = try await field.server.requestCount()
                    let start = processorTime()
                    let byteCount = try await share()
                    let elapsed = processorTime() - start
                    // Excludes the status request.
                    let answered = try await field.server.requestCount() - before - 1
                    guard byteCount == fileCount * count * small, answered == fileCount * requests else {
                        throw WrongResult(contestant: name, work: "one file for \(count)")
                    }
                    return elapsed / Double(fileCount * count)
                })
        }
        return Work(
            group: name, name: "one file for 64, processor time each", operations: fileCount * count, maximumRounds: 3,
            ours: cost("Easel", requests: 1) { try await field.easel.share(urls, by: count) },
            peers: field.libraries.map { peer in
                cost(peer.name, requests: count) {
                    try await InParallel.sum(fileCount * count, atATime: count) { number in
                        try await peer.get(urls[number / count], headers: []).byteCount
                    }
                }
            })
    }

    private static func cancellation(_ field: Field) throws -> Work {
        let count = Scale.pick(10_000, quick: 1_000)
        let server = try SilentServer()
        func each(
            _ name: String, _ place: Contestant.Place = .thisProcess,
            _ cancel: @escaping (String) async throws -> Double
        ) -> Contestant {
            Contestant(name, in: place, .counted { try await cancel(server.url("waiting/")) / Double(count) })
        }
        return Work(
            group: name, name: "\(Scale.title(count)) waiting, all cancelled, each", operations: count,
            maximumRounds: 2,
            ours: each("Easel") { try await field.easel.cancel($0, count: count) },
            peers: field.libraries.map { peer in each(peer.name) { try await peer.cancel($0, count: count) } }
                + [field.python].compactMap { $0 }.map { peer in
                    each(peer.name, peer.place) { try peer.cancel($0, count: count) }
                })
    }

    // MARK: - Files

    /// The first bytes of a JPEG.
    static let head: [UInt8] = [0xFF, 0xD8, 0xFF]

    /// A small photograph. Data after its end is ignored.
    static func image() throws -> Data {
        let pixels = try PixelBuffer(size: PixelSize(160, 120), isOpaque: true) { bytes, bytesPerRow in
            for y in 0..<120 {
                for x in 0..<160 * 4 {
                    bytes[y * bytesPerRow + x] = x % 4 == 3 ? 255 : UInt8(truncatingIfNeeded: x + y)
                }
            }
        }
        var data = try JPEGCoder().encode(
            DecodedImage(pixels: pixels, metadata: ImageMetadata()), EncodeOptions(quality: 0.8))
        data.append(Data(count: small - data.count))
        return data
    }

    private static func largeFile() -> Data {
        var file = Data(head) + DiskGroup.bytes(1 << 20)
        file.append(Data(count: large - file.count))
        return file
    }
}

extension NetworkGroup.Field {
    /// Returns the clients without aiohttp, which has no HTTP/2, and without libraries that do not trust the server.
    /// Both are reported.
    func trusting(_ url: String) async -> Self {
        var trusting: [any LibraryPeer] = []
        for library in libraries {
            do {
                _ = try await library.get(url, headers: [])
                trusting.append(library)
            } catch {
                let reason = "it does not trust the server's certificate; see EASEL_BENCH_CERTIFICATE."
                Absence.report(MissingPeer(name: library.name + " over TLS", reason: reason))
            }
        }
        Absence.report("aiohttp", cannot: "HTTP/2")
        return Self(server: server, easel: easel, libraries: trusting, python: nil, curl: curl)
    }

    /// The clients that keep connections.
    var warmPeers: [any NetworkPeer] { libraries + (python.map { [$0] } ?? []) }
}
