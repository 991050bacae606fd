import Calotype
import CalotypeTesting
import Testing

@Suite(.timeLimit(.minutes(15)))
struct CoderCheckTests {
    // MARK: Samples

    /// Returns a file with a pattern in which no two neighbors are equal. Red is high and blue is low, which reveals
    /// swapped channels.
    private static func sample(
        _ name: String, _ width: Int, _ height: Int, _ change: (inout FaultyFile) -> Void = { _ in }
    ) -> CoderSample {
        var file = FaultyFile(size: PixelSize(width, height))
        change(&file)
        for frame in 0..<file.frameCount {
            let size = file.size(ofFrame: frame)
            for y in 0..<size.height {
                var row = Data()
                for index in 0..<size.width * 4 {
                    let isFull = index % 4 == 3 && !file.hasAlpha
                    let pattern = (index * 2_749 + y * 6_133 + frame * 17_011) & 0xFFFF
                    let sample = isFull ? 0xFFFF : [pattern | 0x8000, pattern, pattern & 0x7FFF, pattern][index % 4]
                    if file.isDeep { row.append(UInt8(sample & 0xFF)) }
                    row.append(UInt8(sample >> 8))
                }
                file.append(row: row)
            }
        }
        return CoderSample(name, file.data)
    }

    static let samples = [
        sample("plain", 20, 12), sample("alpha", 9, 7) { $0.hasAlpha = true },
        sample("deep", 11, 8) { $0.isDeep = true },
        sample("turned", 10, 6) { file in
            file.orientation = .right
            file.profile = Data(repeating: 7, count: 40)
            file.exif = Data(repeating: 9, count: 30)
        },
        sample("animated", 16, 10) { file in
            file.loopCount = 3
            file.frames = [
                FrameInfo(duration: .milliseconds(120), region: PixelRegion(size: PixelSize(16, 10))),
                FrameInfo(duration: .milliseconds(50), region: PixelRegion(x: 3, y: 2, size: PixelSize(8, 5))),
                FrameInfo(duration: .milliseconds(90), region: PixelRegion(x: 1, y: 0, size: PixelSize(15, 10))),
            ]
        },
    ]

    // MARK: Conforming coders

    @Test func `a coder without a defect passes every check`() async {
        let findings = await checkCoder(FaultyCoder(), with: Self.samples)
        #expect(findings == [])
    }

    @Test func `the coder of raw pixels passes every check`() async {
        var alpha = RawImageCoder.Header(width: 7, height: 9)
        alpha.isOpaque = false
        var deep = RawImageCoder.Header(width: 12, height: 5)
        deep.bitsPerChannel = 16
        var turned = RawImageCoder.Header(width: 6, height: 4)
        turned.orientation = 6
        var frames = RawImageCoder.Header(width: 8, height: 5)
        frames.frameCount = 3
        let files = [
            ("plain", RawImageCoder.file(width: 10, height: 8)),
            ("alpha", RawImageCoder.file(alpha, color: Self.color)),
            ("deep", RawImageCoder.file(deep, color: Self.opaqueColor)),
            ("turned", RawImageCoder.file(turned, color: Self.opaqueColor)),
            ("frames", RawImageCoder.file(frames, color: Self.opaqueColor)),
        ]
        let findings = await checkCoder(RawImageCoder(), with: files.map { CoderSample($0.0, $0.1) })
        #expect(findings == [])
    }

    /// A coder that forwards to another one, but omits the orientation.
    private struct UprightCoder: ImageCoder {
        private let base = RawImageCoder()

        var formats: [ImageFormat] { base.formats }

        func decoder(for bytes: ImageBytes, options: DecodeOptions) throws -> (any ImageDecoder)? {
            try base.decoder(for: bytes, options: options)
        }

        func encoder(for format: ImageFormat) -> (any ImageEncoder)? {
            base.encoder(for: format).map { Encoder(base: $0) }
        }

        private struct Encoder: ImageEncoder {
            let base: any ImageEncoder

            var writesAnimations: Bool { base.writesAnimations }

            func encode(_ image: Image, options: EncodeOptions, job: Job) throws -> Data {
                var attributes = image.attributes
                attributes.orientation = .up
                let plain = Image(pixels: image.pixels, frames: image.frames, attributes: attributes)
                return try base.encode(plain, options: options, job: job)
            }
        }
    }

    @Test func `a coder for a format without orientation passes every check of writing`() async {
        let files = [
            ("plain", RawImageCoder.file(width: 10, height: 8)), ("tall", RawImageCoder.file(width: 3, height: 11)),
        ]
        let samples = files.map { CoderSample($0.0, $0.1) }
        let findings = await checkCoder(UprightCoder(), with: samples, checks: [.roundTrip])
        #expect(findings == [])
    }

    private static func color(_ x: Int, _ y: Int, _ frame: Int) -> SIMD4<UInt8> {
        SIMD4(UInt8(x * 20), UInt8(y * 20), UInt8(frame * 80), UInt8(255 - x * 9 - y * 7))
    }

    private static func opaqueColor(_ x: Int, _ y: Int, _ frame: Int) -> SIMD4<UInt8> {
        var color = color(x, y, frame)
        color[3] = 255
        return color
    }

    // MARK: Defective coders

    @Test(arguments: CoderDefect.allCases)
    func `a defect is found by the check that should`(_ defect: CoderDefect) async throws {
        let findings = await checkCoder(FaultyCoder(defect), with: Self.samples, checks: [defect.check])
        let finding = try #require(findings.first)
        #expect(finding.message.contains(defect.finding), "\(finding)")
    }

    @Test func `every check is shown to find something`() {
        #expect(Set(CoderDefect.allCases.map(\.check)) == Set(CoderCheck.allCases))
    }

    @Test func `a finding names the place, the problem and the remedy`() async throws {
        let findings = await checkCoder(FaultyCoder(.lastRowMissing), with: Self.samples, checks: [.rows])
        #expect(findings.map(\.sample) == ["plain", "alpha", "deep", "turned", "animated"])
        let finding = try #require(findings.first)
        #expect(
            finding.description
                == "rows, plain: expected 12 rows, as announced, but 11 were passed; throw `badData` if rows are missing"
        )
    }

    @Test func `missing samples are a finding`() async {
        let findings = await checkCoder(FaultyCoder(), with: [])
        #expect(findings.map(\.check) == [.sniffing])
        #expect(findings.first?.message.contains("expected files to test the coder with, but there are none") == true)
        let thumbnails = await checkCoder(FaultyCoder(), with: [], checks: [.thumbnails])
        #expect(thumbnails.map(\.check) == [.thumbnails])
        let none = await checkCoder(FaultyCoder(), with: [], checks: [])
        #expect(none == [])
    }

    @Test func `only the given checks are run`() async {
        let findings = await checkCoder(FaultyCoder(.lastRowMissing), with: Self.samples, checks: [.sniffing])
        #expect(findings == [])
        let none = await checkCoder(FaultyCoder(.claimsForeignBytes), with: Self.samples, checks: [])
        #expect(none == [])
    }

    @Test func `a sample that differs from its description is found`() async {
        var samples = Self.samples
        samples[0].format = .png
        samples[1].isAnimated = true
        samples[4].isAnimated = false
        samples.append(CoderSample("damaged", samples[0].data.prefix(10)))
        let findings = await checkCoder(FaultyCoder(), with: samples, checks: [.sniffing, .info])
        let found = findings.map { "\($0.check.rawValue) \($0.sample)" }
        #expect(found == ["sniffing plain", "sniffing damaged", "info alpha", "info animated", "info damaged"])
    }

    @Test func `a cancelled check still returns its findings`() async {
        let task = Task { await checkCoder(FaultyCoder(.lastRowMissing), with: Self.samples, checks: [.rows]) }
        task.cancel()
        let findings = await task.value
        #expect(findings.count == Self.samples.count)
    }
}
