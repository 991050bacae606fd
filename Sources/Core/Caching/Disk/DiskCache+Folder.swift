extension DiskCache {
    /// A user other than this one who owns the folder of a cache.
    private struct Foreigner {
        let path: String
        let userID: UInt32
    }

    /// Throws where another user could put files into the cache's folder, or take its place. What such a folder holds
    /// is neither read nor changed.
    ///
    /// Reading asks once a second and after each change; every other call asks first. Both the folder that was given
    /// and that of the layout in it count. Those above are the owner's concern.
    /// - Returns: Whether the folder is there.
    @discardableResult
    func checkFolder(for stage: ImageError.Stage) throws(ImageError) -> Bool {
        do throws(ImageError) {
            let (isPresent, foreigner) = try examineFolder(root, for: stage)
            if let foreigner { report(foreigner, stage) }
            return isPresent
        } catch {
            // If it is kept open, nothing may be read either, and the next read asks again.
            entries.reset()
            throw error
        }
    }

    /// Throws where the folder of another cache is not to be trusted, as ``checkFolder(for:)`` does.
    func checkFolder(ofOther root: String) throws(ImageError) {
        if let foreigner = try examineFolder(root, for: .store).foreigner { report(foreigner, .store) }
    }

    /// Throws if every user may write to a read-only folder, since any of them could put pictures there. The folder's
    /// owner is trusted.
    func checkReadOnlyFolder(_ folder: KeptFolder) throws(ImageError) {
        if configuration.trustsOtherUsers { return }
        for path in [Self.parent(of: folder.path), folder.path] {
            let found: FolderOwnership?
            do throws(FileSystemError) {
                found = try files.ownership(of: path)
            } catch {
                if error.isAbsence { return }
                throw failure(error, stage: .query, message: "a read-only folder could not be used")
            }
            guard let found else { return }
            guard found.isWritableByAll, let objection = found.objection else { continue }
            // If it is kept open, nothing may be read either, and the next read asks again.
            folder.reset()
            throw distrust(of: path, because: objection, .query)
        }
    }

    /// Sees that there is a folder to store entries in, and one to be trusted.
    func prepareFolder() throws(ImageError) {
        if try checkFolder(for: .store) { return }
        do throws(FileSystemError) {
            try files.createFolders(root)
        } catch {
            throw failure(error, stage: .store, message: "the folder of the cache could not be made")
        }
        // Another user may have been sooner.
        try checkFolder(for: .store)
    }

    private func examineFolder(
        _ root: String, for stage: ImageError.Stage
    ) throws(ImageError) -> (isPresent: Bool, foreigner: Foreigner?) {
        var foreigner: Foreigner?
        for path in [Self.parent(of: root), root] {
            let found: FolderOwnership?
            do throws(FileSystemError) {
                found = try files.ownership(of: path)
            } catch {
                throw failure(error, stage: stage, message: "the folder of the cache could not be used")
            }
            guard let ownership = found else {
                try checkAbsence(of: path, stage)
                return (false, foreigner)
            }
            if configuration.trustsOtherUsers { continue }
            if let objection = ownership.objection { throw distrust(of: path, because: objection, stage) }
            if ownership.isForeign { foreigner = foreigner ?? Foreigner(path: path, userID: ownership.ownerID) }
            // Root uses that user's folder, and not whatever that user says it is.
            if foreigner != nil, path == root, let item = try? files.attributes(of: path), item.kind == .other,
                FolderOwnership(ownerID: item.ownerID ?? .max, userID: ownership.userID).isForeign
            {
                throw distrust(of: path, because: "it is a symbolic link of another user", stage)
            }
        }
        return (true, foreigner)
    }

    /// Throws where a folder that is not there cannot be made, since a link on its path leads nowhere.
    private func checkAbsence(of path: String, _ stage: ImageError.Stage) throws(ImageError) {
        var path = path
        while path != "/" {
            // What cannot be examined fails where it is used.
            if let kind = (try? files.attributes(of: path))?.kind {
                guard kind == .other, (try? files.identity(of: path)) == nil else { return }
                throw ImageError(
                    .cacheFailed, stage: stage, component: "DiskCache", subject: path,
                    message: "the folder of the cache cannot be reached: \(path) is a symbolic link that leads nowhere",
                    advice: "make the folder that the link names, or remove the link")
            }
            path = Self.parent(of: path)
        }
    }

    private func distrust(of path: String, because objection: String, _ stage: ImageError.Stage) -> ImageError {
        ImageError(
            .cacheFailed, stage: stage, component: "DiskCache", subject: path,
            message: "the cache is not used: \(objection), so that others could change what it holds",
            advice: "give the cache a folder of its own, make this one private with `chown -R` or `chmod -R o-w`, or "
                + "set `trustsOtherUsers` in the cache's configuration")
    }

    /// Reports the owner of the folder once.
    private func report(_ foreigner: Foreigner, _ stage: ImageError.Stage) {
        let isKnown = knownOwner.withLock { known -> Bool in
            defer { known = foreigner.userID }
            return known == foreigner.userID
        }
        if isKnown { return }
        onIssue(
            ImageError(
                .cacheFailed, stage: stage, component: "DiskCache", subject: foreigner.path,
                message: "the folder belongs to user \(foreigner.userID), and is used because this process is root's",
                advice: "unless that user is to be trusted, give the cache a folder of root's"))
    }
}
