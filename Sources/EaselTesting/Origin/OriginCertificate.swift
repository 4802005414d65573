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
        certificate: """
            -----BEGIN CERTIFICATE-----
            MIIB7jCCAZOgAwIBAgIUdh2aTqnDY8A9AaiixyX9M4BPfEMwCgYIKoZIzj0EAwIw
            OzESMBAGA1UEAwwJbG9jYWxob3N0MSUwIwYDVQQKDBxFYXNlbCB2YWxpZCB0ZXN0
            IGNlcnRpZmljYXRlMCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjA7
            MRIwEAYDVQQDDAlsb2NhbGhvc3QxJTAjBgNVBAoMHEVhc2VsIHZhbGlkIHRlc3Qg
            Y2VydGlmaWNhdGUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASrBTCrH9QqY3kF
            b6Y1NU7LPDBqanP2GgSmxKPNsMybMmzwZbKmp9bqzKPfBue2yiYFeQYd7hYapySZ
            95XIDtIwo3MwcTAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwDwYDVR0TAQH/
            BAUwAwEB/zAOBgNVHQ8BAf8EBAMCAoQwEwYDVR0lBAwwCgYIKwYBBQUHAwEwHQYD
            VR0OBBYEFMlzG2aRn5AyO1PoIKhr4tc0hkWyMAoGCCqGSM49BAMCA0kAMEYCIQDW
            pX8N3DRpYHoAE9l1MyBmE25yCtjIH4sCEJ1ub7qCRgIhAOjpkMsFd4IT6cxoDeT/
            GPG3dB7WDXFxeF6XkdHY2msw
            -----END CERTIFICATE-----

            """, privateKey: testKey)

    /// A certificate that expired on 2 January 2020.
    public static let expired = OriginCertificate(
        certificate: """
            -----BEGIN CERTIFICATE-----
            MIIB7zCCAZWgAwIBAgIUJQ2r+8Q0DGe7tXc+xTRKjdGSslYwCgYIKoZIzj0EAwIw
            PTESMBAGA1UEAwwJbG9jYWxob3N0MScwJQYDVQQKDB5FYXNlbCBleHBpcmVkIHRl
            c3QgY2VydGlmaWNhdGUwHhcNMjAwMTAxMDAwMDAwWhcNMjAwMTAyMDAwMDAwWjA9
            MRIwEAYDVQQDDAlsb2NhbGhvc3QxJzAlBgNVBAoMHkVhc2VsIGV4cGlyZWQgdGVz
            dCBjZXJ0aWZpY2F0ZTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABKsFMKsf1Cpj
            eQVvpjU1Tss8MGpqc/YaBKbEo82wzJsybPBlsqan1urMo98G57bKJgV5Bh3uFhqn
            JJn3lcgO0jCjczBxMBoGA1UdEQQTMBGCCWxvY2FsaG9zdIcEfwAAATAPBgNVHRMB
            Af8EBTADAQH/MA4GA1UdDwEB/wQEAwIChDATBgNVHSUEDDAKBggrBgEFBQcDATAd
            BgNVHQ4EFgQUyXMbZpGfkDI7U+ggqGvi1zSGRbIwCgYIKoZIzj0EAwIDSAAwRQIg
            YmnNm9/AZfgxQXIwLQeC9xWNmhx3pNKBXXPE2AB9/S4CIQC838sKMPJ1393OaGGl
            roJaCRvgt4kcQtNgqeXhkI4ffQ==
            -----END CERTIFICATE-----

            """, privateKey: testKey)

    /// A certificate for only `other.test`, valid until 2120.
    public static let otherHost = OriginCertificate(
        certificate: """
            -----BEGIN CERTIFICATE-----
            MIIB9TCCAZqgAwIBAgIUT7LqL12tcC+tJKNfs5002YcvUuowCgYIKoZIzj0EAwIw
            QTETMBEGA1UEAwwKb3RoZXIudGVzdDEqMCgGA1UECgwhRWFzZWwgb3RoZXIgaG9z
            dCB0ZXN0IGNlcnRpZmljYXRlMCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAw
            MDAwWjBBMRMwEQYDVQQDDApvdGhlci50ZXN0MSowKAYDVQQKDCFFYXNlbCBvdGhl
            ciBob3N0IHRlc3QgY2VydGlmaWNhdGUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC
            AASrBTCrH9QqY3kFb6Y1NU7LPDBqanP2GgSmxKPNsMybMmzwZbKmp9bqzKPfBue2
            yiYFeQYd7hYapySZ95XIDtIwo24wbDAVBgNVHREEDjAMggpvdGhlci50ZXN0MA8G
            A1UdEwEB/wQFMAMBAf8wDgYDVR0PAQH/BAQDAgKEMBMGA1UdJQQMMAoGCCsGAQUF
            BwMBMB0GA1UdDgQWBBTJcxtmkZ+QMjtT6CCoa+LXNIZFsjAKBggqhkjOPQQDAgNJ
            ADBGAiEApi4ffWgItQruUcgYgQTwsDbnpZu2UUPF2H3/2gYDvAkCIQC+EQy95eVf
            DCMxJvoHN6nR8j6SX5Z4SfrYjXvO47NZaQ==
            -----END CERTIFICATE-----

            """, privateKey: testKey)

    /// A client certificate, valid until 2120.
    public static let client = OriginCertificate(
        certificate: """
            -----BEGIN CERTIFICATE-----
            MIIB7zCCAZWgAwIBAgIUDxbjHYHiXWsTLUZpjgbflyeR30cwCgYIKoZIzj0EAwIw
            PjEUMBIGA1UEAwwLY2xpZW50LnRlc3QxJjAkBgNVBAoMHUVhc2VsIGNsaWVudCB0
            ZXN0IGNlcnRpZmljYXRlMCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAw
            WjA+MRQwEgYDVQQDDAtjbGllbnQudGVzdDEmMCQGA1UECgwdRWFzZWwgY2xpZW50
            IHRlc3QgY2VydGlmaWNhdGUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASrBTCr
            H9QqY3kFb6Y1NU7LPDBqanP2GgSmxKPNsMybMmzwZbKmp9bqzKPfBue2yiYFeQYd
            7hYapySZ95XIDtIwo28wbTAWBgNVHREEDzANggtjbGllbnQudGVzdDAPBgNVHRMB
            Af8EBTADAQH/MA4GA1UdDwEB/wQEAwIChDATBgNVHSUEDDAKBggrBgEFBQcDAjAd
            BgNVHQ4EFgQUyXMbZpGfkDI7U+ggqGvi1zSGRbIwCgYIKoZIzj0EAwIDSAAwRQIg
            J318FwWFYQtAZYXwBcrZuVHx3vQt+M3P5c6xhEz8+awCIQC3eLbUPLjY++LehQy9
            uKEt7GfQmKQLxbqSftQGNR+J7g==
            -----END CERTIFICATE-----

            """, privateKey: testKey)

    private static let testKey = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgKB8leOfs3uhLAbda
        RakSyd6SLe+UAh7cn/uNKIMpTbqhRANCAASrBTCrH9QqY3kFb6Y1NU7LPDBqanP2
        GgSmxKPNsMybMmzwZbKmp9bqzKPfBue2yiYFeQYd7hYapySZ95XIDtIw
        -----END PRIVATE KEY-----

        """
}
