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

/// Items in a cache's directory whose kind does not match their name.
@Suite(.timeLimit(.minutes(5)))
struct DiskCacheObstacleTests {
    /// The calls that remove a link.
    enum Mending: CaseIterable, Sendable {
        case verify, clear, trim, removeOld, read, store, remove, removeSource

        func make(_ cache: DiskCache, _ key: VariantKey) throws {
            switch self {
            case .verify: _ = try cache.verify()
            case .clear: try cache.clear()
            case .trim: try cache.trim(toByteCount: .max)
            case .removeOld: try cache.removeAll(olderThan: .seconds(1_000_000))
            case .read: _ = try cache.entry(for: key)
            case .store: try cache.store(DiskBench.entry(7), for: key)
            case .remove: try cache.remove(key)
            case .removeSource: try cache.removeAll(of: key.source)
            }
        }
    }

    private let bench = DiskBench()
    private let key = DiskBench.key(1)

    /// Moves the directory of a source, or its shard, elsewhere, and replaces it by a link.
    private func putLink(inPlaceOfShard isShard: Bool) throws -> (link: String, moved: String) {
        let cache = bench.cache()
        try bench.fill(cache, 0..<3)
        let file = cache.path(for: key)
        let source = DiskCache.parent(of: file)
        let directory = isShard ? DiskCache.parent(of: source) : source
        let elsewhere = bench.directory.path("elsewhere")
        try LocalFileSystem().move(directory, to: elsewhere)
        try #require(symlink(elsewhere, directory) == 0)
        return (directory, elsewhere + file.dropFirst(directory.count))
    }

    @Test(arguments: [false, true])
    func `entries behind a link in the place of a directory are neither returned nor counted`(isShard: Bool) throws {
        let (_, moved) = try putLink(inPlaceOfShard: isShard)
        let cache = bench.cache()
        #expect(try cache.entry(for: DiskBench.key(2)) == DiskBench.entry(2))
        #expect(cache.immediateEntry(for: key) != .entry(DiskBench.entry(1)))
        #expect(cache.facts(of: key) == nil)
        #expect(try !cache.contains(key))
        #expect(try cache.totalCount() == 2)
        #expect(try cache.inventory().entryCount == 2)
        let shipped = bench.cache(in: TemporaryDirectory(), readOnlyDirectories: [.cache(at: bench.directory.url)])
        #expect(try shipped.entry(for: key) == nil)
        #expect(try !shipped.contains(key))
        #expect(try cache.entry(for: key) == nil)
        #expect(bench.exists(moved))
    }

    @Test(arguments: [false, true], Mending.allCases)
    func `a link is removed, and its target stays`(isShard: Bool, mending: Mending) throws {
        let (link, moved) = try putLink(inPlaceOfShard: isShard)
        let cache = bench.cache()
        try mending.make(cache, key)
        cache.waitForTrimming()
        let kind: FileAttributes.Kind? = mending == .store ? .directory : nil
        let entry: CacheEntry? = mending == .store ? DiskBench.entry(7) : nil
        #expect((try? LocalFileSystem().attributes(of: link).kind) == kind)
        #expect(try cache.entry(for: key) == entry)
        #expect(bench.exists(moved))
    }

    @Test func `a link is reported, once`() throws {
        let (link, _) = try putLink(inPlaceOfShard: false)
        let cache = bench.cache()
        for _ in 0..<2 { #expect(try cache.entry(for: key) == nil) }
        #expect(bench.issues.map(\.subject) == [cache.path(for: key)])
        try LocalFileSystem().createDirectories(DiskCache.parent(of: link))
        try #require(symlink("elsewhere", link) == 0)
        try cache.store(DiskBench.entry(1), for: key)
        #expect(bench.issues.map(\.subject) == [cache.path(for: key), link])
    }

    @Test(arguments: [false, true])
    func `verifying names the link`(isShard: Bool) throws {
        let (link, _) = try putLink(inPlaceOfShard: isShard)
        let findings = try bench.cache().verify().findings
        #expect(findings.map(\.path) == [link])
        #expect(findings.map(\.isMended) == [true])
        #expect(try bench.cache().verify().findings == [])
    }

    @Test func `tags are not looked up through a link`() throws {
        let cache = bench.cache()
        try bench.fill(cache, 0..<1, tags: ["album"])
        let marker = try #require(cache.markers(for: ["album"], of: DiskBench.name(0)).first)
        let tags = DiskCache.parent(of: marker.directory)
        let elsewhere = bench.directory.path("elsewhere")
        try LocalFileSystem().move(tags, to: elsewhere)
        try #require(symlink(elsewhere, tags) == 0)
        let moved = elsewhere + marker.path.dropFirst(tags.count)
        let error = try #require(throws: ImageError.self) { try cache.removeAll(tagged: "album") }
        #expect(error.subject == tags)
        #expect((error.cause as? FileSystemError)?.code == ELOOP)
        #expect(try cache.contains(DiskBench.key(0)))
        #expect(bench.exists(moved))
        // Verifying restores the tag of the entry.
        #expect(try cache.verify().findings.map(\.path) == [tags, marker.path])
        try cache.removeAll(tagged: "album")
        #expect(try cache.totalCount() == 0)
        #expect(bench.exists(moved))
    }

    @Test func `clearing removes a link in the place of a tag's directory`() throws {
        let cache = bench.cache()
        try bench.fill(cache, 0..<1, tags: ["album"])
        let marker = try #require(cache.markers(for: ["album"], of: DiskBench.name(0)).first)
        let elsewhere = bench.directory.path("elsewhere")
        try LocalFileSystem().move(marker.directory, to: elsewhere)
        try #require(symlink(elsewhere, marker.directory) == 0)
        try cache.clear()
        #expect(!bench.exists(DiskCache.parent(of: marker.directory)))
        #expect(bench.exists("\(elsewhere)/\(marker.name)"))
    }

    @Test(arguments: Mending.allCases)
    func `a directory in the place of an entry is removed with its contents`(mending: Mending) throws {
        let cache = bench.cache()
        try bench.fill(cache, 0..<3)
        let path = cache.path(for: key)
        try cache.remove(key)
        try LocalFileSystem().createDirectories("\(path)/below/that")
        try bench.directory.write(Data("x".utf8), to: "\(path)/below/file")
        try #require(symlink(cache.path(for: DiskBench.key(2)), "\(path)/below/link") == 0)
        let target = try Data(contentsOf: URL(filePath: cache.path(for: DiskBench.key(2))))
        try #require(symlink(bench.directory.root, "\(path)/directory") == 0)
        try mending.make(cache, key)
        let kind: FileAttributes.Kind? = mending == .store ? .file : nil
        #expect((try? LocalFileSystem().attributes(of: path).kind) == kind)
        if mending != .clear {
            #expect(try Data(contentsOf: URL(filePath: cache.path(for: DiskBench.key(2)))) == target)
            #expect(try bench.kept(cache, 0..<3) == (mending == .store ? [0, 1, 2] : [0, 2]))
        }
        try cache.store(DiskBench.entry(1), for: key)
        #expect(try cache.entry(for: key) == DiskBench.entry(1))
    }

    /// Returns the contents of a directory, with the bytes of files and all times.
    private func snapshot(of directory: TemporaryDirectory) throws -> [String] {
        try directory.contents().sorted().map { name in
            let data = (try? Data(contentsOf: URL(filePath: directory.path(name)))) ?? Data()
            let time = try LocalFileSystem().attributes(of: directory.path(name)).modificationTime
            return "\(name) \(time) \(DiskEntryFormat.checksum(of: data))"
        }
    }

    @Test(arguments: [false, true], Mending.allCases)
    func `a link that replaces a shard during a call is not followed`(
        isDirectory: Bool, mending: Mending
    ) throws {
        let cache = bench.cache()
        try bench.fill(cache, 0..<3)
        let file = cache.path(for: key)
        let shard = DiskCache.parent(of: DiskCache.parent(of: file))
        // The other directory contains the same names.
        let victim = TemporaryDirectory()
        let path = victim.root + file.dropFirst(shard.count)
        try LocalFileSystem().createDirectories(isDirectory ? "\(path)/below" : DiskCache.parent(of: path))
        try victim.write(Data("theirs".utf8), to: isDirectory ? "\(path)/below/file" : path)
        try cache.remove(key)
        try LocalFileSystem().createDirectories(isDirectory ? "\(file)/below" : DiskCache.parent(of: file))
        try bench.directory.write(
            Data("damaged".utf8), to: isDirectory ? "\(file)/below/file" : file, modificationTime: bench.time.wallTime()
        )
        let before = try snapshot(of: victim)
        let moved = bench.directory.path("moved")
        let isSwapped = Lock(false)
        let changing: Set<FaultyFileSystem.Operation> = [
            .writeFile, .createDirectories, .removeFile, .removeDirectory, .removeDirectoryWithItems,
            .setModificationTime, .move,
            .linkFile,
        ]
        let files = FaultyFileSystem { operation, path in
            guard changing.contains(operation), path.hasPrefix("\(shard)/") else { return nil }
            let isFirst = isSwapped.withLock { isSwapped -> Bool in
                defer { isSwapped = true }
                return !isSwapped
            }
            guard isFirst else { return nil }
            try? LocalFileSystem().move(shard, to: moved)
            return symlink(victim.root, shard) == 0 ? nil : EIO
        }
        let other = bench.cache(files: files)
        try? mending.make(other, key)
        other.waitForTrimming()
        // No file there is old enough to be removed.
        let changesNothing = !isDirectory && (mending == .trim || mending == .removeOld)
        #expect(isSwapped.withLock { $0 } == !changesNothing)
        #expect(try snapshot(of: victim) == before)
    }

    @Test(arguments: Mending.allCases)
    func `a file in the place of a source's directory is removed`(mending: Mending) throws {
        let cache = bench.cache()
        try bench.fill(cache, 0..<3)
        let path = cache.path(for: key)
        let source = DiskCache.parent(of: path)
        try cache.remove(key)
        try bench.directory.write(Data("x".utf8), to: source)
        #expect(try !cache.contains(key))
        let shipped = bench.cache(in: TemporaryDirectory(), readOnlyDirectories: [.cache(at: bench.directory.url)])
        #expect(try !shipped.contains(key))
        try mending.make(cache, key)
        let kind: FileAttributes.Kind? = mending == .store ? .directory : nil
        #expect((try? LocalFileSystem().attributes(of: source).kind) == kind)
        if mending == .read { #expect(bench.issues.map(\.subject) == [path]) }
        try cache.store(DiskBench.entry(1), for: key)
        #expect(try cache.entry(for: key) == DiskBench.entry(1))
    }

    @Test func `a file in the place of a shard stays, and is named`() throws {
        let cache = bench.cache()
        let shard = DiskCache.parent(of: DiskCache.parent(of: cache.path(for: key)))
        try bench.directory.write(Data("mine".utf8), to: shard)
        for _ in 0..<2 { #expect(throws: ImageError.self) { try cache.entry(for: key) } }
        #expect(throws: ImageError.self) { try cache.store(DiskBench.entry(1), for: key) }
        #expect(try Data(contentsOf: URL(filePath: shard)) == Data("mine".utf8))
    }

    /// Replaces the secret by a directory with contents, or by a socket.
    private func replaceSecret(bySocket isSocket: Bool) throws -> String {
        let path = bench.directory.path("v2/secret")
        try LocalFileSystem().removeFile(path)
        if isSocket {
            try #require(mknod(path, S_IFSOCK | 0o600, 0) == 0)
        } else {
            try LocalFileSystem().createDirectories("\(path)/below")
        }
        return path
    }

    @Test(arguments: [false, true])
    func `storing replaces an obstacle in the place of the secret`(isSocket: Bool) throws {
        let cache = bench.cache()
        try bench.fill(cache, 0..<1)
        let path = try replaceSecret(bySocket: isSocket)
        #expect(try bench.cache().entry(for: key) == nil)
        #expect(try !cache.contains(key))
        try cache.store(DiskBench.entry(1), for: key)
        #expect(try cache.entry(for: key) == DiskBench.entry(1))
        #expect(try LocalFileSystem().attributes(of: path).kind == .file)
    }

    @Test(arguments: [false, true], [Mending.verify, .clear, .trim, .removeOld])
    func `an obstacle in the place of the secret is removed`(isSocket: Bool, mending: Mending) throws {
        try bench.fill(bench.cache(), 0..<1)
        let path = try replaceSecret(bySocket: isSocket)
        try mending.make(bench.cache(), key)
        #expect(!bench.exists(path))
    }

    @Test func `an obstacle in the place of the secret is a finding`() throws {
        try bench.fill(bench.cache(), 0..<1)
        let path = try replaceSecret(bySocket: false)
        let findings = try bench.cache().verify().findings
        #expect(findings.map(\.path) == [path])
        #expect(findings.map(\.isMended) == [true])
    }

    @Test func `a directory in the place of an entry is a finding, and a read reports it once`() throws {
        let cache = bench.cache()
        try bench.fill(cache, 0..<3)
        let path = cache.path(for: key)
        for isRead in [false, true] {
            try cache.remove(key)
            try LocalFileSystem().createDirectories(path)
            guard isRead else {
                let verification = try cache.verify()
                #expect(verification.findings.map(\.path) == [path])
                #expect(verification.findings.map(\.isMended) == [true])
                #expect(verification.entryCount == 2)
                continue
            }
            for _ in 0..<3 { #expect(try cache.entry(for: key) == nil) }
            #expect(bench.issues.map(\.subject) == [path])
        }
    }

    @Test func `a directory in the place of an entry that cannot be removed is a finding that is not mended`() throws {
        try bench.fill(bench.cache(), 0..<1)
        let path = bench.cache().path(for: key)
        try LocalFileSystem().createDirectories(path)
        let files = FaultyFileSystem { operation, other in
            operation == .removeDirectoryWithItems && other == path ? EBUSY : nil
        }
        let findings = try bench.cache(files: files).verify().findings
        #expect(findings.map(\.path) == [path])
        #expect(findings.map(\.isMended) == [false])
    }

    @Test(arguments: [Mending.verify, .trim, .removeOld], [[], ["album"]] as [Set<String>])
    func `empty directories left by a full disk are removed`(mending: Mending, tags: Set<String>) throws {
        let full = FaultyFileSystem { operation, path in
            // A directory still fits onto the disk when a file does not.
            let isThere = (try? LocalFileSystem().attributes(of: DiskCache.parent(of: path))) != nil
            return operation == .writeFile && isThere ? ENOSPC : nil
        }
        // Before the disk is full, so that the directory has its secret.
        _ = bench.cache().path(for: key)
        let cache = bench.cache(files: full)
        for number in 0..<3 {
            let entry = DiskBench.entry(number, tags: tags)
            #expect(throws: ImageError.self) { try cache.store(entry, for: DiskBench.key(number)) }
        }
        cache.waitForTrimming()
        try #require(try bench.directory.contents().count > 3)
        try mending.make(bench.cache(), key)
        let left = Set(try bench.directory.contents())
        #expect(left.subtracting(["v2", "v2/usage", "v2/secret"]) == [])
    }
}
