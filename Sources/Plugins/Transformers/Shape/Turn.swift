#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The cosine and the sine of an angle. Those of multiples of 90 degrees are exact.
struct Turn {
    let cosine: Double
    let sine: Double

    init(degrees: Double) {
        let quarters = (degrees / 90).rounded()
        let rest = (degrees - quarters * 90) * .pi / 180
        let (c, s) = (cos(rest), sin(rest))
        (cosine, sine) =
            switch Int(quarters) & 3 {
            case 0: (c, s)
            case 1: (-s, c)
            case 2: (-c, -s)
            default: (s, -c)
            }
    }
}
