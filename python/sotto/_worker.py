"""The process that does the work.

One process ``sotto worker`` serves all objects of this process. It starts at the first
call. Calls of several threads wait for each other. A process that was forked starts its
own: it never writes to the pipe of its parent, and so never shares a random source.
"""

from __future__ import annotations

import atexit
import json
import os
import sys
import threading
import weakref
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, BinaryIO, Callable, Iterator, Mapping, Optional, Sequence, Union

from . import _binary, _frames, _log
from .errors import Error, ParameterError, from_fault

if TYPE_CHECKING:
    import subprocess

_PROTOCOL = 4

Progress = Callable[[int, int], None]
Request = Callable[..., tuple[dict[str, Any], bytearray]]


class Session:
    """What an object has opened in the worker. It is opened again in a new worker."""

    def __init__(self, use: str, request: Mapping[str, Any], folder: str) -> None:
        self.use = use
        self.request = request
        self.folder = folder  # in which files are named
        self.number = 0
        self.generation = 0  # of the worker that it is open in; 0 is none
        self.opened: dict[str, Any] = {}


class Worker:
    """A running process, started when it is needed."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._process: Optional[subprocess.Popen[bytes]] = None
        self._generation = 0
        self._requests = 0
        self._closed: list[tuple[int, int]] = []
        self._busy = False  # a frame is being written or read

    def open(self, session: Session) -> Mapping[str, Any]:
        """Opens a session, unless it is open, and returns what the worker says about it."""
        with self._lock:
            self._start()
            self._open(session)
            return session.opened

    def call(
        self,
        op: str,
        *,
        session: Optional[Session] = None,
        texts: int = 0,
        payload: Sequence[bytes] = (),
        options: Optional[Mapping[str, Any]] = None,
        progress: Optional[Progress] = None,
        flags: bool = False,
    ) -> tuple[dict[str, Any], bytearray]:
        """Makes one request and returns the header of its answer, and the payload.

        It is never repeated: if the worker ends during the request, a charge may have
        been made. With ``flags`` errors name flags of the command, not options of Python.
        """
        with self._lock:
            self._start()
            header: dict[str, Any] = {"op": op, "texts": texts, "options": options or {}}
            if session is not None:
                self._open(session)
                header["session"] = session.number
            if progress is not None:
                header["progress"] = True
            return self._exchange(header, payload, progress, flags)

    @contextmanager
    def several(self, session: Session) -> Iterator[Request]:
        """Yields a function that makes the requests of one call, between which are no others.

        All of them are for the same process: it is not started again if it ends.
        """
        with self._lock:
            self._start()
            self._open(session)
            generation = self._generation

            def request(
                op: str,
                texts: Sequence[bytes] = (),
                options: Optional[Mapping[str, Any]] = None,
                progress: Optional[Progress] = None,
            ) -> tuple[dict[str, Any], bytearray]:
                if self._process is None or self._generation != generation:
                    raise _ended()
                header: dict[str, Any] = {"op": op, "texts": len(texts), "options": options or {}, "session": session.number}
                if progress is not None:
                    header["progress"] = True
                return self._exchange(header, _frames.join_texts(texts), progress)

            yield request

    def release(self, session: Session) -> None:
        """Makes the worker forget a session. It may be called by the garbage collector."""
        self._closed.append((session.generation, session.number))

    def stop(self) -> None:
        """Ends the process. The next call starts another one."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()
        process.wait()

    def pid(self) -> Optional[int]:
        """Returns the id of the process, if it runs."""
        return None if self._process is None else self._process.pid

    def _start(self) -> None:
        if self._process is not None:
            if self._process.poll() is None:
                return
            _log.warning("the worker has ended with code %s: starting another one", self._process.returncode)
            self.stop()
        import subprocess  # not with the package, which should start fast

        options: dict[str, Any] = {}
        if sys.platform == "win32":
            options["creationflags"] = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
        else:
            options["start_new_session"] = True  # an interrupt is for this process alone
        program = _binary.find()
        try:
            self._process = subprocess.Popen(
                [program, "worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,  # what a crash prints may hold a text
                bufsize=0,
                **options,
            )
        except OSError as e:
            raise Error(f"{program} cannot be started: {e.strerror}") from None
        self._generation += 1
        self._closed.clear()
        try:
            answer, _ = self._exchange({"op": "hello"}, (), None)
        except Error:
            self.stop()
            raise Error(f"{program} is not a sotto of this version: it does not answer") from None
        if answer.get("result", {}).get("protocol") != _PROTOCOL:
            self.stop()
            raise Error(f"{program} is not a sotto of this version: it has another protocol")
        _log.debug("started %s, process %d", program, self.pid())

    def _open(self, session: Session) -> None:
        if session.generation == self._generation:
            return
        options = {"use": session.use, "request": dict(session.request), "folder": session.folder}
        answer, _ = self._exchange({"op": "open", "options": options}, (), None)
        session.opened = answer["result"]
        session.number, session.generation = session.opened["session"], self._generation

    def _exchange(
        self,
        header: dict[str, Any],
        payload: Sequence[bytes],
        progress: Optional[Progress],
        flags: bool = False,
    ) -> tuple[dict[str, Any], bytearray]:
        while self._closed:
            generation, number = self._closed.pop()
            if generation == self._generation:
                self._send({"op": "close", "session": number}, (), None)
        answer, data = self._send(header, payload, progress)
        if "error" in answer:
            raise from_fault(answer["error"], options=not flags)
        return answer, data

    def _send(
        self, header: dict[str, Any], payload: Sequence[bytes], progress: Optional[Progress]
    ) -> tuple[dict[str, Any], bytearray]:
        process = self._process
        assert process is not None and process.stdin is not None and process.stdout is not None
        if self._busy:  # a signal handler, or the callback of progress, of the thread that waits
            raise Error("a call was made while this thread waits for another one", hint="make it after the other call, not in a signal handler")
        self._busy = True
        self._requests += 1
        header["id"] = self._requests
        whole = False
        try:
            _frames.write(_binary_io(process.stdin), header, payload)
            while True:
                answer, data = _frames.read(_binary_io(process.stdout))
                if "progress" not in answer:
                    break
                if progress is not None:
                    progress(answer["progress"]["done"], answer["progress"]["total"])
            if answer.get("id") != self._requests:
                raise EOFError
            whole = True
            return answer, data
        except (OSError, EOFError, json.JSONDecodeError):
            pass  # raised below, without the context of this error
        finally:
            self._busy = False
            if not whole:  # by an interrupt too: the pipe may hold half a frame
                self.stop()
        raise _ended()

    def _forked(self) -> None:
        """Leaves the parent's worker to the parent."""
        process = self._process
        if process is not None:
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    pipe.close()
            process.returncode = 0  # it is not a child of this process
        self._process = None
        self._busy = False
        self._lock = threading.RLock()  # another thread of the parent may hold the old one
        # The generation goes on: sessions of the parent's worker must not seem open.


def _ended() -> Error:
    return Error(
        "the worker ended during the request: nothing was returned, but a charge may have been made",
        hint="the next call starts another worker",
    )


def _binary_io(stream: Any) -> BinaryIO:
    return stream  # type: ignore[no-any-return]


worker = Worker()
atexit.register(worker.stop)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=worker._forked)


def release_with(owner: object, session: Session) -> None:
    """Releases a session when its owner is collected."""
    weakref.finalize(owner, worker.release, session).atexit = False


def command(args: Sequence[Union[str, os.PathLike[str]]], stdin: Union[str, bytes] = "") -> str:
    """Runs any command of the program, such as ``["corpus", "info", "--json", "english"]``.

    Returns its standard output. Its failures are errors of the package, which name flags.
    Names of files are those of the working folder.

    >>> command(["mechanisms", "--json"]).startswith("{")
    True
    """
    if isinstance(stdin, str):
        try:
            stdin = stdin.encode()
        except UnicodeEncodeError:  # whose text is the input
            raise ParameterError("stdin holds half of a surrogate pair, which is no text", code=2) from None
    return run(args, stdin, flags=True).decode()


def working_folder() -> str:
    """Returns the working folder, empty if it was removed."""
    try:
        return os.getcwd()
    except OSError:
        return ""


def run(
    args: Sequence[Union[str, os.PathLike[str]]],
    stdin: bytes = b"",
    *,
    flags: bool = False,
    folder: Optional[str] = None,
) -> bytes:
    """Runs one command of the program and returns its standard output.

    Names of files are those of ``folder``, or else of the working folder.
    """
    if isinstance(args, (str, bytes)):  # a sequence too, of letters
        raise ParameterError(f"args must be a list of str, such as ['corpus', 'list'], got a {type(args).__name__}", code=2)
    names = [os.fspath(one) if isinstance(one, os.PathLike) else one for one in args]
    for one in names:
        if not isinstance(one, str):
            raise ParameterError(f"args must be a list of str, got a {type(one).__name__} in it", code=2)
    if not isinstance(stdin, (bytes, bytearray)):
        raise ParameterError(f"stdin must be a str or bytes, got a {type(stdin).__name__}", code=2)
    _, data = worker.call("run", payload=[stdin], options={"args": names, "folder": working_folder() if folder is None else folder}, flags=flags)
    return bytes(data)
