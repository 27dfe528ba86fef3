"""Converts a tree as PyYAML loads it to the form of tests/src/typed.rs."""

import collections
import datetime
import json
import math
import struct

import asdf


def typed(value):
    return node(value, {})


def node(value, met):
    tag = getattr(value, "_tag", None)
    if isinstance(value, collections.UserString):
        return {"t": "text", "v": str(value), "tag": tag}
    if isinstance(value, (dict, list, set)):
        return collection(value, tag, met)
    kind, text = scalar(value)
    return {"t": kind, "v": text}


def scalar(value):
    if value is None:
        return "null", ""
    if isinstance(value, bool):
        return "bool", str(value).lower()
    if isinstance(value, int):
        return "int", str(value)
    if isinstance(value, float):
        return "float", "nan" if math.isnan(value) else struct.pack(">d", value).hex()
    if isinstance(value, datetime.datetime):
        return "time", value.isoformat(timespec="microseconds")
    if isinstance(value, datetime.date):
        return "time", value.isoformat()
    if isinstance(value, bytes):
        return "bytes", value.hex()
    if isinstance(value, str):
        return "str", value
    raise TypeError(type(value))


def collection(value, tag, met):
    if id(value) in met:
        return {"t": "ref", "v": met[id(value)]}
    met[id(value)] = len(met)
    made = {"id": met[id(value)]} | ({"tag": tag} if tag else {})
    if isinstance(value, set):
        return made | {"t": "set", "v": ordered([node(item, met) for item in value])}
    if isinstance(value, list):
        if is_pairs(value):
            return made | {"t": "pairs", "v": [[node(k, met), node(v, met)] for k, v in value]}
        return made | {"t": "seq", "v": [node(item, met) for item in value]}
    kind = "omap" if isinstance(value, collections.OrderedDict) else "map"
    return made | {"t": kind, "v": [[node(k, met), node(v, met)] for k, v in value.items()]}


def is_pairs(value):
    """PyYAML reads `!!pairs` as a list of tuples, and makes tuples for nothing else."""
    return not isinstance(value, asdf.tagged.TaggedList) and any(isinstance(item, tuple) for item in value)


def ordered(items):
    """Returns the items of a set, which have no order, in an order that both sides use."""
    return sorted(items, key=json.dumps)


def normal(value):
    """Converts our side for a comparison: sets in that order, and empty `!!pairs` as a list, as in Python."""
    if isinstance(value, dict):
        value = {key: normal(held) for key, held in value.items()}
        if value["t"] == "set":
            value["v"] = ordered(value["v"])
        if value["t"] == "pairs" and not value["v"]:
            value["t"] = "seq"
        return value
    if isinstance(value, list):
        return [normal(item) for item in value]
    return value


def difference(a, b, path=""):
    """Describes the first difference between two trees; `None` if they are equal."""
    if type(a) is not type(b):
        return f"{path}: {a!r:.200} is not {b!r:.200}"
    if isinstance(a, dict):
        if a.keys() != b.keys() or any(a[key] != b[key] for key in a if key != "v"):
            return f"{path}: {a!r:.200} is not {b!r:.200}"
        return difference(a["v"], b["v"], path)
    if isinstance(a, list):
        if len(a) != len(b):
            return f"{path}: {len(a)} items, not {len(b)}: {a!r:.200} is not {b!r:.200}"
        return next((d for i, (x, y) in enumerate(zip(a, b)) if (d := difference(x, y, f"{path}/{i}"))), None)
    return None if a == b else f"{path}: {a!r:.200} is not {b!r:.200}"
