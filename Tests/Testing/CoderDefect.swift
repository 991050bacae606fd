import CalotypeTesting

/// What can be wrong with a coder.
enum CoderDefect: String, CaseIterable, Sendable {
    case claimsForeignBytes
    case throwsForForeignBytes
    case wrongSize
    case hiddenAlpha
    case infoChangesByDecoding
    case ignoresDepth
    case unwrittenRowEnd
    case rowsFromTheBottom
    case lastRowMissing
    case beginsTwice
    case swallowsRefusal
    case goesOnAfterRefusal
    case wrapsErrorsOfTheSink
    case ignoresCancelling
    case encoderIgnoresCancelling
    case halfPictureOfCutOffFile
    case errorOfItsOwnWhenCutOff
    case shorterAnimationOfCutOffFile
    case readsAllAtOnce
    case otherPictureInTheEnd
    case forgetsInfo
    case halfPictureInTheEnd
    case forgetsDamage
    case thumbnailTooSmall
    case frameDependsOnThoseBefore
    case anyFrame
    case frameOutside
    case losesBits
    case writesCounter
    case losesOrientation
    case losesLoopCount
    case losesFrames
    case stateInCoder

    /// The check that is to find it.
    var check: CoderCheck {
        switch self {
        case .claimsForeignBytes, .throwsForForeignBytes: .sniffing
        case .wrongSize, .hiddenAlpha, .infoChangesByDecoding, .ignoresDepth: .info
        case .unwrittenRowEnd, .rowsFromTheBottom, .lastRowMissing, .beginsTwice: .rows
        case .swallowsRefusal, .goesOnAfterRefusal: .limits
        case .wrapsErrorsOfTheSink, .ignoresCancelling, .encoderIgnoresCancelling: .cancelling
        case .halfPictureOfCutOffFile, .errorOfItsOwnWhenCutOff, .shorterAnimationOfCutOffFile: .truncation
        case .readsAllAtOnce: .pieces
        case .otherPictureInTheEnd, .forgetsInfo, .halfPictureInTheEnd, .forgetsDamage: .progressive
        case .thumbnailTooSmall: .thumbnails
        case .frameDependsOnThoseBefore, .anyFrame, .frameOutside: .frames
        case .losesBits, .writesCounter, .losesOrientation, .losesLoopCount, .losesFrames: .roundTrip
        case .stateInCoder: .threadSafety
        }
    }
}
