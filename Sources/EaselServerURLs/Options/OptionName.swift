#if Server
/// The options of URLs by their long names.
enum OptionName: String, Sendable, Hashable, CaseIterable {
    case resize
    case size
    case resizingType = "resizing_type"
    case width
    case height
    case minimumWidth = "min-width"
    case minimumHeight = "min-height"
    case zoom
    case pixelRatio = "dpr"
    case enlarge
    case extend
    case extendAspectRatio = "extend_aspect_ratio"
    case gravity
    case crop
    case trim
    case padding
    case autoRotate = "auto_rotate"
    case rotate
    case flip
    case background
    case backgroundAlpha = "background_alpha"
    case adjust
    case brightness
    case contrast
    case saturation
    case colorMatrix = "color_matrix"
    case blur
    case sharpen
    case pixelate
    case watermark
    case stripMetadata = "strip_metadata"
    case keepCopyright = "keep_copyright"
    case stripColorProfile = "strip_color_profile"
    case colorSpace = "color_space"
    case enforceThumbnail = "enforce_thumbnail"
    case quality
    case formatQuality = "format_quality"
    case maximumBytes = "max_bytes"
    case jpegOptions = "jpeg_options"
    case format
    case page
    case pages
    case disableAnimation = "disable_animation"
    case skipProcessing = "skip_processing"
    case raw
    case cacheBuster = "cachebuster"
    case expires
    case filename
    case returnAttachment = "return_attachment"
    case fallbackImage = "fallback_image_url"
    case preset
    case sourceResolution = "max_src_resolution"
    case sourceBytes = "max_src_file_size"
    case animationFrames = "max_animation_frames"
    case frameResolution = "max_animation_frame_resolution"
    case resultDimension = "max_result_dimension"

    /// Creates the option of a long or a short name.
    init?(_ name: String) {
        guard let option = Self.byName[name] else { return nil }
        self = option
    }

    private static let byName: [String: OptionName] = {
        var names: [String: OptionName] = [:]
        for option in allCases {
            for name in [option.rawValue] + option.shortNames { names[name] = option }
        }
        return names
    }()

    private var shortNames: [String] {
        switch self {
        case .resize: ["rs"]
        case .size: ["s"]
        case .resizingType: ["rt"]
        case .width: ["w"]
        case .height: ["h"]
        case .minimumWidth: ["mw"]
        case .minimumHeight: ["mh"]
        case .zoom: ["z"]
        case .enlarge: ["el"]
        case .extend: ["ex"]
        case .extendAspectRatio: ["extend_ar", "exar"]
        case .gravity: ["g"]
        case .crop: ["c"]
        case .trim: ["t"]
        case .padding: ["pd"]
        case .autoRotate: ["ar"]
        case .rotate: ["rot"]
        case .flip: ["fl"]
        case .background: ["bg"]
        case .backgroundAlpha: ["bga"]
        case .adjust: ["a"]
        case .brightness: ["br"]
        case .contrast: ["co"]
        case .saturation: ["sa"]
        case .colorMatrix: ["cm"]
        case .blur: ["bl"]
        case .sharpen: ["sh"]
        case .pixelate: ["pix"]
        case .watermark: ["wm"]
        case .stripMetadata: ["sm"]
        case .keepCopyright: ["kcr"]
        case .stripColorProfile: ["scp"]
        case .colorSpace: ["cs", "color_profile", "cp", "icc"]
        case .enforceThumbnail: ["eth"]
        case .quality: ["q"]
        case .formatQuality: ["fq"]
        case .maximumBytes: ["mb"]
        case .jpegOptions: ["jpgo"]
        case .format: ["f", "ext"]
        case .page: ["pg"]
        case .pages: ["pgs"]
        case .disableAnimation: ["da"]
        case .skipProcessing: ["skp"]
        case .cacheBuster: ["cb"]
        case .expires: ["exp"]
        case .filename: ["fn"]
        case .returnAttachment: ["att"]
        case .fallbackImage: ["fiu"]
        case .preset: ["pr"]
        case .sourceResolution: ["msr"]
        case .sourceBytes: ["msfs"]
        case .animationFrames: ["maf"]
        case .frameResolution: ["mafr"]
        case .resultDimension: ["mrd"]
        case .pixelRatio, .raw: []
        }
    }

    /// Whether it raises a limit of the server.
    var isLimit: Bool {
        [.sourceResolution, .sourceBytes, .animationFrames, .frameResolution, .resultDimension].contains(self)
    }

    /// The options of imgproxy that have no equivalent. Their error differs from that of unknown ones.
    static let unsupported: Set<String> = [
        "resizing_algorithm", "ra", "objects_position", "obj_pos", "op", "crop_aspect_ratio", "crop_ar", "car",
        "monochrome", "mc", "duotone", "dt", "unsharp_masking", "unsharp", "ush", "blur_areas", "ba",
        "blur_detections", "bd", "draw_detections", "dd", "colorize", "col", "gradient", "gr", "watermark_url", "wmu",
        "watermark_text", "wmt", "watermark_size", "wms", "watermark_rotate", "wm_rot", "wmr", "watermark_shadow",
        "wmsh", "style", "st", "dpi", "autoquality", "aq", "png_options", "pngo", "webp_options", "webpo",
        "avif_options", "avifo", "video_thumbnail_second", "vts", "video_thumbnail_keyframes", "vtk",
        "video_thumbnail_tile", "vtt", "video_thumbnail_animation", "vta", "hashsum", "hs", "preserve_hdr", "phdr",
    ]
}

/// A list of options that URLs may have.
public struct AllowedOptions: Sendable, Hashable {
    let names: Set<OptionName>

    /// Creates a list of names, long or short. A short name allows the long one too.
    ///
    /// - Throws: an error for a name that no option has.
    public init(_ names: some Sequence<String>) throws(ImageURLError) {
        var allowed: Set<OptionName> = []
        for name in names {
            guard let option = OptionName(name) else { throw .unknownOption(name) }
            allowed.insert(option)
        }
        self.names = allowed
    }
}
#endif
