//! Finds kernels by name: folders in `kernels/`, below the current folder.

use std::path::{Path, PathBuf};

/// The folder with named kernels.
const FOLDER: &str = "kernels";

/// Minimum similarity (Jaro-Winkler, 0 to 1) of a proposed name.
const ALIKE: f64 = 0.8;

/// The path of a kernel: `path` itself or, if it does not exist, the kernel of that name in `kernels/`.
pub fn find(path: &Path) -> PathBuf {
    let named = Path::new(FOLDER).join(path);
    match !path.exists() && is_name(path) && is_kernel(&named) {
        true => named,
        false => path.to_path_buf(),
    }
}

/// The kernels in `kernels/` with names similar to the path's, at most three, the most similar first.
pub fn near(path: &Path) -> Vec<PathBuf> {
    let Some(name) = path.file_name() else {
        return Vec::new();
    };
    let name = name.to_string_lossy();
    let entries = std::fs::read_dir(FOLDER).into_iter().flatten().flatten();
    let kernels = entries.map(|entry| entry.path()).filter(|path| is_kernel(path));
    let mut alike: Vec<(f64, PathBuf)> = kernels
        .map(|path| {
            let other = path.file_name().unwrap_or_default().to_string_lossy();
            (strsim::jaro_winkler(&name, &other), path)
        })
        .filter(|(alike, _)| *alike >= ALIKE)
        .collect();
    alike.sort_by(|(one, path), (other, other_path)| other.total_cmp(one).then_with(|| path.cmp(other_path)));
    alike.into_iter().map(|(_, path)| path).take(3).collect()
}

/// True for a single word. Paths with folders are not looked up in `kernels/`.
fn is_name(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == path.as_os_str())
}

fn is_kernel(folder: &Path) -> bool {
    folder.join("launch.toml").is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_single_words_are_names() {
        for (path, expected) in [
            ("sort", true),
            ("kernels/sort", false),
            ("/sort", false),
            ("..", false),
            ("sort/", false),
            ("", false),
        ] {
            assert_eq!(is_name(Path::new(path)), expected, "{path}");
        }
    }
}
