"""What explores, judges, compares, measures and draws."""
