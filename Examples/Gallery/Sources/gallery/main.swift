import CGallery
import EaselGTK
import Foundation

// A gallery with Easel's views for GTK 4. Run `make gallery` in the root folder of Easel.

// Synchronous: after the first `await` of an asynchronous `main`, the main actor would run on another thread than GTK.
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
    print("No display. Run `make gallery-shot` to write screenshots on a virtual display.")
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
