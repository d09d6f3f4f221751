"""A small log, and the audit of logs from the command line."""

import json

from precede.checker.cli import run

TRIANGLE = """\
{"process": "a", "kind": "send", "message": "m1", "destinations": ["c"], "time": 1}
{"process": "a", "kind": "send", "message": "m2", "destinations": ["b"], "time": 2}
{"process": "b", "kind": "deliver", "message": "m2", "time": 3}
{"process": "b", "kind": "send", "message": "m3", "destinations": ["c"], "time": 4}
{"process": "c", "kind": "deliver", "message": "m3", "time": 5}
{"process": "c", "kind": "other", "text": "between", "time": 6}
{"process": "c", "kind": "deliver", "message": "m1", "time": 7.5}
"""


def audited(capsys, *arguments):
    """The exit code and the JSON."""
    code = run(["audit", *map(str, arguments), "--json", "-"])
    printed = capsys.readouterr()
    assert printed.out, printed.err
    return code, json.loads(printed.out)


def written(folder, text, name="x.ndjson"):
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path
