//! Arrays in files: `.npy` as numpy has them, `.csv` and `.txt` with an element a line.

use crate::files::error::{io_reason, FileError};
use crate::opencl::element::{with_type, Element, Scalar};
use npyz::{NpyFile, WriterBuilder};
use std::path::Path;

/// The bytes of a `.npy` file's elements, 4 components for a vector of 3.
///
/// # Errors
/// The file cannot be read, has elements of another type, or fewer or more than are wanted.
pub fn read(path: &Path, element: Element, count: Option<usize>) -> Result<Vec<u8>, FileError> {
    let error = |message: String| FileError::whole(path, message);
    let bytes =
        std::fs::read(path).map_err(|reason| error(format!("cannot read the array: {}", io_reason(&reason))))?;
    let file = NpyFile::new(bytes.as_slice()).map_err(|reason| error(format!("not a .npy file: {reason}")))?;
    let found = file.dtype().descr();
    let components: Vec<u8> = with_type!(element.scalar, T => {
        let numbers = file
            .into_vec::<T>()
            .map_err(|_| error(format!("its elements are {found}, not {}", element.scalar.name())))?;
        numbers.into_iter().flat_map(T::to_le_bytes).collect()
    });
    let bytes = element.scalar.bytes() * element.length;
    if components.len() % bytes != 0 {
        return Err(error(format!(
            "it has {} numbers, which are no whole elements of {element}",
            components.len() / element.scalar.bytes()
        )));
    }
    if let Some(count) = count.filter(|count| count * bytes != components.len()) {
        let found = components.len() / bytes;
        return Err(error(format!("it has {found} elements; {count} are wanted")));
    }
    let padding = vec![0; element.bytes() - bytes];
    Ok(components
        .chunks_exact(bytes)
        .flat_map(|value| value.iter().chain(&padding).copied())
        .collect())
}

/// An array as the contents of a file, of the kind that its extension says.
///
/// # Errors
/// Another extension than `.npy`, `.csv` or `.txt`, or an array that cannot be written.
pub fn file(path: &Path, element: Element, bytes: &[u8]) -> Result<Vec<u8>, FileError> {
    let values = || bytes.chunks_exact(element.bytes());
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("csv") => Ok(values()
            .map(|value| text(element, value, ",") + "\n")
            .collect::<String>()
            .into_bytes()),
        Some("txt") => Ok(values()
            .map(|value| text(element, value, " ") + "\n")
            .collect::<String>()
            .into_bytes()),
        Some("npy") => {
            npy(element, bytes).map_err(|error| FileError::whole(path, format!("cannot write the array: {error}")))
        }
        _ => Err(FileError::whole(
            path,
            "unknown kind of array; expected a .npy, .csv or .txt file",
        )),
    }
}

/// An element's components, separated.
#[must_use]
pub fn text(element: Element, value: &[u8], separator: &str) -> String {
    let size = element.scalar.bytes();
    let parts: Vec<String> = value
        .chunks_exact(size)
        .take(element.length)
        .map(|component| element.scalar.text(component))
        .collect();
    parts.join(separator)
}

fn npy(element: Element, bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut file = Vec::new();
    let mut shape = vec![(bytes.len() / element.bytes()) as u64];
    if element.length > 1 {
        shape.push(element.length as u64);
    }
    with_type!(element.scalar, T => {
        let mut writer = npyz::WriteOptions::new()
            .default_dtype()
            .shape(&shape)
            .writer(&mut file)
            .begin_nd()?;
        for value in bytes.chunks_exact(element.bytes()) {
            for component in value.chunks_exact(size_of::<T>()).take(element.length) {
                if let Ok(component) = component.try_into() {
                    writer.push(&T::from_le_bytes(component))?;
                }
            }
        }
        writer.finish()?;
    });
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_come_back() {
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in [
            ("float", vec![0, 0, 128, 63, 0, 0, 0, 64]),
            ("uchar3", vec![1, 2, 3, 0, 4, 5, 6, 0]),
            ("long2", (0..32).collect()),
        ] {
            let element: Element = name.parse().unwrap();
            let path = folder.path().join(format!("{name}.npy"));
            std::fs::write(&path, file(&path, element, &bytes).unwrap()).unwrap();
            assert_eq!(read(&path, element, None).unwrap(), bytes, "{name}");
        }
        let path = folder.path().join("float.npy");
        let int: Element = "int".parse().unwrap();
        let message = |element: Element, count| read(&path, element, count).unwrap_err().message;
        assert_eq!(message(int, None), "its elements are '<f4', not int");
        let float: Element = "float".parse().unwrap();
        assert_eq!(message(float, Some(3)), "it has 2 elements; 3 are wanted");
        assert!(message("float4".parse().unwrap(), None).contains("no whole elements"));
        std::fs::write(&path, "no array").unwrap();
        assert!(message(float, None).starts_with("not a .npy file"));
        let three: Element = "uchar3".parse().unwrap();
        let csv = file(Path::new("a.csv"), three, &[1, 2, 3, 0, 4, 5, 6, 0]).unwrap();
        assert_eq!(csv, b"1,2,3\n4,5,6\n");
        assert!(file(Path::new("a.png"), three, &[]).is_err());
    }
}
