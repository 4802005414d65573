#if OriginServer
import EaselTesting
import Foundation

/// A certificate and its key in temporary files.
struct CertificateFiles {
    let certificate: String
    let key: String

    static func with(_ certificate: OriginCertificate, _ body: (CertificateFiles) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "easel-certificate-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // A failure to remove the temporary folder does not matter.
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = CertificateFiles(certificate: folder.path + "/certificate", key: folder.path + "/key")
        try Data(certificate.certificate.utf8).write(to: URL(filePath: files.certificate))
        try Data(certificate.privateKey.utf8).write(to: URL(filePath: files.key))
        try await body(files)
    }
}
#endif
