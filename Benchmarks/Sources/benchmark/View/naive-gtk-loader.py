"""A simple grid of images in GTK 4: libsoup loads, GdkPixbuf decodes at the size of the cells in a thread, and a dictionary
caches images. It takes the gallery's `--bench` arguments and writes the same lines.
"""
import argparse
import concurrent.futures
import json
import signal
import time

import gi

gi.require_version("Gdk", "4.0")
gi.require_version("Gtk", "4.0")
gi.require_version("Soup", "3.0")
from gi.repository import Gdk, GdkPixbuf, Gio, GLib, Gtk, Soup

COLUMNS, WIDTH, HEIGHT = 8, 160, 120
STYLE = b"""window { background: #FF00FF; }
gridview, gridview > child { background: none; padding: 0; margin: 0; border-radius: 0; }"""


def report(event, at=None, **more):
    print("BENCH " + json.dumps({"event": event, "t": at or time.time(), **more}), flush=True)


class Loader:
    """Loads each image once."""

    def __init__(self):
        # With libsoup's default of two connections, a distant server takes four times as long.
        self.session = Soup.Session(max_conns=8, max_conns_per_host=8)
        self.threads = concurrent.futures.ThreadPoolExecutor(2)
        self.known = {}
        self.waiting = {}

    def load(self, url, show):
        if url in self.known:
            return show(self.known[url])
        if url in self.waiting:
            return self.waiting[url].append(show)
        self.waiting[url] = [show]
        message = Soup.Message.new("GET", url)
        self.session.send_and_read_async(message, GLib.PRIORITY_DEFAULT, None, self.received, url)

    def received(self, session, result, url):
        data = session.send_and_read_finish(result)
        self.threads.submit(self.decode, data, url)

    def decode(self, data, url):
        if url.endswith(".gif"):
            loader = GdkPixbuf.PixbufLoader()
            loader.write_bytes(data)
            loader.close()
            image = loader.get_animation()
        else:
            stream = Gio.MemoryInputStream.new_from_bytes(data)
            image = GdkPixbuf.Pixbuf.new_from_stream_at_scale(stream, WIDTH, HEIGHT, True, None)
        GLib.idle_add(self.finish, url, image)

    def finish(self, url, image):
        if isinstance(image, GdkPixbuf.Pixbuf):
            image = Gdk.Texture.new_for_pixbuf(image)
        self.known[url] = image
        for show in self.waiting.pop(url):
            show(image)
        return False


class Cell(Gtk.Picture):
    """Shows one image, or plays it."""

    def __init__(self):
        super().__init__(content_fit=Gtk.ContentFit.COVER)
        self.set_size_request(WIDTH, HEIGHT)
        self.url = None
        self.timer = 0

    def clear(self):
        self.url = None
        if self.timer:
            GLib.source_remove(self.timer)
            self.timer = 0
        self.set_paintable(None)

    def bind(self, url, loader, shown):
        self.clear()
        self.url = url

        def show(image):
            if self.url != url:
                return
            if isinstance(image, Gdk.Texture):
                self.set_paintable(image)
            else:
                self.step(image.get_iter(None))
            shown()

        loader.load(url, show)

    def step(self, iterator):
        iterator.advance(None)
        self.set_paintable(Gdk.Texture.new_for_pixbuf(iterator.get_pixbuf()))
        delay = iterator.get_delay_time()
        self.timer = GLib.timeout_add(delay, self.step, iterator) if delay >= 0 else 0
        return False


class Bench:
    def __init__(self, arguments):
        self.kind = arguments.bench
        gifs = self.kind == "gifs"
        names = (
            [f"gif/{n:02d}.gif" for n in range(50)]
            if gifs
            else [f"{arguments.set}/{n:03d}.jpg" for n in range(600)]
        )
        self.urls = [f"{arguments.origin}/{name}" for name in names]
        self.height = 840 if gifs else 720
        self.loader = Loader()
        self.complete = set()
        self.bound = set()
        self.frames = []
        self.after = []
        self.make_window()

    def make_window(self):
        provider = Gtk.CssProvider()
        provider.load_from_data(STYLE)
        Gtk.StyleContext.add_provider_for_display(
            Gdk.Display.get_default(), provider, Gtk.STYLE_PROVIDER_PRIORITY_APPLICATION
        )
        factory = Gtk.SignalListItemFactory()
        factory.connect("setup", lambda _, item: item.set_child(Cell()))
        factory.connect("bind", self.bind)
        factory.connect("unbind", self.unbind)
        self.grid = Gtk.GridView(
            model=Gtk.NoSelection(model=Gtk.StringList.new(self.urls)),
            factory=factory,
            min_columns=COLUMNS,
            max_columns=COLUMNS,
        )
        scroller = Gtk.ScrolledWindow(
            child=self.grid, hscrollbar_policy=Gtk.PolicyType.NEVER, vscrollbar_policy=Gtk.PolicyType.EXTERNAL
        )
        self.adjustment = scroller.get_vadjustment()
        self.window = Gtk.Window(
            decorated=False, default_width=COLUMNS * WIDTH, default_height=self.height, child=scroller
        )

    def bind(self, _, item):
        index = item.get_position()
        self.bound.add(index)
        self.complete.discard(index)
        item.get_child().bind(self.urls[index], self.loader, lambda: self.complete.add(index))

    def unbind(self, _, item):
        self.bound.discard(item.get_position())
        item.get_child().clear()

    def is_complete(self):
        top = int(self.adjustment.get_value())
        first = top // HEIGHT * COLUMNS
        last = min((top + self.height + HEIGHT - 1) // HEIGHT * COLUMNS, len(self.urls))
        # If only a few points of the last row are visible, GTK 4.8 has no cells for its end.
        seen = (index for index in range(first, last) if index < last - COLUMNS or index in self.bound)
        return all(index in self.complete for index in seen)

    def end(self):
        return (len(self.urls) + COLUMNS - 1) // COLUMNS * HEIGHT - self.height

    # A measurement is a sequence of steps, each of which yields what it waits for.

    def begin(self):
        report("start")
        self.window.present()
        self.clock = self.window.get_frame_clock()
        self.clock.connect("after-paint", self.painted)
        self.course = self.run()
        self.go_on()

    def go_on(self):
        wanted = next(self.course, None)
        if wanted == "frame":
            self.after.append(self.go_on)
            self.clock.request_phase(Gdk.FrameClockPhase.AFTER_PAINT)
        elif wanted is not None:
            GLib.timeout_add(int(wanted * 1000), self.go_on)
        return False

    def painted(self, _):
        self.frames.append(time.time())
        waiting, self.after = self.after, []
        for call in waiting:
            GLib.idle_add(call)

    def until_complete(self, frames=1):
        seen = 0
        while seen < frames:
            yield "frame"
            seen = seen + 1 if self.is_complete() else 0

    def run(self):
        yield from self.until_complete()
        yield "frame"
        report("first_screen")
        if self.kind == "all":
            while self.adjustment.get_value() < self.end():
                self.adjustment.set_value(min(self.adjustment.get_value() + 720, self.end()))
                yield from self.until_complete(2)
            report("all_loaded")
        elif self.kind == "scroll":
            yield 1
            for number in (1, 2):
                yield from self.scroll(number)
        report("done")

    def scroll(self, number):
        # Keeps the clock running, as GTK's own scrolling does. Single frame requests would restart it each time.
        self.clock.begin_updating()
        start = time.time()
        self.frames = []
        while time.time() - start < 4:
            self.adjustment.set_value(min((time.time() - start) * 2000, self.end()))
            yield "frame"
        self.clock.end_updating()
        report("pass", n=number, t0=start, t1=time.time(), frames=self.frames)
        yield from self.until_complete()
        yield "frame"
        report("settled", n=number)
        yield 1
        self.adjustment.set_value(0)
        yield 1.5


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bench", choices=["cold", "all", "scroll", "gifs"])
    parser.add_argument("--origin")
    parser.add_argument("--set", default="")
    parser.add_argument("--cache")
    Gtk.init()
    bench = Bench(parser.parse_args())
    bench.begin()
    loop = GLib.MainLoop()
    GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGTERM, loop.quit)
    loop.run()


main()
