//! The index space of a launch.

use crate::launch_error::{ArgumentError, WORK_GROUP, WORK_ITEMS};
use flexgrip_machine::sizes::MAX_GRID;

/// The index space of an NDRange: work-items in work-groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexSpace {
    /// The number of dimensions, 1 to 3. Further dimensions have offset 0 and size 1.
    pub dimensions: u32,
    /// The first global index in each dimension.
    pub offset: [u32; 3],
    /// The work-items in each dimension.
    pub global: [u32; 3],
    /// The work-items of a group in each dimension.
    pub local: [u32; 3],
}

impl IndexSpace {
    /// Returns the number of work-groups in each dimension.
    ///
    /// # Errors
    /// The index space is not a multiple of the work-group size.
    pub fn groups(&self) -> Result<[u32; 3], ArgumentError> {
        let mut groups = [1; 3];
        for (dimension, count) in groups.iter_mut().enumerate() {
            let (global, local) = (self.global[dimension], self.local[dimension]);
            if local == 0 || global == 0 || global % local != 0 {
                return Err(ArgumentError::IndexSpace {
                    dimension,
                    global,
                    local,
                });
            }
            *count = global / local;
        }
        Ok(groups)
    }

    /// Checks the size of a work-group against the limits of the OpenCL device. The machine's limits are higher.
    ///
    /// # Errors
    /// More than [`WORK_GROUP`] work-items, or more than [`WORK_ITEMS`] in a dimension.
    pub fn check_group(&self) -> Result<(), ArgumentError> {
        let items = self.local.iter().fold(1u32, |items, &size| items.saturating_mul(size));
        let fits = self.local.iter().zip(WORK_ITEMS).all(|(size, most)| *size <= most);
        match items > WORK_GROUP || !fits {
            true => Err(ArgumentError::WorkGroup { local: self.local }),
            false => Ok(()),
        }
    }

    /// True if a kernel must be compiled for large grids to run on this index space.
    #[must_use]
    pub fn needs_large_grid(&self) -> bool {
        matches!(self.groups(), Ok([x, y, _]) if x > MAX_GRID || y > MAX_GRID)
    }
}
