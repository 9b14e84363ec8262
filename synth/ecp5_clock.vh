// The clock of 40 MHz and the reset of a board with an ECP5, included in the board's top module. A separate module
// would change the names of cells and wires, and so nextpnr's placement. The top module defines
//
//   CLOCK_INPUT        the input with the board's oscillator
//   CLOCK_INPUT_MHZ    its frequency, a string
//   CLOCK_MULTIPLIER   a factor: 40 MHz = CLOCK_INPUT / 5 * CLOCK_MULTIPLIER
//   BUTTON             1 while the reset button is pressed
//
// MIT or Apache-2.0.
wire clock;
wire locked;

(* FREQUENCY_PIN_CLKI = `CLOCK_INPUT_MHZ, FREQUENCY_PIN_CLKOP = "40", ICP_CURRENT = "12", LPF_RESISTOR = "8" *)
EHXPLLL #(
    .PLLRST_ENA("DISABLED"),
    .INTFB_WAKE("DISABLED"),
    .STDBY_ENABLE("DISABLED"),
    .DPHASE_SOURCE("DISABLED"),
    .OUTDIVIDER_MUXA("DIVA"),
    .OUTDIVIDER_MUXB("DIVB"),
    .OUTDIVIDER_MUXC("DIVC"),
    .OUTDIVIDER_MUXD("DIVD"),
    .CLKI_DIV(5),
    .CLKOP_ENABLE("ENABLED"),
    .CLKOP_DIV(15),
    .CLKOP_CPHASE(7),
    .CLKOP_FPHASE(0),
    .FEEDBK_PATH("CLKOP"),
    .CLKFB_DIV(`CLOCK_MULTIPLIER)
) pll (
    .CLKI(`CLOCK_INPUT),
    .CLKOP(clock),
    .CLKFB(clock),
    .CLKINTFB(),
    .LOCK(locked),
    .RST(1'b0),
    .STDBY(1'b0),
    .PHASESEL0(1'b0),
    .PHASESEL1(1'b0),
    .PHASEDIR(1'b1),
    .PHASESTEP(1'b1),
    .PHASELOADREG(1'b1),
    .PLLWAKESYNC(1'b0),
    .ENCLKOP(1'b0)
);

// Reset until the clock is stable and while the button is pressed; both are asynchronous to the clock.
reg [2:0] reset = 3'b111;
always @(posedge clock)
    reset <= {reset[1:0], !locked || `BUTTON};
