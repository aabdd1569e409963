"""What waits for a decision, what a decision does, and how it is taken back."""
