public import EaselFoundation

/// An observer of a manager. Methods have empty defaults. They are called from any thread, in order for each load,
/// stage and download, and must not block.
///
/// Loads, stages and downloads each end once, with the `id` that they began with.
public protocol ImageObserver: Sendable {
    /// Called when something failed without stopping the load.
    func didReceive(_ warning: ImageWarning)
    /// Called when a load has begun.
    func didBegin(_ load: ObservedLoad)
    /// Called when a load has ended.
    func didEnd(_ load: ObservedLoad, with outcome: Result<LoadSummary, ImageError>)
    /// Called when a stage of one load, or of several that share it, has begun.
    func didBegin(_ stage: ObservedStage)
    /// Called when a stage has ended.
    func didEnd(_ stage: ObservedStage, after duration: Duration, with outcome: StageOutcome)
    /// Called for each event of a download.
    func didReceive(_ notification: DownloadNotification)
}

extension ImageObserver {
    /// Does nothing.
    public func didReceive(_ warning: ImageWarning) {}
    /// Does nothing.
    public func didBegin(_ load: ObservedLoad) {}
    /// Does nothing.
    public func didEnd(_ load: ObservedLoad, with outcome: Result<LoadSummary, ImageError>) {}
    /// Does nothing.
    public func didBegin(_ stage: ObservedStage) {}
    /// Does nothing.
    public func didEnd(_ stage: ObservedStage, after duration: Duration, with outcome: StageOutcome) {}
    /// Does nothing.
    public func didReceive(_ notification: DownloadNotification) {}
}

/// One call of `ImageManager.load` or `data(for:progress:)`, including those that memory answers.
public struct ObservedLoad: Sendable, Hashable, Identifiable {
    /// The number of the load, from 1. It is unique for a manager.
    public let id: UInt64
    /// The request, as the manager's configuration has changed it.
    public let request: ImageRequest
}

/// The result of a load without the image.
public struct LoadSummary: Sendable, Hashable {
    /// The source of the image.
    public var source: ImageSource
    /// The duration of each stage.
    public var timeline: LoadTimeline
}

extension ImageResponse {
    var summary: LoadSummary { LoadSummary(source: source, timeline: timeline) }
}

extension LoadedData {
    var summary: LoadSummary { LoadSummary(source: source, timeline: timeline) }
}

/// A stage of a load. `LoadTimeline` has its duration: `timeline[.decode]`.
public enum LoadStage: String, Sendable, Hashable, CaseIterable {
    /// Waiting for admission to the downloads.
    case queued
    /// Reading the disk cache.
    case disk
    /// From sending a request to the head of the response, including the connection. Each redirect is one more.
    case firstByte
    /// From the head to the last byte.
    case transfer
    /// Decoding.
    case decode
    /// One transform.
    case transform
    /// Encoding and writing for the cache. It can end after the load (`LoadOptions.waitStoreCache`).
    case store
}

/// A stage in progress. Equal loads share it: it happens once, for the request of the first.
public struct ObservedStage: Sendable, Hashable, Identifiable {
    /// The number of the stage, from 1. It is unique for a manager.
    public let id: UInt64
    /// The kind of stage.
    public let stage: LoadStage
    /// The request that the stage began for.
    public let request: ImageRequest
}

/// The end of a stage.
public enum StageOutcome: Sendable, Hashable {
    /// With a result.
    case done
    /// Without one: the cache has nothing, or cannot store it.
    case missed
    /// With an error, or because no load needs it any more (`ImageError.cancelled`).
    case failed(ImageError)
}

/// A failure that did not stop a load.
public enum ImageWarning: Sendable, Hashable, CustomStringConvertible {
    /// The cache could not be written. The next load has to fetch the image again.
    case notStored(ImageError)
    /// The cache could not be read, and was not used.
    case notRead(ImageError)
    /// The server failed, and an outdated image was used, as the server allows for a while (`stale-if-error`, RFC 5861
    /// 4).
    case outdated(ImageError)
    /// A cached file could not be decoded. It was removed, and fetched again.
    case damagedEntry(ImageError)

    /// The warning in one sentence.
    public var description: String {
        switch self {
        case .notStored(let error): "The image could not be cached. \(error)"
        case .notRead(let error): "The cache was skipped. \(error)"
        case .outdated(let error): "A stale image was used. \(error)"
        case .damagedEntry(let error): "A damaged file was removed from the cache. \(error)"
        }
    }
}

/// An event of one download.
///
/// There is one `started`, and at the end one `finished` or one `stopped`. A download that is cancelled before its
/// admission has none.
public struct DownloadNotification: Sendable, Identifiable {
    /// An event.
    public enum Event: Sendable, Hashable {
        /// The download is admitted, and about to send its first request.
        case started
        /// The head of a response has arrived. Redirects and retries bring several.
        case responded(status: Int, headers: HTTPHeaders, connect: Duration?)
        /// The response is a redirect.
        case redirected(to: URL)
        /// The attempt failed. Another follows after this time.
        case retrying(after: Duration, ImageError)
        /// The file is complete. The number of bytes is 0 if the server has confirmed the cached file.
        case finished(bytes: Int)
        /// The download has ended without the file.
        case stopped(ImageError)
    }

    /// The number of the download, from 1. It is unique for a downloader.
    public let id: UInt64
    /// The request.
    public let request: ImageRequest
    /// The event.
    public let event: Event
}

/// The counts of a manager since it was created.
public struct ManagerStatistics: Sendable, Hashable {
    /// The number of loads in progress.
    public var inFlight = 0
    /// The number of loads that found their image in memory.
    public var memoryHits = 0
    /// The number of loads that were answered from disk.
    public var diskHits = 0
    /// The number of loads that needed a server, a file, or the data in a URL.
    public var misses = 0
    /// The number of loads that joined the work of another load, at any level.
    public var coalesced = 0
    /// The number of loads that failed, without cancellations.
    public var failures = 0
    /// The number of loads that were cancelled.
    public var cancellations = 0
    /// The number of HTTP requests, including redirects and retries.
    public var requests = 0
    /// The number of bytes in complete bodies from servers. Bytes of an earlier attempt do not count.
    public var bytesReceived = 0
    /// The number of files and images decoded, without previews.
    package var decodes = 0
    /// The number of transforms applied, without those of previews.
    package var transforms = 0
    /// The number of files and decoded images written to the disk cache.
    package var stores = 0
    /// The statistics of the memory cache, including evictions; `nil` if the cache has none.
    public var memory: MemoryCacheStatistics?

    package init() {}
}
