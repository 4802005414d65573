#if HEIF
import CHEIF
import EaselCore

/// The gain map of a HEIC from Apple's cameras: an auxiliary image. libheif does not read those of ISO 21496-1.
struct HEIFGainMap: ~Copyable {
    private let image: HEIFImage
    private let headroom: Double
    let parameters: GainMap.Parameters

    /// Finds the map of an image. Decompresses nothing. Returns `nil` if there is none, or if its headroom is unknown.
    init?(of handle: OpaquePointer) {
        guard let map = Self.auxiliaryImage(of: handle) else { return nil }
        let image = HEIFImage(map)
        let xmp = Self.metadata(of: map, "mime", from: { _ in 0 })
        let exif = Self.metadata(of: handle, "Exif") { bytes in
            // The offset of the TIFF structure comes first (ISO/IEC 23008-12, A.2.1).
            bytes.bigEndian32(at: 0).map { $0 + 4 }
        }
        guard
            let headroom = XMPNumbers.number("HDRGainMap:HDRGainMapHeadroom", in: xmp.span)
                ?? AppleGainMap.headroom(exif: exif.span),
            let parameters = GainMap.Parameters(appleHeadroom: headroom)
        else { return nil }
        self.image = image
        self.headroom = headroom
        self.parameters = parameters
    }

    /// Decodes the map. Returns `nil` if it is damaged, larger than the base image, or beyond the limits.
    func decode(_ header: ImageHeader, _ options: DecodeOptions) throws(ImageError) -> StoredGainMap? {
        guard StoredGainMap.accepts(image.size, header, options) else { return nil }
        return try StoredGainMap.ignoringDamage { () throws(ImageError) in
            let pixels = try AppleGainMap.convert(image.pixels(), headroom: headroom)
            return StoredGainMap(GainMap(pixels: pixels, parameters: parameters), alternateColors: nil)
        }
    }

    private static func auxiliaryImage(of handle: OpaquePointer) -> OpaquePointer? {
        let filter = Int32(LIBHEIF_AUX_IMAGE_FILTER_OMIT_ALPHA | LIBHEIF_AUX_IMAGE_FILTER_OMIT_DEPTH)
        // The count comes from the file. More than a few images are implausible.
        let count = min(heif_image_handle_get_number_of_auxiliary_images(handle, filter), 16)
        guard count > 0 else { return nil }
        var identifiers = [heif_item_id](repeating: 0, count: Int(count))
        _ = heif_image_handle_get_list_of_auxiliary_image_IDs(handle, filter, &identifiers, count)
        for identifier in identifiers {
            var found: OpaquePointer?
            guard heif_image_handle_get_auxiliary_image_handle(handle, identifier, &found).code == heif_error_Ok,
                let found
            else { continue }
            if isGainMap(found) { return found }
            heif_image_handle_release(found)
        }
        return nil
    }

    private static func isGainMap(_ handle: OpaquePointer) -> Bool {
        var type: UnsafePointer<CChar>?
        guard heif_image_handle_get_auxiliary_type(handle, &type).code == heif_error_Ok, let text = type else {
            return false
        }
        defer { heif_image_handle_free_auxiliary_types(handle, &type) }
        return String(cString: text) == AppleGainMap.type.description
    }

    /// Returns the first block of metadata of a type from an offset on; empty if there is none.
    private static func metadata(
        of handle: OpaquePointer, _ type: String, from start: (Span<UInt8>) -> Int?
    ) -> [UInt8] {
        var identifier = heif_item_id()
        guard heif_image_handle_get_list_of_metadata_block_IDs(handle, type, &identifier, 1) == 1 else { return [] }
        let count = heif_image_handle_get_metadata_size(handle, identifier)
        guard count > 0, count <= longestMetadata else { return [] }
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { memory, initialized in
            let error = heif_image_handle_get_metadata(handle, identifier, memory.baseAddress)
            initialized = error.code == heif_error_Ok ? count : 0
        }
        return start(bytes.span).map { Array(bytes.dropFirst($0)) } ?? []
    }

    /// EXIF has at most a small thumbnail.
    private static let longestMetadata = 1 << 20
}
#endif
