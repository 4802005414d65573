internal import EaselCore

/// Restricts a transfer to public addresses and records rejections.
///
/// libcurl passes the exact address of each socket that it opens, and the remote address of each reused connection.
struct AddressCheck {
    private let host: String
    private let translationPrefixes: Set<TranslationPrefix>
    private var refusal: String?
    private var hasAllowed = false

    init(host: String, translationPrefixes: Set<TranslationPrefix>) {
        self.host = host
        self.translationPrefixes = translationPrefixes
    }

    /// The error of a transfer for which every address was rejected; `nil` if an address was allowed.
    var failure: ImageError? {
        hasAllowed ? nil : refusal.map { .forbiddenAddress(host: host, reason: "its address \($0)") }
    }

    /// Returns whether an address is allowed; `nil` is an address of unknown family.
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
