"""What joins bodies of knowledge: bridges between them, and concepts made over them."""
