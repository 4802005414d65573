#if Server
import EaselCore
import EaselFoundation
import EaselHTTP
import EaselServerTiers

/// The caches that several servers share, and sources in an object store.
extension ServerSettings {
    /// - Parameter environment: Has the credentials of S3, unless settings have them.
    mutating func readSharedCaches(_ values: SettingValues, _ environment: [String: String]) throws(SettingError) {
        do throws(TierError) {
            if let url = values.text("shared") {
                let client = try RedisConnector(try RedisConfiguration(url: url))
                let tier = GuardedTier(RedisTier(client: client), .redis)
                routes.sharedTiers.append(tier)
                routes.leases = GuardedLeases(RedisLeases(client: client), sharing: tier)
            }
            guard let endpoint = try Self.endpoint(values, environment) else { return }
            let loader = S3Loader(endpoint: endpoint, transport: CurlTransport(connectionsPerHost: 32)) {
                routes.configure(&$0)
            }
            routes.loaders.append(loader)
            if let url = values.text("results") {
                let configuration = try S3Tier.Configuration(url: url, endpoint: endpoint)
                routes.sharedTiers.append(GuardedTier(try S3Tier(configuration), .objectStore))
            }
        } catch {
            throw SettingError(error.message)
        }
    }

    private static func endpoint(
        _ values: SettingValues, _ environment: [String: String]
    ) throws(TierError) -> S3Endpoint? {
        guard let url = values.text("s3-endpoint") else {
            guard values.text("results") == nil else {
                throw TierError(.invalidConfiguration, "`results` needs `s3-endpoint`.")
            }
            return nil
        }
        let credentials: S3Credentials?
        if let key = values.text("s3-access-key"), let secret = values.text("s3-secret-key") {
            credentials = S3Credentials(accessKey: key, secretKey: secret)
        } else {
            credentials = S3Credentials(environment: environment)
        }
        guard let credentials else {
            throw TierError(.invalidConfiguration, "`s3-endpoint` needs `s3-access-key` and `s3-secret-key`.")
        }
        return S3Endpoint(url: url, region: values.text("s3-region") ?? "us-east-1", credentials: credentials)
    }
}
#endif
