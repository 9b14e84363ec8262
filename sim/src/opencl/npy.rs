//! Arrays in files: `.npy` in numpy's format, `.csv` and `.txt` with one element on each line.

use crate::opencl::element::{Element, Scalar};
use crate::opencl::npy_header::Header;
use flexgrip_engines::files::error::{io_reason, FileError};
use flexgrip_trace::extension::extension;
use std::path::Path;

/// The bytes of a `.npy` file's elements in C order; vectors of 3 have 4 components.
///
/// # Errors
/// The file cannot be read, has elements of another type, or has a different number of elements than requested or than
/// its header states.
pub fn read(path: &Path, element: Element, count: Option<usize>) -> Result<Vec<u8>, FileError> {
    let error = |message: String| FileError::whole(path, message);
    let bytes =
        std::fs::read(path).map_err(|reason| error(format!("cannot read the array: {}", io_reason(&reason))))?;
    let components = components(&bytes, element.scalar).map_err(error)?;
    let bytes = element.scalar.bytes() * element.length;
    if components.len() % bytes != 0 {
        return Err(error(format!(
            "it has {} numbers, which is not a whole number of {element} elements",
            components.len() / element.scalar.bytes()
        )));
    }
    if let Some(count) = count.filter(|count| count * bytes != components.len()) {
        let found = components.len() / bytes;
        return Err(error(format!("it has {found} elements; expected {count}")));
    }
    let padding = vec![0; element.bytes() - bytes];
    Ok(components
        .chunks_exact(bytes)
        .flat_map(|value| value.iter().chain(&padding).copied())
        .collect())
}

/// The numbers of a `.npy` file in C order, as little-endian bytes.
fn components(file: &[u8], scalar: Scalar) -> Result<Vec<u8>, String> {
    let (header, data) = Header::read(file).map_err(|reason| format!("not a .npy file: {reason}"))?;
    let size = scalar.bytes();
    let big_endian = match header.descr.split_at_checked(1) {
        // Bytes have no byte order: numpy writes `|`.
        Some((order @ ("<" | ">" | "|"), kind)) if kind == scalar.npy() && (order != "|" || size == 1) => order == ">",
        _ => return Err(format!("its elements are '{}', not {}", header.descr, scalar.name())),
    };
    let count = header.count()?;
    let found = data.len();
    if count.checked_mul(size) != Some(found) {
        let shape = &header.shape;
        return Err(format!(
            "it has {found} bytes after its header; expected {shape:?} elements of {size} bytes"
        ));
    }
    let mut components = Vec::with_capacity(found);
    for place in header.c_order(count) {
        components.extend_from_slice(&data[place * size..][..size]);
    }
    if big_endian {
        components.chunks_exact_mut(size).for_each(<[u8]>::reverse);
    }
    Ok(components)
}

/// The contents of an array's file, in the format given by the extension.
///
/// # Errors
/// The extension is not `.npy`, `.csv` or `.txt`, or the array cannot be written.
pub fn file(path: &Path, element: Element, bytes: &[u8]) -> Result<Vec<u8>, FileError> {
    let values = || bytes.chunks_exact(element.bytes());
    match extension(path).as_str() {
        "csv" => Ok(values()
            .map(|value| text(element, value, ",") + "\n")
            .collect::<String>()
            .into_bytes()),
        "txt" => Ok(values()
            .map(|value| text(element, value, " ") + "\n")
            .collect::<String>()
            .into_bytes()),
        "npy" => {
            npy(element, bytes).map_err(|error| FileError::whole(path, format!("cannot write the array: {error}")))
        }
        _ => Err(FileError::whole(
            path,
            "unknown kind of array; expected a .npy, .csv or .txt file",
        )),
    }
}

/// The text of an element: its components with a separator.
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

fn npy(element: Element, bytes: &[u8]) -> Result<Vec<u8>, String> {
    let mut shape = vec![bytes.len() / element.bytes()];
    if element.length > 1 {
        shape.push(element.length);
    }
    let size = element.scalar.bytes();
    let order = if size == 1 { "|" } else { "<" };
    let mut file = Header::new(format!("{order}{}", element.scalar.npy()), false, shape).write()?;
    for value in bytes.chunks_exact(element.bytes()) {
        file.extend_from_slice(&value[..size * element.length]);
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_round_trip() {
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
        assert_eq!(message(float, Some(3)), "it has 2 elements; expected 3");
        assert!(message("float4".parse().unwrap(), None).contains("not a whole number of"));
        std::fs::write(&path, "no array").unwrap();
        assert_eq!(
            message(float, None),
            "not a .npy file: it does not begin with \\x93NUMPY"
        );
        let three: Element = "uchar3".parse().unwrap();
        let csv = file(Path::new("a.csv"), three, &[1, 2, 3, 0, 4, 5, 6, 0]).unwrap();
        assert_eq!(csv, b"1,2,3\n4,5,6\n");
        assert!(file(Path::new("a.png"), three, &[]).is_err());
    }

    #[test]
    fn arrays_of_numpy_are_read() {
        let array = |descr: &str, fortran_order, shape: &[usize], data: &[u8]| {
            let header = Header::new(descr, fortran_order, shape);
            [header.write().unwrap(), data.to_vec()].concat()
        };
        let six: Vec<u8> = (0..6).collect();
        for (descr, fortran_order, shape, scalar, expected) in [
            ("|u1", false, &[2, 3][..], Scalar::Uchar, [0, 1, 2, 3, 4, 5]),
            ("|u1", true, &[2, 3], Scalar::Uchar, [0, 2, 4, 1, 3, 5]),
            (">u2", false, &[3], Scalar::Ushort, [1, 0, 3, 2, 5, 4]),
            (">u2", true, &[1, 3], Scalar::Ushort, [1, 0, 3, 2, 5, 4]),
        ] {
            let file = array(descr, fortran_order, shape, &six);
            assert_eq!(components(&file, scalar), Ok(expected.to_vec()), "{descr} {shape:?}");
        }
        assert_eq!(components(&array("|i1", false, &[], &[0]), Scalar::Char), Ok(vec![0]));
        let behind = "it has 6 bytes after its header;";
        for (descr, shape, scalar, message) in [
            ("<u2", &[3][..], Scalar::Short, "its elements are '<u2', not short"),
            ("|u2", &[3], Scalar::Ushort, "its elements are '|u2', not ushort"),
            ("u2", &[3], Scalar::Ushort, "its elements are 'u2', not ushort"),
            ("", &[3], Scalar::Ushort, "its elements are '', not ushort"),
            (
                "|u1",
                &[7],
                Scalar::Uchar,
                &format!("{behind} expected [7] elements of 1 bytes"),
            ),
            (
                "<u2",
                &[2],
                Scalar::Ushort,
                &format!("{behind} expected [2] elements of 2 bytes"),
            ),
            (
                "<u2",
                &[usize::MAX],
                Scalar::Ushort,
                &format!("{behind} expected [18446744073709551615] elements of 2 bytes"),
            ),
            (
                "<u2",
                &[usize::MAX, 2],
                Scalar::Ushort,
                "its shape [18446744073709551615, 2] has too many numbers",
            ),
        ] {
            let file = array(descr, false, shape, &six);
            assert_eq!(components(&file, scalar).unwrap_err(), message);
        }
    }
}
