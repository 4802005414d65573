import Synchronization

@testable import EaselCore

/// A number in an object, so that a cache can find it again while something else holds it.
struct HeldNumber: WeaklyCacheable {
    final class Object: Sendable {
        let number: Int
        init(_ number: Int) { self.number = number }
    }

    /// Counts the weak references of caches.
    final class References: Sendable {
        private let living = Atomic(0)
        var count: Int { living.load(ordering: .relaxed) }

        final class Token: Sendable {
            private let references: References

            init(_ references: References) {
                self.references = references
                references.living.add(1, ordering: .relaxed)
            }

            deinit { references.living.subtract(1, ordering: .relaxed) }
        }
    }

    var object: Object
    let references: References

    init(_ number: Int = 0, _ references: References = References()) {
        object = Object(number)
        self.references = references
    }

    private init(_ object: Object, _ references: References) {
        self.object = object
        self.references = references
    }

    mutating func weakReference() -> (@Sendable () -> HeldNumber?)? {
        guard !isKnownUniquelyReferenced(&object) else { return nil }
        return { [weak object, references, token = References.Token(references)] in
            withExtendedLifetime(token) { object.map { HeldNumber($0, references) } }
        }
    }
}
