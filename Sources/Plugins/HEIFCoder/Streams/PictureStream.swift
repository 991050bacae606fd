#if HEIF
import Calotype

/// The parsed and checked stream of one picture or of one tile.
struct PictureStream {
    let codec: HEIFCodec
    let header: StreamHeader
    /// The decoder configuration. For AV1, only its first four bytes, without the units that may follow in the file.
    let configuration: [UInt8]
    let data: [UInt8]

    /// Checks a stream. Throws `badData` if the stream is damaged or of an unsupported kind.
    init(_ codec: HEIFCodec, configuration: [UInt8], data: [UInt8]) throws(ImageError) {
        self.codec = codec
        switch codec {
        case .hevc:
            let stream = try HEVCStream(configuration: configuration, data: data)
            (header, self.configuration, self.data) = (stream.header, stream.configuration, stream.data)
        case .av1:
            header = try AV1Stream(data).header
            // Further units in the configuration would be decoded before the picture.
            (self.configuration, self.data) = (Array(configuration.prefix(4)), data)
        }
    }

    /// The bytes of a minimal HEIF file that contains only this picture.
    ///
    /// libheif receives this file, so that it never parses the container of the original. The file declares the samples
    /// to be red, green and blue, so that libheif does not convert them.
    ///
    /// Source: ISO/IEC 23008-12:2022, section 10.2; ISO/IEC 14496-12:2022, section 8.11.
    var file: [UInt8] {
        var file = BoxWriter(byteCount: data.count + configuration.count + 400)
        file.box("ftyp") { box in
            box.append(codec.brand)
            box.append(0, byteCount: 4)
            box.append("mif1")
            box.append(codec.brand)
        }
        var offsetPlace = 0
        file.fullBox("meta") { meta in
            meta.fullBox("hdlr") { box in
                box.append(0, byteCount: 4)
                box.append("pict")
                box.append(Array(repeating: 0, count: 13))
            }
            meta.fullBox("pitm") { $0.append(1, byteCount: 2) }
            meta.fullBox("iinf") { list in
                list.append(1, byteCount: 2)
                list.fullBox("infe", version: 2) { box in
                    box.append(1, byteCount: 2)
                    box.append(0, byteCount: 2)
                    box.append(codec.itemType)
                    box.append([0])
                }
            }
            meta.fullBox("iloc") { box in
                // The numbers mean: offsets and lengths of four bytes; one item, in this file, with one extent.
                for number in [0x4400, 1, 1, 0, 1] { box.append(number, byteCount: 2) }
                offsetPlace = box.bytes.count
                box.append(0, byteCount: 4)
                box.append(data.count, byteCount: 4)
            }
            meta.box("iprp") { properties in
                properties.box("ipco") { list in
                    list.fullBox("ispe") { box in
                        box.append(header.size.width, byteCount: 4)
                        box.append(header.size.height, byteCount: 4)
                    }
                    list.box(codec.configurationType) { $0.append(configuration) }
                    list.box("colr") { box in
                        box.append("nclx")
                        for number in [1, 13, 0] { box.append(number, byteCount: 2) }
                        box.append([0x80])
                    }
                }
                properties.fullBox("ipma") { box in
                    box.append(1, byteCount: 4)
                    box.append(1, byteCount: 2)
                    // There are three properties, of which the decoder configuration is essential.
                    box.append([3, 1, 0x82, 3])
                }
            }
        }
        file.box("mdat") { box in
            box.write(box.bytes.count, at: offsetPlace)
            box.append(data)
        }
        return file.bytes
    }
}

/// A writer of boxes that computes their lengths. Source: ISO/IEC 14496-12:2022, section 4.2.
private struct BoxWriter {
    private(set) var bytes: [UInt8] = []

    /// Creates a writer without bytes, with memory for `byteCount` bytes.
    init(byteCount: Int) { bytes.reserveCapacity(byteCount) }

    /// Writes a box. `body` writes the contents of the box.
    mutating func box(_ type: FourCC, _ body: (inout BoxWriter) -> Void) {
        let start = bytes.count
        append(0, byteCount: 4)
        append(type)
        body(&self)
        write(bytes.count - start, at: start)
    }

    /// Writes a full box, which has a version and flags. The flags are zero. `body` writes the contents of the box.
    mutating func fullBox(_ type: FourCC, version: UInt8 = 0, _ body: (inout BoxWriter) -> Void) {
        box(type) { box in
            box.append([version, 0, 0, 0])
            body(&box)
        }
    }

    mutating func append(_ contents: [UInt8]) { bytes += contents }
    mutating func append(_ name: FourCC) { append(Int(name.code), byteCount: 4) }

    mutating func append(_ number: Int, byteCount: Int) {
        for shift in stride(from: 8 * (byteCount - 1), through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    /// Overwrites the four bytes at an offset with a number, big-endian.
    mutating func write(_ number: Int, at place: Int) {
        for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: number >> (24 - 8 * index)) }
    }
}
#endif
