"""Verilog files as text, renamed items, and running tools."""

import re
import subprocess
from pathlib import Path

SIDES = "OLD", "NEW"


class Failure(Exception):
    """A wrong file, name or option."""


class Unproven(Exception):
    """The reason why a module could not be compared."""


def run(command, folder, timeout=None):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=timeout)
    if done.returncode:
        raise Failure(f"{command[0]} failed: {(done.stderr or done.stdout).strip()[-2000:]}")
    return done.stdout


def bits_of(name):
    """`a[3:0]` as ("a", [0, 1, 2, 3]), `a` as ("a", None)."""
    slice_ = re.fullmatch(r"(.+?)\[(\d+)(?::(\d+))?\]", name)
    if not slice_:
        return name, None
    high, low = int(slice_[2]), int(slice_[3] or slice_[2])
    return slice_[1], list(range(low, high + 1))


class Names:
    """The renamed items of a module."""

    def __init__(self):
        self.whole, self.bit, self.used = {}, {}, set()

    def add(self, old, new):
        (old, old_bits), (new, new_bits) = bits_of(old), bits_of(new)
        if old_bits is None and new_bits is None:
            self.whole[old] = new
            return
        if old_bits is None:
            old_bits = range(len(new_bits))
        if new_bits is None:
            new_bits = range(len(old_bits))
        if len(old_bits) != len(new_bits):
            raise Failure(f"the sides of the map {old}={new} have different widths")
        for a, b in zip(old_bits, new_bits):
            self.bit[old, a] = (new, b)

    def of(self, name, index=0):
        """The new (name, index) of a bit."""
        found = self.bit.get((name, index))
        if found:
            self.used.add(name)
            return found
        if name in self.whole:
            self.used.add(name)
        return self.whole.get(name, name), index

    def of_register(self, name, index):
        """Like `of`. A register with the name of the output that it drives is `name.q` if its new name differs."""
        own = name + ".q"
        return self.of(own if own in self.whole or (own, index) in self.bit else name, index)

    def check(self, module):
        """Checks that every name of a map exists."""
        for name in [*self.whole, *(name for name, _ in self.bit)]:
            if name not in self.used:
                raise Failure(f"--map {module}:{name}: the old {module} has no port, register, memory or part of this name")


class Source:
    """A Verilog file: the text of each module, and its parts."""

    def __init__(self, path, renamed):
        try:
            text = Path(path).read_text()
        except OSError as error:
            raise Failure(f"{path}: {error.strerror}") from None
        for before, after in renamed.items():
            text = re.sub(rf"\b{re.escape(before)}\b(?=\s*(\w+\s*)?\()", after, text)
        self.texts = {name: whole for whole, name in re.findall(r"^(module\s+(\w+).*?^endmodule)", text, re.M | re.S)}
        if not self.texts:
            raise Failure(f"{path}: contains no module")
        self.plain = {name: " ".join(re.sub(r"//.*|/\*.*?\*/", "", text).split()) for name, text in self.texts.items()}
        self.parts = {name: [kind for kind in re.findall(r"^\s*(\w+)\s+\w+\s*\(", text, re.M) if kind in self.texts]
                      for name, text in self.texts.items()}
        for name, parts in self.parts.items():
            self.parts[name] = [part for part in parts if part != name]

    def head(self, name):
        return self.plain[name].split(");")[0]

    def closure(self, names):
        found, work = {}, list(names)
        while work:
            name = work.pop()
            if name not in found:
                found[name] = None
                work.extend(self.parts[name])
        return list(found)

    def same_text(self, other, name):
        return self.plain[name] == other.plain[name] and all(
            part in other.texts and self.head(part) == other.head(part) for part in self.parts[name])
