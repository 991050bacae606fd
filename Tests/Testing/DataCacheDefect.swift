import CalotypeTesting

/// What can be wrong with a data cache.
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
    case ignoresDates
    case containsWhatExpired
    case removesWholeSources
    case throwsForMissing
    case removesNothing
    case removesOriginalsOnly
    case removesSourcesByPrefix
    case purgesByPartOfTag
    case purgesByFormerTags
    case ignoresTags
    case agesSinceStoring
    case countsAskingAsUse
    case ignoresAge
    case clearsHalf
    case cannotBeUsedAfterClearing
    case countsAskingAsReading
    case forgetsBytesRead
    case replacesInTwoSteps
    case writesInTwoSteps

    /// The check that is to find it.
    var check: DataCacheCheck {
        switch self {
        case .losesTheLastByte, .losesEmptyEntries, .losesAttributes, .takesNoExtendedDataForEmpty, .losesTags,
            .roundsDates:
            .keeping
        case .keepsTheFirst, .keepsOldAttributes, .keepsOldDate: .replacing
        case .ignoresPolicy, .comparesAsUnicode, .joinsParts, .cutsKeys: .keys
        case .containsWholeSources: .containing
        case .ignoresDates, .containsWhatExpired: .expiring
        case .removesWholeSources, .throwsForMissing, .removesNothing: .removing
        case .removesOriginalsOnly, .removesSourcesByPrefix: .sources
        case .purgesByPartOfTag, .purgesByFormerTags, .ignoresTags: .tags
        case .agesSinceStoring, .countsAskingAsUse, .ignoresAge: .age
        case .clearsHalf, .cannotBeUsedAfterClearing: .clearing
        case .countsAskingAsReading, .forgetsBytesRead: .statistics
        case .replacesInTwoSteps, .writesInTwoSteps: .threadSafety
        }
    }
}
