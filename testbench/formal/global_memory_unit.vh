    // Properties of the queues of global_memory_unit; see README.md.

    // The scheduler respects its credits; the memory answers only reads that it has taken.
    reg [4:0] in_queue = 5'd0;
    reg [5:0] reads = 6'd0;
    wire read_taken = memory_request_valid && memory_request_ready && !memory_request_write;
    always @(posedge clock) begin
        in_queue <= in_queue + {4'd0, m0_complete} - {4'd0, m1_pop};
        reads <= reads + {5'd0, read_taken} - {5'd0, memory_response_valid};
    end
    always @* assume (!m0_complete || (in_queue < 5'd16));
    always @* assume (!memory_response_valid || (reads != 6'd0));

    // The queue of beats: its tail, head and count, from bit 0 up.
    always @* assert (beats_q[12:8] == in_queue);
    always @* assert (in_queue <= 5'd16);
    always @* assert ((beats_q[3:0] - beats_q[7:4]) == in_queue[3:0]);
    always @* assert (!m1_pop || (in_queue != 5'd0));

    // The requests that wait for their responses, including the one at the port, never exceed the 16 entries.
    wire at_port = memory_request_valid && !memory_request_write;
    always @* assert ({1'b0, awaited_q} == reads + {5'd0, at_port});
    always @* assert (awaited_q <= 5'd16);
    always @* assert (reads <= 6'd16);

    // The records of loads and the waiting responses, for r0: their tails, heads and counts.
    always @* assert ((record_queue_q[5:0] - record_queue_q[11:6]) == record_queue_q[17:12]);
    always @* assert (record_queue_q[18:12] <= 7'd32);
    always @* assert ((response_queue_q[5:0] - response_queue_q[11:6]) == response_queue_q[17:12]);

    // A request is held until the memory takes it.
    reg waits = 1'b0;
    reg [32:0] was = 33'd0;
    always @(posedge clock) begin
        waits <= memory_request_valid && !memory_request_ready;
        was <= {memory_request_write, memory_request_address};
    end
    always @* assert (!waits || (memory_request_valid && (was == {memory_request_write, memory_request_address})));
