// FlexGrip on an Arty A7-100 (XC7A100T): the board circuit at 40 MHz, with the USB port's serial line as its host.
//
//   led[0..3]   the board circuit's `leds[0..3]`
//   button      reset
//
// MIT or Apache-2.0.
module arty_a7_100 (
    input  wire       clk100,
    input  wire       button,
    input  wire       uart_rx,
    output wire       uart_tx,
    output wire [3:0] led
);
    wire made;
    wire clock;
    wire feedback;
    wire locked;
    wire [7:0] leds;

    assign led = leds[3:0];

    // 100 MHz * 8 / 20 = 40 MHz, from an oscillator at 800 MHz.
    PLLE2_BASE #(
        .CLKIN1_PERIOD(10.0),
        .CLKFBOUT_MULT(8),
        .CLKOUT0_DIVIDE(20)
    ) pll (
        .CLKIN1(clk100),
        .CLKFBIN(feedback),
        .CLKFBOUT(feedback),
        .CLKOUT0(made),
        .CLKOUT1(),
        .CLKOUT2(),
        .CLKOUT3(),
        .CLKOUT4(),
        .CLKOUT5(),
        .LOCKED(locked),
        .PWRDWN(1'b0),
        .RST(1'b0)
    );
    BUFG buffer (.I(made), .O(clock));

    // Reset until the clock is stable and while the button is pressed; both are asynchronous to the clock.
    reg [2:0] reset = 3'b111;
    always @(posedge clock)
        reset <= {reset[1:0], !locked || button};

    board board (
        .clock(clock),
        .reset(reset[2]),
        .uart_rx(uart_rx),
        .uart_tx(uart_tx),
        .leds(leds)
    );
endmodule
