#if Server
import EaselCore
import Foundation
import Testing

@testable import EaselServerTiers

/// The examples of the documentation of S3, and of the public test suite of signatures.
@Suite("Signatures")
struct SignatureV4Tests {
    private let signer = SignatureV4(
        credentials: S3Credentials(
            accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
        region: "us-east-1")
    private let host = "examplebucket.s3.amazonaws.com"
    // 2013-05-24 00:00:00 UTC
    private let date = Date(timeIntervalSince1970: 1_369_353_600)

    private func signature(_ request: SignatureV4.Request, _ signer: SignatureV4? = nil, _ date: Date? = nil) -> String?
    {
        (signer ?? self.signer).fields(for: request, at: date ?? self.date)["Authorization"]?
            .split(separator: "=").last.map(String.init)
    }

    @Test("a part of an object")
    func range() {
        let request = SignatureV4.Request(host: host, path: "/test.txt", headers: ["Range": "bytes=0-9"])
        #expect(signature(request) == "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")
    }

    @Test("storing an object")
    func put() {
        let request = SignatureV4.Request(
            method: "PUT", host: host, path: "/" + PercentEncoding.encode("test$file.text"),
            headers: ["Date": "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY"],
            bodyDigest: SignatureV4.digest("Welcome to Amazon S3.".utf8))
        #expect(signature(request) == "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd")
    }

    @Test("a list of objects, with parameters in another order")
    func list() {
        let request = SignatureV4.Request(
            host: host, path: "/", query: [.init(name: "prefix", value: "J"), .init(name: "max-keys", value: "2")])
        #expect(signature(request) == "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7")
    }

    @Test("a parameter without a value")
    func emptyParameter() {
        let request = SignatureV4.Request(host: host, path: "/", query: [.init(name: "lifecycle", value: "")])
        #expect(signature(request) == "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543")
    }

    @Test("the first vector of the test suite, for a service without a digest of the body")
    func vanilla() {
        let signer = SignatureV4(
            credentials: S3Credentials(
                accessKey: "AKIDEXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"),
            region: "us-east-1", service: "service")
        let request = SignatureV4.Request(host: "example.amazonaws.com", path: "/")
        // 2015-08-30 12:36:00 UTC
        let date = Date(timeIntervalSince1970: 1_440_938_160)
        #expect(
            signature(request, signer, date) == "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31")
    }

    @Test("an empty field is not signed, and temporary credentials send their token")
    func fields() {
        var credentials = signer.credentials
        credentials.sessionToken = "token"
        let fields = SignatureV4(credentials: credentials, region: "r").fields(
            for: .init(host: host, path: "/", headers: ["Expect": ""]), at: date)
        #expect(fields["x-amz-security-token"] == "token")
        #expect(
            fields["Authorization"]?.contains("SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token")
                == true)
    }

    @Test(
        "dates are those of the calendar",
        arguments: [
            (0, "19700101T000000Z"), (951_782_399, "20000228T235959Z"), (951_782_400, "20000229T000000Z"),
            (951_868_800, "20000301T000000Z"), (1_735_689_599, "20241231T235959Z"), (4_107_542_400, "21000301T000000Z"),
            (253_402_300_799, "99991231T235959Z"),
        ])
    func dates(seconds: Int, text: String) {
        #expect(SigningDate(Date(timeIntervalSince1970: Double(seconds))).text == text)
    }

    @Test("dates outside of the calendar do not trap")
    func farDates() {
        #expect(SigningDate(.distantPast).day == "19700101")
        #expect(SigningDate(Date(timeIntervalSince1970: .infinity)).day == "99991231")
    }
}

@Suite("Objects")
struct S3LocationTests {
    private let credentials = S3Credentials(accessKey: "a", secretKey: "b")

    @Test("the path is encoded once, and slashes stay")
    func path() throws {
        let endpoint = S3Endpoint(url: "http://127.0.0.1:8080/", credentials: credentials)
        let address = try endpoint.address(of: S3Location(bucket: "images", key: "a b/ü%+.png"))
        #expect(address.url == "http://127.0.0.1:8080/images/a%20b/%C3%BC%25%2B.png")
        #expect(address.host == "127.0.0.1:8080")
    }

    @Test("a bucket can be part of the host, which has no default port")
    func virtualHost() throws {
        var endpoint = S3Endpoint(url: "https://S3.example.com:443", credentials: credentials)
        endpoint.usesPathStyle = false
        #expect(try endpoint.address(of: S3Location(bucket: "b", key: "k")).url == "https://b.s3.example.com/k")
        #expect(try endpoint.address(of: S3Location(bucket: "b", key: "")).path == "/")
    }

    @Test("keys that a client would change, and buckets that are not names, are refused")
    func refused() {
        for key in ["../a", "a/./b", "..", "a/..", String(repeating: "x", count: 1025)] {
            #expect(throws: TierError.self) { try S3Location(bucket: "b", key: key) }
        }
        for bucket in ["", "..", "a/b", "a b", "a?b", "a#", "ü"] {
            #expect(throws: TierError.self) { try S3Location(bucket: bucket, key: "k") }
        }
    }

    @Test(
        "endpoints with a path, a query or a user are refused",
        arguments: ["", "ftp://a", "http://", "http://a/b", "http://u@a", "http://a?b"])
    func endpoints(url: String) {
        #expect(!S3Endpoint(url: url, credentials: credentials).isValid)
    }

    @Test("the URL of a source becomes that of its object")
    func source() throws {
        let endpoint = S3Endpoint(url: "http://h:1", credentials: credentials)
        #expect(
            try S3Loader.url(of: "s3://images/a%20b/c.png", endpoint).absoluteString == "http://h:1/images/a%20b/c.png")
        for url in [
            "s3://images", "s3://images/", "s3:///a", "http://a/b", "s3://a/..", "s3://a/%2e%2e/b", "s3://a/b?c",
            "s3://a/%zz",
        ] {
            #expect(throws: ImageError.self) { try S3Loader.url(of: url, endpoint) }
        }
    }

    @Test("a page of keys is read from XML")
    func listing() {
        let text = """
            <?xml version='1.0' encoding='UTF-8'?><ListBucketResult><Name>b</Name><IsTruncated>true</IsTruncated>
            <Contents><Key>a&amp;b&#233;&lt;&bad;</Key><Size>1</Size></Contents><Contents><Key>c</Key></Contents>
            <NextContinuationToken>to/ken==</NextContinuationToken></ListBucketResult>
            """
        let listing = S3Listing(Data(text.utf8))
        #expect(listing.keys == ["a&bé<&bad;", "c"])
        #expect(listing.continuation == "to/ken==")
    }

    @Test("the last page has no continuation, and damaged pages are read without a crash")
    func lastPage() {
        let text = "<IsTruncated>false</IsTruncated><Key>a</Key><NextContinuationToken>x</NextContinuationToken><Key>b"
        #expect(S3Listing(Data(text.utf8)) == S3Listing(Data("<Key>a</Key>".utf8)))
        let bytes = Array(text.utf8)
        for count in 0..<bytes.count { _ = S3Listing(Data(bytes.prefix(count))) }
    }
}
#endif
