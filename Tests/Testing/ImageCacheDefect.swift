import CalotypeTesting

/// What can be wrong with an image cache whose tiers are in order.
enum ImageCacheDefect: String, CaseIterable, Sendable {
    case storesImagesOnDisk
    case putsEntriesIntoMemory
    case fillsMemoryFromDisk
    case dropsImagesOfNewEntries
    case listsEntries
    case hidesItsTiers
    case answersMoreThanAsked
    case answersAllForAny
    case stopsAtMemory
    case fillsMemoryWhenAsked
    case ignoresTimeToLive
    case dropsDates
    case endsEntriesWithImages
    case endsImagesWithEntries
    case removesFromEveryTier
    case removesFromMemoryAlone
    case removesFromAllForNone
    case removesWhatMemoryHas
    case removesWholeSources
    case savesRemovedImages
    case throwsForAbsent
    case purgesEveryTier
    case purgesMemoryAlone
    case purgesWhatMemoryLists
    case purgesTagsFromDataAlone
    case purgesTagsFromEveryTier
    case purgesTagsFromMemoryFirst
    case purgesAllForAnyTag
    case clearsEveryTier
    case clearsMemoryAlone
    case takesNothingAfterClearing
    case removesFromMemoryFirst
    case purgesMemoryFirst
    case clearsMemoryFirst
    case countsAsking
    case countsMissesTwice
    case addsHitsOfBoth
    case removesAsOthersSay

    /// The check that is to find it.
    var check: ImageCacheCheck {
        switch self {
        case .storesImagesOnDisk, .putsEntriesIntoMemory, .fillsMemoryFromDisk, .dropsImagesOfNewEntries,
            .listsEntries, .hidesItsTiers:
            .separating
        case .answersMoreThanAsked, .answersAllForAny, .stopsAtMemory, .fillsMemoryWhenAsked: .containing
        case .ignoresTimeToLive, .dropsDates, .endsEntriesWithImages, .endsImagesWithEntries: .expiring
        case .removesFromEveryTier, .removesFromMemoryAlone, .removesFromAllForNone, .removesWhatMemoryHas,
            .removesWholeSources, .savesRemovedImages, .throwsForAbsent:
            .removing
        case .purgesEveryTier, .purgesMemoryAlone, .purgesWhatMemoryLists: .sources
        case .purgesTagsFromDataAlone, .purgesTagsFromEveryTier, .purgesTagsFromMemoryFirst, .purgesAllForAnyTag: .tags
        case .clearsEveryTier, .clearsMemoryAlone, .takesNothingAfterClearing: .clearing
        case .removesFromMemoryFirst, .purgesMemoryFirst, .clearsMemoryFirst: .order
        case .countsAsking, .countsMissesTwice, .addsHitsOfBoth: .statistics
        case .removesAsOthersSay: .threadSafety
        }
    }
}
