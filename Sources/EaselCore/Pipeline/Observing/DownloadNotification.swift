public import EaselFoundation

/// News of one download: what SDWebImage posts as notifications (S165, S192, X133), typed.
///
/// There is one `started`, and behind it one `finished` or one `stopped`, the last. A download that is cancelled while it
/// waits for its place has neither.
public struct DownloadNotification: Sendable, Identifiable {
    /// What has happened.
    public enum Event: Sendable, Hashable {
        /// It has its place, and the first request is about to be sent.
        case started
        /// The head of an answer has come. Redirects and retries bring several.
        case responded(status: Int, headers: HTTPHeaders, connect: Duration?)
        /// The answer leads elsewhere.
        case redirected(to: URL)
        /// The attempt failed, and there will be another after this long.
        case retrying(after: Duration, ImageError)
        /// All of the file has come: so many bytes, none where the server has confirmed what is kept.
        case finished(bytes: Int)
        /// It ends without the file: cancelled, or for this reason.
        case stopped(ImageError)
    }

    /// The download's number, from 1; no two of one downloader have the same.
    public let id: UInt64
    /// What was asked for.
    public let request: ImageRequest
    /// What has happened.
    public let event: Event
}
