import EaselCodecs
import EaselCore
import EaselFoundation
import EaselSandbox
import FaultyCalls

/// A use of a sandbox in a separate process, which tests start under conditions that would affect themselves.
enum SandboxCheck {
    /// Decodes a file with a fault and a WebP image in a sandbox. Prints what happens, in lines of a name and a value.
    /// The sandbox uses the worker program `EASEL_CHECK_PROGRAM`.
    static func run(_ fault: String) {
        do throws(ImageError) {
            try decode(fault)
        } catch {
            print("error: \(error)")
        }
        // The sandbox has been released. Its processes must be gone, and reaped by their parents.
        var tries = 0
        while !faulty_has_no_children(), tries < 500 {
            usleep(10_000)
            tries += 1
        }
        print("children: \(faulty_has_no_children() ? "none" : "some")")
    }

    private static func decode(_ fault: String) throws(ImageError) {
        let sandbox = try Sandbox { $0.program = ProcessInfo.processInfo.environment["EASEL_CHECK_PROGRAM"] }
        print("status: \(sandbox.status().shortcoming ?? "complete")")
        let coders = CoderRegistry(decoders: [FaultyDecoder(), WebPCoder()])
        coders.isolate(nil, in: sandbox)
        let pixels = try PixelBuffer(size: PixelSize(16, 16), isOpaque: true) { bytes, _ in
            for index in bytes.indices { bytes[index] = index % 4 == 3 ? 255 : UInt8(truncatingIfNeeded: index) }
        }
        let image = try WebPCoder().encode(
            DecodedImage(pixels: pixels, metadata: ImageMetadata()), EncodeOptions(isLossless: true))
        for data in [Data("FAULT \(fault)".utf8), image] {
            _ = try coders.decoder(for: data).decode(data, DecodeOptions())
        }
        print("unprotected: \(sandbox.statistics.unprotected)")
        print("crashes: \(sandbox.statistics.crashes)")
    }
}
