import CalotypeTesting

/// A defect of an image cache with correct tiers.
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
    case removesEveryTier
    case removesMemoryAlone
    case removesWhatMemoryLists
    case removesTagsFromDataAlone
    case removesTagsFromEveryTier
    case removesTagsFromMemoryFirst
    case removesAllForAnyTag
    case clearsEveryTier
    case clearsMemoryAlone
    case takesNothingAfterClearing
    case removesFromMemoryFirst
    case removesMemoryFirst
    case clearsMemoryFirst
    case countsAsking
    case countsMissesTwice
    case addsHitsOfBoth
    case removesAsOthersSay

    /// The check that must find it.
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
        case .removesEveryTier, .removesMemoryAlone, .removesWhatMemoryLists: .sources
        case .removesTagsFromDataAlone, .removesTagsFromEveryTier, .removesTagsFromMemoryFirst, .removesAllForAnyTag:
            .tags
        case .clearsEveryTier, .clearsMemoryAlone, .takesNothingAfterClearing: .clearing
        case .removesFromMemoryFirst, .removesMemoryFirst, .clearsMemoryFirst: .order
        case .countsAsking, .countsMissesTwice, .addsHitsOfBoth: .statistics
        case .removesAsOthersSay: .threadSafety
        }
    }
}
