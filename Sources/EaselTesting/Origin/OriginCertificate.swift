/// A TLS certificate of the origin and its private key, both as PEM.
///
/// The bundled certificates are self-signed, for `localhost` and 127.0.0.1 unless stated otherwise. Their private keys
/// are public: never trust them outside of tests.
public struct OriginCertificate: Sendable, Equatable {
    /// The certificate, which clients must trust.
    public let certificate: String
    /// The private key (PKCS #8).
    public let privateKey: String

    /// Creates a certificate from PEM text.
    public init(certificate: String, privateKey: String) {
        self.certificate = certificate
        self.privateKey = privateKey
    }

    /// A certificate that is valid until 2120.
    public static let testCertificate = OriginCertificate(
        test: """
            MIIB7jCCAZOgAwIBAgIUdh2aTqnDY8A9AaiixyX9M4BPfEMwCgYIKoZIzj0EAwIwOzESMBAGA1UEAwwJbG9jYWxob3N0MSUwIwYDVQQK
            DBxFYXNlbCB2YWxpZCB0ZXN0IGNlcnRpZmljYXRlMCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjA7MRIwEAYDVQQDDAls
            b2NhbGhvc3QxJTAjBgNVBAoMHEVhc2VsIHZhbGlkIHRlc3QgY2VydGlmaWNhdGUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASrBTCr
            H9QqY3kFb6Y1NU7LPDBqanP2GgSmxKPNsMybMmzwZbKmp9bqzKPfBue2yiYFeQYd7hYapySZ95XIDtIwo3MwcTAaBgNVHREEEzARggls
            b2NhbGhvc3SHBH8AAAEwDwYDVR0TAQH/BAUwAwEB/zAOBgNVHQ8BAf8EBAMCAoQwEwYDVR0lBAwwCgYIKwYBBQUHAwEwHQYDVR0OBBYE
            FMlzG2aRn5AyO1PoIKhr4tc0hkWyMAoGCCqGSM49BAMCA0kAMEYCIQDWpX8N3DRpYHoAE9l1MyBmE25yCtjIH4sCEJ1ub7qCRgIhAOjp
            kMsFd4IT6cxoDeT/GPG3dB7WDXFxeF6XkdHY2msw
            """)

    /// A certificate that expired on 2 January 2020.
    public static let expired = OriginCertificate(
        test: """
            MIIB7zCCAZWgAwIBAgIUJQ2r+8Q0DGe7tXc+xTRKjdGSslYwCgYIKoZIzj0EAwIwPTESMBAGA1UEAwwJbG9jYWxob3N0MScwJQYDVQQK
            DB5FYXNlbCBleHBpcmVkIHRlc3QgY2VydGlmaWNhdGUwHhcNMjAwMTAxMDAwMDAwWhcNMjAwMTAyMDAwMDAwWjA9MRIwEAYDVQQDDAls
            b2NhbGhvc3QxJzAlBgNVBAoMHkVhc2VsIGV4cGlyZWQgdGVzdCBjZXJ0aWZpY2F0ZTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABKsF
            MKsf1CpjeQVvpjU1Tss8MGpqc/YaBKbEo82wzJsybPBlsqan1urMo98G57bKJgV5Bh3uFhqnJJn3lcgO0jCjczBxMBoGA1UdEQQTMBGC
            CWxvY2FsaG9zdIcEfwAAATAPBgNVHRMBAf8EBTADAQH/MA4GA1UdDwEB/wQEAwIChDATBgNVHSUEDDAKBggrBgEFBQcDATAdBgNVHQ4E
            FgQUyXMbZpGfkDI7U+ggqGvi1zSGRbIwCgYIKoZIzj0EAwIDSAAwRQIgYmnNm9/AZfgxQXIwLQeC9xWNmhx3pNKBXXPE2AB9/S4CIQC8
            38sKMPJ1393OaGGlroJaCRvgt4kcQtNgqeXhkI4ffQ==
            """)

    /// A certificate for only `other.test`, valid until 2120.
    public static let otherHost = OriginCertificate(
        test: """
            MIIB9TCCAZqgAwIBAgIUT7LqL12tcC+tJKNfs5002YcvUuowCgYIKoZIzj0EAwIwQTETMBEGA1UEAwwKb3RoZXIudGVzdDEqMCgGA1UE
            CgwhRWFzZWwgb3RoZXIgaG9zdCB0ZXN0IGNlcnRpZmljYXRlMCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjBBMRMwEQYD
            VQQDDApvdGhlci50ZXN0MSowKAYDVQQKDCFFYXNlbCBvdGhlciBob3N0IHRlc3QgY2VydGlmaWNhdGUwWTATBgcqhkjOPQIBBggqhkjO
            PQMBBwNCAASrBTCrH9QqY3kFb6Y1NU7LPDBqanP2GgSmxKPNsMybMmzwZbKmp9bqzKPfBue2yiYFeQYd7hYapySZ95XIDtIwo24wbDAV
            BgNVHREEDjAMggpvdGhlci50ZXN0MA8GA1UdEwEB/wQFMAMBAf8wDgYDVR0PAQH/BAQDAgKEMBMGA1UdJQQMMAoGCCsGAQUFBwMBMB0G
            A1UdDgQWBBTJcxtmkZ+QMjtT6CCoa+LXNIZFsjAKBggqhkjOPQQDAgNJADBGAiEApi4ffWgItQruUcgYgQTwsDbnpZu2UUPF2H3/2gYD
            vAkCIQC+EQy95eVfDCMxJvoHN6nR8j6SX5Z4SfrYjXvO47NZaQ==
            """)

    /// A client certificate, valid until 2120.
    public static let client = OriginCertificate(
        test: """
            MIIB7zCCAZWgAwIBAgIUDxbjHYHiXWsTLUZpjgbflyeR30cwCgYIKoZIzj0EAwIwPjEUMBIGA1UEAwwLY2xpZW50LnRlc3QxJjAkBgNV
            BAoMHUVhc2VsIGNsaWVudCB0ZXN0IGNlcnRpZmljYXRlMCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjA+MRQwEgYDVQQD
            DAtjbGllbnQudGVzdDEmMCQGA1UECgwdRWFzZWwgY2xpZW50IHRlc3QgY2VydGlmaWNhdGUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC
            AASrBTCrH9QqY3kFb6Y1NU7LPDBqanP2GgSmxKPNsMybMmzwZbKmp9bqzKPfBue2yiYFeQYd7hYapySZ95XIDtIwo28wbTAWBgNVHREE
            DzANggtjbGllbnQudGVzdDAPBgNVHRMBAf8EBTADAQH/MA4GA1UdDwEB/wQEAwIChDATBgNVHSUEDDAKBggrBgEFBQcDAjAdBgNVHQ4E
            FgQUyXMbZpGfkDI7U+ggqGvi1zSGRbIwCgYIKoZIzj0EAwIDSAAwRQIgJ318FwWFYQtAZYXwBcrZuVHx3vQt+M3P5c6xhEz8+awCIQC3
            eLbUPLjY++LehQy9uKEt7GfQmKQLxbqSftQGNR+J7g==
            """)

    /// - Parameter base64: The certificate without its first and last line. The key is that of all test certificates.
    private init(test base64: String) {
        certificate = "-----BEGIN CERTIFICATE-----\n\(base64)\n-----END CERTIFICATE-----\n"
        privateKey = """
            -----BEGIN PRIVATE KEY-----
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgKB8leOfs3uhLAbdaRakSyd6SLe+UAh7cn/uNKIMpTbqhRANCAASrBTCr
            H9QqY3kFb6Y1NU7LPDBqanP2GgSmxKPNsMybMmzwZbKmp9bqzKPfBue2yiYFeQYd7hYapySZ95XIDtIw
            -----END PRIVATE KEY-----

            """
    }
}
