// Importing this module imports Calotype and every plugin. A plugin whose trait is off only exists to produce a clear
// compiler error.
@_exported public import Calotype
@_exported public import CalotypeColor
@_exported public import CalotypeDataURI
@_exported public import CalotypeFile
@_exported public import CalotypeGIF
@_exported public import CalotypeHEIF
@_exported public import CalotypeHTTP
@_exported public import CalotypeJPEG
@_exported public import CalotypePNG
@_exported public import CalotypeTransformers
@_exported public import CalotypeWebP
