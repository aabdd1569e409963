"""The contracts that a backend or an embedder must pass: shipped for whoever writes one, used by no product module."""
