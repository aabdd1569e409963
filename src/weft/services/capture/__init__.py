"""Writing nodes: classified, compared with what is near, and linked."""
