import CalotypeTesting
import Testing

@testable import Calotype

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Loads with a failing disk.
@Suite(.timeLimit(.minutes(5)))
struct FaultyDiskTests {
    /// The calls that a cache can do without: checks before a write, counting, and synchronizing the directory of a new
    /// secret, which only full durability requires.
    private static let dispensable: Set<FaultyFileSystem.Operation> = [
        .attributes, .identity, .items, .synchronizeDirectory,
    ]

    @Test func `any disk call may fail: each load still gets its image, and an event reports it`() async throws {
        var number = 0
        var hasFailed = true
        while hasFailed {
            let disk = DiskBench()
            let (count, failure) = (Lock(0), Lock<FaultyFileSystem.Operation?>(nil))
            let isTold = Lock(true)
            let target = number
            let files = FaultyFileSystem { operation, path in
                let index = count.withLock { count -> Int in
                    count += 1
                    return count - 1
                }
                guard index == target else { return nil }
                // A failed read of the secret is repeated at once, and a failed removal of a temporary file later.
                let isMended =
                    operation == .contents && path.hasSuffix("/secret")
                    || operation == .removeFile && path.contains("/.calotype-")
                failure.withLock { $0 = operation }
                isTold.withLock { $0 = !isMended }
                return EIO
            }
            let data = disk.cache(files: files)
            let bench = Bench(context: [.imageCache(TieredCache(memory: nil, disk: data))])
            // Loaded, read back after a while, made from the original, and the original itself.
            for side in [10, 10, 12, 40] {
                let request = bench.request(side == 40 ? [] : [.thumbnailPixelSize(side, side)])
                #expect(try await bench.manager.image(for: request).width == side, "call \(number)")
                disk.time.advance(by: .seconds(100))
            }
            data.waitForTrimming()
            await bench.manager.waitForEvents()
            let failed = failure.withLock { $0 }
            if let failed, !Self.dispensable.contains(failed), isTold.withLock({ $0 }) {
                #expect(
                    !bench.listener.issues.isEmpty || !disk.issues.isEmpty, "call \(number), \(failed.rawValue)")
            }
            #expect((bench.listener.issues + disk.issues).allSatisfy { $0.code == .cacheFailed }, "call \(number)")
            hasFailed = failed != nil
            number += 1
        }
        #expect(number > 10)
    }

    @Test func `a disk that fails completely is reported once for each step`() async throws {
        let disk = DiskBench()
        let data = disk.cache(files: FaultyFileSystem { _, _ in EIO })
        let bench = Bench(context: [.imageCache(TieredCache(memory: nil, disk: data))])
        for count in 1...2 {
            let response = try await bench.manager.response(for: bench.request())
            #expect(response.source == .loader)
            await bench.manager.waitForEvents()
            #expect(bench.listener.issues.filter { $0.stage == .query }.count == count)
            #expect(bench.listener.issues.filter { $0.stage == .store }.count == count)
        }
        #expect(bench.listener.issues.allSatisfy { $0.code == .cacheFailed && $0.cause is FileSystemError })
    }
}
