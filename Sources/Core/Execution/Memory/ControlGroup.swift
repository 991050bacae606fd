/// The Linux control groups (cgroups) of this process. Each group has a directory of files.
///
/// Source: the kernel's documentation of control groups. A line of `/proc/self/cgroup` is `0::PATH` in version 2 and
/// `N:CONTROLLERS:PATH` in version 1. In a container, `PATH` may be the path on the host, although the container sees
/// only its own group. The topmost directory is then that of the container's group.
enum ControlGroup {
    /// The directories of the process's groups in version 2 of control groups. For each mount point, they are listed
    /// from the topmost group to the process's own. A listed directory need not exist.
    static let directories = parse(text) { $0.isEmpty ? mounts : [] }

    /// The directories of the process's groups for the memory controller in version 1 of control groups, from the
    /// topmost group to the process's own. A listed directory need not exist.
    static let memoryDirectories = parse(text) { controllers in
        controllers.split(separator: ",").contains("memory") ? ["/sys/fs/cgroup/memory"] : []
    }

    /// The mount points of version 2 of control groups. The second one exists on systems that also have version 1.
    private static let mounts = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"]

    private static var text: String {
        (try? String(contentsOf: URL(filePath: "/proc/self/cgroup"), encoding: .utf8)) ?? ""
    }

    /// Returns the directories of the groups that `/proc/self/cgroup` names: for each of its lines, the directories
    /// from the topmost group down to the named one.
    /// - Parameters:
    ///   - text: The content of the file.
    ///   - tops: A closure that takes the controllers of a line, separated by commas, and returns the directories of
    ///     their topmost group, or an empty array to skip the line.
    static func parse(_ text: String, below tops: (Substring) -> [String]) -> [String] {
        text.split(separator: "\n").flatMap { line -> [String] in
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { return [] }
            return tops(parts[1]).flatMap { top -> [String] in
                var directories = [top]
                var path = top
                for name in parts[2].split(separator: "/") {
                    path += "/\(name)"
                    directories.append(path)
                }
                return directories
            }
        }
    }

    /// Returns the number in a small file; nil if the file cannot be read, or if it contains a word such as `max`.
    static func number(inFile path: String) -> Int? {
        guard let text = try? String(contentsOf: URL(filePath: path), encoding: .utf8) else { return nil }
        return Int(text.filter { !$0.isWhitespace })
    }
}
