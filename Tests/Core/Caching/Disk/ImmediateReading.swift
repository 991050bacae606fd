import Calotype

/// Whether the system can read cached parts of temporary files without waiting. Determined without the library.
enum ImmediateReading {
    static let isPossible = isKnownToKernel && isKnownToFileSystem

    /// Whether the kernel supports it: Linux 5.12 and later.
    private static var isKnownToKernel: Bool {
        let text = try? String(contentsOf: URL(filePath: "/proc/sys/kernel/osrelease"), encoding: .utf8)
        let words = (text ?? "").split { !$0.isNumber }
        let numbers: [Int] = words.prefix(2).compactMap { Int($0) }
        return numbers.count == 2 && (numbers[0] > 5 || numbers[0] == 5 && numbers[1] >= 12)
    }

    /// Whether the file system supports it: ext4, XFS, Btrfs and F2FS, according to the list of mounts.
    private static var isKnownToFileSystem: Bool {
        let directory = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path(percentEncoded: false)
        let text = (try? String(contentsOf: URL(filePath: "/proc/self/mounts"), encoding: .utf8)) ?? ""
        var kind = ""
        var longest = 0
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            guard words.count > 2, words[1] == "/" || "\(directory)/".hasPrefix("\(words[1])/") else { continue }
            // For several mounts at one place, the last one is visible.
            guard words[1].utf8.count >= longest else { continue }
            (kind, longest) = (words[2], words[1].utf8.count)
        }
        return ["ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs"].contains(kind)
    }
}
