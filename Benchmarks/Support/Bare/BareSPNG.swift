#if PNG
import BenchmarkFloors
import CalotypeStandard

/// libspng called from C.
enum BareSPNG {
    static let isInstalled = benchmark_spng_load()

    /// Returns a decoder for pictures of this size.
    static func decoder(_ size: PixelSize) -> BareLibrary {
        BareLibrary("libspng", size) { benchmark_spng_decode($0, $1, $2, $3) }
    }

    /// Encodes rows with the library's default compression.
    static func encode(_ rows: PNGRows) throws(BenchmarkError) -> Data {
        try rows.encoded(by: "libspng") { benchmark_spng_encode($0, &$1) }
    }
}
#endif
