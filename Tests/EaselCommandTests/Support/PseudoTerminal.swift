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
        // A command that another test runs must not keep it open.
        for descriptor in [keyboard, device] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        self.keyboard = FileHandle(fileDescriptor: keyboard, closeOnDealloc: true)
        self.device = FileHandle(fileDescriptor: device, closeOnDealloc: true)
    }

    /// Whether what is typed waits for the end of a line.
    var waitsForLines: Bool { settings.map { $0.c_lflag & tcflag_t(ICANON) != 0 } ?? false }

    /// Whether what is typed is seen.
    var echoes: Bool { settings.map { $0.c_lflag & tcflag_t(ECHO) != 0 } ?? false }

    /// Makes the window so many characters large, and tells those who run in it.
    func resize(columns: UInt16, rows: UInt16) {
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(keyboard.fileDescriptor, UInt(TIOCSWINSZ), &size)
    }

    private var settings: termios? {
        var settings = termios()
        return tcgetattr(device.fileDescriptor, &settings) == 0 ? settings : nil
    }
}
