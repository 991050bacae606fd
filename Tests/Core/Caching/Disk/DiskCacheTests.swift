import CalotypeTesting
import Dispatch
import Testing

@testable import Calotype

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

@Suite(.timeLimit(.minutes(5)))
struct DiskCacheTests {
    private let directory = TemporaryDirectory()
    private let time = ManualTime()
    private let issues = Lock<[ImageError]>([])
    private let key = VariantKey(source: SourceKey("https://example.org/cat.jpg"), policy: "strict", variant: "w=20")
    private let entry = CacheEntry(data: Data("payload".utf8), attributes: ["etag": "\"1\""])

    private func makeCache(
        _ configuration: DiskCache.Configuration = .init(), fileSystem: any FileSystem = LocalFileSystem()
    ) -> DiskCache {
        DiskCache(at: directory.url, configuration: configuration, fileSystem: fileSystem, time: time) {
            [issues] issue in
            issues.withLock { $0.append(issue) }
        }
    }

    /// Overwrites the file of an entry.
    private func overwrite(_ key: VariantKey, with data: Data, in cache: DiskCache) throws {
        // Otherwise the cache might remove the directory while it is empty between the two files.
        cache.waitForTrimming()
        try directory.write(data, to: cache.path(for: key), modificationTime: time.wallTime())
    }

    private func exists(_ path: String) -> Bool { (try? LocalFileSystem().attributes(of: path)) != nil }

    // MARK: Storing

    @Test func `a stored entry is read back, also by another cache`() throws {
        let cache = makeCache()
        let full = CacheEntry(
            data: Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0) }), expiration: time.wallTime() + 10,
            attributes: ["etag": "\"1\"", "": "", "é🙂\0": "a\nb"], extendedData: Data([0, 1, 2]),
            tags: ["album 7", ""])
        #expect(try cache.entry(for: key) == nil)
        #expect(try !cache.contains(key))
        try cache.store(full, for: key)
        #expect(try cache.entry(for: key) == full)
        #expect(try cache.contains(key))
        #expect(try makeCache().entry(for: key) == full)
        #expect(try cache.entry(for: key.original) == nil)
    }

    @Test func `a later entry replaces an earlier one`() throws {
        let cache = makeCache()
        try cache.store(CacheEntry(data: Data("first".utf8), extendedData: Data([1])), for: key)
        try cache.store(entry, for: key)
        #expect(try cache.entry(for: key) == entry)
        #expect(try cache.totalCount() == 1)
    }

    @Test func `an entry may be empty`() throws {
        let cache = makeCache()
        try cache.store(CacheEntry(data: Data()), for: key)
        #expect(try cache.entry(for: key) == CacheEntry(data: Data()))
    }

    @Test func `every text can be a key`() throws {
        let cache = makeCache()
        let long = String(repeating: "k", count: 100_000)
        let texts = [
            "", "a", "a\0", "\0", "🙂", "../../../etc/passwd", "/", ".", long, long + "k",
            "https://example.org/staticmap?center=48.8566,2.3522&zoom=1.5", "https://example.org/a1ec.jpg00%00",
            "https://example.org/a8.jpg?aid=x&m=%7B%22url%22%3A%22b.jpg_sum.jpg%22%7D",
        ]
        var keys: [VariantKey] = []
        for text in texts {
            keys.append(VariantKey(source: SourceKey(text)))
            keys.append(VariantKey(source: SourceKey("s"), policy: text, variant: "v"))
            keys.append(VariantKey(source: SourceKey("s"), policy: "p", variant: text))
        }
        for (index, key) in keys.enumerated() { try cache.store(CacheEntry(data: Data("\(index)".utf8)), for: key) }
        for (index, key) in keys.enumerated() { #expect(try cache.entry(for: key)?.data == Data("\(index)".utf8)) }
        #expect(try cache.totalCount() == keys.count)
        cache.waitForTrimming()
        let digits = Set("0123456789abcdef")
        for path in try directory.contents() where !["v2/usage", "v2/secret"].contains(path) {
            #expect(path.dropFirst("v2/".count).allSatisfy { digits.contains($0) || $0 == "/" })
        }
    }

    @Test func `the file begins with the payload and is readable only by its owner`() throws {
        let cache = makeCache()
        try cache.store(entry, for: key)
        let bytes = try Data(contentsOf: URL(filePath: cache.path(for: key)))
        #expect(bytes.starts(with: entry.data))
        #expect(directory.permissions(of: cache.path(for: key)) == 0o600)
        #expect(directory.permissions(of: directory.path("v2/secret")) == 0o600)
        #expect(directory.permissions(of: directory.path("v2")) == 0o700)
    }

    @Test func `nothing is touched before the first store`() throws {
        let cache = makeCache()
        #expect(try cache.entry(for: key) == nil)
        #expect(try cache.totalByteCount() == 0)
        try cache.remove(key)
        try cache.removeAll(of: key.source)
        try cache.clear()
        try cache.removeExpired()
        try cache.removeAll(tagged: "album")
        try cache.removeAll(olderThan: .zero)
        #expect(try cache.verify().findings == [])
        #expect(try cache.inventory().entryCount == 0)
        cache.waitForTrimming()
        #expect(!directory.exists)
        #expect(issues.withLock { $0.map(\.description) } == [])
    }

    @Test func `the directory may vanish at any time`() throws {
        let cache = makeCache()
        try cache.store(entry, for: key)
        cache.waitForTrimming()
        try FileManager.default.removeItem(at: directory.url)
        #expect(try cache.entry(for: key) == nil)
        try cache.store(entry, for: key)
        #expect(try cache.entry(for: key) == entry)
    }

    @Test func `entries stored in a replaced directory are seen`() throws {
        let cache = makeCache()
        let other = VariantKey(source: SourceKey("https://example.org/dog.jpg"))
        try cache.store(entry, for: key)
        #expect(try cache.entry(for: key) == entry)
        cache.waitForTrimming()
        try FileManager.default.moveItem(atPath: directory.root, toPath: directory.root + "-moved")
        defer { try? FileManager.default.removeItem(atPath: directory.root + "-moved") }
        try makeCache().store(entry, for: other)
        #expect(try cache.entry(for: other) == entry)
        #expect(try cache.entry(for: key) == nil)

        try cache.store(CacheEntry(data: Data("newer".utf8)), for: key)
        #expect(try cache.entry(for: key)?.data == Data("newer".utf8))
        try cache.remove(key)
        #expect(try cache.entry(for: key) == nil)
    }

    @Test func `a replaced directory is read within a second, whatever its contents`() throws {
        let cache = makeCache()
        let elsewhere = TemporaryDirectory()
        let newer = CacheEntry(data: Data("newer".utf8))
        try cache.store(entry, for: key)
        cache.waitForTrimming()
        #expect(try cache.entry(for: key) == entry)
        try FileManager.default.moveItem(atPath: directory.root, toPath: elsewhere.root)
        let other = makeCache()
        try other.store(newer, for: key)
        other.waitForTrimming()
        time.advance(by: .seconds(1))
        #expect(try cache.entry(for: key) == newer)

        try FileManager.default.removeItem(atPath: directory.root)
        try #require(symlink(elsewhere.root, directory.root) == 0)
        time.advance(by: .seconds(1))
        #expect(try cache.entry(for: key) == entry)
    }

    @Test func `a hit takes one file system call, and two more once a second`() throws {
        let writer = makeCache()
        try writer.store(entry, for: key)
        writer.waitForTrimming()
        let files = FaultyFileSystem { _, _ in nil }
        let cache = makeCache(fileSystem: files)
        for count in [3, 4, 5, 8, 9] {
            #expect(try cache.entry(for: key) == entry)
            // The secret is read only once.
            #expect(files.callCount == count + 1)
            time.advance(by: .milliseconds(400))
        }
    }

    @Test func `two caches share a directory`() throws {
        let (one, other) = (makeCache(), makeCache())
        try one.store(entry, for: key)
        #expect(try other.entry(for: key) == entry)
        try other.remove(key)
        #expect(try one.entry(for: key) == nil)
    }

    @Test func `a read during concurrent stores finds a whole entry`() throws {
        let caches = [makeCache(), makeCache()]
        let key = self.key
        let wrong = Lock<[String]>([])
        try caches[0].store(CacheEntry(data: Data(repeating: 0, count: 20_000)), for: key)
        DispatchQueue.concurrentPerform(iterations: 6) { thread in
            for round in 0..<60 {
                do {
                    let cache = caches[round % 2]
                    if thread < 3 {
                        let byte = UInt8(thread * 80 + round / 2)
                        let data = Data(repeating: byte, count: 20_000 + Int(byte))
                        try cache.store(CacheEntry(data: data, attributes: ["byte": "\(byte)"]), for: key)
                    } else {
                        let entry = try cache.entry(for: key)
                        let byte = entry?.data.first ?? 0
                        if entry?.data != Data(repeating: byte, count: 20_000 + Int(byte)) {
                            wrong.withLock { $0.append("\(entry?.data.count ?? -1) bytes") }
                        }
                    }
                } catch {
                    wrong.withLock { $0.append("\(error)") }
                }
            }
        }
        #expect(wrong.withLock { $0 } == [])
        #expect(issues.withLock { $0.map(\.description) } == [])
        for cache in caches { cache.waitForTrimming() }
        #expect(try directory.contents().filter { $0.contains(".calotype-") } == [])
    }

    // MARK: Repairing

    @Test func `a truncated file is removed and loaded again`() throws {
        let cache = makeCache()
        try cache.store(entry, for: key)
        let whole = try Data(contentsOf: URL(filePath: cache.path(for: key)))
        cache.waitForTrimming()
        for length in 0..<whole.count {
            try directory.write(
                whole.prefix(length), to: cache.path(for: key), modificationTime: time.wallTime())
            #expect(try cache.entry(for: key) == nil)
            #expect(!exists(cache.path(for: key)))
        }
        #expect(cache.statistics.repairs == whole.count)
        #expect(issues.withLock { $0.count } == whole.count)
        try overwrite(key, with: whole, in: cache)
        #expect(try cache.entry(for: key) == entry)
    }

    @Test func `a file with a wrong byte is removed and loaded again`() throws {
        let cache = makeCache()
        try cache.store(entry, for: key)
        let whole = try Data(contentsOf: URL(filePath: cache.path(for: key)))
        cache.waitForTrimming()
        for index in whole.indices {
            var damaged = whole
            damaged[index] ^= 0x41
            try directory.write(damaged, to: cache.path(for: key), modificationTime: time.wallTime())
            #expect(try cache.entry(for: key) == nil)
            #expect(!exists(cache.path(for: key)))
        }
        #expect(cache.statistics.repairs == whole.count)
    }

    @Test func `a wrong bit is found anywhere in a long file`() throws {
        let cache = makeCache()
        let long = CacheEntry(data: Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) }))
        try cache.store(long, for: key)
        let whole = try Data(contentsOf: URL(filePath: cache.path(for: key)))
        let places = [0, 4095, 65_536, 131_071, 131_072, 262_144, 299_999, whole.count - 1]
        for place in places {
            var damaged = whole
            damaged[place] ^= 1
            try overwrite(key, with: damaged, in: cache)
            #expect(try cache.entry(for: key) == nil)
            #expect(!exists(cache.path(for: key)))
        }
        #expect(cache.statistics.repairs == places.count)
        for length in [65_536, 262_144, whole.count - 1] {
            try overwrite(key, with: whole.prefix(length), in: cache)
            #expect(try cache.entry(for: key) == nil)
        }
        try overwrite(key, with: whole, in: cache)
        #expect(try cache.entry(for: key) == long)
    }

    @Test func `a damaged entry is reported with its path and the reason`() throws {
        let cache = makeCache()
        try cache.store(entry, for: key)
        try overwrite(key, with: Data("<html>not an entry, but longer than the footer of one</html>".utf8), in: cache)
        #expect(try cache.entry(for: key) == nil)
        let issue = try #require(issues.withLock { $0.first })
        #expect(issue.code == .cacheFailed)
        #expect(issue.subject == cache.path(for: key))
        #expect(issue.message.contains("does not end with the signature of an entry"))
    }

    @Test func `a damaged or expired entry that is stored again before its removal stays`() throws {
        let dated = CacheEntry(data: Data("short".utf8), expiration: time.wallTime() + 10)
        for isDamaged in [true, false] {
            let (key, entry, other) = (self.key, self.entry, makeCache())
            let path = other.path(for: key)
            // Another cache stores the entry between its first and its second read.
            let reads = Lock(0)
            let files = FaultyFileSystem { operation, read in
                guard operation == .contents, read == path else { return nil }
                let count = reads.withLock { reads -> Int in
                    reads += 1
                    return reads
                }
                guard count == 2 else { return nil }
                return (try? other.store(entry, for: key)) == nil ? EIO : nil
            }
            let cache = makeCache(fileSystem: files)
            try other.store(dated, for: key)
            if isDamaged {
                try overwrite(key, with: Data("damaged".utf8), in: other)
            } else {
                time.advance(by: .seconds(11))
            }
            #expect(try cache.entry(for: key) == entry)
            #expect(try other.entry(for: key) == entry)
            #expect(cache.statistics.repairs == 0)
            #expect(cache.statistics.expirations == 0)
            #expect(issues.withLock { $0.map(\.description) } == [])
        }
    }

    @Test func `an entry that another process stores just before a removal stays, whatever it replaces`() throws {
        let dated = CacheEntry(data: Data("short".utf8), expiration: time.wallTime() + 10)
        for former in ["damaged", "expired", "link"] {
            let (key, entry, other) = (self.key, self.entry, makeCache())
            let path = other.path(for: key)
            try other.store(dated, for: key)
            switch former {
            case "damaged": try overwrite(key, with: Data("damaged".utf8), in: other)
            case "expired": time.advance(by: .seconds(11))
            default:
                other.waitForTrimming()
                try LocalFileSystem().removeFile(path)
                try #require(symlink("/dev/null", path) == 0)
            }
            // The other store comes when the entry has been read twice.
            let hasStored = Lock(false)
            let files = FaultyFileSystem { operation, examined in
                guard operation == .attributes, examined == path, !hasStored.withLock({ $0 }) else { return nil }
                hasStored.withLock { $0 = true }
                return (try? other.store(entry, for: key)) == nil ? EIO : nil
            }
            let cache = makeCache(fileSystem: files)
            #expect(try cache.entry(for: key) == nil)
            #expect(hasStored.withLock { $0 })
            #expect(try other.entry(for: key) == entry, "\(former)")
            #expect(cache.statistics.repairs == 0)
            #expect(cache.statistics.expirations == 0)
        }
    }

    @Test func `an entry larger than the limit of the cache is a miss and stays`() throws {
        let (large, small) = (makeCache(), makeCache(.init(byteLimit: 1000)))
        let entry = CacheEntry(data: Data(count: 1000))
        try large.store(entry, for: key)
        #expect(try small.entry(for: key) == nil)
        #expect(try !small.contains(key))
        #expect(try large.entry(for: key) == entry)
        #expect(issues.withLock { $0.map(\.description) } == [])
    }

    @Test func `the entry of another key is not returned, even under the same name`() throws {
        let cache = makeCache()
        let other = VariantKey(source: key.source, policy: key.policy, variant: "w=21")
        try cache.store(entry, for: other)
        try overwrite(key, with: Data(contentsOf: URL(filePath: cache.path(for: other))), in: cache)
        #expect(try cache.entry(for: key) == nil)
        #expect(try cache.entry(for: other) == entry)
        #expect(cache.statistics.repairs == 1)
    }

    @Test func `a link or a directory in the place of an entry is not returned`() throws {
        let cache = makeCache()
        let target = VariantKey(source: SourceKey("target"))
        try cache.store(entry, for: target)
        try cache.store(entry, for: key)
        cache.waitForTrimming()
        try cache.remove(key)
        try #require(symlink(cache.path(for: target), cache.path(for: key)) == 0)
        #expect(try !cache.contains(key))
        #expect(try cache.entry(for: key) == nil)
        #expect(!exists(cache.path(for: key)))
        #expect(try cache.entry(for: target) == entry)

        try LocalFileSystem().createDirectories(cache.path(for: key))
        #expect(try !cache.contains(key))
        #expect(try cache.entry(for: key) == nil)
    }

    // MARK: Expiration

    @Test func `an entry ends at its own date`() throws {
        let cache = makeCache()
        let short = CacheEntry(data: Data("x".utf8), expiration: time.wallTime() + 10)
        try cache.store(short, for: key)
        time.advance(by: .seconds(9))
        #expect(try cache.contains(key))
        #expect(try cache.entry(for: key) == short)
        time.advance(by: .seconds(2))
        #expect(try !cache.contains(key))
        #expect(exists(cache.path(for: key)))
        #expect(try cache.entry(for: key) == nil)
        #expect(!exists(cache.path(for: key)))
        #expect(cache.statistics.repairs == 0)
    }

    @Test func `an entry ends when it was not used for too long`() throws {
        let cache = makeCache(.init(maxAge: .seconds(1000)))
        try cache.store(entry, for: key)
        for _ in 0..<5 {
            time.advance(by: .seconds(900))
            #expect(try cache.entry(for: key) == entry)
        }
        time.advance(by: .seconds(900))
        #expect(try cache.contains(key))
        time.advance(by: .seconds(101))
        #expect(try !cache.contains(key))
        #expect(try cache.entry(for: key) == nil)
        #expect(!exists(cache.path(for: key)))
    }

    @Test func `without an age limit an entry stays forever`() throws {
        let cache = makeCache(.init(maxAge: nil))
        try cache.store(entry, for: key)
        time.advance(by: .seconds(100 * 365 * 86_400))
        #expect(try cache.entry(for: key) == entry)
    }

    @Test func `a use is recorded once a minute`() throws {
        let touches = Lock(0)
        let files = FaultyFileSystem { operation, _ in
            if operation == .setModificationTime { touches.withLock { $0 += 1 } }
            return nil
        }
        let cache = makeCache(fileSystem: files)
        try cache.store(entry, for: key)
        for _ in 0..<30 {
            time.advance(by: .seconds(9))
            _ = try cache.entry(for: key)
        }
        #expect(touches.withLock { $0 } == 4)
        let used = try LocalFileSystem().attributes(of: cache.path(for: key)).modificationTime
        #expect(abs(used - time.wallTime()) < 60)
    }

    @Test func `an entry dated in the future counts as new`() throws {
        let cache = makeCache()
        try cache.store(entry, for: key)
        time.moveWallTime(by: -86_400)
        #expect(try cache.entry(for: key) == entry)
        let used = try LocalFileSystem().attributes(of: cache.path(for: key)).modificationTime
        #expect(abs(used - time.wallTime()) < 1)
    }

    // MARK: Removing

    @Test func `removing twice is no error`() throws {
        let cache = makeCache()
        try cache.store(entry, for: key)
        try cache.remove(key)
        try cache.remove(key)
        #expect(try cache.entry(for: key) == nil)
    }

    @Test func `removing a source removes all of its variants and nothing else`() throws {
        let cache = makeCache()
        let source = SourceKey("removed")
        let removed = (0..<20).map { VariantKey(source: source, policy: "\($0 % 2)", variant: "\($0)") }
        for key in removed + [key] { try cache.store(entry, for: key) }
        let sourceDirectory = URL(filePath: cache.path(for: removed[0])).deletingLastPathComponent()
        try cache.removeAll(of: source)
        for key in removed { #expect(try !cache.contains(key)) }
        #expect(!exists(sourceDirectory.path(percentEncoded: false)))
        #expect(try cache.entry(for: key) == entry)
    }

    @Test func `removing a source costs the same, however many others there are`() throws {
        let source = SourceKey("removed")
        var counts: [Int] = []
        for otherCount in [0, 200] {
            let writer = makeCache()
            for number in 0..<otherCount {
                try writer.store(entry, for: VariantKey(source: SourceKey("\(number)")))
            }
            for number in 0..<5 { try writer.store(entry, for: VariantKey(source: source, variant: "\(number)")) }
            writer.waitForTrimming()
            let files = FaultyFileSystem { _, _ in nil }
            try makeCache(fileSystem: files).removeAll(of: source)
            counts.append(files.callCount)
            #expect(try writer.totalCount() == otherCount)
        }
        #expect(counts[0] == counts[1])
        #expect(counts[0] > 5)
    }

    @Test func `removing a source under a policy leaves its entries under other policies`() throws {
        let cache = makeCache()
        let source = SourceKey("removed")
        let keys = ["", "one", "other"].flatMap { policy in
            ["", "w=1"].map { VariantKey(source: source, policy: policy, variant: $0) }
        }
        for policy in ["one", ""] {
            for key in keys + [key] { try cache.store(entry, for: key) }
            try cache.removeAll(of: source, under: policy)
            for key in keys { #expect(try cache.contains(key) == (key.policy != policy), "\(key)") }
            #expect(try cache.contains(key))
        }
        try cache.removeAll(of: source, under: "never")
        #expect(try cache.contains(keys[2]))
    }

    @Test func `clearing removes every entry and leaves foreign files`() throws {
        let cache = makeCache()
        try cache.store(entry, for: key)
        try cache.store(entry, for: VariantKey(source: SourceKey("other")))
        let sourceDirectory = URL(filePath: cache.path(for: key)).deletingLastPathComponent()
        let foreign = [
            directory.path("notes.txt"), directory.path("v2/notes.txt"),
            sourceDirectory.appending(path: "notes.txt").path(),
        ]
        for path in foreign { try directory.write(Data("mine".utf8), to: path) }
        try cache.clear()
        #expect(try cache.totalCount() == 0)
        for path in foreign { #expect(exists(path)) }
    }

    // MARK: Failures

    @Test func `a directory that cannot be made is an error with its path and the reason`() throws {
        try LocalFileSystem().createDirectories(directory.root)
        try directory.write(Data(), to: directory.path("file"))
        let cache = DiskCache(at: directory.url.appending(path: "file/cache"), time: time)
        let error = try #require(throws: ImageError.self) { try cache.store(entry, for: key) }
        #expect(error.code == .cacheFailed)
        #expect(error.stage == .store)
        #expect(error.subject?.hasPrefix(directory.path("file")) == true)
        #expect(error.description.contains("Not a directory"))
    }

    @Test func `a full disk is an error, leaves no partial file and keeps the old entry`() throws {
        let isFull = Lock(false)
        let cache = makeCache(
            fileSystem: FaultyFileSystem { operation, _ in
                operation == .writeFile && isFull.withLock { $0 } ? ENOSPC : nil
            })
        try cache.store(entry, for: key)
        isFull.withLock { $0 = true }
        let error = try #require(throws: ImageError.self) {
            try cache.store(CacheEntry(data: Data("newer".utf8)), for: key)
        }
        #expect(error.code == .cacheFailed)
        #expect((error.cause as? FileSystemError)?.code == ENOSPC)
        #expect(try cache.entry(for: key) == entry)
        // Otherwise it may be writing its ledger.
        cache.waitForTrimming()
        #expect(try directory.contents().filter { $0.contains(".calotype-") } == [])
    }

    @Test func `a write that fails halfway leaves nothing behind`() throws {
        try LocalFileSystem().createDirectories(directory.path("taken"))
        let error = try #require(throws: FileSystemError.self) {
            try LocalFileSystem().writeFile(
                [Data("x".utf8)], to: directory.path("taken"), through: directory.path("temporary"),
                modificationTime: 1,
                isReadOnly: false, isDurable: false)
        }
        #expect(error.operation == "rename")
        #expect(!exists(directory.path("temporary")))
    }

    @Test(arguments: [EIO, EACCES])
    func `a read error of the disk is an error, not a miss`(code: Int32) throws {
        let writer = makeCache()
        try writer.store(entry, for: key)
        for file in [writer.path(for: key), directory.path("v2/secret")] {
            let cache = makeCache(
                fileSystem: FaultyFileSystem { operation, path in
                    let isRead = operation == .contents || operation == .attributes
                    return isRead && path == file ? code : nil
                })
            #expect(throws: ImageError.self) { try cache.entry(for: key) }
            #expect(throws: ImageError.self) { try cache.contains(key) }
            #expect(exists(writer.path(for: key)))
        }
        writer.waitForTrimming()
    }

    @Test func `a change that fails repeatedly is reported once, until it succeeds`() throws {
        let isReadOnly = Lock(true)
        let files = FaultyFileSystem { operation, _ in
            let isChange = operation == .setModificationTime || operation == .removeFile
            return isChange && isReadOnly.withLock { $0 } ? EROFS : nil
        }
        let dated = CacheEntry(data: Data("short".utf8), expiration: time.wallTime() + 10)
        let keys = (0..<5).map { VariantKey(source: SourceKey("\($0)")) }
        let writer = makeCache()
        for key in keys { try writer.store(entry, for: key) }
        try writer.store(dated, for: key)
        writer.waitForTrimming()
        let cache = makeCache(fileSystem: files)
        func failures() -> [String] {
            issues.withLock { issues in issues.compactMap { ($0.cause as? FileSystemError)?.operation }.sorted() }
        }

        time.advance(by: .seconds(100))
        for _ in 0..<2 {
            for key in keys { #expect(try cache.entry(for: key) == entry) }
            #expect(try cache.entry(for: key) == nil)
        }
        #expect(failures() == ["removeFile", "setModificationTime"])
        isReadOnly.withLock { $0 = false }
        #expect(try cache.entry(for: keys[0]) == entry)
        isReadOnly.withLock { $0 = true }
        for key in keys { #expect(try cache.entry(for: key) == entry) }
        #expect(failures() == ["removeFile", "setModificationTime", "setModificationTime"])
    }

    @Test func `an entry larger than the whole cache is refused`() throws {
        let cache = makeCache(.init(byteLimit: 1000))
        let error = try #require(throws: ImageError.self) {
            try cache.store(CacheEntry(data: Data(count: 1000)), for: key)
        }
        #expect(error.code == .cacheFailed)
        #expect(try directory.contents().sorted() == ["v2", "v2/secret"])
    }

    @Test func `a cache without limits accepts any entry`() throws {
        let cache = makeCache(.init(byteLimit: .max, countLimit: .max, lowWaterMark: 1, maxAge: nil))
        try cache.store(entry, for: key)
        cache.waitForTrimming()
        try cache.trim(toByteCount: .max)
        #expect(try cache.entry(for: key) == entry)
    }

    @Test(arguments: [0.0, -1, 0.5, 1, 2, .nan, .infinity, -.infinity])
    func `a low-water mark is never above the limits`(mark: Double) {
        for limit in [0, 1, 1000, Int.max - 1, Int.max] {
            let configuration = DiskCache.Configuration(byteLimit: limit, countLimit: limit, lowWaterMark: mark)
            #expect(configuration.lowWater.byteCount <= limit)
            #expect(configuration.lowWater.byteCount >= 0)
            #expect(configuration.lowWater.count == configuration.lowWater.byteCount)
        }
    }

    @Test func `namespaces have their own directories below the default one`() {
        #expect(DiskCache.directoryName(forNamespace: "avatars-2.big") == "avatars-2.big")
        let names = [
            "", "v", "v1", "v2", "V10", "=v1", "vault", "v1a", ".", "..", ".hidden", "../up", "a/b", "a=2fb", "é",
            "e\u{301}", "\0", String(repeating: "n", count: 201), String(repeating: "n", count: 202),
        ]
        let directoryNames = names.map { DiskCache.directoryName(forNamespace: $0) }
        #expect(Set(directoryNames).count == names.count)
        for name in directoryNames {
            #expect(!name.isEmpty && !name.hasPrefix(".") && !name.contains("/") && name.utf8.count <= 200)
        }
        // These names may be the directories of layouts.
        for name in ["v1", "v2", "V10"] { #expect(!directoryNames.contains(name)) }
        let directory = DiskCache.directory(forNamespace: "a b").path(percentEncoded: false)
        #expect(directory == DiskCache.defaultDirectory.path(percentEncoded: false) + "a=20b/")
    }

    @Test func `the default directory follows the specification`() {
        func path(_ environment: [String: String]) -> String {
            DiskCache.defaultDirectory { environment[$0] }.path(percentEncoded: false)
        }
        #expect(path(["HOME": "/home/somebody"]) == "/home/somebody/.cache/calotype/")
        #expect(path(["HOME": "/home/somebody", "XDG_CACHE_HOME": ""]) == "/home/somebody/.cache/calotype/")
        #expect(path(["HOME": "/home/somebody", "XDG_CACHE_HOME": "relative"]) == "/home/somebody/.cache/calotype/")
        #expect(path(["HOME": "/home/somebody", "XDG_CACHE_HOME": "/var/cache"]) == "/var/cache/calotype/")
        #expect(path(["HOME": "relative"]).hasPrefix("/"))
    }

    @Test func `a maximum age below a minute is applied`() throws {
        let cache = makeCache(.init(maxAge: .seconds(30)))
        try cache.store(entry, for: key)
        time.advance(by: .seconds(10))
        #expect(try cache.entry(for: key) != nil)
        time.advance(by: .seconds(31))
        #expect(try cache.entry(for: key) == nil)
    }
}
