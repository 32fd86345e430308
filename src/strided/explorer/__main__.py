"""``python -m strided.explorer``: the explorer page without the command line extra."""

from __future__ import annotations

import argparse

from strided import MissingExtra
from strided.explorer.static_page import write_static_page


def main(argv: list[str] | None = None) -> None:
    """Read the options and serve the page until Ctrl-C."""
    parser = argparse.ArgumentParser(
        prog="python -m strided.explorer",
        description="See what a chain of tensor operations does to memory, on a local page.",
        epilog="example: python -m strided.explorer 'arange(12).reshape(3, 4).T'",
    )
    parser.add_argument("expression", nargs="?", default="", help="a chain to begin with")
    parser.add_argument("--port", type=int, default=0, help="0: the usual one, or any free one")
    parser.add_argument("--no-browser", action="store_true", help="only print the address")
    parser.add_argument(
        "--write", metavar="FOLDER", help="write the page without a server, for any static host"
    )
    options = parser.parse_args(argv)
    if options.write:
        print(f"wrote {write_static_page(options.write)}")
        return
    try:
        from strided.explorer.server import serve  # what it needs is an extra
    except MissingExtra as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    serve(options.port, not options.no_browser, options.expression)


if __name__ == "__main__":
    main()
