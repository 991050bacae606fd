#if HTTP
import Calotype

/// A cache of the last few header lists, because most requests send the same headers.
struct HeaderListCache {
    private static let capacity = 8

    /// The entries, most recently used last.
    private var entries: [(fields: [HTTPField], list: HeaderList)] = []

    /// Returns the list of `fields`, and of `others`, which are specific to one request.
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
