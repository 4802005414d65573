#if Server
import EaselCore

extension ProcessingOptions {
    /// The options that decide the bytes of the result, as text that is the same in every process: part of the key of a
    /// stored result, with the source, its version and the format. The cache buster is not included.
    package var resultKey: String {
        var text = KeyText()
        text.add("q", quality)
        for (format, quality) in formatQualities.sorted(by: { $0.key.name < $1.key.name }) {
            text.add("fq-\(format.name)", quality)
        }
        text.add("mb", maximumByteCount)
        text.add("jpgo", isProgressive)
        text.add("444", hasFullChroma, unless: false)
        text.add("sm", stripsMetadata, unless: true)
        text.add("kcr", keepsCopyright, unless: true)
        text.add("raw", isRaw, unless: false)
        text.add("skp", skippedFormats.map(\.name).sorted().joined(separator: ","), unless: "")
        text.add("msr", limits.sourcePixels)
        text.add("msfs", limits.sourceBytes)
        text.add("maf", limits.frames)
        text.add("fiu", fallbackSource)
        return text.text + pixelKey
    }

    /// The options that decide the pixels of the result, or that there are none.
    package var pixelKey: String {
        var text = KeyText()
        text.add("page", page, unless: 0)
        text.add("da", isAnimationDisabled, unless: false)
        text.add("rt", resizing.rawValue, unless: "fit")
        text.add("w", width ?? 0, unless: 0)
        text.add("h", height ?? 0, unless: 0)
        text.add("mw", minimumWidth, unless: 0)
        text.add("mh", minimumHeight, unless: 0)
        text.add("z", "\(zoomWidth)x\(zoomHeight)", unless: "1.0x1.0")
        text.add("dpr", pixelRatio ?? 1, unless: 1)
        text.add("el", enlarges, unless: false)
        if extends.isEnabled { text.add("ex", extends.gravity.keyText) }
        if extendsAspectRatio.isEnabled { text.add("exar", extendsAspectRatio.gravity.keyText) }
        text.add("g", gravity.keyText, unless: Gravity(.center).keyText)
        text.add("c", crop?.keyText)
        text.add("t", trim?.keyText)
        text.add("pd", padding.keyText, unless: Padding().keyText)
        text.add("ar", appliesOrientation, unless: true)
        text.add("rot", rotation, unless: 0)
        text.add("fl", "\(flipsHorizontally),\(flipsVertically)", unless: "false,false")
        text.add("bg", backgroundColor?.description)
        text.add("br", brightness, unless: 0)
        text.add("co", contrast, unless: 1)
        text.add("sa", saturation, unless: 1)
        text.add("cm", colorMatrix?.map { "\($0)" }.joined(separator: ","))
        text.add("bl", blur, unless: 0)
        text.add("sh", sharpen, unless: 0)
        text.add("pix", pixelate, unless: 0)
        text.add("wm", watermark?.keyText)
        text.add("cs", colorSpace?.rawValue)
        text.add("scp", stripsColorProfile, unless: true)
        text.add("mrd", limits.resultSide)
        text.add("mafr", limits.framePixels)
        return text.text
    }
}

/// Names and values, with lengths that delimit values which may contain anything.
private struct KeyText {
    private(set) var text = ""

    mutating func add(_ name: String, _ value: (some CustomStringConvertible)?) {
        guard let value = value?.description else { return }
        text += "\(name)=\(value.utf8.count):\(value);"
    }

    mutating func add<Value: CustomStringConvertible & Equatable>(
        _ name: String, _ value: Value, unless standard: Value
    ) {
        if value != standard { add(name, value) }
    }
}

extension ProcessingOptions.Gravity {
    fileprivate var keyText: String { "\(kind.rawValue),\(x),\(y)" }
}

extension ProcessingOptions.Crop {
    fileprivate var keyText: String { "\(width),\(height),\(gravity?.keyText ?? "")" }
}

extension ProcessingOptions.Trim {
    fileprivate var keyText: String {
        "\(tolerance),\(color?.description ?? ""),\(isEqualHorizontally),\(isEqualVertically)"
    }
}

extension ProcessingOptions.Padding {
    fileprivate var keyText: String { "\(top),\(right),\(bottom),\(left)" }
}

extension ProcessingOptions.Watermark {
    var keyText: String { "\(opacity),\(gravity.keyText),\(isTiled),\(scale)" }
}
#endif
