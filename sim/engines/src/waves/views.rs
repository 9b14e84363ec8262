//! The contents of the save files for GTKWave: groups of signals, by stage of the pipeline, and for other views.

/// A save file.
#[derive(Debug)]
pub struct View {
    /// The part of the file name between the waveform's name and `.gtkw`; empty for the main one.
    pub name: &'static str,
    /// The contents in a few words.
    pub about: &'static str,
    pub(super) groups: &'static [Group],
}

impl View {
    /// The titles of the groups.
    pub fn titles(&self) -> impl Iterator<Item = &'static str> {
        self.groups.iter().map(|group| group.title)
    }
}

/// A group: its title, the end of its scope's path, and its signals in order. A signal has its name in `hdl/src` and is
/// shown with all fields; an entry may also be a field of a bundle (`s4.warp`) or a prefix (`s_*`).
#[derive(Debug)]
pub(super) struct Group {
    pub(super) title: &'static str,
    pub(super) scope: &'static str,
    pub(super) signals: &'static [&'static str],
}

/// All save files.
pub const VIEWS: &[View] = &[
    View {
        name: "",
        about: "a group for each stage of the pipeline",
        groups: STAGES,
    },
    View {
        name: "scheduler",
        about: "which warps may issue, which wait, and for what",
        groups: SCHEDULER,
    },
    View {
        name: "memory",
        about: "global, local, shared and constant memory: accesses, requests, answers",
        groups: MEMORY,
    },
];

/// Signals that hold one instruction.
pub(super) const WORDS_OF_CODE: [&str; 6] = [
    "s1_word",
    "s2.word",
    "s3.word",
    "s4.word",
    "s_issued_word",
    "issue_word",
];

/// The stages, in pipeline order.
const STAGES: &[Group] = &[
    Group {
        title: "host",
        scope: "host_interface",
        signals: &["host.*", "grid.*", "load", "interrupt*"],
    },
    Group {
        title: "block scheduler",
        scope: "block_scheduler",
        signals: &["grid.*", "sm[0].*", "launching", "offer"],
    },
    Group {
        title: "fetch",
        scope: "sm[0].fetch",
        signals: &["f_*", "f0*", "f1*", "instruction.*", "heads.*"],
    },
    Group {
        title: "warp scheduler and decode",
        scope: "sm[0].scheduler",
        signals: &["s_*", "s0*", "s1*", "s2*", "s3*", "s4*", "warps"],
    },
    Group {
        title: "scoreboard",
        scope: "sm[0].scheduler.scoreboard",
        signals: &["s_*", "pending", "w_release"],
    },
    Group {
        title: "read",
        scope: "sm[0].read",
        signals: &["r_*", "r0*", "r1*"],
    },
    Group {
        title: "operand collector",
        scope: "sm[0].collector",
        signals: &["c_*", "collect.*", "collected.*", "a0*", "a1*", "banks.*"],
    },
    Group {
        title: "execute",
        scope: "sm[0].execute",
        signals: &[
            "x.*",
            "x1_*",
            "x2*",
            "x3*",
            "x4*",
            "x5*",
            "x6*",
            "x7*",
            "w*",
            "pipeline.*",
        ],
    },
    Group {
        title: "float units",
        scope: "sm[0].execute.floats",
        signals: &["x_*", "x2*", "x3*", "x4*", "x5*", "x6*", "x7*", "w_*"],
    },
    Group {
        title: "special function units",
        scope: "sm[0].special_functions",
        signals: &[
            "x_*",
            "queued*",
            "run*",
            "pair*",
            "under_way*",
            "done*",
            "finished*",
            "out*",
            "specials.*",
        ],
    },
    Group {
        title: "branch unit",
        scope: "sm[0].branch",
        signals: &["b_*", "popping*", "resolved*"],
    },
    Group {
        title: "barrier unit",
        scope: "sm[0].barriers",
        signals: &["bar_*"],
    },
    Group {
        title: "global memory unit",
        scope: "sm[0].memory_unit",
        signals: &["m_*", "m.*", "m1*", "m2*", "m3*", "loads.*", "memory.*"],
    },
    Group {
        title: "writeback",
        scope: "sm[0].writeback",
        signals: &["pipeline.*", "init_*", "specials.*", "loads.*", "write.*", "w_*"],
    },
];

/// Ready warps, waiting warps, and the reasons why no instruction issues.
const SCHEDULER: &[Group] = &[
    Group {
        title: "issued",
        scope: "sm[0].trace",
        signals: &["issue_valid", "issue_warp", "issue_pc", "issue_word", "issue_tag"],
    },
    Group {
        title: "why none issued",
        scope: "sm[0].scheduler",
        signals: &["s_cause", "s_stop", "s_idle"],
    },
    Group {
        title: "warps",
        scope: "sm[0].scheduler",
        signals: &[
            "warps.alive",
            "warps.waiting",
            "warps.at_barrier",
            "heads.available",
            "collect.held",
            "warps.taken",
            "s0_ready",
        ],
    },
    Group {
        title: "s1, the word",
        scope: "sm[0].scheduler",
        signals: &["s1", "s1_pc", "s1_word", "s1_moves", "s1_waits"],
    },
    Group {
        title: "s2, decode",
        scope: "sm[0].scheduler",
        signals: &["s2", "s2_moves"],
    },
    Group {
        title: "s3, scoreboard lookup",
        scope: "sm[0].scheduler",
        signals: &["s3.valid", "s3.warp", "s3.pc", "s3.word", "s3_moves", "s3_asks"],
    },
    Group {
        title: "s4, the candidate",
        scope: "sm[0].scheduler",
        signals: &[
            "s4.valid",
            "s4.warp",
            "s4.pc",
            "tag",
            "s_issued_word",
            "s4.decoded.unit",
            "s4.decoded.control",
            "s4_may",
            "s4_path",
            "s4_issue",
            "s4_stays",
            "s4.bad",
            "s4.outside",
            "s4.misaligned",
            "s4_collector",
        ],
    },
    Group {
        title: "what the candidate needs",
        scope: "sm[0].scheduler",
        signals: &[
            "r_slot",
            "s_hold",
            "port_busy",
            "memory_credits",
            "special_credits",
            "control_pending",
            "bar_busy",
            "collect.slot",
            "collect.room",
            "collect.storing",
            "collect.incrementing",
            "c_injects",
            "c_injected",
            "address_writes",
        ],
    },
    Group {
        title: "scoreboard",
        scope: "sm[0].scheduler.scoreboard",
        signals: &["s_query.valid", "s_query.warp", "pending", "s_answer", "s_issue"],
    },
    Group {
        title: "scoreboard, released",
        scope: "sm[0].scheduler.scoreboard",
        signals: &["w_release"],
    },
    Group {
        title: "branch unit",
        scope: "sm[0].scheduler",
        signals: &["b_resolved"],
    },
    Group {
        title: "barriers",
        scope: "sm[0].scheduler",
        signals: &["bar_release"],
    },
    Group {
        title: "warps launched",
        scope: "sm[0].scheduler",
        signals: &["begins.valid", "begins.launch.warp"],
    },
];

/// Memory accesses in flight, by stage.
const MEMORY: &[Group] = &[
    Group {
        title: "accesses",
        scope: "sm[0].trace",
        signals: &[
            "memory_valid",
            "memory_tag",
            "memory_beat",
            "memory_store",
            "memory_local",
            "memory_size",
            "memory_lanes",
            "memory_address_*",
        ],
    },
    Group {
        title: "queue of beats",
        scope: "sm[0].memory_unit",
        signals: &["m.enqueue", "m.lanes", "beats", "m_dequeued", "m_idle"],
    },
    Group {
        title: "coalescer",
        scope: "sm[0].memory_unit",
        signals: &["m2", "m2_address*", "segment", "served", "complete"],
    },
    Group {
        title: "requests in flight",
        scope: "sm[0].memory_unit",
        signals: &["done", "m3", "m4"],
    },
    Group {
        title: "memory port of the SM",
        scope: "sm[0].memory",
        signals: &[
            "request_valid",
            "request_ready",
            "request_write",
            "request_address",
            "request_enable_*",
            "request_data_*",
            "response_valid",
            "response_data_*",
        ],
    },
    Group {
        title: "loads",
        scope: "sm[0].memory_unit",
        signals: &[
            "awaited",
            "record_queue",
            "response_queue",
            "loaded",
            "loads.valid",
            "loads.ready",
            "loads.lanes",
            "loads.data_*",
        ],
    },
    Group {
        title: "errors",
        scope: "sm[0].memory_unit",
        signals: &["m_error"],
    },
    Group {
        title: "memory port of the chip",
        scope: "port_arbiter",
        signals: &[
            "request_valid*",
            "request_ready*",
            "request_write*",
            "chosen_sm",
            "response_valid*",
        ],
    },
    Group {
        title: "shared, a word for all threads",
        scope: "sm[0].shared_memory",
        signals: &["uniform.*"],
    },
    Group {
        title: "shared, a word for each thread",
        scope: "sm[0].shared_memory.banks",
        signals: &["enable", "store", "access_*", "word_*"],
    },
    Group {
        title: "shared, bank conflicts",
        scope: "sm[0].collector",
        signals: &["c_conflict"],
    },
    Group {
        title: "shared, set up for a block",
        scope: "sm[0].shared_memory",
        signals: &["init"],
    },
    Group {
        title: "constant memory",
        scope: "sm[0].constant_memory",
        signals: &["read_enable", "read_address", "read_word"],
    },
];
