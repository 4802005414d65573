public import EaselCore
#if Metrics
import EaselFoundation
public import Logging

/// An observer that logs a manager's activity to swift-log.
///
/// The levels are `warning` for warnings, `notice` for failed loads, `debug` for successful and cancelled loads and for
/// downloads, and `trace` for stages. URLs are logged without user, query and fragment, which can contain secrets.
public struct LoggingObserver: ImageObserver {
    private let logger: Logger

    /// Creates an observer for `ImageManager.Configuration.observers`.
    public init(_ logger: Logger = Logger(label: "easel")) { self.logger = logger }

    /// Logs a warning.
    public func didReceive(_ warning: ImageWarning) { logger.warning("\(warning)") }

    /// Logs the result of a load.
    public func didEnd(_ load: ObservedLoad, with outcome: Result<LoadSummary, ImageError>) {
        let url = Logger.MetadataValue.string(load.request.url.withoutSecrets)
        switch outcome {
        case .success(let summary):
            logger.debug(
                "loaded",
                metadata: [
                    "url": url, "source": "\(summary.source.rawValue)", "load": "\(load.id)",
                    "milliseconds": "\(summary.timeline.total?.wholeMilliseconds ?? 0)",
                    "coalesced": "\(summary.timeline.isCoalesced)",
                ])
        case .failure(let error) where error.code == .cancelled:
            logger.debug("cancelled", metadata: ["url": url, "load": "\(load.id)"])
        case .failure(let error):
            logger.notice(
                "failed", metadata: ["url": url, "load": "\(load.id)", "code": "\(error.code)", "error": "\(error)"])
        }
    }

    /// Logs the duration of a stage.
    public func didEnd(_ stage: ObservedStage, after duration: Duration, with outcome: StageOutcome) {
        let text: Logger.MetadataValue =
            switch outcome {
            case .done: "done"
            case .missed: "missed"
            case .failed(let error): "\(error.code)"
            }
        logger.trace(
            "\(stage.stage.rawValue)",
            metadata: [
                "url": .string(stage.request.url.withoutSecrets), "microseconds": "\(Int(duration / .microseconds(1)))",
                "outcome": text,
            ])
    }

    /// Logs a download event.
    public func didReceive(_ notification: DownloadNotification) {
        let text =
            switch notification.event {
            case .started: "download started"
            case .responded(let status, _, _): "response \(status)"
            case .redirected(let url): "redirected to \(url.withoutSecrets)"
            case .retrying(let pause, let error): "retry in \(pause.wholeMilliseconds) ms, because of \(error.code)"
            case .finished(let bytes): "download finished, \(bytes) bytes"
            case .stopped(let error): "download stopped: \(error.code)"
            }
        logger.debug(
            "\(text)",
            metadata: [
                "url": .string(notification.request.url.withoutSecrets), "download": "\(notification.id)",
            ])
    }
}

extension Duration {
    fileprivate var wholeMilliseconds: Int { Int(self / .milliseconds(1)) }
}

extension URL {
    /// The URL without user, query and fragment; only the scheme of a `data:` URL.
    fileprivate var withoutSecrets: String {
        guard let scheme, scheme.lowercased() != "data" else { return "data:" }
        let port = port.map { ":\($0)" } ?? ""
        return "\(scheme)://\(host ?? "")\(port)\(path)"
    }
}
#else
/// A placeholder while the package trait is disabled.
@available(*, unavailable, message: "To use it, enable the package trait Metrics, which adds swift-log.")
public struct LoggingObserver: ImageObserver {
    /// Creates an observer.
    public init() {}

    /// Creates an observer that writes to a logger.
    public init<Logger>(_ logger: Logger) {}
}
#endif
