import CalotypeStandard

/// `calotype cache`: what is kept on disk.
struct CacheCommand: Command {
    let name = "cache"
    let operands = "info | clear | trim | path SOURCE | verify"
    let summary = "Counts, trims, checks or removes what is kept on disk."
    let discussion = """
        info         the folder; its entries, and how many of them have expired; their
                     bytes, and the limit where it is the tool's own; the ages of the oldest
                     and the newest; how many reads found an entry, as far as is known; the
                     five largest
        clear        removes all entries
        trim         with --older-than, removes what was not used for so long; then, with
                     --to, what has expired and what was not used for the longest time,
                     until no more is left than that
        path SOURCE  the file that the original of a source is kept in; exit code 1
                     without one
        verify       reads every entry and lists what is wrong; removes what is damaged
                     or was left half written, links and folders where none belong, and
                     empty folders; sets times that lie in the future to the present; sees
                     that tags find their entries; exit code 1 when something could not be
                     mended, 0 when all was

        A SIZE is in bytes, or in k, M, G or T, a k being 1000, or in Ki, Mi, Gi or Ti, a Ki
        being 1024, with a B or without: 200M, 1.5GB, 64KiB. An AGE is in s, min, h, d or w.

        An entry expires at a date of its own; for 'calotype load' and info also when it was
        not used for a week, which is no reason for trim and verify: the folder may be that
        of a program that keeps its own for longer. A folder that is not there is an empty
        cache. A folder of another user's, or one that every user may write to, is neither
        read nor changed; root's processes use that of any user, with a warning. On a terminal
        a bar shows how far long work has come; it may be interrupted at any time, and the
        cache stays valid.
        """
    let options: [Option] = [.cacheFolder, .trimSize, .trimAge, .json]

    @MainActor
    func run(_ arguments: Arguments, console: Console) async throws -> ExitCode {
        guard case .folder(let folder) = CacheChoice(arguments) else {
            throw UsageError("--cache takes a folder here; write ./none for one of that name")
        }
        let action = try CacheAction(arguments)
        return await CacheRun(folder, for: action, isJSON: arguments.has(.json), console: console)
            .perform(action)
    }
}
