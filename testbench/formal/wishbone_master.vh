    // Properties of wishbone_master; see README.md.

    // A reset lasts until the bridge is at rest.
    reg was_discard = 1'b0;
    always @(posedge clock) was_discard <= discard;
    always @* assume (!was_discard || discard || !busy);

    // Unanswered accesses on the bus. The slave answers only pending accesses.
    reg [7:0] accesses = 8'd0;
    wire asks = wbm_cyc_o && wbm_stb_o && !wbm_stall_i;
    wire answers = wbm_ack_i || wbm_err_i;
    always @(posedge clock) accesses <= discard ? 8'd0 : accesses + {7'd0, asks} - {7'd0, answers};
    always @* assume (discard || !answers || asks || (accesses != 8'd0));

    // STB and its payload are held until the slave takes them.
    reg stalled = 1'b0;
    reg [68:0] access = 69'd0;
    always @(posedge clock) begin
        stalled <= wbm_stb_o && wbm_stall_i;
        access <= {wbm_we_o, wbm_adr_o, wbm_sel_o, wbm_dat_o};
    end
    always @* assert (!stalled || discard || (wbm_stb_o && (access == {wbm_we_o, wbm_adr_o, wbm_sel_o, wbm_dat_o})));

    // CYC: with STB, and until the last answer; nothing while discarding.
    always @* assert (!wbm_stb_o || wbm_cyc_o);
    always @* assert (discard || (accesses == 8'd0) || wbm_cyc_o);
    always @* assert (!discard || !wbm_cyc_o);
`ifdef ATOMICS
    always @* assert (!memory_locked_0 || discard || wbm_cyc_o);
`endif

    // The queue of awaited words never over- or underflows, and holds one place per access.
    always @* assert (due_q <= 7'd64);
    always @* assert ((tail_q - head_q) == due_q[5:0]);
    always @* assert (discard || ({1'b0, due_q} == accesses));
    always @* assert (!was_discard || discard || (due_q == 7'd0));

    // Only a held request has words left.
    always @* assert ((left_q == 32'd0) || held_q);
    always @* assert (left_q[31:8] == 24'd0);

`ifdef CUT
    // The memory of the queue is cut out. It may return anything, except at one arbitrary place: there it returns the
    // word last written, as `memory.vh` proves.
    (* anyconst *) reg [5:0] place;
    reg [6:0] written = 7'd0;
    always @(posedge clock) if (taken && (tail_q == place)) written <= asked;
    always @* assume ((head_q != place) || (awaited_read_data == written));

    // An access takes a place in the queue, unless it is answered at once. While discarding, everything in the queue is
    // answered.
    wire at_once = asks && answers && (accesses == 8'd0);
    wire queued = asks && !at_once && (tail_q == place);
    wire answer = discard ? (due_q != 7'd0) : (answers && !at_once);
    wire answered_there = answer && (head_q == place);
    wire [5:0] distance = place - head_q;
    wire in_queue = {1'b0, distance} < due_q;

    // Number of words of the held request that the bus has not taken.
    wire [3:0] words_left = {3'd0, left_q[0]} + {3'd0, left_q[1]} + {3'd0, left_q[2]} + {3'd0, left_q[3]}
        + {3'd0, left_q[4]} + {3'd0, left_q[5]} + {3'd0, left_q[6]} + {3'd0, left_q[7]};
    wire last_of_read = asks && !wbm_we_o && (words_left == 4'd1);

    // No read is lost: an arbitrary read is followed from the port to the bus, to the place, if its last word goes there,
    // and to its response, in the cycle after the last word's answer.
    (* anyseq *) reg follow;
    wire begins = memory_request_valid && memory_request_ready && !memory_request_write;
    wire [3:0] words_asked = {3'd0, memory_request_enable_0 != 4'd0} + {3'd0, memory_request_enable_1 != 4'd0}
        + {3'd0, memory_request_enable_2 != 4'd0} + {3'd0, memory_request_enable_3 != 4'd0} + {3'd0, memory_request_enable_4 != 4'd0}
        + {3'd0, memory_request_enable_5 != 4'd0} + {3'd0, memory_request_enable_6 != 4'd0} + {3'd0, memory_request_enable_7 != 4'd0};
    reg followed_held = 1'b0;
    reg [3:0] followed_words = 4'd0;
    reg followed_queued = 1'b0;
    reg followed_told = 1'b0;
    wire followed_last = followed_held && asks && (followed_words == 4'd1);
    always @(posedge clock) begin
        followed_told <= 1'b0;
        if (followed_held) begin
            followed_words <= followed_words - {3'd0, asks};
            // Without words, or discarded, it needs no answer from the bus.
            if (skipped || followed_last) followed_held <= 1'b0;
            if (skipped || (followed_last && at_once)) followed_told <= 1'b1;
            if (followed_last && queued) followed_queued <= 1'b1;
        end else if (followed_queued) begin
            if (answered_there) begin
                followed_queued <= 1'b0;
                followed_told <= 1'b1;
            end
        end else if (begins && follow) begin
            followed_held <= 1'b1;
            followed_words <= words_asked;
        end
    end
    always @* assert (!(followed_held && followed_queued));
    always @* assert (!followed_held || (held_q && !wbm_we_o && (followed_words == words_left)));
    always @* assert (!followed_queued || (in_queue && written[5] && written[6]));
    always @* assert (!followed_told || memory_response_valid);

    // No response without a read: only for the last word of a read, or for a skipped one.
    reg owed = 1'b0;
    reg known = 1'b1;
    reg tells = 1'b0;
    always @(posedge clock) begin
        if (queued) owed <= last_of_read;
        known <= !answer || answered_there;
        tells <= answer ? owed : ((at_once && last_of_read) || (skipped && !wbm_we_o));
    end
    always @* assert (!in_queue || (owed == (written[5] && written[6])));
    always @* assert (!known || (memory_response_valid == tells));
    always @* assert (!skipped || (held_q && !last_taken));
`endif
    // `busy` covers all of these.
    always @* assert (busy || (!held_q && (due_q == 7'd0) && !memory_response_valid && !error));

`ifdef BOUNDED
    // One response per read, and none without a read.
    reg [7:0] reads = 8'd0;
    wire read_begins = memory_request_valid && memory_request_ready && !memory_request_write;
    always @(posedge clock) reads <= reads + {7'd0, read_begins} - {7'd0, memory_response_valid};
    always @* assert (!memory_response_valid || (reads != 8'd0));
    always @* assert (busy || (reads == 8'd0));
`endif
