package import Foundation

/// A directory of files for a test module.
package struct FixtureDirectory: Sendable {
    private let path: String

    /// Creates a directory by its name in the resources of a module.
    package init(_ module: Bundle, name: String = "Fixtures") {
        path = "\(module.resourcePath ?? module.bundlePath)/\(name)"
    }

    /// Returns the names of all files, including those in subdirectories.
    package func files() throws -> [String] { try FileManager.default.subpathsOfDirectory(atPath: path).sorted() }

    /// Returns the contents of a file.
    package func data(_ file: String) throws -> Data { try Data(contentsOf: URL(filePath: "\(path)/\(file)")) }
}
