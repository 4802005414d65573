import EaselCodecs
import EaselCore
import EaselFoundation
import EaselSandbox
import FaultyCalls

/// A worker program with a decoder of another format, which does what the file says.
@main
enum Main {
    static func main() {
        faulty_serve_other_version()
        Sandbox.runWorkerIfRequested(coders: {
            let coders = CoderRegistry.standard()
            coders.register(FaultyDecoder())
            return coders
        })
        // In the environment, as a process has no arguments without /proc.
        if let fault = ProcessInfo.processInfo.environment["EASEL_CHECK"] { SandboxCheck.run(fault) }
    }
}

/// Decodes files that begin with FAULT and a space, and name a fault.
struct FaultyDecoder: ImageDecoding {
    let format = ImageFormat("fault", signatures: [.text("FAULT ")])

    func header(of data: Data) throws(ImageError) -> ImageHeader {
        ImageHeader(format: format, storedSize: PixelSize(4, 4))
    }

    func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        let fault = String(decoding: data.dropFirst(6), as: UTF8.self)
        switch fault {
        case "none": break
        case "divide": try divide(by: data.count - data.count)
        case "loop": while !options.isCancelled() {}
        default:
            let code = faulty_call(fault)
            throw .badData(code == 0 ? "The system allowed \(fault)." : "The system refused \(fault) with \(code).")
        }
        let pixels = try PixelBuffer(size: PixelSize(4, 4), isOpaque: true) { bytes, _ in
            bytes.initializeMemory(as: UInt8.self, repeating: 255)
        }
        return DecodedImage(pixels: pixels, metadata: ImageMetadata(header: try header(of: data)))
    }

    private func divide(by zero: Int) throws(ImageError) { throw .badData("\(1 / zero)") }
}
