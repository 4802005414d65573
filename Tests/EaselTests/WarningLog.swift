import Easel
import Synchronization

/// An observer that records the error codes of warnings.
final class WarningLog: ImageObserver {
    private let heard = Mutex<[String]>([])

    var codes: [String] { heard.withLock { $0 } }

    func imageManager(didWarn warning: ImageWarning) {
        let code =
            switch warning {
            case .notStored(let error), .notRead(let error), .damagedEntry(let error), .outdated(let error): error.code
            }
        heard.withLock { $0.append(code) }
    }
}
