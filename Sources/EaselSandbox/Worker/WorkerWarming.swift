#if Sandbox
import CEaselSandbox
import EaselCodecs
import EaselCore
import EaselFoundation

#if SVG
import CEaselSVG
#endif

/// Preloads what decoders load on first use, as a restricted worker cannot: libraries, modules, fonts and constants.
enum WorkerWarming {
    static func run(_ kind: WorkerKind, _ coders: CoderRegistry) {
        easel_sandbox_warm()
        _ = (coreCount, BlockPool.shared, MemoryAllowance.ofProcess)
        // A failed decode is enough to load a library.
        for format in coders.readableFormats where format != .svg {
            _ = try? coders.decoder(forFormatNamed: format.name)?.header(of: Data("no image".utf8))
        }
        for file in [encodedImage(.png), encodedImage(.jpeg), encodedImage(.webp)].compactMap(\.self) {
            _ = try? coders.decoder(for: file).decode(file, DecodeOptions(targetSize: .pixels(width: 3, height: 3)))
        }
        // Pango keeps a thread for each font map, and has a font map for each thread that draws text: both end with it.
        if kind == .drawing { runInThread { warmDrawing(coders) } }
    }

    private static func runInThread(_ body: () -> Void) {
        withoutActuallyEscaping(body) { body in
            var body = body
            withUnsafeMutablePointer(to: &body) { pointer in
                easel_sandbox_run_in_thread({ $0?.assumingMemoryBound(to: (() -> Void).self).pointee() }, pointer)
            }
        }
    }

    private static func encodedImage(_ format: ImageFormat) -> Data? {
        let pixels = try? PixelBuffer(size: PixelSize(8, 8), isOpaque: true) { bytes, _ in
            bytes.initializeMemory(as: UInt8.self, repeating: 255)
        }
        guard let pixels, let encoder = CoderRegistry.standard().encoder(for: format) else { return nil }
        return try? encoder.encode(DecodedImage(pixels: pixels, metadata: ImageMetadata()), EncodeOptions())
    }

    /// Draws documents that make librsvg load fonts, loaders of embedded images, and character sets. Filters are left
    /// out: they start threads, which do not exist in a forked process, where the next filter would wait for them
    /// forever.
    private static func warmDrawing(_ coders: CoderRegistry) {
        #if SVG
        easel_svg_discard_messages()
        guard let decoder = coders.decoder(forFormatNamed: ImageFormat.svg.name) else { return }
        func draw(_ content: String) {
            let document =
                "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' "
                + "width='9' height='9'>\(content)</svg>"
            _ = try? decoder.decode(Data(document.utf8), DecodeOptions())
        }
        // One font is enough: workers of this kind can read the others later.
        draw("<text y='9'>A</text>")
        for format in [ImageFormat.png, .jpeg] {
            guard let data = encodedImage(format)?.base64EncodedString() else { continue }
            draw("<image width='9' height='9' xlink:href='data:\(format.mediaType);base64,\(data)'/>")
        }
        for (type, data) in [("gif", gif), ("bmp", bmp)] {
            draw("<image width='9' height='9' xlink:href='data:image/\(type);base64,\(data)'/>")
        }
        for name in characterSets { easel_sandbox_keep_character_set(name) }
        #endif
    }

    /// A GIF of one pixel.
    private static let gif = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
    private static let bmp = "Qk06AAAAAAAAADYAAAAoAAAAAQAAAAEAAAABABgAAAAAAAQAAAAAAAAAAAAAAAAAAAAAAAAA////AA=="

    /// The character sets to load. Each loads a module of the C library. XML in any other character set is an error in
    /// a worker.
    private static let characterSets =
        (1...16).filter { $0 != 12 }.map { "ISO-8859-\($0)" } + (1250...1258).map { "windows-\($0)" }
        + ["KOI8-R", "KOI8-U", "Shift_JIS", "EUC-JP", "ISO-2022-JP", "GB2312", "GBK", "GB18030", "Big5", "EUC-KR"]
}
#endif
