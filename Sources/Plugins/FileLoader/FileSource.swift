import Calotype

/// A long file whose bytes are read on demand.
final class FileSource: ByteSource {
    /// The maximum number of sources that exist at once. Each source keeps its file open until its image is decoded,
    /// and a process can only open a limited number of files.
    static let mostAtOnce = 64

    private let file: OpenFile
    private let count: Lock<Int>

    /// Creates a source. Returns nil if ``mostAtOnce`` sources exist already.
    /// - Parameters:
    ///   - file: The file.
    ///   - count: The counter of existing sources, to which this source is added until it is deallocated.
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
