"""A plugin of pytest that runs all tests under ``asdfast.accelerate()``."""

import asdfast
import pytest
from asdfast import _loader

loads = {"fast": 0, "original": 0}


def pytest_configure(config):
    load_yaml = _loader.load_yaml

    def counted(content, classes):
        loaded = load_yaml(content, classes)
        loads["original" if loaded is None else "fast"] += 1
        return loaded

    _loader.load_yaml = counted
    config.acceleration = asdfast.accelerate()


def pytest_sessionfinish(session):
    # The process that only distributes the tests has no loads of its own.
    distributes = hasattr(session.config, "workerinput") is False and session.config.getoption("numprocesses", None)
    session.config.acceleration.stop()
    if not distributes and session.testscollected and loads["fast"] < 100:
        pytest.exit(f"the fast loader was hardly used: {loads}", returncode=pytest.ExitCode.INTERNAL_ERROR)
