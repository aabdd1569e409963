"""Codecs: text in, values out. Nothing here reads or writes a file, and nothing a text holds is ever executed."""
