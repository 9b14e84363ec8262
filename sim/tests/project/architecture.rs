//! docs/architecture.md: stale when the packages' dependencies change, since its picture and its table of rooms are
//! generated from them. `make architecture` writes them.

use crate::common::root;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use svg::node::element::{Line, Rectangle, Text, Title};
use svg::node::Text as Characters;
use svg::Document;

/// A package of the workspace.
struct Room {
    name: String,
    purpose: String,
    /// Names of the workspace packages that it needs to build.
    needs: BTreeSet<String>,
}

/// The rooms by folder.
fn rooms() -> BTreeMap<String, Room> {
    let read = |path: &str| -> toml::Table {
        let text = std::fs::read_to_string(root().join(path)).unwrap();
        text.parse().unwrap()
    };
    let workspace = read("Cargo.toml");
    let members = workspace["workspace"]["members"].as_array().unwrap();
    let mut rooms = BTreeMap::new();
    for folder in members.iter().map(|member| member.as_str().unwrap()) {
        let manifest = read(&format!("{folder}/Cargo.toml"));
        let package = &manifest["package"];
        let needs = manifest.get("dependencies").and_then(toml::Value::as_table);
        let room = Room {
            name: package["name"].as_str().unwrap().into(),
            purpose: package["description"].as_str().unwrap().into(),
            needs: needs.into_iter().flatten().map(|(name, _)| name.clone()).collect(),
        };
        rooms.insert(folder.to_string(), room);
    }
    let own: BTreeSet<String> = rooms.values().map(|room| room.name.clone()).collect();
    for room in rooms.values_mut() {
        room.needs.retain(|name| own.contains(name));
    }
    rooms
}

/// The rooms' floors, by name: one above the highest of the rooms that they need. Packages have no dependency cycles.
fn floors(rooms: &BTreeMap<String, Room>) -> BTreeMap<&str, usize> {
    let mut floors = BTreeMap::new();
    while floors.len() < rooms.len() {
        for room in rooms.values() {
            let below: Option<Vec<usize>> = room
                .needs
                .iter()
                .map(|name| floors.get(name.as_str()).copied())
                .collect();
            if let Some(below) = below {
                floors.insert(room.name.as_str(), below.into_iter().max().map_or(0, |floor| floor + 1));
            }
        }
    }
    floors
}

/// Whether `from` needs `to`, directly or through others.
fn reaches(rooms: &BTreeMap<String, Room>, from: &str, to: &str) -> bool {
    let room = rooms.values().find(|room| room.name == from);
    room.is_some_and(|room| room.needs.iter().any(|next| next == to || reaches(rooms, next, to)))
}

const WIDTH: usize = 960;
const FLOOR: usize = 96;
const BOX: (usize, usize) = (150, 44);

/// The house: a box for each room, and a line to each room that it needs, except rooms that it also reaches through
/// another.
fn picture(rooms: &BTreeMap<String, Room>) -> String {
    let floors = floors(rooms);
    let top = floors.values().max().copied().unwrap_or(0);
    let mut places: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for floor in 0..=top {
        let here: Vec<&Room> = rooms
            .values()
            .filter(|room| floors[room.name.as_str()] == floor)
            .collect();
        for (index, room) in here.iter().enumerate() {
            let x = WIDTH * (2 * index + 1) / (2 * here.len());
            places.insert(&room.name, (x, 20 + (top - floor) * FLOOR + BOX.1 / 2));
        }
    }
    let height = 40 + top * FLOOR + BOX.1;
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
    for room in rooms.values() {
        let (x, y) = places[room.name.as_str()];
        for need in &room.needs {
            let through = |other: &String| other != need && reaches(rooms, other, need);
            if room.needs.iter().any(through) {
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
    for (folder, room) in rooms {
        let (x, y) = places[room.name.as_str()];
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
                    .add(Title::new().add(Characters::new(&room.purpose))),
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

/// The table, the highest floor first.
fn table(rooms: &BTreeMap<String, Room>) -> String {
    let floors = floors(rooms);
    let mut sorted: Vec<(&String, &Room)> = rooms.iter().collect();
    sorted.sort_by_key(|(folder, room)| (std::cmp::Reverse(floors[room.name.as_str()]), *folder));
    let folder_of = |name: &str| {
        rooms
            .iter()
            .find(|(_, room)| room.name == name)
            .map(|(folder, _)| folder)
    };
    let mut text = String::from("| room | package | what | needs |\n|---|---|---|---|\n");
    for (folder, room) in sorted {
        let needs: Vec<String> = room
            .needs
            .iter()
            .filter_map(|name| folder_of(name))
            .map(|folder| format!("`{folder}`"))
            .collect();
        let _ = writeln!(
            text,
            "| `{folder}/` | `{}` | {} | {} |",
            room.name,
            room.purpose,
            needs.join(", ")
        );
    }
    text
}

const BEGIN: &str = "<!-- Written by `make architecture`. -->\n";
const END: &str = "<!-- Up to here. -->\n";

#[test]
fn the_picture_is_that_of_the_real_dependencies() {
    let rooms = rooms();
    let (page_path, picture_path) = (
        root().join("docs/architecture.md"),
        root().join("docs/architecture.svg"),
    );
    let page = std::fs::read_to_string(&page_path).unwrap();
    let (before, rest) = page.split_once(BEGIN).expect("the mark before the table");
    let (_, after) = rest.split_once(END).expect("the mark after the table");
    let page_now = format!("{before}{BEGIN}{}{END}{after}", table(&rooms));
    let picture_now = picture(&rooms);
    if std::env::var_os("FLEXGRIP_UPDATE_ARCHITECTURE").is_some() {
        std::fs::write(&page_path, &page_now).unwrap();
        std::fs::write(&picture_path, &picture_now).unwrap();
        return;
    }
    let hint = "the packages' dependencies have changed; `make architecture` draws them anew";
    assert_eq!(page, page_now, "{hint}");
    assert_eq!(std::fs::read_to_string(&picture_path).unwrap(), picture_now, "{hint}");
}

/// Forbidden dependencies: the model on the circuits, the kit on the GPU, the simulator on the bitstream packages.
#[test]
fn no_room_needs_one_that_it_must_not_know() {
    let rooms = rooms();
    for (from, to) in [
        ("flexgrip-model", "flexgrip-hdl"),
        ("flexgrip-hdl", "flexgrip-model"),
        ("hdlkit", "flexgrip-machine"),
        ("flexgrip-arith", "flexgrip-machine"),
        ("flexgrip-sim", "flexgrip-synth"),
    ] {
        assert!(!reaches(&rooms, from, to), "{from} needs {to}");
    }
}
