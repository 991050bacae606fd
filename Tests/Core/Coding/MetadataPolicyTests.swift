import Testing

@testable import Calotype

/// The metadata that is written.
@Suite(.timeLimit(.minutes(5)))
struct MetadataPolicyTests {
    private static let packet = Data(
        """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF><rdf:Description tiff:Orientation="6" tiff:Make="Maker">
        <tiff:Orientation>6</tiff:Orientation></rdf:Description></rdf:RDF></x:xmpmeta>
        """.utf8)

    private func image(orientation: Orientation, metadata: ImageMetadata = Self.full) throws -> Image {
        let pixels = try PixelBuffer.noise(PixelSize(4, 3), seed: 1)
        return Image(pixels: pixels, attributes: Image.Attributes(orientation: orientation, metadata: metadata))
    }

    private static let full = ImageMetadata(exif: EXIFWritingTests.block, xmp: packet)

    private func orientation(of metadata: ImageMetadata) -> Orientation? {
        metadata.exif.map { EXIF.orientation(of: $0.bytes) }
    }

    @Test(arguments: MetadataPolicy.allCases, Orientation.allCases)
    func `written metadata has the orientation of the pixels, whatever the file said`(
        _ policy: MetadataPolicy, _ orientation: Orientation
    ) throws {
        for known in [Self.full, ImageMetadata(), ImageMetadata(exif: Data("damaged".utf8))] {
            let made = policy.metadata(for: try image(orientation: orientation, metadata: known))
            #expect((self.orientation(of: made) ?? .up) == orientation)
        }
    }

    @Test func `upright pixels need no block`() throws {
        let image = try image(orientation: .up)
        #expect(MetadataPolicy.strip.metadata(for: image).isEmpty)
        #expect(MetadataPolicy.profile.metadata(for: image).isEmpty)
        let bare = try self.image(orientation: .up, metadata: ImageMetadata())
        for policy in MetadataPolicy.allCases { #expect(policy.metadata(for: bare).isEmpty) }
    }

    @Test(arguments: [MetadataPolicy.strip, .profile])
    func `pixels that are not upright need the smallest EXIF block`(_ policy: MetadataPolicy) throws {
        let expected = ImageMetadata(exif: EXIF.block(for: .left))
        #expect(policy.metadata(for: try image(orientation: .left)) == expected)
    }

    @Test func `only the strip policy leaves out the profile`() {
        let profile: (MetadataPolicy) -> Bool = { EncodeOptions(ResolvedContext([.metadataPolicy($0)])).embedsProfile }
        #expect(MetadataPolicy.allCases.filter(profile) == [.profile, .rights, .all])
        #expect(EncodeOptions().embedsProfile)
    }

    @Test func `the rights policy keeps only names`() throws {
        let made = MetadataPolicy.rights.metadata(for: try image(orientation: .up))
        #expect(made == ImageMetadata(exif: EXIF.rights(of: EXIFWritingTests.block)))
        let turned = MetadataPolicy.rights.metadata(for: try image(orientation: .right))
        #expect(turned.exif.flatMap { EXIF.rights(of: $0) } == made.exif)
    }

    @Test func `the all policy keeps everything but the old thumbnail, and updates the size`() throws {
        let made = MetadataPolicy.all.metadata(for: try image(orientation: .up))
        let block = try #require(made.exif)
        let renewed = try #require(EXIF.block(EXIFWritingTests.block, pixelSize: PixelSize(4, 3)))
        #expect(block == EXIF.block(renewed, orientedAs: .up))
        #expect(EXIF.thumbnail(of: block) == nil)
    }

    @Test func `an XMP packet gets the orientation of the pixels, in both of its forms`() throws {
        let made = MetadataPolicy.all.metadata(for: try image(orientation: .up)).xmp
        let expected = String(decoding: Self.packet, as: UTF8.self)
            .replacing("Orientation=\"6\"", with: "Orientation=\"1\"")
            .replacing("Orientation>6<", with: "Orientation>1<")
        #expect(made == Data(expected.utf8))
    }

    @Test(arguments: ["", "tiff:Orientation", "tiff:Orientation=\"", "<tiff:Orientation>", "tiff:Make=\"6\"", "6"])
    func `an XMP packet without an orientation is unchanged`(_ text: String) {
        #expect(XMP.packet(Data(text.utf8), orientedAs: .left) == Data(text.utf8))
    }

    @Test func `an invalid orientation in an XMP packet is replaced`() {
        let made = XMP.packet(Data("tiff:Orientation = '106'/".utf8), orientedAs: .left)
        #expect(made == Data("tiff:Orientation = '8'/".utf8))
    }
}
