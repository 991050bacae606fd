/// Chooses what brings the colours of a file to sRGB, and knows the profile that the image then has.
///
/// Without a converter that knows the profile, colours and profile stay as they are; a damaged one counts as sRGB.
final class ColorStep {
    /// The profile of the pixels that come out.
    private(set) var profile: ColorProfile

    private let registry: Registry
    private let options: DecodeOptions
    private let onIssue: (ImageError) -> Void

    init(
        registry: Registry, options: DecodeOptions, source: ColorProfile, onIssue: @escaping (ImageError) -> Void
    ) {
        self.registry = registry
        self.options = options
        self.onIssue = onIssue
        profile = source
    }

    /// What converts rows of a format; nil to leave them.
    func converter(for format: PixelFormat) -> (any RowConverter)? {
        guard profile != .sRGB, !options.context[.keepsProfile] else { return nil }
        for converter in registry.colorConverters.elements {
            let conversion = ColorConversion(source: profile, target: .sRGB, format: format)
            do {
                guard let rows = try converter.rowConverter(for: conversion) else { continue }
                profile = .sRGB
                return rows
            } catch {
                onIssue(
                    .wrapping(
                        error, as: .badData, stage: .decode, component: converter.name,
                        message: "the embedded colour profile is damaged, sRGB is taken instead"))
                profile = .sRGB
                return nil
            }
        }
        return nil
    }
}
