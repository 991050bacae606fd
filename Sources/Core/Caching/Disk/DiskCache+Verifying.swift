import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension DiskCache {
    /// Reads and verifies every entry, and removes entries that are damaged or misplaced. Also removes files that
    /// killed processes left behind, restores missing markers by which a removal by tag finds entries, and counts the
    /// entries of the directory.
    ///
    /// Also removes obstacles, which are items that must not be used:
    /// - A link in the place of a directory or of the secret.
    /// - A file in the place of a source's directory or of a directory for tags.
    /// - A directory in the place of an entry or of the secret, with everything in it.
    /// - One of the 256 parts of the directory, with everything in it, if the part belongs to an untrusted user.
    ///
    /// Sets the modification time of a file to the present if it lies in the future. Removes an entry that has an
    /// expiration date if its creation date lies a minute or more in the future: the expiration date is then
    /// meaningless, because it was set by a clock that was ahead of this one. Removes empty directories, which are not
    /// findings.
    ///
    /// The cache can be used during the verification. Verifying an entry does not count as a use. A file that cannot be
    /// read or removed is a finding that is not mended.
    /// - Parameter progress: Called with the findings so far, on the calling thread, after each of the 256 parts of the
    ///   directory. Throw from it to stop.
    /// - Returns: The findings.
    public func verify(progress: (DiskVerification) throws -> Void = { _ in }) throws -> DiskVerification {
        entries.reset()
        try checkDirectory(for: .store)
        // Synchronizing the ledger may remove leftovers, too.
        let formerLeftoverCount = accounts.withLock { $0.leftoverCount }
        writeLedger()
        var verification = DiskVerification()
        _ = removeLeftovers(at: time.wallTime())
        let present = presentShards()
        if let error = present.failure { verification.note(error.path, "it cannot be listed: \(error)", false) }
        for obstacle in present.obstacles { removeFound(obstacle, &verification) }
        for shard in 0..<DiskLedger.shardCount {
            let survey = trimmingQueue.sync { look(at: shard, of: present) }
            // The reason may keep all 256 shards from being listed, so it is reported only once.
            if present.failure == nil, let error = survey.failure {
                verification.note(error.path, "it cannot be listed: \(error)", false)
            }
            let formerCount = verification.findings.count
            for obstacle in survey.obstacles { removeFound(obstacle, &verification) }
            for entry in survey.entries { verify(entry, &verification) }
            if let error = removeLeftovers(in: survey, at: time.wallTime()) {
                verification.note(error.path, "it cannot be removed: \(error)", false)
            }
            if let error = removeStaleMarkers(in: survey) {
                verification.note(error.path, "it cannot be examined: \(error)", false)
            }
            let emptied = directoriesEmptied(by: verification.findings.dropFirst(formerCount), in: survey)
            if let error = removeEmptyDirectories(survey, emptied: emptied) {
                verification.note(error.path, "it cannot be removed: \(error)", false)
            }
            verification.leftoverCount = accounts.withLock { $0.leftoverCount } - formerLeftoverCount
            verification.fraction = Double(shard + 1) / Double(DiskLedger.shardCount)
            try progress(verification)
        }
        writeLedger()
        return verification
    }

    /// Returns the paths of the directories in a shard that may be empty, because files in them were removed.
    private func directoriesEmptied(
        by findings: ArraySlice<DiskVerification.Finding>, in survey: DiskSurvey
    ) -> Set<String> {
        var directories = Set(findings.filter { $0.isMended }.map { Self.parent(of: $0.path) })
        directories.formUnion(survey.temporaries.map(\.directory))
        if !directories.isEmpty { directories.insert("\(root)/\(DiskEntryName.shardName(survey.shard))") }
        return directories
    }

    /// Verifies an entry. Removes a damaged entry. Corrects the modification time and the markers of a valid entry.
    private func verify(_ entry: DiskSurvey.Entry, _ verification: inout DiskVerification) {
        let path = entry.path
        do {
            let name = String(path.dropFirst(root.count + 1))
            let file = try files.contents(of: name, in: entries, byteLimit: configuration.byteLimit).data
            let parsed = try DiskEntryFormat.parse(file, transform: transform)
            guard DiskEntryName.path(ofDigest: parsed.digest) == name else { throw DiskEntryFormat.Defect.key }
            if parsed.dates.areAhead(at: time.wallTime()) {
                return removeDamaged(entry, "its date was set by a clock that was ahead", &verification)
            }
            verification.entryCount += 1
            verification.byteCount += file.count
            mendStamp(of: entry, &verification)
            mendTags(parsed.tagDigests, of: entry, &verification)
        } catch DiskEntryFormat.Defect.version, DiskEntryFormat.Defect.transform {
            verification.foreignCount += 1
            mendStamp(of: entry, &verification)
        } catch let error as FileSystemError {
            switch error.code {
            case ENOENT: break
            case EFBIG: verification.foreignCount += 1
            case EISDIR, ELOOP, ENXIO: removeDamaged(entry, "it is not a regular file", &verification)
            default: verification.note(path, "it cannot be read: \(error)", false)
            }
        } catch {
            removeDamaged(entry, "\(error)", &verification)
        }
    }

    /// Removes a damaged entry and adds a finding, unless another process has stored the entry again.
    private func removeDamaged(_ entry: DiskSurvey.Entry, _ reason: String, _ verification: inout DiskVerification) {
        // Another process may have stored it again since it was found.
        if let present = try? files.attributes(of: entry.path), !entry.isSame(as: present) { return }
        let isRemoved = (try? removeEntry(entry.path, in: entry.shard)) != nil
        if isRemoved { counters.withLock { $0.repairs += 1 } }
        verification.note(entry.path, reason, isRemoved)
    }

    /// Removes an obstacle. Adds a finding.
    private func removeFound(_ obstacle: DiskObstacle, _ verification: inout DiskVerification) {
        do throws(FileSystemError) {
            try remove(obstacle)
            verification.note(obstacle.path, obstacle.reason, true)
        } catch {
            let advice = obstacle.advice ?? error.advice
            verification.note(obstacle.path, "\(obstacle.reason); it cannot be removed: \(error); \(advice)", false)
        }
    }

    /// Sets a modification time that lies in the future to the present, so that the entry does not live too long. Adds
    /// a finding.
    private func mendStamp(of entry: DiskSurvey.Entry, _ verification: inout DiskVerification) {
        var entry = entry
        let reason = "its modification time is in the future"
        do throws(FileSystemError) {
            if try correctStamp(of: &entry, at: time.wallTime()) { verification.note(entry.path, reason, true) }
        } catch {
            // Another process has removed the entry.
            if error.code == ENOENT { return }
            verification.note(entry.path, "\(reason) and cannot be set: \(error)", false)
        }
    }

    /// Restores missing markers of an entry's tags, so that a removal by tag finds the entry. Adds a finding for each.
    private func mendTags(
        _ digests: [[UInt8]], of entry: DiskSurvey.Entry, _ verification: inout DiskVerification
    ) {
        for digest in digests {
            let marker = DiskTagMarker(directory: tagDirectory(digest, in: entry.shard), name: entry.marker)
            if (try? files.isPresent(marker.path)) == true { continue }
            let isMended = (try? restore(marker, at: time.wallTime())) != nil
            verification.note(marker.path, "an entry cannot be found by its tag", isMended)
        }
    }
}

extension DiskVerification {
    /// Adds a finding.
    fileprivate mutating func note(_ path: String, _ reason: String, _ isMended: Bool) {
        findings.append(Finding(path: path, reason: reason, isMended: isMended))
    }
}
