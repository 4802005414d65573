#if Server
import Crypto

/// A key and a salt, with which URLs are signed.
public struct SigningKey: Sendable {
    /// The state of the HMAC after the salt, which precedes every path.
    private let salted: HMAC<SHA256>

    /// Creates a key from bytes.
    public init(key: [UInt8], salt: [UInt8]) {
        var salted = HMAC<SHA256>(key: SymmetricKey(data: key))
        salted.update(data: salt)
        self.salted = salted
    }

    /// Creates a key from the hexadecimal digits that imgproxy's settings have.
    ///
    /// - Throws: an error for other characters, an odd number of digits, or an empty key.
    public init(hexadecimalKey: String, salt: String) throws(ImageURLError) {
        guard let key = [UInt8](hexadecimal: hexadecimalKey), !key.isEmpty else {
            throw ImageURLError(422, "invalidKey", "A key is an even number of hexadecimal digits.")
        }
        guard let salt = [UInt8](hexadecimal: salt) else {
            throw ImageURLError(422, "invalidKey", "A salt is an even number of hexadecimal digits.")
        }
        self.init(key: key, salt: salt)
    }

    /// Returns the signature of a path: unpadded base 64 for URLs.
    ///
    /// - Parameters:
    ///   - path: the rest of the path after the signature, with the slash at its start.
    ///   - byteCount: the number of bytes, at most 32.
    public func signature(of path: String, byteCount: Int = 32) -> String {
        Base64.encode(code(of: Array(path.utf8)[...]).prefix(max(0, byteCount)))
    }

    /// Returns the HMAC of the salt and a path.
    func code(of path: ArraySlice<UInt8>) -> [UInt8] {
        var state = salted
        state.update(data: path)
        return Array(state.finalize())
    }
}

extension URLRules {
    /// Throws unless a signature matches a path under one of the keys, or unsigned URLs are allowed.
    func check(signature: ArraySlice<UInt8>, of path: ArraySlice<UInt8>) throws(ImageURLError) {
        if allowsUnsigned, Self.unsigned.contains(where: signature.elementsEqual) { return }
        let count = min(max(signatureByteCount, 8), 32)
        guard let given = Base64.decode(signature), given.count == count else { throw .invalidSignature }
        // Every key is compared, and every byte, so that the time does not depend on the bytes that match.
        var isValid = false
        for key in keys {
            var difference: UInt8 = 0
            for (byte, other) in zip(given, key.code(of: path)) { difference |= byte ^ other }
            if difference == 0 { isValid = true }
        }
        guard isValid else { throw .invalidSignature }
    }

    private static let unsigned = ["unsafe", "insecure", "_"].map { Array($0.utf8) }
}

extension [UInt8] {
    /// Creates bytes from hexadecimal digits. Returns `nil` for other characters or an odd number of digits.
    init?(hexadecimal text: String) {
        let digits = text.utf8.compactMap { $0.hexadecimalDigit }
        guard digits.count == text.utf8.count, digits.count % 2 == 0 else { return nil }
        self = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
#endif
