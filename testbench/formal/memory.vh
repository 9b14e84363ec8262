    // A memory with a write port and an unclocked read port, at an arbitrary place, returns the word last written there,
    // or 0 before that. Modules whose proofs cut the memory out assume this much of it.
    (* anyconst *) reg [$bits(read_address) - 1:0] place;
    reg [$bits(read_data) - 1:0] written = 0;
    always @(posedge clock) if (write_enable && (write_address == place)) written <= write_data;
    always @* assert (memory[place] == written);
    always @* assert ((read_address != place) || (read_data == written));
