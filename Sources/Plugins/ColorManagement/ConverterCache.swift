#if COLOR
import Calotype

/// The converters used last. Making one takes milliseconds, for inks tens of them; a gallery has few profiles.
struct ConverterCache {
    /// The maximum number of converters that are kept.
    static let capacity = 16
    /// The most bytes that profiles and converters take together. A single converter is kept even if it takes more,
    /// which ``LittleCMSMemory`` bounds.
    static let byteCapacity = 16 << 20

    /// The last used comes last.
    private var entries: [(key: Key, converter: any KeptRowConverter)] = []

    /// The conversion that a converter is for. Profiles are compared whole: what comes from strangers may have equal
    /// hashes.
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

        /// The same with bytes of its own: a profile may be a part of a file, which would stay in memory with it.
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

    /// Returns the converter for a conversion, which becomes the last used; nil if there is none.
    mutating func converter(for conversion: ColorConversion) -> (any KeptRowConverter)? {
        let key = Key(conversion)
        guard let index = entries.lastIndex(where: { $0.key == key }) else { return nil }
        let entry = entries.remove(at: index)
        entries.append(entry)
        return entry.converter
    }

    /// Keeps a converter.
    /// - Returns: Those not used for longest, which are kept no more: to be let go of where no lock is held.
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
