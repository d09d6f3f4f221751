"""Z3 proofs for any number of processes and messages."""
