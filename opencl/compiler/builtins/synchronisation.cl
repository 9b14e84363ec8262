// Sections 6.11.8 to 6.11.10: barriers, fences, copies by a work-group, prefetch.
CONVERGENT void barrier(cl_mem_fence_flags flags) { __nvvm_bar_sync(0); }

// An SM executes a thread's accesses in order and has no cache for data: only the compiler must not reorder them.
INLINE void mem_fence(cl_mem_fence_flags flags) { __asm__ volatile("" ::: "memory"); }
INLINE void read_mem_fence(cl_mem_fence_flags flags) { __asm__ volatile("" ::: "memory"); }
INLINE void write_mem_fence(cl_mem_fence_flags flags) { __asm__ volatile("" ::: "memory"); }

LOCAL uint group_size(void) { return get_local_size(0) * get_local_size(1) * get_local_size(2); }
LOCAL uint index_in_group(void) {
    return (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);
}

// All work-items copy at once, each of them every group_size-th element. Waiting for the event ends the copy.
#define COPY(T)                                                                                                        \
    CONVERGENT event_t async_work_group_copy(local T *to, const global T *from, size_t count, event_t event) {         \
        for (uint i = index_in_group(); i < count; i += group_size()) to[i] = from[i];                                 \
        return event;                                                                                                  \
    }                                                                                                                  \
    CONVERGENT event_t async_work_group_copy(global T *to, const local T *from, size_t count, event_t event) {         \
        for (uint i = index_in_group(); i < count; i += group_size()) to[i] = from[i];                                 \
        return event;                                                                                                  \
    }                                                                                                                  \
    CONVERGENT event_t async_work_group_strided_copy(local T *to, const global T *from, size_t count, size_t stride,   \
                                                     event_t event) {                                                  \
        for (uint i = index_in_group(); i < count; i += group_size()) to[i] = from[i * stride];                        \
        return event;                                                                                                  \
    }                                                                                                                  \
    CONVERGENT event_t async_work_group_strided_copy(global T *to, const local T *from, size_t count, size_t stride,   \
                                                     event_t event) {                                                  \
        for (uint i = index_in_group(); i < count; i += group_size()) to[i * stride] = from[i];                        \
        return event;                                                                                                  \
    }                                                                                                                  \
    INLINE void prefetch(const global T *from, size_t count) {}
#define COPY_OF(N, T) COPY(T##N)
#define COPY_ALL(T) COPY(T) FOR_LENGTHS(COPY_OF, T)
FOR_TYPES(COPY_ALL)

CONVERGENT void wait_group_events(int count, event_t *events) { barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); }
