#if COLOR
public import Calotype

/// A converter from embedded ICC profiles to sRGB, or to another profile of red, green and blue, based on Little CMS.
///
/// The converter supports profiles of versions 2 and 4 with matrices or tables. The color space of a profile can be
/// RGB, gray or four inks. A profile with a table for the perceptual intent is used with that intent, and every other
/// profile with the relative colorimetric intent. In both cases the darkest color becomes black. A profile that is
/// damaged, or whose color space differs from the picture's, causes an error.
///
/// For matrix and gray profiles, pixels of eight bits are within one level of the exact result. With a matrix profile,
/// pixels of 16 bits are converted to sRGB within two levels of it, from 0 to 65,535. For profiles with tables, pixels
/// of eight bits are less exact, because Little CMS converts them with a single, coarser table. All other pixels are
/// converted exactly. Floating-point values outside 0...1 are clamped only by the curves and tables of a profile. If
/// the conversion would not change any color by more than one level of eight bits, pixels of every format are left
/// unchanged.
///
/// A profile is checked before Little CMS reads it, so that a damaged or hostile profile takes little time and memory.
/// Its curves and tables may take ``ColorConversion/maxProfileTableBytes`` in memory. Everything that Little CMS
/// derives from the source profile and the target profile may take six times as much, or 48 MiB if that is more.
/// Multi-process elements (`D2B0`) are ignored; the tables of such a profile are used instead.
///
/// Thread-safe. Up to 16 converters and 16 MiB are cached, so that the pictures of a gallery share them.
public struct LittleCMSColorConverter: ColorConverter {
    private let cache = Lock(ConverterCache())

    /// Creates a converter with an empty cache. Copies share the cache.
    public init() {}

    /// Returns a converter for rows. Returns nil if the target profile is not for red, green and blue, or if the rows
    /// contain inks but the source profile is sRGB.
    ///
    /// Throws `badData` if a profile is damaged or does not match the rows, and `outOfMemory`.
    public func rowConverter(for conversion: ColorConversion) throws -> (any RowConverter)? {
        if let kept = cache.withLock({ $0.converter(for: conversion) }) { return kept }
        // The lock is not held here: a concurrent call makes another converter, and the later one is kept.
        let memory = LittleCMSMemory(ceiling: LittleCMSMemory.ceiling(forTables: conversion.maxProfileTableBytes))
        guard let made = try Self.makeRowConverter(for: conversion, memory: memory) else { return nil }
        _ = cache.withLock { $0.keep(made, for: conversion) }
        return made
    }

    /// Makes a converter without caching it. Returns nil in the same cases as ``rowConverter(for:)``. Little CMS
    /// allocates from `memory`.
    static func makeRowConverter(
        for conversion: ColorConversion, memory: LittleCMSMemory
    ) throws(ImageError) -> (any KeptRowConverter)? {
        if conversion.channels == .cmyk, conversion.source == .sRGB { return nil }
        let targetHeader = try header(of: conversion.target)
        guard targetHeader?.colorSpace ?? .rgb == .rgb else { return nil }
        let sourceHeader = try header(of: conversion.source)
        let channels = try channels(of: sourceHeader?.colorSpace ?? .rgb, in: conversion)
        let context = try LittleCMSContext(memory)
        defer { memory.freeUnusedReserve() }
        func extract(
            _ profile: ColorProfile, _ header: ProfileHeader?, _ use: ProfileReading.Use, _ channels: DeviceChannels
        ) throws(ImageError) -> ProfileExtract? {
            guard case .icc(let data) = profile, let header else { return nil }
            return try ProfileExtract(
                data, header, use, channelCount: channels.count, maxTableBytes: conversion.maxProfileTableBytes)
        }
        let sourceExtract = try extract(conversion.source, sourceHeader, .source, channels)
        let intent = sourceExtract?.intent ?? .relative
        let targetExtract = try extract(conversion.target, targetHeader, .target(intent), .rgb)
        let source = try LittleCMSProfile(sourceExtract, context)
        let target = try LittleCMSProfile(targetExtract, context)
        func transform(_ format: PixelFormat, isExact: Bool) throws(ImageError) -> LittleCMSTransform {
            try LittleCMSTransform(source, channels, to: target, format: format, isExact: isExact)
        }

        let format = conversion.format
        guard channels != .cmyk else {
            return InkRows(transform: try transform(format, isExact: format != .rgba8), format: format)
        }
        if channels == .rgb, let matrix = MatrixConversion(from: source, to: target), let rows = MatrixRows8(matrix) {
            if context.isShortOfMemory { throw context.failure }
            if rows.changesNothing(isGray: false) { return UnchangedRows() }
            if format == .rgba8 { return rows }
            if format == .rgba16, conversion.target == .sRGB, let rows = MatrixRows16(matrix) { return rows }
            return TransformedRows(transform: try transform(format, isExact: true), format: format)
        }
        // Transforms that become a table need not be fast.
        let isExact = channels == .gray || format != .rgba8
        let levels = TransformedRows(transform: try transform(.rgba8, isExact: isExact), format: .rgba8)
        if levels.changesNothing(isGray: channels == .gray) { return UnchangedRows() }
        let rows = format == .rgba8 ? levels.transform : try transform(format, isExact: isExact)
        if channels == .gray, conversion.target == .sRGB, let table = GrayRows(rows, format: format) { return table }
        return TransformedRows(transform: rows, format: format)
    }

    /// Returns the header of a profile, or nil for sRGB, which has none.
    private static func header(of profile: ColorProfile) throws(ImageError) -> ProfileHeader? {
        guard case .icc(let data) = profile else { return nil }
        return try ProfileHeader(data)
    }

    /// Returns the channels of a profile's color space. Throws `badData` if the rows have another color space.
    private static func channels(
        of colorSpace: ProfileSignature, in conversion: ColorConversion
    ) throws(ImageError) -> DeviceChannels {
        switch (conversion.channels, colorSpace) {
        case (.rgba, .rgb): return .rgb
        case (.rgba, .gray) where conversion.isGray: return .gray
        case (.cmyk, .cmyk): return .cmyk
        default:
            let picture = conversion.channels == .cmyk ? "CMYK" : conversion.isGray ? "gray" : "RGB"
            throw .unusableProfile("is for \(colorSpace), but the picture is \(picture)")
        }
    }
}
#endif
