"""Draws the picture that goes with a shared link: docs/assets/card.png, from card.svg beside it.

    python tools/card.py

The picture is committed, so that building the site takes no browser.
"""

import base64

import browsers
import languages

ASSETS = languages.ROOT / "docs/assets"
FONT = "node_modules/@fontsource-variable/atkinson-hyperlegible-next/files"
FACE = "atkinson-hyperlegible-next-latin-wght-normal.woff2"


def main() -> None:
    letters = base64.b64encode((languages.ROOT / FONT / FACE).read_bytes()).decode()
    page = f"""
        <style>
            @font-face {{
                font-family: "Atkinson Hyperlegible Next";
                font-weight: 200 800;
                src: url(data:font/woff2;base64,{letters});
            }}
            body {{ margin: 0 }}
            svg {{ display: block }}
        </style>
        {(ASSETS / "card.svg").read_text()}"""
    with browsers.chromium() as chromium:
        tab = chromium.new_page(viewport={"width": 1200, "height": 630})
        tab.set_content(page)
        tab.evaluate("document.fonts.ready")
        tab.screenshot(path=ASSETS / "card.png")


if __name__ == "__main__":
    main()
