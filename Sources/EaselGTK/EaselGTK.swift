#if GTK
// The views' types are GTK's own, and what they load is Easel's: who imports this has both.
@_exported public import CGTK
@_exported public import Easel
#endif
