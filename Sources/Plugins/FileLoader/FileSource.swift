import Calotype

/// A long file whose bytes are read on demand.
final class FileSource: ByteSource {
    /// The maximum number of sources of one loader that exist at once. Each source keeps a file open, and a process can
    /// open only a limited number of files.
    static let mostAtOnce = 64

    private let file: OpenFile
    private let count: Lock<Int>

    /// Creates a source. Returns nil if `count` has reached ``mostAtOnce``.
    /// - Parameter count: The number of existing sources. It includes this source until the source is deallocated.
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
            // After the load, no other code names the failing component, so it is named here.
            var error = error
            error.component = String(describing: FileImageLoader.self)
            throw error
        }
    }
}
