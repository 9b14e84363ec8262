// FlexGrip on an ECPIX-5 with an LFE5UM5G-85F: the board circuit at 40 MHz, with the debug port's serial line as its host.
//
//   LED n         green: the board circuit's `leds[n]`, red: `leds[n + 4]`
//   reset button  reset
//
// MIT or Apache-2.0.
module ecpix5 (
    input  wire       clk100,
    input  wire       reset_n,
    input  wire       uart_rx,
    output wire       uart_tx,
    output wire [3:0] led_green_n,
    output wire [3:0] led_red_n
);
    wire [7:0] leds;

    assign led_green_n = ~leds[3:0];
    assign led_red_n = ~leds[7:4];

    // 100 MHz / 5 * 2 = 40 MHz, from an oscillator at 600 MHz.
    `define CLOCK_INPUT clk100
    `define CLOCK_INPUT_MHZ "100"
    `define CLOCK_MULTIPLIER 2
    `define BUTTON !reset_n
    `include "ecp5_clock.vh"

    board board (
        .clock(clock),
        .reset(reset[2]),
        .uart_rx(uart_rx),
        .uart_tx(uart_tx),
        .leds(leds)
    );
endmodule
