// Runs one kernel on the machine in plain Verilog: a host on the host bus and a global memory on the memory port. Needs
// only the machine's Verilog and a job; README.md in this folder has the commands.
//
//            +--------+  host bus      +-------+  memory port   +-----------------+
//   job ---> |  host  | -------------> | gpgpu | -------------> | memory, latency | ---> memory file
//            +--------+ <------------- +-------+ <------------- +-----------------+
//                          interrupt
//
// It follows the rules of testbench/verilator/README.md, so the machine takes the same cycles in both benches. A job's
// writes to global memory are made directly, not over the bus, to save time.
//
// Plusargs
//   +job=FILE       the job, one statement per line, numbers in hexadecimal:
//                     w ADDRESS WORD   the host writes
//                     s ADDRESS WORD   the host writes to start the grid; then waits for its end
//                     r ADDRESS NAME   the host reads; NAME and the word go to the result
//   +result=FILE    `KEY VALUE` lines, decimal
//   +memory=FILE    memory after the run, one word per line, hexadecimal; +dump_words=N limits the number of words
//   +latency=N      cycles from a read request to its response, at least 1; default 20
//   +max_cycles=N   give up after N cycles; default 100,000,000
//   +vcd=FILE       waves, from the start of the grid
//
// Defines: FLEXGRIP_LANES_16 or FLEXGRIP_LANES_32 for a machine of that size, otherwise 8 lanes; FLEXGRIP_MEMORY_WORDS,
// default 262144 (1 MiB); FLEXGRIP_NO_TRACE for a machine without trace ports.

`timescale 1ns/1ns

`ifndef FLEXGRIP_MEMORY_WORDS
`define FLEXGRIP_MEMORY_WORDS 262144
`endif

// The three ports of a lane of the memory port.
`define LANE(n) \
        .memory_request_data_``n(request_data[32*n +: 32]), \
        .memory_request_enable_``n(request_enable[4*n +: 4]), \
        .memory_response_data_``n(response_data[32*n +: 32]),

module gpgpu_tb;
`ifdef FLEXGRIP_LANES_32
    localparam LANES = 32;
`elsif FLEXGRIP_LANES_16
    localparam LANES = 16;
`else
    localparam LANES = 8;
`endif
    localparam LINE = 32 * LANES;
    localparam WORDS = `FLEXGRIP_MEMORY_WORDS;
    // Cycles after which a bus transfer counts as unanswered.
    localparam BUS_TIMEOUT = 100000;
    // Maximum number of reads in flight. The machine keeps fewer open.
    localparam QUEUE = 4096;

    // --- The machine ------------------------------------------------------------------------------------------------

    reg clock;
    reg bus_active, bus_write;
    reg [31:0] bus_address, bus_data;
    wire [31:0] read_data;
    wire acknowledge, bus_error, interrupt;
    wire request_valid, request_write;
    wire [31:0] request_address;
    wire [LINE-1:0] request_data;
    wire [4*LANES-1:0] request_enable;
    reg response_valid;
    reg [LINE-1:0] response_data;
    wire launch_valid, issue_valid;
    wire [4:0] launch_warp, launch_index, issue_warp;
    wire [31:0] launch_block;
    wire [23:0] issue_pc;

    gpgpu machine (
        `LANE(0) `LANE(1) `LANE(2) `LANE(3) `LANE(4) `LANE(5) `LANE(6) `LANE(7)
`ifdef FLEXGRIP_LANES_16
        `LANE(8) `LANE(9) `LANE(10) `LANE(11) `LANE(12) `LANE(13) `LANE(14) `LANE(15)
`endif
`ifdef FLEXGRIP_LANES_32
        `LANE(8) `LANE(9) `LANE(10) `LANE(11) `LANE(12) `LANE(13) `LANE(14) `LANE(15)
        `LANE(16) `LANE(17) `LANE(18) `LANE(19) `LANE(20) `LANE(21) `LANE(22) `LANE(23)
        `LANE(24) `LANE(25) `LANE(26) `LANE(27) `LANE(28) `LANE(29) `LANE(30) `LANE(31)
`endif
`ifndef FLEXGRIP_NO_TRACE
        .trace_0_launch_valid(launch_valid),
        .trace_0_launch_warp(launch_warp),
        .trace_0_launch_block(launch_block),
        .trace_0_launch_index(launch_index),
        .trace_0_issue_valid(issue_valid),
        .trace_0_issue_warp(issue_warp),
        .trace_0_issue_pc(issue_pc),
`endif
        .clock(clock),
        .reset(1'b0),
        .memory_error(1'b0),
        .memory_busy(1'b0),
        .host_cycle(bus_active),
        .host_strobe(bus_active),
        .host_write(bus_write),
        .host_address(bus_address),
        .host_write_data(bus_data),
        .host_read_data(read_data),
        .host_acknowledge(acknowledge),
        .host_error(bus_error),
        .interrupt(interrupt),
        .memory_request_valid(request_valid),
        .memory_request_ready(1'b1),
        .memory_request_write(request_write),
        .memory_request_address(request_address),
        .memory_response_valid(response_valid)
    );

    // --- Memory: always ready, answers in order -----------------------------------------------------------------------

    reg [31:0] memory [0:WORDS-1];
    reg [LINE-1:0] answer [0:QUEUE-1];
    reg [63:0] due [0:QUEUE-1];
    integer first_answer, answers;
    reg [63:0] cycle;
    integer latency, lane, word;
    reg [LINE-1:0] line;
    reg [31:0] mask;

    // Accepts the machine's request in the cycle that ends.
    task serve;
        begin
            word = request_address / 4;
            if (word % LANES != 0 || request_address / 4 + LANES > WORDS)
                fail("a request to global memory that does not exist or is not aligned");
            else if (request_write) begin
                for (lane = 0; lane < LANES; lane = lane + 1) begin
                    mask = {{8{request_enable[4*lane+3]}}, {8{request_enable[4*lane+2]}},
                            {8{request_enable[4*lane+1]}}, {8{request_enable[4*lane]}}};
                    memory[word + lane] = (memory[word + lane] & ~mask) | (request_data[32*lane +: 32] & mask);
                end
            end else begin
                for (lane = 0; lane < LANES; lane = lane + 1) line[32*lane +: 32] = memory[word + lane];
                if (answers == QUEUE) fail("too many reads in flight");
                answer[(first_answer + answers) % QUEUE] = line;
                due[(first_answer + answers) % QUEUE] = cycle + latency;
                answers = answers + 1;
            end
        end
    endtask

    // Gives the response in the cycle that begins.
    task respond;
        begin
            response_valid = answers > 0 && due[first_answer] == cycle;
            if (response_valid) begin
                response_data = answer[first_answer];
                first_answer = (first_answer + 1) % QUEUE;
                answers = answers - 1;
            end
        end
    endtask

    // --- One cycle: drive, settle, sample, tick -----------------------------------------------------------------------

    reg sampled_acknowledge, sampled_error, sampled_interrupt;
    reg [31:0] sampled_data;
    reg issued;
    reg [23:0] last_pc;
    reg [4:0] last_warp;
    reg [31:0] block_of [0:31];
    reg [4:0] index_of [0:31];

    task step;
        begin
            respond;
            #5;
            sampled_acknowledge = acknowledge;
            sampled_error = bus_error;
            sampled_interrupt = interrupt;
            sampled_data = read_data;
            if (request_valid === 1'b1) serve;
            if (launch_valid === 1'b1) begin
                block_of[launch_warp] = launch_block;
                index_of[launch_warp] = launch_index;
            end
            if (issue_valid === 1'b1) begin
                issued = 1;
                last_pc = issue_pc;
                last_warp = issue_warp;
            end
            clock = 1;
            #5;
            clock = 0;
            cycle = cycle + 1;
        end
    endtask

    integer waited;

    task transfer(input write, input [31:0] address, input [31:0] data);
        begin
            bus_active = 1;
            bus_write = write;
            bus_address = address;
            bus_data = data;
            waited = 0;
            sampled_acknowledge = 0;
            while (!(sampled_acknowledge === 1'b1)) begin
                step;
                waited = waited + 1;
                if (sampled_error === 1'b1) begin
                    $display("error: the host bus refused address %h", address);
                    fail("a transfer was refused");
                end
                if (waited == BUS_TIMEOUT) fail("the host bus did not answer");
            end
            bus_active = 0;
            bus_write = 0;
            bus_address = 0;
            bus_data = 0;
        end
    endtask

    // --- The job ----------------------------------------------------------------------------------------------------

    reg [8*256-1:0] path, name;
    reg [7:0] statement;
    reg [31:0] address, data;
    reg [63:0] max_cycles, waiting;
    integer job, result, dump, count, dump_words, statements;

    task fail(input [8*80-1:0] message);
        begin
            $display("error: %0s, cycle %0d", message, cycle);
            $finish;
            // Keeps the rest of the job from running.
            forever #1000000;
        end
    endtask

    initial begin
        clock = 0;
        bus_active = 0;
        bus_write = 0;
        bus_address = 0;
        bus_data = 0;
        response_valid = 0;
        response_data = 0;
        first_answer = 0;
        answers = 0;
        cycle = 0;
        issued = 0;
        for (word = 0; word < WORDS; word = word + 1) memory[word] = 0;
        if (!$value$plusargs("latency=%d", latency)) latency = 20;
        if (!$value$plusargs("max_cycles=%d", max_cycles)) max_cycles = 100000000;
        if (!$value$plusargs("dump_words=%d", dump_words)) dump_words = WORDS;
        if (latency < 1) fail("+latency must be at least 1");
        if (dump_words > WORDS) fail("+dump_words is more than memory has");
        if (!$value$plusargs("job=%s", path)) fail("+job=FILE is missing");
        job = $fopen(path, "r");
        if (job == 0) fail("the job cannot be read");
        result = 1;
        if ($value$plusargs("result=%s", path)) begin
            result = $fopen(path, "w");
            if (result == 0) fail("the result cannot be written");
        end

        statements = 0;
        count = $fscanf(job, " %c %h", statement, address);
        while (count == 2) begin
            statements = statements + 1;
            if (statement == "r") begin
                if ($fscanf(job, " %s", name) != 1) fail("a read without a name in the job");
                transfer(0, address, 0);
                $fdisplay(result, "%0s %0d", name, sampled_data);
            end else begin
                if ($fscanf(job, " %h", data) != 1) fail("a write without a word in the job");
                if (statement == "w" && address[31]) begin
                    if (address[30:0] / 4 >= WORDS) fail("the job writes past memory");
                    memory[address[30:0] / 4] = data;
                end else if (statement == "w") transfer(1, address, data);
                else if (statement == "s") run_grid;
                else fail("the job has a statement other than w, s and r");
            end
            count = $fscanf(job, " %c %h", statement, address);
        end
        if (count > 0) fail("the job ends inside a statement");
        $fclose(job);
        if ($value$plusargs("memory=%s", path)) begin
            dump = $fopen(path, "w");
            if (dump == 0) fail("memory cannot be written");
            for (word = 0; word < dump_words; word = word + 1) $fdisplay(dump, "%h", memory[word]);
            $fclose(dump);
        end
        $display("job done: %0d statements, %0d cycles", statements, cycle);
        $finish;
    end

    task run_grid;
        begin
            transfer(1, address, data);
            $display("grid starts");
            $fflush;
            if ($value$plusargs("vcd=%s", path)) begin
                $dumpfile(path);
                $dumpvars(0, machine);
            end
            waiting = 0;
            sampled_interrupt = 0;
            while (!(sampled_interrupt === 1'b1) && waiting < max_cycles) begin
                step;
                waiting = waiting + 1;
            end
            $display("grid ends");
            $fflush;
            if (sampled_interrupt === 1'b1) $fdisplay(result, "ending done");
            else $fdisplay(result, "ending endless");
            // Written before the host reads registers, because an endless grid continues meanwhile.
            if (issued) begin
                $fdisplay(result, "last_issue_pc %0d", last_pc);
                $fdisplay(result, "last_issue_sm 0");
                $fdisplay(result, "last_issue_block %0d", block_of[last_warp]);
                $fdisplay(result, "last_issue_warp %0d", index_of[last_warp]);
            end
        end
    endtask
endmodule
