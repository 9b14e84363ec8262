// Flips of bits in the machine's registers and memories, through the signals that Verilator has made public. A part of
// harness.cpp, if that is compiled with -DFLEXGRIP_FAULTS; README.md says how to build and use it.
//
// The host loads the kernel once. Each run, with or without a fault, is a separate process, forked in the cycle of its
// fault, so nothing is loaded or simulated twice.

#include <algorithm>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

// `bits` neighbouring bits from `bit` up, of one element of a register or memory (0 of a register), after the clock edge
// that begins the cycle.
struct Flip {
    std::string id;
    uint64_t cycle;
    std::string scope;
    std::string name;
    uint64_t element;
    uint64_t bit;
    uint64_t bits;
};

// Reads one flip per line, with its values in the order of the fields.
std::vector<Flip> read_flips(const std::string& path) {
    std::ifstream file(path);
    if (!file) fail(path + ": cannot be read: " + std::strerror(errno));
    std::vector<Flip> flips;
    std::string line;
    for (unsigned number = 1; std::getline(file, line); ++number) {
        const std::string place = path + ":" + std::to_string(number);
        const auto words = fields(line);
        if (words.empty()) continue;
        if (words.size() != 7) fail(place + ": expected ID CYCLE SCOPE NAME ELEMENT BIT BITS");
        const auto value = [&](size_t index) { return parse_decimal(words[index], place); };
        flips.push_back({words[0], value(1), words[2], words[3], value(4), value(5), value(6)});
    }
    const auto earlier = [](const Flip& a, const Flip& b) { return a.cycle < b.cycle; };
    std::stable_sort(flips.begin(), flips.end(), earlier);
    return flips;
}

// The final state of the run without a fault. It is in shared memory, where the processes of faulty runs compare with it.
struct GoldenRun {
    bool complete;
    uint64_t cycles;
    // The words of global memory and the bytes of all public signals follow in memory.
};

class FaultRuns {
  public:
    FaultRuns(Bench& bench, const Job& job) : bench_(bench), job_(job) {
        words_ = job.dump_bytes == 0 ? job.memory_bytes / 4 : job.dump_bytes / 4;
        state_bytes_ = bench.state().size();
        size_ = sizeof(GoldenRun) + 4 * words_ + state_bytes_;
        void* shared = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (shared == MAP_FAILED) fail(std::string("no memory for the run without a fault: ") + std::strerror(errno));
        golden_ = static_cast<GoldenRun*>(shared);
    }

    ~FaultRuns() { munmap(golden_, size_); }

    // Simulates all flips, and writes a result line for each, in the order of completion.
    void run(const std::vector<Flip>& flips, uint64_t jobs, int result) {
        for (const Flip& flip : flips) bench_.flip(flip.scope, flip.name, flip.element, flip.bit, flip.bits, false);
        bench_.start();
        begin([&] { return golden(); }, result);
        finish_one();
        if (!golden_->complete) fail("the run without a fault does not end within " + std::to_string(job_.max_cycles) + " cycles");
        for (const Flip& flip : flips) {
            if (flip.cycle == 0 || flip.cycle > golden_->cycles)
                fail("fault " + flip.id + ": cycle " + std::to_string(flip.cycle) + "; expected 1 to " +
                     std::to_string(golden_->cycles));
            while (bench_.trace_cycle() < flip.cycle) bench_.step();
            if (running_ >= jobs) finish_one();
            begin([&] { return faulty(flip); }, result);
        }
        while (running_ > 0) finish_one();
    }

  private:
    // Forks a process that writes the line returned by `work`.
    template <typename Work> void begin(Work work, int result) {
        const pid_t process = fork();
        if (process < 0) fail(std::string("cannot fork: ") + std::strerror(errno));
        ++running_;
        if (process > 0) return;
        int code = 0;
        try {
            const std::string line = work();
            // In a single write, because other processes also write to it.
            if (write(result, line.data(), line.size()) != static_cast<ssize_t>(line.size())) fail("a result cannot be written");
        } catch (const std::exception& error) {
            std::fprintf(stderr, "harness: %s\n", error.what());
            code = 1;
        }
        _exit(code);
    }

    void finish_one() {
        int status = 0;
        if (wait(&status) < 0) fail(std::string("cannot wait for a run: ") + std::strerror(errno));
        --running_;
        if (WIFSIGNALED(status)) fail("a run ended with signal " + std::to_string(WTERMSIG(status)));
        if (WEXITSTATUS(status) != 0) fail("a run failed");
    }

    uint32_t* golden_words() const { return reinterpret_cast<uint32_t*>(golden_ + 1); }
    uint8_t* golden_state() const { return reinterpret_cast<uint8_t*>(golden_words() + words_); }

    // Returns the result line of the run without a fault, and stores the final state for comparison with other runs.
    std::string golden() {
        golden_->complete = bench_.wait(job_.max_cycles);
        golden_->cycles = bench_.trace_cycle() - 1;
        std::ostringstream registers;
        read_registers(bench_, registers, " ");
        for (uint64_t i = 0; i < words_; ++i) golden_words()[i] = bench_.memory()[i];
        const std::vector<uint8_t> state = bench_.state();
        std::copy(state.begin(), state.end(), golden_state());
        std::ostringstream line;
        line << "golden done " << golden_->cycles << " 0 0 0" << registers.str() << '\n';
        return line.str();
    }

    // `ID endless` after the limit of cycles, `ID broken MESSAGE` if the machine breaks the rules of its ports, or `ID done`,
    // the cycles up to the interrupt, words and bits of global memory that differ from the run without a fault, 1 if a public
    // signal differs, and the registers of the result as names and values.
    std::string faulty(const Flip& flip) {
        std::ostringstream line;
        line << flip.id;
        try {
            bench_.flip(flip.scope, flip.name, flip.element, flip.bit, flip.bits, true);
            const bool done = bench_.wait(job_.max_cycles + 1 - bench_.trace_cycle());
            if (!done) return flip.id + " endless\n";
            const uint64_t cycles = bench_.trace_cycle() - 1;
            std::ostringstream registers;
            read_registers(bench_, registers, " ");
            uint64_t words = 0, bits = 0;
            for (uint64_t i = 0; i < words_; ++i) {
                const uint32_t differing = bench_.memory()[i] ^ golden_words()[i];
                words += differing != 0;
                bits += static_cast<uint64_t>(__builtin_popcount(differing));
            }
            const std::vector<uint8_t> state = bench_.state();
            const bool differs = !std::equal(state.begin(), state.end(), golden_state());
            line << " done " << cycles << ' ' << words << ' ' << bits << ' ' << differs << registers.str();
        } catch (const std::exception& error) {
            return flip.id + " broken " + error.what() + '\n';
        }
        line << '\n';
        return line.str();
    }

    Bench& bench_;
    const Job& job_;
    GoldenRun* golden_ = nullptr;
    uint64_t words_ = 0;
    size_t state_bytes_ = 0;
    size_t size_ = 0;
    uint64_t running_ = 0;
};

}  // namespace
