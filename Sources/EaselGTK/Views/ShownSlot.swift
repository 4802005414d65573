#if GTK
import CGTK
public import EaselCore

extension ControlState {
    /// Under the pointer. `highlighted` is pressed, `selected` is also a toggle that is on.
    public static let prelight = ControlState("prelight")
}

/// Which of a widget's images is seen in which state.
struct ShownSlot {
    /// The states that hold, the one that says most first; `normal` always does.
    let states: [ControlState]
    private let isHighlighted: Bool
    private let isOn: Bool

    init(_ flags: GtkStateFlags) {
        let order: [(GtkStateFlags, ControlState)] = [
            (GTK_STATE_FLAG_INSENSITIVE, .disabled), (GTK_STATE_FLAG_ACTIVE, .highlighted),
            (GTK_STATE_FLAG_CHECKED, .selected), (GTK_STATE_FLAG_SELECTED, .selected),
            (GTK_STATE_FLAG_PRELIGHT, .prelight), (GTK_STATE_FLAG_FOCUSED, .focused),
        ]
        states = order.filter { flags.rawValue & $0.0.rawValue != 0 }.map(\.1) + [.normal]
        isHighlighted = states.contains { $0 == .highlighted || $0 == .selected || $0 == .prelight }
        isOn = states.contains(.selected)
    }

    /// The slot to show of those that have something.
    func foreground(among slots: some Collection<ImageSlot>) -> ImageSlot? {
        let places: [(ImageSlot.Place, Bool)] = [(.alternate, isOn), (.highlighted, isHighlighted)]
        for (place, holds) in places where holds {
            if let slot = first(place, slots) { return slot }
        }
        return first(.image, slots)
    }

    /// The slot to show behind that.
    func background(among slots: some Collection<ImageSlot>) -> ImageSlot? { first(.background, slots) }

    private func first(_ place: ImageSlot.Place, _ slots: some Collection<ImageSlot>) -> ImageSlot? {
        states.lazy.map { ImageSlot(place, for: $0) }.first { slots.contains($0) }
    }
}
#endif
