import Foundation

/// A directory for one test, which is removed with the object.
final class TemporaryDirectory: Sendable {
    /// The path, without a slash at the end.
    let root: String

    init() throws {
        let url = FileManager.default.temporaryDirectory
            .appending(path: "calotype-file-\(UUID().uuidString)", directoryHint: .notDirectory)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        root = url.path(percentEncoded: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    /// Returns the path of a file in the directory.
    func path(_ name: String) -> String { "\(root)/\(name)" }

    /// Writes a file and returns its path.
    @discardableResult
    func write(_ data: Data, _ name: String) throws -> String {
        let path = path(name)
        guard FileManager.default.createFile(atPath: path, contents: data) else { throw CocoaError(.fileWriteUnknown) }
        return path
    }

    /// The number of this process's descriptors for files in the directory. Available only on Linux.
    var openDescriptorCount: Int {
        let table = "/proc/self/fd"
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: table)) ?? []
        return descriptors.filter { descriptor in
            // A descriptor that was closed in the meantime has no target.
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(table)/\(descriptor)")
            return target?.hasPrefix(root) ?? false
        }.count
    }

    /// The number of this process's mappings of files in the directory. Available only on Linux.
    var mappingCount: Int {
        // Read to its end: reading it as a string stops after the first page.
        let bytes = try? FileHandle(forReadingAtPath: "/proc/self/maps")?.readToEnd()
        return String(decoding: bytes ?? Data(), as: UTF8.self).split(separator: "\n").filter { $0.contains(root) }
            .count
    }
}
