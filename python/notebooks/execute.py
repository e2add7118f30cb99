"""Executes the notebooks and fails at the first error. Nothing is written.

    python3 execute.py [NOTEBOOK ...]
"""

import sys
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient


def main():
    here = Path(__file__).parent
    for path in [Path(name) for name in sys.argv[1:]] or sorted(here.glob("*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        for cell in notebook.cells:
            if cell.get("outputs") or cell.get("execution_count"):
                sys.exit(f"{path.name} is stored with outputs: clear them")
        begin = time.monotonic()
        NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(here)}}).execute()
        print(f"{path.name}: executed in {time.monotonic() - begin:.0f} s")


if __name__ == "__main__":
    main()
