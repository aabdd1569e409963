"""Search: what may answer a query, in which order, and why."""
