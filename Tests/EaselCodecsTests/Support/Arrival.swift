import EaselCore
import Foundation

extension IncrementalDecoding {
    /// Returns the previews of a file that arrives in pieces with these ends, one requested after each piece.
    func previews(
        of file: Data, endingAt ends: some Sequence<Int>, _ options: DecodeOptions = DecodeOptions()
    ) throws(ImageError) -> [ImagePreview] {
        let decoder = makeIncrementalDecoder(options)
        var previews: [ImagePreview] = []
        var start = 0
        for end in ends {
            try decoder.append(file.subdata(in: start..<end))
            start = end
            if let preview = try decoder.imagePreview() { previews.append(preview) }
        }
        return previews
    }

    /// Returns the last preview of a file that arrives in pieces of `count` bytes, requested after all of them.
    func finalPreview(
        of file: Data, pieces count: Int, _ options: DecodeOptions = DecodeOptions()
    ) throws(ImageError) -> ImagePreview? {
        let decoder = makeIncrementalDecoder(options)
        for start in stride(from: 0, to: file.count, by: count) {
            try decoder.append(file.subdata(in: start..<min(start + count, file.count)))
        }
        return try decoder.imagePreview()
    }
}
