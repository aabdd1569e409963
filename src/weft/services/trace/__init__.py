"""Trails from one idea to another, what lies around a node, and what speaks against a claim."""
