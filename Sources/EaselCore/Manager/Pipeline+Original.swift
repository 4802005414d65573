/// What an original file is for one of those who have asked for it.
extension Pipeline {
    /// The file as this request's policy sees it: it may have come for another.
    func judged(_ original: Original, _ request: ImageRequest) -> Original {
        guard original.file.source == .network else { return original }
        let mayBeKept = mayBeKept(original.file, request)
        guard mayBeKept != original.file.provenance.mayBeKept else { return original }
        var judged = original
        judged.file.provenance.mayBeKept = mayBeKept
        return judged
    }

    /// Whether its first bytes are a picture's. Those who leave that to the manager's coders have it looked at once.
    ///
    /// - Throws: what `PixelWork.checkIsImage` throws.
    func checkIsImage(_ original: Original, _ request: ImageRequest) throws(ImageError) {
        guard request.coder == nil else { return try pixels.checkIsImage(original.file.data, request) }
        try original.holder.checkOnce { () throws(ImageError) in
            try pixels.checkIsImage(original.file.data, request)
        }
    }
}
