//! Tests `flexgrip faults`: campaigns in folders, and refused commands.

use crate::commands::{printed, refused};
use crate::common::{command, root};
use std::fs;
use std::path::Path;

/// Runs a command on a folder; `more` are the arguments after the folder's path.
fn faults(arguments: &[&str], folder: &Path, more: &[&str]) -> std::process::Output {
    let folder = folder.display().to_string();
    let arguments = [&["faults"], arguments, &[&folder], more].concat();
    command(&arguments)
}

fn kernel() -> String {
    root().join("kernels/vectoradd").display().to_string()
}

/// Plans a campaign with `count` faults in a folder, without running it.
fn planned(folder: &Path, count: &str) {
    let kernel = kernel();
    let arguments = ["plan", &kernel, "--count", count, "--seed", "7", "--output"];
    let output = faults(&arguments, folder, &[]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

fn run(folder: &Path, more: &[&str]) {
    let output = faults(&["run"], folder, more);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap()
}

#[test]
fn count_0_is_every_fault() {
    let folder = tempfile::tempdir().unwrap();
    let all = folder.path().join("all");
    let kernel = kernel();
    let pattern = ["--where", "sm[0].barriers.remaining", "--model", "stuck-at-1"];
    let run = [&["run", &kernel], &pattern[..], &["--count", "0", "--output"]].concat();
    let output = faults(&run, &all, &[]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    // 8 barriers of 6 bits.
    assert_eq!(read(&all, "results.csv").lines().count(), 1 + 48);
    let text = String::from_utf8(output.stdout).unwrap();
    let number = |name: &str| -> u64 {
        let line = text.lines().find(|line| line.trim_start().starts_with(name)).unwrap();
        line[name.len() + 2..]
            .split_whitespace()
            .next()
            .unwrap()
            .parse()
            .unwrap()
    };
    let errors: u64 = ["silent-corruption", "detected", "hang"].map(number).iter().sum();
    assert_eq!(number("AVF = SDC + DUE"), errors);
}

#[test]
fn campaign_is_independent_of_threads_and_shards() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, sharded] = ["whole", "sharded"].map(|name| folder.path().join(name));
    planned(&whole, "300");
    planned(&sharded, "300");
    assert_eq!(read(&whole, "faults.csv"), read(&sharded, "faults.csv"));
    run(&whole, &["--jobs", "2", "--check", "5"]);
    let results = read(&whole, "results.csv");
    assert_eq!(results.lines().count(), 301);
    assert!(read(&whole, "report.html").contains("</html>"));
    // Two shards, each on one thread.
    for shard in ["0/2", "1/2"] {
        run(&sharded, &["--shard", shard, "--jobs", "1"]);
    }
    let merged = faults(&["merge"], &sharded, &[]);
    assert_eq!(merged.status.code(), Some(0), "{merged:?}");
    assert_eq!(read(&sharded, "results.csv"), results);
    // `flexgrip-faults` compares the file with the rows.
    if cfg!(feature = "parquet") {
        let reported = faults(&["report"], &sharded, &["--parquet"]);
        assert_eq!(reported.status.code(), Some(0), "{reported:?}");
        assert!(fs::read(sharded.join("results.parquet")).unwrap().starts_with(b"PAR1"));
    } else {
        let refused = refused_in(&["report"], &sharded, &["--parquet"], 1);
        assert!(refused.contains("--features parquet"), "{refused}");
    }
    // The campaign is interrupted and resumed.
    let some: String = results.split_inclusive('\n').take(100).collect();
    fs::write(whole.join("results.csv"), some).unwrap();
    run(&whole, &[]);
    assert_eq!(read(&whole, "results.csv"), results);
    // Extended: the earlier results are kept.
    run(&sharded, &["--count", "400"]);
    let extended = read(&sharded, "results.csv");
    assert!(extended.starts_with(&results) && extended.lines().count() == 401);
    let compared = faults(&["compare"], &whole, &[&whole.display().to_string()]);
    assert_eq!(compared.status.code(), Some(0), "{compared:?}");
    assert_eq!(refused_in(&["run"], &whole, &["--seed", "8"], 2).lines().count(), 1);
    assert!(refused_in(&["run"], &whole, &["--count", "200"], 2).contains("the campaign has 300"));
    let replayed = faults(&["replay"], &whole, &["17"]);
    let text = String::from_utf8(replayed.stdout).unwrap();
    assert!(
        text.starts_with("fault 17: flip of ") && text.contains("the faulty run: "),
        "{text}"
    );
    // A fault list from another campaign.
    let list = whole.join("faults.csv").display().to_string();
    let (kernel, other) = (kernel(), folder.path().join("other"));
    let planned = faults(&["plan", &kernel, "--faults", &list, "--output"], &other, &[]);
    assert_eq!(planned.status.code(), Some(0), "{planned:?}");
    assert_eq!(read(&other, "faults.csv"), read(&whole, "faults.csv"));
    assert_eq!(refused_in(&["run"], &whole, &["--shard", "3/2"], 2).lines().count(), 3);
}

/// Tests faults in instructions: the same bytes with one thread and two, in shards, and when resumed.
#[test]
fn model_campaign_is_independent_of_threads_and_shards() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, sharded, listed] = ["whole", "sharded", "listed"].map(|name| folder.path().join(name));
    let kernel = kernel();
    for folder in [&whole, &sharded] {
        let arguments = [
            "plan", &kernel, "--model", "ims", "--count", "400", "--seed", "7", "--output",
        ];
        let output = faults(&arguments, folder, &[]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
    }
    run(&whole, &["--jobs", "2", "--check", "100"]);
    let results = read(&whole, "results.csv");
    assert_eq!(results.lines().count(), 401);
    assert!(results.lines().next().unwrap().ends_with(",weight,parameters"));
    let report = read(&whole, "report.html");
    assert!(
        report.contains("PVF") && !report.contains("vulnerable bits"),
        "{report}"
    );
    for shard in ["0/2", "1/2"] {
        run(&sharded, &["--shard", shard, "--jobs", "1"]);
    }
    let merged = faults(&["merge"], &sharded, &[]);
    assert_eq!(merged.status.code(), Some(0), "{merged:?}");
    assert_eq!(read(&sharded, "results.csv"), results);
    let some: String = results.split_inclusive('\n').take(100).collect();
    fs::write(whole.join("results.csv"), some).unwrap();
    run(&whole, &["--jobs", "1"]);
    assert_eq!(read(&whole, "results.csv"), results);
    run(&sharded, &["--count", "500"]);
    let extended = read(&sharded, "results.csv");
    assert!(extended.starts_with(&results) && extended.lines().count() == 501);
    let compared = faults(&["compare"], &whole, &[&whole.display().to_string()]);
    assert_eq!(compared.status.code(), Some(0), "{compared:?}");
    let replayed = faults(&["replay"], &whole, &["17"]);
    let text = String::from_utf8(replayed.stdout).unwrap();
    assert!(
        text.starts_with("fault 17: ims in sm[0], from instruction 1 on, bit ") && text.contains("the faulty run: "),
        "{text}"
    );
    // The list alone shows that its faults are in instructions.
    let list = whole.join("faults.csv").display().to_string();
    run_list(&kernel, &list, &listed);
    // The plan differs, so the first column differs.
    let rows = |text: &str| -> Vec<String> {
        let rows = text
            .lines()
            .skip(1)
            .map(|line| line.split_once(',').unwrap().1.to_string());
        rows.collect()
    };
    assert_eq!(rows(&read(&listed, "results.csv")), rows(&results));
    // The plan contains the laws, so it is extended without their file.
    let (laws, errors) = (folder.path().join("laws.csv"), folder.path().join("errors"));
    fs::write(
        &laws,
        "instruction,size,x_min,alpha\nIADD,common,0.0123456789012345678,1.1\n",
    )
    .unwrap();
    let laws_name = laws.display().to_string();
    let arguments = [
        "run",
        &kernel,
        "--model",
        "relative-error",
        "--laws",
        &laws_name,
        "--count",
        "50",
        "--output",
    ];
    let output = faults(&arguments, &errors, &[]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    fs::remove_file(&laws).unwrap();
    let few = read(&errors, "results.csv");
    run(&errors, &["--count", "80"]);
    let more = read(&errors, "results.csv");
    assert!(more.starts_with(&few) && few.contains(",factor="), "{few}");
    assert_eq!((few.lines().count(), more.lines().count()), (51, 81));
}

fn run_list(kernel: &str, list: &str, folder: &Path) {
    let output = faults(&["run", kernel, "--faults", list, "--output"], folder, &[]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

#[test]
fn wrong_models_and_laws_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (new, laws) = (folder.path().join("new"), folder.path().join("laws.csv"));
    let (kernel, file) = (kernel(), laws.display().to_string());
    fs::write(&laws, "instruction,size,x_min,alpha\nFADD,small,1,2\nFADD,big,0,2\n").unwrap();
    let made = |name: &str, code: &str| {
        let made = folder.path().join(name);
        fs::create_dir(&made).unwrap();
        fs::write(made.join("k.sass"), code).unwrap();
        let launch = "name = \"f\"\nprogram = \"k.sass\"\nregisters = 2\ngrid = [1, 1]\nblock = [1, 1, 1]\n";
        fs::write(made.join("launch.toml"), launch).unwrap();
        made.display().to_string()
    };
    let failing = made("failing", "IADD32I R1, R0, 1\nTRAP\n");
    let plain = made("plain", "IADD R1, R0, R0\nRET\n");
    for (kernel, options, code, expected) in [
        (&kernel, &["--model", "iatt"][..], 2, "did you mean `iat`"),
        (
            &plain,
            &["--model", "wv"],
            1,
            "no executed instruction has a condition code as a result, which wv needs",
        ),
        (
            &kernel,
            &["--model", "iat", "--where", "FMAD"],
            1,
            "no site matches `FMAD`",
        ),
        (
            &kernel,
            &["--model", "iat", "--where", "floats:"],
            1,
            "expected instruction, multiprocessor, float,",
        ),
        (
            &kernel,
            &["--model", "relative-error"],
            2,
            "expected --laws FILE with power laws",
        ),
        (
            &kernel,
            &["--model", "relative-error", "--laws", &file],
            1,
            "laws.csv:3: column x_min: `0`; expected a number above 0",
        ),
        (
            &kernel,
            &["--model", "iat", "--laws", &file],
            2,
            "--laws is for relative-error",
        ),
        (
            &kernel,
            &["--model", "iat", "--duration", "transient"],
            2,
            "this fault is permanent",
        ),
        (
            &kernel,
            &["--model", "iat", "--threads", "3"],
            2,
            "--threads is for transient faults",
        ),
        (
            &kernel,
            &["--model", "flip", "--threads", "3"],
            2,
            "--duration, --threads and --laws are for faults in instructions",
        ),
        (
            &kernel,
            &["--model", "ial", "--bits", "2"],
            2,
            "--bits is for models that change bits",
        ),
        (
            &kernel,
            &["--model", "ims", "--count", "0"],
            1,
            "expected a number: the rest of each fault is random",
        ),
        (
            &kernel,
            &["--model", "iio", "--bits", "40"],
            1,
            "bits 40; expected at most 32 bits",
        ),
        (&failing, &["--model", "ims"], 1, "trap"),
    ] {
        let error = refused_in(&[&["plan", kernel], options, &["--output"]].concat(), &new, &[], code);
        assert!(error.contains(expected), "{options:?}: {error}");
        assert!(!new.exists());
    }
}

#[test]
fn sites_are_listed() {
    let text = printed(&["faults", "list", "--where", "sm[0].fetch"]);
    assert!(text.contains("sm[0].fetch.") && text.contains("total"), "{text}");
    let json = printed(&["faults", "list", "--where", "memory:", "--json"]);
    let sites: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert!(sites.as_array().unwrap().iter().all(|site| site["storage"] == "memory"));
    let error = refused(1, &["faults", "list", "--where", "sm[0].fecth"]);
    assert!(
        error.contains("no site matches `sm[0].fecth`; did you mean `sm[0].fetch`"),
        "{error}"
    );
}

/// The error of a command for a folder.
fn refused_in(arguments: &[&str], folder: &Path, more: &[&str], code: i32) -> String {
    let output = faults(arguments, folder, more);
    assert_eq!(output.status.code(), Some(code), "{arguments:?} {more:?}: {output:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn wrong_campaigns_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let campaign = folder.path().join("campaign");
    planned(&campaign, "20");
    let kernel = kernel();
    let says = |error: String, expected: &str| assert!(error.contains(expected), "{error}");
    says(
        refused_in(&["plan", &kernel, "--output"], &campaign, &[], 1),
        "the folder has a campaign; expected a new folder",
    );
    let new = folder.path().join("new");
    says(
        refused_in(&["plan", &kernel, "--where", "nothing", "--output"], &new, &[], 1),
        "no site matches `nothing`",
    );
    says(
        refused_in(
            &[
                "plan",
                &kernel,
                "--where",
                "sm[0].fetch",
                "--count",
                "100000000",
                "--output",
            ],
            &new,
            &[],
            1,
        ),
        "are more than its population",
    );
    says(
        refused_in(&["run", "kernels/nothing", "--output"], &new, &[], 1),
        "nothing",
    );
    assert!(!new.exists());
    let late = [
        "run",
        &kernel,
        "--model",
        "delayed",
        "--count",
        "3",
        "--check-verilog",
        "1",
        "--output",
    ];
    says(
        refused_in(&late, &folder.path().join("delayed"), &[], 2),
        "--check-verilog: the campaign has faults of the model delayed; expected flips",
    );
    says(refused_in(&["report"], &campaign, &[], 1), "results.csv");
    says(refused_in(&["report"], &new, &[], 1), "cannot read the campaign's plan");
    says(
        refused_in(&["replay"], &campaign, &["20"], 2),
        "the campaign has no fault 20",
    );
    says(refused_in(&["merge"], &campaign, &[], 1), "no results of shards");
    // Modified files are refused.
    let plan = read(&campaign, "plan.json");
    let list = read(&campaign, "faults.csv");
    let golden = plan.split("\"golden\": \"").nth(1).unwrap()[..64].to_string();
    for (file, contents, expected) in [
        (
            "plan.json",
            plan.replace(&golden, &"0".repeat(64)),
            "planned with the golden run 000",
        ),
        (
            "plan.json",
            plan.replace("\"lanes\": \"8\"", "\"lanes\": \"9\""),
            "the plan's kernel and options: invalid value '9'",
        ),
        ("plan.json", plan[..100].into(), "plan.json: EOF"),
        (
            "faults.csv",
            list.replacen("flip", "flop", 1),
            "faults.csv:2: column model: `flop`",
        ),
        (
            "faults.csv",
            list.lines().take(3).map(|line| format!("{line}\n")).collect(),
            "the fault list does not match the plan",
        ),
    ] {
        fs::write(campaign.join(file), contents).unwrap();
        says(
            refused_in(
                &["run"],
                &campaign,
                &[],
                if expected.contains("options") { 2 } else { 1 },
            ),
            expected,
        );
        fs::write(campaign.join("plan.json"), &plan).unwrap();
        fs::write(campaign.join("faults.csv"), &list).unwrap();
    }
    run(&campaign, &[]);
    let results = read(&campaign, "results.csv");
    fs::write(campaign.join("results.csv"), &results[..results.len() - 10]).unwrap();
    says(refused_in(&["report"], &campaign, &[], 1), "results.csv:21");
}

#[test]
fn failing_kernel_has_no_campaign() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::write(path.join("wild.sass"), "GLD.EXIT.U32 R1, global14[R0]\n").unwrap();
    fs::write(
        path.join("launch.toml"),
        "name = \"wild\"\nprogram = \"wild.sass\"\nregisters = 4\nshared_bytes = 16\ngrid = [1, 1]\nblock = [32, 1, 1]\n",
    )
    .unwrap();
    let (kernel, new) = (path.display().to_string(), path.join("new"));
    let error = refused_in(&["run", &kernel, "--output"], &new, &[], 1);
    assert!(error.contains("global"), "{error}");
    assert!(!new.exists());
}

/// Tests all flips of a small memory, as classes: exact shares, the same bytes however the campaign is run, and bounds
/// while rows are missing.
#[test]
fn campaign_of_classes_has_exact_shares() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, sharded] = ["whole", "sharded"].map(|name| folder.path().join(name));
    let kernel = kernel();
    let pattern = "sm[0].barriers.remaining";
    for folder in [&whole, &sharded] {
        let arguments = ["plan", &kernel, "--classes", "--where", pattern, "--output"];
        let output = faults(&arguments, folder, &[]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
    }
    let output = faults(&["run"], &whole, &["--jobs", "2", "--check", "10"]);
    let text = String::from_utf8(output.stdout).unwrap();
    // 8 x 6 bits in 484 cycles.
    assert!(
        text.contains(" of all 23,232 possible faults") && !text.contains(" to "),
        "{text}"
    );
    let results = read(&whole, "results.csv");
    let weights = results
        .lines()
        .skip(1)
        .map(|line| line.rsplit(',').next().unwrap().parse::<u64>().unwrap());
    assert_eq!(weights.sum::<u64>(), 23_232);
    assert!(read(&whole, "report.html").contains("the shares are exact"));
    assert!(read(&whole, "faults.csv").starts_with("id,model,site,element,bit,bits,cycle,until,weight\n"));
    for shard in ["0/2", "1/2"] {
        run(&sharded, &["--shard", shard, "--jobs", "1"]);
    }
    let merged = faults(&["merge"], &sharded, &[]);
    assert_eq!(merged.status.code(), Some(0), "{merged:?}");
    assert_eq!(read(&sharded, "results.csv"), results);
    let some: String = results.split_inclusive('\n').take(3).collect();
    fs::write(whole.join("results.csv"), some).unwrap();
    let reported = faults(&["report"], &whole, &[]);
    let text = String::from_utf8(reported.stdout).unwrap();
    assert!(
        text.contains(" to ") && read(&whole, "report.html").contains("have no result yet"),
        "{text}"
    );
    run(&whole, &[]);
    assert_eq!(read(&whole, "results.csv"), results);
    assert!(refused_in(&["run"], &whole, &["--count", "900000"], 2).contains("a campaign of random faults"));
    assert!(refused_in(&["compare"], &whole, &[&whole.display().to_string()], 1).contains("represents"));
    let stuck = ["plan", &kernel, "--classes", "--model", "stuck-at-1", "--output"];
    assert!(refused_in(&stuck, &folder.path().join("no"), &[], 2).contains("--classes is for flips"));
    let registers = ["plan", &kernel, "--classes", "--where", "sm[0].fetch", "--output"];
    assert!(refused_in(&registers, &folder.path().join("no"), &[], 1).contains("expected only memories"));
}

/// Replay opens the debugger in the cycle of a flip, where the golden run is also available, and writes timelines of
/// both runs.
#[test]
fn flip_is_debugged_next_to_the_golden_run() {
    let folder = tempfile::tempdir().unwrap();
    let [list, script, campaign, line] =
        ["list.csv", "script", "campaign", "17.json"].map(|name| folder.path().join(name));
    // The second word of an element with several words.
    let faults_list = "id,model,site,element,bit,bits,cycle,until\n\
        0,flip,sm[0].register_file.bank[3],17,4,1,300,\n\
        1,flip,sm[0].branch.left,31,40,2,1,\n\
        2,stuck-at-1,sm[0].register_file.bank[3],17,4,1,300,\n";
    fs::write(&list, faults_list).unwrap();
    let (kernel, list) = (kernel(), list.display().to_string());
    let planned = faults(&["plan", &kernel, "--faults", &list, "--output"], &campaign, &[]);
    assert_eq!(planned.status.code(), Some(0), "{planned:?}");
    let script_name = script.display().to_string();
    let debug = |id: &str, commands: &str| {
        fs::write(&script, commands).unwrap();
        faults(&["replay"], &campaign, &[id, "--debug", "--script", &script_name])
    };
    let commands = "print top.sm[0].register_file.bank[3][17]\ngolden\nprint top.sm[0].register_file.bank[3][17]\n\
        flip top.sm[0].register_file.bank[3][17] 1\n";
    let output = debug("0", commands);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("without the changes; `golden` returns"),
        "{output:?}"
    );
    let text = String::from_utf8(output.stdout).unwrap();
    let values = text
        .lines()
        .filter_map(|line| line.split(" = ").nth(1)?.strip_prefix("0x"));
    let digits = values.map(|value| value.split_whitespace().next().unwrap());
    let values: Vec<u64> = digits.map(|digits| u64::from_str_radix(digits, 16).unwrap()).collect();
    assert_eq!(values[0] ^ values[1], 1 << 4, "{text}");
    assert!(
        text.starts_with("fault 0: flip of sm[0].register_file.bank[3], element 17, bit 4, cycle 300\ncycle 300, "),
        "{text}"
    );
    // Forward and back over the cycle of the flip, which is the first cycle.
    let output = debug("1", "edits\ngolden\nedits\ngolden\ncycle 5\nback-cycle 9\nedits\n");
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{text}");
    let inverted = |bit: u32| {
        text.matches(&format!("bit {bit} of top.sm[0].branch.left[31]["))
            .count()
    };
    assert!((0..64).map(inverted).sum::<usize>() == 4, "{text}");
    let output = debug("2", "where\n");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let line_name = line.display().to_string();
    let waves = folder.path().join("17.vcd").display().to_string();
    let output = faults(
        &["replay"],
        &campaign,
        &["0", "--timeline", &line_name, "--wave", &waves],
    );
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    for (save, waves) in [("17.gtkw", "17.vcd"), ("17.golden.gtkw", "17.golden.vcd")] {
        // A cycle is 10 ns.
        let text = fs::read_to_string(folder.path().join(save)).unwrap();
        assert!(
            text.contains(&format!("{waves}\"\n")) && text.contains("[timestart] 3000\n"),
            "{text}"
        );
    }
    for (file, run) in [("17.json", "faulty run"), ("17.golden.json", "golden run")] {
        let text = fs::read_to_string(folder.path().join(file)).unwrap();
        assert!(
            text.contains(&format!("vectoradd, {run}, fault 0")) && text.contains("GST.EXIT.U32"),
            "{file}"
        );
    }
}
