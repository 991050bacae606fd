#if JPEG
import CalotypeStandard

/// The memory that remains after many large pictures have been released and none was decoded for a while.
enum MemoryAfterBurst {
    private static let size = PixelSize(4000, 3000)
    /// The number of pictures that exist at once.
    private static let pictureCount = 16
    /// The time to wait: the library checks every five seconds, and returns memory after five seconds without a
    /// picture.
    private static let patience = Duration.seconds(12)

    static var benchmarks: [Benchmark] {
        [
            Benchmark(id: "memory/after-burst", title: "MiB kept, \(pictureCount) pictures of 12 MP gone") {
                guard ResidentMemory.byteCount != nil else {
                    return .unavailable(.notCounted, because: "this system does not report resident memory")
                }
                return try await measure()
            }
        ]
    }

    private static func measure() async throws -> Contest {
        let manager = ImageManager(plugins: [.standard], context: [.off(.imageCache)])
        let drawn = Image(pixels: try DrawnPicture.pixels(size: size, isOpaque: true))
        let file = try await manager.encode(drawn, as: .jpeg)
        // The first picture allocates memory that remains: threads and tables.
        _ = try await manager.decode(file)
        try await Task.sleep(for: patience)
        let before = ResidentMemory.byteCount ?? 0
        let most = try await burst(file, manager)
        try await Task.sleep(for: patience)
        let left = max(0, (ResidentMemory.byteCount ?? 0) - before)
        return .count(
            Double(left) / Double(1 << 20),
            text: "\((most - before) >> 20) MiB more than before while they existed, \(left >> 20) MiB afterward")
    }

    /// Holds all pictures at once. Returns the memory in use then.
    private static func burst(_ file: Data, _ manager: ImageManager) async throws -> Int {
        let images = try await withThrowingTaskGroup { group in
            for _ in 0..<pictureCount { group.addTask { try await manager.decode(file) } }
            return try await group.reduce(into: [Image]()) { $0.append($1) }
        }
        return withExtendedLifetime(images) { ResidentMemory.byteCount ?? 0 }
    }
}
#endif
