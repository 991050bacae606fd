package import Foundation

/// A directory of files that a module of tests reads.
package struct FixtureDirectory: Sendable {
    private let path: String

    /// The directory of a name among the resources of a module.
    package init(_ module: Bundle, name: String = "Fixtures") {
        path = "\(module.resourcePath ?? module.bundlePath)/\(name)"
    }

    /// The names of all files in it.
    package func files() throws -> [String] { try FileManager.default.subpathsOfDirectory(atPath: path).sorted() }

    /// A file in it.
    package func data(_ file: String) throws -> Data { try Data(contentsOf: URL(filePath: "\(path)/\(file)")) }
}
