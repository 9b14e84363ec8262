    // Properties of axi4_master; see README.md.

    // Two submodules store the lines in flight.
    wire [7:0] writes_q; // writes.occupied_q
    wire [2:0] write_tail_q; // writes.next_q
    wire [2:0] write_head_q; // writes.oldest_q
    wire [31:0] write_lines_0_q; // writes.lines_0_q
    wire [31:0] write_lines_1_q; // writes.lines_1_q
    wire [31:0] write_lines_2_q; // writes.lines_2_q
    wire [31:0] write_lines_3_q; // writes.lines_3_q
    wire [31:0] write_lines_4_q; // writes.lines_4_q
    wire [31:0] write_lines_5_q; // writes.lines_5_q
    wire [31:0] write_lines_6_q; // writes.lines_6_q
    wire [31:0] write_lines_7_q; // writes.lines_7_q
    wire [7:0] reads_q; // reads.occupied_q
    wire [2:0] read_tail_q; // reads.next_q
    wire [2:0] read_head_q; // reads.oldest_q
    wire [31:0] read_lines_0_q; // reads.lines_0_q
    wire [31:0] read_lines_1_q; // reads.lines_1_q
    wire [31:0] read_lines_2_q; // reads.lines_2_q
    wire [31:0] read_lines_3_q; // reads.lines_3_q
    wire [31:0] read_lines_4_q; // reads.lines_4_q
    wire [31:0] read_lines_5_q; // reads.lines_5_q
    wire [31:0] read_lines_6_q; // reads.lines_6_q
    wire [31:0] read_lines_7_q; // reads.lines_7_q

    // A reset lasts until the bridge is at rest.
    reg was_discard = 1'b0;
    always @(posedge clock) was_discard <= discard;
    always @* assume (!was_discard || discard || !busy);

    // Addresses of 16 lines, which keeps the proof short: the bridge only compares a line's address and puts it on the
    // bus.
    always @* assume (!memory_request_valid || ((memory_request_address[31:9] == 23'd0) && (memory_request_address[4:0] == 5'd0)));
    wire [31:0] lines_held = address_q | write_lines_0_q | write_lines_1_q | write_lines_2_q | write_lines_3_q
        | write_lines_4_q | write_lines_5_q | write_lines_6_q | write_lines_7_q | read_lines_0_q | read_lines_1_q
        | read_lines_2_q | read_lines_3_q | read_lines_4_q | read_lines_5_q | read_lines_6_q | read_lines_7_q;
    always @* assert ((lines_held[31:9] == 23'd0) && (lines_held[4:0] == 5'd0));

    // VALID and its payload are held until READY.
    reg aw_waits = 1'b0;
    reg [44:0] aw_was = 45'd0;
    reg w_waits = 1'b0;
    reg [36:0] w_was = 37'd0;
    reg ar_waits = 1'b0;
    reg [44:0] ar_was = 45'd0;
    always @(posedge clock) begin
        aw_waits <= m_axi_awvalid && !m_axi_awready;
        aw_was <= {m_axi_awaddr, m_axi_awlen, m_axi_awlock, m_axi_awcache};
        w_waits <= m_axi_wvalid && !m_axi_wready;
        w_was <= {m_axi_wdata, m_axi_wstrb, m_axi_wlast};
        ar_waits <= m_axi_arvalid && !m_axi_arready;
        ar_was <= {m_axi_araddr, m_axi_arlen, m_axi_arlock, m_axi_arcache};
    end
    always @* assert (!aw_waits || discard
        || (m_axi_awvalid && (aw_was == {m_axi_awaddr, m_axi_awlen, m_axi_awlock, m_axi_awcache})));
    always @* assert (!w_waits || discard || (m_axi_wvalid && (w_was == {m_axi_wdata, m_axi_wstrb, m_axi_wlast})));
    always @* assert (!ar_waits || discard
        || (m_axi_arvalid && (ar_was == {m_axi_araddr, m_axi_arlen, m_axi_arlock, m_axi_arcache})));
    always @* assert (!discard || !(m_axi_awvalid || m_axi_wvalid || m_axi_arvalid));

    // The rings never over- or underflow: starting at the head, one place is occupied for each unanswered burst.
    // The slave answers only pending bursts; the bridge counts the last R of a burst.
    reg [3:0] write_count = 4'd0;
    reg [3:0] read_count = 4'd0;
    wire b_taken = discard ? (write_count != 4'd0) : (m_axi_bvalid && m_axi_bready);
    wire r_ends = discard ? (read_count != 4'd0) : read_done;
    always @(posedge clock) begin
        write_count <= write_count + {3'd0, write_done} - {3'd0, b_taken};
        read_count <= read_count + {3'd0, read_taken} - {3'd0, r_ends};
    end
    always @* assume (discard || !m_axi_bvalid || (write_count != 4'd0));
    always @* assume (discard || !m_axi_rvalid || (read_count != 4'd0));
    always @* assert (write_count <= 4'd8);
    always @* assert (read_count <= 4'd8);
    genvar ring_place;
    generate for (ring_place = 0; ring_place < 8; ring_place = ring_place + 1) begin : ring
        // The distance from the head.
        wire [2:0] write_distance = ring_place - write_head_q;
        wire [2:0] read_distance = ring_place - read_head_q;
        always @* assert (writes_q[ring_place] == ({1'b0, write_distance} < write_count));
        always @* assert (reads_q[ring_place] == ({1'b0, read_distance} < read_count));
    end endgenerate
    always @* assert (write_tail_q == write_head_q + write_count[2:0]);
    always @* assert (read_tail_q == read_head_q + read_count[2:0]);

    // No read of a line that is being written, no write of one that is being read: for any line, in any place.
    (* anyconst *) reg [2:0] place_of_interest;
    (* anyconst *) reg [31:0] line;
    reg line_written = 1'b0;
    reg line_read = 1'b0;
    always @(posedge clock) begin
        if (b_taken && (write_head_q == place_of_interest)) line_written <= 1'b0;
        if (write_done && (write_tail_q == place_of_interest)) line_written <= address_q == line;
        if (r_ends && (read_head_q == place_of_interest)) line_read <= 1'b0;
        if (read_taken && (read_tail_q == place_of_interest)) line_read <= address_q == line;
    end
    wire [31:0] write_lines_of_interest = place_of_interest[2]
        ? (place_of_interest[1] ? (place_of_interest[0] ? write_lines_7_q : write_lines_6_q)
                                : (place_of_interest[0] ? write_lines_5_q : write_lines_4_q))
        : (place_of_interest[1] ? (place_of_interest[0] ? write_lines_3_q : write_lines_2_q)
                                : (place_of_interest[0] ? write_lines_1_q : write_lines_0_q));
    wire [31:0] read_lines_of_interest = place_of_interest[2]
        ? (place_of_interest[1] ? (place_of_interest[0] ? read_lines_7_q : read_lines_6_q)
                                : (place_of_interest[0] ? read_lines_5_q : read_lines_4_q))
        : (place_of_interest[1] ? (place_of_interest[0] ? read_lines_3_q : read_lines_2_q)
                                : (place_of_interest[0] ? read_lines_1_q : read_lines_0_q));
    wire write_taken_there = writes_q[place_of_interest];
    wire read_taken_there = reads_q[place_of_interest];
    always @* assert (line_written == (write_taken_there && (write_lines_of_interest == line)));
    always @* assert (line_read == (read_taken_there && (read_lines_of_interest == line)));
    always @* assert (!line_written || !m_axi_arvalid || (address_q != line));
    always @* assert (!line_read || !(m_axi_awvalid || m_axi_wvalid) || (address_q != line));

    // A write that has begun is the held request.
    always @* assert (!(address_sent_q && data_sent_q && held_q));
    always @* assert (!held_q || empty_q || (first_q <= last_q));
    always @* assert (!held_q || empty_q || data_sent_q || ((word_q >= first_q) && (word_q <= last_q)));

    // One response per read, and none without a read: unanswered reads are held, on the bus, or answered now.
    reg [7:0] read_requests = 8'd0;
    wire read_begins = memory_request_valid && memory_request_ready && !memory_request_write;
    always @(posedge clock) read_requests <= read_requests + {7'd0, read_begins} - {7'd0, memory_response_valid};
    always @* assert (read_requests == {7'd0, held_q && !write_q} + {4'd0, read_count} + {7'd0, memory_response_valid});
    always @* assert (busy || (read_requests == 8'd0));
