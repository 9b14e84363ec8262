// Runs one kernel on the machine's Verilog, compiled by Verilator. Needs only the exported Verilog and
// flexgrip_host_map.h from the project (both from `export-verilog`); README.md in this folder says how to build and use
// it.
//
// It consists of a host on the host bus and a global memory on the memory port:
//
//  - Every cycle: drive the inputs, settle, sample the outputs, tick.
//  - Host bus: a transfer holds cycle, strobe, address and data until the cycle in which acknowledge or error is
//    sampled. The next transfer follows in the next cycle.
//  - Global memory: always ready. A write takes effect in the cycle in which it is accepted. A read that is accepted in
//    cycle t is answered in cycle t + latency, with the data as of cycle t; responses arrive in order.
//  - A run begins with the transfer that writes CONTROL; the cycle of its acknowledge is cycle 0 of the trace. It ends
//    with the cycle in which `interrupt` is sampled. After that the status, counter and error registers are read.
//
// The native test bench (sim/engines/src/native/test_bench.rs) follows the same rules, so both see the same cycles.

#include <array>
#include <cerrno>
#include <chrono>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "Vgpgpu.h"
#include "flexgrip_host_map.h"
#include "verilated.h"
#if FLEXGRIP_FAULTS
#include "verilated_syms.h"
#endif
#if VM_TRACE_FST
#include "verilated_fst_c.h"
using WaveWriter = VerilatedFstC;
#elif VM_TRACE
#include "verilated_vcd_c.h"
using WaveWriter = VerilatedVcdC;
#endif

#ifndef FLEXGRIP_LANES
#error "compile with -DFLEXGRIP_LANES=8, 16 or 32, as the Verilog was exported"
#endif
#ifndef FLEXGRIP_SMS
#define FLEXGRIP_SMS 1
#endif

namespace {

constexpr unsigned LANES = FLEXGRIP_LANES;
static_assert(LANES == 8 || LANES == 16 || LANES == 32, "FLEXGRIP_LANES is 8, 16 or 32");

constexpr unsigned SMS = FLEXGRIP_SMS;
static_assert(SMS == 1 || SMS == 2 || SMS == 4, "FLEXGRIP_SMS is 1, 2 or 4");

// EACH_LANE(DO, a, b) is DO(0, a, b) DO(1, a, b) ... DO(LANES - 1, a, b): the Verilog has one port per lane.
#define LANES_FROM_0(DO, a, b)                                                                                         \
    DO(0, a, b) DO(1, a, b) DO(2, a, b) DO(3, a, b) DO(4, a, b) DO(5, a, b) DO(6, a, b) DO(7, a, b)
#define LANES_FROM_8(DO, a, b)                                                                                         \
    DO(8, a, b) DO(9, a, b) DO(10, a, b) DO(11, a, b) DO(12, a, b) DO(13, a, b) DO(14, a, b) DO(15, a, b)
#define LANES_FROM_16(DO, a, b)                                                                                        \
    DO(16, a, b) DO(17, a, b) DO(18, a, b) DO(19, a, b) DO(20, a, b) DO(21, a, b) DO(22, a, b) DO(23, a, b)            \
    DO(24, a, b) DO(25, a, b) DO(26, a, b) DO(27, a, b) DO(28, a, b) DO(29, a, b) DO(30, a, b) DO(31, a, b)
#if FLEXGRIP_LANES == 8
#define EACH_LANE(DO, a, b) LANES_FROM_0(DO, a, b)
#elif FLEXGRIP_LANES == 16
#define EACH_LANE(DO, a, b) LANES_FROM_0(DO, a, b) LANES_FROM_8(DO, a, b)
#else
#define EACH_LANE(DO, a, b) LANES_FROM_0(DO, a, b) LANES_FROM_8(DO, a, b) LANES_FROM_16(DO, a, b)
#endif

// EACH_SM(DO) is DO(0) ... DO(SMS - 1).
#if FLEXGRIP_SMS == 1
#define EACH_SM(DO) DO(0)
#elif FLEXGRIP_SMS == 2
#define EACH_SM(DO) DO(0) DO(1)
#else
#define EACH_SM(DO) DO(0) DO(1) DO(2) DO(3)
#endif

// EACH_OF_HALF(DO, a, b) is DO(0, a, b) ... DO(15, a, b): one for each thread of a half-warp.
#define EACH_OF_HALF(DO, a, b) LANES_FROM_0(DO, a, b) LANES_FROM_8(DO, a, b)

// Cycles after which a bus transfer counts as unanswered.
constexpr uint32_t BUS_TIMEOUT = 100000;

// The registers that a host reads after a run, in this order.
constexpr const char* RESULT_REGISTERS[] = {
    "STATUS",   "CYCLES",     "CYCLES_HIGH", "ERROR_CODE",    "ERROR_PC",
    "ERROR_SM", "ERROR_WARP", "ERROR_BLOCK", "ERROR_ADDRESS",
};

using Words = std::array<uint32_t, LANES>;

[[noreturn]] void fail(const std::string& message) { throw std::runtime_error(message); }

std::string hex(uint32_t value) {
    char text[16];
    std::snprintf(text, sizeof text, "0x%08" PRIx32, value);
    return text;
}

uint32_t parse_hex(const std::string& text, const std::string& place) {
    const bool digits = !text.empty() && text.size() <= 8 &&
                        text.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos;
    if (!digits) fail(place + ": expected 1 to 8 hexadecimal digits, found `" + text + "`");
    return static_cast<uint32_t>(std::strtoul(text.c_str(), nullptr, 16));
}

uint64_t parse_decimal(const std::string& text, const std::string& place) {
    if (text.empty() || text.size() > 19 || text.find_first_not_of("0123456789") != std::string::npos)
        fail(place + ": expected a decimal number, found `" + text + "`");
    return std::strtoull(text.c_str(), nullptr, 10);
}

// The address of a register by its name; false if there is no such register.
bool register_address(const std::string& name, uint32_t& address) {
    for (const flexgrip_register& entry : FLEXGRIP_REGISTERS) {
        if (name == entry.name) {
            address = entry.address;
            return true;
        }
    }
    return false;
}

uint32_t register_address(const std::string& name) {
    uint32_t address = 0;
    if (!register_address(name, address)) fail("there is no register " + name);
    return address;
}

// The time units (ns) per cycle of the waves: cycle c lasts from c * PERIOD to (c + 1) * PERIOD. Registers change at
// the clock's rising edge, at c * PERIOD; signals driven by host and memory change at its falling edge, half a period
// later.
constexpr uint64_t PERIOD = 10;

// What the waves contain: a range of cycles, numbered as in the trace, and the modules and signals (all if the list is
// empty).
struct Waves {
    std::string path;
    uint64_t from = 0;
    uint64_t to = UINT64_MAX;
    std::vector<std::string> scopes;
};

// --- The job: the host's actions ------------------------------------------------------------------------------------

struct BusWrite {
    uint32_t address;
    uint32_t data;
};

struct Job {
    uint64_t memory_bytes = 1 << 20;
    // The number of bytes of memory that are written to a file at the end; 0 for all.
    uint64_t dump_bytes = 0;
    uint64_t memory_latency = 20;
    uint64_t max_cycles = 100000000;
    std::vector<BusWrite> writes;
};

// The words of a line, without comments.
std::vector<std::string> fields(std::string line) {
    const size_t comment = std::min(line.find('#'), line.find("//"));
    if (comment != std::string::npos) line.erase(comment);
    std::istringstream stream(line);
    std::vector<std::string> result;
    for (std::string field; stream >> field;) result.push_back(field);
    return result;
}

// Loads a .hex file, one 32-bit word per line, as writes starting at `address`. Memories start zeroed, so zeros are not
// written.
void load_words(const std::string& path, uint32_t address, std::vector<BusWrite>& writes) {
    std::ifstream file(path);
    if (!file) fail(path + ": cannot be read: " + std::strerror(errno));
    std::string line;
    for (unsigned number = 1; std::getline(file, line); ++number) {
        const std::string place = path + ":" + std::to_string(number);
        const auto words = fields(line);
        if (words.empty()) continue;
        if (words.size() > 1) fail(place + ": expected one word a line");
        const uint32_t word = parse_hex(words[0], place);
        if (word != 0) writes.push_back({address, word});
        address += 4;
    }
}

Job read_job(const std::string& path) {
    std::ifstream file(path);
    if (!file) fail(path + ": cannot be read: " + std::strerror(errno));
    const size_t slash = path.rfind('/');
    const std::string folder = slash == std::string::npos ? "" : path.substr(0, slash + 1);
    Job job;
    std::string line;
    for (unsigned number = 1; std::getline(file, line); ++number) {
        const std::string place = path + ":" + std::to_string(number);
        const auto words = fields(line);
        if (words.empty()) continue;
        const std::string& key = words[0];
        const size_t expected = key == "write" || key == "load" ? 3 : 2;
        if (words.size() != expected) fail(place + ": `" + key + "` takes " + std::to_string(expected - 1) + " values");
        if (key == "memory-bytes") {
            job.memory_bytes = parse_decimal(words[1], place);
        } else if (key == "dump-bytes") {
            job.dump_bytes = parse_decimal(words[1], place);
        } else if (key == "memory-latency") {
            job.memory_latency = parse_decimal(words[1], place);
        } else if (key == "max-cycles") {
            job.max_cycles = parse_decimal(words[1], place);
        } else if (key == "write") {
            uint32_t address = 0;
            if (!register_address(words[1], address)) address = parse_hex(words[1], place);
            job.writes.push_back({address, parse_hex(words[2], place)});
        } else if (key == "load") {
            const std::string& name = words[2];
            load_words(name[0] == '/' ? name : folder + name, parse_hex(words[1], place), job.writes);
        } else {
            fail(place + ": expected memory-bytes, dump-bytes, memory-latency, max-cycles, write or load, found `" + key + "`");
        }
    }
    if (job.memory_bytes == 0 || job.memory_bytes % 4 != 0 || job.memory_bytes > UINT64_C(0x100000000))
        fail(path + ": memory-bytes must be a multiple of 4 up to 2^32");
    if (job.dump_bytes > job.memory_bytes) fail(path + ": dump-bytes must be at most memory-bytes");
    if (job.memory_latency == 0) fail(path + ": memory-latency must be at least 1");
    return job;
}

// --- The event stream ----------------------------------------------------------------------------------------------

// Writes lines of hexadecimal fields. See README.md for the format.
class EventStream {
  public:
    ~EventStream() {
        if (file_ != nullptr && file_ != stdout) std::fclose(file_);
    }

    void open(const std::string& path) {
        file_ = path == "-" ? stdout : std::fopen(path.c_str(), "w");
        if (file_ == nullptr) fail(path + ": cannot be written: " + std::strerror(errno));
        buffer_.reserve(1 << 16);
    }

    bool is_open() const { return file_ != nullptr; }

    void begin(char letter, uint64_t cycle) {
        char text[32];
        std::snprintf(text, sizeof text, "%c %" PRIu64, letter, cycle);
        buffer_ += text;
    }

    void field(uint64_t value) {
        char digits[16];
        unsigned count = 0;
        do {
            digits[count++] = "0123456789abcdef"[value & 15];
            value >>= 4;
        } while (value != 0);
        buffer_ += ' ';
        while (count != 0) buffer_ += digits[--count];
    }

    void end() {
        buffer_ += '\n';
        if (buffer_.size() > (1 << 15)) flush();
    }

    // Flushes the buffer to the reader; false if the reader has closed the stream.
    void flush() {
        if (file_ == nullptr) return;
        const bool written = std::fwrite(buffer_.data(), 1, buffer_.size(), file_) == buffer_.size();
        if (!written || std::fflush(file_) != 0) fail(std::string("events cannot be written: ") + std::strerror(errno));
        buffer_.clear();
    }

  private:
    std::FILE* file_ = nullptr;
    std::string buffer_;
};

// --- The machine with host and memory around it ----------------------------------------------------------------------

struct HostSample {
    bool acknowledge;
    bool error;
    bool interrupt;
    uint32_t data;
};

struct LastIssue {
    bool any = false;
    uint32_t sm = 0;
    uint32_t pc = 0;
    uint32_t warp = 0;
};

struct WarpPlace {
    uint32_t block = 0;
    uint32_t index = 0;
};

// The trace ports of an SM, whose C++ types depend on their widths.
struct TracePorts {
#define SCALAR(sm, port) std::remove_reference_t<decltype(Vgpgpu::trace_##sm##_##port)>* port;
#define LANE_ARRAY(sm, port) std::array<std::remove_reference_t<decltype(Vgpgpu::trace_##sm##_##port##_0)>*, LANES> port;
    FLEXGRIP_TRACE_PORTS(SCALAR, 0)
    FLEXGRIP_TRACE_LANE_PORTS(LANE_ARRAY, 0)
#define HALF_ARRAY(sm, port) std::array<std::remove_reference_t<decltype(Vgpgpu::trace_##sm##_##port##_0)>*, 16> port;
    FLEXGRIP_TRACE_HALF_PORTS(HALF_ARRAY, 0)
#undef SCALAR
#undef LANE_ARRAY
#undef HALF_ARRAY
};

class Bench {
  public:
    Bench(const Job& job, EventStream& events) : job_(job), events_(events) {
        context_ = std::make_unique<VerilatedContext>();
        top_ = std::make_unique<Vgpgpu>(context_.get());
#define SCALAR(sm, port) ports_[sm].port = &top_->trace_##sm##_##port;
#define LANE(lane, sm, port) ports_[sm].port[lane] = &top_->trace_##sm##_##port##_##lane;
#define LANE_ARRAY(sm, port) EACH_LANE(LANE, sm, port)
#define HALF_ARRAY(sm, port) EACH_OF_HALF(LANE, sm, port)
#define ONE_SM(sm)                                                                                                     \
    FLEXGRIP_TRACE_PORTS(SCALAR, sm) FLEXGRIP_TRACE_LANE_PORTS(LANE_ARRAY, sm) FLEXGRIP_TRACE_HALF_PORTS(HALF_ARRAY, sm)
        EACH_SM(ONE_SM)
#undef ONE_SM
#undef HALF_ARRAY
#undef LANE_ARRAY
#undef LANE
#undef SCALAR
        const uint64_t words = job.memory_bytes / 4;
        // A multiple of the port's lines, so that the last line is complete even if memory ends within it.
        memory_.resize((words + LANES - 1) / LANES * LANES);
        top_->clock = 0;
    }

    ~Bench() {
#if VM_TRACE
        if (wave_) wave_->close();
#endif
        top_->final();
    }

    void open_wave(const Waves& waves) {
#if VM_TRACE
        waves_ = waves;
        context_->traceEverOn(true);
        wave_ = std::make_unique<WaveWriter>();
        top_->trace(wave_.get(), 99);
        wave_->set_time_unit("1ns");
        wave_->set_time_resolution("1ns");
        // 99 levels: each scope with everything in it.
        for (const std::string& scope : waves.scopes) wave_->dumpvars(99, "TOP." + scope);
        wave_->open(waves.path.c_str());
        if (!wave_->isOpen()) fail(waves.path + ": cannot be written");
#else
        fail(waves.path + ": this harness was built without --trace or --trace-fst, so it cannot write waves");
#endif
    }

    // Simulates a clock cycle.
    HostSample step() {
        const bool answered = !answers_.empty() && answers_.front().cycle == cycle_;
        top_->host_cycle = strobe_;
        top_->host_strobe = strobe_;
        top_->host_write = write_;
        top_->host_address = address_;
        top_->host_write_data = data_;
        top_->memory_request_ready = 1;
        top_->memory_response_valid = answered;
        if (answered) {
            const Words& words = answers_.front().words;
#define DRIVE(lane, to, from) top_->to##_##lane = from[lane];
            EACH_LANE(DRIVE, memory_response_data, words)
#undef DRIVE
            answers_.pop_front();
        }
        top_->clock = 0;
        top_->eval();
        dump(PERIOD / 2);

        // Verilator renames the port `interrupt`, which it takes for a C++ keyword.
        const bool interrupt = top_->__SYM__interrupt != 0;
        const HostSample sample = {top_->host_acknowledge != 0, top_->host_error != 0, interrupt,
                                   top_->host_read_data};
        if (top_->memory_request_valid) serve();
        for (uint32_t sm = 0; sm < SMS; ++sm) trace(sm, ports_[sm]);

        top_->clock = 1;
        top_->eval();
        ++cycle_;
        dump(0);
        return sample;
    }

    uint32_t read(uint32_t address) { return transfer(address, false, 0); }
    void write(uint32_t address, uint32_t data) { transfer(address, true, data); }

    // Starts the grid. The cycle of the acknowledge becomes cycle 0 of the trace.
    void start() {
        write(register_address("CONTROL"), FLEXGRIP_CONTROL_START);
        start_ = cycle_ - 1;
        started_ = true;
        dump(0);
    }

    // Runs until the grid has ended; false if it has not within `limit` cycles.
    bool wait(uint64_t limit) {
        for (uint64_t i = 0; i < limit; ++i)
            if (step().interrupt) return true;
        return false;
    }

    uint64_t cycle() const { return cycle_; }
    // The cycle that the next step simulates, numbered as in the trace.
    uint64_t trace_cycle() const { return cycle_ - start_; }
    const std::vector<uint32_t>& memory() const { return memory_; }

#if FLEXGRIP_FAULTS
    // Flips neighbouring bits of an element of a public signal, or only checks that they exist.
    void flip(const std::string& scope, const std::string& name, uint64_t element, uint64_t bit, uint64_t bits, bool apply) {
        const std::string place = scope + '.' + name;
        const VerilatedScope* found = context_->scopeFind(("TOP." + scope).c_str());
        const VerilatedVar* var = found == nullptr ? nullptr : found->varFind(name.c_str());
        if (var == nullptr || !var->isPublicRW()) fail(place + " is not a public signal of the Verilog");
        const uint64_t width = var->packed().elements();
        const uint64_t elements = var->udims() == 0 ? 1 : var->unpacked().elements();
        if (element >= elements || bits == 0 || bit + bits > width)
            fail(place + ": bits " + std::to_string(bit) + " to " + std::to_string(bit + bits) + " of element " +
                 std::to_string(element) + "; it has " + std::to_string(elements) + " of " + std::to_string(width) + " bits");
        uint8_t* bytes = static_cast<uint8_t*>(var->datap()) + element * var->entSize();
        for (uint64_t i = bit; apply && i < bit + bits; ++i) bytes[i / 8] ^= 1 << i % 8;
    }

    // The bytes of all public signals: the machine's state.
    std::vector<uint8_t> state() const {
        std::vector<uint8_t> bytes;
        for (const auto& scope : *context_->scopeNameMap()) {
            const VerilatedVarNameMap* signals = scope.second->varsp();
            if (signals == nullptr) continue;
            for (const auto& signal : *signals) {
                const VerilatedVar& var = signal.second;
                if (!var.isPublicRW()) continue;
                const uint8_t* data = static_cast<const uint8_t*>(var.datap());
                bytes.insert(bytes.end(), data, data + var.totalSize());
            }
        }
        return bytes;
    }
#endif
    const LastIssue& last_issue() const { return last_issue_; }
    const WarpPlace& place(const LastIssue& issue) const { return warps_[issue.sm][issue.warp & 31]; }

    void dump_memory(const std::string& path) const {
        std::FILE* file = std::fopen(path.c_str(), "w");
        if (file == nullptr) fail(path + ": cannot be written: " + std::strerror(errno));
        bool written = true;
        const uint64_t bytes = job_.dump_bytes == 0 ? job_.memory_bytes : job_.dump_bytes;
        for (uint64_t i = 0; i < bytes / 4; ++i)
            written &= std::fprintf(file, "%08" PRIx32 "\n", memory_[i]) > 0;
        written &= std::fclose(file) == 0;
        if (!written) fail(path + ": cannot be written: " + std::strerror(errno));
    }

  private:
    struct Answer {
        uint64_t cycle;
        Words words;
    };

    uint32_t transfer(uint32_t address, bool write, uint32_t data) {
        strobe_ = true;
        write_ = write;
        address_ = address;
        data_ = data;
        for (uint32_t i = 0; i < BUS_TIMEOUT; ++i) {
            const HostSample sample = step();
            if (sample.error)
                fail(std::string("the host bus refused the ") + (write ? "write to " : "read of ") + hex(address));
            if (sample.acknowledge) {
                strobe_ = write_ = false;
                address_ = data_ = 0;
                return sample.data;
            }
        }
        fail("the host bus did not answer at " + hex(address) + " within " + std::to_string(BUS_TIMEOUT) + " cycles");
    }

    void serve() {
        const uint64_t first = top_->memory_request_address / 4;
        if (first % LANES != 0 || first + LANES > memory_.size())
            fail("cycle " + std::to_string(cycle_) + ": a request to global memory at " +
                 hex(top_->memory_request_address) + ", which does not exist or is not a multiple of " +
                 std::to_string(LANES * 4));
        uint32_t* line = &memory_[first];
        if (top_->memory_request_write) {
#define STORE(lane, data, enable) store(line[lane], top_->data##_##lane, top_->enable##_##lane);
            EACH_LANE(STORE, memory_request_data, memory_request_enable)
#undef STORE
        } else {
            Answer answer;
            answer.cycle = cycle_ + job_.memory_latency;
            for (unsigned lane = 0; lane < LANES; ++lane) answer.words[lane] = line[lane];
            answers_.push_back(answer);
        }
    }

    static void store(uint32_t& word, uint32_t data, unsigned enable) {
        uint32_t mask = 0;
        for (unsigned byte = 0; byte < 4; ++byte)
            if (enable >> byte & 1) mask |= UINT32_C(0xff) << (8 * byte);
        word = (word & ~mask) | (data & mask);
    }

    void trace(uint32_t sm, const TracePorts& ports) {
        if (*ports.launch_valid) warps_[sm][*ports.launch_warp & 31] = {*ports.launch_block, *ports.launch_index};
        if (*ports.issue_valid) last_issue_ = {true, sm, *ports.issue_pc, *ports.issue_warp};
        if (!events_.is_open()) return;

        const uint64_t cycle = started_ ? cycle_ - start_ : 0;
#define BEGIN(letter, valid)                                                                                           \
    if (*ports.valid) {                                                                                                \
        events_.begin(letter, cycle);                                                                                  \
        events_.field(sm);
#define FIELD(port) events_.field(*ports.port);
#define ARRAY(port) for (const auto* value : ports.port) events_.field(*value);
#define END                                                                                                            \
        events_.end();                                                                                                 \
    }
        FLEXGRIP_TRACE_EVENTS(BEGIN, FIELD, ARRAY, END)
#undef BEGIN
#undef FIELD
#undef ARRAY
#undef END
    }

    // Waves begin with the first cycle after the acknowledge. `within` is the time since the start of the cycle.
    void dump(uint64_t within) {
#if VM_TRACE
        const uint64_t cycle = cycle_ - start_;
        if (wave_ && started_ && cycle >= waves_.from && cycle <= waves_.to) wave_->dump(cycle * PERIOD + within);
#else
        (void)within;
#endif
    }

    const Job& job_;
    EventStream& events_;
    std::unique_ptr<VerilatedContext> context_;
    std::unique_ptr<Vgpgpu> top_;
#if VM_TRACE
    std::unique_ptr<WaveWriter> wave_;
    Waves waves_;
#endif
    std::vector<uint32_t> memory_;
    std::deque<Answer> answers_;
    bool strobe_ = false;
    bool write_ = false;
    uint32_t address_ = 0;
    uint32_t data_ = 0;
    uint64_t cycle_ = 0;
    uint64_t start_ = 0;
    bool started_ = false;
    LastIssue last_issue_;
    std::array<std::array<WarpPlace, 32>, SMS> warps_{};
    std::array<TracePorts, SMS> ports_{};
};

// Reads the registers that a host reads after a run, in this order, and writes each as `NAME VALUE`, after `before`.
void read_registers(Bench& bench, std::ostringstream& result, const char* before) {
    for (const char* name : RESULT_REGISTERS) result << before << name << ' ' << bench.read(register_address(name));
    for (uint32_t sm = 0; sm < SMS; ++sm) {
        for (const flexgrip_register& counter : FLEXGRIP_SM_COUNTERS) {
            const uint32_t address = FLEXGRIP_COUNTER_BASE + sm * FLEXGRIP_COUNTER_STRIDE + counter.address;
            const uint64_t low = bench.read(address);
            const uint64_t high = bench.read(address + 4);
            result << before << "SM" << sm << '_' << counter.name << ' ' << (high << 32 | low);
        }
    }
}

}  // namespace

#if FLEXGRIP_FAULTS
#include "faults.h"
#endif

namespace {

// --- The command line ------------------------------------------------------------------------------------------------

struct Arguments {
    std::string job, events, memory, faults, result = "-";
    uint64_t jobs = 1;
    Waves waves;
};

const char USAGE[] =
    "usage: harness --job FILE [--result FILE] [--memory FILE] [--events FILE]\n"
    "               [--wave FILE [--wave-from CYCLE] [--wave-to CYCLE] [--wave-scope SCOPE]...]\n"
    "       harness --job FILE --faults FILE [--jobs N] [--result FILE]\n"
    "\n"
    "  --job FILE      what to load and run\n"
    "  --result FILE   status, counters and error registers as `KEY VALUE` lines; - is standard output, the default\n"
    "  --memory FILE   global memory after the run, one 32-bit word a line\n"
    "  --events FILE   the trace events of every cycle; - is standard output\n"
    "  --wave FILE     waves, as VCD from a harness built with --trace, as FST from one built with --trace-fst\n"
    "  --wave-from CYCLE, --wave-to CYCLE   the first and the last cycle of the waves, numbered as in the events\n"
    "  --wave-scope SCOPE   a module or signal to show, such as gpgpu.sm_0.fetch, with everything in it; all if left out\n"
    "  --faults FILE   runs with flipped bits, one `ID CYCLE SCOPE NAME ELEMENT BIT BITS` a line; the result has a line each\n"
    "  --jobs N        so many of these at once; 1 if left out\n"
    "\n"
    "Exit code 0: the machine ran, however the kernel ended (see STATUS in the result); 1: it did not; 2: wrong usage.\n";

// A decimal number of up to 64 bits; false if it is not one.
bool parse_cycle(const std::string& text, uint64_t& cycle) {
    if (text.empty() || text.size() > 20 || text.find_first_not_of("0123456789") != std::string::npos) return false;
    errno = 0;
    cycle = std::strtoull(text.c_str(), nullptr, 10);
    return errno == 0;
}

bool parse(int argc, char** argv, Arguments& arguments) {
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string option = argv[i];
        if (option == "--wave-scope") {
            arguments.waves.scopes.push_back(argv[i + 1]);
            continue;
        }
        if (option == "--wave-from" || option == "--wave-to") {
            uint64_t& cycle = option == "--wave-from" ? arguments.waves.from : arguments.waves.to;
            if (!parse_cycle(argv[i + 1], cycle)) return false;
            continue;
        }
        if (option == "--jobs") {
            if (!parse_cycle(argv[i + 1], arguments.jobs) || arguments.jobs == 0) return false;
            continue;
        }
        std::string* value = option == "--job"      ? &arguments.job
                             : option == "--faults" ? &arguments.faults
                             : option == "--events" ? &arguments.events
                             : option == "--memory" ? &arguments.memory
                             : option == "--result" ? &arguments.result
                             : option == "--wave"   ? &arguments.waves.path
                                                    : nullptr;
        if (value == nullptr) return false;
        *value = argv[i + 1];
    }
    const bool clash = arguments.events == "-" && arguments.result == "-";
    // Waves begin with cycle 1.
    const Waves& waves = arguments.waves;
    if (waves.to < waves.from || waves.to == 0) {
        std::fprintf(stderr, "harness: found cycles %llu to %llu; expected a range of cycles from 1 on\n",
                     static_cast<unsigned long long>(waves.from), static_cast<unsigned long long>(waves.to));
        return false;
    }
    return argc % 2 == 1 && !arguments.job.empty() && !clash;
}

// Loads the kernel.
void load(Bench& bench, const Job& job) {
    const uint32_t id = bench.read(register_address("ID"));
    if (id != FLEXGRIP_ID_VALUE) fail("the ID register holds " + hex(id) + "; expected " + hex(FLEXGRIP_ID_VALUE));
    for (const BusWrite& write : job.writes) bench.write(write.address, write.data);
}

// Runs the kernel with faults, each in a separate run.
void run_faults(const Arguments& arguments, const Job& job) {
#if FLEXGRIP_FAULTS
    const std::vector<Flip> flips = read_flips(arguments.faults);
    EventStream no_events;
    Bench bench(job, no_events);
    load(bench, job);
    std::FILE* result = arguments.result == "-" ? stdout : std::fopen(arguments.result.c_str(), "a");
    if (result == nullptr) fail(arguments.result + ": cannot be written: " + std::strerror(errno));
    FaultRuns(bench, job).run(flips, arguments.jobs, fileno(result));
    if (result != stdout) std::fclose(result);
#else
    (void)job;
    fail(arguments.faults + ": this harness was built without -DFLEXGRIP_FAULTS, so it cannot inject faults");
#endif
}

void run(const Arguments& arguments) {
    const Job job = read_job(arguments.job);
    if (!arguments.faults.empty()) return run_faults(arguments, job);
    EventStream events;
    if (!arguments.events.empty()) events.open(arguments.events);
    Bench bench(job, events);
    if (!arguments.waves.path.empty()) bench.open_wave(arguments.waves);
    load(bench, job);

    const auto clock = std::chrono::steady_clock::now();
    bench.start();
    const bool done = bench.wait(job.max_cycles);
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - clock;

    std::ostringstream result;
    result << "ending " << (done ? "done" : "endless");
    read_registers(bench, result, "\n");
    result << '\n';
    if (bench.last_issue().any) {
        const LastIssue& last = bench.last_issue();
        const WarpPlace& place = bench.place(last);
        result << "last_issue_pc " << last.pc << "\nlast_issue_sm " << last.sm << "\nlast_issue_slot " << last.warp
               << "\nlast_issue_block " << place.block << "\nlast_issue_warp " << place.index << '\n';
    }
    result << "run_nanoseconds " << std::chrono::duration_cast<std::chrono::nanoseconds>(wall).count() << '\n';
    result << "total_cycles " << bench.cycle() << '\n';
    events.flush();
    if (!arguments.memory.empty()) bench.dump_memory(arguments.memory);
    if (arguments.result == "-") {
        std::fputs(result.str().c_str(), stdout);
    } else {
        std::ofstream file(arguments.result);
        file << result.str();
        file.close();
        if (!file) fail(arguments.result + ": cannot be written: " + std::strerror(errno));
    }
}

}  // namespace

int main(int argc, char** argv) {
    Arguments arguments;
    if (!parse(argc, argv, arguments)) {
        std::fputs(USAGE, stderr);
        return 2;
    }
    try {
        run(arguments);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "harness: %s\n", error.what());
        return 1;
    }
    return 0;
}
