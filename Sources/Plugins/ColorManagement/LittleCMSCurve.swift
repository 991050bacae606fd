#if COLOR
import CLCMS

/// A curve of Little CMS, from 0...1 to amounts that a parametric curve may put outside 0...1.
final class LittleCMSCurve {
    let pointer: OpaquePointer
    /// The profile whose context the curve belongs to.
    private let profile: LittleCMSProfile
    /// Whether this instance frees the curve; false if the profile does.
    private let isOwned: Bool

    /// Creates a reference to a curve of a profile, which it retains.
    convenience init(_ pointer: OpaquePointer, of profile: LittleCMSProfile) {
        self.init(pointer, of: profile, isOwned: false)
    }

    private init(_ pointer: OpaquePointer, of profile: LittleCMSProfile, isOwned: Bool) {
        self.pointer = pointer
        self.profile = profile
        self.isOwned = isOwned
    }

    deinit {
        if isOwned { cmsFreeToneCurve(pointer) }
    }

    /// Returns the value of the curve. Curves that are tables have a precision of 16 bits.
    func value(at place: Double) -> Double { Double(cmsEvalToneCurveFloat(pointer, Float(place))) }

    /// The curve in the other direction; nil if there is no memory.
    var inverse: LittleCMSCurve? {
        cmsReverseToneCurve(pointer).map { LittleCMSCurve($0, of: profile, isOwned: true) }
    }
}
#endif
