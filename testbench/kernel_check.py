"""A kernel's job and its expected results, for test benches in languages other than Rust.

A job is the output of `flexgrip job KERNEL` (verilog/README.md has the format); an expectation is the `[[expect]]` of a
kernel's launch.toml with its file. Words are compared bit by bit: a kernel that requires another comparison is refused.

As a program it checks the output of verilog/gpgpu_tb.v, with exit code 1 if the kernel's results are not as expected:

    python3 kernel_check.py --kernel FOLDER --job job.txt --result result.txt --memory memory.hex
"""

import argparse
import sys
import tomllib
from pathlib import Path
from typing import NamedTuple

# The start of global memory in the host's map.
GLOBAL_BASE = 0x8000_0000


class Statement(NamedTuple):
    """A statement of a job: `w` and `s` write `word` to `address`, `r` reads `address` as `name`."""

    kind: str
    address: int
    word: int
    name: str


class Expectation(NamedTuple):
    """The required contents of global memory: words by byte address, and True if all others must be unchanged."""

    words: dict
    exact: bool


def numbered_lines(path):
    """The lines of a file that are not empty, without comments, as pairs of number and words."""
    for number, line in enumerate(Path(path).read_text().splitlines(), 1):
        words = line.split("#")[0].split("//")[0].split()
        if words:
            yield number, words


def hexadecimal(word, path, line):
    """A 32-bit number in hexadecimal without prefix."""
    try:
        number = int(word, 16)
    except ValueError:
        number = -1
    if not 0 <= number < 1 << 32:
        raise ValueError(f"{path}:{line}: '{word}' is not a 32-bit number in hexadecimal")
    return number


def read_job(path):
    """The statements of a job."""
    statements = []
    for line, words in numbered_lines(path):
        if len(words) != 3 or words[0] not in ("w", "s", "r"):
            raise ValueError(f"{path}:{line}: expected 'w ADDRESS WORD', 's ADDRESS WORD' or 'r ADDRESS NAME'")
        kind, address, last = words[0], hexadecimal(words[1], path, line), words[2]
        if kind == "r":
            statements.append(Statement(kind, address, 0, last))
        else:
            statements.append(Statement(kind, address, hexadecimal(last, path, line), ""))
    return statements


def read_expectations(kernel):
    """The expectations of the kernel in a folder."""
    launch = Path(kernel) / "launch.toml"
    expectations = []
    for expect in tomllib.loads(launch.read_text()).get("expect", []):
        compare = expect.get("compare", "u32")
        if compare != "u32" or expect.get("space") != "global":
            raise ValueError(f"{launch}: only words of global memory that are compared as u32 can be checked here")
        path = launch.parent / expect["file"]
        words = {}
        for line, fields in numbered_lines(path):
            if len(fields) != 2:
                raise ValueError(f"{path}:{line}: expected 'ADDRESS WORD'")
            address, word = (hexadecimal(field, path, line) for field in fields)
            if address % 4 != 0:
                raise ValueError(f"{path}:{line}: address {address:#x} is not a multiple of 4")
            words[address] = word
        expectations.append(Expectation(words, expect.get("exact", False)))
    if not expectations:
        raise ValueError(f"{launch}: there are no expectations, so nothing can be checked")
    return expectations


def initial_memory(job, words):
    """Global memory as the job initialises it: `words` words."""
    memory = [0] * words
    for statement in job:
        if statement.kind == "w" and statement.address >= GLOBAL_BASE:
            index = (statement.address - GLOBAL_BASE) // 4
            if index >= words:
                raise ValueError(f"the job writes to {statement.address:#x}, past the {4 * words} bytes of memory")
            memory[index] = statement.word
    return memory


def differences(expectations, initial, memory):
    """The unexpected words in `memory`, as lines of text; `initial` is memory before the kernel."""
    found = []
    for expectation in expectations:
        wanted = dict(enumerate(initial)) if expectation.exact else {}
        wanted.update((address // 4, word) for address, word in expectation.words.items())
        for index, word in sorted(wanted.items()):
            got = memory[index] if index < len(memory) else None
            if got != word:
                is_there = "nothing" if got is None else f"{got:08x}"
                found.append(f"global memory at {4 * index:#x}: expected {word:08x}, got {is_there}")
    return found


def check(arguments):
    """The errors of a run, as lines of text, and the values that the job has read."""
    result = {}
    for line, words in numbered_lines(arguments.result):
        if len(words) != 2:
            raise ValueError(f"{arguments.result}:{line}: expected 'KEY VALUE'")
        result[words[0]] = words[1]
    job = read_job(arguments.job)
    # The registers of the last statements are missing if the bench gave up before them.
    missing = [s.name for s in job if s.kind == "r" and s.name not in result]
    if missing:
        return [f"{arguments.result}: {missing[0]} is missing: the job did not run to its end"], result
    wrong = []
    if result.get("ending") != "done":
        wrong.append("the grid did not end")
    if int(result["ERROR_CODE"]) != 0:
        wrong.append(f"the grid stopped with error code {result['ERROR_CODE']}")
    memory = [hexadecimal(words[0], arguments.memory, line) for line, words in numbered_lines(arguments.memory)]
    wrong += differences(read_expectations(arguments.kernel), initial_memory(job, len(memory)), memory)
    return wrong, result


def main():
    parser = argparse.ArgumentParser(description="Checks what testbench/verilog/gpgpu_tb.v has written.")
    for name, what in [
        ("kernel", "folder with the kernel's launch.toml"),
        ("job", "the job that was done"),
        ("result", "the file that the bench wrote for +result"),
        ("memory", "the file that the bench wrote for +memory"),
    ]:
        parser.add_argument(f"--{name}", required=True, type=Path, help=what)
    try:
        wrong, result = check(parser.parse_args())
    except (OSError, ValueError, KeyError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    for line in wrong[:10]:
        print(f"error: {line}", file=sys.stderr)
    if len(wrong) > 10:
        print(f"error: and {len(wrong) - 10} more", file=sys.stderr)
    if not wrong:
        print(f"result matches, {result['CYCLES']} cycles")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
