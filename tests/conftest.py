"""Makes pytest put this folder on the path, for the module that tests share (naive.py)."""
