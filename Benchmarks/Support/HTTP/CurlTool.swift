#if HTTP
import CalotypeStandard

/// The program `curl`, with a list of addresses in a temporary file. The file is removed with the last owner.
final class CurlTool {
    private let words: [String]
    private let directory: URL

    /// Whether `curl` is installed.
    static var isInstalled: Bool { ExternalProgram.run(["curl", "--version"]) == 0 }

    init(_ batch: FileBatch) throws {
        directory = try TemporaryDirectory.make()
        let list = TemporaryDirectory.path("list", in: directory)
        // First, so that the user's curl settings do not apply.
        words = [
            "curl", "--disable", "--silent", "--show-error", "--no-progress-meter", "--fail", "--parallel",
            "--parallel-max", "\(batch.limit)", "--config", list,
        ]
        let lines = try batch.urls().map { "url = \"\($0.absoluteString)\"\noutput = \"/dev/null\"\n" }
        try Data(lines.joined().utf8).write(to: URL(filePath: list))
    }

    deinit { TemporaryDirectory.remove(directory) }

    /// Loads all files.
    func get() throws(BenchmarkError) {
        let status = ExternalProgram.run(words)
        guard status == 0 else { throw BenchmarkError("curl ended with status \(status)") }
    }
}
#endif
