import Foundation

/// A terminal without a window: one side reads what the other writes.
struct PseudoTerminal {
    /// The side of the user.
    let userSide: FileHandle
    /// The side of the command.
    let device: FileHandle

    init?() {
        var (keyboard, device): (Int32, Int32) = (-1, -1)
        guard openpty(&keyboard, &device, nil, nil, nil) == 0 else { return nil }
        // A command that another test runs must not keep the terminal open.
        for descriptor in [keyboard, device] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        userSide = FileHandle(fileDescriptor: keyboard, closeOnDealloc: true)
        self.device = FileHandle(fileDescriptor: device, closeOnDealloc: true)
    }

    /// Whether the terminal is in line mode.
    var waitsForLines: Bool { settings.map { $0.c_lflag & tcflag_t(ICANON) != 0 } ?? false }

    /// Whether the terminal echoes typed characters.
    var echoes: Bool { settings.map { $0.c_lflag & tcflag_t(ECHO) != 0 } ?? false }

    /// Resizes the window to a number of characters, and notifies its processes.
    func resize(columns: UInt16, rows: UInt16) {
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(userSide.fileDescriptor, UInt(TIOCSWINSZ), &size)
    }

    private var settings: termios? {
        var settings = termios()
        return tcgetattr(device.fileDescriptor, &settings) == 0 ? settings : nil
    }
}
