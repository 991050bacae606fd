import CalotypeStandard

/// Balls of fruit, stone and metal on a wooden table by a window, with soft shades, reflections and textures.
///
/// A unit of length is the radius of the largest ball. x points to the right, y up from the table, and z away from the
/// camera.
struct StillLifeScene: Scene {
    private struct Ball {
        let middle: Vector
        let radius: Float
        let material: Material

        init(_ x: Float, _ z: Float, radius: Float, _ material: Material) {
            middle = Vector(x, radius, z)
            self.radius = radius
            self.material = material
        }
    }

    private enum Thing: Equatable {
        case ball(Int)
        case table
        case wall
        case nothing
    }

    private struct Hit {
        var distance: Float = .infinity
        var thing = Thing.nothing
    }

    let canvas: Canvas
    private let noise: Noise
    private let film = Film(exposure: 1.10, vignette: 0.45, gamma: 0.62, grain: 0.012)
    private let eye = Vector(0.15, 2.35, -6.4)
    private let forward: Vector
    private let right: Vector
    private let upward: Vector
    private let window: Vector = normalized(Vector(-0.62, 0.72, -0.38))
    private let daylight = Vector(1.55, 1.44, 1.27)
    private let balls = [
        Ball(-1.05, 0.35, radius: 0.80, .glaze),
        Ball(0.42, 0.95, radius: 1.02, .marble),
        Ball(1.62, -0.05, radius: 0.62, .copper),
        Ball(0.22, -0.72, radius: 0.50, .orange),
        Ball(2.42, 0.75, radius: 0.48, .orange),
        Ball(-2.12, -0.25, radius: 0.42, .apple),
        Ball(1.02, -1.10, radius: 0.27, .cherry),
        Ball(-0.58, -1.12, radius: 0.25, .cherry),
        Ball(-0.92, -0.86, radius: 0.22, .cherry),
        Ball(-1.62, -0.98, radius: 0.30, .pearl),
    ]
    /// The position of the wall behind the table, along z.
    private static let wall: Float = 4.2

    init(size: PixelSize, noise: Noise) {
        canvas = Canvas(size)
        self.noise = noise
        forward = normalized(Vector(0.12, 0.62, 0.15) - eye)
        right = normalized(Vector(forward.z, 0, -forward.x))
        upward = cross(forward, right)
    }

    func color(x: Int, y: Int) -> SIMD4<Float> {
        let (left, top) = (Float(x), Float(y))
        let thing = cast(from: eye, along: ray(left, top)).thing
        // Nine rays if a corner of the pixel shows another object than its center; otherwise one suffices.
        var isEdge = false
        for corner in 0..<4 where !isEdge {
            let cornerX: Float = left + Float(corner & 1) - 0.5
            let cornerY: Float = top + Float(corner >> 1) - 0.5
            isEdge = cast(from: eye, along: ray(cornerX, cornerY)).thing != thing
        }
        let count = isEdge ? 3 : 1
        var sum = Vector()
        for index in 0..<count * count {
            let offsetX: Float = (Float(index % count) + 0.5) / Float(count) - 0.5
            let offsetY: Float = (Float(index / count) + 0.5) / Float(count) - 0.5
            let direction = ray(left + offsetX, top + offsetY)
            let light = self.light(from: eye, along: direction, cast(from: eye, along: direction), depth: 2)
            // A window in a mirror is so bright that one ray of it would outshine the eight others.
            sum += light.clamped(lowerBound: Vector(), upperBound: Vector(repeating: 4))
        }
        let mean: Vector = sum / Float(count * count)
        return film.developed(mean, x: x, y: y, on: canvas, noise: noise)
    }

    // MARK: Rays

    /// Returns the direction of view through a position of the picture. The position is in pixels; integers are the
    /// centers of pixels.
    private func ray(_ x: Float, _ y: Float) -> Vector {
        let across: Float = canvas.across(x) * 0.72
        let up: Float = (0.5 - canvas.down(y)) * 0.72
        let sideways: Vector = right * across
        let rising: Vector = upward * up
        return normalized(forward + sideways + rising)
    }

    /// Returns the first object that a ray hits, and the distance to the hit.
    private func cast(from origin: Vector, along ray: Vector) -> Hit {
        var nearest = Hit()
        for index in balls.indices {
            let approach = Approach(of: balls[index], from: origin, along: ray)
            guard approach.depth > 0 else { continue }
            let distance: Float = approach.closest - approach.depth.squareRoot()
            if distance > 0.001, distance < nearest.distance { nearest = Hit(distance: distance, thing: .ball(index)) }
        }
        if ray.y < -0.0001 {
            let distance: Float = -origin.y / ray.y
            let isBeforeWall: Bool = origin.z + ray.z * distance < Self.wall
            if distance > 0.001, distance < nearest.distance, isBeforeWall {
                nearest = Hit(distance: distance, thing: .table)
            }
        }
        if ray.z > 0.0001 {
            let distance: Float = (Self.wall - origin.z) / ray.z
            if distance > 0.001, distance < nearest.distance { nearest = Hit(distance: distance, thing: .wall) }
        }
        return nearest
    }

    /// The closest approach of a ray to a ball.
    private struct Approach {
        /// The distance along the ray to the point closest to the ball's center.
        let closest: Float
        /// The square of half the length of the path through the ball; negative if the ray misses the ball.
        let depth: Float

        init(of ball: Ball, from origin: Vector, along ray: Vector) {
            let offset: Vector = origin - ball.middle
            closest = -dot(offset, ray)
            depth = closest * closest - dot(offset, offset) + ball.radius * ball.radius
        }
    }

    // MARK: Light

    /// Returns the light that arrives along a ray from the object that the ray hits.
    /// - Parameters:
    ///   - origin: The start of the ray.
    ///   - ray: The direction of the ray.
    ///   - hit: The object.
    ///   - depth: The number of reflections to follow.
    private func light(from origin: Vector, along ray: Vector, _ hit: Hit, depth: Int) -> Vector {
        let place: Vector = origin + ray * hit.distance
        let surface: Surface
        var itself = -1
        switch hit.thing {
        case .wall: return wallLight(place)
        case .nothing: return room(ray)
        case .table: surface = table(place)
        case .ball(let index):
            let ball = balls[index]
            itself = index
            let normal: Vector = (place - ball.middle) / ball.radius
            surface = ball.material.surface(at: place, normal: normal, noise: noise)
        }
        var light = Vector()
        if !surface.isMetal { light = scattered(by: surface, at: place, of: itself) }
        guard depth > 0 else { return light }

        let against: Float = dot(ray, surface.normal)
        let turned: Vector = surface.normal * (2 * against)
        var mirrored: Vector = ray - turned
        if itself < 0 { mirrored.y = max(mirrored.y, 0.02) }
        // A little outside, or the ray would hit the surface where it starts.
        let start: Vector = place + surface.normal * Float(0.002)
        let next = cast(from: start, along: mirrored)
        var image: Vector
        switch next.thing {
        case .ball, .table: image = self.light(from: start, along: mirrored, next, depth: depth - 1)
        case .wall where itself < 0:
            let reached: Vector = start + mirrored * next.distance
            image = wallLight(reached)
        case .wall, .nothing: image = room(mirrored)
        }
        if surface.isMetal { return image * surface.color }

        // Reflection increases at grazing angles, by Christophe Schlick's approximation.
        let grazing: Float = power(1 - saturate(-against), 5)
        var share: Float = mix(surface.mirroring, 1, grazing)
        if itself < 0 {
            share *= 0.55 * (1 - surface.roughness * 0.6)
        } else if surface.roughness > 0 {
            let shine: Float = 0.9 * power(saturate(dot(mirrored, window)), 18)
            let blurred: Vector = Vector(repeating: 0.3) + daylight * shine
            image = blend(image, blurred, 0.8)
        }
        return blend(light, image, share)
    }

    /// Returns the light that a surface scatters: light from the window, from the room, and from the table below.
    private func scattered(by surface: Surface, at place: Vector, of itself: Int) -> Vector {
        let facing: Float = max(0, dot(surface.normal, window))
        let direct: Float = facing > 0 ? facing * unshaded(place, except: itself) : 0
        let upward: Float = 0.6 + 0.4 * surface.normal.y
        let downward: Float = saturate(0.5 - 0.5 * surface.normal.y)
        let fromRoom: Vector = Vector(0.20, 0.23, 0.30) * upward
        let fromTable: Vector = Vector(0.16, 0.08, 0.04) * downward
        let around: Vector = fromRoom + fromTable
        let ambient: Vector = around * openness(place, surface.normal, except: itself)
        let arriving: Vector = daylight * direct + ambient
        let light: Vector = surface.color * arriving
        guard itself < 0 else { return light }
        let fromLeft: Float = place.x + 1
        let falloff: Float = 1 + 0.035 * (fromLeft * fromLeft + place.z * place.z)
        return light / falloff
    }

    /// Returns the share of the window that is visible from a position and not hidden by balls, 0...1. The window is
    /// large, so shadows have soft edges.
    private func unshaded(_ place: Vector, except itself: Int) -> Float {
        var share: Float = 1
        for index in balls.indices where index != itself {
            let ball = balls[index]
            let approach = Approach(of: ball, from: place, along: window)
            let distance: Float = approach.closest - max(approach.depth, 0).squareRoot()
            guard distance > 0 else { continue }
            let fromMiddle: Float = max(0, ball.radius * ball.radius - approach.depth).squareRoot()
            let passing: Float = (fromMiddle - ball.radius) / distance
            share *= smoothStep(0, 1, 0.5 + 3.2 * passing)
        }
        return share
    }

    /// Returns the share of the room that is visible from a position and not hidden by balls or the table, 0...1.
    private func openness(_ place: Vector, _ normal: Vector, except itself: Int) -> Float {
        var share: Float = 1
        for index in balls.indices where index != itself {
            let offset: Vector = balls[index].middle - place
            let square = dot(offset, offset)
            let facing: Float = dot(normal, offset) / square.squareRoot()
            let size: Float = balls[index].radius * balls[index].radius / square
            let hidden: Float = 0.85 * saturate(0.5 + 0.5 * facing) * saturate(size)
            share *= 1 - hidden
        }
        guard itself >= 0 else { return share }
        let up: Float = place.y / (1.2 * balls[itself].radius)
        return share * mix(0.55, 1, saturate(up))
    }

    // MARK: Surroundings

    private func wallLight(_ place: Vector) -> Vector {
        let fromSpot = hypotenuse(place.x + 1.6, place.y - 2.4)
        let plaster: Float = 1 + 0.16 * noise.layer(5).fractal(place.x * 2.2, place.y * 2.2, octaves: 6)
        let spot: Vector = Vector(0.22, 0.20, 0.17) * exponential(-0.10 * fromSpot * fromSpot)
        let light: Vector = Vector(0.030, 0.036, 0.040) + spot
        return light * plaster
    }

    /// Returns the light of the room behind the camera in a direction: dark walls and a window of four panes. It is
    /// visible in reflections.
    private func room(_ ray: Vector) -> Vector {
        let wall = blend(Vector(0.05, 0.045, 0.045), Vector(0.16, 0.17, 0.20), saturate(0.5 + 0.5 * ray.y))
        guard ray.z < 0.35 else { return wall }
        let across = abs(ray.x + 0.58)
        let up: Float = ray.y - 0.62
        let frame: Float = smoothStep(0.30, 0.285, across) * smoothStep(0.34, 0.325, abs(up))
        let bars: Float = smoothStep(0.012, 0.022, across) * smoothStep(0.012, 0.022, abs(up + 0.05))
        let panes: Vector = Vector(2.6, 2.7, 2.9) * (frame * bars)
        return wall + panes
    }

    /// Returns the surface of the table at a position: wooden planks with rings, and with fibers along x.
    private func table(_ place: Vector) -> Surface {
        let planks: Float = place.z * 0.62 + 0.3
        let plank = Int(planks.rounded(.down))
        let number = Float(plank)
        let along: Float = place.x + 9 * noise.uniform(plank, 3)
        let warp = noise.layer(1).fractal(along * 0.35, place.z * 1.4 + number * 5, octaves: 4)
        let rings: Float = place.z * 7 + warp * 9 + number * 3
        let fibre = noise.layer(2).fractal(along * 1.6, place.z * 60, octaves: 4)
        let grain: Float = 0.5 + 0.28 * sine(rings * 3.1) + 0.75 * fibre
        var color = blend(Vector(0.20, 0.095, 0.045), Vector(0.42, 0.235, 0.12), saturate(grain))
        let gap = smoothStep(0.488, 0.497, abs(fraction(planks) - 0.5))
        let shade: Float = (0.85 + 0.3 * noise.uniform(plank, 9)) * mix(1, 0.25, gap)
        color *= shade
        let bumps = noise.layer(3)
        let bumpX: Float = 0.02 * bumps.value(place.x * 5, place.z * 55)
        let bumpZ: Float = 0.02 * bumps.value(place.x * 5 + 50, place.z * 55)
        return Surface(
            normal: normalized(Vector(bumpX, 1, bumpZ)), color: color, mirroring: 0.035,
            roughness: 0.3 + 0.3 * fibre)
    }
}
