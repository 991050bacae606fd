/// A step of decoding that chooses the converter from the colors of a file to sRGB. It also determines the profile of
/// the decoded image.
///
/// If no converter knows the profile, colors and profile stay as they are. A damaged profile counts as sRGB. Inks are
/// always converted to sRGB, because the pixels of an image are red, green and blue. If no converter knows the profile
/// of the inks, a formula converts them.
final class ColorStep {
    /// The profile of the converted pixels.
    private(set) var profile: ColorProfile

    private let converters: [any ColorConverter]
    private let options: DecodeOptions
    private let onIssue: (ImageError) -> Void

    init(
        converters: [any ColorConverter], options: DecodeOptions, source: ColorProfile,
        onIssue: @escaping (ImageError) -> Void
    ) {
        self.converters = converters
        self.options = options
        self.onIssue = onIssue
        profile = source
    }

    /// Returns a converter for rows of a layout. Returns nil if the rows stay unchanged, which never happens for inks.
    /// Throws errors of a converter that are not about the profile, such as `outOfMemory`.
    func converter(for layout: PixelLayout, channels: RowChannels) throws(ImageError) -> (any RowConverter)? {
        if channels == .rgba, options.context[.keepsProfile] { return nil }
        if let converter = try profileConverter(for: layout, channels: channels) { return converter }
        return channels == .cmyk ? profilelessConverter(for: layout) : nil
    }

    /// Returns a registered converter for the profile. Returns nil if the profile is sRGB already, if it is damaged, or
    /// if no converter knows it.
    private func profileConverter(
        for layout: PixelLayout, channels: RowChannels
    ) throws(ImageError) -> (any RowConverter)? {
        guard profile != .sRGB else { return nil }
        let conversion = ColorConversion(
            source: profile, target: .sRGB, format: layout.format, channels: channels,
            isGray: layout.isGray && profile.isForGray == true,
            maxProfileTableBytes: options.context[.maxProfileTableBytes])
        for converter in converters {
            do {
                guard let rows = try converter.rowConverter(for: conversion) else { continue }
                profile = .sRGB
                return rows
            } catch {
                let issue = ImageError.wrapping(
                    error, as: .badData, stage: .decode, component: converter.name,
                    message: "the embedded color profile cannot be used; sRGB is used instead",
                    advice: "embed a valid profile in the file")
                guard issue.code == .badData else { throw issue }
                onIssue(issue)
                profile = .sRGB
                return nil
            }
        }
        return nil
    }

    private func profilelessConverter(for layout: PixelLayout) -> any RowConverter {
        if profile != .sRGB {
            onIssue(
                ImageError(
                    .noColorConverter, stage: .decode,
                    message: "the CMYK color profile was not applied: no registered color converter supports it",
                    advice: "install a plugin with a color converter"))
            profile = .sRGB
        }
        return NaiveCMYK(format: layout.format)
    }
}
