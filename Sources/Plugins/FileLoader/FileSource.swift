import Calotype

/// A long file that is handed over as a whole: its bytes are read when they are wanted.
final class FileSource: ByteSource {
    /// The most at once: each keeps its file open until the picture is decoded, and descriptors are few.
    static let mostAtOnce = 64

    private let file: OpenFile
    private let count: Lock<Int>

    /// - Parameters:
    ///   - file: The file.
    ///   - count: How many sources there are; nil comes back where one more would be too many.
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
            // The load is over: nobody else can tell any more whose failure this is.
            var error = error
            error.component = String(describing: FileImageLoader.self)
            throw error
        }
    }
}
