// Declarations that Apple's Foundation and Dispatch have and those of Linux lack. Compiled into each checked module,
// because a module of this name exists already.
import Dispatch
import Foundation
import FoundationNetworking
import Security

extension FileManager {
    func containerURL(forSecurityApplicationGroupIdentifier identifier: String) -> URL? { nil }
}

let NSURLAuthenticationMethodServerTrust = "NSURLAuthenticationMethodServerTrust"

extension URLProtectionSpace {
    var serverTrust: SecTrust? { nil }
}

extension URLCredential {
    convenience init(trust: SecTrust) { self.init(user: "", password: "", persistence: .none) }
}

extension DispatchSource {
    struct MemoryPressureEvent: OptionSet, Sendable {
        let rawValue: UInt

        static let warning = MemoryPressureEvent(rawValue: 2)
        static let critical = MemoryPressureEvent(rawValue: 4)
    }

    static func makeMemoryPressureSource(
        eventMask: MemoryPressureEvent, queue: DispatchQueue? = nil
    ) -> any DispatchSourceProtocol {
        makeUserDataAddSource(queue: queue)
    }
}
