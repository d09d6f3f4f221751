"""The built-in models by name: the papers' own algorithms, their variants and special cases, the baselines, and the two
ends of every comparison."""

from __future__ import annotations

from .birman_joseph import BirmanJoseph
from .birman_joseph_stable import BirmanJosephStable
from .bss import BSS
from .bss_changed import BSSChanged
from .bss_groups import BSSGroups
from .centralised import Centralised
from .chains_two import ChainsTwo
from .differential_clocks import DifferentialClocks
from .gk import GK
from .hierarchical import Hierarchical
from .interface import Model
from .jang import Jang
from .kimkim import KimKim
from .ks import KS
from .ks_broadcast import KSBroadcast
from .ks_clock import KSClock
from .ks_complement import KSComplement
from .ks_differences import KSDifferences
from .ks_dynamic import KSDynamic
from .ks_hardware import KSHardware
from .ks_lookahead import KSLookahead
from .ks_sequence import KSSequence
from .mattern_fuenfrocken import MatternFuenfrocken
from .mostefaoui_raynal import MostefaouiRaynal
from .null import Null
from .oracle import Oracle
from .prs import PRS
from .psync import Psync
from .psync_requests import PsyncRequests
from .rst import RST
from .sa import SA
from .separators import Separators
from .serialised_broadcast import SerialisedBroadcast
from .serialised_multicast import SerialisedMulticast
from .ses import SES
from .synchronous import Synchronous

CATALOG: dict[str, type[Model]] = {
    "rst": RST,
    "ks": KS,
    "jang": Jang,
    "gk": GK,
    "sa": SA,
    "ks-hardware": KSHardware,
    "ks-lookahead": KSLookahead,
    "ks-complement": KSComplement,
    "ks-dynamic": KSDynamic,
    "ks-differences": KSDifferences,
    "ks-clock": KSClock,
    "ks-sequence": KSSequence,
    "ks-broadcast": KSBroadcast,
    "serialised-broadcast": SerialisedBroadcast,
    "serialised-multicast": SerialisedMulticast,
    "synchronous": Synchronous,
    "chains-two": ChainsTwo,
    "centralised": Centralised,
    "hierarchical": Hierarchical,
    "ses": SES,
    "bss": BSS,
    "bss-groups": BSSGroups,
    "bss-changed": BSSChanged,
    "birman-joseph": BirmanJoseph,
    "birman-joseph-stable": BirmanJosephStable,
    "psync": Psync,
    "psync-requests": PsyncRequests,
    "prs": PRS,
    "mattern-fuenfrocken": MatternFuenfrocken,
    "mostefaoui-raynal": MostefaouiRaynal,
    "separators": Separators,
    "kimkim": KimKim,
    "differential-clocks": DifferentialClocks,
    "null": Null,
    "oracle": Oracle,
}
