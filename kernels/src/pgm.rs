//! Grayscale pictures: the PGM format (Netpbm), which any viewer shows.
//!
//! Files in the kernels' folders are plain PGMs, text that begins with `P2`. In the kernels' memory a picture is a
//! binary PGM, which begins with `P5`: a header of 16 bytes, then one byte per pixel, row by row. So the bytes of
//! memory from the header to the last pixel, written to a file, form a picture again.

/// Bytes of a picture's header in memory, a multiple of 4.
pub const HEADER_BYTES: usize = 16;

/// A picture with at most 256 levels of grey.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    pub width: usize,
    pub height: usize,
    /// The level of white.
    pub white: u8,
    /// The pixels row by row, from the upper left.
    pub pixels: Vec<u8>,
}

impl Picture {
    /// Reads a plain PGM that belongs to the source.
    ///
    /// # Panics
    /// Panics if it is not a plain PGM with at most 256 levels.
    pub fn of_source(text: &str) -> Picture {
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or(""));
        let mut words = lines.flat_map(str::split_whitespace);
        assert_eq!(words.next(), Some("P2"), "not a plain PGM");
        let mut numbers = words.map(|word| word.parse::<usize>().expect("a number in the PGM"));
        let mut number = || numbers.next().expect("width, height and white level");
        let (width, height, white) = (number(), number(), number());
        let white = u8::try_from(white).expect("at most 256 levels");
        let pixels: Vec<u8> = numbers
            .map(|pixel| u8::try_from(pixel).ok().filter(|&pixel| pixel <= white))
            .map(|pixel| pixel.expect("a pixel no brighter than white"))
            .collect();
        assert_eq!(pixels.len(), width * height, "pixels");
        Picture {
            width,
            height,
            white,
            pixels,
        }
    }

    /// The picture as a plain PGM, with a comment line.
    pub fn text(&self, comment: &str) -> String {
        let Picture {
            width, height, white, ..
        } = self;
        let mut text = format!("P2\n# {comment}\n{width} {height}\n{white}\n");
        // The format does not allow lines longer than 70 characters.
        for row in self.pixels.chunks(self.width) {
            for part in row.chunks(16) {
                let numbers: Vec<String> = part.iter().map(u8::to_string).collect();
                text += &numbers.join(" ");
                text.push('\n');
            }
        }
        text
    }

    /// The header in memory.
    pub fn header(&self) -> Vec<u8> {
        let numbers = format!("P5 {} {} {}", self.width, self.height, self.white);
        // The format requires one blank before the pixels, and allows any number of blanks before the last number.
        let (size, white) = numbers.rsplit_once(' ').expect("a blank");
        let blanks = HEADER_BYTES - 1 - white.len();
        format!("{size:blanks$}{white}\n").into_bytes()
    }

    /// The picture as a binary PGM, as in memory.
    pub fn bytes(&self) -> Vec<u8> {
        [self.header(), self.pixels.clone()].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn picture_is_written_as_text_and_bytes() {
        let picture = Picture {
            width: 20,
            height: 2,
            white: 200,
            pixels: (0..40).map(|pixel| 5 * pixel).collect(),
        };
        assert_eq!(Picture::of_source(&picture.text("a ramp")), picture);
        assert!(picture.text("a ramp").lines().all(|line| line.len() <= 70));
        let bytes = picture.bytes();
        assert_eq!(&bytes[..HEADER_BYTES], b"P5 20 2     200\n");
        assert_eq!(&bytes[HEADER_BYTES..], &picture.pixels);
    }
}
