package import Foundation

/// The folder `Fixtures` of a module of tests.
package struct FixtureFolder: Sendable {
    private let path: String

    /// The folder among the resources of a module.
    package init(_ module: Bundle) {
        path = (module.resourcePath ?? module.bundlePath) + "/Fixtures"
    }

    /// The names of all files in it.
    package func files() throws -> [String] { try FileManager.default.subpathsOfDirectory(atPath: path).sorted() }

    /// A file in it.
    package func data(_ file: String) throws -> Data { try Data(contentsOf: URL(filePath: "\(path)/\(file)")) }
}
