internal import EaselCore

/// Lets a transfer connect to public addresses only, and records why it did not.
///
/// libcurl asks for the very address of the socket that it is about to open, and for the address at the other end of a kept
/// connection.
struct AddressCheck {
    private let host: String
    private let translationPrefixes: Set<TranslationPrefix>
    private var refusal: String?
    private var hasAllowed = false

    init(host: String, translationPrefixes: Set<TranslationPrefix>) {
        self.host = host
        self.translationPrefixes = translationPrefixes
    }

    /// The error of a transfer that found no address that it may connect to; `nil` if there was one, and something
    /// else failed.
    var failure: ImageError? {
        hasAllowed ? nil : refusal.map { .forbiddenAddress(host: host, reason: "its address \($0)") }
    }

    /// Returns whether an address is allowed; `nil` is one of an unknown kind.
    mutating func allows(_ address: IPAddress?) -> Bool {
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
