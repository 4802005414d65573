/// What one request changes of how it is downloaded (X036).
extension ImageDownloader.Configuration {
    /// The same with the hooks that a request brings along in the place of the downloader's.
    func overridden(by http: ImageRequest.HTTP) -> ImageDownloader.Configuration {
        guard http.requestModifier != nil || http.responseModifier != nil || http.decryptor != nil else { return self }
        var configuration = self
        if let modifier = http.requestModifier { configuration.requestModifier = modifier.value }
        if let modifier = http.responseModifier { configuration.responseModifier = modifier.value }
        if let decryptor = http.decryptor { configuration.decryptor = decryptor.value }
        return configuration
    }
}
