// Whoever imports this module has Calotype and every plugin whose trait is on.
@_exported public import Calotype
@_exported public import CalotypeDataURI
@_exported public import CalotypeFile

#if HTTP
@_exported public import CalotypeHTTP
#endif

#if PNG
@_exported public import CalotypePNG
#endif

#if JPEG
@_exported public import CalotypeJPEG
#endif

#if COLOR
@_exported public import CalotypeColor
#endif
