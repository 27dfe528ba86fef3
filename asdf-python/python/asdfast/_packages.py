"""The schemas of packages that have no folder with them, such as editable installs with an import hook."""

from collections.abc import Mapping
from importlib import metadata

GROUP = "asdf.resource_mappings"


def resources(name: str) -> list[tuple[str, bytes]]:
    """Returns the schemas and manifests of a package by their URIs. Calls the entry points of the package."""
    try:
        distribution = metadata.distribution(name)
    except (metadata.PackageNotFoundError, ValueError):
        return []
    found: dict[str, bytes] = {}
    for entry in distribution.entry_points:
        if entry.group == GROUP:
            mappings: list[Mapping[str, bytes]] = entry.load()()
            for mapping in mappings:
                for uri, text in mapping.items():
                    # The first one is used, as in a folder.
                    found.setdefault(uri, text)
    return list(found.items())
