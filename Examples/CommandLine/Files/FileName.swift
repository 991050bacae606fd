/// Splits paths into their parts.
enum FileName {
    /// Returns the last component of a path without its extension, and the extension in lower case. The extension is
    /// empty if the path has none.
    static func split(_ path: String) -> (stem: String, fileExtension: String) {
        let name = path.split(separator: "/").last.map { String($0) } ?? ""
        // A leading dot hides a file and does not begin an extension.
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return (name, "") }
        return (String(name[..<dot]), name[name.index(after: dot)...].lowercased())
    }

    /// Returns the directory that contains a path.
    static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
