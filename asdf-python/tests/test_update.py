"""Changes of the tree, and updates that keep the rest of the file."""

import collections.abc
import io

import asdf
import numpy as np
import pytest

import asdfast

TEXT = b"""#ASDF 1.0.0
#ASDF_STANDARD 1.6.0
%YAML 1.1
%TAG ! tag:stsci.edu:asdf/
--- !core/asdf-1.1.0
# made by hand
meta: {gain: 2,  old_time: 12.5} # e-
unknown: !<asdf://example.org/tags/x-1.0.0>
  size: 0x10   # hexadecimal
  when: !<asdf://example.org/tags/date-1.0.0> '2026-11-20'
list:
- a # first
- b
shared: &s [1, 2]
alias: *s
1: one
true: yes
...
"""


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "x.asdf"
    path.write_bytes(TEXT)
    return path


def updated(path, before, after):
    """Checks that an update replaced one part of the text, beside what each writer adds."""
    text = path.read_bytes()
    assert text.startswith(TEXT[: TEXT.index(before)] + after), text.decode()
    return text


def test_an_update_changes_only_the_value(path):
    with asdfast.open(path, mode="rw") as file:
        assert file.mode == "rw"
        file["meta"]["gain"] = 2.5
        file.update()
    assert asdfast.open(path)["meta"]["gain"] == 2.5
    text = path.read_bytes()
    for part in (b"# made by hand", b"meta: {gain: 2.5,  old_time: 12.5} # e-", b"size: 0x10   # hexadecimal", b"- a # first",
                 b"!<asdf://example.org/tags/x-1.0.0>", b"shared: &s [1, 2]", b"alias: *s"):
        assert part in text, part
    with pytest.warns(asdf.exceptions.AsdfConversionWarning), asdf.open(path) as found:
        assert found["meta"] == {"gain": 2.5, "old_time": 12.5}
        assert found["shared"] is found["alias"]


def test_views_stay_valid_after_updates(path):
    file = asdfast.open(path, mode="rw")
    meta, items, shared = file["meta"], file["list"], file["shared"]
    gone = file["unknown"]
    for number in range(3):
        meta["count"] = number
        items.append(f"item {number}")
        if number == 1:
            del file["unknown"]
        file.update()
        assert file["meta"] is meta and file["list"] is items
        assert meta["count"] == number
        assert len(gone) == (2 if number < 1 else 0)
    assert items == ["a", "b", "item 0", "item 1", "item 2"]
    assert file["alias"] is shared
    shared.append(3)
    file.update()
    assert asdfast.open(path)["alias"] == [1, 2, 3]
    assert "unknown" not in asdfast.open(path)


def test_a_value_keeps_the_tag_of_the_old_one(path):
    file = asdfast.open(path, mode="rw")
    file["unknown"]["when"] = "2027-01-01"
    assert file["unknown"]["when"].tag == "asdf://example.org/tags/date-1.0.0"
    file["unknown"]["size"] = 17
    file.update()
    text = path.read_bytes()
    assert b"when: !<asdf://example.org/tags/date-1.0.0> '2027-01-01'" in text
    assert b"size: 17   # hexadecimal" in text
    file["unknown"].tag = None
    file["unknown"]["when"] = [1]
    assert file["unknown"].tag is None
    assert file["unknown"]["when"].tag is None
    file["list"].tag = "asdf://example.org/tags/list-1.0.0"
    file.update()
    assert b"list: !<asdf://example.org/tags/list-1.0.0>" in path.read_bytes()


def test_attributes():
    file = asdfast.File({"meta": {"a": 1}})
    file.meta.a = 2
    file.meta.b = [1]
    file.other = {"c": None}
    assert file["meta"] == {"a": 2, "b": [1]} and file.other.c is None
    del file.meta.b
    del file.other
    assert file == {"meta": {"a": 2}}
    with pytest.raises(AttributeError, match=r'hint: set the key with \["items"\]'):
        file.meta.items = 1
    for name in ("write", "mode"):
        with pytest.raises(AttributeError):
            setattr(file, name, 1)
    with pytest.raises(AttributeError, match="no key 'none'"):
        del file.meta.none
    with pytest.raises(AttributeError):
        file.meta.__class__ = dict
    file.tree = {"new": [1, 2]}
    assert file == {"new": [1, 2]}
    buffer = io.BytesIO()
    file.write(buffer)
    buffer.seek(0)
    with asdf.open(buffer) as found:
        assert found["new"] == [1, 2]


def test_mappings_behave_as_dicts():
    file = asdfast.File({"m": {"a": 1, "b": 2, 3: "three", True: "yes"}})
    mapping, same = file["m"], {"a": 1, "b": 2, 3: "three", True: "yes"}
    assert isinstance(mapping, collections.abc.MutableMapping) and isinstance(file, collections.abc.MutableMapping)
    for change in (
        lambda m: m.__setitem__("c", 4),
        lambda m: m.__setitem__(3, "drei"),
        lambda m: m.__setitem__(1, "one"),
        lambda m: m.pop("a"),
        lambda m: m.pop("a", 7),
        lambda m: m.setdefault("b", 9),
        lambda m: m.setdefault("d", 9),
        lambda m: m.setdefault("e"),
        lambda m: m.update({"b": 0}, f=1),
        lambda m: m.update([("g", 1)]),
        lambda m: m.update(h=2),
        lambda m: m.__delitem__(3),
        lambda m: m.popitem(),
    ):
        assert change(mapping) == change(same)
        assert dict(mapping) == same and list(mapping) == list(same)
    for wrong in (lambda m: m.pop("x"), lambda m: m.__delitem__("x"), lambda m: m.__delitem__(99)):
        for each in (mapping, same):
            with pytest.raises(KeyError):
                wrong(each)
    for wrong in (lambda m: m.__delitem__([]), lambda m: m.__setitem__([], 1)):
        for each in (mapping, same):
            with pytest.raises(TypeError):
                wrong(each)
    mapping.clear()
    assert mapping == {} and file["m"] is mapping
    with pytest.raises(KeyError):
        mapping.popitem()


def test_sequences_behave_as_lists():
    file = asdfast.File({"s": [0, 1, 2, 3, 4, 5]})
    items, same = file["s"], [0, 1, 2, 3, 4, 5]
    assert isinstance(items, collections.abc.MutableSequence)

    def add(s):
        s += [7, 8]

    for change in (
        lambda s: s.__setitem__(0, "zero"),
        lambda s: s.__setitem__(-1, "last"),
        lambda s: s.__setitem__(slice(1, 3), ["x"]),
        lambda s: s.__setitem__(slice(1, 1), [10, 11, 12]),
        lambda s: s.__setitem__(slice(None, None, 2), list(range(len(s[::2])))),
        lambda s: s.__setitem__(slice(None, None, -1), list(range(len(s)))),
        lambda s: s.__delitem__(slice(0, 2)),
        lambda s: s.__delitem__(-1),
        lambda s: s.append([1]),
        lambda s: s.extend((1, 2)),
        lambda s: s.extend(s),
        lambda s: s.__setitem__(slice(2, 4), s),
        lambda s: s.insert(0, "first"),
        lambda s: s.insert(-1, "before"),
        lambda s: s.insert(-99, "a"),
        lambda s: s.insert(99, "z"),
        lambda s: s.pop(),
        lambda s: s.pop(0),
        lambda s: s.remove(1),
        lambda s: s.reverse(),
        lambda s: s.index(2),
        lambda s: s.count(1),
        lambda s: s.__delitem__(slice(None, None, -3)),
        add,
    ):
        assert change(items) == change(same)
        assert items == same
    assert file["s"] == same
    for wrong in (
        lambda s: s.__setitem__(99, 1),
        lambda s: s.__delitem__(-99),
        lambda s: s.pop(99),
        lambda s: s.remove("none"),
        lambda s: s.index("none"),
        lambda s: s.__setitem__(slice(None, None, 2), [1]),
        lambda s: s.__setitem__("x", 1),
        lambda s: s.extend(3),
    ):
        for each in (items, same):
            with pytest.raises((IndexError, ValueError, TypeError)) as caught:
                wrong(each)
            kind = caught.type if each is items else kind
        assert items == same
    items.clear()
    assert items == []
    with pytest.raises(IndexError):
        items.pop()


def test_own_nodes_are_shared_and_others_copied(tmp_path):
    first = asdfast.File({"a": [1], "b": {"c": 2}})
    first["same"] = first["a"]
    first["deep"] = {"x": [first["a"], first["b"]]}
    second = asdfast.File({"a": first["a"]})
    second["deep"] = first["deep"]
    first["a"].append(2)
    assert first["same"] == [1, 2] and first["deep"]["x"][0] == [1, 2]
    assert second["a"] == [1] and second["deep"]["x"][0] == [1]
    first["b"]["self"] = first["b"]
    first["array"] = np.arange(3)
    first["again"] = first["array"]
    first["top"] = {"file": first}
    first.write(tmp_path / "x.asdf")
    with asdf.open(tmp_path / "x.asdf") as found:
        assert found["same"] is found["a"] is found["deep"]["x"][0]
        assert found["b"]["self"] is found["b"]
        assert found["again"] is found["array"]
        assert found["top"]["file"]["a"] == [1, 2]


def test_a_failed_change_changes_nothing():
    file = asdfast.File({"a": {"b": 1}, "s": [1]})
    for change in (
        lambda: file["a"].__setitem__("b", object()),
        lambda: file["s"].__setitem__(0, {"x": object()}),
        lambda: file["s"].__setitem__(slice(0, 1), [2, object()]),
        lambda: file["s"].append(object()),
    ):
        with pytest.raises(TypeError, match="cannot write an object of type `object`"):
            change()
    assert file == {"a": {"b": 1}, "s": [1]}


@pytest.mark.parametrize("in_place", [False, True])
@pytest.mark.parametrize("compression", [None, "lz4"])
def test_arrays_are_replaced_and_added(tmp_path, compression, in_place):
    path = tmp_path / "x.asdf"
    tree = {"a": np.arange(1000.0), "b": np.arange(500), "c": np.ones(3, "i2")}
    asdf.AsdfFile(tree).write_to(path, all_array_compression="zlib")
    with asdfast.open(path, mode="rw") as file:
        tree["a"] = file["a"] = np.arange(2000.0)[::-1]
        tree["d"] = file["d"] = np.ma.array([1, 2], mask=[0, 1])
        tree["e"] = file["e"] = np.arange(50) * file["c"][0]
        del tree["c"], file["c"]
        file["same"] = file["b"]
        file.update(compression=compression, in_place=in_place)
        np.testing.assert_array_equal(file["a"], tree["a"])
    with asdf.open(path) as found:
        for key, array in tree.items():
            np.testing.assert_array_equal(found[key], array)
        np.testing.assert_array_equal(found["same"], tree["b"])
        assert found["d"].mask.tolist() == [False, True]
        assert "c" not in found
        # The file is written again as a whole here, with one compression if it is given.
        assert found.get_array_compression(found["b"]) == (compression or "zlib")
        assert found.get_array_compression(found["a"]) == compression


def test_arrays_that_were_replaced_can_still_be_read(tmp_path):
    path = tmp_path / "x.asdf"
    asdfast.File({"a": np.arange(100)}).write(path, compression="lz4")
    with asdfast.open(path, mode="rw") as file:
        old = file["a"]
        file["a"] = np.zeros(3)
        file.update()
        assert old[...].tolist() == list(range(100))
        file["b"] = old
        file["c"] = {"again": old}
        file.update()
    with asdf.open(path) as found:
        assert found["b"].tolist() == found["c"]["again"].tolist() == list(range(100))
        assert found["a"].tolist() == [0, 0, 0]


def test_elements_cannot_be_assigned():
    file = asdfast.File({"a": np.arange(3)})
    with pytest.raises(TypeError, match="hint: change a copy and assign it"):
        file["a"][0] = 7
    values = file["a"][...]
    values[0] = 7
    file["a"] = values
    assert file["a"][...].tolist() == [7, 1, 2]


def test_updates_need_the_mode(path, tmp_path):
    file = asdfast.open(path)
    assert file.mode == "r"
    file["meta"]["gain"] = 3
    with pytest.raises(asdfast.UsageError, match='hint: open it with mode="rw"'):
        file.update()
    assert path.read_bytes() == TEXT
    # As in Python's asdf the changed tree can be written to another file.
    file.write(tmp_path / "y.asdf")
    assert asdfast.open(tmp_path / "y.asdf")["meta"]["gain"] == 3
    with pytest.raises(asdfast.UsageError, match="hint: write the file"):
        asdfast.File({}).update()
    with pytest.raises(ValueError, match="found the mode 'w'"):
        asdfast.open(path, mode="w")
    for source in (TEXT, io.BytesIO(TEXT)):
        with pytest.raises(ValueError, match="only local files"):
            asdfast.open(source, mode="rw")
    with pytest.raises(ValueError, match="only local files"):
        asdfast.open(path, mode="rw", lazy=False)
    with pytest.raises(FileNotFoundError):
        asdfast.open(tmp_path / "none.asdf", mode="rw")


def test_another_program_changed_the_file(path):
    file = asdfast.open(path, mode="rw")
    other = asdfast.open(path, mode="rw")
    other["meta"]["gain"] = 1
    other.update()
    file["meta"]["gain"] = 3
    with pytest.raises(asdfast.UsageError, match="changed by another program"):
        file.update()
    assert asdfast.open(path)["meta"]["gain"] == 1
    assert file["meta"]["gain"] == 3


def test_a_file_without_a_tree_gets_one(tmp_path):
    path = tmp_path / "x.asdf"
    path.write_bytes(b"#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n")
    with asdfast.open(path, mode="rw") as file:
        assert file == {}
        file["a"] = 1
        file.update()
    with asdf.open(path) as found:
        assert found["a"] == 1


def test_threads_change_one_file():
    import threading

    file = asdfast.File({"s": [], "m": {}})

    def work(number):
        for step in range(100):
            file["s"].append({"n": number, "a": np.arange(10)})
            file["m"][f"{number}-{step}"] = step
            file.write(io.BytesIO()) if step % 20 == 0 else len(file["m"])

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    [thread.start() for thread in threads]
    [thread.join(60) for thread in threads]
    assert not any(thread.is_alive() for thread in threads)
    assert len(file["s"]) == 400 and len(file["m"]) == 400
