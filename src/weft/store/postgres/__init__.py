"""The graph in PostgreSQL: the same ports over the same statements, and roles of the database as tiers."""
