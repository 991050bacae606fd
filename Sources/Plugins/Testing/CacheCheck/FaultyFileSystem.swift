public import Calotype

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file system for tests, in which selected calls fail. The other calls are passed to an underlying file system, by
/// default that of the machine.
///
/// ```swift
/// let files = FaultyFileSystem { operation, _ in operation == .writeFile ? ENOSPC : nil }
/// let cache = DiskCache(at: directory, fileSystem: files)
/// ```
///
/// The exception is ``FileSystem/immediateContents(of:in:byteLimit:)``, which always returns `.unknown`. The cache must
/// then read the file with a call that can fail. Thread-safe.
public struct FaultyFileSystem: FileSystem {
    /// An operation of ``FileSystem``. Each case has the name of a method of the protocol.
    public enum Operation: String, Sendable, Hashable, CaseIterable {
        case contents, tail, attributes, identity, ownership, items, writeFile, createDirectories, removeFile,
            removeDirectory
        case removeDirectoryWithItems, setModificationTime, move, linkFile, synchronizeDirectory
    }

    /// The outcome of a call.
    private enum Fate {
        case goesThrough
        case fails(Int32)
        /// The call fails and leaves behind a fraction of the file to write, from 0 to 1; nil leaves no file behind.
        case stops(part: Double?)
    }

    private var base: any FileSystem
    private let calls = Lock(0)
    /// A closure that returns the outcome of a call. Its arguments are the operation, the path and the number of
    /// previous calls.
    private let fate: @Sendable (Operation, String, Int) -> Fate
    /// A closure that returns the ownership to report for a directory. Its arguments are the path of the directory and
    /// its actual ownership.
    private var toldOwnership: @Sendable (String, DirectoryOwnership) -> DirectoryOwnership = { _, ownership in
        ownership
    }

    private init(over base: any FileSystem, fate: @escaping @Sendable (Operation, String, Int) -> Fate) {
        self.base = base
        self.fate = fate
    }

    /// Creates a file system in which a closure decides which calls fail.
    /// - Parameters:
    ///   - base: The underlying file system.
    ///   - fault: A closure that returns the error number for an operation on a path, or nil for success. A cache does
    ///     not treat `ENOENT` as a failure, because this number means that the item does not exist.
    public init(
        over base: any FileSystem = LocalFileSystem(), fault: @escaping @Sendable (Operation, String) -> Int32?
    ) {
        self.init(
            over: base,
            fate: { operation, path, _ in
                guard let code = fault(operation, path) else { return .goesThrough }
                return .fails(code)
            })
    }

    /// Returns a file system in which one call fails.
    /// - Parameters:
    ///   - number: The index of the call, from 0.
    ///   - code: The error number.
    ///   - base: The underlying file system.
    public static func failing(
        call number: Int, with code: Int32, over base: any FileSystem = LocalFileSystem()
    ) -> FaultyFileSystem {
        FaultyFileSystem(over: base, fate: { _, _, index in index == number ? .fails(code) : .goesThrough })
    }

    /// Returns a file system that stops at a call, as if the process was killed. This call and all later ones fail
    /// without effect, except that a part of the file that was being written may be left behind.
    /// - Parameters:
    ///   - number: The index of the call, from 0.
    ///   - part: The fraction of the temporary file, from 0 to 1, that is left behind if the call writes a file; nil
    ///     for none.
    ///   - base: The underlying file system.
    public static func stopping(
        atCall number: Int, havingWritten part: Double? = nil, over base: any FileSystem = LocalFileSystem()
    ) -> FaultyFileSystem {
        FaultyFileSystem(
            over: base,
            fate: { _, _, index in
                if index < number { return .goesThrough }
                return .stops(part: index == number ? part : nil)
            })
    }

    /// Returns a copy of this file system in which a closure determines the reported ownership of directories.
    /// - Parameter ownership: A closure that returns the ownership to report. Its arguments are the path of the
    ///   directory and its actual ownership.
    public func telling(
        ownership: @escaping @Sendable (String, DirectoryOwnership) -> DirectoryOwnership
    ) -> FaultyFileSystem {
        var other = self
        other.toldOwnership = ownership
        return other
    }

    /// The number of calls that this file system and its copies have received so far, including failed calls.
    public var callCount: Int { calls.withLock { $0 } }

    /// Counts a call and throws if the call must fail. If a part of a file must remain, calls `leaving` first.
    private func check(
        _ operation: Operation, _ path: String, leaving: (Double) -> Void = { _ in }
    ) throws(FileSystemError) {
        let index = calls.withLock { calls -> Int in
            calls += 1
            return calls - 1
        }
        switch fate(operation, path, index) {
        case .goesThrough:
            return
        case .fails(let code):
            throw FileSystemError(code: code, operation: operation.rawValue, path: path)
        case .stops(let part):
            // After a simulated kill, the error code does not matter.
            if let part { leaving(part) }
            throw FileSystemError(code: EIO, operation: operation.rawValue, path: path)
        }
    }

    public func confined(below directory: String) -> FaultyFileSystem {
        var other = self
        other.base = base.confined(below: directory)
        return other
    }

    public func contents(
        of name: String, in directory: KeptDirectory, byteLimit: Int
    ) throws(FileSystemError) -> (data: Data, attributes: FileAttributes) {
        try check(.contents, "\(directory.path)/\(name)")
        return try base.contents(of: name, in: directory, byteLimit: byteLimit)
    }

    public func tail(of path: String, byteCount: Int) throws(FileSystemError) -> Data {
        try check(.tail, path)
        return try base.tail(of: path, byteCount: byteCount)
    }

    public func attributes(of path: String) throws(FileSystemError) -> FileAttributes {
        try check(.attributes, path)
        return try base.attributes(of: path)
    }

    public func identity(of path: String) throws(FileSystemError) -> DirectoryIdentity? {
        try check(.identity, path)
        return try base.identity(of: path)
    }

    public func ownership(of path: String) throws(FileSystemError) -> DirectoryOwnership? {
        try check(.ownership, path)
        return try base.ownership(of: path).map { toldOwnership(path, $0) }
    }

    public func items(in directory: String) throws(FileSystemError) -> [(name: String, attributes: FileAttributes)] {
        try check(.items, directory)
        return try base.items(in: directory)
    }

    public func writeFile(
        _ pieces: [Data], to path: String, through temporaryPath: String, modificationTime: Double, isReadOnly: Bool,
        isDurable: Bool
    ) throws(FileSystemError) {
        try check(.writeFile, path) { part in
            leave(part, of: pieces, at: temporaryPath, modificationTime: modificationTime)
        }
        try base.writeFile(
            pieces, to: path, through: temporaryPath, modificationTime: modificationTime, isReadOnly: isReadOnly,
            isDurable: isDurable)
    }

    public func createDirectories(_ path: String) throws(FileSystemError) {
        try check(.createDirectories, path)
        try base.createDirectories(path)
    }

    public func removeFile(_ path: String) throws(FileSystemError) {
        try check(.removeFile, path)
        try base.removeFile(path)
    }

    public func removeDirectory(_ path: String) throws(FileSystemError) {
        try check(.removeDirectory, path)
        try base.removeDirectory(path)
    }

    public func removeDirectoryWithItems(_ path: String) throws(FileSystemError) {
        try check(.removeDirectoryWithItems, path)
        try base.removeDirectoryWithItems(path)
    }

    public func setModificationTime(_ time: Double, of path: String) throws(FileSystemError) {
        try check(.setModificationTime, path)
        try base.setModificationTime(time, of: path)
    }

    public func move(_ path: String, to destination: String) throws(FileSystemError) {
        try check(.move, path)
        try base.move(path, to: destination)
    }

    public func linkFile(_ path: String, to destination: String) throws(FileSystemError) {
        try check(.linkFile, path)
        try base.linkFile(path, to: destination)
    }

    public func synchronizeDirectory(_ path: String) throws(FileSystemError) {
        try check(.synchronizeDirectory, path)
        try base.synchronizeDirectory(path)
    }

    /// Writes a fraction of a file, 0 to 1, to its temporary path.
    private func leave(_ part: Double, of pieces: [Data], at temporaryPath: String, modificationTime: Double) {
        let whole = pieces.reduce(into: Data()) { $0.append($1) }
        let written = whole.prefix(Int(Double(whole.count) * min(max(part, 0), 1)))
        // Without the directory nothing can be left behind.
        try? base.writeFile(
            [written], to: temporaryPath, through: "\(temporaryPath)-part", modificationTime: modificationTime,
            isReadOnly: false, isDurable: false)
    }
}
