import Calotype

/// A long file whose bytes are read on demand.
final class FileSource: ByteSource {
    /// The maximum number of sources. Each keeps its file open until the image is decoded, and descriptors are limited.
    static let mostAtOnce = 64

    private let file: OpenFile
    private let count: Lock<Int>

    /// Creates a source; nil if there are ``mostAtOnce`` sources already.
    /// - Parameters:
    ///   - file: The file.
    ///   - count: The number of existing sources.
    init?(_ file: OpenFile, among count: Lock<Int>) {
        let isOneOfFew = count.withLock { count in
            guard count < Self.mostAtOnce else { return false }
            count += 1
            return true
        }
        guard isOneOfFew else { return nil }
        self.file = file
        self.count = count
    }

    deinit { count.withLock { $0 -= 1 } }

    var byteCount: Int { file.byteCount }

    func read(at offset: Int, into memory: UnsafeMutableRawBufferPointer) throws -> Int {
        do throws(ImageError) {
            return try file.read(at: offset, into: memory)
        } catch {
            // The load is over, so the failing component must be set here.
            var error = error
            error.component = String(describing: FileImageLoader.self)
            throw error
        }
    }
}
