"""Runs that violate: found by directed search, made smaller, written as scenarios."""
