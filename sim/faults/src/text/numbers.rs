//! Formatting of numbers in messages and on the page.

/// The number with commas between groups of three digits: `5,000`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number with a noun, whose plural is formed with `s`: `1 fault`, `5,000 faults`.
pub fn counted(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_in_groups_of_three() {
        for (number, expected) in [
            (0, "0"),
            (999, "999"),
            (1_000, "1,000"),
            (123_456, "123,456"),
            (1_234_567, "1,234,567"),
            (u64::MAX, "18,446,744,073,709,551,615"),
        ] {
            assert_eq!(grouped(number), expected);
        }
    }

    #[test]
    fn one_is_singular() {
        assert_eq!(
            [0, 1, 2_000].map(|number| counted(number, "fault")),
            ["0 faults", "1 fault", "2,000 faults"]
        );
    }
}
