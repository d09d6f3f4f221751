"""Claims of the papers as named properties (algorithms.md, section 7)."""

from . import baselines, chains, gk, jang, ks, ks_sets, sa
from .registry import CLAIMS, Claim, claim

__all__ = ["CLAIMS", "Claim", "baselines", "chains", "claim", "gk", "jang", "ks", "ks_sets", "sa"]
