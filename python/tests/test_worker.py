"""The process behind the package: restarts, forks, interrupts, threads."""

import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

import sotto
from sotto import _frames, _texts
from sotto._worker import worker

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs signals and forks")

LONG = ["the doctor in Boston agreed with the office yesterday"] * 100


def test_ended_worker_is_replaced():
    rewriter = sotto.Rewriter(epsilon=10, neighbours=7)
    first = worker.pid()
    os.kill(first, signal.SIGKILL)
    worker._process.wait()
    assert len(rewriter(["a", "b"])) == 2
    assert worker.pid() != first
    assert rewriter.statement["parameters"]["neighbours"] == "7" or rewriter.statement["parameters"]["neighbours"] == 7


def test_worker_that_ends_during_a_request_is_an_error_and_nothing_is_repeated(monkeypatch):
    rewriter = sotto.Rewriter(epsilon=10)
    rewriter(["a"])
    sent = []
    write = _frames.write

    def write_and_kill(stream, header, payload):
        sent.append(header["op"])
        write(stream, header, payload)
        os.kill(worker.pid(), signal.SIGKILL)

    monkeypatch.setattr(_frames, "write", write_and_kill)
    with pytest.raises(sotto.Error, match="a charge may have been made"):
        rewriter(LONG * 2000)
    assert sent == ["rewrite"] and worker.pid() is None
    monkeypatch.undo()
    assert len(rewriter(LONG)) == 100
    assert rewriter.statement["documents"] == 101


def test_interrupt_leaves_a_usable_state(monkeypatch):
    rewriter = sotto.Rewriter(epsilon=10)
    read = _frames.read
    monkeypatch.setattr(_frames, "read", lambda stream: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        rewriter(LONG)
    monkeypatch.setattr(_frames, "read", read)
    assert len(rewriter(LONG)) == 100 and rewriter.statement["documents"] == 100


def test_interrupt_of_the_terminal_is_for_python_alone():
    rewriter = sotto.Rewriter(epsilon=10)
    rewriter(["a"])
    assert os.getpgid(worker.pid()) != os.getpgid(0)


def _in_child(rewriter, send):
    mine = worker.pid()
    released = rewriter([" ".join(["doctor"] * 70)])[0]
    send.send((mine, worker.pid(), released, rewriter.statement["parameters"]))
    send.close()


def test_forked_process_starts_its_own_worker():
    # As in a program that forks after its first calls: sessions of the parent's first
    # worker must not be taken for those of the child's first.
    worker.stop()
    worker._generation = 0
    other = sotto.Rewriter(epsilon=5, neighbours=9)
    rewriter = sotto.Rewriter(epsilon=1, neighbours=11)
    text = " ".join(["doctor"] * 70)
    rewriter([text])
    context = multiprocessing.get_context("fork")
    results = []
    for _ in range(2):
        receive, send = context.Pipe(duplex=False)
        child = context.Process(target=_in_child, args=(rewriter, send))
        child.start()
        send.close()
        results.append(receive.recv())
        child.join()
        assert child.exitcode == 0
    own = rewriter([text])[0]
    for before, pid, released, parameters in results:
        assert before is None and pid != worker.pid()
        assert str(parameters["neighbours"]) == "11"
        # Two draws are equal with probability far below 1e-9: see
        # test_every_call_draws_anew.
        assert released != own
    assert results[0][2] != results[1][2]
    assert len(other(["a"])) == 1


def test_forked_process_does_not_wait_for_locks_of_other_threads():
    rewriter = sotto.Rewriter(epsilon=10)
    context = multiprocessing.get_context("fork")
    receive, send = context.Pipe(duplex=False)
    child = context.Process(target=_in_child, args=(rewriter, send))
    with rewriter._lock, worker._lock:  # as another thread may at the time of the fork
        child.start()
    send.close()
    assert receive.poll(120)
    assert receive.recv()[2]
    child.join()


def test_call_of_several_requests_is_for_one_process(monkeypatch):
    monkeypatch.setattr(_texts, "_MOST", 7)
    rewriter = sotto.Rewriter(epsilon=10)
    whole = sotto.Rewriter(epsilon=10, insecure_seed=3)
    split = sotto.Rewriter(epsilon=10, insecure_seed=3)
    texts = [f"{text} {i}" for i, text in enumerate(LONG)]
    drawn = split(texts)
    seen = []
    monkeypatch.setattr(_texts, "_SIZE", 60)  # which is less than two texts have
    assert whole(texts) == drawn and split.statement == whole.statement
    read = _frames.read

    def read_and_kill(stream):
        answer = read(stream)
        seen.append(answer)
        if len(seen) == 3:
            os.kill(worker.pid(), signal.SIGKILL)
            worker._process.wait()
        return answer

    before = rewriter.statement
    monkeypatch.setattr(_frames, "read", read_and_kill)
    with pytest.raises(sotto.Error, match="a charge may have been made"):
        rewriter(texts)
    assert len(seen) == 3
    monkeypatch.setattr(_frames, "read", read)
    assert rewriter.statement == before


# Runs a script of the folder python with the installed package, not with the sources beside it.
RUN = "import runpy, sys; del sys.argv[0]; runpy.run_path(sys.argv[0], run_name='__main__')"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /proc")
def test_call_takes_memory_for_a_part_of_its_texts():
    # 300,000 texts in one request took 81 MB in this process and 135 MB in the worker.
    script = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "memory.py")
    done = subprocess.run([sys.executable, "-c", RUN, script, "300000", "sotto.Rewriter(epsilon=10)"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    python, program = map(float, done.stdout.split())
    assert python < 40 and program < 100, done.stdout


def test_worker_ends_with_its_program():
    program = (
        "import os, sotto\nfrom sotto._worker import worker\n"
        "sotto.Rewriter(epsilon=10)(['a'])\nprint(worker.pid(), flush=True)\n"
        "os.kill(os.getpid(), 9)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == -9, done.stderr
    pid = int(done.stdout)
    for _ in range(10000):
        try:
            with open(f"/proc/{pid}/stat") as f:
                if f.read().rsplit(")", 1)[1].split()[0] == "Z":
                    return  # it has ended; nobody has asked for its code
        except FileNotFoundError:
            return
        threading.Event().wait(0.01)
    pytest.fail("the worker is still there")


def test_threads_share_a_rewriter():
    rewriter = sotto.Rewriter(epsilon=10)
    with ThreadPoolExecutor(8) as pool:
        sizes = list(pool.map(lambda i: len(rewriter(LONG[:i])), range(40)))
    assert sizes == list(range(40))
    assert rewriter.statement["documents"] == sum(range(40))


def test_collected_rewriters_are_closed():
    rewriter = sotto.Rewriter(epsilon=10)
    session = rewriter._session
    rewriter(["a"])
    del rewriter
    assert len(sotto.Rewriter(epsilon=9)(["b"])) == 1
    with pytest.raises(sotto.Error, match="no such session"):
        worker.call("rewrite", session=session, texts=0)


def test_missing_program_is_named(monkeypatch, tmp_path):
    worker.stop()
    monkeypatch.setenv("SOTTO_BINARY", str(tmp_path / "none"))
    with pytest.raises(sotto.Error, match="cannot be started"):
        sotto.Rewriter(epsilon=10)
    monkeypatch.setenv("SOTTO_BINARY", "/bin/cat" if os.path.exists("/bin/cat") else sys.executable)
    with pytest.raises(sotto.Error, match="not a sotto of this version"):
        sotto.Rewriter(epsilon=10)
    monkeypatch.undo()
    assert sotto.Rewriter(epsilon=10)(["a"])


def test_a_call_within_a_call_is_refused_and_the_outer_one_goes_on(monkeypatch):
    rewriter = sotto.Rewriter(epsilon=10)
    rewriter(["a"])
    write, errors = _frames.write, []

    def write_and_call(stream, header, payload):
        monkeypatch.setattr(_frames, "write", write)
        try:  # as a handler of a signal would
            rewriter(["b"])
        except sotto.Error as e:
            errors.append(str(e))
        write(stream, header, payload)

    monkeypatch.setattr(_frames, "write", write_and_call)
    assert len(rewriter(LONG)) == 100
    assert len(errors) == 1 and "waits for another" in errors[0]
    assert len(rewriter(LONG)) == 100


def test_names_are_those_of_the_command_in_the_working_folder(tmp_path, monkeypatch, command):
    """A built-in corpus, table or list has its name, whatever files there are."""
    worker.stop()
    listed = sotto.Rewriter(epsilon=8, never="default").statement["embeddings"]  # starts the program in another folder
    monkeypatch.chdir(tmp_path)
    for name in ("english", "support", "default", "person-de"):
        (tmp_path / name).write_text("no corpus, table or list\n")
    assert sotto.Rewriter(epsilon=4, unit="text", corpus="support").statement["corpus"]["name"] == "support"
    assert sotto.Rewriter(epsilon=4, unit="text", corpus="english").statement["corpus"]["texts"] == 33254
    assert sotto.Rewriter(epsilon=8, embeddings="english").statement["embeddings"]["name"] == "english"
    assert sotto.Rewriter(epsilon=8, never="default").statement["embeddings"] == listed
    mark = [(0, 4, "PERSON")]
    released = sotto.Rewriter(epsilon=0, spans=lambda text: mark, type_codebook={"PERSON": "person-de"})("Anna calls")
    assert "no corpus" not in released
    (tmp_path / "own.txt").write_text("".join(f"new{i}\n" for i in range(20)))
    own = sotto.Rewriter(epsilon=0, spans=_first, type_codebook={"PERSON": "own.txt"})
    assert own("Anna calls").startswith("new")
    assert sotto.command(["spans", "--values", "person-de"]) == command("spans", "--values", "person-de")
    (tmp_path / "texts.txt").write_text("my doctor agreed\n")
    assert sotto.command(["rewrite", "-e", "8", "--insecure-seed", "1", "texts.txt"]) == command(
        "rewrite", "-e", "8", "--insecure-seed", "1", "texts.txt"
    )

    monkeypatch.chdir(tmp_path.parent)  # an object and its copies keep the folder that they were made in
    worker.stop()
    for one in (own, pickle.loads(pickle.dumps(own))):
        assert one("Anna calls").startswith("new")
    own._folder = str(tmp_path / "gone")
    (tmp_path.parent / "own.txt").write_text("other\n" * 20)
    with pytest.raises(sotto.Error, match="own.txt"):
        pickle.loads(pickle.dumps(own))("Anna calls")


def _first(text):
    return [(0, 4, "PERSON")]


def test_a_removed_working_folder_is_an_empty_one(tmp_path, monkeypatch):
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    os.rmdir(tmp_path / "gone")
    assert sotto.Rewriter(epsilon=8)(["one two"])
    with pytest.raises(sotto.ParameterError, match="public.txt"):
        sotto.Rewriter(epsilon=8, embeddings="public.txt")


def test_what_a_session_lacks_is_named_as_the_command_has_it():
    with pytest.raises(sotto.ParameterError) as unit:
        sotto.Rewriter(epsilon=1, unit="record")
    assert "all records of a user sotto.command(['rewrite', '--user'])" in str(unit.value)
    with pytest.raises(sotto.ParameterError) as kept:
        sotto.Rewriter(epsilon=4, spans="patterns", consistent=True, keep_map="map.jsonl")
    assert "give it to sotto.command(['rewrite', '--keep-map'])" in str(kept.value)
