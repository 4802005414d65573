import Easel
import Synchronization

/// An observer that records the error codes of warnings.
final class WarningLog: ImageObserver {
    private let received = Mutex<[ImageError.Code]>([])

    var codes: [ImageError.Code] { received.withLock { $0 } }

    func didReceive(_ warning: ImageWarning) {
        let code =
            switch warning {
            case .notStored(let error), .notRead(let error), .damagedEntry(let error), .outdated(let error): error.code
            }
        received.withLock { $0.append(code) }
    }
}
