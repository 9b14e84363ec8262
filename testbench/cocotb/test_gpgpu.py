"""The chip under cocotb: a host on its host bus, a memory on its memory port, and a kernel's results.

           +------+  host bus      +-------+  memory port   +--------+
   job --> | Host | -------------> | gpgpu | -------------> | Memory |
           +------+ <------------- +-------+ <------------- +--------+
                        interrupt

run.py builds and starts it. In each cycle inputs are driven after the rising edge and outputs are sampled, settled, at the
falling edge, as in the other benches (testbench/verilator/README.md), so all of them count the same cycles.
"""

import os
import re
from collections import deque
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, RisingEdge
from kernel_check import differences, read_expectations, read_job

# Words of global memory: 1 MiB, like in the jobs of `flexgrip job`.
MEMORY_WORDS = 1 << 18
# Cycles after which a bus transfer counts as unanswered, and a grid as endless.
BUS_TIMEOUT = 1_000
GRID_TIMEOUT = 1_000_000


def host_map(header):
    """The constants of the host's map, from the C header that `export-verilog --header` writes."""
    defines = re.findall(r"^#define FLEXGRIP_(\w+) (?:UINT32_C\()?(0x[0-9a-f]+|\d+)\)?", header.read_text(), re.MULTILINE)
    return {name: int(number, 0) for name, number in defines}


class Memory:
    """Global memory: always ready, answers reads in order, `latency` cycles after accepting them."""

    def __init__(self, dut, latency):
        self.dut = dut
        self.latency = latency
        self.words = [0] * MEMORY_WORDS
        self.lanes = 0
        while hasattr(dut, f"memory_request_data_{self.lanes}"):
            self.lanes += 1
        self.request_data = [getattr(dut, f"memory_request_data_{lane}") for lane in range(self.lanes)]
        self.request_enable = [getattr(dut, f"memory_request_enable_{lane}") for lane in range(self.lanes)]
        self.response_data = [getattr(dut, f"memory_response_data_{lane}") for lane in range(self.lanes)]
        dut.memory_request_ready.value = 1
        dut.memory_response_valid.value = 0
        dut.memory_error.value = 0
        dut.memory_busy.value = 0
        for port in self.response_data:
            port.value = 0

    async def serve(self):
        """Serves the port forever."""
        # Reads in flight: the cycle in which the response is due, and the words.
        under_way = deque()
        cycle = 0
        while True:
            await RisingEdge(self.dut.clock)
            cycle += 1
            answered = bool(under_way) and under_way[0][0] == cycle
            self.dut.memory_response_valid.value = int(answered)
            if answered:
                for port, word in zip(self.response_data, under_way.popleft()[1]):
                    port.value = word
            await FallingEdge(self.dut.clock)
            if not int(self.dut.memory_request_valid.value):
                continue
            first = self.line()
            if int(self.dut.memory_request_write.value):
                self.write(first)
            else:
                under_way.append((cycle + self.latency, self.words[first : first + self.lanes]))

    def line(self):
        """The first word of the line that the chip requests."""
        address = int(self.dut.memory_request_address.value)
        assert address % (4 * self.lanes) == 0, f"request for {address:#x}, which is not a line of {self.lanes} words"
        assert address // 4 + self.lanes <= MEMORY_WORDS, f"request for {address:#x}, past global memory"
        return address // 4

    def write(self, first):
        """Writes the enabled bytes of the line."""
        for index, (data, enable) in enumerate(zip(self.request_data, self.request_enable), first):
            enabled = int(enable.value)
            if enabled:
                mask = sum(0xFF << 8 * byte for byte in range(4) if enabled >> byte & 1)
                # Data of lanes that do not write may be undefined, data of lanes that write must not.
                self.words[index] = self.words[index] & ~mask | int(data.value) & mask


class Host:
    """The host: one transfer at a time."""

    def __init__(self, dut):
        self.dut = dut
        dut.reset.value = 0
        self.drive(active=0)

    def drive(self, active, write=0, address=0, data=0):
        self.dut.host_cycle.value = active
        self.dut.host_strobe.value = active
        self.dut.host_write.value = write
        self.dut.host_address.value = address
        self.dut.host_write_data.value = data

    async def transfer(self, write, address, data=0):
        """Makes a transfer that begins in the present cycle. Returns the word read, after the next cycle has begun."""
        self.drive(1, write, address, data)
        for _ in range(BUS_TIMEOUT):
            await FallingEdge(self.dut.clock)
            acknowledged = int(self.dut.host_acknowledge.value)
            refused = int(self.dut.host_error.value)
            word = int(self.dut.host_read_data.value) if acknowledged and not write else 0
            await RisingEdge(self.dut.clock)
            assert not refused, f"the host bus refused address {address:#x}"
            if acknowledged:
                self.drive(active=0)
                return word
        raise AssertionError(f"the host bus did not answer at address {address:#x}")

    async def write(self, address, word):
        await self.transfer(1, address, word)

    async def read(self, address):
        return await self.transfer(0, address)

    async def interrupt(self):
        """Waits for the interrupt."""
        for _ in range(GRID_TIMEOUT):
            await FallingEdge(self.dut.clock)
            if int(self.dut.interrupt.value):
                await RisingEdge(self.dut.clock)
                return
        raise AssertionError(f"no interrupt after {GRID_TIMEOUT} cycles")


@cocotb.test()
async def kernel(dut):
    """Loads and starts a kernel over the host bus, and checks its results in global memory."""
    job = read_job(os.environ["FLEXGRIP_JOB"])
    expectations = read_expectations(os.environ["FLEXGRIP_KERNEL"])
    numbers = host_map(Path(os.environ["FLEXGRIP_HOST_MAP"]))
    memory = Memory(dut, int(os.environ["FLEXGRIP_MEMORY_LATENCY"]))
    host = Host(dut)
    Clock(dut.clock, 10, unit="ns").start()
    cocotb.start_soon(memory.serve())
    await RisingEdge(dut.clock)

    assert await host.read(numbers["ID"]) == numbers["ID_VALUE"]
    configuration = await host.read(numbers["CONFIGURATION"])
    assert (configuration & numbers["CONFIGURATION_LANES_MASK"]) >> numbers["CONFIGURATION_LANES_SHIFT"] == memory.lanes

    before, result = None, {}
    written = {}
    for statement in job:
        if statement.kind == "r":
            result[statement.name] = await host.read(statement.address)
            continue
        if statement.kind == "s":
            # A write through the window is acknowledged before it reaches memory. A read is performed after all writes.
            for address, word in list(written.items())[-1:]:
                assert await host.read(address) == word
            before = list(memory.words)
            for address, word in written.items():
                assert before[(address - numbers["GLOBAL_BASE"]) // 4] == word, f"{address:#x} does not have the word"
        await host.write(statement.address, statement.word)
        if statement.address >= numbers["GLOBAL_BASE"]:
            written[statement.address] = statement.word
        if statement.kind == "s":
            await host.interrupt()
    assert before is not None, "the job starts no grid"

    assert result["STATUS"] == numbers["STATUS_DONE"], f"STATUS is {result['STATUS']:#x}"
    found = differences(expectations, before, memory.words)
    assert not found, "\n".join(found[:10])
    cycles = result["CYCLES"] | result["CYCLES_HIGH"] << 32
    cocotb.log.info("result matches, %d cycles", cycles)
    expected = int(os.environ["FLEXGRIP_CYCLES"])
    assert cycles == expected, f"{cycles} cycles, but the native circuits take {expected}"
