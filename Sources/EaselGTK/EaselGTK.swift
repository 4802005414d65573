// The views are GTK's types, and loading uses Easel's, so importing this module imports both.
@_exported public import Easel
#if GTK
@_exported public import CGTK
#endif
