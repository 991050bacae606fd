import Foundation

/// A directory for one test, which goes with the object.
final class TemporaryDirectory: Sendable {
    /// Its path, without a slash at the end.
    let root: String

    init() throws {
        let url = FileManager.default.temporaryDirectory
            .appending(path: "calotype-file-\(UUID().uuidString)", directoryHint: .notDirectory)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        root = url.path(percentEncoded: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    /// The path of something in the directory.
    func path(_ name: String) -> String { "\(root)/\(name)" }

    /// Makes a file and returns its path.
    @discardableResult
    func write(_ data: Data, _ name: String) throws -> String {
        let path = path(name)
        guard FileManager.default.createFile(atPath: path, contents: data) else { throw CocoaError(.fileWriteUnknown) }
        return path
    }

    /// How many descriptors of this process are open on something in the directory. Linux alone can tell.
    var openDescriptorCount: Int {
        let table = "/proc/self/fd"
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: table)) ?? []
        return descriptors.filter { descriptor in
            // One that was closed meanwhile leads nowhere.
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(table)/\(descriptor)")
            return target?.hasPrefix(root) ?? false
        }.count
    }

    /// How many mappings this process has of something in the directory. Linux alone can tell.
    var mappingCount: Int {
        // To its end: reading it as a string stops after the first page.
        let bytes = try? FileHandle(forReadingAtPath: "/proc/self/maps")?.readToEnd()
        return String(decoding: bytes ?? Data(), as: UTF8.self).split(separator: "\n").filter { $0.contains(root) }
            .count
    }
}
