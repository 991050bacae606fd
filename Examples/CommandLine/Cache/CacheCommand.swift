import CalotypeStandard

/// `calotype cache`: inspects and maintains the disk cache.
struct CacheCommand: Command {
    let name = "cache"
    let operands = "info | clear | trim | path SOURCE | verify"
    let summary = "Inspects, trims, clears or verifies the disk cache."
    let discussion = """
        info         shows the directory, the number of entries and of expired entries, the
                     total size, the size limit if the directory is the default one, the age
                     of the oldest and the newest entry, the hit ratio if it is known, and
                     the five largest entries
        clear        removes all entries
        trim         with --older-than, removes entries unused for that time; then, with --to,
                     removes expired and least recently used entries until the cache fits
        path SOURCE  prints the path of the cached original of a source; exit code 1 if it is
                     not in the cache
        verify       reads every entry and lists problems; removes damaged entries, partially
                     written files, misplaced links and directories, and empty directories;
                     resets times in the future to the present; restores missing tag markers;
                     exit code 1 if a problem could not be repaired, otherwise 0

        SIZE is in bytes, or in k, M, G or T (powers of 1000) or Ki, Mi, Gi or Ti (powers of
        1024), with or without a B: 200M, 1.5GB, 64KiB. AGE is in s, min, h, d or w.

        An entry expires on its own expiration date. 'calotype load' and info also treat an
        entry as expired if it was unused for a week. trim and verify do not, because another
        program that uses the directory may keep its entries longer.

        A missing directory is an empty cache. A directory that belongs to another user, or
        that every user may write to, is neither read nor changed. Processes of root use the
        directories of any user, with a warning. On a terminal, a progress bar is shown.
        Interrupting the command leaves the cache valid.
        """
    let options: [Option] = [.cacheDirectory, .trimSize, .trimAge, .json]

    @MainActor
    func run(_ arguments: Arguments, console: Console) async throws -> ExitCode {
        guard case .directory(let directory) = CacheChoice(arguments) else {
            throw UsageError("cache requires a directory, not --cache none; write ./none for a directory of that name")
        }
        let action = try CacheAction(arguments)
        return await CacheRun(directory, for: action, isJSON: arguments.has(.json), console: console)
            .perform(action)
    }
}
