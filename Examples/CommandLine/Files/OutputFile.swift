import CalotypeStandard
import Dispatch
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Writing files whole or not at all.
enum OutputFile {
    /// How many files are written at once. Whoever holds all slots knows that none is.
    private static let slotCount = 4
    private static let slots = DispatchSemaphore(value: slotCount)
    /// The prefix of the names of unfinished files.
    private static let prefix = ".calotype-"
    /// The number of names to try. The first is practically never taken, unless somebody takes it on purpose.
    private static let attemptCount = 8
    /// The age in seconds up to which an unfinished file may still be in use by the process that writes it.
    private static let longestWrite = 24 * 60 * 60
    /// The directories in which this process has looked for what others left.
    private static let tidyDirectories = Mutex<Set<String>>([])

    /// Writes a file, in place of the one that was there. Blocks.
    ///
    /// The bytes go into a file beside it, which then gets its name. That file has no name of its own where the system
    /// has such files, so that nothing is left of it when the process is killed. What is no regular file, such as a
    /// device or a pipe, is written to directly: replacing it would not be what was meant. The target of a symbolic
    /// link is replaced rather than the link.
    static func save(_ data: Data, to path: String) throws {
        var status = stat()
        let exists = stat(path, &status) == 0
        let kind = status.st_mode & S_IFMT
        if exists, kind != S_IFREG {
            guard kind != S_IFDIR else {
                throw problem("cannot write to '\(path)': it is a directory", advice: "use the path of a file in it")
            }
            return try overwrite(path, with: data)
        }
        try replace(exists ? resolved(path) : path, with: data, mode: exists ? status.st_mode & 0o777 : nil, name: path)
    }

    /// Waits until no file is being written, but not for ever; after that, none is. For the end of the process.
    static func finish() {
        let deadline = DispatchTime.now() + DispatchTimeInterval.seconds(2)
        for _ in 0..<slotCount {
            guard slots.wait(timeout: deadline) == .success else { return }
        }
    }

    /// Writes a file beside `target`, which it then replaces.
    private static func replace(_ target: String, with data: Data, mode: mode_t?, name: String) throws {
        slots.wait()
        defer { slots.signal() }
        let directory = FileName.directory(of: target)
        let code =
            writeUnnamed(in: directory, data, mode, to: target) ?? writeNamed(in: directory, data, mode, to: target)
        guard code == 0 else { throw failure(code, name) }
    }

    /// Writes a file without a name into a directory, and gives it the name `target`.
    ///
    /// A link replaces no file. Where there is one already, the name comes by way of another, which exists for an
    /// instant.
    /// - Returns: The error number, 0 for success; nil where the system has no such files, or gives them no names.
    private static func writeUnnamed(
        in directory: String, _ data: Data, _ mode: mode_t?, to target: String
    ) -> Int32? {
        #if os(Linux)
        // O_TMPFILE, whose definition Swift does not see: open(2). The number is the same on all architectures that
        // Swift has.
        let descriptor = open(directory, 0o20000000 | O_DIRECTORY | O_WRONLY | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let code = fill(descriptor, with: data, mode: mode)
        guard code == 0 else { return code }
        // Some file systems find out only when a descriptor is closed that there is no room.
        let copy = dup(descriptor)
        guard copy >= 0, close(copy) == 0 else { return errno }
        let file = "/proc/self/fd/\(descriptor)"
        if mode == nil {
            if linkat(AT_FDCWD, file, AT_FDCWD, target, AT_SYMLINK_FOLLOW) == 0 { return 0 }
            // There is a file since a moment ago, or a link that leads nowhere.
            guard errno == EEXIST else { return nil }
        }
        let (result, temporary) = named(in: directory) { linkat(AT_FDCWD, file, AT_FDCWD, $0, AT_SYMLINK_FOLLOW) }
        guard result == 0 else { return nil }
        return place(temporary, as: target)
        #else
        return nil
        #endif
    }

    /// Writes a file with a name of its own into a directory, and gives it the name `target`. Returns the error number,
    /// 0 for success.
    private static func writeNamed(in directory: String, _ data: Data, _ mode: mode_t?, to target: String) -> Int32 {
        let (descriptor, temporary) = named(in: directory) {
            open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode ?? 0o666)
        }
        guard descriptor >= 0 else { return errno }
        var code = fill(descriptor, with: data, mode: mode)
        if close(descriptor) != 0, code == 0 { code = errno }
        guard code == 0 else {
            unlink(temporary)
            return code
        }
        return place(temporary, as: target)
    }

    /// Makes a file under a name that nobody can foresee. What was left of such files in the directory is removed
    /// before the first.
    /// - Parameter make: Makes a file of a name; returns less than 0, and sets the error number, where it cannot.
    /// - Returns: What `make` returned last, and the name that it was given.
    private static func named(in directory: String, _ make: (String) -> Int32) -> (result: Int32, name: String) {
        if tidyDirectories.withLock({ $0.insert(directory).inserted }) { removeRemains(in: directory) }
        var (result, name): (Int32, String) = (-1, "")
        for _ in 0..<attemptCount {
            name = "\(directory)/\(prefix)\(String(UInt64.random(in: 0...UInt64.max), radix: 16))"
            result = make(name)
            guard result < 0, errno == EEXIST else { break }
        }
        return (result, name)
    }

    /// Removes what processes of this user that were killed have left in a directory more than a day ago.
    private static func removeRemains(in directory: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [] where name.hasPrefix(prefix)
        {
            let path = "\(directory)/\(name)"
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
                Int(time(nil)) - modificationTime(status) > longestWrite
            else { continue }
            unlink(path)
        }
    }

    /// When a file was written last, in seconds since 1970.
    private static func modificationTime(_ status: stat) -> Int {
        #if canImport(Darwin)
        status.st_mtimespec.tv_sec
        #else
        status.st_mtim.tv_sec
        #endif
    }

    /// Writes all of a new file, with the permissions of the one that it replaces. Returns the error number.
    private static func fill(_ descriptor: Int32, with data: Data, mode: mode_t?) -> Int32 {
        let code = Descriptor.send(data, to: descriptor)
        if code == 0, let mode { fchmod(descriptor, mode) }
        return code
    }

    /// Gives a whole file its name. Returns the error number, 0 for success; there is no file then.
    private static func place(_ temporary: String, as target: String) -> Int32 {
        guard rename(temporary, target) != 0 else { return 0 }
        let code = errno
        unlink(temporary)
        return code
    }

    /// Makes a directory, and those above it, unless it is there. Blocks.
    static func createDirectory(_ path: String) throws {
        var name = path
        while name.hasSuffix("/"), name.count > 1 { name.removeLast() }
        if let identity = FileIdentity(name) {
            guard identity.isDirectory else {
                throw problem(
                    "cannot write images to '\(name)': it is not a directory", advice: "pass a directory with --output")
            }
            return
        }
        let parent = FileName.directory(of: name)
        if parent != name { try createDirectory(parent) }
        guard mkdir(name, 0o777) == 0 || errno == EEXIST else { throw failure(errno, name, "create the directory") }
    }

    private static func overwrite(_ path: String, with data: Data) throws {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(errno, path) }
        defer { close(descriptor) }
        let code = Descriptor.send(data, to: descriptor)
        guard code == 0 else { throw failure(code, path) }
    }

    /// Where a symbolic link leads to.
    private static func resolved(_ path: String) -> String {
        guard let target = realpath(path, nil) else { return path }
        defer { free(target) }
        return String(cString: target)
    }

    /// The error of an operation on a path.
    private static func failure(_ code: Int32, _ path: String, _ operation: String = "write to") -> ImageError {
        let advice =
            switch code {
            case ENOENT, ENOTDIR: "use an existing directory"
            case EACCES, EPERM, EROFS: "use a directory that you may write to"
            case ENOSPC, EDQUOT: "free disk space"
            case EFBIG: "raise the limit on file sizes with 'ulimit -f'"
            case EMFILE, ENFILE: "raise the limit on open files with 'ulimit -n', or lower --concurrency"
            default: "check the path and its file system"
            }
        return problem("cannot \(operation) '\(path)': \(String(cString: strerror(code)))", advice: advice)
    }

    private static func problem(_ message: String, advice: String) -> ImageError {
        ImageError(
            ImageError.Code(rawValue: "outputFailed"), stage: .encode, message: message, advice: advice)
    }
}
