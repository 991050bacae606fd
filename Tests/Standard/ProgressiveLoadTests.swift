#if HTTP && JPEG
import CalotypeStandard
import CalotypeTesting
import Foundation
import Testing

/// A progressive JPEG that is loaded over HTTP scan by scan.
@Suite(.timeLimit(.minutes(5)))
struct ProgressiveLoadTests {
    private let server: ScriptedServer
    private let manager = ImageManager(
        plugins: [.standard], context: [.off(.imageCache), .previewInterval(.zero), .lowSpeedTime(.seconds(300))])

    init() throws { server = try ScriptedServer() }

    /// Returns a progressive JPEG of a picture with soft and sharp parts.
    private func file() async throws -> Data {
        var builder = try PixelBufferBuilder(layout: PixelLayout(size: PixelSize(256, 192)))
        for y in 0..<192 {
            builder.withRow(y) { (row: inout MutableRawSpan) -> Void in
                for x in 0..<256 {
                    let isEdge = (x / 16 + y / 16).isMultiple(of: 3)
                    let color = [UInt8(x), UInt8(y), UInt8(isEdge ? 255 : (x ^ y) & 127), 255]
                    for (index, byte) in color.enumerated() {
                        row.storeBytes(of: byte, toByteOffset: x * 4 + index, as: UInt8.self)
                    }
                }
            }
        }
        let image = Image(pixels: builder.finish(isOpaque: true))
        return try await manager.encode(image, as: .jpeg, context: [.jpegProgressive])
    }

    /// Returns the start of each scan's data. A scan can be shown when the next one has begun.
    private func scans(of file: Data) -> [Int] {
        file.indices.dropLast(3).filter { file[$0] == 0xFF && file[$0 + 1] == 0xDA }
            .map { $0 + 2 + Int(file[$0 + 2]) << 8 + Int(file[$0 + 3]) }
    }

    /// Returns the mean difference of two pictures of equal size, in levels.
    private func difference(_ one: Image, _ other: Image) -> Double {
        let bytes = [one, other].map { image in
            (0..<image.height).flatMap { y in image.pixels.withRow(y) { row in row.withUnsafeBytes { Array($0) } } }
        }
        let sum = zip(bytes[0], bytes[1]).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        return Double(sum) / Double(bytes[0].count)
    }

    @Test func `previews improve with each scan, for each requester at its own size`() async throws {
        let file = try await file()
        let ends = scans(of: file).dropFirst().map { $0 }
        try #require(ends.count >= 3)
        let gates = ends.map { _ in BlockingGate() }
        var response = ScriptedResponse.bytes(file, contentType: "image/jpeg")
        for (end, gate) in zip(ends, gates).reversed() { response = response.stalled(after: end, at: gate) }
        server.answer("/picture.jpeg", with: response)

        let url = server.url("/picture.jpeg")
        let sizes = [PixelSize(256, 192), PixelSize(64, 48)]
        let seen = Lock<[[Image]]>([[], []])
        let tasks = sizes.map { size in
            manager.load(
                ImageRequest(url, context: [.progressiveLoad, .thumbnailPixelSize(size.width, size.height)]))
        }
        let images = try await withThrowingTaskGroup { group in
            for (index, task) in tasks.enumerated() {
                group.addTask {
                    for try await event in task {
                        switch event {
                        case .preview(let image, .partial):
                            // The next scan is sent when both requests have received this one.
                            let count = seen.withLock { seen -> Int in
                                seen[index].append(image)
                                return seen.map(\.count).min() ?? 0
                            }
                            for gate in gates.prefix(count) { gate.open() }
                        case .finished(let response): return (index, response.image)
                        default: break
                        }
                    }
                    throw CancellationError()
                }
            }
            var images: [Int: Image] = [:]
            for try await (index, image) in group { images[index] = image }
            return images
        }
        #expect(server.requestCount == 1)
        for (index, size) in sizes.enumerated() {
            let whole = try #require(images[index])
            let previews = seen.withLock { $0[index] }
            #expect(whole.size == size)
            #expect(previews.count >= ends.count)
            #expect(previews.allSatisfy { $0.size == size })
            let differences = previews.map { difference($0, whole) }
            #expect(differences.last ?? 255 < (differences.first ?? 0) / 10)
            // At a small size, chroma without detail can be less accurate than none.
            guard size == sizes.first else { continue }
            for (earlier, later) in zip(differences, differences.dropFirst()) { #expect(later <= earlier) }
        }
    }
}
#endif
