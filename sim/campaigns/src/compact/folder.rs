//! Writes a kernel's folder with a different program.

use super::error::CompactError;
use flexgrip_engines::files::error::{read_text, FileError};
use flexgrip_engines::files::expectation::initial_global;
use flexgrip_engines::files::launch::Kernel;
use flexgrip_engines::files::output::write_file;
use flexgrip_engines::outside::IoError;
use flexgrip_trace::extension::extension;
use std::fmt::Write;
use std::path::Path;
use toml::{Table, Value};

/// The files of a kernel, except for its program and its expected results.
pub struct Files {
    launch: Table,
    /// The memory images, with their names in the new folder.
    images: Vec<(String, String)>,
    /// The text of the program.
    pub text: String,
}

impl Files {
    /// Reads the files of a kernel whose program is assembly text.
    ///
    /// # Errors
    /// The program is not assembly text, or does not begin at address 0; or a file cannot be read.
    pub fn new(kernel: &Kernel) -> Result<Files, CompactError> {
        let path = &kernel.path;
        let wrong = |message: &str| FileError::whole(path, message);
        let text = read_text(path, "launch file")?;
        let mut launch: Table = toml::from_str(&text).map_err(|error| wrong(error.message()))?;
        let folder = path.parent().unwrap_or(Path::new("."));
        let program = folder.join(launch.get("program").and_then(Value::as_str).unwrap_or_default());
        if extension(&program) != "sass" {
            return Err(wrong(
                "expected a program in assembly text, .sass: its instructions are deleted by name, with labels",
            )
            .into());
        }
        if launch.get("entry").is_some_and(|entry| entry.is_integer()) {
            return Err(wrong(
                "`entry` is an address, which changes when instructions are deleted; expected a kernel's name, or none",
            )
            .into());
        }
        launch.remove("expect");
        launch.remove("reference");
        launch.insert("program".into(), "kernel.sass".into());
        let mut images = vec![];
        for image in launch
            .get_mut("memory")
            .and_then(Value::as_array_mut)
            .into_iter()
            .flatten()
        {
            let Some(file) = image.get_mut("file") else { continue };
            let name = format!("memory{}.hex", images.len());
            let contents = read_text(&folder.join(file.as_str().unwrap_or_default()), "memory image")?;
            *file = name.clone().into();
            images.push((name, contents));
        }
        let text = read_text(&program, "program")?;
        Ok(Files { launch, images, text })
    }

    /// Writes a kernel with this program and without expected results, and loads it.
    ///
    /// # Errors
    /// Files cannot be written. The inner result is an error if the kernel cannot be loaded.
    pub fn load(&self, folder: &Path, text: &str) -> Result<Result<Kernel, FileError>, IoError> {
        self.write(folder, text, None)?;
        Ok(Kernel::load(folder))
    }

    /// Writes a kernel with this program; `expected` is the memory at the end. The launch file is removed first and
    /// written last, because a folder without a launch file is not a kernel.
    ///
    /// # Errors
    /// Files cannot be written.
    pub fn write(&self, folder: &Path, text: &str, expected: Option<(&Kernel, &[u32])>) -> Result<(), IoError> {
        let launch_file = folder.join("launch.toml");
        if launch_file.exists() {
            let what = format!("cannot remove {}", launch_file.display());
            std::fs::remove_file(&launch_file).map_err(IoError::of(what))?;
        }
        for (name, contents) in &self.images {
            write_file(&folder.join(name), contents)?;
        }
        let about = match expected {
            None => "",
            Some(_) => "// Made by flexgrip faults compact: comments may refer to deleted instructions.\n",
        };
        write_file(&folder.join("kernel.sass"), &format!("{about}{text}"))?;
        let mut launch = self.launch.clone();
        if let Some((kernel, global)) = expected {
            // The expectations of the original kernel may not hold for this program.
            launch.insert(
                "summary".into(),
                format!("a self-test, compacted from {}", kernel.launch.name).into(),
            );
            write_file(&folder.join("expected.txt"), &expectation(kernel, global))?;
            let expect = Table::from_iter([
                ("space".to_string(), Value::from("global")),
                ("file".into(), "expected.txt".into()),
                ("exact".into(), true.into()),
                ("compare".into(), "u32".into()),
            ]);
            launch.insert("expect".into(), Value::Array(vec![expect.into()]));
        }
        let launch = toml::to_string(&launch).map_err(std::io::Error::other);
        let launch = launch.map_err(IoError::of("cannot write the launch file"))?;
        write_file(&launch_file, &launch)
    }
}

/// The expected words: all words that a run has changed.
fn expectation(kernel: &Kernel, global: &[u32]) -> String {
    let before = initial_global(&kernel.launch, global.len());
    let mut text = String::new();
    for (place, (word, _)) in global
        .iter()
        .zip(&before)
        .enumerate()
        .filter(|(_, (word, before))| word != before)
    {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{:05x} {word:08x}", 4 * place);
    }
    text
}
