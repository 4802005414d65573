// The views' types are GTK's own, and what they load is Easel's: who imports this has both.
@_exported public import Easel
#if GTK
@_exported public import CGTK
#endif
