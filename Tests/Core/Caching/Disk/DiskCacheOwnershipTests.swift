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

/// Directories that belong to other users, or are writable for others.
@Suite(.timeLimit(.minutes(5)))
struct DiskCacheOwnershipTests {
    /// The calls that read or change the contents of a cache.
    enum Call: String, CaseIterable, Sendable {
        case entry, contains, store, remove, removeSource, removeTagged, removeOld, clear, trim, removeExpired, verify
        case inventory, totalCount, totalByteCount, move

        func make(_ cache: DiskCache) throws {
            let key = DiskBench.key(1)
            switch self {
            case .entry: _ = try cache.entry(for: key)
            case .contains: _ = try cache.contains(key)
            case .store: try cache.store(DiskBench.entry(7), for: key)
            case .remove: try cache.remove(key)
            case .removeSource: try cache.removeAll(of: key.source)
            case .removeTagged: try cache.removeAll(tagged: "album")
            case .removeOld: try cache.removeAll(olderThan: .zero)
            case .clear: try cache.clear()
            case .trim: try cache.trim(toByteCount: 0)
            case .removeExpired: try cache.removeExpired()
            case .verify: _ = try cache.verify()
            case .inventory: _ = try cache.inventory()
            case .totalCount: _ = try cache.totalCount()
            case .totalByteCount: _ = try cache.totalByteCount()
            case .move: try cache.move(to: cache.directory.appending(path: "other", directoryHint: .isDirectory))
            }
        }
    }

    private let bench = DiskBench()
    private let key = DiskBench.key(1)
    private let entry = DiskBench.entry(1, tags: ["album"])

    init() throws { try bench.fill(bench.cache(), 0..<3, tags: ["album"]) }

    /// Returns a file system in which a directory belongs to one user, and this process to another.
    private func files(owner: UInt32, user: UInt32, of name: String) -> FaultyFileSystem {
        let path = self.path(name)
        return FaultyFileSystem { _, _ in nil }.telling { examined, ownership in
            DirectoryOwnership(
                ownerID: examined == path ? owner : user, userID: user, isWritableByAll: ownership.isWritableByAll)
        }
    }

    /// Returns the path of the cache's directory, or of an item in it.
    private func path(_ name: String) -> String { name.isEmpty ? bench.directory.root : bench.directory.path(name) }

    /// A file system in which all directories belong to the user of this process, who is not root.
    private var filesOfAnotherUser: FaultyFileSystem {
        FaultyFileSystem { _, _ in nil }.telling { _, _ in DirectoryOwnership(ownerID: 1000, userID: 1000) }
    }

    /// Changes the owner of the key's shard. Returns its path.
    private func giveShardAway(withItems: Bool) throws -> String {
        let shard = DiskCache.parent(of: DiskCache.parent(of: bench.cache().path(for: key)))
        let items = withItems ? try FileManager.default.subpathsOfDirectory(atPath: shard) : []
        for path in [shard] + items.map({ "\(shard)/\($0)" }) { try #require(chown(path, 12_345, 12_345) == 0) }
        return shard
    }

    private func setPermissions(_ permissions: mode_t, of name: String) throws {
        try #require(chmod(path(name), permissions) == 0)
    }

    /// Returns the contents of the directory, with the bytes of files and all times.
    private func snapshot() throws -> [String] {
        try bench.directory.contents().sorted().map { name in
            let file = bench.directory.path(name)
            let data = (try? Data(contentsOf: URL(filePath: file))) ?? Data()
            let attributes = try LocalFileSystem().attributes(of: file)
            return "\(name) \(attributes.modificationTime) \(DiskEntryFormat.checksum(of: data))"
        }
    }

    @Test(.enabled(if: geteuid() == 0), arguments: [false, true])
    func `a shard of another user in a once writable directory is not used`(trustsOtherUsers: Bool) throws {
        let shard = try giveShardAway(withItems: true)
        let cache = bench.cache(.init(trustsOtherUsers: trustsOtherUsers), files: filesOfAnotherUser)
        for call in [Call.entry, .contains, .store, .remove, .removeSource] {
            guard !trustsOtherUsers else {
                try call.make(cache)
                continue
            }
            let error = try #require(throws: ImageError.self) { try call.make(cache) }
            #expect((error.cause as? FileSystemError)?.code == EPERM)
            #expect(error.subject == shard)
            #expect(error.advice?.contains("`chown -R`") == true)
            #expect(cache.facts(of: key) == nil)
            #expect(cache.immediateEntry(for: key) == .unknown)
        }
        // Root trusts every user.
        #expect(try bench.cache().verify().findings == [])
        try bench.cache().store(entry, for: key)
    }

    @Test(.enabled(if: geteuid() == 0))
    func `every read finds an entry of this user in another user's shard`() throws {
        _ = try giveShardAway(withItems: false)
        let cache = bench.cache(files: filesOfAnotherUser)
        #expect(try cache.entry(for: key) == entry)
        #expect(try cache.contains(key))
    }

    @Test(.enabled(if: geteuid() == 0), arguments: [false, true])
    func `verifying names another user's shard, and removes it if possible`(isMended: Bool) throws {
        let shard = try giveShardAway(withItems: true)
        let files = FaultyFileSystem { operation, path in
            operation == .removeDirectoryWithItems && path == shard && !isMended ? EACCES : nil
        }
        let cache = bench.cache(files: files.telling { _, _ in DirectoryOwnership(ownerID: 1000, userID: 1000) })
        let verification = try cache.verify()
        #expect(verification.findings.map(\.path) == [shard])
        #expect(verification.findings.map(\.isMended) == [isMended])
        #expect(verification.findings.first?.reason.contains("it belongs to user 12345") == true)
        #expect(verification.findings.first?.reason.contains("`chown -R`") == !isMended)
        #expect(bench.exists(shard) == !isMended)
        #expect(try cache.totalCount() == verification.entryCount)
        guard isMended else { return }
        try cache.store(entry, for: key)
        #expect(try cache.entry(for: key) == entry)
        #expect(try cache.verify().findings == [])
    }

    @Test(.enabled(if: geteuid() == 0))
    func `root does not follow another user's link in the place of the entries`() throws {
        try LocalFileSystem().move(path("v2"), to: path("elsewhere"))
        try #require(symlink("elsewhere", path("v2")) == 0)
        try #require(chown(bench.directory.root, 12_345, 12_345) == 0)
        #expect(try bench.cache().contains(key))
        try #require(lchown(path("v2"), 12_345, 12_345) == 0)
        #expect(throws: ImageError.self) { try bench.cache().contains(key) }
        #expect(throws: ImageError.self) { try bench.cache().clear() }
    }

    @Test(arguments: ["", "v2"], Call.allCases)
    func `the directory of another user is neither read nor changed`(name: String, call: Call) throws {
        let before = try snapshot()
        let cache = bench.cache(files: files(owner: 1001, user: 1000, of: name))
        let error = try #require(throws: ImageError.self) { try call.make(cache) }
        #expect(error.code == .cacheFailed)
        #expect(error.subject == path(name))
        #expect(error.message.contains("the directory belongs to user 1001, but this process runs as user 1000"))
        #expect(error.advice?.contains("`trustsOtherUsers`") == true)
        #expect(cache.immediateEntry(for: key) == .unknown)
        #expect(cache.facts(of: key) == nil)
        cache.waitForTrimming()
        #expect(try snapshot() == before)
        #expect(bench.issues.map(\.description) == [])
    }

    @Test(arguments: ["", "v2"], Call.allCases)
    func `a world-writable directory is neither read nor changed`(name: String, call: Call) throws {
        try setPermissions(0o777, of: name)
        let before = try snapshot()
        let cache = bench.cache()
        let error = try #require(throws: ImageError.self) { try call.make(cache) }
        #expect(error.subject == path(name))
        #expect(error.message.contains("every user may write to the directory"))
        #expect(error.advice?.contains("`chmod -R o-w`") == true)
        #expect(cache.immediateEntry(for: key) == .unknown)
        cache.waitForTrimming()
        #expect(try snapshot() == before)

        // It is used as soon as it is private.
        try setPermissions(0o750, of: name)
        try call.make(cache)
        cache.waitForTrimming()
    }

    @Test(arguments: [false, true])
    func `no secret is written to an untrusted directory`(isForeign: Bool) throws {
        try LocalFileSystem().removeFile(path("v2/secret"))
        if !isForeign { try setPermissions(0o777, of: "v2") }
        let cache = bench.cache(files: files(owner: isForeign ? 1001 : 1000, user: 1000, of: "v2"))
        #expect(cache.path(for: key).hasPrefix(path("v2/")))
        #expect(!bench.exists(path("v2/secret")))
        if !isForeign {
            try setPermissions(0o700, of: "v2")
            _ = cache.path(for: key)
            #expect(bench.exists(path("v2/secret")))
        }
    }

    @Test(arguments: ["", "v2"], Call.allCases)
    func `both are used if the configuration trusts other users`(name: String, call: Call) throws {
        try setPermissions(0o777, of: name)
        let cache = bench.cache(
            .init(trustsOtherUsers: true), files: files(owner: 1001, user: 1000, of: name))
        #expect(try cache.entry(for: key) == entry)
        try call.make(cache)
        cache.waitForTrimming()
        #expect(bench.issues.map(\.description) == [])
    }

    @Test func `a group-writable directory is used`() throws {
        for name in ["", "v2"] { try setPermissions(0o770, of: name) }
        #expect(try bench.cache().entry(for: key) == entry)
    }

    @Test func `root's directories are used by every user`() throws {
        let cache = bench.cache(files: files(owner: 0, user: 1000, of: "v2"))
        #expect(try cache.entry(for: key) == entry)
        #expect(bench.issues.map(\.description) == [])
    }

    @Test(arguments: ["", "v2"])
    func `root uses the directories of all users, and reports it once`(name: String) throws {
        let cache = bench.cache(files: files(owner: 1001, user: 0, of: name))
        for _ in 0..<3 {
            #expect(try cache.entry(for: key) == entry)
            try cache.store(entry, for: key)
            bench.time.advance(by: .seconds(2))
        }
        #expect(bench.issues.map(\.subject) == [path(name)])
        #expect(bench.issues.first?.message.contains("the directory belongs to user 1001") == true)
    }

    @Test(.enabled(if: geteuid() == 0))
    func `the owner is taken from the system`() throws {
        try #require(chown(bench.directory.root, 12_345, 12_345) == 0)
        #expect(try bench.cache().entry(for: key) == entry)
        #expect(bench.issues.map(\.subject) == [bench.directory.root])
        let files = FaultyFileSystem { _, _ in nil }.telling { _, ownership in
            DirectoryOwnership(ownerID: ownership.ownerID, userID: 1000)
        }
        let error = try #require(throws: ImageError.self) { try bench.cache(files: files).entry(for: key) }
        #expect(error.message.contains("user 12345"))
    }

    @Test func `a directory that becomes world-writable is no longer read within a second`() throws {
        let cache = bench.cache()
        #expect(try cache.entry(for: key) == entry)
        try setPermissions(0o777, of: "v2")
        bench.time.advance(by: .seconds(1))
        #expect(cache.immediateEntry(for: key) == .unknown)
        for _ in 0..<2 {
            #expect(throws: ImageError.self) { try cache.entry(for: key) }
            #expect(cache.immediateEntry(for: key) == .unknown)
        }
        try setPermissions(0o700, of: "v2")
        #expect(try cache.entry(for: key) == entry)
    }

    @Test func `a directory of another user that replaces this one is never read`() throws {
        let (path, kept) = (path("v2"), path("kept"))
        let cache = bench.cache()
        #expect(try cache.entry(for: key) == entry)
        // Less than a second has passed since the directory was last checked by its path.
        try LocalFileSystem().move(path, to: kept)
        let other = TemporaryDirectory()
        let writer = DiskCache(at: other.url, time: bench.time)
        try writer.store(DiskBench.entry(8), for: DiskBench.key(8))
        writer.waitForTrimming()
        try LocalFileSystem().move(other.path("v2"), to: path)
        try setPermissions(0o777, of: "v2")
        #expect(throws: ImageError.self) { try cache.entry(for: DiskBench.key(8)) }
        #expect(throws: ImageError.self) { try cache.entry(for: DiskBench.key(8)) }
    }

    @Test func `a directory that another user creates just before is not used`() throws {
        let elsewhere = TemporaryDirectory()
        let root = elsewhere.root
        let files = FaultyFileSystem { operation, _ in
            guard operation == .createDirectories else { return nil }
            do throws(FileSystemError) {
                try LocalFileSystem().createDirectories(root)
                return chmod(root, 0o777) == 0 ? nil : EIO
            } catch {
                return error.code
            }
        }
        let cache = bench.cache(in: elsewhere, files: files)
        #expect(throws: ImageError.self) { try cache.store(entry, for: key) }
        cache.waitForTrimming()
        #expect(try elsewhere.contents() == ["v2"])
    }

    @Test func `nothing is moved to a directory that another user creates just before`() throws {
        let elsewhere = TemporaryDirectory()
        let root = elsewhere.root
        let files = FaultyFileSystem { operation, path in
            guard operation == .createDirectories, path.hasPrefix(root) else { return nil }
            do throws(FileSystemError) {
                try LocalFileSystem().createDirectories(root)
                return chmod(root, 0o777) == 0 ? nil : EIO
            } catch {
                return error.code
            }
        }
        let cache = bench.cache(files: files)
        let error = try #require(throws: ImageError.self) { try cache.move(to: elsewhere.url) }
        #expect(error.subject == root)
        cache.waitForTrimming()
        #expect(try elsewhere.contents().filter { $0 != "v2" } == [])
        #expect(try bench.kept(bench.cache(), 0..<3) == [0, 1, 2])
    }

    @Test func `root reports the owner of the directory that entries move to`() throws {
        let elsewhere = TemporaryDirectory()
        let root = elsewhere.root
        let files = FaultyFileSystem { _, _ in nil }.telling { examined, _ in
            DirectoryOwnership(ownerID: examined == root ? 1001 : 0, userID: 0)
        }
        try bench.cache(files: files).move(to: elsewhere.url)
        #expect(bench.issues.map(\.subject) == [root])
        #expect(try bench.kept(bench.cache(in: elsewhere), 0..<3) == [0, 1, 2])
    }

    @Test func `entries of a read-only directory are found even if the cache directory is refused`() throws {
        let cache = bench.cache(
            in: TemporaryDirectory(), readOnlyDirectories: [.cache(at: bench.directory.url)],
            files: FaultyFileSystem { _, _ in nil })
        #expect(try cache.entry(for: key) == entry)
        let other = DiskBench()
        try other.fill(other.cache(), 0..<1)
        try #require(chmod(other.directory.root, 0o777) == 0)
        let refused = other.cache(readOnlyDirectories: [.cache(at: bench.directory.url)])
        #expect(try refused.entry(for: key) == entry)
        #expect(other.issues.map(\.subject) == [other.directory.root])
        #expect(throws: ImageError.self) { try refused.entry(for: DiskBench.key(9)) }
    }

    @Test(arguments: ["", "v2"])
    func `a world-writable read-only directory is not read`(name: String) throws {
        try setPermissions(0o777, of: name)
        let (elsewhere, shipped) = (TemporaryDirectory(), ReadOnlyDirectory.cache(at: bench.directory.url))
        let cache = bench.cache(in: elsewhere, readOnlyDirectories: [shipped])
        for _ in 0..<2 {
            let error = try #require(throws: ImageError.self) { try cache.entry(for: key) }
            #expect(error.subject == path(name))
            #expect(error.message.contains("every user may write to the directory"))
            #expect(throws: ImageError.self) { try cache.contains(key) }
        }
        // The cache's own entries are found. A cache that trusts other users reads all entries.
        try cache.store(DiskBench.entry(9), for: DiskBench.key(9))
        #expect(try cache.entry(for: DiskBench.key(9)) == DiskBench.entry(9))
        let trusting = bench.cache(.init(trustsOtherUsers: true), in: elsewhere, readOnlyDirectories: [shipped])
        #expect(try trusting.entry(for: key) == entry)
        try setPermissions(0o755, of: name)
        #expect(try cache.entry(for: key) == entry)
        cache.waitForTrimming()
    }

    @Test func `a read-only directory that becomes world-writable is no longer read within a second`() throws {
        let cache = bench.cache(in: TemporaryDirectory(), readOnlyDirectories: [.cache(at: bench.directory.url)])
        #expect(try cache.entry(for: key) == entry)
        try setPermissions(0o777, of: "v2")
        bench.time.advance(by: .seconds(1))
        for _ in 0..<2 {
            #expect(throws: ImageError.self) { try cache.entry(for: key) }
        }
    }

    @Test func `a read-only directory of another user is read`() throws {
        let cache = bench.cache(
            in: TemporaryDirectory(), readOnlyDirectories: [.cache(at: bench.directory.url)],
            files: files(owner: 1001, user: 1000, of: "v2"))
        #expect(try cache.entry(for: key) == entry)
    }

    // MARK: Links on the path to the directory

    @Test(arguments: [Call.entry, .contains, .store, .verify, .inventory, .clear])
    func `a link that leads nowhere is named in the error`(call: Call) throws {
        let link = bench.directory.path("link")
        try #require(symlink("nowhere", link) == 0)
        for path in [link, "\(link)/below/that"] {
            let cache = DiskCache(at: URL(filePath: path, directoryHint: .isDirectory), time: bench.time)
            let error = try #require(throws: ImageError.self) { try call.make(cache) }
            #expect(error.subject == link)
            #expect(error.message.contains("a symbolic link to a missing target"))
        }
    }

    @Test(arguments: [Call.entry, .contains, .store, .verify, .inventory, .clear])
    func `links that lead to each other are named in the error`(call: Call) throws {
        let link = bench.directory.path("link")
        try #require(symlink("link", link) == 0)
        let cache = DiskCache(at: URL(filePath: link, directoryHint: .isDirectory), time: bench.time)
        let error = try #require(throws: ImageError.self) { try call.make(cache) }
        #expect((error.cause as? FileSystemError)?.code == ELOOP)
        #expect(error.subject == link)
        #expect(error.advice?.contains("symbolic link") == true)
    }

    @Test func `the directory itself may be reached through links`() throws {
        let target = bench.directory.path("target")
        try LocalFileSystem().createDirectories(target)
        for link in ["link", "other"] { try #require(symlink("target", bench.directory.path(link)) == 0) }
        func cache(_ name: String) -> DiskCache {
            DiskCache(at: URL(filePath: bench.directory.path(name), directoryHint: .isDirectory), time: bench.time)
        }
        #expect(try cache("link").entry(for: key) == nil)
        try cache("link").store(entry, for: key)
        #expect(try cache("other").entry(for: key) == entry)
        #expect(try cache("target").totalCount() == 1)
    }

    @Test func `the error for a file size limit names the limit`() throws {
        let files = FaultyFileSystem { operation, _ in operation == .writeFile ? EFBIG : nil }
        let cache = bench.cache(files: files)
        let error = try #require(throws: ImageError.self) { try cache.store(entry, for: key) }
        #expect(error.advice?.contains("`ulimit -f`") == true)
    }
}
