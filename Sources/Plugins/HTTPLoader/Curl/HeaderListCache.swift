#if HTTP
import Calotype

/// A cache of the most recently used header lists, because most requests send the same headers.
struct HeaderListCache {
    private static let capacity = 8

    /// The entries; the most recently used entry is the last.
    private var entries: [(fields: [HTTPField], list: HeaderList)] = []

    /// Returns a list of headers, from the cache if possible. A list with `others`, the headers of a single request, is
    /// not cached.
    mutating func list(of fields: [HTTPField], _ others: [HTTPField]) throws(ImageError) -> HeaderList {
        guard others.isEmpty else { return try HeaderList(fields + others) }
        if let last = entries.last, last.fields == fields { return last.list }
        if let index = entries.firstIndex(where: { $0.fields == fields }) {
            let entry = entries.remove(at: index)
            entries.append(entry)
            return entry.list
        }
        let list = try HeaderList(fields)
        if entries.count == Self.capacity { entries.removeFirst() }
        entries.append((fields, list))
        return list
    }
}
#endif
