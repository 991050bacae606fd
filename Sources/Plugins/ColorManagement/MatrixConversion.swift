#if COLOR
import CLCMS
import Calotype

/// A conversion between two profiles that consist of curves and a matrix each: the color spaces of cameras, phones and
/// displays. Source: ICC.1:2022, annex F.3.
///
/// Such a conversion can be tabulated, and then takes a fraction of the time that a transform of Little CMS takes. The
/// black of both profiles is without any light, so that the darkest color needs no adaptation.
struct MatrixConversion {
    /// For red, green and blue, the curve from the levels of the source to light, both 0...1.
    let light: [LittleCMSCurve]
    /// For red, green and blue of the target, its amount of light per unit of the source's red, green and blue.
    let matrix: [[Double]]
    /// For red, green and blue, the curve from light to the levels of the target, both 0...1.
    let levels: [LittleCMSCurve]

    /// The tags with the colors of a matrix profile, and the tags with its curves.
    private static let colorants = [cmsSigRedColorantTag, cmsSigGreenColorantTag, cmsSigBlueColorantTag]
    private static let curves = [cmsSigRedTRCTag, cmsSigGreenTRCTag, cmsSigBlueTRCTag]
    /// The tags with tables, which take precedence over a matrix or affect the darkest color.
    private static let tables = [cmsSigAToB0Tag, cmsSigAToB1Tag, cmsSigBToA0Tag, cmsSigBToA1Tag]

    /// The maximum light of a target's full level. Parameters of curves are rounded, so that it may exceed 1 slightly.
    private static let maxLight = 1.0001

    /// Creates a conversion. Returns nil if a profile has tables, if its black emits light, or if it is damaged, and if
    /// a level of the target is brighter than 1, at which light is clipped.
    init?(from source: LittleCMSProfile, to target: LittleCMSProfile) {
        guard let light = Self.curves(of: source), let toLight = Self.curves(of: target),
            var fromSource = Self.matrix(of: source), var toTarget = Self.matrix(of: target),
            (light + toLight).allSatisfy({ $0.value(at: 0) == 0 }),
            toLight.allSatisfy({ $0.value(at: 1) <= Self.maxLight })
        else { return nil }
        var fromTarget = cmsMAT3()
        var product = cmsMAT3()
        guard _cmsMAT3inverse(&toTarget, &fromTarget) != 0 else { return nil }
        _cmsMAT3per(&product, &fromTarget, &fromSource)
        // Curves that are the same object have the same inverse.
        var inverses: [OpaquePointer: LittleCMSCurve] = [:]
        var levels: [LittleCMSCurve] = []
        for curve in toLight {
            guard let inverse = inverses[curve.pointer] ?? curve.inverse else { return nil }
            inverses[curve.pointer] = inverse
            levels.append(inverse)
        }
        self.light = light
        self.levels = levels
        matrix = [product.v.0, product.v.1, product.v.2].map { [$0.n.0, $0.n.1, $0.n.2] }
    }

    private static func curves(of profile: LittleCMSProfile) -> [LittleCMSCurve]? {
        guard !tables.contains(where: { cmsIsTag(profile.handle, $0) != 0 }) else { return nil }
        let curves = curves.compactMap { tag in
            cmsReadTag(profile.handle, tag).map { LittleCMSCurve(OpaquePointer($0), of: profile) }
        }
        return curves.count == 3 ? curves : nil
    }

    /// Returns the matrix from the light of a profile's channels to X, Y and Z.
    private static func matrix(of profile: LittleCMSProfile) -> cmsMAT3? {
        let columns = colorants.compactMap { tag in
            cmsReadTag(profile.handle, tag)?.assumingMemoryBound(to: cmsCIEXYZ.self).pointee
        }
        guard columns.count == 3 else { return nil }
        func row(_ part: KeyPath<cmsCIEXYZ, Double>) -> cmsVEC3 {
            cmsVEC3(n: (columns[0][keyPath: part], columns[1][keyPath: part], columns[2][keyPath: part]))
        }
        return cmsMAT3(v: (row(\.X), row(\.Y), row(\.Z)))
    }
}
#endif
