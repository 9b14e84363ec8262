// The two ECP5 blocks for which yosys has no models: block RAM and multiplier, in the modes that yosys uses.
//
// Based on Lattice's guides to ECP5 memories (TN1264) and DSP blocks (TN1267); the modes are the ones in yosys's maps
// (brams_map.v, dsp_map.v). Any other mode stops the simulation. The netlist's cells are renamed to the names used
// here, because yosys's file of models has empty modules under the real names.
//
// MIT or Apache-2.0.
`timescale 1ns / 1ps

// Block RAM of 1024 rows of 18 bits with two ports, or with one write and one read port.
//
// An address counts bits, 16 per row: a port of width 18 uses bits 13..4, a port of width 9 bits 13..3. On a write to a
// port of width 18 or 36, the lowest address bits are the enables of its nine-bit bytes. A port of width 36 has two
// rows: the even row is its lower half, on DIA or DOA, the odd row its upper half, on DIB or DOB.
module ECP5_BLOCK_RAM (
    input DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9,
    input DIA8, DIA7, DIA6, DIA5, DIA4, DIA3, DIA2, DIA1, DIA0,
    input ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0,
    input CEA, OCEA, CLKA, WEA, RSTA, CSA2, CSA1, CSA0,
    output DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9,
    output DOA8, DOA7, DOA6, DOA5, DOA4, DOA3, DOA2, DOA1, DOA0,
    input DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9,
    input DIB8, DIB7, DIB6, DIB5, DIB4, DIB3, DIB2, DIB1, DIB0,
    input ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0,
    input CEB, OCEB, CLKB, WEB, RSTB, CSB2, CSB1, CSB0,
    output DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9,
    output DOB8, DOB7, DOB6, DOB5, DOB4, DOB3, DOB2, DOB1, DOB0
);
    parameter DATA_WIDTH_A = 18;
    parameter DATA_WIDTH_B = 18;
    parameter REGMODE_A = "NOREG";
    parameter REGMODE_B = "NOREG";
    parameter RESETMODE = "SYNC";
    parameter ASYNC_RESET_RELEASE = "SYNC";
    parameter CSDECODE_A = "0b000";
    parameter CSDECODE_B = "0b000";
    parameter WRITEMODE_A = "NORMAL";
    parameter WRITEMODE_B = "NORMAL";
    parameter CLKAMUX = "CLKA";
    parameter CLKBMUX = "CLKB";
    parameter GSR = "AUTO";
    parameter [319:0] INITVAL_00 = 320'h0;
    parameter [319:0] INITVAL_01 = 320'h0;
    parameter [319:0] INITVAL_02 = 320'h0;
    parameter [319:0] INITVAL_03 = 320'h0;
    parameter [319:0] INITVAL_04 = 320'h0;
    parameter [319:0] INITVAL_05 = 320'h0;
    parameter [319:0] INITVAL_06 = 320'h0;
    parameter [319:0] INITVAL_07 = 320'h0;
    parameter [319:0] INITVAL_08 = 320'h0;
    parameter [319:0] INITVAL_09 = 320'h0;
    parameter [319:0] INITVAL_0A = 320'h0;
    parameter [319:0] INITVAL_0B = 320'h0;
    parameter [319:0] INITVAL_0C = 320'h0;
    parameter [319:0] INITVAL_0D = 320'h0;
    parameter [319:0] INITVAL_0E = 320'h0;
    parameter [319:0] INITVAL_0F = 320'h0;
    parameter [319:0] INITVAL_10 = 320'h0;
    parameter [319:0] INITVAL_11 = 320'h0;
    parameter [319:0] INITVAL_12 = 320'h0;
    parameter [319:0] INITVAL_13 = 320'h0;
    parameter [319:0] INITVAL_14 = 320'h0;
    parameter [319:0] INITVAL_15 = 320'h0;
    parameter [319:0] INITVAL_16 = 320'h0;
    parameter [319:0] INITVAL_17 = 320'h0;
    parameter [319:0] INITVAL_18 = 320'h0;
    parameter [319:0] INITVAL_19 = 320'h0;
    parameter [319:0] INITVAL_1A = 320'h0;
    parameter [319:0] INITVAL_1B = 320'h0;
    parameter [319:0] INITVAL_1C = 320'h0;
    parameter [319:0] INITVAL_1D = 320'h0;
    parameter [319:0] INITVAL_1E = 320'h0;
    parameter [319:0] INITVAL_1F = 320'h0;
    parameter [319:0] INITVAL_20 = 320'h0;
    parameter [319:0] INITVAL_21 = 320'h0;
    parameter [319:0] INITVAL_22 = 320'h0;
    parameter [319:0] INITVAL_23 = 320'h0;
    parameter [319:0] INITVAL_24 = 320'h0;
    parameter [319:0] INITVAL_25 = 320'h0;
    parameter [319:0] INITVAL_26 = 320'h0;
    parameter [319:0] INITVAL_27 = 320'h0;
    parameter [319:0] INITVAL_28 = 320'h0;
    parameter [319:0] INITVAL_29 = 320'h0;
    parameter [319:0] INITVAL_2A = 320'h0;
    parameter [319:0] INITVAL_2B = 320'h0;
    parameter [319:0] INITVAL_2C = 320'h0;
    parameter [319:0] INITVAL_2D = 320'h0;
    parameter [319:0] INITVAL_2E = 320'h0;
    parameter [319:0] INITVAL_2F = 320'h0;
    parameter [319:0] INITVAL_30 = 320'h0;
    parameter [319:0] INITVAL_31 = 320'h0;
    parameter [319:0] INITVAL_32 = 320'h0;
    parameter [319:0] INITVAL_33 = 320'h0;
    parameter [319:0] INITVAL_34 = 320'h0;
    parameter [319:0] INITVAL_35 = 320'h0;
    parameter [319:0] INITVAL_36 = 320'h0;
    parameter [319:0] INITVAL_37 = 320'h0;
    parameter [319:0] INITVAL_38 = 320'h0;
    parameter [319:0] INITVAL_39 = 320'h0;
    parameter [319:0] INITVAL_3A = 320'h0;
    parameter [319:0] INITVAL_3B = 320'h0;
    parameter [319:0] INITVAL_3C = 320'h0;
    parameter [319:0] INITVAL_3D = 320'h0;
    parameter [319:0] INITVAL_3E = 320'h0;
    parameter [319:0] INITVAL_3F = 320'h0;

    reg [17:0] memory [0:1023];
    reg [35:0] read_a = 36'd0;
    reg [35:0] read_b = 36'd0;
    wire [13:0] address_a = {ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0};
    wire [13:0] address_b = {ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0};
    wire [17:0] data_a = {DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9,
                          DIA8, DIA7, DIA6, DIA5, DIA4, DIA3, DIA2, DIA1, DIA0};
    wire [17:0] data_b = {DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9,
                          DIB8, DIB7, DIB6, DIB5, DIB4, DIB3, DIB2, DIB1, DIB0};

    // A 36-bit port uses both sides' pins.
    assign {DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9,
            DOA8, DOA7, DOA6, DOA5, DOA4, DOA3, DOA2, DOA1, DOA0} = DATA_WIDTH_B == 36 ? read_b[17:0] : read_a[17:0];
    assign {DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9,
            DOB8, DOB7, DOB6, DOB5, DOB4, DOB3, DOB2, DOB1, DOB0} = DATA_WIDTH_B == 36 ? read_b[35:18] : read_b[17:0];

    // The initial contents: sixteen rows in a parameter, 20 bits apart.
    task fill(input integer first, input [319:0] rows);
        integer i;
        for (i = 0; i < 16; i = i + 1)
            memory[first + i] = rows[20 * i +: 18];
    endtask
    initial begin
        fill(0, INITVAL_00);
        fill(16, INITVAL_01);
        fill(32, INITVAL_02);
        fill(48, INITVAL_03);
        fill(64, INITVAL_04);
        fill(80, INITVAL_05);
        fill(96, INITVAL_06);
        fill(112, INITVAL_07);
        fill(128, INITVAL_08);
        fill(144, INITVAL_09);
        fill(160, INITVAL_0A);
        fill(176, INITVAL_0B);
        fill(192, INITVAL_0C);
        fill(208, INITVAL_0D);
        fill(224, INITVAL_0E);
        fill(240, INITVAL_0F);
        fill(256, INITVAL_10);
        fill(272, INITVAL_11);
        fill(288, INITVAL_12);
        fill(304, INITVAL_13);
        fill(320, INITVAL_14);
        fill(336, INITVAL_15);
        fill(352, INITVAL_16);
        fill(368, INITVAL_17);
        fill(384, INITVAL_18);
        fill(400, INITVAL_19);
        fill(416, INITVAL_1A);
        fill(432, INITVAL_1B);
        fill(448, INITVAL_1C);
        fill(464, INITVAL_1D);
        fill(480, INITVAL_1E);
        fill(496, INITVAL_1F);
        fill(512, INITVAL_20);
        fill(528, INITVAL_21);
        fill(544, INITVAL_22);
        fill(560, INITVAL_23);
        fill(576, INITVAL_24);
        fill(592, INITVAL_25);
        fill(608, INITVAL_26);
        fill(624, INITVAL_27);
        fill(640, INITVAL_28);
        fill(656, INITVAL_29);
        fill(672, INITVAL_2A);
        fill(688, INITVAL_2B);
        fill(704, INITVAL_2C);
        fill(720, INITVAL_2D);
        fill(736, INITVAL_2E);
        fill(752, INITVAL_2F);
        fill(768, INITVAL_30);
        fill(784, INITVAL_31);
        fill(800, INITVAL_32);
        fill(816, INITVAL_33);
        fill(832, INITVAL_34);
        fill(848, INITVAL_35);
        fill(864, INITVAL_36);
        fill(880, INITVAL_37);
        fill(896, INITVAL_38);
        fill(912, INITVAL_39);
        fill(928, INITVAL_3A);
        fill(944, INITVAL_3B);
        fill(960, INITVAL_3C);
        fill(976, INITVAL_3D);
        fill(992, INITVAL_3E);
        fill(1008, INITVAL_3F);
        if (REGMODE_A != "NOREG" || REGMODE_B != "NOREG" || CSDECODE_A != "0b000" || CSDECODE_B != "0b000"
            || CLKAMUX != "CLKA" || CLKBMUX != "CLKB"
            || WRITEMODE_A == "WRITETHROUGH" || WRITEMODE_B == "WRITETHROUGH") begin
            $display("error: %m: a mode of the block RAM that the model does not have");
            $finish;
        end
    end

    // The bits of one or two rows that a port of this width reads at this address.
    function [35:0] seen(input integer width, input [13:0] address);
        reg [17:0] row;
        reg [8:0] nine;
        begin
            row = memory[address[13:4]];
            nine = address[3] ? row[17:9] : row[8:0];
            case (width)
                36: seen = {memory[{address[13:5], 1'b1}], memory[{address[13:5], 1'b0}]};
                18: seen = {18'd0, row};
                9: seen = {27'd0, nine};
                4: seen = {32'd0, address[2] ? nine[7:4] : nine[3:0]};
                2: seen = {34'd0, nine[{address[2:1], 1'b0} +: 2]};
                default: seen = {35'd0, nine[address[2:0]]};
            endcase
        end
    endfunction

    // Writes the bits of a port of this width.
    task write(input integer width, input [13:0] address, input [17:0] low, input [17:0] high);
        integer base;
        begin
            base = address[3] ? 9 : 0;
            case (width)
                36: begin
                    if (address[0]) memory[{address[13:5], 1'b0}][8:0] = low[8:0];
                    if (address[1]) memory[{address[13:5], 1'b0}][17:9] = low[17:9];
                    if (address[2]) memory[{address[13:5], 1'b1}][8:0] = high[8:0];
                    if (address[3]) memory[{address[13:5], 1'b1}][17:9] = high[17:9];
                end
                18: begin
                    if (address[0]) memory[address[13:4]][8:0] = low[8:0];
                    if (address[1]) memory[address[13:4]][17:9] = low[17:9];
                end
                9: memory[address[13:4]][base +: 9] = low[8:0];
                4: memory[address[13:4]][base + (address[2] ? 4 : 0) +: 4] = low[3:0];
                2: memory[address[13:4]][base + 2 * address[2:1] +: 2] = low[1:0];
                default: memory[address[13:4]][base + address[2:0]] = low[0];
            endcase
        end
    endtask

    // Either both clocks are the same, or an unused side has none. If one port reads an address that the other port
    // writes, the real block may return anything. This model returns garbage, so a circuit that uses the data also
    // fails in simulation. The garbage is not X: simulators propagate X through `a & (b | ~b)`, which in silicon does
    // not depend on b, and netlists are full of such logic.
    wire clock = CLKA === 1'b1 || CLKB === 1'b1;
    wire writes_a = CEA && WEA;
    wire writes_b = CEB && WEB;
    always @(posedge clock) begin
        if (RESETMODE != "SYNC" && (RSTA || RSTB)) begin
            $display("error: %m: the model has no asynchronous reset");
            $finish;
        end
        if (writes_a && WRITEMODE_A == "READBEFOREWRITE")
            read_a <= seen(DATA_WIDTH_A, address_a);
        if (writes_b && WRITEMODE_B == "READBEFOREWRITE")
            read_b <= seen(DATA_WIDTH_B, address_b);
        if (writes_a)
            write(DATA_WIDTH_A, address_a, $random, $random);
        if (writes_b)
            write(DATA_WIDTH_B, address_b, $random, $random);
        if (CEA && !WEA)
            read_a <= seen(DATA_WIDTH_A, address_a);
        if (CEB && !WEB)
            read_b <= seen(DATA_WIDTH_B, address_b);
        if (writes_a)
            write(DATA_WIDTH_A, address_a, data_a, data_b);
        if (writes_b)
            write(DATA_WIDTH_B, address_b, data_b, 18'd0);
        if (RSTA)
            read_a <= 36'd0;
        if (RSTB)
            read_b <= 36'd0;
    end
endmodule

// The multiplier without its registers: 18 by 18 bits, each signed or not.
module ECP5_MULTIPLIER (
    input A17, A16, A15, A14, A13, A12, A11, A10, A9, A8, A7, A6, A5, A4, A3, A2, A1, A0,
    input B17, B16, B15, B14, B13, B12, B11, B10, B9, B8, B7, B6, B5, B4, B3, B2, B1, B0,
    input C17, C16, C15, C14, C13, C12, C11, C10, C9, C8, C7, C6, C5, C4, C3, C2, C1, C0,
    input SIGNEDA, SIGNEDB, SOURCEA, SOURCEB,
    output P35, P34, P33, P32, P31, P30, P29, P28, P27, P26, P25, P24, P23, P22, P21, P20, P19, P18, P17,
           P16, P15, P14, P13, P12, P11, P10, P9, P8, P7, P6, P5, P4, P3, P2, P1, P0
);
    wire signed [18:0] a = {SIGNEDA && A17, A17, A16, A15, A14, A13, A12, A11, A10, A9, A8, A7, A6, A5, A4, A3, A2, A1, A0};
    wire signed [18:0] b = {SIGNEDB && B17, B17, B16, B15, B14, B13, B12, B11, B10, B9, B8, B7, B6, B5, B4, B3, B2, B1, B0};
    wire signed [37:0] product = a * b;
    assign {P35, P34, P33, P32, P31, P30, P29, P28, P27, P26, P25, P24, P23, P22, P21, P20, P19, P18, P17, P16, P15, P14, P13, P12, P11, P10, P9, P8, P7, P6, P5, P4, P3, P2, P1, P0} = product[35:0];
endmodule
