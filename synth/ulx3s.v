// FlexGrip on a ULX3S with an LFE5U-85F: the board circuit at 40 MHz, with the USB port's serial line as its host.
//
//   led[..]        as the board circuit's `leds`
//   button_fire1   reset
//
// MIT or Apache-2.0.
module ulx3s (
    input  wire       clk_25mhz,
    input  wire       button_fire1,
    input  wire       ftdi_txd,
    output wire       ftdi_rxd,
    output wire [7:0] led
);
    wire clock;
    wire locked;

    // 25 MHz / 5 * 8 = 40 MHz, from an oscillator at 600 MHz.
    (* FREQUENCY_PIN_CLKI = "25", FREQUENCY_PIN_CLKOP = "40", ICP_CURRENT = "12", LPF_RESISTOR = "8" *)
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
        .CLKFB_DIV(8)
    ) pll (
        .CLKI(clk_25mhz),
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
        reset <= {reset[1:0], !locked || button_fire1};

    board board (
        .clock(clock),
        .reset(reset[2]),
        .uart_rx(ftdi_txd),
        .uart_tx(ftdi_rxd),
        .leds(led)
    );
endmodule
