#if OriginServer
import EaselTesting
import Foundation

/// A certificate and its key as files, for as long as they are needed.
struct CertificateFiles {
    let certificate: String
    let key: String

    static func with(_ certificate: OriginCertificate, _ body: (CertificateFiles) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "easel-certificate-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // The folder goes in the end, and a failure to remove it is nobody's concern.
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = CertificateFiles(certificate: folder.path + "/certificate", key: folder.path + "/key")
        try Data(certificate.certificate.utf8).write(to: URL(filePath: files.certificate))
        try Data(certificate.privateKey.utf8).write(to: URL(filePath: files.key))
        try await body(files)
    }
}
#endif
