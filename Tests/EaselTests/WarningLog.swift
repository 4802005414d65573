import Easel
import Synchronization

/// Keeps the codes of what it is warned of.
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
