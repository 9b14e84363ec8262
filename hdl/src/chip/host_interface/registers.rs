//! The registers: their values, and the values that may be written.

use super::HostInterface;
use crate::bundles::PROTECTED_CODES;
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

/// Registers that exist, a bit for each word of their page.
pub(super) const PRESENT: u64 = words_of(false);
/// Registers that a write sets: all writable ones except CONTROL.
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

/// Reads, ranges and writes of the launch registers, a row each: its name in the map, the register's bundle and field,
/// the field's width.
macro_rules! launch_registers {
    ($($name:ident $bundle:ident $field:ident $width:tt)*) => {
        // A value that may be written fits its field.
        $(const _: () = assert!(register($name).greatest <= u32::MAX >> (32 - $width));)*

        impl<const LANES: usize> HostInterface<LANES> {
            /// Returns the value of the addressed launch register; 0 at other addresses.
            #[hdl_part]
            fn launch_value(&mut self) -> Bits<32> {
                match self.host.address.val().low::<8>().index() {
                    $(at::$name => self.$bundle.q.val().$field.resize::<32>(),)*
                    at::COALESCING => mask(self.launch.q.val().strict_coalescing, bits::<32>(1)),
                    at::UNALIGNED_CODE => mask(self.launch.q.val().unaligned_code, bits::<32>(1)),
                    _ => bits::<32>(0),
                }
            }

            /// Returns the greatest value that may be written to the addressed register.
            #[hdl_part]
            pub(super) fn greatest(&mut self) -> Bits<32> {
                match self.host.address.val().low::<8>().index() {
                    $(at::$name => bits::<32>(register($name).greatest as u64),)*
                    _ => bits::<32>(1),
                }
            }

            /// Writes the addressed launch register.
            #[hdl_part]
            pub(super) fn write_register(&mut self) {
                let data = self.host.write_data.val();
                match self.host.address.val().low::<8>().index() {
                    $(at::$name => self.$bundle.d.next.$field = data.low::<$width>(),)*
                    at::COALESCING => self.launch.d.next.strict_coalescing = data.get_bit(0),
                    at::UNALIGNED_CODE => self.launch.d.next.unaligned_code = data.get_bit(0),
                    _ => {}
                }
            }
        }
    };
}

launch_registers! {
    ENTRY launch entry 24
    CODE_END launch code_end 24
    REGISTER_COUNT launch registers 8
    SHARED_ROWS launch shared_rows 9
    PARAMETER_COUNT shape parameter_count 7
    GRID_X shape grid_x 16
    GRID_Y shape grid_y 16
    BLOCK_X shape block_x 11
    BLOCK_Y shape block_y 11
    BLOCK_Z shape block_z 7
    BLOCK_THREADS shape block_threads 11
    BLOCKS_PER_SM shape blocks_per_sm 4
    GLOBAL_END launch global_end 32
    LOCAL_BASE launch local_base 32
    LOCAL_SHIFT launch local_shift 5
    LOCAL_BYTES launch local_bytes 17
}
// COALESCING and UNALIGNED_CODE are single bits.
const _: () = assert!(register(COALESCING).greatest == 1 && field(COALESCING, "RULE").named("STRICT") == 1);
const _: () = assert!(register(UNALIGNED_CODE).greatest == 1);

impl<const LANES: usize> HostInterface<LANES> {
    /// Returns the word of STATUS.
    #[hdl_part]
    fn status(&mut self, busy: Bit) -> Bits<32> {
        let status = self.status.q.val();
        mask(status.done, bits::<32>(STATUS_DONE as u64))
            | mask(status.done && status.report.error.code != 0, bits::<32>(STATUS_ERROR as u64))
            | mask(busy, bits::<32>(STATUS_RUNNING as u64))
            | mask(status.bus_error, bits::<32>(STATUS_BUS_ERROR as u64))
    }

    /// Returns the value of the addressed register; CONTROL reads as 0.
    #[hdl_part]
    pub(super) fn register_value(&mut self, busy: Bit) -> Bits<32> {
        let report = self.status.q.val().report;
        match self.host.address.val().low::<8>().index() {
            at::ID => bits::<32>(ID_VALUE as u64),
            at::CONFIGURATION => self.configuration.val(),
            at::STATUS => self.status(busy),
            at::CYCLES | at::CYCLES_HIGH => self.counter_word.val(),
            at::ERROR_CODE => report.error.code.resize::<32>(),
            at::ERROR_PC => report.error.pc.resize::<32>(),
            at::ERROR_SM => report.sm.resize::<32>(),
            at::ERROR_WARP => (report.error.warp.resize::<32>() << 8) | report.warp.index.resize::<32>(),
            at::ERROR_BLOCK => report.warp.block,
            at::ERROR_ADDRESS => report.error.address,
            _ => self.launch_value(),
        }
    }

    /// Keeps with the report that its error has code 16 or 17, which does not fit the report's field, and answers reads
    /// of ERROR_CODE with that code.
    #[hdl_part]
    pub(super) fn report_protected_error(&mut self) {
        if self.grid.done.val() {
            self.status_protected[0].d.next = self.protected_error[0].val();
        }
        let address = self.host.address.val();
        let reads_code =
            address.bits::<24>(8) == 0 && address.low::<8>() == ERROR_CODE as u64 && !self.host.write.val();
        let status = self.status.q.val();
        let code = status.report.error.code;
        if reads_code && code.any() && self.status_protected[0].q.val() {
            self.answer.d.next.read_data = code.resize::<32>() + PROTECTED_CODES;
        }
    }
}
