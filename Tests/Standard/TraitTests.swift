import Foundation
import Testing

/// The traits of the package, as listed by `Scripts/libraries`.
struct TraitTests {
    /// The traits that change a plugin, and have none of their own.
    private static let additions: Set = ["DEFLATE"]
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func traits() throws -> [String] {
        let list = try String(contentsOf: root.appending(path: "Scripts/libraries"), encoding: .utf8)
        return list.split(separator: "\n").filter { !$0.hasPrefix("#") }
            .compactMap { $0.split(separator: " ").first.map { String($0) } }
    }

    /// Returns the text of each file that declares a plugin.
    private static func declarations() throws -> [String] {
        let plugins = root.appending(path: "Sources/Plugins")
        return try FileManager.default.subpathsOfDirectory(atPath: plugins.path())
            .filter { $0.contains("/Plugin+") && $0.hasSuffix(".swift") }
            .map { try String(contentsOf: plugins.appending(path: $0), encoding: .utf8) }
    }

    /// Returns the name of the first static member that a text declares.
    private static func member(in text: String) -> Substring? {
        text.split(separator: "\n").compactMap { line -> Substring? in
            let words = line.split(whereSeparator: { " :".contains($0) })
            guard words.count > 3, words[0] == "public", words[1] == "static" else { return nil }
            return words[3]
        }.first
    }

    @Test func `without its trait a plugin is unavailable, with a message that names the trait`() throws {
        let declarations = try Self.declarations()
        let traits = try Self.traits().filter { !Self.additions.contains($0) }
        #expect(!traits.isEmpty)
        for trait in traits {
            let text = try #require(declarations.first { $0.hasPrefix("#if \(trait)\n") }, "\(trait)")
            let parts = text.components(separatedBy: "\n#else\n")
            #expect(parts.count == 2, "\(trait)")
            let unavailable = try #require(parts.last)
            let attribute = "@available(*, unavailable, message: \"enable the trait '\(trait)' "
            #expect(unavailable.contains(attribute), "\(trait)")
            #expect(Self.member(in: unavailable) == Self.member(in: parts[0]), "\(trait)")
        }
    }

    @Test func `the umbrella exports every plugin, whatever its trait`() throws {
        let exports = try String(
            contentsOf: Self.root.appending(path: "Sources/Plugins/Standard/Exports.swift"), encoding: .utf8)
        for name in ["Color", "DataURI", "File", "HTTP", "JPEG", "PNG"] {
            #expect(exports.contains("@_exported public import Calotype\(name)\n"), "\(name)")
        }
        #expect(!exports.contains("#if"))
    }
}
