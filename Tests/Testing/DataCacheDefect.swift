import CalotypeTesting

/// A defect of a data cache.
enum DataCacheDefect: String, CaseIterable, Sendable {
    case losesTheLastByte
    case losesEmptyEntries
    case losesAttributes
    case takesNoExtendedDataForEmpty
    case losesTags
    case roundsDates
    case keepsTheFirst
    case keepsOldAttributes
    case keepsOldDate
    case ignoresPolicy
    case comparesAsUnicode
    case joinsParts
    case cutsKeys
    case containsWholeSources
    case deniesWhatItHas
    case answersTheFirst
    case answersWhatExpired
    case answersUncounted
    case ignoresDates
    case containsWhatExpired
    case readsWhatExpired
    case removesWholeSources
    case throwsForMissing
    case removesNothing
    case removesByCutKeys
    case removesOriginalsOnly
    case removesSourcesByPrefix
    case removesByPattern
    case removesByPartOfTag
    case removesByFormerTags
    case ignoresTags
    case removesTagsByPattern
    case agesSinceStoring
    case countsAskingAsUse
    case answersWithoutUse
    case ignoresAge
    case clearsHalf
    case cannotBeUsedAfterClearing
    case countsAskingAsReading
    case forgetsBytesRead
    case keepsEntriesToItself
    case keepsTagsToItself
    case replacesInTwoSteps
    case writesInTwoSteps

    /// The check that must find it.
    var check: DataCacheCheck {
        switch self {
        case .losesTheLastByte, .losesEmptyEntries, .losesAttributes, .takesNoExtendedDataForEmpty, .losesTags,
            .roundsDates:
            .keeping
        case .keepsTheFirst, .keepsOldAttributes, .keepsOldDate: .replacing
        case .ignoresPolicy, .comparesAsUnicode, .joinsParts, .cutsKeys: .keys
        case .containsWholeSources: .containing
        case .deniesWhatItHas, .answersTheFirst, .answersWhatExpired, .answersUncounted: .answering
        case .ignoresDates, .containsWhatExpired, .readsWhatExpired: .expiring
        case .removesWholeSources, .throwsForMissing, .removesNothing, .removesByCutKeys: .removing
        case .removesOriginalsOnly, .removesSourcesByPrefix, .removesByPattern: .sources
        case .removesByPartOfTag, .removesByFormerTags, .ignoresTags, .removesTagsByPattern: .tags
        case .agesSinceStoring, .countsAskingAsUse, .answersWithoutUse, .ignoresAge: .age
        case .clearsHalf, .cannotBeUsedAfterClearing: .clearing
        case .countsAskingAsReading, .forgetsBytesRead: .statistics
        case .keepsEntriesToItself, .keepsTagsToItself: .reopening
        case .replacesInTwoSteps, .writesInTwoSteps: .threadSafety
        }
    }
}
