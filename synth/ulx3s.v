// FlexGrip on a ULX3S with an LFE5U-85F: the board circuit at 40 MHz, with the USB port's serial line as its host.
//
//   led[..]        the board circuit's `leds`
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
    // 25 MHz / 5 * 8 = 40 MHz, from an oscillator at 600 MHz.
    `define CLOCK_INPUT clk_25mhz
    `define CLOCK_INPUT_MHZ "25"
    `define CLOCK_MULTIPLIER 8
    `define BUTTON button_fire1
    `include "ecp5_clock.vh"

    board board (
        .clock(clock),
        .reset(reset[2]),
        .uart_rx(ftdi_txd),
        .uart_tx(ftdi_rxd),
        .leds(led)
    );
endmodule
