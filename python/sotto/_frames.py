"""Frames: the lengths of header (uint32) and payload (uint64), a JSON object, bytes."""

from __future__ import annotations

import json
import struct
import sys
from array import array
from itertools import accumulate
from typing import Any, BinaryIO, Iterable, Mapping, Sequence

_LENGTHS = struct.Struct("<IQ")


def write(stream: BinaryIO, header: Mapping[str, Any], payload: Sequence[bytes]) -> None:
    """Writes one frame to an unbuffered stream."""
    head = json.dumps(header, separators=(",", ":")).encode()
    size = sum(map(len, payload))
    start = _LENGTHS.pack(len(head), size) + head
    for part in (start, *payload):
        view = memoryview(part)
        while view:
            view = view[stream.write(view) :]


def read(stream: BinaryIO) -> tuple[dict[str, Any], bytearray]:
    """Reads one frame, or raises EOFError."""
    head, size = _LENGTHS.unpack(_exactly(stream, _LENGTHS.size))
    header = json.loads(_exactly(stream, head))
    return header, _exactly(stream, size)


def _exactly(stream: BinaryIO, size: int) -> bytearray:
    data = bytearray(size)
    view = memoryview(data)
    while view:
        got = stream.readinto(view)  # type: ignore[attr-defined]
        if not got:
            raise EOFError
        view = view[got:]
    return data


def join_texts(texts: Iterable[bytes]) -> list[bytes]:
    """Returns the payload of texts: their lengths, and their bytes."""
    parts = list(texts)
    lengths = array("Q", map(len, parts))
    if sys.byteorder == "big":
        lengths.byteswap()
    return [lengths.tobytes(), b"".join(parts)]


def split_texts(payload: bytearray, count: int) -> list[str]:
    """Returns the texts of a payload."""
    lengths = array("Q")
    lengths.frombytes(memoryview(payload)[: 8 * count])
    if sys.byteorder == "big":
        lengths.byteswap()
    ends = list(accumulate(lengths))
    starts = [0, *ends[:-1]]
    body = payload[8 * count :]
    if body.isascii():  # then characters are bytes
        whole = body.decode("ascii")
        return [whole[a:b] for a, b in zip(starts, ends)]
    view = memoryview(body)
    return [str(view[a:b], "utf-8") for a, b in zip(starts, ends)]
