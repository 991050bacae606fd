#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The memory of a control group with a limit, and how close the group is to its limit.
///
/// Being at the limit matters only if hardly any memory can be reclaimed. A group that reads files is always at its
/// limit, because the kernel keeps the pages of files while there is room.
struct GroupMemory {
    /// The number of times that the group reached its limit, and how often no memory could be reclaimed then.
    struct Counts: Equatable {
        var atLimit = 0
        var outOfMemory = 0

        /// Reads the counts of a `memory.events` file, whose lines have a name and a number.
        init(_ text: String) {
            for line in text.split(separator: "\n") {
                let words = line.split(separator: " ")
                guard words.count == 2, let count = Int(words[1]) else { continue }
                switch words[0] {
                case "high", "max": atLimit &+= count
                case "oom": outOfMemory &+= count
                default: break
                }
            }
        }
    }

    /// The descriptor to poll for changes: that of `memory.events`, unless another was given.
    let descriptor: Int32
    /// The descriptor of `memory.events`, the file in which the kernel counts how often the group reached its limit.
    let file: Int32
    /// Whether the group no longer exists, for example because the process was moved to another one.
    private(set) var isGone = false
    private let directory: String
    private var counts: Counts

    /// Opens the control group whose files are in `directory`. Returns nil if the group does not report its memory.
    /// - Parameter descriptor: The descriptor to poll instead of that of `memory.events`. Tests pass one, because their
    ///   files, unlike those of the kernel, do not report changes. ``closeFiles()`` closes the descriptor too.
    init?(directory: String, polling descriptor: Int32? = nil) {
        file = open("\(directory)/memory.events", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        self.descriptor = descriptor ?? file
        self.directory = directory
        counts = Counts(Self.text(of: file) ?? "")
    }

    /// Closes the open files. The owner of the group must call it once, at the end.
    func closeFiles() {
        close(file)
        if descriptor != file { close(descriptor) }
    }

    /// Returns the innermost group that has a limit. Returns nil if there is none, or if it does not report its memory.
    /// Watch this group itself, because the groups inside it are not notified when it reaches its limit.
    /// - Parameter directories: The directories from the topmost group to the process's own.
    static func innermost(of directories: [String]) -> GroupMemory? {
        directories.last { !limits(of: $0).isEmpty }.flatMap { GroupMemory(directory: $0) }
    }

    private static func limits(of directory: String) -> [Int] {
        ["memory.high", "memory.max"].compactMap { ControlGroup.number(inFile: "\(directory)/\($0)") }
    }

    /// Returns the memory pressure that has occurred since the last call. Returns nil if there was none, or if the
    /// group no longer exists. Reads `memory.events`, which is necessary before the file can be polled again.
    mutating func pressure() -> MemoryPressure? {
        guard let text = Self.text(of: file) else {
            isGone = true
            return nil
        }
        let before = counts
        counts = Counts(text)
        if counts.outOfMemory > before.outOfMemory { return .critical }
        return counts.atLimit > before.atLimit && isFull ? .moderate : nil
    }

    /// Whether memory that cannot be reclaimed takes at least nine tenths of the group's limit.
    private var isFull: Bool {
        guard let limit = Self.limits(of: directory).min(),
            let text = try? String(contentsOf: URL(filePath: "\(directory)/memory.stat"), encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("anon ") }),
            let anonymous = Int(line.dropFirst("anon ".count))
        else { return false }
        return anonymous >= limit / 10 * 9
    }

    /// Returns the text of a small file, read from its beginning; nil if it cannot be read.
    private static func text(of descriptor: Int32) -> String? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
