import CalotypeStandard

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A reader of standard input.
enum StandardInput {
    /// Returns all bytes of standard input. Blocks.
    ///
    /// If there are more than `limit` bytes, stops reading and throws `limitExceeded`. Throws `badData` if there are no
    /// bytes, `loadFailed` if reading fails, and `outOfMemory`.
    static func data(limit: Int) throws -> Data {
        let bytes = ImageBytes()
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            let (count, code) = Descriptor.receive(into: &buffer, from: STDIN_FILENO)
            guard code == 0 else {
                throw ImageError(
                    .loadFailed, stage: .load, message: "cannot be read: \(String(cString: strerror(code)))",
                    advice: "check the file or pipe that it is redirected from")
            }
            guard count > 0 else { break }
            guard count <= limit - bytes.byteCount else {
                throw ImageError(
                    .limitExceeded, stage: .load, message: "has more than \(limit) bytes",
                    advice: "raise the limit with --set maxInputBytes=BYTES if the source is trusted")
            }
            try bytes.append(Data(buffer[..<count]))
        }
        guard bytes.byteCount > 0 else {
            throw ImageError(.badData, stage: .load, message: "is empty", advice: "pipe an image into the command")
        }
        return bytes.data
    }
}
