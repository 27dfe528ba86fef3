"""Validates files."""

import copy
import dataclasses
import doctest
import io
import os
import pickle
import signal
import struct
import subprocess
import sys
import textwrap
import time

import asdf
import asdfast
import fsspec
import numpy
import pytest
from asdf.exceptions import ValidationError as TheirError

HEAD = "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n"

# The texts of trees, and the codes of all violations.
TREES = {
    "good": ("a: 1\nlist: [1, two, 3.5]\n", []),
    "quantity": ("a: !unit/quantity-1.2.0 {value: 5.0, unit: !unit/unit-1.0.0 m}\n", []),
    "no unit": ("a: !unit/quantity-1.2.0 {value: 5.0}\n", ["ASDF-S003"]),
    "version is a float": ("a: !core/software-1.0.0 {name: camera, version: 2.1}\n", ["ASDF-S001"]),
    "two faults": (
        "a: !core/software-1.0.0 {name: camera, version: 2.1}\nb: [!core/software-1.0.0 {version: '1'}]\n",
        ["ASDF-S001", "ASDF-S003"],
    ),
    "inline array": ("a: !core/ndarray-1.1.0 {data: [1, 2], datatype: int64, shape: [2]}\n", []),
    "wrong datatype": ("a: !core/ndarray-1.1.0 {data: [1, 2], datatype: int65}\n", ["ASDF-S019", "ASDF-A001"]),
    "unknown tag": ("a: !<asdf://example.org/tags/nothing-1.0.0> {b: 1}\n", []),
    "history": ("history: {extensions: [{software: {name: x, version: '1'}}]}\n", ["ASDF-S003"]),
    "complex": ("a: !core/complex-1.0.0 1+1j\n", []),
    "not complex": ("a: !core/complex-1.0.0 one\n", ["ASDF-S006"]),
}

LENS = "asdf://example.org/camera/schemas/lens-1.0.0"
LENS_TAG = "asdf://example.org/camera/tags/lens-1.0.0"
RESOURCES = {
    LENS: f"%YAML 1.1\n---\nid: {LENS}\ntype: object\nproperties:\n  focus: {{type: integer, minimum: 8}}\nrequired: [focus]\n",
    "asdf://example.org/camera/manifests/camera-1.0.0": textwrap.dedent(f"""\
        %YAML 1.1
        ---
        id: asdf://example.org/camera/manifests/camera-1.0.0
        extension_uri: asdf://example.org/camera/extensions/camera-1.0.0
        tags:
        - tag_uri: {LENS_TAG}
          schema_uri: {LENS}
        """),
}


@pytest.fixture
def write(tmp_path):
    def write(tree, name="file.asdf"):
        path = tmp_path / name
        path.write_text(f"{HEAD}{tree}...\n")
        return path

    return write


@pytest.fixture
def folder(tmp_path):
    """A folder with a schema and its manifest."""
    folder = tmp_path / "schemas"
    folder.mkdir()
    for number, text in enumerate(RESOURCES.values()):
        (folder / f"{number}.yaml").write_text(text)
    return folder


def is_valid_for_asdf(path):
    try:
        with asdf.config_context() as config:
            config.validate_on_read = True
            with asdf.open(path) as file:
                file.validate()
    except TheirError:
        return False
    return True


@pytest.mark.filterwarnings("ignore::asdf.exceptions.AsdfWarning")
@pytest.mark.parametrize("name", TREES)
def test_verdicts_are_those_of_asdf(name, write):
    tree, codes = TREES[name]
    path = write(tree)
    report = asdfast.validate(path)
    assert [violation.code for violation in report] == codes, str(report)
    assert report.is_valid == bool(report) == is_valid_for_asdf(path) == (not codes)
    with asdfast.open(path) as file:
        again = asdfast.validate(file)
    assert again == report


def test_trees_are_validated():
    class Lens(dict):
        pass

    tree = {"a": numpy.arange(5), "history": {"extensions": [{"software": {"name": "x", "version": "1"}}]}}
    report = asdfast.validate(tree)
    assert [str(violation) for violation in report] == [
        "/history/extensions/0: the required property 'extension_class' is missing"
    ]
    assert report.file is None and str(report).startswith("<file>: /history")
    assert asdfast.validate({"a": numpy.arange(5)}).is_valid and asdfast.validate(Lens(a=1)).is_valid


def test_a_violation_has_its_place_and_more(write):
    path = write("a:\n  b: !core/software-1.0.0 {name: camera, version: 2.1}\n")
    report = asdfast.validate(str(path))
    assert len(report) == 1 and report.file == str(path)
    (violation,) = report
    assert (violation.path, violation.line, violation.column) == ("/a/b/version", 7, 51)
    assert (violation.end_line, violation.end_column, violation.offset) == (7, 54, None)
    assert (violation.code, violation.rule, violation.severity) == ("ASDF-S001", "type", "error")
    assert violation.message == "found the float 2.1, expected a string"
    assert (violation.found, violation.expected) == ("the float 2.1", "a string")
    assert violation.tag == "tag:stsci.edu:asdf/core/software-1.0.0"
    assert violation.schema == "http://stsci.edu/schemas/asdf/core/software-1.0.0"
    assert violation.schema_path == "/properties/version/type" and violation.schema_line > 1
    assert str(violation) == "7:51: /a/b/version: found the float 2.1, expected a string"
    with pytest.raises(AttributeError):
        violation.path = ""
    for same in (pickle.loads(pickle.dumps(report)), copy.deepcopy(report)):
        assert same == report and str(same) == str(report)


def test_the_text_is_that_of_the_program(write):
    path = write("a:\n  b: !core/software-1.0.0 {name: camera, version: 2.1}\n")
    report = asdfast.validate(path)
    line = report.violations[0].schema_line
    assert str(report) == textwrap.dedent(f"""\
        {path}:7:51: /a/b/version: found the float 2.1, expected a string
           |
         7 |   b: !core/software-1.0.0 {{name: camera, version: 2.1}}
           |                                                   ^^^
           = ASDF-S001: type at http://stsci.edu/schemas/asdf/core/software-1.0.0#/properties/version/type, line {line}
        {path}: 1 violation""")
    valid = asdfast.validate(write("a: !<asdf://example.org/tags/nothing-1.0.0> {b: 1}\n"))
    assert str(valid).endswith(
        "valid, 1 of 2 tagged nodes checked; no schema for asdf://example.org/tags/nothing-1.0.0"
    )
    assert repr(valid) == f"<asdfast.Report of {str(valid).splitlines()[-1]}>"
    assert [note.code for note in valid.notes] == ["ASDF-T001"]
    assert valid.unknown_tags == ["asdf://example.org/tags/nothing-1.0.0"]


def test_html_is_escaped(write):
    report = asdfast.validate(write("'<b>': !core/software-1.0.0 {name: '<i>', version: 2.1}\n"))
    shown = report._repr_html_()
    assert "<code>/&lt;b&gt;/version</code>" in shown and "<b>" not in shown
    assert "<table>" not in asdfast.validate(write("a: 1\n"))._repr_html_()


def test_an_invalid_report_raises(write):
    asdfast.validate(write("a: 1\n")).raise_if_invalid()
    report = asdfast.validate(write("a: !unit/quantity-1.2.0 {value: 5.0}\nb: !core/software-1.0.0 {}\n"))
    with pytest.raises(asdfast.ValidationError) as caught:
        report.raise_if_invalid()
    error = caught.value
    assert isinstance(error, asdfast.AsdfError) and isinstance(error, ValueError)
    assert error.report is report
    assert (error.file, error.path, error.line, error.column) == (report.file, "/a", 6, 25)
    assert error.code == "ASDF-S003"
    assert str(error).startswith(f"{report.file}: {len(report)} violations\n  6:25: /a: the required property 'unit' is")
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) and again.report == report and again.line == 6


def test_files_are_validated_when_they_are_opened(write, folder):
    good, bad = write("a: 1\n"), write("a: !unit/quantity-1.2.0 {value: 5.0}\n", "bad.asdf")
    asdfast.open(good, validate=True)
    asdfast.open(bad)
    asdfast.open(bad, validate=False)
    with pytest.raises(asdfast.ValidationError, match="the required property 'unit' is missing"):
        asdfast.open(bad, validate=True)
    lens = write(f"a: !<{LENS_TAG}> {{}}\n", "lens.asdf")
    asdfast.open(lens, validate=True)
    with pytest.raises(asdfast.ValidationError, match="focus"):
        asdfast.open(lens, validate=asdfast.Validator(schemas=[folder]))


@pytest.mark.filterwarnings("ignore::asdf.exceptions.AsdfConversionWarning")
@pytest.mark.parametrize("kind", ["folder", "path", "files", "mapping", "bytes"])
def test_schemas_of_the_caller(kind, write, folder):
    schemas = {
        "folder": [folder],
        "path": str(folder),
        "files": sorted(folder.iterdir()),
        "mapping": [RESOURCES],
        "bytes": {uri: text.encode() for uri, text in RESOURCES.items()},
    }[kind]
    for value, valid in [("{focus: 50}", True), ("{focus: 5}", False), ("{}", False), ("{focus: x}", False)]:
        path = write(f"a: !<{LENS_TAG}> {value}\n")
        report = asdfast.validate(path, schemas=schemas)
        assert report.is_valid == valid, str(report)
        assert report.unknown_tags == []
        with asdf.config_context() as config:
            config.add_resource_mapping({uri: text.encode() for uri, text in RESOURCES.items()})
            config.add_extension(asdf.extension.ManifestExtension.from_uri(list(RESOURCES)[1]))
            assert is_valid_for_asdf(path) == valid
            # The resources of asdf's configuration are schemas too.
            assert asdfast.validate(path, schemas=[config.resource_manager]).is_valid == valid


def test_a_schema_for_the_whole_tree(tmp_path, write):
    schema = tmp_path / "tree.yaml"
    schema.write_text("type: object\nrequired: [target]\n")
    good, bad = write("target: M31\n"), write("a: 1\n", "bad.asdf")
    assert asdfast.validate(good, schema=schema)
    report = asdfast.validate(bad, schema=str(schema))
    assert [str(violation) for violation in report] == ["6:1: /: the required property 'target' is missing"]
    with asdf.config_context() as config, pytest.raises(TheirError):
        config.validate_on_read = True
        asdf.open(bad, custom_schema=str(schema))
    assert not asdfast.validate(write("a: 1\n"), schema="http://stsci.edu/schemas/asdf/core/software-1.0.0")
    with pytest.raises(asdfast.UsageError, match="unknown schema"):
        asdfast.validate(good, schema="asdf://example.org/none-1.0.0")
    with pytest.raises(FileNotFoundError) as caught:
        asdfast.validate(good, schema=tmp_path / "none.yaml")
    assert caught.value.file == str(tmp_path / "none.yaml")


def test_options(write):
    software = "!core/software-1.0.0 {name: camera, version: 2.1}"
    path = write(f"list: [{', '.join([software] * 30)}]\n")
    assert len(asdfast.validate(path)) == 30
    report = asdfast.validate(path, max_errors=3)
    assert len(report) == 3 and not report.is_complete
    assert str(report).endswith(": 3 violations, the rest was not checked")
    assert len(asdfast.validate(path, max_errors=None)) == 30
    report = asdfast.validate(path, timeout=0)
    assert report.violations[-1].code == "ASDF-F003" and not report.is_complete
    report = asdfast.validate(path, limits={"tree_nodes": 10})
    assert [violation.code for violation in report] == ["ASDF-F001"]
    assert report.violations[0].hint == "pass limits={'tree_nodes': N} for files that you trust"
    unit = write("a: !unit/unit-1.0.0 parsnip\n")
    report = asdfast.validate(unit)
    assert report.is_valid and [warning.severity for warning in report.warnings] == ["warning"]
    strict = asdfast.validate(unit, strict=True)
    assert not strict.is_valid and strict.violations[0].severity == "error" and not strict.warnings
    for wrong in ({"limits": {"none": 1}}, {"limits": {"tree_depth": 513}}, {"package": "none-such-package"}):
        with pytest.raises(asdfast.UsageError):
            asdfast.validate(path, **wrong)
    for wrong in ({"other": 1}, {"blocks": "x"}, {"max_errors": "x"}):
        with pytest.raises(TypeError):
            asdfast.validate(path, **wrong)
    with pytest.raises(ValueError):
        asdfast.validate(path, timeout=-1)
    with pytest.raises(TypeError, match="found int, expected a path, a URL, bytes, a binary file object, an asdfast.File or a dict"):
        asdfast.validate(5)


def test_blocks_are_checked(tmp_path):
    path = tmp_path / "blocks.asdf"
    asdf.AsdfFile({"a": numpy.arange(1000)}).write_to(path)
    assert asdfast.validate(path)
    damaged = bytearray(path.read_bytes())
    damaged[damaged.index(b"\xd3BLK") + 54 + 100] ^= 255
    path.write_bytes(damaged)
    report = asdfast.validate(path)
    assert [violation.code for violation in report] == ["ASDF-B002"]
    (violation,) = report
    assert violation.offset == damaged.index(b"\xd3BLK") and violation.line is None and violation.tag is None
    assert str(violation).startswith(f"at byte {violation.offset}: ")
    assert asdfast.validate(path, blocks=False)


def of_bytes(data, path):
    """The same file as bytes and as file objects, with the names that reports give them."""
    file = open(path, "rb")
    named = io.BytesIO(data)
    named.name = "camera/1.asdf"
    memory = fsspec.filesystem("memory")
    memory.pipe("/night/1.asdf", data)
    return [
        (data, None),
        (bytearray(data), None),
        (memoryview(data), None),
        (io.BytesIO(data), None),
        (named, "camera/1.asdf"),
        (file, str(path)),
        (fsspec.open("memory://night/1.asdf").open(), "/night/1.asdf"),
    ]


def test_bytes_and_file_objects(tmp_path):
    for name, (tree, codes) in TREES.items():
        data = f"{HEAD}{tree}...\n".encode()
        path = tmp_path / f"{name}.asdf"
        path.write_bytes(data)
        expected = asdfast.validate(path)
        validator = asdfast.Validator()
        sources = of_bytes(data, path)
        reports = [validator.validate(source) for source, _ in sources]
        assert reports == validator.validate_many([source for source, _ in sources])
        for report, (_, file) in zip(reports, sources, strict=True):
            assert report.file == file and [violation.code for violation in report] == codes
            assert dataclasses.replace(report, file=expected.file) == expected
        assert str(reports[0]).startswith("<file>:")
        # The object can be read again.
        assert asdfast.validate(sources[5][0]).file == str(path)
        sources[5][0].close()


def test_bytes_that_are_not_asdf():
    for data in [b"", b"SIMPLE", io.BytesIO(b"none")]:
        report = asdfast.validate(data)
        assert not report.is_valid and report.file is None and report.error is None
    with pytest.raises(TypeError, match="binary mode"):
        asdfast.validate(io.StringIO("#ASDF 1.0.0\n"))

    class Broken(io.BytesIO):
        def read(self, size=-1):
            if size == 0:
                return b""
            raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"):
        asdfast.validate(Broken(b"#ASDF 1.0.0\n"))


def test_blocks_of_bytes_are_checked():
    out = io.BytesIO()
    asdf.AsdfFile({"a": numpy.arange(100_000)}).write_to(out)
    assert asdfast.validate(out)
    damaged = bytearray(out.getvalue())
    damaged[damaged.index(b"\xd3BLK") + 54 + 100] ^= 255
    for source in [damaged, io.BytesIO(damaged)]:
        assert [violation.code for violation in asdfast.validate(source)] == ["ASDF-B002"]
        assert asdfast.validate(source, blocks=False)


def test_a_missing_file_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        asdfast.validate(tmp_path / "none.asdf")
    assert caught.value.file == str(tmp_path / "none.asdf")
    assert (caught.value.line, caught.value.path, caught.value.code) == (None, None, None)


def test_a_broken_file_is_not_valid(tmp_path):
    for name, content, place in [
        ("yaml.asdf", f"{HEAD}a: [1, 2\nb: 3\n...\n", True),
        ("text.asdf", "not asdf\n", False),
        ("empty.asdf", "", False),
    ]:
        path = tmp_path / name
        path.write_text(content)
        report = asdfast.validate(path)
        assert [violation.code for violation in report] == ["ASDF-F001"], str(report)
        assert not report.is_complete and (report.violations[0].line is not None) == place
        with pytest.raises(asdfast.ValidationError):
            report.raise_if_invalid()
        with pytest.raises(Exception):
            asdf.open(path)


def roman_file(path):
    """Writes a small Roman file."""
    import roman_datamodels.datamodels as models

    model = models.ImageModel.create_fake_data(shape=(8, 8))
    model.save(path)
    return path


def test_the_schemas_of_an_installed_package(tmp_path):
    path = roman_file(tmp_path / "roman.asdf")
    # Nothing imports asdf or rad.
    program = textwrap.dedent(f"""\
        import sys, asdfast
        plain, rad = asdfast.validate({str(path)!r}), asdfast.validate({str(path)!r}, package="rad")
        assert plain.is_valid and plain.unknown_tags
        assert rad.is_valid, str(rad)
        assert not rad.unknown_tags, rad.unknown_tags
        assert rad.validated > plain.validated
        assert "asdf" not in sys.modules and "rad" not in sys.modules
        print("done")
    """)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert done.stdout == "done\n", done.stderr
    assert is_valid_for_asdf(path)
    bad = tmp_path / "bad.asdf"
    text = path.read_bytes()
    at = text.index(b"nresultants: ")
    end = text.index(b"\n", at)
    bad.write_bytes(text[: at + 13] + b"x" * (end - at - 13) + text[end:])
    assert asdfast.validate(bad).is_valid
    report = asdfast.validate(bad, package=["rad"], blocks=False)
    assert [violation.path for violation in report] == ["/roman/meta/exposure/nresultants"]
    assert not is_valid_for_asdf(bad)
    assert asdfast.Validator(package="*").validate(bad).violations


def test_a_package_without_a_folder_is_found_through_its_entry_points(tmp_path, monkeypatch, write):
    info = tmp_path / "camera_x-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: camera-x\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[asdf.resource_mappings]\ncamera = camera_x_module:get\n")
    texts = {uri: text.encode() for uri, text in RESOURCES.items()}
    (tmp_path / "camera_x_module.py").write_text(f"def get():\n    return [{texts!r}]\n")
    path = write(f"a: !<{LENS_TAG}> {{focus: 5}}\n")
    with pytest.raises(asdfast.UsageError, match="Python package 'camera-x' not found") as caught:
        asdfast.validate(path, package="camera-x")
    assert "install it in this environment" in str(caught.value)
    monkeypatch.syspath_prepend(tmp_path)
    assert [violation.rule for violation in asdfast.validate(path, package="camera-x")] == ["minimum"]


@pytest.fixture
def many(tmp_path):
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(200):
        version = "2.1" if number % 10 == 3 else "'2.1'"
        tree = f"a: {number}\nb: !core/software-1.0.0 {{name: camera, version: {version}}}\n"
        (folder / f"{number:03}.asdf").write_text(f"{HEAD}{tree}...\n")
    return sorted(folder.iterdir())


@pytest.mark.parametrize("threads", [None, 1, 5])
def test_many_files(many, threads):
    validator = asdfast.Validator()
    calls = []
    reports = validator.validate_many(many, threads=threads, progress=lambda done, total: calls.append((done, total)))
    assert calls == [(number + 1, 200) for number in range(200)]
    assert [report.file for report in reports] == [str(path) for path in many]
    assert [report.is_valid for report in reports] == [number % 10 != 3 for number in range(200)]
    assert validator.validate_many(map(str, many), threads=threads) == reports
    assert validator.validate_many([], threads=threads) == []
    assert [validator.validate(path) for path in many] == reports


def test_a_missing_file_does_not_stop_the_others(many):
    missing = many[0].parent / "none.asdf"
    reports = asdfast.Validator().validate_many([many[0], missing, many[1]])
    assert [report.is_valid for report in reports] == [True, False, True]
    report = reports[1]
    assert isinstance(report.error, FileNotFoundError) and report.error.file == str(missing)
    assert [violation.code for violation in report] == ["ASDF-F001"]
    with pytest.raises(asdfast.ValidationError) as caught:
        report.raise_if_invalid()
    assert caught.value.__cause__ is report.error
    for wrong in (str(many[0]), many[0], many[0].read_bytes(), io.BytesIO()):
        with pytest.raises(TypeError, match="expected several"):
            asdfast.Validator().validate_many(wrong)


def test_an_exception_of_the_callback_ends_the_work(many):
    def progress(done, total):
        raise KeyError(done)

    with pytest.raises(KeyError, match="1"):
        asdfast.Validator().validate_many(many, progress=progress)


def test_a_validator_can_be_pickled(many, folder):
    validator = asdfast.Validator(schemas=[str(folder)], strict=True)
    for same in (pickle.loads(pickle.dumps(validator)), copy.copy(validator)):
        assert repr(same) == repr(validator) == f"asdfast.Validator(schemas=[{str(folder)!r}], strict=True)"
        assert same.validate(many[3]) == validator.validate(many[3])


def test_threads_share_a_validator(many):
    from concurrent.futures import ThreadPoolExecutor

    validator = asdfast.Validator()
    with ThreadPoolExecutor(8) as pool:
        reports = list(pool.map(validator.validate, many))
    assert reports == validator.validate_many(many)


@pytest.mark.skipif(os.name != "posix", reason="Windows cannot send SIGINT to a single process")
@pytest.mark.parametrize("call", ["validator.validate_many([path] * 100_000)", "validator.validate(path)"])
def test_control_c_stops_it(call, tmp_path):
    path = tmp_path / "large.asdf"
    if "many" in call:
        path.write_text(f"{HEAD}a: [{', '.join(['!core/complex-1.0.0 1+1j'] * 1000)}]\n...\n")
    else:
        # Takes some seconds in a debug build.
        path.write_text(f"{HEAD}a: [{', '.join(['!core/complex-1.0.0 1+1j'] * 1_000_000)}]\n...\n")
    program = textwrap.dedent(f"""\
        import asdfast, time
        path = {str(path)!r}
        validator = asdfast.Validator()
        print("ready", flush=True)
        try:
            {call}
            print("not interrupted")
        except KeyboardInterrupt:
            print("interrupted", time.time(), flush=True)
    """)
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.5)
        sent = time.time()
        process.send_signal(signal.SIGINT)
        word, at = process.stdout.readline().split()
        assert word == "interrupted" and float(at) - sent < 5
        process.wait(60)
        assert process.returncode == 0
    finally:
        process.kill()
        process.stdout.close()
        process.wait()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="counts threads in /proc")
@pytest.mark.parametrize("call", ["validator.validate_many([path] * 5)", "validator.validate(path)"])
def test_control_c_ends_reading(call, tmp_path):
    path = tmp_path / "sparse.asdf"
    size = 64 << 30
    tree = f"{HEAD}a: !core/ndarray-1.1.0 {{source: 0, datatype: uint8, byteorder: little, shape: [{size}]}}\n...\n"
    with path.open("wb") as file:
        file.write(tree.encode())
        file.write(struct.pack(">4sHI4s3Q16s", b"\xd3BLK", 48, 0, bytes(4), size, size, size, bytes(range(16))))
        file.truncate(file.tell() + size)
    program = textwrap.dedent(f"""\
        import asdfast, os, signal, threading, time
        def count():
            return len(os.listdir("/proc/self/task"))
        path = {str(path)!r}
        validator = asdfast.Validator()
        before = count()
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        start = time.monotonic()
        try:
            {call}
        except KeyboardInterrupt:
            print("interrupted", time.monotonic() - start < 5)
        end = time.monotonic() + 5
        while count() > before and time.monotonic() < end:
            time.sleep(0.01)
        print(count() == before)
    """)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stdout == "interrupted True\nTrue\n", done.stderr


@pytest.mark.parametrize("name", ["validate", "Validator"])
def test_the_examples_of_docstrings(name):
    item = getattr(asdfast, name)
    test = doctest.DocTestParser().get_doctest(item.__doc__, {}, name, None, None)
    out = io.StringIO()
    assert test.examples and doctest.DocTestRunner().run(test, out=out.write).failed == 0, out.getvalue()
