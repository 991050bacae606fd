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

/// The secret of a directory, and the information that is accessible without it.
@Suite(.timeLimit(.minutes(5)))
struct DiskCacheSecretTests {
    /// Each directory gets a random secret, as outside tests.
    private let bench = DiskBench(makeSecret: { .random() })
    private let key = VariantKey(
        source: SourceKey("https://host/a.png?w=20&auth_token=s3cr3t"),
        policy: IdentityText(full: "user=YWxpY2U6MTIzNA==", shown: "user=redacted", exact: ""),
        variant: IdentityText("w=20"))
    private let entry = CacheEntry(data: Data("payload".utf8), tags: ["album"])

    private var directory: TemporaryDirectory { bench.directory }
    private var time: ManualTime { bench.time }
    private var path: String { directory.path("v2/secret") }

    private func secret() throws -> Data { try Data(contentsOf: URL(filePath: path)) }

    // MARK: Confidentiality

    @Test func `secrets of a key are in no file or name, and cannot be found by guessing`() throws {
        let cache = bench.cache()
        try cache.store(entry, for: key)
        cache.waitForTrimming()
        // The unsalted digests of the key and its parts.
        let guesses = ["s3cr3t", "YWxpY2U6MTIzNA==", "alice:1234", key.source.text, key.policy]
        var told: [UInt8] = []
        for name in try directory.contents() {
            told += Array(name.utf8)
            let file = URL(filePath: directory.path(name))
            if let content = try? Data(contentsOf: file), name != "v2/secret" { told += content }
        }
        for guess in guesses {
            let digest = SHA256.digest(of: guess.utf8).prefix(8)
            for bytes in [Array(guess.utf8), Array(digest), Array(SHA256.hex(digest).utf8)] {
                #expect(!told.indices.contains { told[$0...].starts(with: bytes) }, "\(guess)")
            }
        }
        let inventory = try cache.inventory()
        #expect(
            inventory.largest.map { $0.key?.description }
                == ["https://host/a.png?w=20&auth_token=redacted [w=20] {user=redacted}"])
        #expect(try cache.verify().findings == [])
    }

    @Test func `two directories have different secrets and no file names in common`() throws {
        let other = TemporaryDirectory()
        for cache in [bench.cache(), bench.cache(in: other)] {
            try cache.store(entry, for: key)
            cache.waitForTrimming()
        }
        let shared = try Set(directory.contents()).intersection(other.contents())
        #expect(shared.subtracting(["v2", "v2/secret", "v2/usage"]).filter { $0.count > 20 } == [])
        #expect(try secret() != Data(contentsOf: URL(filePath: other.path("v2/secret"))))
        #expect(try secret().count == 32)
        #expect(directory.permissions(of: path) == 0o600)
    }

    @Test func `keys that differ only in a secret have different entries`() throws {
        let cache = bench.cache()
        let keys = ["a", "b"].map { VariantKey(source: SourceKey("https://host/a.png?token=\($0)")) }
        #expect(keys[0] != keys[1])
        #expect(keys[0].description == keys[1].description)
        for (number, key) in keys.enumerated() { try cache.store(DiskBench.entry(number), for: key) }
        for (number, key) in keys.enumerated() { #expect(try cache.entry(for: key) == DiskBench.entry(number)) }
        try cache.removeAll(of: keys[0].source)
        #expect(try !cache.contains(keys[0]))
        #expect(try cache.contains(keys[1]))
    }

    // MARK: Creation

    @Test func `processes that create the secret at the same time get the same one`() throws {
        let caches = (0..<8).map { _ in bench.cache() }
        let failures = Lock<[String]>([])
        DispatchQueue.concurrentPerform(iterations: caches.count) { number in
            do {
                try caches[number].store(DiskBench.entry(number), for: DiskBench.key(number))
            } catch {
                failures.withLock { $0.append("\(error)") }
            }
        }
        #expect(failures.withLock { $0 } == [])
        for cache in caches { cache.waitForTrimming() }
        let cache = bench.cache()
        for number in caches.indices {
            #expect(try cache.entry(for: DiskBench.key(number)) == DiskBench.entry(number))
        }
        #expect(try directory.contents().filter { $0.contains(".calotype-") } == [])
    }

    @Test func `a secret that another process created first is used`() throws {
        // The other cache stores just before the secret is moved into place.
        let (other, key, entry) = (bench.cache(), self.key, self.entry)
        let files = FaultyFileSystem { operation, _ in
            guard operation == .linkFile else { return nil }
            return (try? other.store(entry, for: key)) == nil ? EIO : nil
        }
        let cache = bench.cache(files: files)
        try cache.store(DiskBench.entry(1), for: DiskBench.key(1))
        #expect(try cache.entry(for: key) == entry)
        #expect(try other.entry(for: DiskBench.key(1)) == DiskBench.entry(1))
    }

    @Test(arguments: [EPERM, ENOTSUP])
    func `the secret is created on a file system without hard links`(code: Int32) throws {
        let cache = bench.cache(files: FaultyFileSystem { operation, _ in operation == .linkFile ? code : nil })
        try cache.store(entry, for: key)
        #expect(try cache.entry(for: key) == entry)
        #expect(try bench.cache().entry(for: key) == entry)
        #expect(directory.permissions(of: path) == 0o600)
        let secret = try secret()
        try cache.store(DiskBench.entry(1), for: DiskBench.key(1))
        #expect(try self.secret() == secret)
    }

    @Test func `any call of the first store may fail: it is reported, and the next store succeeds`() throws {
        var number = 0
        var hasFailed = true
        while hasFailed {
            let directory = TemporaryDirectory()
            let files = FaultyFileSystem.failing(call: number, with: EIO)
            let cache = bench.cache(in: directory, files: files)
            let isStored = (try? cache.store(entry, for: key)) != nil
            cache.waitForTrimming()
            hasFailed = files.callCount > number
            let other = bench.cache(in: directory)
            if isStored { #expect(try other.entry(for: key) == entry, "call \(number)") }
            try other.store(entry, for: key)
            #expect(try other.entry(for: key) == entry, "call \(number)")
            #expect(try other.verify().findings == [], "call \(number)")
            number += 1
        }
        #expect(number > 10)
    }

    // MARK: Loss

    @Test func `without the secret the cache is empty, and its entries are removed as leftovers`() throws {
        let cache = bench.cache()
        try cache.store(entry, for: key)
        #expect(try cache.entry(for: key) == entry)
        cache.waitForTrimming()
        try LocalFileSystem().removeFile(path)
        #expect(try !bench.cache().contains(key))
        #expect(try bench.cache().entry(for: key) == nil)
        time.advance(by: .seconds(1))
        #expect(try cache.entry(for: key) == nil, "the secret is read at most once a second")
        #expect(cache.immediateEntry(for: key) != .entry(entry))
        try cache.remove(key)
        #expect(try cache.totalCount() == 1)

        try cache.store(entry, for: key)
        #expect(try cache.entry(for: key) == entry)
        #expect(try bench.cache().entry(for: key) == entry)
        cache.waitForTrimming()
        #expect(try cache.totalCount() == 2)
        let verification = try cache.verify()
        #expect(verification.findings == [])
        try cache.removeAll(tagged: "album")
        #expect(try cache.totalCount() == 1, "an entry that is not found is not found by its tags either")
        try cache.clear()
        #expect(try cache.totalCount() == 0)
        #expect(try cache.verify().findings == [])
    }

    @Test func `a replaced secret is noticed within a second`() throws {
        let cache = bench.cache()
        try cache.store(entry, for: key)
        cache.waitForTrimming()
        #expect(try cache.entry(for: key) == entry)
        let other = bench.cache()
        let newer = CacheEntry(data: Data("newer".utf8))
        time.advance(by: .milliseconds(10))
        try LocalFileSystem().removeFile(path)
        try other.store(newer, for: key)
        other.waitForTrimming()
        time.advance(by: .seconds(1))
        #expect(try cache.entry(for: key) == newer)
        try cache.remove(key)
        #expect(try other.entry(for: key) == nil)
    }

    @Test func `looking for an entry reads the secret only if its file has changed`() throws {
        let (secretPath, readCount) = (path, Lock(0))
        let cache = bench.cache(
            files: FaultyFileSystem { operation, path in
                if operation == .contents, path == secretPath { readCount.withLock { $0 += 1 } }
                return nil
            })
        try cache.store(entry, for: key)
        #expect(try cache.entry(for: key) == entry)
        cache.waitForTrimming()
        let count = readCount.withLock { $0 }
        for _ in 0..<3 { #expect(try cache.contains(key)) }
        #expect(readCount.withLock { $0 } == count)
        // When another cache creates another secret
        time.advance(by: .milliseconds(10))
        try LocalFileSystem().removeFile(path)
        let other = bench.cache()
        try other.store(DiskBench.entry(1), for: DiskBench.key(1))
        other.waitForTrimming()
        #expect(try !cache.contains(key))
        #expect(try cache.contains(DiskBench.key(1)))
    }

    @Test(arguments: [0, 31, 33, 1000])
    func `an invalid secret is replaced`(byteCount: Int) throws {
        try LocalFileSystem().createDirectories(directory.path("v2"))
        try directory.write(Data(repeating: 1, count: byteCount), to: path)
        let cache = bench.cache()
        #expect(try cache.entry(for: key) == nil)
        try cache.store(entry, for: key)
        #expect(try cache.entry(for: key) == entry)
        #expect(try secret().count == 32)
        #expect(directory.permissions(of: path) == 0o600)
    }

    @Test(arguments: [false, true])
    func `an unreadable secret of another user is replaced in a directory of this user`(isOurs: Bool) throws {
        try LocalFileSystem().createDirectories(directory.path("v2"))
        try directory.write(Data(repeating: 1, count: 32), to: path)
        let (secretPath, theirs) = (path, try LocalFileSystem().identity(of: path))
        let files = FaultyFileSystem { operation, path in
            guard operation == .contents, path == secretPath else { return nil }
            return (try? LocalFileSystem().identity(of: path)) == theirs ? EACCES : nil
        }.telling { _, ownership in
            DirectoryOwnership(ownerID: isOurs ? 1000 : 0, userID: 1000, isWritableByAll: ownership.isWritableByAll)
        }
        let cache = bench.cache(files: files)
        guard isOurs else {
            let error = try #require(throws: ImageError.self) { try cache.store(entry, for: key) }
            #expect((error.cause as? FileSystemError)?.code == EACCES)
            #expect(try secret() == Data(repeating: 1, count: 32))
            return
        }
        try cache.store(entry, for: key)
        #expect(try cache.entry(for: key) == entry)
        #expect(try secret() != Data(repeating: 1, count: 32))
        #expect(directory.permissions(of: path) == 0o600)
    }

    @Test(.enabled(if: geteuid() == 0), arguments: [(12_345, false), (12_345, true), (0, false)] as [(uid_t, Bool)])
    func `another user's secret is replaced unless trusted`(owner: uid_t, trustsOtherUsers: Bool) throws {
        try LocalFileSystem().createDirectories(directory.path("v2"))
        let theirs = Data(repeating: 1, count: 32)
        try directory.write(theirs, to: path)
        try #require(chown(path, owner, owner) == 0)
        let files = FaultyFileSystem { _, _ in nil }.telling { _, _ in DirectoryOwnership(ownerID: 1000, userID: 1000) }
        let cache = bench.cache(.init(trustsOtherUsers: trustsOtherUsers), files: files)
        #expect(try cache.entry(for: key) == nil)
        try cache.store(entry, for: key)
        #expect(try cache.entry(for: key) == entry)
        #expect(try (secret() == theirs) == (trustsOtherUsers || owner == 0))
        // Root trusts every user.
        try directory.write(theirs, to: path)
        try #require(chown(path, owner, owner) == 0)
        try bench.cache().store(entry, for: key)
        #expect(try secret() == theirs)
    }

    @Test func `a link in the place of the secret is not followed`() throws {
        let elsewhere = TemporaryDirectory()
        try LocalFileSystem().createDirectories(elsewhere.root)
        try elsewhere.write(Data(repeating: 1, count: 32), to: elsewhere.path("known"))
        try LocalFileSystem().createDirectories(directory.path("v2"))
        try #require(symlink(elsewhere.path("known"), path) == 0)
        let cache = bench.cache()
        try cache.store(entry, for: key)
        #expect(try cache.entry(for: key) == entry)
        #expect(try LocalFileSystem().attributes(of: path).kind == .file)
        #expect(try secret() != Data(repeating: 1, count: 32))
    }

    // MARK: Other directories

    @Test func `a read-only directory is read with its own secret, and is empty without`() throws {
        let shipped = TemporaryDirectory()
        let writer = bench.cache(in: shipped)
        try writer.store(entry, for: key)
        writer.waitForTrimming()
        let cache = bench.cache(readOnlyDirectories: [.cache(at: shipped.url)])
        #expect(try cache.contains(key))
        #expect(try cache.entry(for: key) == entry)
        try cache.store(DiskBench.entry(1), for: DiskBench.key(1))
        #expect(try cache.entry(for: DiskBench.key(1)) == DiskBench.entry(1))
        #expect(try cache.entry(for: key) == entry)
        try LocalFileSystem().removeFile(shipped.path("v2/secret"))
        time.advance(by: .seconds(1))
        #expect(try !cache.contains(key))
        #expect(try cache.entry(for: key) == nil)
        #expect(try cache.entry(for: DiskBench.key(1)) == DiskBench.entry(1))
        #expect(try shipped.contents().contains("v2/secret") == false)
    }

    @Test func `the secret moves with the directory`() throws {
        let destination = TemporaryDirectory()
        let cache = bench.cache()
        try cache.store(entry, for: key)
        cache.waitForTrimming()
        let secret = try secret()
        try cache.move(to: destination.url)
        #expect(try Data(contentsOf: URL(filePath: destination.path("v2/secret"))) == secret)
        #expect(try bench.cache(in: destination).entry(for: key) == entry)
        #expect(!directory.exists)
    }

    @Test(arguments: [false, true])
    func `the secret moves to a directory without one, also from another disk`(isOtherDisk: Bool) throws {
        let destination = TemporaryDirectory()
        try LocalFileSystem().createDirectories(destination.path("v2/notes"))
        let root = directory.root
        let files = FaultyFileSystem { operation, path in
            let isFarAway = operation == .move || operation == .linkFile
            return isOtherDisk && isFarAway && path.hasPrefix(root) ? EXDEV : nil
        }
        let writer = bench.cache()
        try writer.store(entry, for: key)
        writer.waitForTrimming()
        try bench.cache(files: files).move(to: destination.url)
        let other = bench.cache(in: destination)
        #expect(try other.entry(for: key) == entry)
        #expect(try other.verify().findings == [])
        #expect(!directory.exists)
    }

    @Test func `entries moved to a directory with another secret are renamed, or removed if a key is unknown`() throws {
        let destination = TemporaryDirectory()
        let (cache, other) = (bench.cache(), bench.cache(in: destination))
        try other.store(DiskBench.entry(9), for: DiskBench.key(9))
        try other.store(DiskBench.entry(99), for: DiskBench.key(3))
        for number in 0..<5 {
            time.advance(by: .seconds(10))
            try cache.store(DiskBench.entry(number, tags: ["album"]), for: DiskBench.key(number))
        }
        let plain = VariantKey(source: DiskBench.key(0).source, policy: "p", variant: "w=1")
        let dated = CacheEntry(data: Data("x".utf8), expiration: time.wallTime() + 50, attributes: ["etag": "1"])
        try cache.store(dated, for: plain)
        try cache.store(entry, for: key)
        for cache in [cache, other] { cache.waitForTrimming() }
        let stamp = try LocalFileSystem().attributes(of: cache.path(for: DiskBench.key(1))).modificationTime

        try cache.move(to: destination.url)
        #expect(!directory.exists)
        #expect(try other.totalCount() == 7)
        for number in [0, 1, 2, 4] {
            #expect(
                try other.entry(for: DiskBench.key(number)) == DiskBench.entry(number, tags: ["album"]), "\(number)")
        }
        #expect(try other.entry(for: DiskBench.key(3)) == DiskBench.entry(99), "the existing entry is kept")
        #expect(try other.entry(for: plain) == dated)
        #expect(try other.entry(for: key) == nil)
        let moved = try LocalFileSystem().attributes(of: other.path(for: DiskBench.key(1))).modificationTime
        #expect(abs(moved - stamp) < 0.001)
        #expect(try other.verify().findings == [])
        try other.removeAll(tagged: "album")
        #expect(try other.totalCount() == 3)
        time.advance(by: .seconds(51))
        #expect(try !other.contains(plain))
    }
}
