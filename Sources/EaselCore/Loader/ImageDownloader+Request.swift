/// What one request changes of how it is downloaded (X036).
extension Boxed<ImageDownloader.Configuration> {
    /// The same with the hooks that a request brings along in the place of the downloader's.
    func overridden(by http: ImageRequest.HTTP) -> Self {
        guard http.requestModifier != nil || http.responseModifier != nil || http.decryptor != nil else { return self }
        var configuration = self
        if let modifier = http.requestModifier { configuration.value.requestModifier = modifier.value }
        if let modifier = http.responseModifier { configuration.value.responseModifier = modifier.value }
        if let decryptor = http.decryptor { configuration.value.decryptor = decryptor.value }
        return configuration
    }
}
