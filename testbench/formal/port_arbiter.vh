    // Properties of port_arbiter with two SMs; see README.md.

    // An SM holds its request until it is taken; no grid starts while a request waits or a response is due. An SM has at
    // most 16 reads in flight, and the memory answers only reads.
    reg [1:0] waited = 2'd0;
    reg [1:0] was_write = 2'd0;
    reg [5:0] reads = 6'd0;
    wire [1:0] valid = {request_valid_1, request_valid_0};
    wire [1:0] ready = {request_ready_1, request_ready_0};
    wire [1:0] writes = {request_write_1, request_write_0};
    wire read_taken = |(valid & ready & ~writes);
    always @(posedge clock) begin
        waited <= valid & ~ready;
        was_write <= writes;
        reads <= reads + {5'd0, read_taken} - {5'd0, memory_response_valid};
    end
    always @* assume ((waited & ~valid) == 2'd0);
    always @* assume ((waited & (was_write ^ writes)) == 2'd0);
    always @* assume (!clear || ((waited == 2'd0) && (valid == 2'd0) && (reads == 6'd0)));
    always @* assume (!memory_response_valid || (reads != 6'd0));
    always @* assume (!read_taken || (reads < 6'd32));

    // At most one request is at the port. It is a pending request, and leaves only when the memory accepts it.
    always @* assert ((chosen_sm & (chosen_sm - 8'd1)) == 8'd0);
    always @* assert ((chosen_sm & ~{6'd0, valid}) == 8'd0);
    always @* assert ((chosen_sm != 8'd0) == (valid != 2'd0));
    always @* assert ((valid & ready) == (memory_request_ready ? chosen_sm[1:0] : 2'd0));

    // A request that the memory has not taken stays at the port.
    reg port_waits = 1'b0;
    reg [7:0] port_was = 8'd0;
    always @(posedge clock) begin
        port_waits <= (chosen_sm != 8'd0) && !memory_request_ready;
        port_was <= chosen_sm;
    end
    always @* assert (!port_waits || (chosen_sm == port_was));
    always @* assert (port_waits == waits_q);
    always @* assert (!port_waits || ((port_was == waiting_q) && (port_was[1:0] & waited) == port_was[1:0]
        && (port_was[7:2] == 6'd0) && (port_was != 8'd0) && ((port_was & (port_was - 8'd1)) == 8'd0)));

    // The queue of owners never over- or underflows.
    always @* assert (reads <= 6'd32);
    always @* assert ((owners_tail_q - owners_head_q) == {1'b0, reads});

`ifdef CUT
    // The memory of the queue is cut out. It may return anything, except at one arbitrary place: there it returns the
    // word last written, as `memory.vh` proves.
    (* anyconst *) reg [6:0] place;
    reg [7:0] written = 8'd0;
    always @(posedge clock) if (awaits && (owners_tail_q == place)) written <= chosen;
    always @* assume ((owners_head_q != place) || (owners_read_data == written));

    // Each response goes to one SM, the SM with the answered request, so each SM gets as many as it has requested.
    reg due = 1'b0;
    reg [1:0] asked = 2'd0;
    wire answered = memory_response_valid && (owners_head_q == place);
    always @(posedge clock) begin
        if (answered) due <= 1'b0;
        if (read_taken && (owners_tail_q == place)) begin
            due <= 1'b1;
            asked <= valid & ready & ~writes;
        end
    end
    wire [6:0] distance = place - owners_head_q;
    wire [1:0] told = {response_valid_1, response_valid_0};
    always @* assert (due == (distance < {1'b0, reads}));
    always @* assert (!due || ((written == {6'd0, asked}) && ((asked == 2'd1) || (asked == 2'd2))));
    always @* assert (!answered || (due && (told == asked)));
    always @* assert (memory_response_valid || (told == 2'd0));
`endif

`ifdef BOUNDED
    // Each response goes to one SM with a pending request, as often as it has requested.
    reg [5:0] reads_0 = 6'd0;
    reg [5:0] reads_1 = 6'd0;
    always @(posedge clock) begin
        reads_0 <= reads_0 + {5'd0, valid[0] && ready[0] && !writes[0]} - {5'd0, response_valid_0};
        reads_1 <= reads_1 + {5'd0, valid[1] && ready[1] && !writes[1]} - {5'd0, response_valid_1};
    end
    always @* assert (memory_response_valid == (response_valid_0 ^ response_valid_1));
    always @* assert (!(response_valid_0 && response_valid_1));
    always @* assert (!response_valid_0 || (reads_0 != 6'd0));
    always @* assert (!response_valid_1 || (reads_1 != 6'd0));
`endif
