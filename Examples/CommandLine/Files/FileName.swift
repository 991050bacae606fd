/// The parts of a path.
enum FileName {
    /// The last part of a path without its extension, and the extension in lower case; empty where there is none.
    static func split(_ path: String) -> (stem: String, fileExtension: String) {
        let name = path.split(separator: "/").last.map { String($0) } ?? ""
        // A dot at the beginning hides a file, it does not begin an extension.
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return (name, "") }
        return (String(name[..<dot]), name[name.index(after: dot)...].lowercased())
    }

    /// The directory that a path is in.
    static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
