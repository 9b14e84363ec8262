//! Work on several threads, with results in the order of the items.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{mpsc, Mutex, PoisonError};
use std::thread;

/// Applies `work` to each item, on `jobs` threads; each free thread takes the next item. `begin` makes the state of a
/// thread, which it keeps from one item to the next. `take` gets the results in the order of the items until it breaks
/// or fails; then each thread ends after its current item.
///
/// # Errors
/// The errors of `take`.
pub fn in_order<I: Send, S, T: Send, E>(
    jobs: usize,
    items: impl Iterator<Item = I> + Send,
    begin: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, I) -> T + Sync,
    mut take: impl FnMut(T) -> Result<ControlFlow<()>, E>,
) -> Result<(), E> {
    let items = Mutex::new(items.enumerate());
    let claim = || items.lock().unwrap_or_else(PoisonError::into_inner).next();
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..jobs {
            let sender = sender.clone();
            scope.spawn(|| {
                let sender = sender;
                let mut kept = begin();
                while let Some((number, item)) = claim() {
                    // The receiver is dropped after the last result that `take` wants.
                    if sender.send((number, work(&mut kept, item))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        for (number, result) in receiver {
            waiting.insert(number, result);
            while let Some(result) = waiting.remove(&next) {
                if take(result)?.is_break() {
                    return Ok(());
                }
                next += 1;
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::in_order;
    use std::ops::ControlFlow;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    /// The results up to `last`. The earliest items take longest, so results arrive out of order.
    fn until(jobs: usize, last: u64) -> Result<Vec<u64>, u64> {
        let mut taken = vec![];
        let work = |_: &mut (), item: u64| {
            std::thread::sleep(Duration::from_millis(20 - item));
            item * item
        };
        in_order(
            jobs,
            0..20,
            || (),
            work,
            |result| {
                taken.push(result);
                match result {
                    200.. => Err(result),
                    _ if result == last => Ok(ControlFlow::Break(())),
                    _ => Ok(ControlFlow::Continue(())),
                }
            },
        )?;
        Ok(taken)
    }

    #[test]
    fn results_have_the_order_of_the_items() {
        for jobs in [1, 2, 7, 30] {
            assert_eq!(until(jobs, 36), Ok(vec![0, 1, 4, 9, 16, 25, 36]));
            assert_eq!(until(jobs, 37), Err(225));
        }
    }

    #[test]
    fn threads_keep_state_and_stop_at_the_end() {
        let begun = AtomicUsize::new(0);
        let mut count = 0;
        let taken = in_order(
            3,
            0..,
            || begun.fetch_add(1, Ordering::Relaxed),
            |own, _item: u64| *own,
            |own| {
                assert!(own < 3);
                count += 1;
                Ok::<_, ()>(if count == 10 {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                })
            },
        );
        assert_eq!((taken, count, begun.into_inner()), (Ok(()), 10, 3));
    }
}
