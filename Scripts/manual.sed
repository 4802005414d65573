# Edits a page of ArgumentParser's manual. `easel.show` becomes `easel-show`, so that `man easel show` finds it, and its
# synopsis keeps the words of the command. Empty lines become paragraphs, as groff requires.
/^\.(Dt|Xr) /{
    s/\./-/g
    s/^-/./
}
s/^$/.Pp/
s/^\.Nd "(.*)"$/.Nd \1/
/^\.Nm "/{
    h
    s/"//g
    s/ /-/g
    s/^\.Nm-/.Nm /
}
/^\.Nm$/{
    x
    s/^$/.Nm/
}
