#if HEIF
import CHEIF
import Calotype

extension HEIFCoder {
    /// Descriptions of the features of HEIF that the coder does not support with the installed libheif and its codecs.
    static var limitations: [String] {
        var limitations = [
            "HEIF: image sequences are not read.", "HEIF: overlays of pictures (iovl) are not read.",
        ]
        for codec in HEIFCodec.allCases {
            let name = codec.format.name.uppercased()
            if heif_have_decoder_for_format(codec.compression) == 0 {
                limitations.append("HEIF: \(name) is not read: libheif has no decoder for it.")
            }
            if heif_have_encoder_for_format(codec.compression) == 0 {
                limitations.append("HEIF: \(name) is not written: libheif has no encoder for it.")
            } else if HEIFEncoder.lacksTenBits(codec) {
                limitations.append("HEIF: \(name) is written with 8 or 12 bits: 10 bits require libheif 1.15.2.")
            }
        }
        limitations += [
            "HEIF: cancelling a decode returns at once, but the stream that is being decoded is decoded to its end.",
            "HEIF: an encode that has begun cannot be cancelled.",
        ]
        return limitations
    }
}
#endif
