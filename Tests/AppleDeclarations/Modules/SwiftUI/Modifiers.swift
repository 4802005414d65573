public struct Modified<Content: View>: Primitive {
    nonisolated init() {}
}

public enum ContentMode: Hashable, Sendable {
    case fit, fill
}

public enum Edge: Int8, Sendable {
    case top, leading, bottom, trailing
}

public struct Alignment: Sendable {
    public static let center = Alignment()
}

public struct AnyTransition: Sendable {
    public static let identity = AnyTransition()
    public static let opacity = AnyTransition()
    public static let scale = AnyTransition()
    public static func move(edge: Edge) -> AnyTransition { AnyTransition() }
    public func combined(with other: AnyTransition) -> AnyTransition { self }
}

public struct Animation: Hashable, Sendable {
    public static func easeInOut(duration: Double) -> Animation { Animation() }
}

/// Runs the body at once, for tests.
@MainActor public func withAnimation<Result>(
    _ animation: Animation? = nil, _ body: () throws -> Result
) rethrows -> Result { try body() }

@MainActor public func withAnimation<Result>(
    _ animation: Animation? = nil, _ body: () throws -> Result, completion: @escaping () -> Void
) rethrows -> Result {
    defer { completion() }
    return try body()
}

extension View {
    nonisolated public func onAppear(perform action: (() -> Void)? = nil) -> some View { Modified<Self>() }
    nonisolated public func onDisappear(perform action: (() -> Void)? = nil) -> some View { Modified<Self>() }
    nonisolated public func onChange<Value: Equatable>(
        of value: Value, initial: Bool = false, _ action: @escaping (_ old: Value, _ new: Value) -> Void
    ) -> some View { Modified<Self>() }
    nonisolated public func transition(_ transition: AnyTransition) -> some View { Modified<Self>() }
    nonisolated public func frame(
        width: CGFloat? = nil, height: CGFloat? = nil, alignment: Alignment = .center
    ) -> some View { Modified<Self>() }
    nonisolated public func aspectRatio(_ ratio: CGFloat? = nil, contentMode: ContentMode) -> some View {
        Modified<Self>()
    }
    nonisolated public func clipped(antialiased: Bool = false) -> some View { Modified<Self>() }
}
