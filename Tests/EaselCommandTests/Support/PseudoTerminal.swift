import Foundation

/// A terminal without a window: what is typed on one side is read on the other.
struct PseudoTerminal {
    /// The side of the person.
    let keyboard: FileHandle
    /// The side of the command.
    let device: FileHandle

    init?() {
        var (keyboard, device): (Int32, Int32) = (-1, -1)
        guard openpty(&keyboard, &device, nil, nil, nil) == 0 else { return nil }
        self.keyboard = FileHandle(fileDescriptor: keyboard, closeOnDealloc: true)
        self.device = FileHandle(fileDescriptor: device, closeOnDealloc: true)
    }

    /// Whether what is typed waits for the end of a line.
    var waitsForLines: Bool {
        var settings = termios()
        return tcgetattr(device.fileDescriptor, &settings) == 0 && settings.c_lflag & tcflag_t(ICANON) != 0
    }
}
