#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A position, a direction, or light as red, green and blue (1 is white, larger values are brighter than white).
typealias Vector = SIMD3<Float>

func sine(_ angle: Float) -> Float { sinf(angle) }
func cosine(_ angle: Float) -> Float { cosf(angle) }
func exponential(_ exponent: Float) -> Float { expf(exponent) }
func logarithm(_ value: Float) -> Float { logf(value) }
func power(_ base: Float, _ exponent: Float) -> Float { powf(base, exponent) }

/// Returns the angle of a direction in the plane, -pi...pi; 0 is along x.
func direction(_ y: Float, _ x: Float) -> Float { atan2f(y, x) }

/// Returns `value` limited to two bounds.
func clamp(_ value: Float, _ low: Float, _ high: Float) -> Float {
    value > low ? (value < high ? value : high) : low
}

/// Returns `value` limited to 0...1.
func saturate(_ value: Float) -> Float { clamp(value, 0, 1) }

/// Returns 0 before `start`, 1 after `end`, and a smooth transition between them. `start` may be larger than `end`.
func smoothStep(_ start: Float, _ end: Float, _ value: Float) -> Float {
    let position = saturate((value - start) / (end - start))
    return position * position * (3 - 2 * position)
}

/// Interpolates from `one` (share 0) to `other` (share 1).
func mix(_ one: Float, _ other: Float, _ share: Float) -> Float { one + (other - one) * share }

/// Interpolates from `one` (share 0) to `other` (share 1).
func blend(_ one: Vector, _ other: Vector, _ share: Float) -> Vector {
    let difference: Vector = other - one
    return one + difference * share
}

func dot(_ one: Vector, _ other: Vector) -> Float {
    one.x * other.x + one.y * other.y + one.z * other.z
}

func cross(_ one: Vector, _ other: Vector) -> Vector {
    let x: Float = one.y * other.z - one.z * other.y
    let y: Float = one.z * other.x - one.x * other.z
    let z: Float = one.x * other.y - one.y * other.x
    return Vector(x, y, z)
}

func normalized(_ vector: Vector) -> Vector {
    let length = dot(vector, vector).squareRoot()
    return vector / length
}

/// Returns the distance of a position in the plane from the origin.
func hypotenuse(_ x: Float, _ y: Float) -> Float { (x * x + y * y).squareRoot() }

/// Returns the difference of `value` and the next lower integer, 0..<1.
func fraction(_ value: Float) -> Float { value - value.rounded(.down) }
