"""A second hook of MkDocs: mends what the theme writes that is no valid HTML."""

from typing import Any

MENDED = {
    # A label that opens nothing: no number is not the number nothing.
    ' tabindex=""': "",
    # The checkboxes behind the drawer and the search have nothing to complete.
    'type="checkbox" id="__drawer" autocomplete="off"': 'type="checkbox" id="__drawer"',
    'type="checkbox" id="__search" autocomplete="off"': 'type="checkbox" id="__search"',
}


def on_post_page(output: str, **context: Any) -> str:
    for wrong, right in MENDED.items():
        output = output.replace(wrong, right)
    return output


def on_post_template(output: str, **context: Any) -> str:
    return on_post_page(output)
