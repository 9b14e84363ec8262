//! The detections of an unfinished campaign, kept in a file while it runs: a killed campaign continues from it, and
//! shards are merged.

use super::classes::{Class, Classes};
use super::simulation::Detection;
use crate::campaign::folder::replace;
use crate::campaign::shard::Shard;
use crate::text::cells::{self, push_line, quoted, Columns, Line, NUMBER};
use crate::text::error::Error;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The detections of some faults, by their numbers in the list of the unit.
pub type Found = BTreeMap<usize, Vec<Detection<Classes>>>;

/// The columns of a journal. A fault without a detection has one line, in which the last five are empty.
const COLUMNS: Columns = &["campaign", "id", "window", "cycle", "first", "bits", "classes"];
/// The minimum time between two writes of the file.
const KEEP: Duration = Duration::from_secs(2);
/// The minimum time between two writes, as a multiple of the time that one takes.
const SHARE: u32 = 20;

/// A journal of a campaign or of one of its shards.
pub struct Journal {
    path: PathBuf,
    campaign: String,
    text: String,
    written: Instant,
    pause: Duration,
}

impl Journal {
    /// Opens the journal of a campaign in a folder, and reads the detections kept there: of the shard, or without one
    /// of the campaign and of all its shards. `campaign` identifies the campaign.
    ///
    /// # Errors
    /// A journal belongs to another campaign, is truncated, or cannot be read.
    pub fn open(folder: &Path, campaign: &str, shard: Option<Shard>) -> Result<(Journal, Found), Error> {
        let own = folder.join(name(shard));
        let paths = match shard {
            Some(_) => vec![own.clone()],
            None => journals(folder)?,
        };
        let mut found = Found::new();
        for path in paths.iter().filter(|path| path.exists()) {
            found.append(&mut read(path, campaign)?);
        }
        let mut journal = Journal {
            path: own,
            campaign: campaign.into(),
            text: String::new(),
            written: Instant::now(),
            pause: KEEP,
        };
        push_line(&mut journal.text, COLUMNS);
        found.iter().for_each(|(id, detections)| journal.push(*id, detections));
        Ok((journal, found))
    }

    /// Adds the detections of a fault.
    pub fn push(&mut self, id: usize, detections: &[Detection<Classes>]) {
        let start = [self.campaign.clone(), id.to_string()];
        if detections.is_empty() {
            let empty = std::iter::repeat_n(String::new(), COLUMNS.len() - start.len());
            push_line(&mut self.text, &start.iter().cloned().chain(empty).collect::<Vec<_>>());
        }
        for detection in detections {
            let values = [
                detection.window.to_string(),
                detection.cycle.to_string(),
                detection.first.to_string(),
                detection.bits.to_string(),
                detection.about.names(),
            ];
            push_line(&mut self.text, &[&start[..], &values].concat());
        }
    }

    /// Writes the file if enough time has passed since the last write.
    ///
    /// # Errors
    /// [`Error::File`] if the file cannot be written.
    pub fn keep(&mut self) -> Result<(), Error> {
        match self.written.elapsed() > self.pause {
            true => self.write(),
            false => Ok(()),
        }
    }

    /// Writes the file. A reader sees either the old or the new file.
    ///
    /// # Errors
    /// [`Error::File`] if the file cannot be written.
    pub fn write(&mut self) -> Result<(), Error> {
        let clock = Instant::now();
        replace(&self.path, &self.text)?;
        self.pause = KEEP.max(clock.elapsed() * SHARE);
        self.written = Instant::now();
        Ok(())
    }
}

/// Deletes all journals of a folder, once its campaign is complete.
///
/// # Errors
/// [`Error::File`] if a file cannot be removed.
pub fn remove(folder: &Path) -> Result<(), Error> {
    journals(folder)?
        .iter()
        .try_for_each(|path| fs::remove_file(path).map_err(Error::at(path)))
}

/// The name of the file.
fn name(shard: Option<Shard>) -> String {
    shard.map_or("found.csv".into(), |shard| {
        shard.file_name().replacen("results", "found", 1)
    })
}

/// The journals of a folder, of its campaign and of all shards.
fn journals(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut paths = vec![];
    for entry in fs::read_dir(folder).map_err(Error::at(folder))? {
        let path = entry.map_err(Error::at(folder))?.path();
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let of_shard = Shard::of_file_name(&file.replacen("found", "results", 1));
        if file == name(None) || of_shard.is_some_and(|shard| file == name(Some(shard))) {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

fn read(path: &Path, campaign: &str) -> Result<Found, Error> {
    let text = fs::read_to_string(path).map_err(Error::at(path))?;
    let file = path.display().to_string();
    let lines = cells::read(&text, &file, COLUMNS, |line| {
        let of = line.text("campaign");
        if of != campaign {
            let expected = format!(
                "`{campaign}`: it belongs to another unit, kernel or options; delete the file, or choose another folder with \
                 --output"
            );
            return Err(line.error("campaign", quoted(of), expected));
        }
        Ok((line.value("id", NUMBER)?, detection(line)?))
    })?;
    let mut found = Found::new();
    for (id, detection) in lines {
        found.entry(id).or_default().extend(detection);
    }
    Ok(found)
}

fn detection(line: &Line) -> Result<Option<Detection<Classes>>, Error> {
    if line.text("window").is_empty() {
        return Ok(None);
    }
    let mut about = Classes::default();
    for name in line.text("classes").split_whitespace() {
        let class = Class::ALL.iter().find(|class| class.name() == name);
        let unknown = || line.error("classes", quoted(name), "the names of error classes");
        about.insert(*class.ok_or_else(unknown)?);
    }
    Ok(Some(Detection {
        window: line.value("window", NUMBER)?,
        cycle: line.value("cycle", NUMBER)?,
        first: line.value("first", NUMBER)?,
        bits: line.value("bits", NUMBER)?,
        about,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detection(window: usize) -> Detection<Classes> {
        let mut about = Classes::default();
        about.insert(Class::Ioc);
        about.insert(Class::Iaw);
        Detection {
            window,
            cycle: 100 + window,
            first: 3,
            bits: 7,
            about,
        }
    }

    #[test]
    fn journals_of_shards_are_put_together() {
        let folder = tempfile::tempdir().unwrap();
        let open = |shard| Journal::open(folder.path(), "c1", shard).unwrap();
        let shards: Vec<Shard> = Shard::all(2).collect();
        for (shard, id) in shards.iter().zip([4, 7]) {
            let (mut journal, found) = open(Some(*shard));
            assert!(found.is_empty());
            journal.push(id, &[detection(0), detection(2)]);
            journal.push(id + 2, &[]);
            journal.write().unwrap();
        }
        assert_eq!(open(Some(shards[1])).1.into_keys().collect::<Vec<_>>(), [7, 9]);
        let (mut all, found) = open(None);
        let expected = [4, 7].map(|id| [(id, vec![detection(0), detection(2)]), (id + 2, vec![])]);
        assert_eq!(found, expected.clone().into_iter().flatten().collect());
        all.push(5, &[detection(1)]);
        all.write().unwrap();
        let (_, found) = open(None);
        assert_eq!(
            (found.len(), &found[&4], &found[&5]),
            (5, &expected[0][0].1, &vec![detection(1)])
        );
        remove(folder.path()).unwrap();
        assert!(open(None).1.is_empty());
    }

    #[test]
    fn other_and_cut_journals_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let (mut journal, _) = Journal::open(folder.path(), "c1", None).unwrap();
        journal.push(4, &[detection(0)]);
        journal.write().unwrap();
        let path = folder.path().join("found.csv");
        let good = fs::read_to_string(&path).unwrap();
        for (text, campaign, expected) in [
            (
                good.clone(),
                "c2",
                "column campaign: `c1`; expected `c2`: it belongs to another unit",
            ),
            (good[..good.len() - 3].into(), "c1", "the line is truncated"),
            (
                good.replace("IOC", "IOX"),
                "c1",
                "column classes: `IOX`; expected the names of error classes",
            ),
            (
                good.replace(",100,", ",x,"),
                "c1",
                "column cycle: `x`; expected a whole number",
            ),
        ] {
            fs::write(&path, text).unwrap();
            let error = Journal::open(folder.path(), campaign, None).map(|_| ()).unwrap_err();
            assert!(error.to_string().contains(expected), "{error}");
        }
    }
}
