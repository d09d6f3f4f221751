"""The TLA+ specifications, shipped as package data."""
