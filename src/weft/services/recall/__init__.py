"""What reads: hits, nodes with what surrounds them, what a task needs, and how the graph stands."""
