//! Files and folders within a package have no circular dependencies: a file does not use an item of a file that uses,
//! directly or through others, one of its own.
//!
//! Files are read up to their tests, with their `use` and all other paths. A re-exported item counts for the file that
//! defines it; an item of another package, for the file that re-exports it. Method calls do not name a file and are not
//! followed.

use crate::architecture::packages;
use crate::root;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use syn::visit::Visit;
use syn::{Item, UseTree};

/// The path of a module in its crate, which is also the path of its file.
type ModulePath = Vec<String>;

/// A module, in a file of its own or within another module.
#[derive(Default)]
struct Module {
    /// The module of the file that contains this one: itself, except for a module within braces.
    file: ModulePath,
    imports: BTreeMap<String, Vec<String>>,
    /// All paths in the code. An import of all names of a module ends with `*`.
    paths: BTreeSet<Vec<String>>,
}

impl Module {
    fn add_use(&mut self, tree: &UseTree, mut path: Vec<String>) {
        let (segment, name) = match tree {
            UseTree::Path(inner) => {
                path.push(inner.ident.to_string());
                return self.add_use(&inner.tree, path);
            }
            UseTree::Group(group) => return group.items.iter().for_each(|item| self.add_use(item, path.clone())),
            UseTree::Glob(_) => ("*".to_string(), "*".to_string()),
            UseTree::Name(name) => (name.ident.to_string(), name.ident.to_string()),
            UseTree::Rename(rename) => (rename.ident.to_string(), rename.rename.to_string()),
        };
        let name = if name == "self" {
            path[path.len() - 1].clone()
        } else {
            name
        };
        path.extend(Some(segment).filter(|segment| segment != "self"));
        self.paths.insert(path.clone());
        self.imports.insert(name, path);
    }
}

impl<'ast> Visit<'ast> for Module {
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.add_use(&item.tree, Vec::new());
    }
    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments = path.segments.iter().map(|segment| segment.ident.to_string());
        self.paths.insert(segments.collect());
        syn::visit::visit_path(self, path);
    }
    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        let text = call.tokens.to_string().replace(" :: ", "::");
        for path in text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')) {
            self.paths.insert(path.split("::").map(str::to_string).collect());
        }
    }
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
    // `pub(in path)` uses nothing of the path.
    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {}
}

/// The modules of one crate.
#[derive(Default)]
struct Crate(BTreeMap<ModulePath, Module>);

impl Crate {
    /// Reads the file of a module and the files of its modules, which are in `folder`.
    fn read(&mut self, file: &Path, module: ModulePath, folder: &Path) {
        let text = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        let items = syn::parse_file(text)
            .unwrap_or_else(|error| panic!("{}: {error}", file.display()))
            .items;
        self.add(&module.clone(), module, &items, folder);
    }

    fn add(&mut self, file: &ModulePath, path: ModulePath, items: &[Item], folder: &Path) {
        let mut module = Module {
            file: file.clone(),
            ..Module::default()
        };
        for item in items {
            let Item::Mod(inner) = item else {
                module.visit_item(item);
                continue;
            };
            let name = inner.ident.to_string();
            let child: ModulePath = path.iter().chain([&name]).cloned().collect();
            let below = folder.join(&name);
            match &inner.content {
                Some((_, items)) => self.add(file, child, items, &below),
                None if is_test(inner) => {}
                None => {
                    let alone = folder.join(format!("{name}.rs"));
                    let file = if alone.exists() { alone } else { below.join("mod.rs") };
                    self.read(&file, child, &below);
                }
            }
        }
        self.0.insert(path, module);
    }

    /// The module that a path leads to from a module, or the module that defines its item, and the item. The result is
    /// `None` for items of other crates, and after `steps` imports.
    fn target(&self, from: &ModulePath, path: &[String], steps: usize) -> Option<(ModulePath, Option<String>)> {
        let mut at = from.clone();
        for (index, segment) in path.iter().enumerate() {
            let child: ModulePath = at.iter().chain([segment]).cloned().collect();
            let is_last = index + 1 == path.len();
            let import = self.0.get(&at).and_then(|module| module.imports.get(segment));
            match (segment.as_str(), import) {
                ("crate", _) => at.clear(),
                ("self", _) => {}
                ("super", _) => drop(at.pop()?),
                // A module and an item may have the same name.
                _ if self.0.contains_key(&child) && !(is_last && import.is_some()) => at = child,
                (_, Some(import)) if segment != "*" => match self.target(&at, import, steps.checked_sub(1)?)? {
                    (module, None) => at = module,
                    item => return Some(item),
                },
                _ if index == 0 => return None,
                _ => return Some((at, Some(segment.clone()))),
            }
        }
        Some((at, None))
    }

    /// The items of other files that each file uses.
    fn uses(&self) -> Uses {
        let mut uses = Uses::new();
        for (at, module) in &self.0 {
            for path in &module.paths {
                if let Some((target, Some(item))) = self.target(at, path, 20) {
                    let file = &self.0[&target].file;
                    if *file != module.file {
                        uses.entry((module.file.clone(), file.clone()))
                            .or_default()
                            .insert(item);
                    }
                }
            }
        }
        uses
    }
}

fn is_test(module: &syn::ItemMod) -> bool {
    let is_test = |attribute: &syn::Attribute| attribute.parse_args::<syn::Ident>().is_ok_and(|name| name == "test");
    module.attrs.iter().any(is_test)
}

/// From a file or folder to another one: the items.
type Uses = BTreeMap<(ModulePath, ModulePath), BTreeSet<String>>;

/// The uses between the folders, or files, of one folder.
fn between_folders(uses: &Uses) -> Uses {
    let mut folders = Uses::new();
    for ((from, to), items) in uses {
        let common = from.iter().zip(to).take_while(|(a, b)| a == b).count();
        if common < from.len().min(to.len()) {
            let key = (from[..=common].to_vec(), to[..=common].to_vec());
            let detail = items
                .iter()
                .map(|item| format!("{}->{}::{item}", from.join("/"), to.join("/")));
            folders.entry(key).or_default().extend(detail);
        }
    }
    folders
}

/// The uses that are part of a circular dependency, as text.
fn circles(uses: &Uses) -> Vec<String> {
    let reaches = |from: &ModulePath, to: &ModulePath| {
        let (mut seen, mut next) = (BTreeSet::from([from]), vec![from]);
        while let Some(at) = next.pop() {
            let below = uses.keys().filter(|(from, _)| from == at);
            next.extend(below.map(|(_, to)| to).filter(|to| seen.insert(to)));
        }
        seen.contains(to)
    };
    let name = |path: &ModulePath| {
        if path.is_empty() {
            "the root".to_string()
        } else {
            path.join("/")
        }
    };
    let closed = uses.iter().filter(|((from, to), _)| reaches(to, from));
    closed
        .map(|((from, to), items)| {
            let items: Vec<&str> = items.iter().map(String::as_str).collect();
            format!("{} uses {}: {}", name(from), name(to), items.join(", "))
        })
        .collect()
}

/// The uses that close circular dependencies of files, then of folders, in the crate with this root; and the number of
/// its modules.
fn circles_of_crate(root: &Path, modules: &Path) -> (Vec<String>, usize) {
    let mut part = Crate::default();
    part.read(root, ModulePath::new(), modules);
    let uses = part.uses();
    let lines = [circles(&uses), circles(&between_folders(&uses))];
    (lines.concat(), part.0.len())
}

/// The roots of the crates in a package's `src`, and the folders of their modules.
fn roots(source: &Path) -> Vec<(PathBuf, PathBuf)> {
    let mut roots: Vec<_> = ["lib.rs", "main.rs"]
        .map(|name| (source.join(name), source.to_path_buf()))
        .into();
    for entry in std::fs::read_dir(source.join("bin")).into_iter().flatten() {
        let path = entry.unwrap().path();
        roots.push((path.clone(), source.join("bin")));
        roots.push((path.join("main.rs"), path));
    }
    roots.retain(|(file, _)| file.is_file());
    roots
}

#[test]
fn packages_have_no_circles() {
    let (mut found, mut modules) = (Vec::new(), 0);
    for folder in packages().keys() {
        for (file, below) in roots(&root().join(folder).join("src")) {
            let (lines, count) = circles_of_crate(&file, &below);
            modules += count;
            found.extend(lines.into_iter().map(|line| format!("{folder}: {line}")));
        }
    }
    assert!(modules > 500, "{modules} modules");
    assert!(found.is_empty(), "circles of files:\n{}", found.join("\n"));
}

#[test]
fn circles_are_found() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("circles");
    let write = |path: &str, text: &str| {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    // a uses b through the root's re-export, b uses all of c, and c uses a in a macro.
    write(
        "lib.rs",
        "mod a; mod b; mod c; pub use b::B;\n#[cfg(test)]\nmod tests { use crate::a::A; }",
    );
    write("a.rs", "use crate::B; pub struct A(B);");
    write("b.rs", "use super::c::*; pub fn b() { let _ = one(); } pub struct B;");
    write(
        "c/mod.rs",
        "mod d; pub fn one() { println!(\"{}\", crate::a::A::NAME); }",
    );
    write("c/d.rs", "pub fn d() { super::super::b::b() }");
    let (lines, _) = circles_of_crate(&folder.join("lib.rs"), &folder);
    let files = ["a uses b: B", "b uses c: *", "c uses a: A"];
    let folders = [
        "a uses b: a->b::B",
        "b uses c: b->c::*",
        "c uses a: c->a::A",
        "c uses b: c/d->b::b",
    ];
    assert_eq!(lines, [&files[..], &folders].concat());
}
