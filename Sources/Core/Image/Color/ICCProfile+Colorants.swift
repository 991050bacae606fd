extension ICCProfile {
    /// The primaries as an ICC profile stores them: in XYZ, adapted to D50 with the Bradford matrix.
    ///
    /// All numbers are fixed-point numbers as in the file: 65,536 stands for 1.
    struct Colorants: Sendable, Hashable {
        let red: [Int32]
        let green: [Int32]
        let blue: [Int32]
        /// The nine numbers, row by row, of the matrix that adapts colors from the white of the primaries to D50.
        let adaptation: [Int32]

        /// The white point of all ICC profiles, D50, in XYZ.
        static let d50: [Int32] = [0xF6D6, 0x10000, 0xD32D]

        /// Creates colorants from chromaticities. Returns nil if the primaries or the white are invalid, or if a
        /// resulting number is not between -100 and 100.
        init?(_ primaries: Primaries) {
            let matrix = Matrix(
                a: Self.xyz(primaries.red), b: Self.xyz(primaries.green), c: Self.xyz(primaries.blue))
            guard let inverse = matrix.inverse, primaries.white.y > 0 else { return nil }
            let white = Self.xyz(primaries.white) / primaries.white.y
            // The amount of each primary in white.
            let amounts = inverse * white
            guard all(amounts .> 0), let bradford = Self.adaptation(from: white) else { return nil }
            let red = bradford * (matrix.a * amounts.x)
            let blue = bradford * (matrix.c * amounts.z)
            // No real white is so far from D50 that it needs larger numbers. Arbitrarily large ones do not fit the
            // format.
            guard [red, blue, bradford.a, bradford.b, bradford.c].allSatisfy({ all($0 .< 100) && all($0 .> -100) })
            else { return nil }

            let fixedRed = Self.fixed(red)
            let fixedBlue = Self.fixed(blue)
            self.red = fixedRed
            self.blue = fixedBlue
            // Green is the remainder of D50, so that the three colorants sum to exactly D50.
            green = (0..<3).map { Self.d50[$0] - fixedRed[$0] - fixedBlue[$0] }
            adaptation = (0..<3).flatMap { Self.fixed(SIMD3(bradford.a[$0], bradford.b[$0], bradford.c[$0])) }
        }

        /// Returns X, Y and Z for a chromaticity, scaled so that their sum is 1.
        private static func xyz(_ chromaticity: SIMD2<Double>) -> SIMD3<Double> {
            SIMD3(chromaticity.x, chromaticity.y, 1 - chromaticity.x - chromaticity.y)
        }

        /// Returns the matrix that adapts colors from `white` to D50, by scaling the responses of the three kinds of
        /// cones in the eye. Returns nil if there is no such matrix. Source: ICC.1:2022, annex E.
        private static func adaptation(from white: SIMD3<Double>) -> Matrix? {
            let cones = Matrix(
                a: [0.8951, -0.7502, 0.0389], b: [0.2664, 1.7135, -0.0685], c: [-0.1614, 0.0367, 1.0296])
            let seen = cones * white
            guard all(seen .> 0), let back = cones.inverse else { return nil }
            let ratios = (cones * (SIMD3(d50.map(Double.init)) / 65536)) / seen
            return back * Matrix(a: cones.a * ratios, b: cones.b * ratios, c: cones.c * ratios)
        }

        private static func fixed(_ vector: SIMD3<Double>) -> [Int32] {
            (0..<3).map { ICCProfile.fixed(vector[$0]) }
        }
    }
}
