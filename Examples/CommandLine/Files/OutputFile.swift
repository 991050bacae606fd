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

/// Writes output files completely or not at all.
enum OutputFile {
    /// The number of files that can be written at once. Each holds one slot, so a caller that holds all slots knows
    /// that no file is being written.
    private static let slotCount = 4
    private static let slots = DispatchSemaphore(value: slotCount)
    /// The prefix of the names of temporary files.
    private static let prefix = ".calotype-"
    /// The maximum number of names to try for a temporary file. The names are random, so a name is only taken if
    /// another program has guessed it.
    private static let attemptCount = 8
    /// The age, in seconds, up to which a temporary file may still be in use by a running process.
    private static let longestWrite = 24 * 60 * 60
    /// The directories from which this process has already removed the temporary files of killed processes.
    private static let tidyDirectories = Mutex<Set<String>>([])

    /// Writes a file, replacing any file at the path. Blocks.
    ///
    /// The bytes go into a temporary file in the same directory, which then takes the place of the old file. If the
    /// system supports unnamed files, the temporary file is unnamed, so that a killed process leaves nothing behind.
    /// Devices, pipes and other special files are not replaced; the bytes are written to them directly. If the path is
    /// a symbolic link, its target is replaced, not the link.
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

    /// Waits until no file is being written, but at most two seconds, and prevents further writes. Call this at the end
    /// of the process.
    static func finish() {
        let deadline = DispatchTime.now() + DispatchTimeInterval.seconds(2)
        for _ in 0..<slotCount {
            guard slots.wait(timeout: deadline) == .success else { return }
        }
    }

    /// Writes a temporary file in the directory of `target`, and replaces `target` by it.
    /// - Parameters:
    ///   - target: The path to replace.
    ///   - data: The bytes.
    ///   - mode: The permissions of the file that is replaced; nil for those of a new file.
    ///   - name: The path for error messages.
    private static func replace(_ target: String, with data: Data, mode: mode_t?, name: String) throws {
        slots.wait()
        defer { slots.signal() }
        let directory = FileName.directory(of: target)
        let code =
            writeUnnamed(in: directory, data, mode, to: target) ?? writeNamed(in: directory, data, mode, to: target)
        guard code == 0 else { throw failure(code, name) }
    }

    /// Writes an unnamed file into a directory, and gives it the name `target`.
    ///
    /// A hard link cannot replace an existing file. If `target` exists, the unnamed file first gets a temporary name
    /// and is then renamed.
    /// - Returns: The error number, 0 for success. Nil if the system does not support unnamed files or cannot name
    ///   them; then use `writeNamed`.
    private static func writeUnnamed(
        in directory: String, _ data: Data, _ mode: mode_t?, to target: String
    ) -> Int32? {
        #if os(Linux)
        // O_TMPFILE, which Swift does not import: open(2). Its value is the same on all architectures that Swift
        // supports.
        let descriptor = open(directory, 0o20000000 | O_DIRECTORY | O_WRONLY | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let code = fill(descriptor, with: data, mode: mode)
        guard code == 0 else { return code }
        // Some file systems report that the disk is full only when a descriptor is closed.
        let copy = dup(descriptor)
        guard copy >= 0, close(copy) == 0 else { return errno }
        let file = "/proc/self/fd/\(descriptor)"
        if mode == nil {
            if linkat(AT_FDCWD, file, AT_FDCWD, target, AT_SYMLINK_FOLLOW) == 0 { return 0 }
            // A file has been created in the meantime, or the path is a dangling link.
            guard errno == EEXIST else { return nil }
        }
        let (result, temporary) = named(in: directory) { linkat(AT_FDCWD, file, AT_FDCWD, $0, AT_SYMLINK_FOLLOW) }
        guard result == 0 else { return nil }
        return place(temporary, as: target)
        #else
        return nil
        #endif
    }

    /// Writes a file with a temporary name into a directory, and renames it to `target`. Returns the error number, 0
    /// for success.
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

    /// Creates a file with an unpredictable name. The first call for a directory also removes old temporary files
    /// there.
    /// - Parameter make: Creates a file with a name. On failure, returns a negative number and sets the error number.
    /// - Returns: The last result of `make`, and the name that was passed to it.
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

    /// Removes the temporary files in a directory that killed processes of the same user left behind more than a day
    /// ago.
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

    /// Returns the time when a file was last modified, in seconds since 1970.
    private static func modificationTime(_ status: stat) -> Int {
        #if canImport(Darwin)
        status.st_mtimespec.tv_sec
        #else
        status.st_mtim.tv_sec
        #endif
    }

    /// Writes data to a new file, and gives it the permissions `mode` if that is not nil. Returns the error number, 0
    /// for success.
    private static func fill(_ descriptor: Int32, with data: Data, mode: mode_t?) -> Int32 {
        let code = Descriptor.send(data, to: descriptor)
        if code == 0, let mode { fchmod(descriptor, mode) }
        return code
    }

    /// Renames a completely written temporary file to `target`. If that fails, removes the temporary file. Returns the
    /// error number, 0 for success.
    private static func place(_ temporary: String, as target: String) -> Int32 {
        guard rename(temporary, target) != 0 else { return 0 }
        let code = errno
        unlink(temporary)
        return code
    }

    /// Creates a directory and its parents if they do not exist. Blocks.
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

    /// Returns the target of a symbolic link, or the path itself if the target cannot be determined.
    private static func resolved(_ path: String) -> String {
        guard let target = realpath(path, nil) else { return path }
        defer { free(target) }
        return String(cString: target)
    }

    /// Returns the error for an operation on a path that failed with an error number.
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
