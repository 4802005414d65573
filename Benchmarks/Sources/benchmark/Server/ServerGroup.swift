import Easel
import Foundation

/// Easel's image server compared with other servers: photographs of 2,040 pixels from nginx, fitted into 512 x 512 in
/// their own format. Processor time and memory are those of all processes of a server.
enum ServerGroup {
    static let name = "server"

    /// Results that have to be made, for each format.
    @Sendable static func works(_ format: ServedFormat) async throws -> [Work] {
        let photographs = try ServerPhotographs()
        let easel = try ImageServers.easel()
        let images = photographs.images(format)
        let peers = await able(ImageServers.peers(), to: images[0])
        let servers = [easel] + peers
        let title = format.rawValue
        // Fewer requests at two connections, since some peers take long.
        let few = Array(images.prefix(images.count / 2))
        return rows("\(title), 16 connections", photographs, images, servers, connections: 16)
            + rows("\(title), 2 connections", photographs, few, servers, connections: 2).prefix(1)
            + [try await ResultSizes(photographs, format).work(easel, peers)]
    }

    /// Four sizes of each photograph, requested at once.
    @Sendable static func sizesWorks() async throws -> [Work] {
        let photographs = try ServerPhotographs()
        let easel = try ImageServers.easel()
        let peers = ImageServers.peers()
        var works: [Work] = []
        for format in [ServedFormat.jpeg, .png, .webp] {
            let sizes = [128, 256, 512, 1024].map {
                photographs.images(format, count: ServerPhotographs.count / 4, side: $0)
            }
            let images = sizes[0].indices.flatMap { number in sizes.map { $0[number] } }
            let servers = [easel] + (await able(peers, to: images[0]))
            let title = "\(format.rawValue), four sizes at once"
            works += rows(title, photographs, images, servers, connections: 4).prefix(2)
        }
        return works
    }

    private static func rows(
        _ title: String, _ photographs: ServerPhotographs, _ images: [ServedImage], _ servers: [ImageServerProcess],
        connections: Int
    ) -> [Work] {
        let load = ServerLoad(connections: connections)
        return Samples.rows(name, title, servers) { index in
            let server = servers[index]
            // The origin ends with the photographs.
            defer { withExtendedLifetime(photographs) {} }
            return try await load.run(images.map(server.url), connections: connections, of: server)
        }
    }

    /// Returns the servers that answer with the right format and size, and reports the others.
    private static func able(_ servers: [ImageServerProcess], to image: ServedImage) async -> [ImageServerProcess] {
        let load = ServerLoad(connections: 1)
        var able: [ImageServerProcess] = []
        for server in servers {
            do {
                let file = try await load.get(server.url(image))
                let header = try CoderRegistry.standard().decoder(for: file).header(of: file)
                guard header.format.fileExtension == image.format.fileExtension, header.size.width == image.side else {
                    throw WrongResult(contestant: server.name, work: image.format.rawValue)
                }
                able.append(server)
            } catch {
                Absence.report(server.name, cannot: "\(name): \(image.format.rawValue)")
            }
        }
        return able
    }
}
