public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}

/// An application that records its background tasks.
@MainActor open class UIApplication: UIResponder {
    open class var shared: UIApplication { instance }
    private static let instance = UIApplication()

    public private(set) var backgroundTasks: [UIBackgroundTaskIdentifier: @MainActor @Sendable () -> Void] = [:]
    private var count = 0

    public class var didReceiveMemoryWarningNotification: NSNotification.Name {
        NSNotification.Name("UIApplicationDidReceiveMemoryWarningNotification")
    }
    public class var didEnterBackgroundNotification: NSNotification.Name {
        NSNotification.Name("UIApplicationDidEnterBackgroundNotification")
    }

    open func beginBackgroundTask(
        withName name: String?, expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier {
        count += 1
        let identifier = UIBackgroundTaskIdentifier(rawValue: count)
        backgroundTasks[identifier] = handler
        return identifier
    }

    open func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) { backgroundTasks[identifier] = nil }
}
