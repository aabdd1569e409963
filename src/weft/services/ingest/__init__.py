"""Documents on their way into the graph."""
