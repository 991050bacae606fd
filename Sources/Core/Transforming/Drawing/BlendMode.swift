import CKernels

/// The way in which pixels are blended with those below them.
///
/// The modes from `normal` to `luminosity` are those of CSS and of most programs. The others are the operators of
/// Porter and Duff; in their names, the source is what is drawn, and the destination what is below. All work on encoded
/// levels, with straight alpha.
///
/// Sources: W3C, Compositing and Blending Level 1, sections 9 and 10; T. Porter and T. Duff, Compositing Digital
/// Images, 1984.
public enum BlendMode: String, Sendable, Hashable, CaseIterable, ContextValue {
    /// The source covers what is below, as far as it is opaque.
    case normal
    /// The product of both colors. Nothing gets lighter.
    case multiply
    /// The complement of the product of the complements. Nothing gets darker.
    case screen
    /// `multiply` where the color below is dark, and `screen` where it is light.
    case overlay
    /// The lesser level of each channel.
    case darken
    /// The greater level of each channel.
    case lighten
    /// The color below, lightened to reflect the source.
    case colorDodge
    /// The color below, darkened to reflect the source.
    case colorBurn
    /// `multiply` where the source is dark, and `screen` where it is light.
    case hardLight
    /// A softer form of `hardLight`.
    case softLight
    /// The difference of the levels.
    case difference
    /// A form of `difference` with less contrast.
    case exclusion
    /// The hue of the source, with the saturation and luminosity of the color below.
    case hue
    /// The saturation of the source, with the hue and luminosity of the color below.
    case saturation
    /// The hue and saturation of the source, with the luminosity of the color below.
    case color
    /// The luminosity of the source, with the hue and saturation of the color below.
    case luminosity
    /// Nothing: the result is transparent.
    case clear
    /// The source alone.
    case copy
    /// The source, where the destination is.
    case sourceIn
    /// The source, where the destination is not.
    case sourceOut
    /// The source over the destination, where the destination is.
    case sourceAtop
    /// The destination over the source.
    case destinationOver
    /// The destination, where the source is.
    case destinationIn
    /// The destination, where the source is not.
    case destinationOut
    /// The destination over the source, where the source is.
    case destinationAtop
    /// The source and the destination, each where the other is not.
    case xor
    /// The sum of the source and the destination.
    case lighter

    var kernelMode: ck_blend_mode {
        switch self {
        case .normal: CK_BLEND_NORMAL
        case .multiply: CK_BLEND_MULTIPLY
        case .screen: CK_BLEND_SCREEN
        case .overlay: CK_BLEND_OVERLAY
        case .darken: CK_BLEND_DARKEN
        case .lighten: CK_BLEND_LIGHTEN
        case .colorDodge: CK_BLEND_COLOR_DODGE
        case .colorBurn: CK_BLEND_COLOR_BURN
        case .hardLight: CK_BLEND_HARD_LIGHT
        case .softLight: CK_BLEND_SOFT_LIGHT
        case .difference: CK_BLEND_DIFFERENCE
        case .exclusion: CK_BLEND_EXCLUSION
        case .hue: CK_BLEND_HUE
        case .saturation: CK_BLEND_SATURATION
        case .color: CK_BLEND_COLOR
        case .luminosity: CK_BLEND_LUMINOSITY
        case .clear: CK_BLEND_CLEAR
        case .copy: CK_BLEND_COPY
        case .sourceIn: CK_BLEND_SOURCE_IN
        case .sourceOut: CK_BLEND_SOURCE_OUT
        case .sourceAtop: CK_BLEND_SOURCE_ATOP
        case .destinationOver: CK_BLEND_DESTINATION_OVER
        case .destinationIn: CK_BLEND_DESTINATION_IN
        case .destinationOut: CK_BLEND_DESTINATION_OUT
        case .destinationAtop: CK_BLEND_DESTINATION_ATOP
        case .xor: CK_BLEND_XOR
        case .lighter: CK_BLEND_LIGHTER
        }
    }
}
