extension DiskCache {
    /// An owner of a cache's directory who is neither this user nor root.
    private struct Foreigner {
        let path: String
        let userID: UInt32
    }

    /// Checks that the cache's directory is trusted, as described at ``DirectoryOwnership/objection``. Throws if it is
    /// not, or if that cannot be determined.
    ///
    /// A read calls this method if the last check is at least a second old, or if the directory must be opened or its
    /// secret read, as after each change by this cache. Every other operation calls it before it uses the directory.
    /// The check covers the directory that was passed to the cache, and its layout directory (`v2`), but not the
    /// directories above.
    /// - Returns: Whether the directory exists.
    @discardableResult
    func checkDirectory(for stage: ImageError.Stage) throws(ImageError) -> Bool {
        do throws(ImageError) {
            let (isPresent, foreigner) = try examineDirectory(root, for: stage)
            if let foreigner { report(foreigner, stage) }
            return isPresent
        } catch {
            // No file may be read through an open directory either. The next read checks again.
            entries.reset()
            throw error
        }
    }

    /// Checks the directory of another cache in the same way as ``checkDirectory(for:)``.
    func checkDirectory(ofOther root: String) throws(ImageError) {
        if let foreigner = try examineDirectory(root, for: .store).foreigner { report(foreigner, .store) }
    }

    /// Throws if every user may write to a read-only directory, since any user could then put pictures there. The owner
    /// of the directory is trusted.
    func checkReadOnlyDirectory(_ directory: KeptDirectory) throws(ImageError) {
        if configuration.trustsOtherUsers { return }
        for path in [Self.parent(of: directory.path), directory.path] {
            let found: DirectoryOwnership?
            do throws(FileSystemError) {
                found = try files.ownership(of: path)
            } catch {
                if error.isAbsence { return }
                throw failure(error, stage: .query, message: "a read-only directory of the cache cannot be examined")
            }
            guard let found else { return }
            guard found.isWritableByAll, let objection = found.objection else { continue }
            // No file may be read through an open directory either. The next read checks again.
            directory.reset()
            throw distrust(of: path, because: objection, .query)
        }
    }

    /// Creates the layout directory (`v2`) of the cache if it does not exist, and checks that it is trusted.
    func prepareDirectory() throws(ImageError) {
        if try checkDirectory(for: .store) { return }
        do throws(FileSystemError) {
            try files.createDirectories(root)
        } catch {
            throw failure(error, stage: .store, message: "the directory of the cache could not be created")
        }
        // Another user may have created it first.
        try checkDirectory(for: .store)
    }

    private func examineDirectory(
        _ root: String, for stage: ImageError.Stage
    ) throws(ImageError) -> (isPresent: Bool, foreigner: Foreigner?) {
        var foreigner: Foreigner?
        for path in [Self.parent(of: root), root] {
            let found: DirectoryOwnership?
            do throws(FileSystemError) {
                found = try files.ownership(of: path)
            } catch {
                throw failure(error, stage: stage, message: "the directory of the cache cannot be examined")
            }
            guard let ownership = found else {
                try checkAbsence(of: path, stage)
                return (false, foreigner)
            }
            if configuration.trustsOtherUsers { continue }
            if let objection = ownership.objection { throw distrust(of: path, because: objection, stage) }
            if ownership.isForeign { foreigner = foreigner ?? Foreigner(path: path, userID: ownership.ownerID) }
            // A process that runs as root uses the directory of another user, but not a layout directory that is
            // reached through a link of that user.
            if foreigner != nil, path == root, let item = try? files.attributes(of: path), item.kind == .other,
                DirectoryOwnership(ownerID: item.ownerID ?? .max, userID: ownership.userID).isForeign
            {
                throw distrust(of: path, because: "it is a symbolic link that belongs to another user", stage)
            }
        }
        return (true, foreigner)
    }

    /// Throws if a missing directory cannot be created, because a symbolic link on its path leads to a missing target.
    private func checkAbsence(of path: String, _ stage: ImageError.Stage) throws(ImageError) {
        var path = path
        while path != "/" {
            // An item that cannot be examined is skipped, because using it later fails anyway.
            if let kind = (try? files.attributes(of: path))?.kind {
                guard kind == .other, (try? files.identity(of: path)) == nil else { return }
                throw ImageError(
                    .cacheFailed, stage: stage, component: "DiskCache", subject: path,
                    message:
                        "the directory of the cache cannot be reached: \(path) is a symbolic link to a missing target",
                    advice: "create the target of the link, or remove the link")
            }
            path = Self.parent(of: path)
        }
    }

    private func distrust(of path: String, because objection: String, _ stage: ImageError.Stage) -> ImageError {
        ImageError(
            .cacheFailed, stage: stage, component: "DiskCache", subject: path,
            message: "the cache is not used: \(objection), so other users could change its entries",
            advice:
                "use a separate directory for the cache, make this one private with `chown -R` or `chmod -R o-w`, or "
                + "set `trustsOtherUsers` in the cache's configuration")
    }

    /// Reports the owner of the directory, unless the last report was about the same owner.
    private func report(_ foreigner: Foreigner, _ stage: ImageError.Stage) {
        let isKnown = knownOwner.withLock { known -> Bool in
            defer { known = foreigner.userID }
            return known == foreigner.userID
        }
        if isKnown { return }
        onIssue(
            ImageError(
                .cacheFailed, stage: stage, component: "DiskCache", subject: foreigner.path,
                message:
                    "the directory belongs to user \(foreigner.userID), but is used because this process runs as root",
                advice: "unless that user is trusted, use a directory that belongs to root"))
    }
}
