//! The registers: their values, and the values that may be written.

use super::HostInterface;
use flexgrip_machine::host_map::*;
use hdlkit::prelude::*;

/// The registers' addresses as patterns.
mod at {
    use flexgrip_machine::host_map;

    macro_rules! addresses {
        ($($name:ident)*) => { $(pub const $name: usize = host_map::$name as usize;)* };
    }
    addresses! {
        ID CONFIGURATION STATUS ENTRY CODE_END REGISTER_COUNT SHARED_ROWS PARAMETER_COUNT GRID_X GRID_Y BLOCK_X BLOCK_Y
        BLOCK_Z BLOCK_THREADS BLOCKS_PER_SM GLOBAL_END CYCLES CYCLES_HIGH ERROR_CODE ERROR_PC ERROR_SM ERROR_WARP
        ERROR_BLOCK ERROR_ADDRESS COALESCING LOCAL_BASE LOCAL_SHIFT LOCAL_BYTES UNALIGNED_CODE
    }
}

/// The registers, a bit for each word of their page.
pub(super) const PRESENT: u64 = words_of(false);
/// The registers that a write sets: all that are writable but CONTROL.
pub(super) const WRITABLE: u64 = words_of(true);

const fn words_of(writable: bool) -> u64 {
    let (mut words, mut i) = (0, 0);
    while i < REGISTERS.len() {
        let register = &REGISTERS[i];
        if !writable || (register.writable() && register.address != CONTROL) {
            words |= 1 << (register.address / 4);
        }
        i += 1;
    }
    words
}

/// The greatest value that may be written into a register.
const fn greatest(address: u32) -> u64 {
    register(address).greatest as u64
}

impl<const LANES: usize> HostInterface<LANES> {
    /// The word of STATUS.
    #[hdl_part]
    fn status(&mut self, busy: Bit) -> Bits<32> {
        let status = self.status.q.val();
        mask(status.done, bits::<32>(STATUS_DONE as u64))
            | mask(status.done && status.report.error.code != 0, bits::<32>(STATUS_ERROR as u64))
            | mask(busy, bits::<32>(STATUS_RUNNING as u64))
            | mask(status.bus_error, bits::<32>(STATUS_BUS_ERROR as u64))
    }

    /// The value of the addressed register; CONTROL is 0.
    #[hdl_part]
    pub(super) fn register_value(&mut self, busy: Bit) -> Bits<32> {
        let launch = self.launch.q.val();
        let shape = self.shape.q.val();
        let report = self.status.q.val().report;
        match self.host.address.val().low::<8>().index() {
            at::ID => bits::<32>(ID_VALUE as u64),
            at::CONFIGURATION => self.configuration.val(),
            at::STATUS => self.status(busy),
            at::ENTRY => launch.entry.resize::<32>(),
            at::CODE_END => launch.code_end.resize::<32>(),
            at::REGISTER_COUNT => launch.registers.resize::<32>(),
            at::SHARED_ROWS => launch.shared_rows.resize::<32>(),
            at::PARAMETER_COUNT => shape.parameter_count.resize::<32>(),
            at::GRID_X => shape.grid_x.resize::<32>(),
            at::GRID_Y => shape.grid_y.resize::<32>(),
            at::BLOCK_X => shape.block_x.resize::<32>(),
            at::BLOCK_Y => shape.block_y.resize::<32>(),
            at::BLOCK_Z => shape.block_z.resize::<32>(),
            at::BLOCK_THREADS => shape.block_threads.resize::<32>(),
            at::BLOCKS_PER_SM => shape.blocks_per_sm.resize::<32>(),
            at::GLOBAL_END => launch.global_end,
            at::CYCLES | at::CYCLES_HIGH => self.counter_word.val(),
            at::ERROR_CODE => report.error.code.resize::<32>(),
            at::ERROR_PC => report.error.pc.resize::<32>(),
            at::ERROR_SM => report.sm.resize::<32>(),
            at::ERROR_WARP => (report.error.warp.resize::<32>() << 8) | report.warp_index.resize::<32>(),
            at::ERROR_BLOCK => report.block,
            at::ERROR_ADDRESS => report.error.address,
            at::COALESCING => mask(launch.strict_coalescing, bits::<32>(1)),
            at::LOCAL_BASE => launch.local_base,
            at::LOCAL_SHIFT => launch.local_shift.resize::<32>(),
            at::LOCAL_BYTES => launch.local_bytes.resize::<32>(),
            at::UNALIGNED_CODE => mask(launch.unaligned_code, bits::<32>(1)),
            _ => bits::<32>(0),
        }
    }

    /// The greatest value that may be written into the addressed register.
    #[hdl_part]
    pub(super) fn greatest(&mut self) -> Bits<32> {
        match self.host.address.val().low::<8>().index() {
            at::ENTRY => bits::<32>(greatest(ENTRY)),
            at::CODE_END => bits(greatest(CODE_END)),
            at::REGISTER_COUNT => bits(greatest(REGISTER_COUNT)),
            at::SHARED_ROWS => bits(greatest(SHARED_ROWS)),
            at::PARAMETER_COUNT => bits(greatest(PARAMETER_COUNT)),
            at::GRID_X => bits(greatest(GRID_X)),
            at::GRID_Y => bits(greatest(GRID_Y)),
            at::BLOCK_X => bits(greatest(BLOCK_X)),
            at::BLOCK_Y => bits(greatest(BLOCK_Y)),
            at::BLOCK_Z => bits(greatest(BLOCK_Z)),
            at::BLOCK_THREADS => bits(greatest(BLOCK_THREADS)),
            at::BLOCKS_PER_SM => bits(greatest(BLOCKS_PER_SM)),
            at::COALESCING => bits(greatest(COALESCING)),
            at::LOCAL_SHIFT => bits(greatest(LOCAL_SHIFT)),
            at::LOCAL_BYTES => bits(greatest(LOCAL_BYTES)),
            at::UNALIGNED_CODE => bits(greatest(UNALIGNED_CODE)),
            // GLOBAL_END and LOCAL_BASE.
            _ => bits(greatest(GLOBAL_END)),
        }
    }

    /// Writes the addressed register.
    #[hdl_part]
    pub(super) fn write_register(&mut self) {
        let data = self.host.write_data.val();
        match self.host.address.val().low::<8>().index() {
            at::ENTRY => self.launch.d.next.entry = data.low::<24>(),
            at::CODE_END => self.launch.d.next.code_end = data.low::<24>(),
            at::REGISTER_COUNT => self.launch.d.next.registers = data.low::<8>(),
            at::SHARED_ROWS => self.launch.d.next.shared_rows = data.low::<9>(),
            at::PARAMETER_COUNT => self.shape.d.next.parameter_count = data.low::<7>(),
            at::GRID_X => self.shape.d.next.grid_x = data.low::<16>(),
            at::GRID_Y => self.shape.d.next.grid_y = data.low::<16>(),
            at::BLOCK_X => self.shape.d.next.block_x = data.low::<11>(),
            at::BLOCK_Y => self.shape.d.next.block_y = data.low::<11>(),
            at::BLOCK_Z => self.shape.d.next.block_z = data.low::<7>(),
            at::BLOCK_THREADS => self.shape.d.next.block_threads = data.low::<11>(),
            at::BLOCKS_PER_SM => self.shape.d.next.blocks_per_sm = data.low::<4>(),
            at::GLOBAL_END => self.launch.d.next.global_end = data,
            at::COALESCING => self.launch.d.next.strict_coalescing = data.get_bit(0),
            at::LOCAL_BASE => self.launch.d.next.local_base = data,
            at::LOCAL_SHIFT => self.launch.d.next.local_shift = data.low::<5>(),
            at::LOCAL_BYTES => self.launch.d.next.local_bytes = data.low::<17>(),
            at::UNALIGNED_CODE => self.launch.d.next.unaligned_code = data.get_bit(0),
            _ => {}
        }
    }
}
