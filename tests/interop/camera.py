"""Uses the schema package of examples/ with Python's asdf. Python must accept the package, and validate files with it. The
files must survive a round trip.

usage: camera.py FOLDER_OF_PROGRAMS
"""

import pathlib
import sys
import tempfile
import warnings

import asdf
import both
from asdf.exceptions import AsdfConversionWarning, ValidationError
from asdf.extension import ManifestExtension
from asdf.resource import DirectoryResourceMapping

BASE = "asdf://example.org/camera"


def check_schemas(folder):
    count = 0
    for path in sorted(folder.rglob("*.yaml")):
        if "schemas" in path.parts:
            schema = asdf.schema.load_schema(f"{BASE}/schemas/{path.stem}")
            asdf.schema.check_schema(schema)
            count += 1
    return count


def main(programs):
    with tempfile.TemporaryDirectory() as out, asdf.config_context() as config:
        out = pathlib.Path(out)
        both.program(programs, "camera", "export", out / "package")
        for kind in ["schemas", "manifests"]:
            mapping = DirectoryResourceMapping(out / "package" / kind, f"{BASE}/{kind}/", recursive=True)
            config.add_resource_mapping(mapping)
        config.add_extension(ManifestExtension.from_uri(f"{BASE}/manifests/camera-1.1.0"))
        count = check_schemas(out / "package")
        # The tags have no converters, like those of units and times.
        warnings.simplefilter("ignore", AsdfConversionWarning)
        both.program(programs, "camera", "write", out / "ours.asdf")
        with asdf.open(out / "ours.asdf", memmap=False) as af:
            af.validate()
            af["exposure"]["image"][:]
            af.write_to(out / "theirs.asdf")
        both.program(programs, "camera", "check", out / "theirs.asdf")
        refused = 0
        mistakes = {
            "a number of 0": lambda exposure: exposure.update(number=0),
            "another mode": lambda exposure: exposure.update(mode="triple"),
            "another kind of region": lambda exposure: exposure["region"].update(kind="columns"),
            "no image": lambda exposure: exposure.pop("image"),
            "a filter without a name": lambda exposure: exposure["filter"].pop("name"),
        }
        for name, make in mistakes.items():
            with asdf.open(out / "ours.asdf", memmap=False) as af:
                make(af["exposure"])
                try:
                    af.validate()
                    print(f"Python accepts {name}, expected an error")
                except ValidationError:
                    refused += 1
        print(f"Python accepts {count} schemas made from types; the camera's file survives a round trip; {refused} of 5 mistakes are refused")
        return refused < 5 or count < 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
