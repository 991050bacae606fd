import BenchmarkFloors
import CalotypeStandard

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The file of an entry, written, read and removed without a cache.
struct BareFile {
    private let path: String
    private let directory: String
    private let temporaryPath: String

    /// Returns the files that a cache in this directory would have. The equal layout makes them equally hard to find
    /// for the system.
    static func files(for keys: [VariantKey], in directory: URL) -> [BareFile] {
        // This cache is only asked for paths. It writes only the secret that they are derived from.
        let layout = DiskCache(at: directory)
        return keys.map { BareFile(at: layout.path(for: $0)) }
    }

    private init(at path: String) {
        self.path = path
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
        directory = String(path[..<slash])
        temporaryPath = "\(directory)/temporary"
    }

    /// Creates the directory, which may exist, and writes the file.
    func write(_ bytes: Data) throws {
        let problem = bytes.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> Int32 in
            let problem = benchmark_make_directories(directory)
            if problem != 0 { return problem }
            return benchmark_write_and_rename(temporaryPath, path, bytes.baseAddress, bytes.count)
        }
        guard problem == 0 else { throw BenchmarkError("\(path) cannot be written (error \(problem))") }
    }

    /// Reads the file, which should have `byteCount` bytes.
    func read(byteCount: Int) throws {
        // Passing a string to C copies it, which would be measured; `withCString` lends its bytes instead.
        guard let bytes = path.withCString({ benchmark_read($0, byteCount) }) else {
            throw BenchmarkError("\(path) cannot be read")
        }
        free(bytes)
    }

    /// Removes the file and, if it is the last one, its directory.
    func remove(isLast: Bool) throws {
        guard unlink(path) == 0, !isLast || rmdir(directory) == 0 else {
            throw BenchmarkError("\(path) cannot be removed (error \(errno))")
        }
    }
}
