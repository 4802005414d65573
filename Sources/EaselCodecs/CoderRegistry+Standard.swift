public import EaselCore

extension CoderRegistry {
    /// A registry of Easel's own coders: for JPEG, PNG and animated PNG, GIF and WebP, and for the formats whose package
    /// traits are on. Coders registered later are asked before them (X149).
    public static func standard() -> CoderRegistry {
        let registry = CoderRegistry(
            decoders: [JPEGCoder(), PNGCoder(), GIFCoder(), WebPCoder()],
            encoders: [JPEGCoder(), PNGCoder(), WebPCoder()])
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
