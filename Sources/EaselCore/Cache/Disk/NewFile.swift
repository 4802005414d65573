/// A file that is written before anybody can see it, and then gets its name: a reader finds all of it or nothing, whatever
/// happens to the writer.
///
/// Where the system can, it has no name until then, which takes a fifth less of its time than a temporary name does and
/// leaves nothing behind when the process dies. Else its temporary name tells whose it is. What gets no name in the end
/// goes with this value.
struct NewFile: ~Copyable {
    let file: OpenFile
    private let folder: Folder
    private var temporaryName: String?

    /// One in `folder`; with a temporary name where that is wanted. Blocks.
    init(in folder: Folder, isNamed: Bool) throws(SystemError) {
        self.folder = folder
        if !isNamed, let file = folder.createUnnamed() {
            self.file = file
            temporaryName = nil
        } else {
            var name = TemporaryName.next()
            file = try folder.createTemporary(&name)
            temporaryName = name
        }
    }

    deinit {
        if let temporaryName { _ = try? folder.remove(temporaryName) }
    }

    /// Gives it a name that no other file has. Returns `false`, and does nothing, where one has it.
    mutating func take(new name: String) throws(SystemError) -> Bool {
        let isTaken =
            if let temporaryName {
                try !folder.rename(temporaryName, toNew: name)
            } else {
                try !folder.name(file, name)
            }
        if !isTaken { temporaryName = nil }
        return !isTaken
    }

    /// Gives it a name in place of the file that has it, in one step.
    mutating func take(_ name: String) throws(SystemError) {
        // Only a rename can replace, and that is from a name.
        if temporaryName == nil { temporaryName = try folder.nameTemporarily(file) }
        if let temporaryName { try folder.rename(temporaryName, to: name) }
        temporaryName = nil
    }
}

extension Folder {
    /// A new file under a temporary name: that, or the next one that is free.
    fileprivate func createTemporary(_ name: inout String) throws(SystemError) -> OpenFile {
        while true {
            do throws(SystemError) { return try create(name) } catch {
                // Left by a process that had our number, as they all have in a container.
                guard error.isTaken else { throw error }
                name = TemporaryName.next()
            }
        }
    }

    /// Gives a file that has none a temporary name.
    fileprivate func nameTemporarily(_ file: borrowing OpenFile) throws(SystemError) -> String {
        while true {
            let name = TemporaryName.next()
            if try self.name(file, name) { return name }
        }
    }
}
