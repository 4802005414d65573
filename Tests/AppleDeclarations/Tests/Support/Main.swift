import Testing

/// Runs the tests, as `swift test` does.
@main
enum AppleTests {
    static func main() async {
        await Testing.__swiftPMEntryPoint() as Never
    }
}
