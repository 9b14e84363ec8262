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
    wire clock;
    wire locked;
    wire [7:0] leds;

    assign led_green_n = ~leds[3:0];
    assign led_red_n = ~leds[7:4];

    // 100 MHz / 5 * 2 = 40 MHz, from an oscillator at 600 MHz.
    (* FREQUENCY_PIN_CLKI = "100", FREQUENCY_PIN_CLKOP = "40", ICP_CURRENT = "12", LPF_RESISTOR = "8" *)
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
        .CLKFB_DIV(2)
    ) pll (
        .CLKI(clk100),
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
        reset <= {reset[1:0], !locked || !reset_n};

    board board (
        .clock(clock),
        .reset(reset[2]),
        .uart_rx(uart_rx),
        .uart_tx(uart_tx),
        .leds(leds)
    );
endmodule
