//! The flags that follow from a row's operands: the location and width of each.

use super::control::Line;
use super::entry::Entry;
use flexgrip_isa::table::{Form, Location, Role, Slot, Unit};
use flexgrip_isa::Field;

/// The bit that makes a sized operand 32 bits wide, in long words and in other words.
const WIDE_BITS: (u32, u32) = (58, 15);
/// The corresponding bit of a conversion's source, in long words.
const FROM_BIT: u32 = 46;
/// The line that makes a product's operands whole registers.
const PRODUCT_LINE: &str = "integer.multiply_24";

/// The bit or line that determines the width of a register operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Size {
    Whole,
    /// One of the bits [`WIDE_BITS`], by the form of the word.
    Sized,
    /// Bit [`FROM_BIT`] of a long word.
    From,
    /// Bit 53 of a long word.
    Word,
    /// The line [`PRODUCT_LINE`] of the unit's control.
    Product,
}

impl Entry {
    /// Sets the flags of the row's operands and of its result.
    pub fn operands(&mut self) {
        let [a, b, c] = self.control.operands.map(|role| match role {
            Role::Inherent => self.row.slots.iter().find(|slot| matches!(slot.location, Location::OptionalNumber(_))),
            role => self.row.slots.iter().find(|slot| slot.role == role),
        });
        if let Some(slot) = a {
            self.a(slot);
        }
        if let Some(slot) = b {
            self.b(slot);
        }
        if let Some(slot) = c {
            self.c(slot);
        }
        self.result();
    }

    /// Sample words of the row. The bits that the pattern leaves free are random, which shows the bits that matter.
    fn words(&self) -> impl Iterator<Item = u64> + '_ {
        let mut state = 0x9e37_79b9_7f4a_7c15u64;
        let words = std::iter::repeat_with(move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        });
        let own = words.map(|word| word & !self.row.pattern.mask | self.row.pattern.value);
        own.filter(|word| Form::of(*word) == self.row.form()).take(2_000)
    }

    /// The bit that gives a register's width.
    fn size(&self, location: &Location) -> Size {
        self.size_of(location, [Size::From, Size::Sized, Size::Word, Size::Product, Size::Whole])
    }

    /// The first of `sizes` that matches. Even where the pattern fixes a bit, the width is taken from that bit, because
    /// neighbouring rows do so.
    fn size_of(&self, location: &Location, sizes: [Size; 5]) -> Size {
        let wide = if self.row.form() == Form::Long { WIDE_BITS.0 } else { WIDE_BITS.1 };
        let product = self.control.reads.iter().find_map(|reading| {
            let line = reading.lines.iter().find(|line| line.path() == PRODUCT_LINE)?;
            Some((reading.field(self.row.form())?, *line))
        });
        for size in sizes {
            let is_wide = |word: u64| match (size, product) {
                (Size::Whole, _) => true,
                (Size::Sized, _) => word >> wide & 1 == 1,
                (Size::From, _) => word >> FROM_BIT & 1 == 1,
                (Size::Word, _) => word >> 53 & 1 == 1,
                (Size::Product, Some((field, Line::When(_, values)))) => values.contains(&field.get(word)),
                (Size::Product, _) => false,
            };
            let holds = self.words().all(|word| match location.resolve(word) {
                Location::Word(_) | Location::Global(..) => is_wide(word),
                Location::Half(_) => !is_wide(word),
                _ => true,
            });
            if holds {
                return size;
            }
        }
        self.fail(&format!("tell how wide {location:?} is"))
    }

    /// The lowest bit of the operand's register field; `None` if the operand is never a register.
    fn register_bit(&self, location: &Location) -> Option<u32> {
        let mut bits: Vec<u32> = vec![];
        for alternative in location.alternatives() {
            if let Location::Word(field) | Location::Half(field) | Location::Global(_, field) = alternative {
                bits.push(field.parts[0].0);
            }
        }
        bits.dedup();
        match bits[..] {
            [] => None,
            [bit] => Some(bit),
            _ => self.fail("read an operand from two register fields"),
        }
    }

    fn is(&self, location: &Location, kind: fn(&Location) -> bool) -> bool {
        location.alternatives().iter().any(kind)
    }

    fn a(&mut self, slot: &Slot) {
        let location = &slot.location;
        match location {
            Location::Number(_) | Location::FloatNumber(_) => return self.a_as_result("a_is_number"),
            Location::Address(_) => return self.set("a", "reads_address"),
            Location::ConditionCode(_) => return self.set("a", "reads_code"),
            Location::Special(_) => return self.set("a", "reads_special"),
            Location::Local { .. } => {
                self.set("a", "reads_address");
                return self.set("a", "is_local");
            }
            _ => {}
        }
        let Some(bit) = self.register_bit(location) else {
            if self.is(location, |location| matches!(location, Location::Constant { .. })) {
                return self.a_as_result("moves_constant");
            }
            if self.is(location, |location| matches!(location, Location::Shared { .. })) {
                return self.set("a", "scatters");
            }
            self.fail("use this slot as operand a")
        };
        self.set("a", "uses_a");
        match bit {
            9 => {}
            46 => self.set("a", "a_is_3"),
            _ => self.fail("have operand a there"),
        }
        if self.is(location, |location| matches!(location, Location::Shared { .. })) {
            self.set("a", "shared_a");
        }
        match self.size(location) {
            Size::Whole => {}
            Size::Sized => self.set("a", "sized_a"),
            Size::From => self.set("a", "from_a"),
            Size::Product => self.set("a", "product"),
            Size::Word => self.fail("read operand a's width from bit 53"),
        }
    }

    fn b(&mut self, slot: &Slot) {
        let location = &slot.location;
        match location {
            Location::Number(field) | Location::FloatNumber(field) | Location::OptionalNumber(field) => {
                let flag = match field.parts {
                    [(16, 6), (34, 26)] => "b_is_number",
                    [(16, 4)] => "b_is_shift",
                    [(9, 16)] => "b_is_offset",
                    _ => self.fail("read an immediate from this slot"),
                };
                return self.set("b", flag);
            }
            _ => {}
        }
        let Some(bit) = self.register_bit(location) else { self.fail("use this slot as operand b") };
        self.set("b", "uses_b");
        match bit {
            16 => {}
            46 => self.set("b", "b_is_3"),
            9 => self.set("b", "b_is_1"),
            2 => self.set("b", "b_is_destination"),
            _ => self.fail("have operand b there"),
        }
        if self.is(location, |location| matches!(location, Location::Constant { .. })) {
            self.set("b", "constant_b");
        }
        if self.is(location, |location| matches!(location, Location::Number(_))) {
            let Location::Select(Field { parts: [(52, 1)], .. }, [_, Location::Number(Field { parts: [(16, 7)], .. })]) =
                location
            else {
                self.fail("choose a number so")
            };
            self.set("b", "b_is_count");
        }
        match self.size(location) {
            Size::Whole => {}
            Size::Sized => self.set("b", "sized_b"),
            Size::Word => self.set("b", "word_b"),
            Size::Product => self.set("a", "product"),
            Size::From => self.fail("read operand b's width from bit 46"),
        }
    }

    fn c(&mut self, slot: &Slot) {
        let location = &slot.location;
        if let Location::Number(_) | Location::FloatNumber(_) = location {
            return self.set("c", "c_is_number");
        }
        let Some(bit) = self.register_bit(location) else { self.fail("use this slot as operand c") };
        self.set("c", "uses_c");
        match bit {
            46 => {}
            16 => self.set("c", "c_is_2"),
            2 => self.set("c", "c_is_destination"),
            _ => self.fail("have operand c there"),
        }
        if self.is(location, |location| matches!(location, Location::Constant { .. })) {
            self.set("c", "constant_c");
        }
        if self.size(location) != Size::Whole {
            self.fail("read a half register as operand c");
        }
    }

    fn result_size(&self) -> Option<Size> {
        let slot = self.slot(Role::Destination)?;
        Some(self.size_of(&slot.location, [Size::Sized, Size::Whole, Size::From, Size::Word, Size::Product]))
    }

    /// An operand that is neither a register nor in s[] is as wide as the result.
    fn a_as_result(&mut self, flag: &str) {
        self.set("a", flag);
        if self.result_size() == Some(Size::Sized) {
            self.set("a", "sized_a");
        }
    }

    fn result(&mut self) {
        let Some(slot) = self.slot(Role::Destination) else {
            if self.row.unit == Unit::Memory {
                self.set("result", "store");
            }
            return;
        };
        match slot.location {
            Location::Address(_) => return self.set("result", "writes_address"),
            Location::ConditionCode(_) => return self.set("result", "writes_code"),
            _ => {}
        }
        self.set("result", "writes");
        match self.result_size() {
            Some(Size::Sized) => self.set("result", "sized"),
            Some(Size::Whole) => {}
            _ => self.fail("read the result's width from another bit"),
        }
        for alternative in slot.location.alternatives() {
            match alternative {
                Location::Discard(_) => self.set("result", "discards"),
                Location::Word(field) | Location::Half(field)
                    if self.row.form() != Form::Long && field.parts[0].1 == 7 =>
                {
                    self.set("result", "seven_bits");
                }
                _ => {}
            }
        }
    }
}
