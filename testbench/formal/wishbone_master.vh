    // Properties of wishbone_master; see README.md.

    // A reset lasts until the bridge is at rest.
    reg was_discard = 1'b0;
    always @(posedge clock) was_discard <= discard;
    always @* assume (!was_discard || discard || !busy);

    // Accesses on the bus without an answer. The slave answers only what was asked.
    reg [7:0] accesses = 8'd0;
    wire asks = wbm_cyc_o && wbm_stb_o && !wbm_stall_i;
    wire answers = wbm_ack_i || wbm_err_i;
    always @(posedge clock) accesses <= discard ? 8'd0 : accesses + {7'd0, asks} - {7'd0, answers};
    always @* assume (discard || !answers || asks || (accesses != 8'd0));

    // STB and what goes with it stay until the slave takes them.
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

    // The queue of awaited words never over- or underflows, and holds one place for each access.
    always @* assert (due_q <= 7'd64);
    always @* assert ((tail_q - head_q) == due_q[5:0]);
    always @* assert (discard || ({1'b0, due_q} == accesses));
    always @* assert (!was_discard || discard || (due_q == 7'd0));

    // Words are left of a held request only.
    always @* assert ((left_q == 32'd0) || held_q);
    always @* assert (left_q[31:8] == 24'd0);

`ifdef BOUNDED
    // One response to each read, none without one.
    reg [7:0] reads = 8'd0;
    wire read_begins = request_valid && request_ready && !request_write;
    always @(posedge clock) reads <= reads + {7'd0, read_begins} - {7'd0, response_valid};
    always @* assert (!response_valid || (reads != 8'd0));
    always @* assert (busy || (reads == 8'd0));
`endif
