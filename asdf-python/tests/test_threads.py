"""Threads that use one file, with the GIL and without it."""

import gc
import io
import os
import pickle
import subprocess
import sys
import textwrap
import threading
import time
import weakref

import asdfast
import numpy as np
import pytest

THREADS = 8
# The time that a test with threads takes. Races show within it if the machine has at least two cores.
SECONDS = 2.0


def together(*works, seconds=None):
    """Runs works in threads that start at the same time, once or again until the time is over, and raises their errors."""
    barrier, errors = threading.Barrier(len(works)), []
    end = time.monotonic() + (seconds or 0)

    def run(work):
        barrier.wait()
        try:
            work()
            while time.monotonic() < end and not errors:
                work()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(work,), daemon=True) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60 + (seconds or 0))
        assert not thread.is_alive(), "a thread waits for ever"
    if errors:
        raise errors[0]


@pytest.fixture
def path(tmp_path, rng):
    """A file with mappings, sequences and lz4 arrays."""
    path = tmp_path / "threads.asdf"
    tree = {
        "meta": {str(number): {"value": number, "list": [number, {"inner": number}]} for number in range(100)},
        "arrays": {str(number): rng.integers(0, 100, (200, 300)) for number in range(4)},
    }
    asdfast.File(tree).write(path, compression="lz4")
    return path


def test_the_gil_stays_off():
    script = """
        import sys, sysconfig
        import numpy, asdfast
        asdfast.File({"data": numpy.arange(3)})["data"][...]
        print(not sysconfig.get_config_var("Py_GIL_DISABLED") or not sys._is_gil_enabled())
    """
    command = [sys.executable, "-W", "error", "-c", textwrap.dedent(script)]
    # The variable would keep the GIL off whatever the library says.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHON_GIL"}
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    assert done.stdout == "True\n"


def test_threads_get_the_same_objects(path):
    with asdfast.open(path) as file:
        for number in range(100):
            found = [None] * THREADS

            def work(at, number=str(number), found=found):
                node = file["meta"][number]
                found[at] = [node, node["list"], node["list"][1], file["arrays"][str(int(number) % 4)], file]

            together(*(lambda at=at: work(at) for at in range(THREADS)))
            for same in zip(*found):
                assert all(node is same[0] for node in same), same[0]


def test_threads_drop_objects_and_make_them_again(path):
    with asdfast.open(path) as file:

        def work():
            for number in range(100):
                node = file["meta"][str(number)]
                assert node["value"] == number and node["list"][1]["inner"] == number
                assert file["meta"][str(number)] is node

        together(*[work] * THREADS, seconds=SECONDS)


def test_callbacks_of_weak_references_use_the_file(path):
    file = asdfast.open(path)
    calls = []

    def gone(_reference):
        # This asks for views, which needs the lock of the table of views.
        calls.append(file["meta"]["0"]["value"] + file["meta"]["1"]["list"][1]["inner"])

    def work():
        references = [weakref.ref(file["meta"][str(number)], gone) for number in range(2, 100)]
        assert len(references) == 98

    together(*[work] * THREADS, seconds=SECONDS)
    assert calls and set(calls) == {1}


def test_threads_slice_the_same_array(path):
    expected = asdfast.open(path)["arrays"]["0"][...]
    for _ in range(5):
        with asdfast.open(path) as file:

            def work(seed):
                random = np.random.default_rng(seed)
                for row in random.integers(0, 190, 20):
                    part = file["arrays"]["0"][row : row + 10, ::3]
                    assert (part == expected[row : row + 10, ::3]).all()
                assert (file["arrays"]["0"][...] == expected).all()

            together(*(lambda seed=seed: work(seed) for seed in range(THREADS)), seconds=SECONDS / 5)


def test_functions_that_read_everything(path):
    file = asdfast.open(path)

    def info():
        file.info()
        assert len(list(file["meta"].items())) == 100

    def search():
        assert len(file.search("inner").paths) == 100

    def compare():
        assert file["meta"] == {**file["meta"]}

    def validate():
        assert asdfast.validate(file).is_valid

    def write():
        buffer = io.BytesIO()
        file.write(buffer)
        assert asdfast.open(buffer.getvalue())["meta"]["7"]["value"] == 7

    together(info, search, compare, validate, write, info, search, write, seconds=SECONDS)


def test_readers_of_a_file_that_changes(path):
    file = asdfast.open(path, mode="rw")
    file["pair"] = {"left": 0, "right": [0, 0]}
    stop = threading.Event()

    def change():
        for number in range(300):
            file["pair"] = {"left": number, "right": [number, number]}
            file["more"] = {str(key): number for key in range(20)}
            del file["more"]
        stop.set()

    def read():
        while not stop.is_set():
            # Each node is consistent: a mapping that was replaced keeps its values.
            pair = file["pair"]
            assert pair["right"] == [pair["left"]] * 2
            for key in file:
                try:
                    file[key]
                except KeyError as error:
                    assert error.args == ("more",)
            try:
                assert len(dict(file.get("more", {}))) in (0, 20)
            except KeyError:
                pass

    def write():
        while not stop.is_set():
            buffer = io.BytesIO()
            file.write(buffer)
            pair = asdfast.open(buffer.getvalue())["pair"]
            assert pair["right"] == [pair["left"]] * 2

    together(change, read, read, read, write)
    assert file["pair"] == {"left": 299, "right": [299, 299]}


def test_updates_while_others_read(path):
    expected = asdfast.open(path)["arrays"]["1"][...]
    file = asdfast.open(path, mode="rw")
    stop = threading.Event()

    def update():
        for number in range(10):
            file["number"] = number
            file.update()
        stop.set()

    def read():
        while not stop.is_set():
            assert (file["arrays"]["1"][5:9] == expected[5:9]).all()
            assert file["meta"]["5"]["list"] == [5, {"inner": 5}]

    together(update, read, read, read)
    assert asdfast.open(path)["number"] == 9


def test_changes_during_an_update_are_not_lost(path):
    """A change after the update still counts as a change, and one that failed does not."""
    file = asdfast.open(path, mode="rw")
    with pytest.raises(KeyError):
        del file["nothing"]
    with pytest.raises(TypeError):
        file["wrong"] = object()
    assert pickle.loads(pickle.dumps(file))["meta"]["3"]["value"] == 3
    for number in range(20):
        together(lambda: file.__setitem__("left", number), file.update)
        written = asdfast.open(path).get("left")
        if written != number:
            with pytest.raises(TypeError, match="changed"):
                pickle.dumps(file)
        file.update()
        assert asdfast.open(path)["left"] == number
        pickle.dumps(file)


def test_sequences_that_several_threads_change():
    file = asdfast.File({"items": []})
    together(*(lambda: [file["items"].append(number) for number in range(100)] for _ in range(THREADS)))
    assert sorted(file["items"]) == sorted(list(range(100)) * THREADS)

    def change():
        try:
            file["items"][2:5] = [1, 2]
            file["items"].insert(0, 3)
            file["items"].pop()
        except (RuntimeError, IndexError):
            pass

    together(*[change] * THREADS)


def test_closing_while_others_read(path):
    for _ in range(20):
        files = [asdfast.open(path)]

        def read(file=files[0]):
            assert file["arrays"]["2"][3:5].shape == (2, 300)
            assert file["meta"]["8"]["value"] == 8

        def close(files=files):
            files.pop().close()
            gc.collect()

        together(read, read, close, read)


class Target(io.BytesIO):
    """A file object whose method `write` uses the file that is written."""

    def __init__(self, use):
        super().__init__()
        self.use = use

    def write(self, data):
        self.use()
        return super().write(data)


@pytest.mark.parametrize("compression", [None, "lz4"])
def test_a_target_that_uses_the_file(rng, compression):
    file = asdfast.File({"number": 0, "data": rng.normal(size=(500, 1000))})
    expected = file["data"][...]

    def use():
        file["number"] += 1
        assert file["data"][3, 4] == expected[3, 4]
        # Another thread that changes the file waits for nothing either.
        together(lambda: file.__setitem__("other", [1, 2]))

    target = Target(use)
    together(lambda: file.write(target, compression=compression))
    written = asdfast.open(target.getvalue())
    assert written["number"] == 0 and "other" not in written, "the state at the start is written"
    assert (written["data"][...] == expected).all()
    assert file["number"] >= 1 and file["other"] == [1, 2]


def test_a_target_that_fails(rng):
    file = asdfast.File({"data": rng.normal(size=100)})

    def use():
        file["number"] = 1
        raise LookupError("no space")

    with pytest.raises(LookupError, match="no space"):
        file.write(Target(use))
    assert file["number"] == 1


def test_threads_read_a_file_object(path):
    """Code of Python reads the bytes, so that a thread that waits must not keep the GIL."""
    expected = asdfast.open(path)["arrays"]["3"][...]

    class Source(io.FileIO):
        def read(self, size=-1):
            time.sleep(0)
            return super().read(size)

    for _ in range(5):
        with Source(path) as raw:
            file = asdfast.open(raw)

            def read():
                array = file["arrays"]["3"]
                assert array.compression == "lz4"
                assert (array[5:20] == expected[5:20]).all()
                assert file.at("/meta/4/value") == 4

            def change():
                file["added"] = {"data": np.arange(10)}
                assert file["added"]["data"][3] == 3

            together(read, read, read, change, read, change, read, change)
