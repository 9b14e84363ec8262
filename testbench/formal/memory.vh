    // What a memory with a write port and a read port without a clock gives at a place, which may be any: what was last
    // written there, 0 before that. So much is assumed of it where it is cut out of what it is a part of.
    (* anyconst *) reg [$bits(read_address) - 1:0] place;
    reg [$bits(read_data) - 1:0] written = 0;
    always @(posedge clock) if (write_enable && (write_address == place)) written <= write_data;
    always @* assert (memory[place] == written);
    always @* assert ((read_address != place) || (read_data == written));
