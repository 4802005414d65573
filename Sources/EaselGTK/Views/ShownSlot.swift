#if GTK
import CGTK
public import EaselCore

extension ControlState {
    /// The state under the pointer. `highlighted` is pressed; `selected` also means checked.
    public static let prelight = ControlState("prelight")
}

/// Selects the slots that are visible in a widget state.
struct ShownSlot {
    /// The active states, most specific first. `normal` is always active.
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

    /// Returns the slot to show among those with an image.
    func foreground(among slots: some Collection<ImageSlot>) -> ImageSlot? {
        let places: [(ImageSlot.Place, Bool)] = [(.alternate, isOn), (.highlighted, isHighlighted)]
        for (place, holds) in places where holds {
            if let slot = first(place, slots) { return slot }
        }
        return first(.image, slots)
    }

    /// Returns the background slot to show.
    func background(among slots: some Collection<ImageSlot>) -> ImageSlot? { first(.background, slots) }

    private func first(_ place: ImageSlot.Place, _ slots: some Collection<ImageSlot>) -> ImageSlot? {
        states.lazy.map { ImageSlot(place, for: $0) }.first { slots.contains($0) }
    }
}
#endif
