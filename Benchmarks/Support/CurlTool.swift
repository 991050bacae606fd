#if HTTP
import CalotypeStandard

/// The program `curl`, with the list of files in a file; that is gone from the disk with its last owner.
final class CurlTool {
    private let words: [String]
    private let directory: URL

    /// Whether there is one.
    static var isInstalled: Bool { ExternalProgram.run(["curl", "--version"]) == 0 }

    init(_ batch: FileBatch) throws {
        directory = try TemporaryDirectory.make()
        let list = TemporaryDirectory.path("list", in: directory)
        // First, or the settings of whoever measures would count.
        words = [
            "curl", "--disable", "--silent", "--show-error", "--no-progress-meter", "--fail", "--parallel",
            "--parallel-max", "\(batch.limit)", "--config", list,
        ]
        let lines = try batch.urls().map { "url = \"\($0.absoluteString)\"\noutput = \"/dev/null\"\n" }
        try Data(lines.joined().utf8).write(to: URL(filePath: list))
    }

    deinit { TemporaryDirectory.remove(directory) }

    /// Gets all files.
    func get() throws(BenchmarkError) {
        let status = ExternalProgram.run(words)
        guard status == 0 else { throw BenchmarkError("curl ended with status \(status)") }
    }
}
#endif
