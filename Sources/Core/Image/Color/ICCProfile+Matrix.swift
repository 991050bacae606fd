extension ICCProfile {
    /// A matrix of three columns with three numbers each.
    struct Matrix {
        let a: SIMD3<Double>
        let b: SIMD3<Double>
        let c: SIMD3<Double>

        /// The inverse matrix. Nil if the columns lie in a plane or almost do, within the precision of chromaticities.
        var inverse: Matrix? {
            let rows = [Self.cross(b, c), Self.cross(c, a), Self.cross(a, b)]
            let determinant = (a * rows[0]).sum()
            guard abs(determinant) > 1e-4 else { return nil }
            let columns = (0..<3).map { SIMD3(rows[0][$0], rows[1][$0], rows[2][$0]) / determinant }
            return Matrix(a: columns[0], b: columns[1], c: columns[2])
        }

        static func * (matrix: Matrix, vector: SIMD3<Double>) -> SIMD3<Double> {
            matrix.a * vector.x + matrix.b * vector.y + matrix.c * vector.z
        }

        static func * (matrix: Matrix, other: Matrix) -> Matrix {
            Matrix(a: matrix * other.a, b: matrix * other.b, c: matrix * other.c)
        }

        private static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
            let first = SIMD3(a.y, a.z, a.x) * SIMD3(b.z, b.x, b.y)
            return first - SIMD3(a.z, a.x, a.y) * SIMD3(b.y, b.z, b.x)
        }
    }
}
