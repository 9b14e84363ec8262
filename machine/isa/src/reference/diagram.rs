//! A row's bits drawn as text.

use crate::table::field::Field;
use crate::table::*;

/// Letters for fields in a diagram.
const KEYS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// The field's letter in its row's diagram.
pub(super) fn key(index: usize) -> char {
    KEYS.get(index).copied().map_or('?', char::from)
}

/// The row's bits as lines of text, high word first: a letter for each bit of a field, 0 and 1 where the word is fixed,
/// a dot where it is ignored. Fields that share bits are drawn below one another.
pub(super) fn diagram(row: &Row, fields: &[Field]) -> String {
    let mut layers: Vec<[char; 64]> = Vec::new();
    let covered = fields.iter().fold(0, |mask, field| mask | field.mask());
    let mut first = [' '; 64];
    for (bit, place) in first.iter_mut().enumerate() {
        if row.pattern.mask >> bit & 1 == 1 {
            *place = if row.pattern.value >> bit & 1 == 1 { '1' } else { '0' };
        } else if covered >> bit & 1 == 0 {
            *place = '.';
        }
    }
    layers.push(first);
    for (index, field) in fields.iter().enumerate() {
        let bits: Vec<usize> = (0..64).filter(|bit| field.mask() >> bit & 1 == 1).collect();
        let free = layers
            .iter()
            .position(|layer| bits.iter().all(|&bit| layer[bit] == ' '));
        let layer = free.unwrap_or_else(|| {
            layers.push([' '; 64]);
            layers.len() - 1
        });
        for bit in bits {
            layers[layer][bit] = key(index);
        }
    }
    let words: &[(usize, &str)] = match row.form() {
        Form::Short => &[(0, "low ")],
        _ => &[(32, "high"), (0, "low ")],
    };
    let mut text = String::new();
    for &(low, name) in words {
        let mut ruler = "      ".to_string();
        for byte in (0..4).rev() {
            let at = low + 8 * byte;
            ruler.push_str(&format!("{:<7}{:>2} ", at + 7, at));
        }
        text.push_str(ruler.trim_end());
        text.push('\n');
        for (i, layer) in layers.iter().enumerate() {
            let mut line = format!("{:<6}", if i == 0 { name } else { "" });
            for byte in (0..4).rev() {
                for bit in (0..8).rev() {
                    line.push(layer[low + 8 * byte + bit]);
                }
                line.push_str("  ");
            }
            if i == 0 || !line.trim().is_empty() {
                text.push_str(line.trim_end());
                text.push('\n');
            }
        }
    }
    text
}
