public import EaselCore

extension CoderRegistry {
    /// A registry of Easel's own coders: those for JPEG, PNG and animated PNG, GIF, WebP, BMP, ICO, QOI and PNM, and those
    /// that the package's traits bring. Coders registered later are asked before them.
    public static func standard() -> CoderRegistry {
        let registry = CoderRegistry(
            decoders: [
                QOICoder(), PNMCoder(), ICOCoder(), BMPCoder(), JPEGCoder(), PNGCoder(), GIFCoder(), WebPCoder(),
            ],
            encoders: [JPEGCoder(), PNGCoder(), APNGCoder(), GIFCoder(), WebPCoder(), QOICoder()])
        #if TIFF
        registry.register(TIFFCoder())
        #else
        registry.setMissingTrait("TIFF", for: .tiff)
        #endif
        #if SVG
        registry.register(SVGCoder())
        #else
        registry.setMissingTrait("SVG", for: .svg)
        #endif
        // Before AVIF, which knows its own among the files that only say that they are HEIF.
        #if HEIF
        registry.register(HEICCoder())
        #else
        registry.setMissingTrait("HEIF", for: .heic)
        #endif
        #if AVIF
        registry.register(AVIFCoder() as any ImageDecoding)
        registry.register(AVIFCoder() as any ImageEncoding)
        #else
        registry.setMissingTrait("AVIF", for: .avif)
        #endif
        #if JXL
        registry.register(JXLCoder() as any ImageDecoding)
        registry.register(JXLCoder() as any ImageEncoding)
        #else
        registry.setMissingTrait("JXL", for: .jxl)
        #endif
        return registry
    }
}
