#if HEIF
import CHEIF
import Calotype

extension HEIFCoder {
    /// The features of the formats that this libheif does not support with its codecs.
    static var limitations: [String] {
        var limitations = [
            "HEIF: image sequences are not read.", "HEIF: pictures laid over each other (iovl) are not read.",
        ]
        for codec in HEIFCodec.allCases {
            let name = codec.format.name.uppercased()
            if heif_have_decoder_for_format(codec.compression) == 0 {
                limitations.append("HEIF: \(name) is not read: libheif has no decoder of it.")
            }
            if heif_have_encoder_for_format(codec.compression) == 0 {
                limitations.append("HEIF: \(name) is not written: libheif has no encoder of it.")
            } else if HEIFEncoder.lacksTenBits(codec) {
                limitations.append("HEIF: \(name) is written with 8 or 12 bits: 10 need libheif 1.15.2.")
            }
        }
        limitations += [
            "HEIF: the decode of a stream that has begun goes on when it is cancelled, without its caller.",
            "HEIF: an encode that has begun goes on when it is cancelled.",
        ]
        return limitations
    }
}
#endif
