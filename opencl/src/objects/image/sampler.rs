//! Samplers. A kernel receives a sampler as a word of OpenCL C's `CLK_` values.

use crate::error::{ensure, Code, Result};
use crate::info::Reply;
use crate::native::pointer::Pointer;
use crate::objects::context::Context;
use crate::registry::{self, Handle, Object};
use opencl_sys::*;
use std::ffi::c_void;
use std::sync::Arc;

/// A sampler.
#[derive(Debug)]
pub struct Sampler {
    handle: Handle,
    context: Arc<Context>,
    normalised: bool,
    addressing: cl_addressing_mode,
    filter: cl_filter_mode,
}

impl Object for Sampler {
    const INVALID: cl_int = CL_INVALID_SAMPLER;

    fn handle(&self) -> &Handle {
        &self.handle
    }
}

impl Sampler {
    /// The sampler's context.
    pub fn context(&self) -> &Arc<Context> {
        &self.context
    }

    /// The word that a kernel receives: one each of the `CLK_NORMALIZED_COORDS_`, `CLK_ADDRESS_` and `CLK_FILTER_`
    /// values.
    pub fn word(&self) -> u32 {
        let addressing = match self.addressing {
            CL_ADDRESS_CLAMP_TO_EDGE => 2,
            CL_ADDRESS_CLAMP => 4,
            CL_ADDRESS_REPEAT => 6,
            CL_ADDRESS_MIRRORED_REPEAT => 8,
            _ => 0,
        };
        let filter = match self.filter {
            CL_FILTER_LINEAR => 0x20,
            _ => 0x10,
        };
        u32::from(self.normalised) | addressing | filter
    }
}

/// `clCreateSampler`.
///
/// # Errors
/// `CL_INVALID_VALUE` for an unknown mode, or for repetition without normalised coordinates.
pub fn create(
    context: Pointer<c_void>,
    normalised: cl_bool,
    addressing: cl_addressing_mode,
    filter: cl_filter_mode,
) -> Result<cl_sampler> {
    let context = registry::find::<Context>(context)?;
    ensure([CL_TRUE, CL_FALSE].contains(&normalised), CL_INVALID_VALUE)?;
    let modes = CL_ADDRESS_NONE..=CL_ADDRESS_MIRRORED_REPEAT;
    ensure(modes.contains(&addressing), CL_INVALID_VALUE)?;
    ensure(
        [CL_FILTER_NEAREST, CL_FILTER_LINEAR].contains(&filter),
        CL_INVALID_VALUE,
    )?;
    let repeats = [CL_ADDRESS_REPEAT, CL_ADDRESS_MIRRORED_REPEAT].contains(&addressing);
    ensure(normalised == CL_TRUE || !repeats, CL_INVALID_VALUE)?;
    let sampler = registry::publish(|handle| Sampler {
        handle,
        context,
        normalised: normalised == CL_TRUE,
        addressing,
        filter,
    });
    Ok(sampler.handle.raw())
}

/// `clGetSamplerInfo`.
///
/// # Errors
/// `CL_INVALID_VALUE` for an unknown query or too little space.
pub fn info(sampler: Pointer<c_void>, name: cl_uint, reply: Reply) -> Result<()> {
    let sampler = registry::find::<Sampler>(sampler)?;
    match name {
        CL_SAMPLER_REFERENCE_COUNT => reply.word(registry::count(&*sampler)),
        CL_SAMPLER_CONTEXT => reply.handle(sampler.context.handle().raw()),
        CL_SAMPLER_NORMALIZED_COORDS => reply.word(u32::from(sampler.normalised)),
        CL_SAMPLER_ADDRESSING_MODE => reply.word(sampler.addressing),
        CL_SAMPLER_FILTER_MODE => reply.word(sampler.filter),
        _ => Err(Code(CL_INVALID_VALUE)),
    }
}
