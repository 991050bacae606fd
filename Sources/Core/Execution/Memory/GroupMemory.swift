#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The memory of a control group that has a limit of its own, and how close to it the group is.
///
/// A group that reads files is always at its limit, since the pages of files are kept for as long as there is room, and
/// give way without harm. So being there says something only when hardly anything else could give way.
struct GroupMemory {
    /// The numbers of times that the group was at its limit, and that it found nothing to reclaim there.
    struct Counts: Equatable {
        var atLimit = 0
        var outOfMemory = 0

        /// Creates the counts of a `memory.events`, whose lines have a name and a number.
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
    /// `memory.events`, which says what happened.
    let file: Int32
    /// Whether the group is no more, as when the process was moved to another one.
    private(set) var isGone = false
    private let directory: String
    private var counts: Counts

    /// The group of a directory; nil when it says nothing of its memory.
    /// - Parameters:
    ///   - directory: The group's files.
    ///   - descriptor: What is polled in place of `memory.events`, since no file but the kernel's own says by itself
    ///     that it has changed. Closed with the group's files.
    init?(directory: String, polling descriptor: Int32? = nil) {
        file = open("\(directory)/memory.events", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        self.descriptor = descriptor ?? file
        self.directory = directory
        counts = Counts(Self.text(of: file) ?? "")
    }

    /// Closes what is open. Called once, by the owner of the group at its end.
    func closeFiles() {
        close(file)
        if descriptor != file { close(descriptor) }
    }

    /// The innermost of some groups that has a limit of its own: a group is not told of the limits of those above it.
    /// - Parameter directories: From the topmost to the process's own.
    static func innermost(of directories: [String]) -> GroupMemory? {
        directories.last { !limits(of: $0).isEmpty }.flatMap { GroupMemory(directory: $0) }
    }

    private static func limits(of directory: String) -> [Int] {
        ["memory.high", "memory.max"].compactMap { ControlGroup.number(inFile: "\(directory)/\($0)") }
    }

    /// Returns the pressure since the last call; nil for nothing that matters. Readies the file to be polled again.
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

    /// Whether nine tenths of what the group may have is memory that cannot give way.
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
