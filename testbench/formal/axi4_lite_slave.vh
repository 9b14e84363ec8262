    // Properties of axi4_lite_slave; see README.md.

    // The host bus answers only while an access is pending.
    always @* assume (host_strobe || !(host_acknowledge || host_error));

    // Answers are held until they are taken.
    reg b_waits = 1'b0;
    reg [1:0] b_was = 2'd0;
    reg r_waits = 1'b0;
    reg [33:0] r_was = 34'd0;
    always @(posedge clock) begin
        b_waits <= s_axi_bvalid && !s_axi_bready;
        b_was <= s_axi_bresp;
        r_waits <= s_axi_rvalid && !s_axi_rready;
        r_was <= {s_axi_rresp, s_axi_rdata};
    end
    always @* assert (!b_waits || reset || (s_axi_bvalid && (b_was == s_axi_bresp)));
    always @* assert (!r_waits || reset || (s_axi_rvalid && (r_was == {s_axi_rresp, s_axi_rdata})));

    // One answer per access, and none without an access: addresses and words that were taken and are not yet answered.
    reg [2:0] addresses = 3'd0;
    reg [2:0] words = 3'd0;
    reg [2:0] reads = 3'd0;
    wire b_taken = s_axi_bvalid && s_axi_bready;
    always @(posedge clock) begin
        addresses <= reset ? 3'd0 : addresses + {2'd0, s_axi_awvalid && s_axi_awready} - {2'd0, b_taken};
        words <= reset ? 3'd0 : words + {2'd0, s_axi_wvalid && s_axi_wready} - {2'd0, b_taken};
        reads <= reset ? 3'd0 : reads + {2'd0, s_axi_arvalid && s_axi_arready} - {2'd0, s_axi_rvalid && s_axi_rready};
    end
    always @* assert (!s_axi_bvalid || ((addresses != 3'd0) && (words != 3'd0)));
    always @* assert (!s_axi_rvalid || (reads != 3'd0));
    always @* assert (addresses == {2'd0, write_address_held_q} + {2'd0, write_answered_q});
    always @* assert (words == {2'd0, word_held_q} + {2'd0, write_answered_q});
    always @* assert (reads == {2'd0, read_address_held_q} + {2'd0, read_answered_q});

    // The host bus: STB and its payload are held until the answer; one held access at a time.
    reg host_waits = 1'b0;
    reg [64:0] host_was = 65'd0;
    always @(posedge clock) begin
        host_waits <= host_strobe && !host_acknowledge && !host_error && !reset;
        host_was <= {host_write, host_address, host_write ? host_write_data : 32'd0};
    end
    always @* assert (!host_waits || (host_strobe
        && (host_was == {host_write, host_address, host_write ? host_write_data : 32'd0})));
    always @* assert (host_strobe == host_cycle);
    always @* assert (!(reading_q && host_write));
    always @* assert (!host_write || (write_address_held_q && word_held_q && whole_q && !write_answered_q));
    always @* assert (!reading_q || (read_address_held_q && !read_answered_q));

    // During a reset nothing is offered or taken.
    always @* assert (!reset || !(s_axi_awready || s_axi_wready || s_axi_arready || s_axi_bvalid || s_axi_rvalid));
