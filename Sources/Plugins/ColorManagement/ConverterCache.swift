#if COLOR
import Calotype

/// A cache of the most recently used color converters. Making a converter takes up to tens of milliseconds.
struct ConverterCache {
    /// The maximum number of converters.
    static let capacity = 16
    /// The maximum number of bytes of all profiles and converters in the cache. An entry that exceeds it is cached
    /// alone.
    static let byteCapacity = 16 << 20

    /// The entries, most recently used last.
    private var entries: [(key: Key, converter: any KeptRowConverter)] = []

    /// The properties of a conversion that determine its converter. Complete profiles are compared, because different
    /// profiles of untrusted images may have equal hashes.
    private struct Key: Equatable {
        var source: ColorProfile
        var target: ColorProfile
        let format: PixelFormat
        let channels: RowChannels
        let isGray: Bool
        let maxProfileTableBytes: Int

        init(_ conversion: ColorConversion) {
            source = conversion.source
            target = conversion.target
            format = conversion.format
            channels = conversion.channels
            isGray = conversion.isGray
            maxProfileTableBytes = conversion.maxProfileTableBytes
        }

        /// The key with copies of the profiles. The originals may be slices that retain the data of a whole file.
        var detached: Key {
            func copy(_ profile: ColorProfile) -> ColorProfile {
                guard case .icc(let data) = profile else { return profile }
                return .icc(data.withUnsafeBytes { Data($0) })
            }
            var key = self
            key.source = copy(source)
            key.target = copy(target)
            return key
        }

        var profileByteCount: Int {
            [source, target].reduce(0) { count, profile in
                guard case .icc(let data) = profile else { return count }
                return count + data.count
            }
        }
    }

    /// The number of converters.
    var count: Int { entries.count }

    /// Returns the converter for a conversion, and makes it the most recently used one; nil if there is none.
    mutating func converter(for conversion: ColorConversion) -> (any KeptRowConverter)? {
        let key = Key(conversion)
        guard let index = entries.lastIndex(where: { $0.key == key }) else { return nil }
        let entry = entries.remove(at: index)
        entries.append(entry)
        return entry.converter
    }

    /// Adds a converter as the most recently used one.
    /// - Returns: The evicted and replaced converters, which the caller must release outside any lock.
    mutating func keep(
        _ converter: any KeptRowConverter, for conversion: ColorConversion
    ) -> [any KeptRowConverter] {
        let key = Key(conversion).detached
        var dropped = entries.filter { $0.key == key }.map(\.converter)
        entries.removeAll { $0.key == key }
        entries.append((key, converter))
        var byteCount = entries.reduce(0) { $0 + Self.byteCount(of: $1) }
        while entries.count > Self.capacity || entries.count > 1 && byteCount > Self.byteCapacity {
            let entry = entries.removeFirst()
            byteCount -= Self.byteCount(of: entry)
            dropped.append(entry.converter)
        }
        return dropped
    }

    private static func byteCount(of entry: (key: Key, converter: any KeptRowConverter)) -> Int {
        entry.key.profileByteCount + entry.converter.byteCount
    }
}
#endif
