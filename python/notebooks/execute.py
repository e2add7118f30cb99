"""Executes the notebooks, and fails at the first error or where an output is not as stored.

    python3 execute.py [--save] [NOTEBOOK ...]

Outputs of cells with the tag "drawn" differ from run to run: they are only there. --save stores
the outputs of the run. A notebook that needs a file of the data sets is left out where $DATA, their
folder, lacks it.
"""

import os
import sys
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient


def printed(cell):
    """Returns the outputs of a cell as text, without addresses of folders and progress."""
    parts = []
    for output in cell.outputs:
        if output.output_type == "stream" and output.name == "stdout":
            parts.append(output.text)
        elif output.output_type in ("execute_result", "display_data"):
            parts.append(output.data.get("text/plain", ""))
    return "".join(parts)


def execute(path, save):
    """Executes a notebook. It returns False if its data are missing."""
    notebook = nbformat.read(path, as_version=4)
    needs = notebook.metadata.get("needs")
    if needs and not (Path(os.environ.get("DATA", "")) / needs).is_file():
        return False
    stored = [printed(cell) if cell.cell_type == "code" else "" for cell in notebook.cells]
    resources = {"metadata": {"path": str(path.parent)}}
    NotebookClient(notebook, timeout=600, resources=resources, record_timing=False).execute()
    for i, cell in enumerate(notebook.cells):
        if cell.cell_type != "code":
            continue
        now, drawn = printed(cell), "drawn" in cell.metadata.get("tags", [])
        if not save and (bool(now) != bool(stored[i]) if drawn else now != stored[i]):
            sys.exit(f"{path.name}, cell {i}: it prints\n{now}\nand is stored with\n{stored[i]}\nsave it with --save, or tag it as drawn")
        cell.outputs = [o for o in cell.outputs if o.output_type != "stream" or o.name == "stdout"]
    if save:
        notebook.metadata.language_info = {"name": "python"}
        nbformat.write(notebook, path)
    return True


def main():
    arguments = sys.argv[1:]
    save = "--save" in arguments
    names = [Path(name) for name in arguments if name != "--save"]
    for path in names or sorted(Path(__file__).parent.glob("*.ipynb")):
        begin = time.monotonic()
        if execute(path, save):
            print(f"{path.name}: executed in {time.monotonic() - begin:.0f} s")
        else:
            print(f"{path.name}: NOT EXECUTED, its data are not in $DATA")


if __name__ == "__main__":
    main()
