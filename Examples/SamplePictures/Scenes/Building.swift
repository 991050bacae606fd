/// A tall house with a grid of windows, some of them lit.
struct Building: Sendable {
    private enum Roof: Int {
        case flat, stepped, pointed, mast
    }

    private enum Facade: Int {
        case windows, bands, pillars, mullions
    }

    private let left: Float
    private let right: Float
    /// The distance of the roof below the upper edge of the picture, in heights of the picture.
    private let top: Float
    private let roof: Roof
    private let facade: Facade
    /// The nearness of the house to the camera: 0 in the farthest row, 1 in the nearest.
    private let nearness: Float
    /// The noise of this house, which determines the lit windows, their size, and the color of the walls.
    private let noise: Noise

    /// Creates a row of houses across the picture. The row 0 is the farthest. Houses are tallest in the middle of the
    /// picture, and lower in nearer rows.
    static func row(_ row: Int, noise: Noise) -> [Building] {
        var buildings: [Building] = []
        let nearness: Float = Float(row) / 3
        let widening: Float = 0.62 + 0.22 * Float(row)
        let lowering: Float = 1.30 - 0.27 * Float(row)
        var left: Float = -0.42
        while left < 0.42 {
            let index = buildings.count
            let key = noise.layer(10).bits(index, row)
            let width: Float = mix(0.028, 0.062, noise.layer(10).uniform(index, row)) * widening
            let fromMiddle: Float = left - 0.02
            let center = exponential(-14 * fromMiddle * fromMiddle)
            let common: Float = 0.05 + 0.10 * noise.layer(11).uniform(index, row)
            let rare: Float = (0.10 + 0.30 * noise.layer(12).uniform(index, row)) * center
            let style = Int(noise.layer(13).bits(index, row) % 4)
            buildings.append(
                Building(
                    left: left, right: left + width, top: CityScene.shore - (common + rare) * lowering,
                    roof: Roof(rawValue: Int((key >> 5) % 4)) ?? .flat, facade: Facade(rawValue: style) ?? .windows,
                    nearness: nearness, noise: Noise(seed: key)))
            left += width * (0.86 + 0.28 * noise.layer(14).uniform(index, row))
        }
        return buildings
    }

    /// Returns the light from the house at a position of the picture; nil beside the house.
    func light(_ across: Float, _ down: Float, on canvas: Canvas) -> Vector? {
        guard across >= left, across < right else { return nil }
        let position: Float = (across - left) / (right - left)
        guard down >= edge(across, position) else { return nil }

        let air = power(nearness, 0.55)
        let brightness: Float = 0.85 + 0.30 * noise.uniform(1, 0)
        // The remaining daylight comes from the left.
        let shade: Float = brightness * mix(1.25, 0.7, smoothStep(0, 1, position))
        let wall: Vector = blend(Vector(0.42, 0.26, 0.34), Vector(0.018, 0.020, 0.040), air) * shade
        let below: Float = down - top
        if below < 0 { return wall }
        let isCorner: Bool = below < 0.0022 || position < 0.02
        let light: Vector = isCorner ? wall * Float(1.6) : windows(across - left, below, wall: wall, on: canvas)
        let haze: Float = 0.30 * (1 - nearness) * smoothStep(-0.25, 0.10, down - CityScene.shore + 0.12)
        return blend(light, Vector(0.90, 0.46, 0.33), haze)
    }

    /// Returns the distance of the upper edge of the house below that of the picture. `position` is 0 at the left edge
    /// of the house and 1 at its right edge.
    private func edge(_ across: Float, _ position: Float) -> Float {
        let fromMiddle = abs(position - 0.5)
        return switch roof {
        case .flat: top
        case .stepped: fromMiddle > 0.30 ? top + 0.02 : top
        case .pointed: top + 0.03 * fromMiddle
        case .mast: fromMiddle * (right - left) < 0.0007 ? top - 0.05 : top
        }
    }

    /// Returns the light of the walls and windows at a position of the front: `x` from the left edge of the house, and
    /// `y` below its roof.
    private func windows(_ x: Float, _ y: Float, wall: Vector, on canvas: Canvas) -> Vector {
        let width: Float = mix(0.0024, 0.0052, nearness) * (0.8 + 0.5 * noise.uniform(2, 0))
        let height: Float = width * 1.35
        let column = Int((x / width).rounded(.down))
        let row = Int((y / height).rounded(.down))
        let share: Float
        var (switchColumn, switchRow) = (column, row)
        switch facade {
        case .windows:
            share = stripes(x, width, 0.58, canvas) * stripes(y, height, 0.55, canvas)
        case .bands:
            share = stripes(y, height, 0.45, canvas)
            switchColumn = column / 5
        case .pillars:
            share = stripes(x, width, 0.40, canvas)
            switchRow = row / 7
        case .mullions:
            share = stripes(x, width * 0.5, 0.5, canvas) * stripes(y, height, 0.70, canvas)
            switchRow = row / 2
        }
        let litShare: Float = 0.18 + 0.26 * noise.uniform(4, 0)
        guard noise.layer(6).uniform(switchColumn, switchRow) >= litShare else {
            let isCold = smoothStep(0.72, 0.86, noise.layer(7).uniform(column, row))
            let lamp = blend(Vector(1.0, 0.72, 0.36), Vector(0.85, 0.90, 1.0), isCold)
            let strength: Float = 0.45 + 0.75 * noise.layer(8).uniform(column, row)
            let light: Vector = lamp * (strength * mix(0.65, 1, nearness))
            return blend(wall, light, share)
        }
        // Dark panes reflect the glow of the sky, increasingly toward the top.
        let mirroring: Float = 0.25 * smoothStep(0.3, 0, y) * (1 - nearness) + 0.06
        let brighter: Vector = wall * Float(1.7)
        let glass: Vector = brighter + Vector(0.03, 0.025, 0.035)
        return blend(wall, blend(glass, Vector(0.80, 0.40, 0.30), mirroring), share)
    }

    /// Returns the share of a pixel that windows cover, 0 to 1. Windows that are too fine to be resolved are averaged
    /// with the wall.
    /// - Parameters:
    ///   - place: The position of the pixel on the front of the house.
    ///   - period: The distance between the starts of two windows.
    ///   - part: The share of the period that a window takes.
    ///   - canvas: The area of the picture.
    private func stripes(_ place: Float, _ period: Float, _ part: Float, _ canvas: Canvas) -> Float {
        let position = fraction(place / period)
        let soft: Float = min(0.5, 0.7 * canvas.pixel / period)
        let begins: Float = smoothStep(-soft, soft, position)
        let ends: Float = 1 - smoothStep(part - soft, part + soft, position)
        return begins * ends + smoothStep(1 - soft, 1 + soft, position)
    }
}
