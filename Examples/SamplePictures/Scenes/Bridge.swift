/// A suspension bridge. It is drawn with lines whose widths range from less than a pixel to several pixels.
///
/// Lengths are in heights of the picture.
struct Bridge: Sendable {
    let canvas: Canvas

    private static let deck: Float = CityScene.shore - 0.030
    private static let towers: [Float] = [-0.215, 0.235]
    private static let steel = Vector(0.46, 0.20, 0.17)

    /// Returns the light at a position of the picture, where the bridge may hide the background.
    /// - Parameters:
    ///   - light: The light of the background.
    ///   - across: The distance to the right of the middle of the picture.
    ///   - down: The distance below the upper edge of the picture.
    func drawn(over light: Vector, _ across: Float, _ down: Float) -> Vector {
        guard down > CityScene.shore - 0.16 else { return light }
        let cable = cableHeight(across)
        var cover: Float = max(roadwayCover(across, down), towerCover(across, down))
        // The vertical distance is divided by the steepness, or the cable would look thicker where it is steep.
        let steepness = hypotenuse(1, 4.5 * (across - 0.010))
        cover = max(cover, canvas.line((down - cable) / steepness, half: 0.0009))
        if down > cable, down < Self.deck {
            let spacing: Float = 0.0070
            let offset: Float = (fraction(across / spacing) - 0.5) * spacing
            cover = max(cover, canvas.line(offset, half: 0.00028))
        }
        return blend(light, Self.steel, cover) + lamps(across, down)
    }

    /// Returns the distance of the cable below the upper edge of the picture. The cable forms a parabola between the
    /// towers, and another parabola from each tower to the shore.
    private func cableHeight(_ across: Float) -> Float {
        let position: Float = (across - 0.010) / 0.225
        guard abs(position) > 1 else { return Self.deck - 0.006 - 0.117 * position * position }
        let remaining: Float = max(0, 1 - (abs(position) - 1) / 0.75)
        return Self.deck - 0.123 * remaining * remaining
    }

    /// Returns how much of a position the roadway covers, 0 to 1. The roadway is two beams with zigzag struts between
    /// them.
    private func roadwayCover(_ across: Float, _ down: Float) -> Float {
        let below: Float = down - Self.deck
        let height: Float = 0.0065
        var cover: Float = max(canvas.line(below, half: 0.0022), canvas.line(below - height, half: 0.0009))
        if below > 0, below < height {
            let panel: Float = across / height
            let place: Float = fraction(panel) * height
            let isEven = Int(panel.rounded(.down)).isMultiple(of: 2)
            let strut: Float = isEven ? height - place : place
            cover = max(cover, canvas.line(strut - below, half: 0.0005))
        }
        return cover
    }

    /// Returns how much of a position the towers cover, 0 to 1. A tower has two legs with crossed braces.
    private func towerCover(_ across: Float, _ down: Float) -> Float {
        guard down > CityScene.shore - 0.155, down < CityScene.shore + 0.004 else { return 0 }
        var cover: Float = 0
        for tower in Self.towers {
            let place: Float = across - tower
            let half: Float = 0.006
            guard abs(place) < 0.01 else { continue }
            cover = max(cover, canvas.line(abs(place) - half, half: 0.0016))
            guard abs(place) < half else { continue }
            let height: Float = 0.024
            let position = fraction((CityScene.shore - down) / height)
            let diagonal: Float = 2 * half * (position - 0.5)
            cover = max(cover, canvas.line((position - 0.04) * height, half: 0.0008))
            cover = max(cover, canvas.line(place - diagonal, half: 0.0005))
            cover = max(cover, canvas.line(place + diagonal, half: 0.0005))
        }
        return cover
    }

    /// Returns the light that the lamps along the roadway add at a position.
    private func lamps(_ across: Float, _ down: Float) -> Vector {
        let spacing: Float = 0.0210
        let offset: Float = (fraction(across / spacing) - 0.5) * spacing
        let distance = hypotenuse(offset, down - Self.deck + 0.0062)
        let glow: Float = 0.9 * smoothStep(0.0016, 0.0008, distance) + 0.28 * exponential(-420 * distance)
        return Vector(1.0, 0.75, 0.40) * glow
    }
}
