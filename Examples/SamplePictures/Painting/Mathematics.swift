#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A position, a direction, or light as red, green and blue. In light, 1 is white, and larger values are brighter than
/// white.
typealias Vector = SIMD3<Float>

func sine(_ angle: Float) -> Float { sinf(angle) }
func cosine(_ angle: Float) -> Float { cosf(angle) }
func exponential(_ exponent: Float) -> Float { expf(exponent) }
func logarithm(_ value: Float) -> Float { logf(value) }
func power(_ base: Float, _ exponent: Float) -> Float { powf(base, exponent) }

/// Returns the angle between a direction in the plane and the x axis in radians, -pi...pi.
func direction(_ y: Float, _ x: Float) -> Float { atan2f(y, x) }

/// Returns `value`, limited to the range from `low` to `high`.
func clamp(_ value: Float, _ low: Float, _ high: Float) -> Float {
    value > low ? (value < high ? value : high) : low
}

/// Returns `value`, limited to the range from 0 to 1.
func saturate(_ value: Float) -> Float { clamp(value, 0, 1) }

/// Returns 0 at `start` and 1 at `end`, with a smooth transition between them and constant values outside. `start` may
/// be larger than `end`.
func smoothStep(_ start: Float, _ end: Float, _ value: Float) -> Float {
    let position = saturate((value - start) / (end - start))
    return position * position * (3 - 2 * position)
}

/// Returns a number between `one` and `other`: `one` if the share is 0, `other` if it is 1.
func mix(_ one: Float, _ other: Float, _ share: Float) -> Float { one + (other - one) * share }

/// Returns a vector between `one` and `other`: `one` if the share is 0, `other` if it is 1.
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

/// Returns the distance of the position (x, y) from the origin.
func hypotenuse(_ x: Float, _ y: Float) -> Float { (x * x + y * y).squareRoot() }

/// Returns the fractional part of `value`: its distance from the next lower integer, 0..<1.
func fraction(_ value: Float) -> Float { value - value.rounded(.down) }
