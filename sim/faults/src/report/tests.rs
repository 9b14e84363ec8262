use super::*;
use crate::testing::{plan, sites};
use crate::{FirstRecord, Outcome};

/// 70 rows of sampled faults, ten of each outcome; rows of errors have a value in every field.
fn rows(plan: &Plan, faults: Vec<crate::Fault>) -> Vec<Row> {
    assert_eq!(plan.count, 70);
    let row = |fault: crate::Fault| {
        let outcome = Outcome::ALL[fault.id as usize % 7];
        let row = Row::new(fault, &sites(), outcome).unwrap();
        if !outcome.is_error() {
            return row;
        }
        let number = row.fault.id;
        Row {
            code: (outcome == Outcome::Detected).then(|| "<illegal & instruction>".to_string()),
            corrupted_words: number,
            corrupted_bits: 3 * number,
            relative_error: Some([0.0, 0.5, f64::NAN, f64::INFINITY, 1e-30][number as usize % 5]),
            geometry: Some(["single", "warp"][number as usize % 2].to_string()),
            first_record: (number % 3 > 0).then(|| FirstRecord {
                cycle: row.fault.cycle + number,
                warp: 0,
                pc: 8,
                instruction: ["IADD R1, R2, R3", "<GLD> \"x\"", ""][number as usize % 3].to_string(),
                sm: 0,
                thread: None,
            }),
            first_store: (number % 2 > 0).then_some(row.fault.cycle + 2 * number),
            ..row
        }
    };
    faults.into_iter().map(row).collect()
}

fn full_report(options: Options) -> Report {
    let (plan, faults) = plan(70);
    report(&plan, &rows(&plan, faults), &sites(), options).unwrap()
}

fn column_sum(csv: &str, column: &str) -> Option<u64> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let at = reader.headers().unwrap().iter().position(|name| name == column)?;
    let records: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    Some(records.iter().map(|record| record[at].parse::<u64>().unwrap()).sum())
}

#[test]
fn tables_add_up_to_all_rows() {
    let tables = full_report(Options::default()).tables();
    let names: Vec<&str> = tables.iter().map(|(name, _)| *name).collect();
    assert_eq!(
        names,
        [
            "campaign",
            "outcomes",
            "errors",
            "units",
            "modules",
            "kinds",
            "instructions",
            "codes",
            "corrupted_bits",
            "corrupted_words",
            "relative_error",
            "geometry",
            "latency_to_record",
            "latency_to_store",
            "coverage"
        ]
    );
    for (name, csv) in &tables {
        match *name {
            "campaign" => assert_eq!(column_sum(csv, "runs"), None),
            // 10 SDC, 20 DUE, and both.
            "errors" => assert_eq!(column_sum(csv, "runs"), Some(60)),
            _ => assert_eq!(column_sum(csv, "runs"), Some(70), "{name}:\n{csv}"),
        }
    }
    for (name, csv) in tables
        .iter()
        .filter(|(name, _)| ["units", "modules", "kinds", "instructions"].contains(name))
    {
        for outcome in Outcome::ALL {
            assert_eq!(column_sum(csv, outcome.name()), Some(10), "{name}");
        }
    }
}

/// Parses the page as XML, which is stricter than HTML.
fn parse(html: &str) -> roxmltree::Document<'_> {
    let options = roxmltree::ParsingOptions {
        allow_dtd: true,
        ..Default::default()
    };
    roxmltree::Document::parse_with_options(html, options).unwrap()
}

#[test]
fn page_is_well_formed_and_self_contained() {
    let html = full_report(Options::default()).html();
    let page = parse(&html);
    let count = |name: &str| page.descendants().filter(|node| node.tag_name().name() == name).count();
    assert_eq!((count("h1"), count("h2"), count("svg"), count("table")), (1, 9, 11, 6));
    assert_eq!((count("details"), count("summary")), (1, 1));
    assert_eq!(count("script") + count("link") + count("img") + count("iframe"), 0);
    for node in page.descendants() {
        for attribute in node.attributes() {
            assert!(!["href", "src"].contains(&attribute.name()), "{attribute:?}");
            assert!(!attribute.value().contains("NaN"), "{attribute:?}");
        }
    }
    assert!(!html.contains("url(") && !html.contains("@import"));
}

#[test]
fn page_has_no_share_without_its_interval() {
    let html = full_report(Options::default()).html();
    let page = parse(&html);
    let cells = page.descendants().filter(|node| node.tag_name().name() == "td");
    let shares: Vec<&str> = cells
        .filter_map(|cell| cell.text())
        .filter(|text| text.contains('%'))
        .collect();
    assert!(shares.len() > 10);
    assert!(shares.iter().all(|text| text.contains(" to ")), "{shares:?}");
    // A module without a fault.
    assert!(html.contains("no faults"), "{html}");
}

#[test]
fn raw_rate_gives_fit() {
    let options = Options {
        raw_fit_per_mbit: Some(1_000.0),
        ..Options::default()
    };
    let tables = full_report(options).tables();
    let errors = &tables.iter().find(|(name, _)| *name == "errors").unwrap().1;
    let sdc: Vec<&str> = errors.lines().nth(1).unwrap().split(',').collect();
    // 1/7 of 2,081 bits; 1,000 FIT in 10^6 bits.
    let number = |at: usize| sdc[at].parse::<f64>().unwrap();
    assert!((number(2) - 1.0 / 7.0).abs() < 1e-12);
    assert!((number(5) - 2_081.0 / 7.0).abs() < 1e-9);
    assert!((number(8) - 2.081 / 7.0).abs() < 1e-12);
    let (plan, _) = plan(70);
    for rate in [-1.0, f64::NAN, f64::INFINITY] {
        let options = Options {
            raw_fit_per_mbit: Some(rate),
            ..options
        };
        assert!(report(&plan, &[], &sites(), options).is_err(), "{rate}");
    }
}

#[test]
fn stuck_at_faults_have_no_fit() {
    let (plan, faults) = plan(70);
    let mut rows = rows(&plan, faults);
    rows[0].fault.model = crate::Model::StuckAt1;
    let options = Options {
        raw_fit_per_mbit: Some(1.0),
        ..Options::default()
    };
    let report = report(&plan, &rows, &sites(), options).unwrap();
    assert!(!headers(&report).contains("fit"));
    let html = report.html();
    for expected in ["latent is the usual outcome", "There are no failure rates (FIT)"] {
        assert!(html.contains(expected), "{expected}");
    }
    assert!(!full_report(options).html().contains("latent is the usual outcome"));
}

/// The header lines of all tables.
fn headers(report: &Report) -> String {
    let tables = report.tables();
    let headers: Vec<&str> = tables.iter().filter_map(|(_, csv)| csv.lines().next()).collect();
    headers.join(",")
}

#[test]
fn failure_rates_name_their_option() {
    let html = full_report(Options::default()).html();
    assert!(html.contains("`flexgrip faults report FOLDER --fit-per-mbit RATE` adds them"));
    let options = Options {
        raw_fit_per_mbit: Some(250.0),
        ..Options::default()
    };
    let html = full_report(options).html();
    assert!(html.contains("vulnerable bits × 250 FIT per 10^6 bits") && html.contains("<th>FIT (SDC)</th>"));
}

#[test]
fn lists_have_no_vulnerable_bits() {
    let (sampled, faults) = plan(70);
    let mut rows = rows(&sampled, faults);
    rows.retain(|row| row.module != "sm[0].lane");
    let list = Plan {
        sample: None,
        ..sampled
    };
    let options = Options {
        raw_fit_per_mbit: Some(1.0),
        ..Options::default()
    };
    let report = report(&list, &rows, &sites(), options).unwrap();
    let headers = headers(&report);
    for absent in ["vulnerable_bits", "fit", "unit,bits"] {
        assert!(!headers.contains(absent), "{absent}: {headers}");
    }
    let html = report.html();
    assert!(html.contains("no AVF, no vulnerable bits and no failure rates"));
    for absent in ["AVF (SDC)", "no faults<", "sm[0].lane", "--fit-per-mbit"] {
        assert!(!html.contains(absent), "{absent}");
    }
}

#[test]
fn complete_campaigns_have_exact_shares() {
    let (mut plan, _) = plan(0);
    let sample = crate::Sample {
        pattern: "sm[0].lane".into(),
        model: crate::Model::StuckAt0.into(),
        bits: 1,
        seed: 1,
        golden_model: None,
        classes: false,
    };
    let faults = sample.draw(&sites(), plan.golden_cycles, 16).unwrap();
    plan.sample = Some(sample);
    plan.set_faults(&faults);
    let rows: Vec<Row> = faults
        .into_iter()
        .map(|fault| Row::new(fault, &sites(), Outcome::Latent).unwrap())
        .collect();
    let html = report(&plan, &rows, &sites(), Options::default()).unwrap().html();
    for expected in [
        "the shares are exact",
        "<td class=\"n\">100 %</td>",
        "<td class=\"n\">0 %</td><td class=\"n\">0</td>",
        "No fault ended with an error code.",
        "No fault corrupted the output.",
        "No record or store differs.",
    ] {
        assert!(html.contains(expected), "{expected}: {html}");
    }
    assert!(!html.contains(" %)"), "{html}");
    let incomplete = report(&plan, &rows[..1], &sites(), Options::default()).unwrap().html();
    assert!(incomplete.contains("Not complete: there are results of 1 of 16 faults."));
}

#[test]
fn page_is_in_words() {
    let mut plan = plan(1).0;
    plan.kernel = "k".into();
    let mut top = crate::testing::full_row(0);
    top.fault.site = "failed".into();
    top.fault.weight = 1;
    top.module = String::new();
    let report = report(&plan, &[top], &sites(), Options::default()).unwrap();
    let html = report.html();
    for expected in [
        "<td>(top)</td>",
        "<td>failed</td>",
        "at 95 % confidence",
        "<th>faults</th>",
        "<th>AVF (SDC)</th><th>vulnerable bits (SDC)</th>",
        "<td>SDC or DUE</td>",
        "1 fault in the picture.",
        "For 0 faults, no record differs.",
        "Not in the curve: 0 errors",
        "By module: 4 modules",
        "\nIADD\n",
        "\nrelative error\n",
    ] {
        assert!(html.contains(expected), "{expected}: {html}");
    }
    for absent in ["1 faults", "runs", "avf", "95.0"] {
        assert!(!html.contains(absent), "{absent}");
    }
    let tables = report.tables();
    let modules = tables.iter().find(|(name, _)| *name == "modules").unwrap();
    assert!(modules.1.contains("\n(top),"), "{}", modules.1);
}

#[test]
fn values_off_the_scale_are_in_the_caption() {
    let html = full_report(Options::default()).html();
    let caption = html.split("Largest relative error</h3>").nth(1).unwrap();
    let caption = caption.split("class=\"caption\">").nth(1).unwrap();
    let caption = &caption[..caption.find("</p>").unwrap()];
    // Of 30 errors, six have each of the five values: 0, 0.5, NaN, infinity and 1e-30.
    assert_eq!(
        caption,
        "12 faults in the picture; not in it: 6 (0), 6 (infinite), 6 (NaN), 40 (not computed)."
    );
}

#[test]
fn empty_campaigns_have_a_report() {
    let (sampled, _) = plan(0);
    let unsampled = Plan {
        sample: None,
        ..sampled.clone()
    };
    for (plan, sites) in [(sampled, sites()), (unsampled, Sites::default())] {
        let report = report(&plan, &[], &sites, Options::default()).unwrap();
        let html = report.html();
        parse(&html);
        assert!(!html.contains("NaN %") && !html.contains("inf %"), "{html}");
        for (name, csv) in report.tables() {
            assert!(matches!(column_sum(&csv, "runs"), None | Some(0)), "{name}");
        }
    }
}

#[test]
fn coverage_rises_to_the_errors_that_were_seen() {
    let tables = full_report(Options::default()).tables();
    let coverage = &tables.iter().find(|(name, _)| *name == "coverage").unwrap().1;
    let shares: Vec<f64> = coverage
        .lines()
        .skip(1)
        .filter_map(|line| line.rsplit(',').next()?.parse().ok())
        .collect();
    assert!(shares.windows(2).all(|pair| pair[0] < pair[1]));
    // Of the 30 errors, those whose number is a multiple of 6 have neither a record nor a store.
    let seen = (0..70).filter(|number| number % 7 >= 4 && number % 6 != 0).count();
    assert!((shares[shares.len() - 1] - seen as f64 / 70.0).abs() < 1e-12);
}

#[test]
fn long_pictures_state_omitted_lines() {
    let (plan, faults) = plan(70);
    let mut rows = rows(&plan, faults);
    for (row, number) in rows.iter_mut().zip(0..) {
        row.fault.site = format!("unit[{number}].register");
    }
    let html = report(&plan, &rows, &sites(), Options::default()).unwrap().html();
    assert!(html.contains("The picture has the 40 lines with the most faults, of 70."));
}
