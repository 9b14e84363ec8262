// FlexGrip's integer lane on an iCEBreaker with an iCE40UP5K-SG48, which is too small for an SM: the circuit
// lane_board at the board's own clock = 12 MHz, with the USB port's second serial line as its host.
//
//   led_green_n    toggles with each answer
//   led_red_n      lit if the last request was garbled
//   button_n       reset
//
// MIT or Apache-2.0.
module icebreaker (
    input  wire       clk_12mhz,
    input  wire       button_n,
    input  wire       uart_rx,
    output wire       uart_tx,
    output wire       led_red_n,
    output wire       led_green_n
);
    wire [2:0] leds;

    // Registers start at 0, so no reset is needed after configuration; the button passes through two registers in the
    // circuit, and so does the line.
    lane_board lane_board (
        .clock(clk_12mhz),
        .reset(!button_n),
        .uart_rx(uart_rx),
        .uart_tx(uart_tx),
        .leds(leds)
    );

    // Both are active low.
    assign led_green_n = !leds[0];
    assign led_red_n = !leds[1];
endmodule
