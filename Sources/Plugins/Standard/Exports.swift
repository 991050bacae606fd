// Whoever imports this module has Calotype and every plugin whose trait is on.
@_exported public import Calotype
@_exported public import CalotypeFile

#if PNG
@_exported public import CalotypePNG
#endif
