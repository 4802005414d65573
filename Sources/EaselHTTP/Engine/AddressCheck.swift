internal import CEaselCurl
internal import EaselCore

/// Lets a transfer connect to public addresses only, and remembers why it did not.
///
/// Asked by libcurl for the very address of the socket that it is about to open, and for the one at the other end of a
/// kept connection. Belongs to libcurl's thread; libcurl holds a pointer to it for as long as the transfer runs.
final class AddressCheck {
    /// What libcurl is given.
    let pointer: UnsafeMutablePointer<easel_curl_address_check>
    private let host: String
    private let translationPrefixes: Set<TranslationPrefix>
    private var refusal: String?
    private var hasAllowed = false

    init(host: String, translationPrefixes: Set<TranslationPrefix>) {
        self.host = host
        self.translationPrefixes = translationPrefixes
        pointer = .allocate(capacity: 1)
        pointer.initialize(to: easel_curl_address_check(allows: nil, context: nil))
        pointer.pointee.context = Unmanaged.passUnretained(self).toOpaque()
        pointer.pointee.allows = { context, bytes, count in
            guard let context else { return false }
            let check = Unmanaged<AddressCheck>.fromOpaque(context).takeUnretainedValue()
            return check.allows(IPAddress(bytes: UnsafeRawBufferPointer(start: bytes, count: count)))
        }
    }

    deinit { pointer.deallocate() }

    /// The error of a transfer that found no address that it may connect to; `nil` where there was one, and something
    /// else went wrong.
    var failure: ImageError? {
        hasAllowed ? nil : refusal.map { .forbiddenAddress(host: host, reason: "its address \($0)") }
    }

    /// Whether an address that libcurl wrote down is allowed.
    func allows(_ text: String) -> Bool { allows(IPAddress(text)) }

    private func allows(_ address: IPAddress?) -> Bool {
        guard let address else {
            refusal = "is of an unknown kind"
            return false
        }
        guard let purpose = address.specialPurpose(translatedBy: translationPrefixes) else {
            hasAllowed = true
            return true
        }
        refusal = "\(address) is \(purpose)"
        return false
    }
}
