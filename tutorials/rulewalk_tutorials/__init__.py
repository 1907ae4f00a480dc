"""Walkthroughs, from script to page.

`script` reads a script and checks its shape, `story` plays it with the engine and
holds it to what it expects, `html` writes it for a page, and `markdown` is the
extension by which a page calls for it. Everything here runs while the site is
built; nothing of it reaches the reader's browser.
"""
