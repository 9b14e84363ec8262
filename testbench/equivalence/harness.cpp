// Simulates two modules side by side. simulation.py replaces the names between @.
#include "Vpair.h"
#include "verilated.h"
#include <cstdint>
#include <cstdio>
#include <cstdlib>
struct Place { const char *name; unsigned low, width; };
static const Place inputs[] = {@INPUTS@ {nullptr, 0, 0}}, outputs[] = {@OUTPUTS@ {nullptr, 0, 0}},
    groups[] = {@GROUPS@ {nullptr, 0, 0}};
static uint64_t state;
static uint32_t next_random() {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return uint32_t(state >> 32);
}
template <class V> static bool get(const V &v, unsigned i) { return v[i / 32] >> (i % 32) & 1; }
template <class V> static void print(const char *what, const Place &place, const V &v) {
    printf("    %s%s = %u'b", what, place.name, place.width);
    for (unsigned i = place.width; i-- > 0;) putchar('0' + get(v, place.low + i));
    putchar('\n');
}
int main(int count, char **arguments) {
    const uint64_t cycles = strtoull(arguments[1], nullptr, 10);
    state = strtoull(arguments[2], nullptr, 10) * 0x9e3779b97f4a7c15u + 0x2545f4914f6cdd1du;
    // Each group of bits is random, constant, all 0, all 1, rarely 1 or rarely 0, for some cycles at a time.
    static unsigned mode[sizeof groups / sizeof *groups], left[sizeof groups / sizeof *groups];
    static Vpair top;
    for (uint64_t cycle = 0; cycle < cycles; cycle++) {
        for (unsigned g = 0; groups[g].name; g++) {
            if (left[g]-- == 0) {
                mode[g] = next_random() % 6;
                left[g] = next_random() % (next_random() % 4 ? 16 : 200);
            }
            for (unsigned i = 0; i < groups[g].width && mode[g] != 1; i++) {
                static uint32_t bits;
                if (i % 32 == 0) {
                    bits = next_random();
                    if (mode[g] == 2) bits = 0;
                    if (mode[g] == 3) bits = ~0u;
                    if (mode[g] == 4) bits &= next_random() & next_random();
                    if (mode[g] == 5) bits |= next_random() | next_random();
                }
                const unsigned at = groups[g].low + i;
                const uint32_t one = 1u << (at % 32);
                top.stimulus[at / 32] = (top.stimulus[at / 32] & ~one) | (bits >> (i % 32) & 1 ? one : 0);
            }
        }
        top.clock = 0;
        top.eval();
        bool differs = false;
        for (unsigned i = 0; i < @WORDS@; i++) differs |= top.old_results[i] != top.new_results[i];
        if (differs) {
            printf("cycle %llu\n", (unsigned long long)cycle);
            for (const Place *p = outputs; p->name; p++) {
                bool same = true;
                for (unsigned i = 0; i < p->width; i++) same &= get(top.old_results, p->low + i) == get(top.new_results, p->low + i);
                if (!same) print("OLD ", *p, top.old_results), print("NEW ", *p, top.new_results);
            }
            for (const Place *p = inputs; p->name; p++) print("", *p, top.stimulus);
            return 1;
        }
        top.clock = 1;
        top.eval();
    }
    return 0;
}
