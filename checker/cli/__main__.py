"""`python -m precede.checker.cli`: the console command, for child processes."""

from . import main

main()
