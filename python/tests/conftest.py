import os
import shutil
import subprocess

import pytest


@pytest.fixture(scope="session", autouse=True)
def own_folders(tmp_path_factory):
    """The tests use no table, corpus or cache of the user."""
    folder = tmp_path_factory.mktemp("home")
    for name in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        os.environ[name] = str(folder / name)


@pytest.fixture
def command():
    """Runs the program that the package uses, and returns its standard output."""
    from sotto import _binary

    program = _binary.find()
    assert shutil.which(program), "no program sotto: set SOTTO_BINARY"

    def run(*args, stdin=""):
        done = subprocess.run([program, *map(str, args)], input=stdin.encode(), capture_output=True)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode()

    return run
