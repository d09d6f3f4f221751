"""The built-in models by name: the papers' own algorithms, their variants and special cases, the baselines, and the two
ends of every comparison."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module

from .interface import Model

CLASSES = {
    "rst": "rst.RST",
    "ks": "ks.KS",
    "jang": "jang.Jang",
    "gk": "gk.GK",
    "sa": "sa.SA",
    "ks-hardware": "ks_hardware.KSHardware",
    "ks-lookahead": "ks_lookahead.KSLookahead",
    "ks-complement": "ks_complement.KSComplement",
    "ks-dynamic": "ks_dynamic.KSDynamic",
    "ks-differences": "ks_differences.KSDifferences",
    "ks-clock": "ks_clock.KSClock",
    "ks-sequence": "ks_sequence.KSSequence",
    "ks-broadcast": "ks_broadcast.KSBroadcast",
    "serialised-broadcast": "serialised_broadcast.SerialisedBroadcast",
    "serialised-multicast": "serialised_multicast.SerialisedMulticast",
    "synchronous": "synchronous.Synchronous",
    "chains-two": "chains_two.ChainsTwo",
    "centralised": "centralised.Centralised",
    "hierarchical": "hierarchical.Hierarchical",
    "ses": "ses.SES",
    "bss": "bss.BSS",
    "bss-groups": "bss_groups.BSSGroups",
    "bss-changed": "bss_changed.BSSChanged",
    "birman-joseph": "birman_joseph.BirmanJoseph",
    "birman-joseph-stable": "birman_joseph_stable.BirmanJosephStable",
    "psync": "psync.Psync",
    "psync-requests": "psync_requests.PsyncRequests",
    "prs": "prs.PRS",
    "mattern-fuenfrocken": "mattern_fuenfrocken.MatternFuenfrocken",
    "mostefaoui-raynal": "mostefaoui_raynal.MostefaouiRaynal",
    "separators": "separators.Separators",
    "kimkim": "kimkim.KimKim",
    "differential-clocks": "differential_clocks.DifferentialClocks",
    "null": "null.Null",
    "oracle": "oracle.Oracle",
}
"""name -> module and class, in the order in which they are listed."""


class Catalog(Mapping[str, type[Model]]):
    """The classes by name. A module is imported when it is first asked for: a check needs one of them."""

    def __getitem__(self, name: str) -> type[Model]:
        module, _, cls = CLASSES[name].partition(".")
        model: type[Model] = getattr(import_module(f".{module}", __package__), cls)
        return model

    def __contains__(self, name: object) -> bool:
        return name in CLASSES

    def __iter__(self) -> Iterator[str]:
        return iter(CLASSES)

    def __len__(self) -> int:
        return len(CLASSES)


CATALOG = Catalog()
