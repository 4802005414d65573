import CGallery
import EaselGTK
import Foundation

// The gallery: Easel's views for GTK 4 at work. `make gallery` in Easel's folder builds and runs it.

// Behind the first `await` of an asynchronous `main` the main actor would be on another thread, and GTK is on this one.
guard
    let arguments = GalleryArguments(
        Array(CommandLine.arguments.dropFirst()), environment: ProcessInfo.processInfo.environment)
else {
    print(GalleryArguments.usage)
    exit(2)
}
gallery_keep_memory_small()
Surroundings.leaveOutUnusedGraphics()
guard gtk_init_check() != 0, gdk_display_get_default() != nil else {
    print(
        "There is no display to show the gallery on. `make gallery-shot` runs it on one of its own, and writes images of it."
    )
    exit(1)
}
MainLoop.attach()
if let bench = arguments.bench {
    let run = BenchRun(bench.kind, origin: bench.origin, set: bench.set, cache: bench.cache)
    run.begin()
    g_main_loop_run(g_main_loop_new(nil, 0))
    withExtendedLifetime(run) {}
} else {
    let gallery = Gallery(arguments)
    gallery.begin()
    g_main_loop_run(gallery.loop)
}
