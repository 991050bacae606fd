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
struct LocalFileSystemTests {
    private let files = LocalFileSystem()
    private let directory = TemporaryDirectory()
    private let digits = Array("0123456789".utf8)

    /// Reads some of the digits like `pread`, but at most `most` of them.
    private func give(
        _ buffer: UnsafeMutableRawPointer, _ count: Int, _ offset: off_t, atMost most: Int
    ) -> Int {
        let piece = Array(digits.dropFirst(Int(offset)).prefix(min(most, count)))
        buffer.copyMemory(from: piece, byteCount: piece.count)
        return piece.count
    }

    // MARK: Reading

    @Test(arguments: [1, 3, 10, 11])
    func `partial reads of the system are put together`(most: Int) throws {
        for (range, expected) in [(0..<32, "0123456789"), (0..<10, "0123456789"), (2..<5, "234"), (4..<4, "")] {
            let bytes = try LocalFileSystem.bytes(in: range, path: "/x") { buffer, count, offset in
                give(buffer, count, offset, atMost: most)
            }
            #expect(bytes == Data(expected.utf8))
        }
    }

    @Test func `no read follows once all bytes are there`() throws {
        var calls = 0
        let bytes = try LocalFileSystem.bytes(in: 0..<10, path: "/x") { buffer, count, offset in
            calls += 1
            return give(buffer, count, offset, atMost: 10)
        }
        #expect(bytes == Data(digits))
        #expect(calls == 1)
    }

    @Test func `a signal does not interrupt opening a file`() throws {
        var outcomes: [(Int32, Int32)] = [(-1, EINTR), (-1, EINTR), (7, 0), (-1, EINTR), (-1, EACCES)]
        func call() -> Int32 {
            let (outcome, code) = outcomes.removeFirst()
            errno = code
            return outcome
        }
        let descriptor = try retrying("open", "/x", call)
        #expect(descriptor == 7)
        let error = try #require(throws: FileSystemError.self) { try retrying("open", "/x", call) }
        #expect(error == FileSystemError(code: EACCES, operation: "open", path: "/x"))
        #expect(outcomes.isEmpty)
    }

    @Test func `a signal does not end a read`() throws {
        var calls = 0
        let bytes = try LocalFileSystem.bytes(in: 0..<32, path: "/x") { buffer, count, offset in
            calls += 1
            if calls % 2 == 1 {
                errno = EINTR
                return -1
            }
            return give(buffer, count, offset, atMost: 4)
        }
        #expect(bytes == Data(digits))
    }

    @Test func `a file that shrinks during a read ends early`() throws {
        var most = 6
        let bytes = try LocalFileSystem.bytes(in: 0..<10, path: "/x") { buffer, count, offset in
            defer { most = 0 }
            return give(buffer, count, offset, atMost: most)
        }
        #expect(bytes == Data("012345".utf8))
    }

    @Test func `an error names the reason and the file of a failed read`() throws {
        var calls = 0
        let error = try #require(throws: FileSystemError.self) {
            try LocalFileSystem.bytes(in: 0..<10, path: "/x") { buffer, count, offset in
                calls += 1
                errno = EIO
                return calls == 1 ? give(buffer, count, offset, atMost: 4) : -1
            }
        }
        #expect(error == FileSystemError(code: EIO, operation: "read", path: "/x"))
    }

    @Test func `a file is read whole, whatever its length, and rejected beyond the limit`() throws {
        try files.createDirectories(directory.root)
        for count in [0, 1, 32_768, 100_000] {
            let content = Data((0..<count).map { UInt8(truncatingIfNeeded: $0) })
            try directory.write(content, to: directory.path("file"))
            let kept = KeptDirectory(directory.root)
            let found = try files.contents(of: "file", in: kept, byteLimit: count)
            #expect(found.data == content)
            #expect(try files.attributes(of: directory.path("file")) == found.attributes)
            #expect(found.attributes.byteCount == count)
            #expect(try files.tail(of: directory.path("file"), byteCount: 40) == content.suffix(40))
            guard count > 0 else { continue }
            let error = try #require(throws: FileSystemError.self) {
                try files.contents(of: "file", in: kept, byteLimit: count - 1)
            }
            #expect(error == FileSystemError(code: EFBIG, operation: "read", path: directory.path("file")))
        }
    }

    @Test func `the error of a failed read names the whole path`() throws {
        try files.createDirectories(directory.path("directory"))
        try #require(mkfifo(directory.path("pipe"), 0o600) == 0)
        let kept = KeptDirectory(directory.root)
        for (name, code) in [("directory", EISDIR), ("pipe", EISDIR), ("none", ENOENT), ("directory/none", ENOENT)] {
            let error = try #require(throws: FileSystemError.self) {
                try files.contents(of: name, in: kept, byteLimit: 10)
            }
            #expect(error.code == code)
            #expect(error.path == directory.path(name))
        }
    }

    @Test
    func `no link below a directory is followed, whether the system enforces it or each directory is opened in turn`()
        throws
    {
        try files.createDirectories(directory.path("a/b"))
        try directory.write(Data("x".utf8), to: directory.path("a/b/file"))
        for (target, name) in [("b", "a/link"), ("a", "link"), ("file", "a/b/link"), ("nowhere", "a/nowhere")] {
            try #require(symlink(target, directory.path(name)) == 0)
        }
        let descriptor = open(directory.root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let codes = [
            "a/b/file": 0, "a/link/file": ELOOP, "link/b/file": ELOOP, "a/b/link": ELOOP, "a/nowhere/file": ELOOP,
            "a/none/file": ENOENT, "a/b/none": ENOENT, "a/b/file/file": ENOTDIR,
        ]
        for (name, code) in codes {
            let outcomes = [
                LinklessPath.openFile(name, below: descriptor), LinklessPath.openFileInSteps(name, below: descriptor),
            ]
            for outcome in outcomes {
                #expect(max(0, -outcome) == code, "\(name)")
                if outcome >= 0 { close(outcome) }
            }
            guard code != 0 else { continue }
            let error = try #require(throws: FileSystemError.self) {
                try files.contents(of: name, in: KeptDirectory(directory.root), byteLimit: 10)
            }
            #expect(error.code == code)
        }
    }

    @Test func `a directory is opened without following links, in one step or directory by directory`() throws {
        try files.createDirectories(directory.path("a/b"))
        try directory.write(Data("x".utf8), to: directory.path("a/file"))
        for (target, name) in [("b", "a/link"), ("a", "link")] {
            try #require(symlink(target, directory.path(name)) == 0)
        }
        let descriptor = open(directory.root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let codes = [
            "a": 0, "a/b": 0, "link": ELOOP, "a/link": ELOOP, "link/b": ELOOP, "a/none": ENOENT, "a/file": ENOTDIR,
        ]
        for (name, code) in codes {
            let outcomes = [
                LinklessPath.openDirectory(name, below: descriptor),
                LinklessPath.openDirectoryInSteps(name, below: descriptor),
            ]
            for outcome in outcomes {
                #expect(max(0, -outcome) == code, "\(name)")
                if outcome >= 0 { close(outcome) }
            }
        }
    }

    // MARK: Changing

    @Test func `a confined file system changes nothing through a link`() throws {
        let elsewhere = TemporaryDirectory()
        try files.createDirectories(elsewhere.path("directory/below"))
        try elsewhere.write(Data("mine".utf8), to: elsewhere.path("file"), modificationTime: 1000)
        try files.createDirectories(directory.path("root"))
        try #require(symlink(elsewhere.root, directory.path("root/link")) == 0)
        try directory.write(Data("x".utf8), to: directory.path("root/own"))
        let confined = files.confined(below: directory.path("root"))
        let link = directory.path("root/link")
        let changes: [() throws -> Void] = [
            { try confined.removeFile("\(link)/file") },
            { _ = try confined.tail(of: "\(link)/file", byteCount: 4) },
            { try confined.removeDirectory("\(link)/directory/below") },
            { try confined.removeDirectoryWithItems("\(link)/directory") },
            { try confined.setModificationTime(5, of: "\(link)/file") },
            { try confined.createDirectories("\(link)/made") },
            { try confined.move("\(link)/file", to: "\(link)/moved") },
            { try confined.linkFile(self.directory.path("root/own"), to: "\(link)/linked") },
            {
                try confined.writeFile(
                    [Data("theirs".utf8)], to: "\(link)/file", through: "\(link)/half", modificationTime: 5,
                    isReadOnly: false, isDurable: false)
            },
        ]
        for (number, change) in changes.enumerated() {
            let error = try #require(throws: FileSystemError.self, "\(number)") { try change() }
            #expect(error.code == ELOOP, "\(number)")
        }
        #expect(try elsewhere.contents().sorted() == ["directory", "directory/below", "file"])
        #expect(try files.attributes(of: elsewhere.path("file")).modificationTime == 1000)
        #expect(try Data(contentsOf: URL(filePath: elsewhere.path("file"))) == Data("mine".utf8))
        // Removing the link does not affect its target.
        try confined.removeFile(link)
        #expect(try directory.contents().sorted() == ["root", "root/own"])
    }

    @Test func `a confined file system behaves like an unconfined one, also through a link to its directory`() throws {
        try files.createDirectories(directory.path("there"))
        try #require(symlink("there", directory.path("root")) == 0)
        let root = directory.path("root")
        let confined = files.confined(below: root)
        let write = { (name: String) throws -> Void in
            try confined.writeFile(
                [Data("x".utf8)], to: "\(root)/\(name)", through: "\(root)/\(name)-half", modificationTime: 1000,
                isReadOnly: false, isDurable: true)
        }
        let error = try #require(throws: FileSystemError.self) { try write("a/b/file") }
        #expect(error.code == ENOENT)
        try confined.createDirectories("\(root)/a/b")
        try confined.createDirectories("\(root)/a/b")
        try write("a/b/file")
        try write("top")
        try confined.linkFile("\(root)/a/b/file", to: "\(root)/second")
        try confined.move("\(root)/top", to: "\(root)/a/b/top")
        try confined.setModificationTime(2000, of: "\(root)/a/b/top")
        #expect(try files.attributes(of: "\(root)/a/b/top").modificationTime == 2000)
        #expect(
            try FileManager.default.subpathsOfDirectory(atPath: directory.path("there")).sorted()
                == ["a", "a/b", "a/b/file", "a/b/top", "second"])
        try confined.removeFile("\(root)/second")
        try confined.removeDirectoryWithItems("\(root)/a")
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path("there")) == [])
    }

    @Test func `a directory is removed with its contents, whatever their names, and links are not followed`() throws {
        let elsewhere = TemporaryDirectory()
        try files.createDirectories(elsewhere.root)
        try elsewhere.write(Data("mine".utf8), to: elsewhere.path("file"))
        try files.createDirectories(directory.path("tree/a/b"))
        for number in 0..<300 { try directory.write(Data(), to: directory.path("tree/a/\(number)")) }
        try #require(symlink(elsewhere.root, directory.path("tree/a/b/link")) == 0)
        let name = [CChar(truncatingIfNeeded: 0xFF), 0]
        let descriptor = open(directory.path("tree"), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        // Fails where names must be UTF-8.
        _ = mkdirat(descriptor, name, 0o700)
        try files.removeDirectoryWithItems(directory.path("tree"))
        #expect(try directory.contents() == [])
        #expect(try elsewhere.contents() == ["file"])
    }

    @Test func `a directory that is too deep stays, and the error names it`() throws {
        let names = [String](repeating: "d", count: DirectoryRemoval.depthLimit).joined(separator: "/")
        try files.createDirectories(directory.path("tree/\(names)/below"))
        let error = try #require(throws: FileSystemError.self) {
            try files.removeDirectoryWithItems(directory.path("tree"))
        }
        #expect(error.code == ENOTEMPTY)
        #expect(error.path == directory.path("tree/\(names)"))
        // An empty directory may have the maximum depth.
        try files.removeDirectory(directory.path("tree/\(names)/below"))
        try files.removeDirectoryWithItems(directory.path("tree"))
        #expect(try directory.contents() == [])
    }

    @Test(.enabled(if: geteuid() != 0))
    func `the error names the item that cannot be removed`() throws {
        try files.createDirectories(directory.path("tree/a/locked"))
        try directory.write(Data(), to: directory.path("tree/a/locked/file"))
        try #require(chmod(directory.path("tree/a/locked"), 0o500) == 0)
        let error = try #require(throws: FileSystemError.self) {
            try files.removeDirectoryWithItems(directory.path("tree"))
        }
        try #require(chmod(directory.path("tree/a/locked"), 0o700) == 0)
        let path = directory.path("tree/a/locked/file")
        #expect(error == FileSystemError(code: EACCES, operation: "remove", path: path))
    }

    @Test(.enabled(if: geteuid() != 0))
    func `an empty directory that cannot be read is removed`() throws {
        try files.createDirectories(directory.path("tree/locked"))
        try #require(chmod(directory.path("tree/locked"), 0o000) == 0)
        try files.removeDirectoryWithItems(directory.path("tree"))
        #expect(try directory.contents() == [])
    }

    @Test func `a link to a directory is not listed as a directory`() throws {
        try files.createDirectories(directory.path("a"))
        try #require(symlink("a", directory.path("link")) == 0)
        #expect(try files.items(in: directory.path("link/.")).isEmpty)
        let error = try #require(throws: FileSystemError.self) { try files.items(in: directory.path("link")) }
        #expect(error == FileSystemError(code: ENOTDIR, operation: "list", path: directory.path("link")))
    }

    @Test func `the owner and the permissions of a directory come from the system`() throws {
        try files.createDirectories(directory.path("a"))
        try directory.write(Data(), to: directory.path("file"))
        try #require(symlink("a", directory.path("link")) == 0)
        #expect(try files.ownership(of: directory.path("none")) == nil)
        for (permissions, isWritableByAll) in [(0o700, false), (0o775, false), (0o702, true), (0o1777, true)] {
            try #require(chmod(directory.path("a"), mode_t(permissions)) == 0)
            let expected = DirectoryOwnership(ownerID: geteuid(), userID: geteuid(), isWritableByAll: isWritableByAll)
            for name in ["a", "link"] { #expect(try files.ownership(of: directory.path(name)) == expected) }
        }
        let error = try #require(throws: FileSystemError.self) { try files.ownership(of: directory.path("file")) }
        #expect(error.code == ENOTDIR)
    }

    // MARK: Other calls

    @Test func `setting the time of a link does not change its target`() throws {
        try files.createDirectories(directory.root)
        try directory.write(Data("mine".utf8), to: directory.path("file"), modificationTime: 1000)
        try #require(symlink(directory.path("file"), directory.path("link")) == 0)
        try files.setModificationTime(2000, of: directory.path("link"))
        #expect(try files.attributes(of: directory.path("file")).modificationTime == 1000)
        #expect(try files.attributes(of: directory.path("link")).modificationTime == 2000)
    }

    @Test(arguments: [.infinity, -.infinity, .nan, 1e300, -1e300, -1e-20] as [Double])
    func `no modification time crashes the process`(time: Double) throws {
        try files.createDirectories(directory.root)
        try directory.write(Data(), to: directory.path("file"))
        // A file system may refuse it.
        try? files.setModificationTime(time, of: directory.path("file"))
        #expect(try files.attributes(of: directory.path("file")).modificationTime.isFinite)
    }

    #if os(Linux)
    @Test func `a file name that is not valid text is listed by kind`() throws {
        try files.createDirectories(directory.root)
        let path: [CChar] = directory.path("").utf8.map { CChar(bitPattern: $0) } + [-1, -2, 0]
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        try #require(descriptor >= 0)
        defer { unlink(path) }
        close(descriptor)
        #expect(try files.items(in: directory.root).map { $0.attributes.kind } == [.file])
    }
    #endif

    // MARK: Identity

    @Test func `a directory is recognized by any path to it`() throws {
        try files.createDirectories(directory.path("a/b"))
        try files.createDirectories(directory.path("c"))
        try #require(symlink(directory.path("a/b"), directory.path("c/link")) == 0)
        let one = try #require(try DirectoryIdentity(of: directory.path("a/b")))
        #expect(try DirectoryIdentity(of: directory.path("c/link")) == one)
        #expect(try DirectoryIdentity(of: directory.path("c/../a//b/.")) == one)
        #expect(try DirectoryIdentity(of: directory.path("a")) != one)
        #expect(try DirectoryIdentity(of: directory.path("a/none")) == nil)

        let above = try #require(try DirectoryIdentity(of: directory.path("a")))
        for name in ["a", "a/b", "a/none/at/all", "c/link", "c/link/none"] {
            #expect(above.contains(directory.path(name), files))
        }
        for name in ["", "c", "c/none", "none", "ab"] { #expect(!above.contains(directory.path(name), files)) }
    }
}
