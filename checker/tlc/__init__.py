"""Running TLC on the specifications and comparing it with the checker."""
