import Foundation

/// A display without a screen, whose pixels are a file that can be read while they are drawn, so that the visible
/// result is measured from outside the drawing process.
final class VirtualDisplay {
    /// The windows' background where no image is shown yet: #FF00FF.
    private static let placeholder: UInt32 = 0xFF00FF
    private static let columns = 8
    private static let cell = (width: 160, height: 120)

    /// The value for `DISPLAY`.
    let name: String
    private let process: TiedProcess
    private let memory: UnsafeRawBufferPointer
    private let pixels: Int
    private let bytesPerRow: Int

    init() throws {
        guard let server = Tool.find("Xvfb") else { throw MissingPeer(name: "Xvfb", reason: "it has to be installed.") }
        let folder = try ScratchFolder.make("display")
        let output = Pipe()
        process = try TiedProcess(
            [
                server, "-displayfd", "1", "-screen", "0", "1280x1024x24", "-fbdir", folder, "-nolisten", "tcp",
                "-nocursor",
            ], output: output)
        // It prints its number when it is ready.
        let number = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        name = ":" + number.trimmingCharacters(in: .whitespacesAndNewlines)
        memory = try Self.map(folder + "/Xvfb_screen0")
        let header = memory.loadHeader(0)
        pixels = header + memory.loadHeader(19) * 12
        bytesPerRow = memory.loadHeader(12)
    }

    deinit { munmap(UnsafeMutableRawPointer(mutating: memory.baseAddress), memory.count) }

    /// Returns how many cells in the given rows show an image, and a checksum that changes with their pixels.
    func cells(rows: Int) -> (complete: Int, total: Int, sum: UInt64) {
        var complete = 0
        var sum: UInt64 = 0
        for row in 0..<rows {
            for column in 0..<Self.columns {
                var isComplete = true
                // Samples two lines through the cell, including its corners.
                for step in 0..<8 {
                    let across = step * (Self.cell.width - 1) / 7
                    for down in [step * (Self.cell.height - 1) / 7, (7 - step) * (Self.cell.height - 1) / 7] {
                        let color = color(column * Self.cell.width + across, row * Self.cell.height + down)
                        if color == Self.placeholder { isComplete = false }
                        sum = (sum &* 0x0100_0000_01B3) ^ UInt64(color)
                    }
                }
                if isComplete { complete += 1 }
            }
        }
        return (complete, rows * Self.columns, sum)
    }

    private func color(_ x: Int, _ y: Int) -> UInt32 {
        memory.load(fromByteOffset: pixels + y * bytesPerRow + x * 4, as: UInt32.self) & 0xFF_FFFF
    }

    private static func map(_ path: String) throws -> UnsafeRawBufferPointer {
        let file = open(path, O_RDONLY)
        defer { close(file) }
        var facts = stat()
        guard file >= 0, fstat(file, &facts) == 0,
            let start = mmap(nil, Int(facts.st_size), PROT_READ, MAP_SHARED, file, 0), start != MAP_FAILED
        else { throw POSIXError(.ENOENT) }
        return UnsafeRawBufferPointer(start: start, count: Int(facts.st_size))
    }
}

extension UnsafeRawBufferPointer {
    /// Returns a number from the header of an XWD file, which starts with its length.
    fileprivate func loadHeader(_ index: Int) -> Int {
        Int(UInt32(bigEndian: load(fromByteOffset: index * 4, as: UInt32.self)))
    }
}
