import Foundation
import Testing

/// Every Swift snippet in the documentation is contained in `Snippets.swift`, and so is compiled.
struct SnippetTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test func `every snippet of the documentation is compiled`() throws {
        let compiled = lines(of: try text("Tests/Standard/Snippets.swift")).joined(separator: "\n")
        var count = 0
        for file in try documents() {
            for snippet in snippets(in: try text(file)) {
                count += 1
                let isCompiled = compiled.contains(snippet.joined(separator: "\n"))
                #expect(isCompiled, "\(file): missing in Snippets.swift:\n\(snippet.joined(separator: "\n"))")
            }
        }
        #expect(count > 10)
    }

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
    }

    private func documents() throws -> [String] {
        let sources = try FileManager.default.subpathsOfDirectory(atPath: Self.root.appending(path: "Sources").path())
            .filter { $0.hasSuffix(".swift") }.map { "Sources/\($0)" }
        return ["README.md", "CONTRIBUTING.md"] + sources.sorted()
    }

    /// Returns the Swift blocks of a document or of documentation comments, each as lines without indentation.
    private func snippets(in text: String) -> [[String]] {
        var found: [[String]] = []
        var block: [String]?
        for line in lines(of: text) {
            let line = line.hasPrefix("///") ? line.dropFirst(3).trimmingCharacters(in: .whitespaces) : line
            if line == "```swift" {
                block = []
            } else if line.hasPrefix("```"), let ended = block {
                // Imports are at the top of a file, not in a function.
                found.append(ended.filter { !$0.isEmpty && !$0.hasPrefix("import ") })
                block = nil
            } else {
                block?.append(line)
            }
        }
        return found
    }

    private func lines(of text: String) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }
}
