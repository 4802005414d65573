#if Server
import EaselServerURLs

/// Rules and paths for tests.
enum Paths {
    static let key = "943b421c9eb07c830af81030552c86009268de4e532ba2ee2eab8247c6da0881"
    static let salt = "520f986b998545b4785e0defbc4f3c1203f22de2374a3d53cb7a7fe9fea309c5"
    static let source = "https://example.com/images/curiosity.jpg"
    static let base64 = "aHR0cHM6Ly9leGFtcGxlLmNvbS9pbWFnZXMvY3VyaW9zaXR5LmpwZw"

    /// Rules that allow unsigned URLs.
    static var unsigned: URLRules {
        var rules = URLRules()
        rules.allowsUnsigned = true
        return rules
    }

    /// Rules that require a signature under the key of the tests.
    static func signed() throws -> URLRules {
        var rules = URLRules()
        rules.keys = [try SigningKey(hexadecimalKey: key, salt: salt)]
        return rules
    }

    /// Parses options, without a signature.
    static func options(_ text: String, _ rules: URLRules = unsigned) throws -> ProcessingOptions {
        try ImageURL(rawPath: "/unsafe/\(text)/plain/\(source)", rules: rules).options
    }

    /// The error of options.
    static func error(_ text: String, _ rules: URLRules = unsigned) -> ImageURLError? {
        do {
            _ = try options(text, rules)
            return nil
        } catch {
            return error as? ImageURLError
        }
    }
}
#endif
