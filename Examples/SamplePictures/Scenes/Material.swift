/// The material of a ball, which determines its surface at each position.
enum Material: Sendable {
    case glaze, marble, copper, orange, apple, cherry, pearl

    /// Returns the surface at a position of a ball. `normal` is the direction from the center of the ball to the
    /// position, of length 1.
    func surface(at place: Vector, normal: Vector, noise: Noise) -> Surface {
        switch self {
        case .glaze: glaze(normal, noise)
        case .marble: marble(normal, noise)
        case .copper: copper(normal, place, noise)
        case .orange: orange(normal, noise)
        case .apple: apple(normal, noise)
        case .cherry: cherry(normal, noise)
        case .pearl: pearl(normal)
        }
    }

    private func glaze(_ normal: Vector, _ noise: Noise) -> Surface {
        let longitude = direction(normal.z, normal.x)
        let shade: Float = 0.5 + noise.layer(10).fractal(longitude * 1.2 + 4, normal.y * 3, octaves: 5)
        var color = blend(Vector(0.015, 0.06, 0.22), Vector(0.03, 0.20, 0.42), saturate(shade))
        let crackX: Float = normal.x * 3 + normal.z * 1.7
        let crackY: Float = normal.y * 3 - normal.z * 2.1
        let crack = smoothStep(0.03, 0, abs(noise.layer(11).fractal(crackX, crackY, octaves: 5)))
        color += Vector(0.125, 0.175, 0.2) * crack
        return Surface(normal: normal, color: color, mirroring: 0.06)
    }

    private func marble(_ normal: Vector, _ noise: Noise) -> Surface {
        let x: Float = normal.x * 1.9 + normal.z * 1.1
        let y: Float = normal.y * 1.9 - normal.z * 0.9
        let warp = noise.layer(12).fractal(x * 1.4, y * 1.4, octaves: 6)
        let veinX: Float = x * 1.1 + warp * 1.6
        let veinY: Float = y * 1.1 - warp * 1.2
        let vein = abs(noise.layer(13).fractal(veinX, veinY, octaves: 6))
        var color = blend(Vector(0.30, 0.29, 0.31), Vector(0.86, 0.84, 0.80), smoothStep(0, 0.09, vein))
        let shade: Float = 0.92 + 0.12 * warp
        color *= shade
        let gold: Float = 0.6 * smoothStep(0.02, 0, abs(vein - 0.16))
        return Surface(normal: normal, color: blend(color, Vector(0.62, 0.47, 0.27), gold), mirroring: 0.05)
    }

    private func copper(_ normal: Vector, _ place: Vector, _ noise: Noise) -> Surface {
        let noise = noise.layer(14)
        let brushX = noise.value(place.x * 14, place.y * 160)
        let brushY = noise.value(place.x * 9 + 7, place.y * 9)
        let lines: Vector = Vector(brushX, brushY, 0) * Float(0.012)
        return Surface(normal: normalized(normal + lines), color: Vector(0.83, 0.515, 0.33), isMetal: true)
    }

    private func orange(_ normal: Vector, _ noise: Noise) -> Surface {
        let pores = noise.layer(15)
        let poreX = pores.value(normal.x * 34 + normal.z * 11, normal.y * 34)
        let poreY = pores.value(normal.y * 34 + 30, normal.z * 34)
        let poreZ = pores.value(normal.z * 34 + 60, normal.x * 34)
        let peel: Vector = Vector(poreX, poreY, poreZ) * Float(0.085)
        let ripeness: Float = 0.5 + noise.layer(16).fractal(normal.x * 3, normal.y * 3 + normal.z, octaves: 4)
        var color = blend(Vector(0.66, 0.16, 0.008), Vector(0.84, 0.27, 0.02), saturate(ripeness))
        if normal.y > 0 {
            let stalk = smoothStep(0.075, 0.05, hypotenuse(normal.x - 0.12, normal.z + 0.25))
            color = blend(color, Vector(0.20, 0.26, 0.06), stalk)
        }
        return Surface(normal: normalized(normal + peel), color: color, mirroring: 0.045, roughness: 0.5)
    }

    private func apple(_ normal: Vector, _ noise: Noise) -> Surface {
        let longitude = direction(normal.z, normal.x)
        let streaks: Float = 0.5 + noise.layer(17).fractal(longitude * 2, normal.y * 9, octaves: 5)
        let green = blend(Vector(0.20, 0.34, 0.03), Vector(0.50, 0.58, 0.10), saturate(streaks))
        let cheek = smoothStep(0, 0.5, noise.layer(18).fractal(longitude + 3, normal.y * 2, octaves: 4))
        return Surface(
            normal: normal, color: blend(green, Vector(0.55, 0.16, 0.05), 0.6 * cheek), mirroring: 0.05)
    }

    private func cherry(_ normal: Vector, _ noise: Noise) -> Surface {
        let shade: Float = 0.5 + noise.layer(19).fractal(normal.x * 3, normal.y * 3, octaves: 3)
        let color = blend(Vector(0.30, 0.005, 0.015), Vector(0.50, 0.02, 0.02), saturate(shade))
        return Surface(normal: normal, color: color, mirroring: 0.07)
    }

    private func pearl(_ normal: Vector) -> Surface {
        let shimmer: Float = 0.5 + 0.5 * sine(normal.y * 4 + normal.x * 3)
        let color = blend(Vector(0.70, 0.66, 0.62), Vector(0.90, 0.80, 0.78), shimmer)
        return Surface(normal: normal, color: color, mirroring: 0.06)
    }
}
