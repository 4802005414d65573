public import EaselCore

extension CoderRegistry {
    /// Returns a registry of the built-in coders: JPEG, PNG and animated PNG, GIF, WebP, BMP, ICO, QOI and PNM, and the
    /// formats of the enabled package traits. Coders registered later take precedence.
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
        // Registered before AVIF, which takes precedence for files with a generic HEIF brand.
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
