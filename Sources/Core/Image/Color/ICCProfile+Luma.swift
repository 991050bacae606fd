extension ICCProfile.Primaries {
    /// The contributions of red and blue to the luminance of white, as fractions from 0 to 1. Source: ITU-T H.273
    /// (07/2021), equations 38 to 42.
    package var luma: (red: Double, blue: Double) {
        func xyz(_ point: SIMD2<Double>) -> SIMD3<Double> { SIMD3(point.x, point.y, 1 - point.x - point.y) }
        func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
            SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
        }
        let (red, green, blue) = (xyz(self.red), xyz(self.green), xyz(self.blue))
        let white = xyz(self.white)
        let whole = white.y * (red * cross(green, blue)).sum()
        return (
            red.y * (white * cross(green, blue)).sum() / whole, blue.y * (white * cross(red, green)).sum() / whole
        )
    }
}
