//! docs/architecture.md is stale when the packages' dependencies change, because its picture and its table of packages
//! are generated from them. `cargo xtask update architecture` writes them.

use crate::root;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use svg::node::element::{Line, Rectangle, Text, Title};
use svg::node::Text as Characters;
use svg::Document;

/// A package of the workspace.
pub struct Package {
    name: String,
    purpose: String,
    /// The workspace packages that it depends on.
    needs: BTreeSet<String>,
}

/// The packages by folder.
pub fn packages() -> BTreeMap<String, Package> {
    let read = |path: &str| -> toml::Table {
        let text = std::fs::read_to_string(root().join(path)).unwrap();
        text.parse().unwrap()
    };
    let workspace = read("Cargo.toml");
    let members = workspace["workspace"]["members"].as_array().unwrap();
    let mut packages = BTreeMap::new();
    for folder in members.iter().map(|member| member.as_str().unwrap()) {
        let manifest = read(&format!("{folder}/Cargo.toml"));
        let package = &manifest["package"];
        let needs = manifest.get("dependencies").and_then(toml::Value::as_table);
        let package = Package {
            name: package["name"].as_str().unwrap().into(),
            purpose: package["description"].as_str().unwrap().into(),
            needs: needs.into_iter().flatten().map(|(name, _)| name.clone()).collect(),
        };
        packages.insert(folder.to_string(), package);
    }
    let own: BTreeSet<String> = packages.values().map(|package| package.name.clone()).collect();
    for package in packages.values_mut() {
        package.needs.retain(|name| own.contains(name));
    }
    packages
}

/// The layer of each package, by name: one above the highest of its dependencies. Dependencies have no cycles.
fn layers(packages: &BTreeMap<String, Package>) -> BTreeMap<&str, usize> {
    let mut layers = BTreeMap::new();
    while layers.len() < packages.len() {
        for package in packages.values() {
            let below: Option<Vec<usize>> = package
                .needs
                .iter()
                .map(|name| layers.get(name.as_str()).copied())
                .collect();
            if let Some(below) = below {
                layers.insert(
                    package.name.as_str(),
                    below.into_iter().max().map_or(0, |layer| layer + 1),
                );
            }
        }
    }
    layers
}

/// True if `from` depends on `to`, directly or indirectly.
fn reaches(packages: &BTreeMap<String, Package>, from: &str, to: &str) -> bool {
    let package = packages.values().find(|package| package.name == from);
    package.is_some_and(|package| {
        package
            .needs
            .iter()
            .any(|next| next == to || reaches(packages, next, to))
    })
}

const WIDTH: usize = 1100;
const LAYER: usize = 96;
const BOX: (usize, usize) = (172, 44);

/// The picture: a box for each package, and a line to each dependency that it does not also reach through another one.
fn picture(packages: &BTreeMap<String, Package>) -> String {
    let layers = layers(packages);
    let top = layers.values().max().copied().unwrap_or(0);
    let mut places: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for layer in 0..=top {
        let here: Vec<&Package> = packages
            .values()
            .filter(|package| layers[package.name.as_str()] == layer)
            .collect();
        for (index, package) in here.iter().enumerate() {
            let x = WIDTH * (2 * index + 1) / (2 * here.len());
            places.insert(&package.name, (x, 20 + (top - layer) * LAYER + BOX.1 / 2));
        }
    }
    let height = 40 + top * LAYER + BOX.1;
    let mut document = Document::new()
        .set("viewBox", (0, 0, WIDTH, height))
        .set("font-family", "sans-serif")
        .set("font-size", 14)
        .add(
            Rectangle::new()
                .set("width", WIDTH)
                .set("height", height)
                .set("fill", "white"),
        );
    for package in packages.values() {
        let (x, y) = places[package.name.as_str()];
        for need in &package.needs {
            let through = |other: &String| other != need && reaches(packages, other, need);
            if package.needs.iter().any(through) {
                continue;
            }
            let (to_x, to_y) = places[need.as_str()];
            document = document.add(
                Line::new()
                    .set("x1", x)
                    .set("y1", y + BOX.1 / 2)
                    .set("x2", to_x)
                    .set("y2", to_y - BOX.1 / 2)
                    .set("stroke", "#7a8ba8"),
            );
        }
    }
    for (folder, package) in packages {
        let (x, y) = places[package.name.as_str()];
        document = document
            .add(
                Rectangle::new()
                    .set("x", x - BOX.0 / 2)
                    .set("y", y - BOX.1 / 2)
                    .set("width", BOX.0)
                    .set("height", BOX.1)
                    .set("rx", 4)
                    .set("fill", "#eef2f8")
                    .set("stroke", "#44597a")
                    .add(Title::new().add(Characters::new(&package.purpose))),
            )
            .add(
                Text::new()
                    .set("x", x)
                    .set("y", y + 5)
                    .set("text-anchor", "middle")
                    .add(Characters::new(format!("{folder}/"))),
            );
    }
    format!("{document}\n")
}

/// The table, with the highest layer first.
fn table(packages: &BTreeMap<String, Package>) -> String {
    let layers = layers(packages);
    let mut sorted: Vec<(&String, &Package)> = packages.iter().collect();
    sorted.sort_by_key(|(folder, package)| (std::cmp::Reverse(layers[package.name.as_str()]), *folder));
    let folder_of = |name: &str| {
        packages
            .iter()
            .find(|(_, package)| package.name == name)
            .map(|(folder, _)| folder)
    };
    let mut text = String::from("| folder | package | what | needs |\n|---|---|---|---|\n");
    for (folder, package) in sorted {
        let needs: Vec<String> = package
            .needs
            .iter()
            .filter_map(|name| folder_of(name))
            .map(|folder| format!("`{folder}`"))
            .collect();
        let _ = writeln!(
            text,
            "| `{folder}/` | `{}` | {} | {} |",
            package.name,
            package.purpose,
            needs.join(", ")
        );
    }
    text
}

const BEGIN: &str = "<!-- Written by `cargo xtask update architecture`. -->\n";
const END: &str = "<!-- Up to here. -->\n";

#[test]
fn picture_shows_the_real_dependencies() {
    let packages = packages();
    let (page_path, picture_path) = (
        root().join("docs/architecture.md"),
        root().join("docs/architecture.svg"),
    );
    let page = std::fs::read_to_string(&page_path).unwrap();
    let (before, rest) = page.split_once(BEGIN).expect("the mark before the table");
    let (_, after) = rest.split_once(END).expect("the mark after the table");
    let page_now = format!("{before}{BEGIN}{}{END}{after}", table(&packages));
    let picture_now = picture(&packages);
    if std::env::var_os("FLEXGRIP_UPDATE").is_some() {
        std::fs::write(&page_path, &page_now).unwrap();
        std::fs::write(&picture_path, &picture_now).unwrap();
        return;
    }
    let hint = "the packages' dependencies have changed; `cargo xtask update architecture` regenerates them";
    assert_eq!(page, page_now, "{hint}");
    assert_eq!(std::fs::read_to_string(&picture_path).unwrap(), picture_now, "{hint}");
}

/// Forbidden dependencies: the model on the circuits, the kit on the GPU, the simulator on the bitstream packages,
/// users' programs on the generator of decode.
#[test]
fn forbidden_dependencies_do_not_exist() {
    let packages = packages();
    for (from, to) in [
        ("flexgrip-model", "flexgrip-hdl"),
        ("flexgrip-hdl", "flexgrip-model"),
        ("hdlkit", "flexgrip-machine"),
        ("flexgrip-arith", "flexgrip-machine"),
        ("flexgrip-sim", "flexgrip-synth"),
        ("flexgrip-sim", "flexgrip-decode"),
        ("flexgrip-hdl", "flexgrip-decode"),
        ("flexgrip-export", "flexgrip-decode"),
    ] {
        assert!(!reaches(&packages, from, to), "{from} needs {to}");
    }
}
