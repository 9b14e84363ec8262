#!/usr/bin/env python3
"""Makes the launch files, inputs and expected results of the kernels in this folder.

    python3 kernels/generate.py            writes the files
    python3 kernels/generate.py --check    only says whether they are what it would write (exit code 1 if not)

Each kernel's results are computed here in plain Python from what the kernel is for, thread by thread or for the whole
array; nothing is taken from a simulation. `kernel.sass` is written by hand and is not touched. Everything is
deterministic: random words come from SHA-256 of a kernel's name, a stream's name and an index.
"""

import binascii
import hashlib
import itertools
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
MASK = 0xFFFFFFFF
# Fills what a kernel must leave alone or overwrite, so that a stray or a missing store shows.
CANARY = 0xDEADBEEF


def random_words(kernel, stream, count):
    """`count` random 32-bit words."""
    words = []
    for index in range(count):
        digest = hashlib.sha256(f"flexgrip-rs/{kernel}/{stream}/{index}".encode()).digest()
        words.append(int.from_bytes(digest[:4], "little"))
    return words


def random_bytes(kernel, stream, count):
    """`count` random bytes."""
    return b"".join(word.to_bytes(4, "little") for word in random_words(kernel, stream, (count + 3) // 4))[:count]


def words_of(data):
    """Bytes as words of memory, filled up with zeros."""
    data = bytes(data)
    return [int.from_bytes(data[at : at + 4], "little") for at in range(0, len(data), 4)]


def signed(word):
    """A 32-bit word as a signed number."""
    return word - (1 << 32) if word >> 31 else word


class Kernel:
    """One kernel's launch, the initial contents of its memories, and the words of global memory that it changes."""

    def __init__(self, name, summary, registers, grid, block, params, memory, constants, expected):
        self.name = name
        self.summary = summary
        self.registers = registers  # as the source's .registers says
        self.grid = grid
        self.block = block
        self.params = params
        self.memory = memory  # words of global memory, from address 0
        self.constants = constants  # words of constant bank 1, from offset 0
        self.expected = expected  # {byte address: word}; all other words must stay as they are

    def files(self):
        """The folder's generated files: {name: text}."""
        files = {
            "launch.toml": self.launch(),
            "global.hex": hex_file(self.memory),
            "expected.txt": "".join(f"{address:05x} {word:08x}\n" for address, word in sorted(self.expected.items())),
        }
        if self.constants:
            files["constant1.hex"] = hex_file(self.constants)
        return files

    def launch(self):
        lines = [
            "# Made by kernels/generate.py.",
            f'name = "{self.name}"',
            f'summary = "{self.summary}"',
            'program = "kernel.sass"',
            f"registers = {self.registers}",
            f"shared_bytes = {16 + 4 * len(self.params)}",  # the block's header and the parameters
            f"grid = {self.grid}",
            f"block = {self.block}",
            f"params = {self.params}",
            "",
            "[[memory]]",
            'space = "global"',
            "address = 0",
            'file = "global.hex"',
        ]
        if self.constants:
            lines += ["", "[[memory]]", 'space = "constant"', "bank = 1", "address = 0", 'file = "constant1.hex"']
        lines += ["", "[[expect]]", 'space = "global"', 'file = "expected.txt"', "exact = true", 'compare = "u32"']
        return "\n".join(lines) + "\n"


def hex_file(words):
    return "".join(f"{word:08x}\n" for word in words)


def vectoradd():
    """c = a + b over 213 random words each, for a grid of 4 blocks of 64 threads.

    Threads 213 to 223 leave while the others of their warp go on, and the last warp leaves at once. Behind the vectors'
    ends there are words, too, so that a thread which does not leave is noticed.
    """
    name, n, room = "vectoradd", 213, 256
    a = random_words(name, "a", room)
    b = random_words(name, "b", room)
    at_a, at_b, at_c = 0, 4 * room, 8 * room
    return Kernel(
        name=name,
        summary="c[i] = a[i] + b[i], unsigned, 4 blocks of 64 threads, 213 elements",
        registers=4,
        grid=[4, 1],
        block=[64, 1, 1],
        params=[at_a, at_b, at_c, n],
        memory=a + b + [CANARY] * room,
        constants=[],
        expected={at_c + 4 * i: (a[i] + b[i]) & MASK for i in range(n)},
    )


def saxpy_int():
    """y = a * x + y over 399 signed words with a = -1234567, for a grid of 2 blocks of 80 threads.

    The first elements of x are those where a product built from halves goes wrong first; the rest are random over all
    of 32 bits. 160 threads take 399 elements in up to three strides; the last stride ends within a warp.
    """
    name, n, room, a = "saxpy_int", 399, 512, -1234567
    grid, block = 2, 80
    edges = [0, 1, -1, 2, -2, 0x7FFF, 0x8000, 0xFFFF, 0x10000, 0x10001, -0x8000, -0x8001, -0xFFFF, -0x10000, -0x10001]
    edges += [0x7FFFFF, 0x800000, 0xFFFFFF, 0x1000000, -0x800000, -0x800001, 0x7FFFFFFF, -0x7FFFFFFF, -0x80000000]
    x = [edge & MASK for edge in edges] + random_words(name, "x", room - len(edges))
    y = random_words(name, "y", room)
    at_x, at_y = 0, 4 * room
    results = [(a * signed(x[i]) + signed(y[i])) & MASK for i in range(n)]
    return Kernel(
        name=name,
        summary="y[i] = a * x[i] + y[i], signed 32 bits from 16-bit products, 2 blocks of 80 threads, 399 elements",
        registers=8,
        grid=[grid, 1],
        block=[block, 1, 1],
        params=[a & MASK, at_x, at_y, n],
        memory=x + y,
        constants=[grid * block, 4 * grid * block],
        expected={at_y + 4 * i: results[i] for i in range(n)},
    )


def sort():
    """Two segments, of 32 and of 23 signed words, each sorted in place.

    The first segment is in descending order but for some equal and extreme words, which takes all 32 phases; the second
    is random. One more segment's worth of words behind them must stay.
    """
    name, n = "sort", 55
    first = sorted(map(signed, random_words(name, "first", 26)), reverse=True)
    first = [0x7FFFFFFF, first[0]] + first + [first[-1], -0x80000000, 0, 0]
    second = [signed(word) for word in random_words(name, "second", n - 32 - 3)] + [-1, 1, -1]
    data = first + second
    assert len(first) == 32 and len(data) == n
    results = sorted(first) + sorted(second)
    base = 256
    canaries = [CANARY] * (base // 4)
    return Kernel(
        name=name,
        summary="sorts segments of 32 signed words, one a warp: 32 and 23 words",
        registers=9,
        grid=[1, 1],
        block=[64, 1, 1],
        params=[base, n],
        memory=canaries + [word & MASK for word in data] + random_words(name, "behind", 32),
        constants=[],
        expected={base + 4 * i: results[i] & MASK for i in range(n)},
    )


def divergence_path(v):
    """The path of a thread with input word `v`, as the source of divergence/kernel.sass describes it.

    Gives the word that the thread stores, or None if it ends without having stored.
    """
    signature = 1

    def bit(k):
        return v >> k & 1 == 1

    def mark(m):
        nonlocal signature
        signature = (33 * signature + m) & MASK

    # Part 1
    mark(1)
    # Part 2
    if bit(0):
        mark(2)
        if bit(1):
            mark(3)
            mark(4 if bit(2) else 5)
            mark(6)
        elif bit(3):
            mark(7)
        mark(8)
    else:
        mark(9)
    mark(10)
    # Part 3
    for _ in range((v >> 4 & 7) + 1):
        mark(11)
    for left in range(v >> 8 & 15, 0, -1):
        if left % 2 == 1:
            mark(12)
        mark(13)
    mark(14)
    # Part 4
    if bit(12):
        mark(15)
        if bit(13):
            return signature
        mark(16)
    else:
        if bit(14):
            mark(17)
            return signature
        mark(18)
        mark(19)
        if bit(15):
            mark(20)
            return signature if bit(13) else None
    if bit(12):
        signature = (signature + 0x55) & MASK
    mark(21)
    # Part 5
    return signature if bit(16) else None


def divergence():
    """Four blocks of 48 threads, so two warps each, the second half empty. The input words decide the paths.

    Three of the eight warps have random words. The words of the others are chosen so that, together, they meet every
    way in which threads can leave and others go on (model/tests/kernels.rs makes sure that they do).
    """
    name, grid, block = "divergence", 4, 48
    # Bit 16 mostly set: most threads store at the end.
    words = random_words(name, "input", grid * block)
    chances = random_words(name, "store", grid * block)
    words = [word | 1 << 16 if chance % 4 else word & ~(1 << 16) for word, chance in zip(words, chances)]

    def warp(first, count, change):
        for index in range(first, first + count):
            words[index] = change(words[index], index - first) & MASK

    # Block 0, warp 1: all of the second path leave at the RET of the nested if, whose join waits for none then; so the
    # stack leads to the first path, past that join.
    warp(32, 16, lambda word, lane: word & ~(1 << 12) | 1 << 14 if lane % 2 == 0 else word | 1 << 12)
    # Block 1, warp 0: one word for all, so that all branches are taken by all or by none.
    uniform = words[block] & ~(0b1111 << 12) | 1 << 16 | 0b0101
    warp(block, 32, lambda word, lane: uniform)
    # Block 1, warp 1: all threads of the warp leave at the RET of the nested if.
    warp(block + 32, 16, lambda word, lane: word & ~(1 << 12) | 1 << 14)

    # Block 2, warp 0: all of the second path leave, some by that RET and the others at the exit marker; then all of the
    # first path leave, but for one thread.
    def leave(word, lane):
        if lane % 2 == 0:
            return word & ~(1 << 12) | 1 << 15
        if lane == 31:
            return word & ~(1 << 13) | 1 << 12 | 1 << 16
        return word | 1 << 12 | 1 << 13

    warp(2 * block, 32, leave)
    # Block 3, warp 0: all take the second path. Those that leave at the exit marker go last, and the others wait at the
    # join of part 4.
    warp(3 * block, 32, lambda word, lane: word & ~(1 << 12))

    threads = grid * block
    at_input, at_output = 0, 4 * threads
    expected = {}
    for i in range(threads):
        result = divergence_path(words[i])
        if result is not None:
            expected[at_output + 4 * i] = result
    return Kernel(
        name=name,
        summary="nested ifs, loops with trips of each thread's own, early exits: a signature of each thread's path",
        registers=8,
        grid=[grid, 1],
        block=[block, 1, 1],
        params=[at_input, at_output],
        memory=words + [CANARY] * threads,
        constants=[1 << k for k in range(17)],
        expected=expected,
    )


def crc32():
    """The CRC-32 of 64 messages of 0 to 40 bytes, one a thread.

    Some are known ones, among them the check message of every description of a CRC; the others are random in length and
    contents, so threads leave the loop at many different times. There are random bytes before the first and behind the
    last.
    """
    name, threads, longest = "crc32", 64, 40
    known = [b"", b"a", b"123456789", b"The quick brown fox jumps over the lazy", bytes(longest), b"\xff" * longest]
    messages = known + [
        random_bytes(name, f"message {i}", length % (longest + 1))
        for i, length in enumerate(random_words(name, "lengths", threads - len(known)))
    ]
    # The last warp ends with messages of no bytes, which lie at the end of the one before.
    messages[-2:] = [b"", b""]
    before = random_bytes(name, "before", 7)
    offsets = list(itertools.accumulate((len(message) for message in messages), initial=len(before)))
    at_offsets, at_output = 0, 4 * (threads + 1)
    at_messages = at_output + 4 * threads
    data = before + b"".join(messages) + random_bytes(name, "behind", 32)
    assert binascii.crc32(b"123456789") == 0xCBF43926
    return Kernel(
        name=name,
        summary="the CRC-32 of 64 messages of 0 to 40 bytes, bit by bit",
        registers=8,
        grid=[1, 1],
        block=[threads, 1, 1],
        params=[at_offsets, at_messages, at_output],
        memory=offsets + [CANARY] * threads + words_of(data),
        constants=[0xEDB88320, 1],
        expected={at_output + 4 * i: binascii.crc32(message) for i, message in enumerate(messages)},
    )


# The left half of the torus: a glider, a full square and two with gaps, a block, a ring, and a blinker that goes around
# the upper edge.
LIFE_FIGURES = """
    .......#........
    ..#....#....###.
    ...#........###.
    .###........###.
    ................
    ....###..###....
    ....###..###....
    ....##....#.....
    ................
    ......##....###.
    ......##....#.#.
    ............###.
    ................
    #...............
    #...............
    #......#........
""".split()


def life():
    """One generation of the Game of Life on a torus of 32 x 16 cells, for two blocks of 16 x 16 threads.

    The left half shows known figures and the right half is random. Each number of neighbours, 0 to 8, is there around
    living and around dead cells.
    """
    name, columns, rows = "life", 32, 16
    chances = random_bytes(name, "cells", columns * rows)
    cells = [[int(chances[columns * y + x] < 112) for x in range(columns)] for y in range(rows)]
    for y, row in enumerate(LIFE_FIGURES):
        cells[y][: len(row)] = [int(cell == "#") for cell in row]
    assert len(LIFE_FIGURES) == rows and all(len(row) == columns for row in cells)

    met = set()

    def next_cell(x, y):
        around = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]
        neighbours = sum(cells[(y + dy) % rows][(x + dx) % columns] for dx, dy in around)
        met.add((cells[y][x], neighbours))
        return int(neighbours == 3 or cells[y][x] == 1 and neighbours == 2)

    result = words_of(next_cell(x, y) for y in range(rows) for x in range(columns))
    assert met == {(cell, neighbours) for cell in (0, 1) for neighbours in range(9)}, met
    border = [CANARY] * 16
    at_from = 4 * len(border)
    at_to = at_from + columns * rows + 4 * len(border)
    return Kernel(
        name=name,
        summary="one generation of the Game of Life, a torus of 32 x 16 cells of a byte",
        registers=16,
        grid=[2, 1],
        block=[16, 16, 1],
        params=[at_from, at_to],
        memory=border + words_of(itertools.chain(*cells)) + border + [CANARY] * len(result) + border,
        constants=[],
        expected={at_to + 4 * i: word for i, word in enumerate(result)},
    )


def queens_by_permutation(n, first):
    """Ways to set n queens, the first row's in column `first`, by trying all orders of the columns."""

    def peaceful(order):
        return len({c + r for r, c in enumerate(order)}) == n and len({c - r for r, c in enumerate(order)}) == n

    return sum(order[0] == first and peaceful(order) for order in itertools.permutations(range(n)))


def queens_frames(n, first):
    """What the thread's calls leave in its stack: frame by frame, the words that were pushed there last.

    A frame holds what the source of queens/kernel.sass says that a caller keeps: columns with a queen, columns that
    diagonals to the left and to the right attack in the caller's row, and columns that are still to be tried.
    """
    frames = {}

    def solve(queens, left, right):
        to_try = [c for c in range(n) if not (queens | left | right) >> c & 1]
        for i, c in enumerate(to_try):
            frames[bin(queens).count("1") - 1] = [queens, left, right, sum(1 << later for later in to_try[i + 1 :])]
            solve(queens | 1 << c, (left | 1 << c) << 1, (right | 1 << c) >> 1)

    solve(1 << first, 1 << first + 1, 1 << first >> 1)
    return [word for depth in sorted(frames) for word in frames[depth]]


def queens():
    """The N queens of 32 threads, eight for each N from 4 to 7, the first queen in another column for each neighbour.

    The threads' stacks count among the results, since a word of memory is either expected or unchanged: the words that
    were pushed last stay there. There is room for one frame more than the deepest thread needs, and it must stay.
    """
    name, threads, room = "queens", 32, 4 * 7
    expected = {}
    at_stack, at_output = 0, 4 * threads * room
    for t in range(threads):
        n = 4 + t // 8
        words = queens_frames(n, t % n)
        assert len(words) <= room - 4
        for k, word in enumerate(words):
            expected[at_stack + 4 * (threads * k + t)] = word
        expected[at_output + 4 * t] = queens_by_permutation(n, t % n)
    return Kernel(
        name=name,
        summary="N queens by recursion, N from 4 to 7, the first queen given; each thread's stack in global memory",
        registers=10,
        grid=[1, 1],
        block=[threads, 1, 1],
        params=[at_stack, at_output],
        memory=[CANARY] * (threads * room + threads),
        constants=[],
        expected=expected,
    )


KERNELS = [vectoradd, saxpy_int, sort, divergence, crc32, life, queens]


def main(arguments):
    if arguments not in ([], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 2
    check = arguments == ["--check"]
    wrong = 0
    kernels = [make() for make in KERNELS]
    for folder in sorted({path.parent for path in HERE.glob("*/*")} - {HERE / kernel.name for kernel in kernels}):
        wrong += 1
        print(f"{folder} is no kernel that generate.py knows")
    for kernel in kernels:
        folder = HERE / kernel.name
        if not check:
            folder.mkdir(exist_ok=True)
        files = kernel.files()
        for name, text in files.items():
            path = folder / name
            if not check:
                path.write_bytes(text.encode())
            elif not path.is_file():
                wrong += 1
                print(f"{path} is missing")
            elif path.read_bytes() != text.encode():
                wrong += 1
                print(f"{path} is not what generate.py writes")
        for path in sorted(folder.glob("*")):
            if path.name not in files and path.name != "kernel.sass":
                wrong += 1
                print(f"{path} does not belong to the kernel")
        if not (folder / "kernel.sass").is_file():
            wrong += 1
            print(f"{folder / 'kernel.sass'} is missing")
    if wrong:
        print(f"{wrong} wrong; `python3 kernels/generate.py` writes the generated ones", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
