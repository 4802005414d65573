public import EaselCore

extension CoderRegistry {
    /// A registry of Easel's own coders: those for JPEG, PNG and animated PNG, GIF, WebP, BMP, ICO, QOI and PNM, and those
    /// that the package's traits bring. Coders registered later are asked before them (X149).
    public static func standard() -> CoderRegistry {
        let registry = CoderRegistry(
            decoders: [
                QOICoder(), PNMCoder(), ICOCoder(), BMPCoder(), JPEGCoder(), PNGCoder(), GIFCoder(), WebPCoder(),
            ],
            encoders: [JPEGCoder(), PNGCoder(), APNGCoder(), GIFCoder(), WebPCoder(), QOICoder()])
        #if TIFF
        registry.register(TIFFCoder())
        #endif
        #if SVG
        registry.register(SVGCoder())
        #endif
        // Before AVIF, which knows its own among the files that only say that they are HEIF.
        #if HEIF
        registry.register(HEICCoder())
        #endif
        #if AVIF
        registry.register(AVIFCoder() as any ImageDecoding)
        registry.register(AVIFCoder() as any ImageEncoding)
        #endif
        #if JXL
        registry.register(JXLCoder() as any ImageDecoding)
        registry.register(JXLCoder() as any ImageEncoding)
        #endif
        return registry
    }
}
