import CalotypeTesting

/// A defect of a memory cache.
enum MemoryCacheDefect: String, CaseIterable, Sendable {
    case keepsTheFirst
    case copiesImages
    case containsEverything
    case peeksAtNothing
    case addsEndlessCosts
    case forgetsWhenFull
    case ignoresPolicy
    case ignoresVariant
    case joinsPartsOfKeys
    case composesCharacters
    case endsAtZero
    case cutsLongKeys
    case findsRemovedImages
    case removesTheSource
    case removesLongerSources
    case keepsPolicies
    case removesByCutKeys
    case removesByPattern
    case clearsNothing
    case ignoresTime
    case takesNoTimeForEver
    case keepsFirstDeadline
    case oneTimeForAll
    case promisesMoreTime
    case holdsRemovedImages
    case listsRemovedImages
    case listsOtherSources
    case countsContains
    case forgetsBytes
    case lastKeyOfAll

    /// The check that must find it.
    var check: MemoryCacheCheck {
        switch self {
        case .keepsTheFirst, .copiesImages, .containsEverything, .peeksAtNothing, .addsEndlessCosts, .forgetsWhenFull:
            .storing
        case .ignoresPolicy, .ignoresVariant, .joinsPartsOfKeys, .composesCharacters, .endsAtZero, .cutsLongKeys: .keys
        case .findsRemovedImages, .removesTheSource, .removesLongerSources, .keepsPolicies, .removesByCutKeys,
            .removesByPattern, .clearsNothing:
            .removing
        case .ignoresTime, .takesNoTimeForEver, .keepsFirstDeadline, .oneTimeForAll, .promisesMoreTime: .expiry
        case .holdsRemovedImages: .lettingGo
        case .listsRemovedImages, .listsOtherSources: .listing
        case .countsContains, .forgetsBytes: .statistics
        case .lastKeyOfAll: .threadSafety
        }
    }
}
