#if HTTP
import Calotype

/// The last few lists of headers: most requests send the same.
struct HeaderListCache {
    private static let capacity = 8

    /// The last used comes last.
    private var entries: [(fields: [HTTPField], list: HeaderList)] = []

    /// The list of these headers, and of those that only one request has.
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
