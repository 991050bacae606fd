// Importing this module imports Calotype and every plugin. Plugins whose trait is off exist to say so.
@_exported public import Calotype
@_exported public import CalotypeColor
@_exported public import CalotypeDataURI
@_exported public import CalotypeFile
@_exported public import CalotypeGIF
@_exported public import CalotypeHEIF
@_exported public import CalotypeHTTP
@_exported public import CalotypeJPEG
@_exported public import CalotypePNG
@_exported public import CalotypeWebP
