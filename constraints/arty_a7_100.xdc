# Arty A7-100, the board of synth/arty_a7_100.v, for Vivado.
set_property -dict { PACKAGE_PIN E3  IOSTANDARD LVCMOS33 } [get_ports clk100]
create_clock -name clk100 -period 10.000 -waveform {0 5} [get_ports clk100]

# The USB port's serial line, named from the FPGA's side.
set_property -dict { PACKAGE_PIN A9  IOSTANDARD LVCMOS33 } [get_ports uart_rx]
set_property -dict { PACKAGE_PIN D10 IOSTANDARD LVCMOS33 } [get_ports uart_tx]

# Button BTN0, high when pressed.
set_property -dict { PACKAGE_PIN D9  IOSTANDARD LVCMOS33 } [get_ports button]

# LD4 to LD7.
set_property -dict { PACKAGE_PIN H5  IOSTANDARD LVCMOS33 } [get_ports {led[0]}]
set_property -dict { PACKAGE_PIN J5  IOSTANDARD LVCMOS33 } [get_ports {led[1]}]
set_property -dict { PACKAGE_PIN T9  IOSTANDARD LVCMOS33 } [get_ports {led[2]}]
set_property -dict { PACKAGE_PIN T10 IOSTANDARD LVCMOS33 } [get_ports {led[3]}]

# Nothing outside is synchronous to the clock; the circuits have their own synchronisers.
set_false_path -from [get_ports {uart_rx button}]
set_false_path -to [get_ports {uart_tx {led[*]}}]

set_property CFGBVS VCCO [current_design]
set_property CONFIG_VOLTAGE 3.3 [current_design]
