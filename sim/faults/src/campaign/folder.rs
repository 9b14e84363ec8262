//! The folder of a campaign: plan, faults and results.
//!
//! - `plan.json`: the [`Plan`].
//! - `faults.csv`: the [fault list](crate::fault::write_list). The plan contains its hash.
//! - `results-I-of-N.csv`: the [rows](crate::results::row::write) of a [`Shard`]; `results.csv`: the rows of all
//!   faults.
//!
//! Every row begins with the [identity of its plan](Plan::id). Files are written under a temporary name and then
//! renamed, so a killed process leaves either the old file or the complete new one. A sample [can be
//! extended](Campaign::extend): its faults are written before its plan, so a fault list may be longer than its plan
//! states; only its beginning is used.

use super::plan::Plan;
use super::shard::Shard;
use crate::fault::{self, Fault};
use crate::results::row::{self, Row};
use crate::sites::list::Sites;
use crate::text::error::Error;
use hdlkit::output::{counted, grouped};
use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

const PLAN: &str = "plan.json";
const FAULTS: &str = "faults.csv";

/// A campaign in its folder.
#[derive(Debug)]
pub struct Campaign {
    folder: PathBuf,
    plan: Plan,
    id: String,
    faults: Vec<Fault>,
    by_id: HashMap<u64, usize>,
}

impl Campaign {
    /// Writes plan and faults to a folder, which is created if it does not exist.
    ///
    /// # Errors
    /// [`Error::Contents`] if there are no faults, if the folder already has a plan, or if the faults do not match the
    /// plan; [`Error::File`].
    pub fn create(folder: &Path, plan: Plan, faults: Vec<Fault>) -> Result<Campaign, Error> {
        let campaign = Campaign::new(folder, plan, faults)?;
        if campaign.faults.is_empty() {
            return Err(contents(
                &folder.join(FAULTS),
                "no faults; expected at least one".into(),
            ));
        }
        let path = folder.join(PLAN);
        if path.exists() {
            let wrong = format!(
                "the folder has a campaign; expected a new folder, or `flexgrip faults run {}` to continue the \
                 campaign",
                folder.display()
            );
            return Err(contents(&path, wrong));
        }
        fs::create_dir_all(folder).map_err(Error::at(folder))?;
        replace(&folder.join(FAULTS), &fault::write_list(&campaign.faults))?;
        // The plan is written last: a folder with a plan is complete.
        replace(&path, &campaign.plan.to_json()?)?;
        Ok(campaign)
    }

    /// Reads plan and faults. The fault list of a sample may be longer than its plan states; only its beginning is
    /// used.
    ///
    /// # Errors
    /// The errors of [`Plan::from_json`] and [`fault::read_list`]; [`Error::Contents`] if the faults do not match the
    /// plan; [`Error::File`].
    pub fn open(folder: &Path, sites: &Sites) -> Result<Campaign, Error> {
        let path = folder.join(PLAN);
        let plan = Plan::from_json(&read(&path)?, &path.display().to_string())?;
        let path = folder.join(FAULTS);
        let faults = fault::read_list(&read(&path)?, &path.display().to_string(), sites, plan.golden_cycles)?;
        Campaign::new(folder, plan, faults)
    }

    fn new(folder: &Path, plan: Plan, mut faults: Vec<Fault>) -> Result<Campaign, Error> {
        if plan.sample.is_some() {
            // An earlier process was killed while it extended the sample.
            faults.truncate(usize::try_from(plan.count).unwrap_or(usize::MAX));
        }
        if !plan.has_faults(&faults) {
            let wrong = format!(
                "the fault list does not match the plan; expected {} with the SHA-256 {}. Plan a new campaign for an \
                 edited list: `flexgrip faults plan KERNEL --faults FILE --output FOLDER`",
                grouped(plan.count),
                plan.faults
            );
            return Err(contents(&folder.join(FAULTS), wrong));
        }
        Ok(Campaign {
            folder: folder.to_path_buf(),
            id: plan.id()?,
            by_id: faults.iter().map(|fault| fault.id).zip(0..).collect(),
            plan,
            faults,
        })
    }

    /// Adds faults to a sample and writes them to its folder. Existing results stay.
    ///
    /// # Errors
    /// [`Error::Contents`] if the faults are not a sample, or if the list does not begin with the present faults;
    /// [`Error::File`].
    pub fn extend(self, faults: Vec<Fault>) -> Result<Campaign, Error> {
        let path = self.folder.join(FAULTS);
        if self.plan.sample.is_none() {
            let wrong = "a list cannot be extended; expected a random sample".to_string();
            return Err(contents(&path, wrong));
        }
        if !faults.starts_with(&self.faults) {
            let present = counted(self.faults.len() as u64, "fault");
            let wrong = format!("this is another list; expected a list that begins with the campaign's {present}");
            return Err(contents(&path, wrong));
        }
        let mut plan = self.plan;
        plan.set_faults(&faults);
        let campaign = Campaign::new(&self.folder, plan, faults)?;
        replace(&path, &fault::write_list(&campaign.faults))?;
        // The plan is written last: until then, the old plan describes the beginning of the list.
        replace(&self.folder.join(PLAN), &campaign.plan.to_json()?)?;
        Ok(campaign)
    }

    /// The plan of the campaign.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// All faults, in the order of their list.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// The file of a shard's results, or of all results.
    pub fn results_path(&self, shard: Option<Shard>) -> PathBuf {
        self.folder.join(match shard {
            Some(shard) => shard.file_name(),
            None => "results.csv".to_string(),
        })
    }

    /// The number of shards, from the names of the result files in the folder; `None` without result files.
    ///
    /// # Errors
    /// [`Error::Contents`] if the files belong to different numbers of shards; [`Error::File`].
    pub fn shards(&self) -> Result<Option<u64>, Error> {
        let mut shards = Vec::new();
        for entry in fs::read_dir(&self.folder).map_err(Error::at(&self.folder))? {
            let name = entry.map_err(Error::at(&self.folder))?.file_name();
            shards.extend(name.to_str().and_then(Shard::of_file_name));
        }
        // The order of directory entries is undefined; sorting makes the message below deterministic.
        shards.sort_by_key(|shard| (shard.of(), shard.file_name()));
        let (Some(first), Some(last)) = (shards.first(), shards.last()) else {
            return Ok(None);
        };
        if first.of() != last.of() {
            let wrong = format!(
                "{} and {} belong to different numbers of shards; expected files with one number of shards",
                first.file_name(),
                last.file_name()
            );
            return Err(contents(&self.folder, wrong));
        }
        Ok(Some(first.of()))
    }

    /// The results of a shard, or of all faults, that exist so far; empty if there is no file.
    ///
    /// # Errors
    /// The same as [`Campaign::read_results`], except for a missing file.
    pub fn known(&self, shard: Option<Shard>) -> Result<Vec<Row>, Error> {
        match self.read_results(shard) {
            Err(Error::NoResults { .. }) => Ok(Vec::new()),
            rows => rows,
        }
    }

    /// Sorts rows into the order of the fault list.
    pub fn sort(&self, rows: &mut [Row]) {
        rows.sort_by_key(|row| self.by_id.get(&row.fault.id));
    }

    /// Faults of a shard, or of the whole list, without a row in `rows`.
    pub fn remaining(&self, shard: Option<Shard>, rows: &[Row]) -> Vec<&Fault> {
        let done: HashSet<u64> = rows.iter().map(|row| row.fault.id).collect();
        let of_shard = |fault: &&Fault| shard.is_none_or(|shard| shard.contains(fault.id));
        let left = self.faults.iter().filter(of_shard);
        left.filter(|fault| !done.contains(&fault.id)).collect()
    }

    /// Replaces the results of a shard, or of all faults; the rows are written in the order of the fault list. Rows may
    /// be missing: a campaign saves its rows from time to time, and resumes with the remaining faults.
    ///
    /// # Errors
    /// [`Error::Contents`] for rows of another campaign or shard, and for duplicate rows; [`Error::File`].
    pub fn write_results(&self, shard: Option<Shard>, rows: &[Row]) -> Result<(), Error> {
        let path = self.results_path(shard);
        self.check(&path, shard, rows)?;
        let mut ordered: Vec<&Row> = rows.iter().collect();
        ordered.sort_by_key(|row| self.by_id.get(&row.fault.id));
        replace(&path, &row::write(ordered, &self.id, self.plan.engine))
    }

    /// Reads the results of a shard, or of all faults. Rows may be missing.
    ///
    /// # Errors
    /// [`Error::NoResults`] if the file is missing; the errors of [`row::read`] and [`Campaign::write_results`].
    pub fn read_results(&self, shard: Option<Shard>) -> Result<Vec<Row>, Error> {
        let path = self.results_path(shard);
        let text = match read(&path) {
            Err(Error::File { source, .. }) if source.kind() == ErrorKind::NotFound => {
                return Err(self.no_results(shard));
            }
            text => text?,
        };
        let rows = row::read(&text, &path.display().to_string(), &self.id, self.plan.engine)?;
        self.check(&path, shard, &rows)?;
        Ok(rows)
    }

    /// Merges the results of all `of` shards, in the order of the fault list, into the file of all results.
    ///
    /// # Errors
    /// The errors of [`Campaign::read_results`], and [`Error::Contents`] if a shard lacks a row.
    pub fn merge(&self, of: u64) -> Result<Vec<Row>, Error> {
        let mut rows = Vec::new();
        for shard in Shard::all(of) {
            let of_shard = self.read_results(Some(shard))?;
            let missing = self.remaining(Some(shard), &of_shard);
            if let [first, ..] = missing.as_slice() {
                let have = if missing.len() == 1 { "has" } else { "have" };
                let missing = counted(missing.len() as u64, "fault");
                let wrong = format!("{missing} {have} no row; the first is fault {}", first.id);
                return Err(contents(&self.results_path(Some(shard)), wrong));
            }
            rows.extend(of_shard);
        }
        self.sort(&mut rows);
        self.write_results(None, &rows)?;
        Ok(rows)
    }

    fn no_results(&self, shard: Option<Shard>) -> Error {
        let folder = self.folder.display();
        Error::NoResults {
            file: self.results_path(shard).display().to_string(),
            wrong: match shard {
                Some(shard) => {
                    format!("no results of shard {shard} yet; `flexgrip faults run {folder} --shard {shard}` makes them")
                }
                None => format!(
                    "no results yet; `flexgrip faults run {folder}` makes them; for shards, `flexgrip faults merge {folder}`"
                ),
            },
        }
    }

    fn check(&self, path: &Path, shard: Option<Shard>, rows: &[Row]) -> Result<(), Error> {
        let mut seen = HashSet::new();
        for row in rows {
            let id = row.fault.id;
            let error = |wrong: &str| Err(contents(path, format!("the row of fault {id} {wrong}")));
            if self.by_id.get(&id).and_then(|&at| self.faults.get(at)) != Some(&row.fault) {
                return error("does not match the fault list");
            }
            if shard.is_some_and(|shard| !shard.contains(id)) {
                return error("does not belong to this shard");
            }
            if !seen.insert(id) {
                return error("occurs twice");
            }
        }
        Ok(())
    }
}

fn contents(path: &Path, wrong: String) -> Error {
    Error::Contents {
        file: path.display().to_string(),
        wrong,
    }
}

fn read(path: &Path) -> Result<String, Error> {
    fs::read_to_string(path).map_err(Error::at(path))
}

/// Replaces a file atomically: a reader sees either the old file or the complete new one.
pub(crate) fn replace(path: &Path, text: &str) -> Result<(), Error> {
    // The process ID keeps two processes that write the same file from sharing a temporary file.
    let beside = path.with_extension(format!("new-{}", std::process::id()));
    let written = File::create(&beside)
        .and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            // Without it the rename could reach the disk before the contents.
            file.sync_all()
        })
        .and_then(|()| fs::rename(&beside, path));
    written.map_err(|source| {
        // The error to report is the first one, not a failure to remove the temporary file.
        let _ = fs::remove_file(&beside);
        Error::at(path)(source)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{plan, sites};
    use crate::{Engine, Outcome};

    fn campaign(folder: &Path, count: u64) -> Campaign {
        let (plan, faults) = plan(count);
        Campaign::create(folder, plan, faults).unwrap()
    }

    fn rows(campaign: &Campaign, shard: Option<Shard>) -> Vec<Row> {
        let known = campaign.known(shard).unwrap();
        let faults = campaign.remaining(shard, &known).into_iter().cloned();
        faults
            .map(|fault| Row::new(fault, &sites(), Outcome::Masked).unwrap())
            .collect()
    }

    #[test]
    fn shards_are_merged_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let campaign = campaign(folder.path(), 10);
        for shard in Shard::all(3) {
            campaign
                .write_results(Some(shard), &rows(&campaign, Some(shard)))
                .unwrap();
        }
        let merged = campaign.merge(3).unwrap();
        assert!(merged.iter().map(|row| &row.fault).eq(campaign.faults()));
        let opened = Campaign::open(folder.path(), &sites()).unwrap();
        assert_eq!(opened.read_results(None).unwrap(), merged);
        assert!(opened.remaining(None, &opened.known(None).unwrap()).is_empty());
        let names = fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name());
        assert!(names.into_iter().all(|name| !name.to_string_lossy().contains("new-")));
    }

    #[test]
    fn killed_shard_resumes_with_the_rest() {
        let folder = tempfile::tempdir().unwrap();
        let campaign = campaign(folder.path(), 10);
        let shard = Shard::new(1, 2).unwrap();
        let all = rows(&campaign, Some(shard));
        campaign.write_results(Some(shard), &all[..2]).unwrap();
        assert_eq!(rows(&campaign, Some(shard)), all[2..]);
    }

    #[test]
    fn defective_shards_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let campaign = campaign(folder.path(), 6);
        let (first, second) = (Shard::new(0, 2).unwrap(), Shard::new(1, 2).unwrap());
        let (even, odd) = (rows(&campaign, Some(first)), rows(&campaign, Some(second)));
        campaign.write_results(Some(first), &even).unwrap();
        let path = campaign.results_path(Some(second));
        let good = row::write(&odd, &campaign.id, Engine::Circuits);
        for (text, expected) in [
            (
                row::write(&odd[..2], &campaign.id, Engine::Circuits),
                "1 fault has no row; the first is fault 5",
            ),
            (
                row::write(&[odd.clone(), odd.clone()].concat(), &campaign.id, Engine::Circuits),
                "the row of fault 1 occurs twice",
            ),
            (
                row::write(&even, &campaign.id, Engine::Circuits),
                "the row of fault 0 does not belong to this shard",
            ),
            (
                row::write(&odd, "other", Engine::Circuits),
                "column plan: `other`; expected",
            ),
            (good.replace(",masked,", ",maskd,"), "column outcome: `maskd`"),
            (
                good.replace("flip,", "stuck-at-0,"),
                "the row of fault 1 does not match the fault list",
            ),
            (good[..good.len() - 3].to_string(), "the line is truncated"),
        ] {
            fs::write(&path, text).unwrap();
            let message = campaign.merge(2).unwrap_err().to_string();
            assert!(
                message.contains(expected) && message.contains("results-1-of-2.csv"),
                "{message}"
            );
            assert!(!campaign.results_path(None).exists());
        }
        fs::remove_file(&path).unwrap();
        let message = campaign.merge(2).unwrap_err().to_string();
        assert!(message.contains("no results of shard 1/2 yet"), "{message}");
    }

    #[test]
    fn folder_holds_one_campaign() {
        let folder = tempfile::tempdir().unwrap();
        campaign(folder.path(), 3);
        let (plan, faults) = plan(3);
        let message = Campaign::create(folder.path(), plan.clone(), faults.clone())
            .unwrap_err()
            .to_string();
        let expected = format!("or `flexgrip faults run {}` to", folder.path().display());
        assert!(
            message.contains("plan.json: the folder has a campaign; expected a new folder")
                && message.contains(&expected),
            "{message}"
        );
        let message = Campaign::create(folder.path(), plan, faults[..2].to_vec())
            .unwrap_err()
            .to_string();
        assert!(message.contains("the fault list does not match the plan"), "{message}");
    }

    #[test]
    fn campaigns_without_faults_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let new = folder.path().join("new");
        let (plan, faults) = plan(0);
        let message = Campaign::create(&new, plan, faults).unwrap_err().to_string();
        assert!(message.contains("no faults"), "{message}");
        assert!(!new.exists());
    }

    #[test]
    fn extended_sample_keeps_its_rows() {
        let folder = tempfile::tempdir().unwrap();
        let small = campaign(folder.path(), 5);
        let done = rows(&small, None);
        small.write_results(None, &done).unwrap();
        let faults = plan(9).1;
        let large = small.extend(faults.clone()).unwrap();
        for campaign in [large, Campaign::open(folder.path(), &sites()).unwrap()] {
            assert_eq!((campaign.plan().count, campaign.faults()), (9, faults.as_slice()));
            assert_eq!(campaign.read_results(None).unwrap(), done);
            let known = campaign.known(None).unwrap();
            assert!(campaign.remaining(None, &known).into_iter().eq(&faults[5..]));
        }
    }

    #[test]
    fn killed_extension_leaves_the_campaign() {
        let folder = tempfile::tempdir().unwrap();
        campaign(folder.path(), 5);
        let longer = plan(9).1;
        replace(&folder.path().join(FAULTS), &fault::write_list(&longer)).unwrap();
        let opened = Campaign::open(folder.path(), &sites()).unwrap();
        assert_eq!(opened.faults(), &longer[..5]);
        assert_eq!(opened.extend(longer[..7].to_vec()).unwrap().faults(), &longer[..7]);
        assert_eq!(Campaign::open(folder.path(), &sites()).unwrap().faults(), &longer[..7]);
    }

    #[test]
    fn lists_and_other_samples_are_not_extended() {
        let folder = tempfile::tempdir().unwrap();
        let message = |campaign: Campaign, faults: Vec<Fault>| campaign.extend(faults).unwrap_err().to_string();
        let sample = campaign(&folder.path().join("sample"), 5);
        let mut others = plan(9).1;
        others[2].cycle += 1;
        let found = message(sample, others);
        assert!(found.contains("begins with the campaign's 5 faults"), "{found}");
        let sample = Campaign::open(&folder.path().join("sample"), &sites()).unwrap();
        let found = message(sample, plan(4).1);
        assert!(found.contains("begins with the campaign's 5 faults"), "{found}");
        let (plan, faults) = plan(5);
        let plan = Plan { sample: None, ..plan };
        let path = folder.path().join("list");
        let list = Campaign::create(&path, plan, faults.clone()).unwrap();
        let found = message(list, faults.clone());
        assert!(found.contains("a list cannot be extended"), "{found}");
        // A list that is longer than its plan was edited.
        let more = [faults, vec![crate::testing::fault(99)]].concat();
        replace(&path.join(FAULTS), &fault::write_list(&more)).unwrap();
        let found = Campaign::open(&path, &sites()).unwrap_err().to_string();
        assert!(found.contains("--faults FILE"), "{found}");
    }

    #[test]
    fn rows_follow_the_order_of_the_list() {
        let folder = tempfile::tempdir().unwrap();
        let campaign = campaign(folder.path(), 12);
        let ordered = rows(&campaign, None);
        let mut rows = ordered.clone();
        rows.reverse();
        rows.swap(2, 7);
        campaign.write_results(None, &rows).unwrap();
        assert_eq!(campaign.read_results(None).unwrap(), ordered);
    }

    #[test]
    fn shards_are_counted_by_their_files() {
        let folder = tempfile::tempdir().unwrap();
        let campaign = campaign(folder.path(), 4);
        campaign.write_results(None, &[]).unwrap();
        fs::write(folder.path().join("results-1-of-2.new-9"), "").unwrap();
        assert_eq!(campaign.shards(), Ok(None));
        for index in [10, 2] {
            let shard = Shard::new(index, 12).unwrap();
            campaign.write_results(Some(shard), &[]).unwrap();
            assert_eq!(campaign.shards(), Ok(Some(12)));
        }
        campaign.write_results(Some(Shard::new(0, 3).unwrap()), &[]).unwrap();
        let message = campaign.shards().unwrap_err().to_string();
        assert!(
            message.contains("results-0-of-3.csv and results-2-of-12.csv belong to different numbers of shards"),
            "{message}"
        );
    }

    #[test]
    fn missing_results_name_the_command() {
        let folder = tempfile::tempdir().unwrap();
        let campaign = campaign(folder.path(), 3);
        let path = folder.path().display();
        for (shard, expected) in [
            (
                None,
                format!("results.csv: no results yet; `flexgrip faults run {path}` makes them"),
            ),
            (None, format!("`flexgrip faults merge {path}`")),
            (
                Some(Shard::new(0, 2).unwrap()),
                format!("results-0-of-2.csv: no results of shard 0/2 yet; `flexgrip faults run {path} --shard 0/2`"),
            ),
        ] {
            let error = campaign.read_results(shard).unwrap_err();
            assert!(matches!(error, Error::NoResults { .. }));
            assert!(error.to_string().contains(&expected), "{error}");
            assert_eq!(
                campaign.remaining(shard, &campaign.known(shard).unwrap()).len(),
                if shard.is_some() { 2 } else { 3 }
            );
        }
    }

    #[test]
    fn changed_fault_list_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        campaign(folder.path(), 3);
        let path = folder.path().join(FAULTS);
        let list = read(&path).unwrap();
        let cut = list.rfind("2,flip").unwrap();
        fs::write(&path, &list[..cut]).unwrap();
        let message = Campaign::open(folder.path(), &sites()).unwrap_err().to_string();
        assert!(message.contains("the fault list does not match the plan"), "{message}");
    }
}
