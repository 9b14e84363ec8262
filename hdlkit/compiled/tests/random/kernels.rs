// Written by `cargo xtask update random`: do not edit.

use hdlkit::prelude::*;

#[derive(LogicBlock, Cycle, Blank)]
pub struct Block0 {
    pub i1: Signal<In, Bits<1>>,
    pub i2: Signal<In, Bits<2>>,
    pub i3: Signal<In, Bits<3>>,
    pub i5: Signal<In, Bits<5>>,
    pub i8: Signal<In, Bits<8>>,
    pub i13: Signal<In, Bits<13>>,
    pub i16: Signal<In, Bits<16>>,
    pub i31: Signal<In, Bits<31>>,
    pub i32: Signal<In, Bits<32>>,
    pub i33: Signal<In, Bits<33>>,
    pub i48: Signal<In, Bits<48>>,
    pub i63: Signal<In, Bits<63>>,
    pub i64: Signal<In, Bits<64>>,
    pub p: Signal<In, Bit>,
    pub q: Signal<In, Bit>,
    pub o0: Signal<Out, Bit>,
    pub o1: Signal<Out, Bits<18>>,
    pub o2: Signal<Out, Bit>,
    pub o3: Signal<Out, Bits<8>>,
    pub o4: Signal<Out, Bits<63>>,
    pub o5: Signal<Out, Bits<34>>,
    pub wide: [Signal<In, Bits<17>>; 8],
    _activity: Activity,
}

impl Block0 {
    const MIX: Bits<50> = Bits::new(0x2_5a5a_0ff0_1234);
    const SOME: usize = 5;
}

impl Logic for Block0 {
    #[hdl_gen]
    fn update(&mut self) {
        let v0 = mask((self.i31.val().get_bit(13) | (self.p.val() == self.q.val())), (if self.q.val() { bit_cast::<15, 32>(self.i32.val()) } else { bits::<15>(0x7fff) }).concat::<1, 16>(self.i1.val()));
        let mut m1 = bit_cast::<1, 31>(self.i31.val());
        let v2 = (((self.i5.val() << 2_u64) + (self.i32.val() | self.i32.val()).resize()) & (if (self.q.val() == self.p.val()) { (if self.q.val() { self.i5.val() } else { self.i5.val() }) } else { (self.i5.val() - self.i5.val()) }));
        if (self.q.val() & (self.p.val() ^ self.p.val())) {
            let v3 = bits::<40>(0x3a7fced201);
            m1 = bit_cast::<4, 64>(self.i64.val()).ones_below::<6>().one_hot::<1>().replace_bit(0, ((if self.q.val() { self.i33.val() } else { self.i33.val() }) != (self.i33.val() | self.i33.val())));
            let v4 = self.i32.val();
            m1 = self.i1.val().replace_bit(0, self.q.val()).replace_bit(0, (self.p.val() || self.p.val()));
        } else {
            let v5 = bit_cast::<8, 8>(self.i8.val()).get_bits::<8>((self.i64.val() - self.i64.val()).get_bits::<6>(56).index() * 3);
            m1 = (((m1 & m1) + self.i1.val()) | ((self.i1.val() + m1) + 0x1_u64));
        }
        let v6 = (((bit_cast::<47, 2>(self.i2.val()) - bit_cast::<47, 1>(self.i1.val())) >> (self.i2.val() | self.i2.val())) + (bit_cast::<47, 2>(self.i2.val()) ^ Self::MIX.resize()).reverse());
        let mut m7 = bit_cast::<33, 59>((if self.p.val() { bit_cast::<59, 16>(self.i16.val()) } else { bits::<59>(0x5) }));
        if (bit_cast::<9, 48>(self.i48.val()) >= (if self.p.val() { bit_cast::<9, 48>(self.i48.val()) } else { bit_cast::<9, 63>(self.i63.val()) })) {
            let v3 = (bit_cast::<8, 33>(self.i33.val()).one_hot_index::<48>() > (self.i48.val().highest_set() + (!self.i48.val())));
            m7 = (((self.i33.val() - m7) >> (if v3 { self.i2.val() } else { self.i2.val() })) ^ m7);
            let v8 = bit_cast::<46, 3>(self.i3.val()).bits::<32>(3);
            m7 = (if self.p.val() { self.i8.val() } else { self.i8.val() }).resize::<33>();
        } else {
            let v9 = ((self.p.val() ^ self.p.val()) & bits::<39>(0x4).replace_bit(self.i5.val().index(), self.q.val()).all());
            m7 = ((if (bit_cast::<24, 5>(self.i5.val()) < bit_cast::<24, 1>(self.i1.val())) { (!m7) } else { (self.i33.val() ^ m7) }) + m7);
        }
        let v10 = ((bits::<34>(0xd57a159d) + (bit_cast::<34, 64>(self.i64.val()) ^ bits::<34>(0xdc48db96))) ^ Self::MIX.resize());
        let mut m11 = ((bit_cast::<7, 48>(self.i48.val()) < bit_cast::<7, 33>(m7)) && self.i8.val().get_bit(0));
        if ((self.i1.val() & m1) < (m1 + self.i1.val())) {
            let v12 = (((self.i2.val() & self.i2.val()) | (self.i2.val() ^ self.i2.val())) ^ Self::MIX.resize());
            m11 = ((self.i13.val() | bit_cast::<4, 8>(self.i8.val()).concat::<9, 13>(bit_cast::<9, 47>(v6))) != 0x1fff_u64);
            let v13 = ((bit_cast::<4, 33>(m7) + bit_cast::<44, 32>(self.i32.val()).resize()).concat::<1, 5>(m11.fill::<1>()) - ((if m11 { self.i5.val() } else { self.i5.val() }) - bit_cast::<18, 1>(self.i1.val()).low::<5>()));
            m11 = ((self.i8.val() | self.i8.val()) >= (self.i8.val() + self.i8.val()));
        } else {
            let v12 = (self.i3.val().replace_bit(0, self.q.val()).highest_set() + self.i3.val().lowest_set().lowest_set());
            m11 = ((if self.q.val() { bit_cast::<7, 34>(v10) } else { bits::<7>(0x4b) }).population_count::<33>() < bit_cast::<33, 51>(bit_cast::<51, 16>(v0)));
        }
        let mut list = [((!self.i31.val()) < (self.i31.val() + self.i31.val())), (m7.xor() | (self.q.val() == m11)), (!self.i16.val()).xor(), (bit_cast::<5, 64>(self.i64.val()) != 0x1f_u64)];
        if (!self.p.val()) {
            list[(self.i31.val().low::<2>() - self.i2.val().highest_set()).index()] = ((bit_cast::<52, 16>(v0) + bits::<52>(0x2750d93db1a2d)) == 0xfffffffffffff_u64);
        } else {
            list[1] = (self.q.val() ^ (m7 == self.i33.val()));
        }
        let mut sums = [(!(list[2] ^ list[2])); 4];
        for i in 0..4 {
            let turned = list[3 - i] ^ sums[i];
            if mask((list[2] | m11), bits::<4>(0xf)).get_bit(i) {
                sums[i] = turned ^ list[0];
            }
        }
        self.o0.next = ((m1 ^ bit_cast::<1, 64>(self.i64.val())) + 0x1_u64).get_bit(0);
        self.o1.next = (((bit_cast::<18, 63>(self.i63.val()) ^ bit_cast::<18, 16>(v0)).replace_bit(1, (list[2] || list[bit_cast::<2, 37>(bit_cast::<37, 13>(self.i13.val())).index()])) ^ bit_cast::<18, 5>(v2)) << 16_u64);
        self.o2.next = ((if (self.q.val() ^ list[2]) { bit_cast::<51, 13>(self.i13.val()).get_bits::<64>(v2.index() * 3) } else { (self.i64.val() + self.i64.val()) }).low::<64>() <= (if ((self.i31.val() + self.i31.val()) != bit_cast::<9, 33>(self.i33.val()).one_hot::<31>()) { (self.i64.val().replace_bit(32, self.p.val()) + (self.i64.val() >> bits::<6>(0x3f))) } else { (bit_cast::<6, 8>(self.i8.val()).concat::<58, 64>(bit_cast::<58, 1>(self.i1.val())) + (!m7).resize()) }));
        self.o3.next = (((self.i48.val() ^ Self::MIX.resize()) | self.i63.val().low::<48>()) >= (list[bit_cast::<2, 37>(bit_cast::<37, 13>(self.i13.val())).index()].fill::<48>() ^ Self::MIX.resize())).fill::<8>();
        self.o4.next = (list[bit_cast::<2, 37>(bit_cast::<37, 13>(self.i13.val())).index()].fill::<63>() ^ Self::MIX.resize());
        self.o5.next = (if (self.i33.val() != 0x16a2e56da_u64) { (v2.one_hot_index::<34>() + self.i63.val().get_bits::<34>(2)).replace_bit(27, (self.i1.val().xor() && (v10 < v10))) } else { ((v10 - v10) + (v10 + v10)).highest_set() });
    }
}

#[derive(LogicBlock, Cycle, Blank)]
pub struct Block1 {
    pub i1: Signal<In, Bits<1>>,
    pub i2: Signal<In, Bits<2>>,
    pub i3: Signal<In, Bits<3>>,
    pub i5: Signal<In, Bits<5>>,
    pub i8: Signal<In, Bits<8>>,
    pub i13: Signal<In, Bits<13>>,
    pub i16: Signal<In, Bits<16>>,
    pub i31: Signal<In, Bits<31>>,
    pub i32: Signal<In, Bits<32>>,
    pub i33: Signal<In, Bits<33>>,
    pub i48: Signal<In, Bits<48>>,
    pub i63: Signal<In, Bits<63>>,
    pub i64: Signal<In, Bits<64>>,
    pub p: Signal<In, Bit>,
    pub q: Signal<In, Bit>,
    pub o0: Signal<Out, Bit>,
    pub o1: Signal<Out, Bits<63>>,
    pub o2: Signal<Out, Bits<33>>,
    pub o3: Signal<Out, Bits<1>>,
    pub o4: Signal<Out, Bits<49>>,
    pub o5: Signal<Out, Bits<12>>,
    pub wide: [Signal<In, Bits<17>>; 8],
    _activity: Activity,
}

impl Block1 {
    const MIX: Bits<50> = Bits::new(0x2_5a5a_0ff0_1234);
    const SOME: usize = 5;
}

impl Logic for Block1 {
    #[hdl_gen]
    fn update(&mut self) {
        let v0 = (self.i3.val() + self.i33.val().resize());
        let mut m1 = ((bit_cast::<59, 1>(self.i1.val()) | bit_cast::<59, 16>(self.i16.val())) != 0x0_u64);
        if (if self.p.val() { self.i2.val() } else { self.i2.val() }).xor() {
            let v2 = (mask(m1, self.i16.val()).low::<13>() + (bit_cast::<13, 33>(self.i33.val()) << 3_u64));
            m1 = (!((if m1 { self.i5.val() } else { self.i5.val() }) <= (self.i5.val() ^ Self::MIX.resize())));
            let v3 = match mask(m1, self.p.val().fill::<4>()).index() {
                0 => (bit_cast::<64, 32>(self.i32.val()) & (if m1 { self.i64.val() } else { self.i64.val() })),
                9 | 12 => self.i64.val().get_bits::<54>(0).concat::<10, 64>((bit_cast::<10, 13>(v2) ^ bits::<10>(0x2))),
                0..=2 => (bit_cast::<9, 3>(v0) ^ bit_cast::<9, 31>(self.i31.val())).resize::<64>(),
                Self::SOME => bit_cast::<4, 63>(self.i63.val()).population_count::<64>().highest_set(),
                _ => (bit_cast::<64, 31>(self.i31.val()) >> 7_u64),
            };
            m1 = (!self.q.val());
        } else {
            let v4 = match (if bit_cast::<21, 8>(self.i8.val()).all() { (self.i5.val() + self.i5.val()) } else { bit_cast::<5, 48>(self.i48.val()) }).index() {
                19 => (if bit_cast::<6, 3>(v0).get_bit(self.i2.val().index()) { bit_cast::<43, 1>(self.i1.val()).lowest_set() } else { (bit_cast::<43, 64>(self.i64.val()) - bit_cast::<43, 1>(self.i1.val())) }),
                6 | 14 => (self.i64.val() + self.i64.val()).get_bits::<43>(55),
                30..=31 => (!bit_cast::<43, 3>(v0).lowest_set()),
                Self::SOME => bit_cast::<43, 42>((if m1 { bit_cast::<42, 48>(self.i48.val()) } else { bits::<42>(0x3ffffffffff) })),
                _ => (bit_cast::<43, 48>(self.i48.val()) ^ Self::MIX.resize()),
            };
            m1 = m1;
        }
        let v5 = (bit_cast::<33, 2>(self.i8.val().get_bits::<2>(bit_cast::<6, 33>(self.i33.val()).index() * 3)) ^ ((self.i33.val() | self.i33.val()) - self.i33.val()));
        let mut m6 = self.i3.val().replace_bit(1, (self.i5.val() == self.i5.val()));
        let v7 = (((self.i31.val() ^ self.i31.val()) + self.i31.val().highest_set()) - m6.highest_set().get_bits::<31>(3));
        if (!(self.p.val() || m1)) {
            let v8 = match (!self.i8.val()).replace_bit(4, m1).index() {
                66 => ((self.i8.val() & 0xe4_u64) << self.i2.val()),
                38 | 166 => (mask(self.q.val(), self.i8.val()) | self.i8.val()),
                241..=243 => (!(self.i8.val() - self.i8.val())),
                Self::SOME => ((self.i8.val() & self.i8.val()) ^ Self::MIX.resize()),
                _ => ((!self.i8.val()) + (self.i13.val() ^ 0x1cd7_u64).resize()),
            };
            m6 = ((v5.low::<3>() << 2_u64) | ((self.i3.val() + v5.resize()) ^ self.i1.val().concat::<2, 3>(self.i2.val())));
            let v9 = (((self.i5.val() - self.i5.val()) ^ bit_cast::<34, 63>(self.i63.val()).get_bits::<5>(13)) | (self.i5.val() & (self.i5.val() ^ Self::MIX.resize())));
            m6 = self.i64.val().get_bits::<3>(24);
        } else {
            let v11 = if (bit_cast::<8, 33>(self.i33.val()) > bit_cast::<6, 3>(self.i3.val()).one_hot_index::<8>()) {
                let v10 = (!(if v0.xor() { bit_cast::<3, 15>(bit_cast::<15, 2>(self.i2.val())) } else { (m6 - m6) }));
                ((!self.i5.val()) + (self.i5.val() - self.i5.val()))
            } else {
                self.i5.val()
            };
            m6 = mask((!(bit_cast::<61, 63>(self.i63.val()) != 0x1fffffffffffffff_u64)), (mask(self.p.val(), self.i3.val()) << 0_u64));
        }
        let v12 = (((bit_cast::<11, 2>(self.i2.val()) ^ bit_cast::<11, 1>(self.i1.val())) | 0x7ff_u64) + bit_cast::<11, 2>(self.i2.val()));
        let mut m13 = (bit_cast::<12, 11>(v12) ^ bit_cast::<12, 33>(self.i33.val())).get_bits::<8>((if self.p.val() { self.i2.val() } else { self.i2.val() }).index());
        let v5 = match bit_cast::<4, 1>(self.i1.val()).index() {
            6 => self.i5.val().resize::<3>(),
            14 | 14 => (m6 ^ Self::MIX.resize()),
            0..=2 => bit_cast::<3, 64>((self.i64.val() << 5_u64)),
            Self::SOME => (if (bit_cast::<41, 8>(self.i8.val()) < 0x3821dfcb5c_u64) { (v0 ^ self.i3.val()) } else { v0 }),
            _ => self.p.val().fill::<3>().lowest_set(),
        };
        if (self.q.val() | (self.i48.val() < self.i48.val())) {
            let v14 = ((mask(m1, self.i64.val()) + (!self.i31.val()).resize()) != (self.i2.val() >> self.i1.val()).get_bits::<64>(self.i5.val().index() * 4 + 2));
            m13 = bit_cast::<9, 8>(m13).resize::<8>().replace_bit(5, (v12 + v12).xor());
            let v15 = ((self.i31.val() + self.i5.val().resize()) ^ Self::MIX.resize()).replace_bit((if v0.any() { (if self.q.val() { bit_cast::<4, 5>(self.i5.val()) } else { bit_cast::<4, 2>(self.i2.val()) }) } else { (bits::<4>(0xe) << 4_u64) }).index(), ((self.i13.val() | self.i13.val()) <= self.i13.val().replace_bit(v0.index(), m1)));
            m13 = (m13 >> (if m1 { bit_cast::<7, 1>(self.i1.val()) } else { bit_cast::<7, 13>(self.i13.val()) }));
        } else {
            let v16 = bit_cast::<13, 6>((mask(self.q.val(), bit_cast::<6, 11>(v12)) + (bit_cast::<6, 3>(m6) >> 6_u64)));
            m13 = (if (bits::<45>(0x1fffffffffff) + 0xb6ed520c20d_u64).any() { (self.i8.val() - self.i8.val()).reverse() } else { bit_cast::<8, 13>((!v16)) });
        }
        let mut list = [(bit_cast::<7, 3>(m6) | bit_cast::<7, 2>(self.i2.val())).concat::<1, 8>((!self.i1.val())), (!(!m13)), (if self.p.val() { m13 } else { m13 }).replace_bit(6, (!self.p.val())), (m13 + self.i8.val()).replace_bit(3, (self.i31.val() == v7))];
        if (bit_cast::<9, 63>(self.i63.val()) > bits::<9>(0x7)) {
            list[(bits::<18>(0x3ffff) ^ bit_cast::<18, 11>(v12)).low::<2>().index()] = mask(self.q.val(), self.i32.val()).get_bits::<8>(22);
        } else {
            list[1] = self.i8.val().ones_below::<4>().concat::<4, 8>((bit_cast::<4, 1>(self.i1.val()) >> bit_cast::<7, 48>(self.i48.val())));
        }
        let mut sums = [((list[2] + self.i8.val()) + (m13 + m13)); 4];
        for i in 0..4 {
            let turned = list[3 - i] + sums[i];
            if (!self.i1.val()).concat::<3, 4>((self.i3.val() - m6)).get_bit(i) {
                sums[i] = turned + list[0];
            }
        }
        self.o0.next = ((if self.p.val().fill::<39>().all() { self.i16.val() } else { ((self.i16.val() - self.i16.val()) << 12_u64) }) > ((bit_cast::<57, 8>(self.i8.val()) - bit_cast::<57, 3>(v5)).low::<16>() | (!(self.i16.val() - self.i16.val()))));
        self.o1.next = (!(m6 - v5).reverse()).population_count::<63>();
        self.o2.next = bit_cast::<33, 48>(bit_cast::<12, 48>(self.i48.val()).ones_below::<3>().one_hot::<31>().get_bits::<48>(3));
        self.o3.next = (mask((self.i5.val() < self.i5.val()), (v5 & 0x0_u64)) | mask((!self.q.val()), self.i3.val())).get_bits::<1>(bits::<6>(0x3b).index() + 1);
        self.o4.next = (((self.i48.val() >= 0xffffffffffff_u64).fill::<49>() >> 22_u64) & ((!self.i2.val()) << bit_cast::<7, 3>(m6).lowest_set()).one_hot::<49>());
        self.o5.next = (if ((bit_cast::<63, 8>(list[2]) >> bit_cast::<60, 8>(self.i8.val()).get_bits::<3>(bit_cast::<6, 8>(list[self.i2.val().replace_bit(0, m1).highest_set().index()]).index() + 1)) <= ((self.i63.val() << self.i2.val()) ^ Self::MIX.resize())) { (bit_cast::<12, 1>(self.i1.val()) + mask(self.q.val(), bit_cast::<4, 3>(v5)).concat::<8, 12>(mask(self.q.val(), m13))) } else { ((bit_cast::<12, 8>(list[self.i2.val().replace_bit(0, m1).highest_set().index()]) - bit_cast::<12, 3>(m6)) | (bit_cast::<12, 2>(self.i2.val()) ^ 0x0_u64)).lowest_set() });
    }
}

#[derive(LogicBlock, Cycle, Blank)]
pub struct Block2 {
    pub i1: Signal<In, Bits<1>>,
    pub i2: Signal<In, Bits<2>>,
    pub i3: Signal<In, Bits<3>>,
    pub i5: Signal<In, Bits<5>>,
    pub i8: Signal<In, Bits<8>>,
    pub i13: Signal<In, Bits<13>>,
    pub i16: Signal<In, Bits<16>>,
    pub i31: Signal<In, Bits<31>>,
    pub i32: Signal<In, Bits<32>>,
    pub i33: Signal<In, Bits<33>>,
    pub i48: Signal<In, Bits<48>>,
    pub i63: Signal<In, Bits<63>>,
    pub i64: Signal<In, Bits<64>>,
    pub p: Signal<In, Bit>,
    pub q: Signal<In, Bit>,
    pub o0: Signal<Out, Bits<2>>,
    pub o1: Signal<Out, Bits<35>>,
    pub o2: Signal<Out, Bits<31>>,
    pub o3: Signal<Out, Bits<46>>,
    pub o4: Signal<Out, Bits<2>>,
    pub o5: Signal<Out, Bits<33>>,
    pub wide: [Signal<In, Bits<17>>; 8],
    _activity: Activity,
}

impl Block2 {
    const MIX: Bits<50> = Bits::new(0x2_5a5a_0ff0_1234);
    const SOME: usize = 5;
}

impl Logic for Block2 {
    #[hdl_gen]
    fn update(&mut self) {
        let v0 = (((self.i1.val() - self.i1.val()) ^ Self::MIX.resize()) + mask((bit_cast::<49, 31>(self.i31.val()) > bit_cast::<49, 31>(self.i31.val())), (self.i1.val() & self.i1.val())));
        let mut m1 = self.q.val();
        if (if self.p.val() { v0 } else { self.i1.val() }).all() {
            let v0 = match ((!self.i3.val()) ^ Self::MIX.resize()).index() {
                3 => ((self.i48.val() >> bit_cast::<4, 31>(self.i31.val())) - bit_cast::<48, 13>(self.i13.val())),
                7 | 1 => (self.i48.val() + 0x6_u64).replace_bit(45, (self.i64.val() <= self.i64.val())),
                0..=2 => self.i48.val(),
                Self::SOME => ((self.i48.val() << bits::<6>(0x3f)) - (self.i48.val() + self.i48.val())),
                _ => mask((self.q.val() ^ self.p.val()), bit_cast::<48, 40>(bit_cast::<40, 1>(v0))),
            };
            m1 = (bit_cast::<28, 13>(self.i13.val()) | 0x7ff26be_u64).get_bit(15);
            let v2 = (!m1.fill::<22>().get_bits::<2>(12));
            m1 = ((self.i33.val() + 0xa42e8697_u64) <= bit_cast::<41, 8>(self.i8.val()).bits::<33>(4));
        } else {
            let v3 = ((bit_cast::<7, 2>(self.i2.val()).concat::<1, 8>(self.i1.val()) | 0xff_u64) > (bit_cast::<7, 5>(self.i5.val()).population_count::<8>() + (if self.q.val() { self.i8.val() } else { self.i8.val() })));
            m1 = self.p.val();
        }
        let v4 = (!(self.i32.val() ^ self.i32.val())).replace_bit((self.i5.val() - self.i5.val()).highest_set().index(), (bit_cast::<47, 63>(self.i63.val()) == 0x7e23c7d2a4b2_u64));
        let mut m5 = (mask(self.p.val(), self.i32.val()) | bit_cast::<6, 63>(self.i63.val()).resize::<32>());
        if (mask(self.q.val(), bit_cast::<52, 8>(self.i8.val())) < 0x9197c873102dd_u64) {
            let v6 = self.i16.val();
            m5 = (bits::<6>(0x3f) ^ Self::MIX.resize()).ones_below::<4>().resize::<32>();
            let v7 = (mask(self.p.val(), bit_cast::<61, 2>(self.i2.val())) + (bit_cast::<61, 16>(self.i16.val()) - bit_cast::<61, 32>(v4))).replace_bit((bit_cast::<5, 1>(self.i1.val()) | (self.i5.val() + self.i5.val())).index(), (!(self.q.val() | self.q.val())));
            m5 = (m5 + (m5 + self.i2.val().resize()));
        } else {
            let v8 = bit_cast::<18, 2>(self.i2.val()).concat::<6, 24>(bit_cast::<6, 2>(self.i2.val()));
            m5 = (m5.replace_bit(self.i5.val().index(), (self.i63.val() == 0x5aab8d32a1224fed_u64)) + ((self.i16.val() - self.i16.val()) ^ bit_cast::<6, 24>(v8).resize::<16>()).resize());
        }
        let v9 = ((!bit_cast::<55, 3>(self.i3.val())).reverse() & (if self.q.val() { self.i2.val() } else { self.i2.val() }).population_count::<55>());
        let mut m10 = ((!bit_cast::<49, 5>(self.i5.val())) < bit_cast::<61, 55>(v9).low::<49>());
        if ((self.i8.val() >> self.i3.val()) == 0x0_u64) {
            let v12 = if (bits::<26>(0x3ffffff).concat::<37, 63>(bit_cast::<37, 31>(self.i31.val())) == (if m1 { self.i63.val() } else { self.i63.val() })) {
                let v11 = match ((self.i3.val() + self.i3.val()) ^ (self.i3.val() & 0x0_u64)).index() {
                    1 => ((bit_cast::<29, 48>(self.i48.val()) - bit_cast::<29, 31>(self.i31.val())) & (bit_cast::<29, 16>(self.i16.val()) ^ Self::MIX.resize())),
                    4 | 3 => ((bit_cast::<29, 31>(self.i31.val()) | 0x1fffffff_u64) ^ Self::MIX.resize()),
                    1..=3 => (bit_cast::<29, 31>(self.i31.val()) - 0x1fffffff_u64),
                    Self::SOME => ((if m1 { bit_cast::<29, 16>(self.i16.val()) } else { bit_cast::<29, 13>(self.i13.val()) }) - 0x1fffffff_u64),
                    _ => (bit_cast::<4, 1>(v0).one_hot::<29>() + (bit_cast::<29, 32>(v4) | bit_cast::<29, 32>(m5))),
                };
                ((v9 << bit_cast::<7, 32>(v4)) << (self.i3.val() + self.i3.val()))
            } else {
                v9
            };
            m10 = ((bit_cast::<10, 2>(self.i2.val()) | mask(m10, bit_cast::<10, 33>(self.i33.val()))) < 0xbb_u64);
            let v13 = (((v0 ^ v0) & 0x1_u64) ^ bits::<4>(0xf).bits::<1>(2));
            m10 = (self.i13.val() < (if self.p.val() { self.i13.val() } else { self.i13.val() }));
        } else {
            let v14 = m10;
            m10 = (mask((bits::<14>(0x3fff) == 0x3fff_u64), (self.i63.val() - self.i63.val())) == 0x57b68d78971c099c_u64);
        }
        let mut list = [(if (m1 == self.p.val()) { (if self.q.val() { v0 } else { v0 }) } else { self.i1.val() }), (self.i1.val() + self.i31.val().resize()).replace_bit(0, (self.q.val() | self.p.val())), ((v0 - self.i1.val()) << 1_u64), (if m1 { self.i1.val() } else { v0 }).lowest_set()];
        if self.i3.val().any() {
            list[((self.i2.val() | 0x3_u64) + self.i2.val()).index()] = self.i3.val().get_bits::<1>(2);
        } else {
            list[1] = (self.i1.val() - 0x1_u64);
        }
        let mut sums = [((self.i1.val() | list[2]) - self.i1.val().replace_bit(0, self.p.val())); 4];
        for i in 0..4 {
            let turned = list[3 - i] + sums[i];
            if bit_cast::<30, 32>(v4).any().fill::<4>().get_bit(i) {
                sums[i] = turned + list[0];
            }
        }
        self.o0.next = (bit_cast::<2, 8>((self.p.val() | m10).fill::<8>()) << (((self.i2.val() + self.i2.val()) ^ 0x3_u64) + self.p.val().fill::<32>().get_bits::<2>(self.i5.val().replace_bit(2, self.p.val()).index())));
        self.o1.next = ((m1.fill::<4>() - (bits::<4>(0x0) + self.i63.val().resize())).one_hot_index::<35>() & ((bit_cast::<35, 2>(self.i2.val()) - bit_cast::<35, 17>(self.wide[self.i8.val().concat::<56, 64>(bits::<56>(0xffffffffffffff)).get_bits::<3>((list[(!(self.i2.val() + self.i2.val())).index()] + self.i1.val()).index()).index()].val())) - bit_cast::<11, 5>(self.i5.val()).concat::<21, 32>(bit_cast::<21, 1>(self.i1.val())).concat::<3, 35>((!self.i3.val()))));
        self.o2.next = self.i31.val();
        self.o3.next = ((if (self.i13.val() >= 0x1_u64) { bit_cast::<17, 33>(self.i33.val()) } else { (self.wide[self.i8.val().concat::<56, 64>(bits::<56>(0xffffffffffffff)).get_bits::<3>((list[(!(self.i2.val() + self.i2.val())).index()] + self.i1.val()).index()).index()].val() ^ self.wide[self.i8.val().concat::<56, 64>(bits::<56>(0xffffffffffffff)).get_bits::<3>((list[(!(self.i2.val() + self.i2.val())).index()] + self.i1.val()).index()).index()].val()) }).concat::<29, 46>((self.i48.val().get_bits::<29>(20) + (bits::<29>(0x1fffffff) | bit_cast::<29, 1>(v0)))) << 41_u64);
        self.o4.next = (((list[2] & list[(!(self.i2.val() + self.i2.val())).index()]) - 0x0_u64).concat::<1, 2>((self.i5.val() | self.i5.val()).ones_below::<1>()) + ((if (bits::<58>(0x0) < bits::<58>(0x3ffffffffffffff)) { (self.i33.val() | self.i33.val()) } else { (self.i33.val() + self.i2.val().resize()) }) >> 19_u64).resize());
        self.o5.next = ((self.i8.val() >> bit_cast::<6, 32>(m5)).ones_below::<3>().one_hot::<33>() ^ (if (!(self.i13.val() >= self.i13.val())) { self.i13.val().get_bits::<33>(bit_cast::<6, 1>(list[((self.i2.val() | self.i2.val()) | 0x3_u64).index()]).index()) } else { ((self.i33.val() >> 11_u64) ^ Self::MIX.resize()) }));
    }
}

#[derive(LogicBlock, Cycle, Blank)]
pub struct Block3 {
    pub i1: Signal<In, Bits<1>>,
    pub i2: Signal<In, Bits<2>>,
    pub i3: Signal<In, Bits<3>>,
    pub i5: Signal<In, Bits<5>>,
    pub i8: Signal<In, Bits<8>>,
    pub i13: Signal<In, Bits<13>>,
    pub i16: Signal<In, Bits<16>>,
    pub i31: Signal<In, Bits<31>>,
    pub i32: Signal<In, Bits<32>>,
    pub i33: Signal<In, Bits<33>>,
    pub i48: Signal<In, Bits<48>>,
    pub i63: Signal<In, Bits<63>>,
    pub i64: Signal<In, Bits<64>>,
    pub p: Signal<In, Bit>,
    pub q: Signal<In, Bit>,
    pub o0: Signal<Out, Bits<63>>,
    pub o1: Signal<Out, Bits<13>>,
    pub o2: Signal<Out, Bits<1>>,
    pub o3: Signal<Out, Bits<5>>,
    pub o4: Signal<Out, Bits<54>>,
    pub o5: Signal<Out, Bits<3>>,
    pub wide: [Signal<In, Bits<17>>; 8],
    _activity: Activity,
}

impl Block3 {
    const MIX: Bits<50> = Bits::new(0x2_5a5a_0ff0_1234);
    const SOME: usize = 5;
}

impl Logic for Block3 {
    #[hdl_gen]
    fn update(&mut self) {
        let v0 = (!(if (self.i64.val() > self.i64.val()) { self.i8.val().lowest_set() } else { mask(self.q.val(), self.i8.val()) }));
        let mut m1 = bit_cast::<5, 5>(self.i5.val()).get_bits::<3>((bit_cast::<6, 5>(self.i5.val()) + bit_cast::<44, 31>(self.i31.val()).resize()).index() + 1);
        let v2 = (mask(self.i16.val().all(), self.i5.val()) > ((self.i5.val() + self.i5.val()) | bit_cast::<11, 3>(m1).get_bits::<5>(8)));
        if (self.i13.val().reverse() >= self.i1.val().concat::<12, 13>(bit_cast::<12, 63>(self.i63.val()))) {
            let v3 = self.q.val();
            m1 = mask((self.i1.val() & self.i1.val()).xor(), ((self.i3.val() + self.i3.val()) | (if v2 { m1 } else { m1 })));
            let v4 = match (bit_cast::<4, 32>(self.i32.val()) + self.i33.val().resize()).lowest_set().index() {
                10 => (self.i13.val() << bit_cast::<2, 25>(bit_cast::<25, 5>(self.i5.val()))),
                6 | 9 => (self.i13.val().lowest_set() ^ Self::MIX.resize()),
                10..=12 => ((if v2 { self.i13.val() } else { self.i13.val() }) << 0_u64),
                Self::SOME => ((if v3 { self.i13.val() } else { self.i13.val() }) - (self.i13.val() & 0x1861_u64)),
                _ => ((self.i13.val() | self.i13.val()) + (self.i63.val() - self.i63.val()).resize()),
            };
            m1 = m1;
        } else {
            let v5 = ((bit_cast::<23, 64>(self.i64.val()).get_bit(bit_cast::<4, 8>(v0).index()) == (self.q.val() || self.q.val())) == (bit_cast::<25, 32>(self.i32.val()) != bits::<25>(0x4)));
            m1 = ((self.i2.val() << 0_u64).concat::<1, 3>(self.i1.val().replace_bit(0, self.p.val())) & (!m1.reverse()));
        }
        let v6 = (if (self.i33.val() >= self.i33.val()) { bit_cast::<25, 8>(v0) } else { bits::<25>(0x1ffffff).replace_bit(bit_cast::<4, 8>(self.i8.val()).index(), self.p.val()) }).get_bits::<45>(19);
        let mut m7 = ((self.i5.val() ^ self.i5.val()) | self.i5.val());
        let v8 = self.i8.val().ones_below::<3>();
        if (self.i63.val().highest_set() >= 0x1065e398f4cfb638_u64) {
            let v9 = self.i63.val();
            m7 = ((bit_cast::<35, 1>(self.i1.val()) - bit_cast::<35, 8>(v0)) + (bit_cast::<35, 63>(self.i63.val()) + bit_cast::<35, 63>(self.i63.val()))).get_bits::<5>((self.i33.val() > self.i33.val()).fill::<3>().index() * 4 + 2);
            let v10 = (((self.i48.val() ^ self.i48.val()) + self.i63.val().resize()) ^ (bit_cast::<18, 3>(self.i3.val()) << m7).concat::<30, 48>((bit_cast::<30, 3>(m1) + self.i1.val().resize())));
            m7 = ((self.i5.val() + m7) ^ Self::MIX.resize());
        } else {
            let v11 = ((!(self.i32.val() >> bit_cast::<7, 31>(self.i31.val()))) >> 4_u64);
            m7 = self.i5.val();
        }
        let v13 = if ((!self.i32.val()) != (self.i32.val() | self.i32.val())) {
            let v12 = ((if (self.i33.val() > self.i33.val()) { bits::<51>(0x5a317fed52f9d).concat::<12, 63>(bit_cast::<12, 13>(self.i13.val())) } else { bit_cast::<63, 39>(bit_cast::<39, 64>(self.i64.val())) }) & mask((!v2), bit_cast::<63, 3>(m1)));
            (bit_cast::<12, 13>(self.i13.val()) + bit_cast::<12, 63>(self.i63.val())).any()
        } else {
            ((self.i31.val() != self.i31.val()) | v2)
        };
        let mut m14 = (bit_cast::<51, 33>(self.i33.val()) + self.i33.val().get_bits::<25>(30).resize());
        let v15 = (bit_cast::<56, 5>(m7) + bit_cast::<56, 3>(self.i3.val())).get_bits::<3>(42).get_bits::<2>((self.i64.val().get_bits::<2>(m7.index() * 4 + 2) | 0x1_u64).index());
        if ((bit_cast::<23, 31>(self.i31.val()) + self.i1.val().resize()) != bit_cast::<21, 8>(v0).concat::<2, 23>(self.i2.val())) {
            let v16 = self.i63.val();
            m14 = (((!m14) ^ m14.lowest_set()) | self.i8.val().one_hot_index::<51>().replace_bit(bit_cast::<5, 27>(bits::<27>(0x2ff3d68)).index(), (self.i16.val() > self.i16.val())));
            let v17 = (((self.i64.val() >> 45_u64) & 0x6_u64) >> 9_u64);
            m14 = (m14 + m14.replace_bit(26, self.q.val()));
        } else {
            let v18 = mask(((self.i64.val() ^ 0xffffffffffffffff_u64) >= self.i64.val()), ((bits::<6>(0x3f) ^ Self::MIX.resize()) >> self.i2.val()));
            m14 = m14;
        }
        let mut list = [bit_cast::<5, 43>(bit_cast::<43, 13>(self.i13.val())), (mask(self.q.val(), self.i5.val()) << bits::<35>(0x6853ff0d8).low::<7>()), (mask(self.q.val(), m7) & (m7 << 5_u64)), (if self.q.val() { v15 } else { v15 }).population_count::<5>()];
        if (bit_cast::<26, 3>(m1) == bit_cast::<26, 64>(self.i64.val())) {
            list[(bit_cast::<2, 3>(self.i3.val()) + bit_cast::<6, 3>(self.i3.val()).one_hot_index::<2>()).index()] = ((self.i5.val() - 0x1f_u64) & 0x11_u64);
        } else {
            list[1] = m7;
        }
        let mut sums = [m7; 4];
        for i in 0..4 {
            let turned = list[3 - i] + sums[i];
            if bit_cast::<4, 32>((self.i32.val() ^ Self::MIX.resize())).get_bit(i) {
                sums[i] = turned + list[0];
            }
        }
        self.o0.next = ((if v13 { bit_cast::<4, 5>(list[2]) } else { bits::<4>(0x1) }) + (self.i1.val() | self.i1.val()).resize()).reverse().concat::<59, 63>((if (bit_cast::<13, 2>(self.i2.val()) == 0x3_u64) { ((bit_cast::<59, 31>(self.i31.val()) ^ Self::MIX.resize()) + (bit_cast::<59, 3>(m1) ^ Self::MIX.resize())) } else { ((bit_cast::<59, 5>(self.i5.val()) + self.i16.val().resize()) + self.i13.val().get_bits::<59>(7)) }));
        self.o1.next = bit_cast::<13, 33>(((bit_cast::<25, 8>(self.i8.val()) + bits::<25>(0xdfbff9)) + (self.i48.val() + self.i64.val().resize()).resize()).concat::<8, 33>(((v0 + v0) >> (if v2 { list[(bit_cast::<30, 1>(self.i1.val()).get_bits::<2>(bit_cast::<4, 45>(v6).index() + 1) - self.i2.val()).index()] } else { list[2] }))));
        self.o2.next = ((!(if (!v2) { (!self.i1.val()) } else { (if v2 { self.i1.val() } else { self.i1.val() }) })) & mask((self.p.val() & self.q.val()), bit_cast::<1, 16>(self.i16.val())).lowest_set());
        self.o3.next = bit_cast::<36, 8>(bit_cast::<6, 5>(self.i5.val()).ones_below::<8>().lowest_set()).low::<5>();
        self.o4.next = (self.i64.val().get_bits::<8>(self.i2.val().index() * 3).get_bits::<8>(8) & 0xff_u64).get_bits::<54>((!((self.i2.val() << 1_u64) + mask(self.q.val(), self.i63.val()).resize())).index());
        self.o5.next = (((bit_cast::<3, 57>(bits::<57>(0x6)) + bit_cast::<3, 63>(self.i63.val())) + self.i13.val().resize()) ^ ((v0 ^ v0).population_count::<3>() << 1_u64));
    }
}

#[derive(LogicBlock, Cycle, Blank)]
pub struct Block4 {
    pub i1: Signal<In, Bits<1>>,
    pub i2: Signal<In, Bits<2>>,
    pub i3: Signal<In, Bits<3>>,
    pub i5: Signal<In, Bits<5>>,
    pub i8: Signal<In, Bits<8>>,
    pub i13: Signal<In, Bits<13>>,
    pub i16: Signal<In, Bits<16>>,
    pub i31: Signal<In, Bits<31>>,
    pub i32: Signal<In, Bits<32>>,
    pub i33: Signal<In, Bits<33>>,
    pub i48: Signal<In, Bits<48>>,
    pub i63: Signal<In, Bits<63>>,
    pub i64: Signal<In, Bits<64>>,
    pub p: Signal<In, Bit>,
    pub q: Signal<In, Bit>,
    pub o0: Signal<Out, Bits<60>>,
    pub o1: Signal<Out, Bits<7>>,
    pub o2: Signal<Out, Bits<13>>,
    pub o3: Signal<Out, Bit>,
    pub o4: Signal<Out, Bits<7>>,
    pub o5: Signal<Out, Bits<8>>,
    pub wide: [Signal<In, Bits<17>>; 8],
    _activity: Activity,
}

impl Block4 {
    const MIX: Bits<50> = Bits::new(0x2_5a5a_0ff0_1234);
    const SOME: usize = 5;
}

impl Logic for Block4 {
    #[hdl_gen]
    fn update(&mut self) {
        let v0 = ((bit_cast::<11, 63>(self.i63.val()) >> 8_u64) | 0x5df_u64).one_hot_index::<16>();
        let mut m1 = (!self.i1.val()).get_bit(0);
        if ((self.i48.val() | self.i48.val()) != (self.i48.val() ^ self.i48.val())) {
            let v1 = ((bit_cast::<7, 5>(self.i5.val()) | 0x7f_u64) | bit_cast::<7, 48>(self.i48.val()).reverse()).resize::<2>();
            m1 = (!mask(self.p.val(), self.i3.val()).get_bit(1));
            let v2 = ((if self.q.val() { self.i13.val() } else { self.i13.val() }) - (if m1 { self.i13.val() } else { self.i13.val() })).reverse();
            m1 = (self.i63.val().get_bits::<5>(41) == bit_cast::<5, 39>(bits::<39>(0x1)));
        } else {
            let v3 = self.i5.val().get_bits::<2>(self.i2.val().index()).get_bits::<39>(1).replace_bit(((self.i5.val() | self.i5.val()) + bit_cast::<3, 19>(bit_cast::<19, 48>(self.i48.val())).resize()).index(), ((bits::<20>(0xfffff) & bit_cast::<20, 2>(self.i2.val())) >= self.i63.val().get_bits::<20>(20)));
            m1 = ((bit_cast::<12, 2>(self.i2.val()) + bit_cast::<12, 5>(self.i5.val())).one_hot_index::<49>() == (bit_cast::<60, 5>(self.i5.val()) & 0xe555969a8fd1c7_u64).low::<49>());
        }
        let v4 = (self.q.val().fill::<8>() ^ (if m1 { self.i8.val() } else { self.i8.val() })).replace_bit(((self.i3.val() + self.i3.val()) + (if self.p.val() { self.i3.val() } else { self.i3.val() })).index(), ((self.i33.val() ^ self.i33.val()) == (if self.q.val() { self.i33.val() } else { self.i33.val() })));
        let mut m5 = mask((self.i31.val() >= self.i31.val()), bit_cast::<11, 3>(self.i3.val()).ones_below::<16>());
        let v3 = match (self.i5.val() - self.i5.val()).one_hot::<4>().index() {
            8 => (self.i2.val() + self.i2.val()).get_bits::<64>(0),
            10 | 0 => (if (self.i32.val() >= 0x2_u64) { self.i64.val().replace_bit(bit_cast::<6, 63>(self.i63.val()).index(), self.q.val()) } else { bits::<25>(0x1ffffff).concat::<39, 64>(bits::<39>(0x1)) }),
            3..=5 => (self.i64.val().replace_bit(bit_cast::<6, 8>(v4).index(), self.q.val()) << v0.get_bits::<4>(9)),
            Self::SOME => self.i64.val(),
            _ => ((!self.i64.val()) + self.i64.val()),
        };
        if (!(self.i16.val() <= v0)) {
            let v6 = ((bit_cast::<8, 64>(v3) != 0x3_u64) == ((m1 & self.p.val()) || (self.i13.val() > self.i13.val())));
            m5 = ((bit_cast::<37, 33>(self.i33.val()) + self.i32.val().resize()) >> 4_u64).bits::<16>(11);
            let v7 = ((self.i2.val().resize::<1>() - self.i48.val().get_bits::<1>(bits::<6>(0x3f).index() + 1)) & 0x0_u64);
            m5 = v0;
        } else {
            let v8 = ((self.i5.val() ^ self.i5.val()).xor() | (self.i64.val() + self.i64.val()).any());
            m5 = (if v8 { self.i3.val() } else { self.i3.val() }).one_hot_index::<13>().concat::<3, 16>((bit_cast::<3, 1>(self.i1.val()) & self.i3.val()));
        }
        let v9 = (if (!self.p.val()) { self.i3.val().get_bits::<63>(1) } else { (self.i63.val() >> 43_u64) }).low::<48>();
        let mut m10 = (!bit_cast::<54, 5>(self.i5.val())).low::<54>();
        let v11 = ((!(!self.i3.val())) + (self.i16.val() >> 15_u64).lowest_set().resize());
        if (self.i5.val() + self.i5.val()).get_bit(4) {
            let v12 = (if (self.i1.val().any() == m1) { bit_cast::<40, 37>(bit_cast::<37, 13>(self.i13.val())).bits::<33>(2) } else { bit_cast::<33, 48>(mask(m1, self.i48.val())) });
            m10 = ((self.i2.val() != 0x3_u64).fill::<54>() << (!bits::<4>(0xf)));
            let v13 = bit_cast::<31, 8>(((v4 + v4) + (bit_cast::<38, 16>(v0) ^ Self::MIX.resize()).resize()));
            m10 = mask((self.i5.val() >= self.i5.val()), m10.replace_bit(36, m1));
        } else {
            let v14 = (((self.i32.val() | self.i32.val()) - (if m1 { self.i32.val() } else { self.i32.val() })) << 18_u64);
            m10 = ((self.i31.val() + self.i31.val()) & (self.i31.val() + self.i31.val())).concat::<23, 54>(((bit_cast::<23, 64>(v3) >> 20_u64) - self.i33.val().get_bits::<23>(22)));
        }
        let mut list = [bit_cast::<33, 63>(self.i63.val()).replace_bit((self.i5.val() >> self.i2.val()).index(), (bit_cast::<42, 64>(v3) != bit_cast::<42, 8>(self.i8.val()))), self.i33.val(), (if self.q.val() { bit_cast::<7, 31>(self.i31.val()) } else { bit_cast::<7, 31>(self.i31.val()) }).one_hot_index::<33>(), (if (self.i2.val() >= self.i2.val()) { mask(m1, self.i33.val()) } else { self.i33.val() })];
        if (!self.p.val()) {
            list[bit_cast::<1, 8>(v4).concat::<1, 2>(self.i1.val()).index()] = (self.i33.val().reverse() & (self.i33.val() ^ self.i33.val()));
        } else {
            list[1] = bit_cast::<38, 64>(self.i64.val()).low::<5>().get_bits::<33>(4);
        }
        let mut sums = [(!(self.i33.val() ^ self.i33.val())); 4];
        for i in 0..4 {
            let turned = list[3 - i] + sums[i];
            if ((bits::<4>(0xf) + self.i3.val().resize()) ^ Self::MIX.resize()).get_bit(i) {
                sums[i] = turned + list[0];
            }
        }
        self.o0.next = mask((((self.i5.val() + self.i5.val()) << self.i48.val().get_bits::<1>(11)) == (self.i5.val() ^ self.i5.val()).reverse()), (if (self.i64.val() + self.i64.val()).get_bit(56) { self.i32.val().get_bits::<60>(5).reverse() } else { (self.i31.val() << 19_u64).get_bits::<60>((v11 << 3_u64).index() + 1) }));
        self.o1.next = (if ((self.i48.val() <= v9) || (!self.q.val())) { (bits::<9>(0x1ff).resize::<61>() - 0x4cbe1be104e993a_u64) } else { (if (bit_cast::<11, 54>(m10) >= 0x2_u64) { mask(self.p.val(), bits::<61>(0x1fffffffffffffff)) } else { (bits::<61>(0x17c7639544263fff) + 0xe444f7b39e7a7b5_u64) }) }).get_bits::<7>(3);
        self.o2.next = ((self.i3.val() & v11) + v11.highest_set()).resize::<13>().replace_bit(4, ((self.i13.val() + self.i13.val()) + (m5 ^ Self::MIX.resize()).resize()).get_bit(6));
        self.o3.next = (!m1);
        self.o4.next = (((m5 < 0xffff_u64).fill::<7>() + bits::<7>(0x0)) ^ ((if (bit_cast::<26, 3>(self.i3.val()) != bit_cast::<26, 16>(v0)) { (bit_cast::<7, 54>(m10) | 0x5b_u64) } else { bit_cast::<57, 48>(self.i48.val()).bits::<7>(28) }) ^ 0x7f_u64));
        self.o5.next = ((((self.i8.val() + v4.resize()) << (self.i5.val() + self.i5.val())) ^ ((!self.i8.val()) + (v4 + self.i32.val().resize()))) ^ Self::MIX.resize());
    }
}

#[derive(LogicBlock, Cycle, Blank)]
pub struct Block5 {
    pub i1: Signal<In, Bits<1>>,
    pub i2: Signal<In, Bits<2>>,
    pub i3: Signal<In, Bits<3>>,
    pub i5: Signal<In, Bits<5>>,
    pub i8: Signal<In, Bits<8>>,
    pub i13: Signal<In, Bits<13>>,
    pub i16: Signal<In, Bits<16>>,
    pub i31: Signal<In, Bits<31>>,
    pub i32: Signal<In, Bits<32>>,
    pub i33: Signal<In, Bits<33>>,
    pub i48: Signal<In, Bits<48>>,
    pub i63: Signal<In, Bits<63>>,
    pub i64: Signal<In, Bits<64>>,
    pub p: Signal<In, Bit>,
    pub q: Signal<In, Bit>,
    pub o0: Signal<Out, Bits<16>>,
    pub o1: Signal<Out, Bits<32>>,
    pub o2: Signal<Out, Bits<8>>,
    pub o3: Signal<Out, Bit>,
    pub o4: Signal<Out, Bits<1>>,
    pub o5: Signal<Out, Bit>,
    pub wide: [Signal<In, Bits<17>>; 8],
    _activity: Activity,
}

impl Block5 {
    const MIX: Bits<50> = Bits::new(0x2_5a5a_0ff0_1234);
    const SOME: usize = 5;
}

impl Logic for Block5 {
    #[hdl_gen]
    fn update(&mut self) {
        let v0 = (self.i2.val().resize::<53>().replace_bit(self.i2.val().one_hot::<5>().index(), (self.p.val() || self.p.val())) + (if (self.i32.val() > self.i32.val()) { (if self.p.val() { bit_cast::<53, 63>(self.i63.val()) } else { bits::<53>(0xe3d57c8326d91) }) } else { bits::<53>(0x8e3ade721ea1f) }));
        let mut m1 = (self.i31.val() | self.i31.val()).get_bit((bit_cast::<4, 64>(self.i64.val()) ^ Self::MIX.resize()).index());
        if bit_cast::<48, 32>(self.i32.val()).any() {
            let v2 = match (self.i5.val() | self.i5.val()).lowest_set().index() {
                13 => self.i33.val().bits::<8>(8),
                1 | 22 => ((self.i8.val() | self.i8.val()) + (self.i8.val() + self.i8.val())),
                20..=22 => ((self.i8.val() + self.i31.val().resize()) + (self.i3.val() + self.i3.val().resize()).resize()),
                Self::SOME => (self.i8.val() + self.i8.val()).highest_set(),
                _ => ((self.i8.val() ^ self.i8.val()) + bit_cast::<22, 53>(v0).bits::<8>(5)),
            };
            m1 = ((!self.i32.val().xor()) && m1);
            let v3 = v2.lowest_set().get_bits::<61>(8).get_bits::<63>(bit_cast::<7, 8>(v2).one_hot_index::<1>().replace_bit(0, self.i2.val().all()).index());
            m1 = self.i64.val().get_bits::<10>(self.i2.val().index() + 1).get_bit(5);
        } else {
            let v4 = m1;
            m1 = ((bit_cast::<51, 64>(self.i64.val()) + bit_cast::<51, 8>(self.i8.val())).bits::<5>(10) >= (self.i5.val() - self.i5.val()).replace_bit(bit_cast::<52, 31>(self.i31.val()).get_bits::<2>(bit_cast::<6, 31>(self.i31.val()).index()).index(), (!v4)));
        }
        let v5 = (!(bit_cast::<7, 13>(self.i13.val()) ^ Self::MIX.resize()).one_hot::<16>());
        let mut m6 = ((if m1 { bit_cast::<49, 16>(v5) } else { bit_cast::<49, 64>(self.i64.val()) }) & (bit_cast::<49, 33>(self.i33.val()) + self.i1.val().resize()));
        let v7 = match (bit_cast::<21, 32>(self.i32.val()).bits::<3>(10) ^ Self::MIX.resize()).index() {
            1 => self.i63.val().any(),
            7 | 4 => ((self.i8.val() >= self.i8.val()) | self.i3.val().get_bit(1)),
            0..=2 => ((m1 || self.p.val()) && (!m1)),
            Self::SOME => ((m1 ^ self.p.val()) | (self.p.val() ^ self.q.val())),
            _ => ((if self.q.val() { v5 } else { v5 }) != (v5 << self.i2.val())),
        };
        if (self.i64.val().bits::<63>(0) == bit_cast::<18, 31>(self.i31.val()).get_bits::<63>(self.i2.val().index() * 4 + 2)) {
            let v8 = (bit_cast::<42, 32>(self.i32.val()) + bit_cast::<42, 13>(self.i13.val())).get_bits::<13>(13).bits::<3>(7);
            m6 = (bit_cast::<7, 51>(bit_cast::<51, 32>(self.i32.val())) ^ bit_cast::<7, 5>(self.i5.val()).reverse()).one_hot::<49>();
            let v9 = self.i32.val();
            m6 = (mask(self.p.val(), m6) + (self.i33.val() ^ self.i33.val()).resize());
        } else {
            let v10 = (bit_cast::<20, 48>(self.i48.val()) + bit_cast::<33, 33>((!self.i33.val())).resize());
            m6 = (if self.i5.val().get_bit(4) { mask(self.p.val(), bits::<18>(0x3)) } else { (bit_cast::<18, 33>(self.i33.val()) - 0x4_u64) }).concat::<31, 49>((self.i13.val() & self.i13.val()).get_bits::<31>((if m1 { self.i3.val() } else { self.i3.val() }).index()));
        }
        let v11 = self.i32.val();
        let mut m12 = (if v7 { (self.i5.val() >> self.i3.val()) } else { self.i5.val() });
        let v13 = ((!bits::<14>(0x3fff)).concat::<22, 36>((bit_cast::<22, 49>(m6) & bit_cast::<22, 33>(self.i33.val()))) << (if (self.i33.val() <= self.i33.val()) { (bit_cast::<6, 31>(self.i31.val()) & bit_cast::<6, 16>(v5)) } else { (!bit_cast::<6, 49>(m6)) }));
        if (self.i63.val() | self.i63.val()).get_bit(bit_cast::<5, 63>(self.i63.val()).index()) {
            let v14 = (if (!(bit_cast::<19, 31>(self.i31.val()) >= bit_cast::<19, 8>(self.i8.val()))) { (bit_cast::<8, 3>(self.i3.val()) ^ bit_cast::<6, 48>(self.i48.val()).concat::<2, 8>(self.i2.val())) } else { self.i8.val() });
            m12 = ((self.i13.val() - self.i13.val()) + (if self.q.val() { self.i31.val() } else { self.i31.val() }).resize()).bits::<5>(7);
            let v16 = if (bit_cast::<38, 32>(v11).bits::<32>(0) > mask(self.p.val(), self.i32.val())) {
                let v15 = self.i1.val();
                ((self.i3.val() >> 0_u64) + (!self.i3.val()))
            } else {
                ((self.i3.val() | self.i3.val()) & (self.i3.val() + self.i33.val().resize()))
            };
            m12 = (if (self.i1.val() > self.i1.val()) { (if v7 { m12 } else { m12 }) } else { (m12 << 0_u64) });
        } else {
            let v17 = ((bit_cast::<21, 63>(self.i63.val()).concat::<12, 33>(bit_cast::<12, 31>(self.i31.val())) + bit_cast::<25, 16>(v5).get_bits::<33>(self.i1.val().index() * 3)) ^ (self.i33.val() + self.q.val().fill::<33>()));
            m12 = (if (bit_cast::<33, 48>(self.i48.val()) <= (!v17)) { bit_cast::<5, 33>(bit_cast::<33, 33>(v17)) } else { (bit_cast::<5, 32>(self.i32.val()) & (self.i5.val() + v17.resize())) });
        }
        let mut list = [bit_cast::<33, 63>((self.i63.val() << bit_cast::<6, 64>(self.i64.val()))), (bit_cast::<33, 2>(self.i2.val()) << (self.i3.val() + self.i5.val().resize())), ((self.i33.val() << 3_u64) | 0x4_u64), ((!self.i33.val()) << 0_u64)];
        if (bit_cast::<6, 49>(m6) >= 0x3_u64) {
            list[bit_cast::<39, 53>(v0).bits::<2>(10).replace_bit((if self.q.val() { self.i1.val() } else { self.i1.val() }).index(), (bit_cast::<20, 2>(self.i2.val()) >= bit_cast::<20, 63>(self.i63.val()))).index()] = ((self.i33.val() + self.i33.val()) + mask(v7, m12).resize());
        } else {
            list[1] = self.i33.val();
        }
        let mut sums = [(self.i63.val().get_bits::<33>(bits::<4>(0xf).index()) - self.i31.val().get_bits::<33>(27)); 4];
        for i in 0..4 {
            let turned = list[3 - i] + sums[i];
            if bit_cast::<4, 49>(m6).get_bit(i) {
                sums[i] = turned + list[0];
            }
        }
        self.o0.next = (((bit_cast::<11, 8>(self.i8.val()) + bit_cast::<11, 33>(list[self.i2.val().index()])).concat::<5, 16>((!m12)) + (if v7 { bit_cast::<50, 3>(self.i3.val()) } else { bit_cast::<50, 8>(self.i8.val()) }).get_bits::<16>((if self.p.val() { self.i2.val() } else { self.i2.val() }).index() + 1)) << 9_u64);
        self.o1.next = bit_cast::<33, 3>(((if m1 { self.i3.val() } else { self.i3.val() }) | self.i3.val().replace_bit(self.i1.val().index(), v7))).get_bits::<32>(bit_cast::<11, 5>(self.i5.val()).ones_below::<3>().index() + 1);
        self.o2.next = (self.i8.val().replace_bit(bit_cast::<3, 33>(list[(if (self.i33.val() == self.i33.val()) { (self.i2.val() + self.i2.val()) } else { (self.i2.val() - self.i2.val()) }).index()]).replace_bit(1, (v7 | m1)).index(), ((self.i63.val() + self.i63.val()) == (!self.i63.val()))) + (if (bit_cast::<9, 33>(list[self.i2.val().index()]).resize::<31>() != self.i3.val().one_hot_index::<31>()) { ((self.i5.val() << bit_cast::<4, 33>(list[2])) + (self.i5.val() + m12)) } else { (self.i5.val().replace_bit(self.i2.val().index(), self.q.val()) + (self.i2.val() >> bit_cast::<4, 5>(self.i5.val())).resize()) }).resize());
        self.o3.next = (bit_cast::<8, 42>((self.i5.val() ^ m12).population_count::<42>()) == (!((self.i8.val() ^ Self::MIX.resize()) ^ (self.i8.val() >> self.i3.val()))));
        self.o4.next = mask(((!self.q.val()) && bit_cast::<60, 33>(sums[(if (self.i33.val() == self.i33.val()) { (self.i2.val() + self.i2.val()) } else { (self.i2.val() - self.i2.val()) }).index()]).get_bit(10)), ((self.i1.val() >> 1_u64) ^ 0x1_u64)).reverse();
        self.o5.next = (self.p.val() || ((bit_cast::<7, 2>(self.i2.val()).ones_below::<43>() >> 29_u64) > ((bit_cast::<43, 36>(v13) + self.i31.val().resize()) | bit_cast::<4, 33>(list[(if (self.i33.val() == self.i33.val()) { (self.i2.val() + self.i2.val()) } else { (self.i2.val() - self.i2.val()) }).index()]).population_count::<43>())));
    }
}

#[derive(LogicBlock, Cycle, Blank)]
pub struct Block6 {
    pub i1: Signal<In, Bits<1>>,
    pub i2: Signal<In, Bits<2>>,
    pub i3: Signal<In, Bits<3>>,
    pub i5: Signal<In, Bits<5>>,
    pub i8: Signal<In, Bits<8>>,
    pub i13: Signal<In, Bits<13>>,
    pub i16: Signal<In, Bits<16>>,
    pub i31: Signal<In, Bits<31>>,
    pub i32: Signal<In, Bits<32>>,
    pub i33: Signal<In, Bits<33>>,
    pub i48: Signal<In, Bits<48>>,
    pub i63: Signal<In, Bits<63>>,
    pub i64: Signal<In, Bits<64>>,
    pub p: Signal<In, Bit>,
    pub q: Signal<In, Bit>,
    pub o0: Signal<Out, Bits<51>>,
    pub o1: Signal<Out, Bits<64>>,
    pub o2: Signal<Out, Bits<1>>,
    pub o3: Signal<Out, Bit>,
    pub o4: Signal<Out, Bits<13>>,
    pub o5: Signal<Out, Bits<64>>,
    pub wide: [Signal<In, Bits<17>>; 8],
    _activity: Activity,
}

impl Block6 {
    const MIX: Bits<50> = Bits::new(0x2_5a5a_0ff0_1234);
    const SOME: usize = 5;
}

impl Logic for Block6 {
    #[hdl_gen]
    fn update(&mut self) {
        let v0 = (self.i1.val().concat::<2, 3>(self.i2.val()) - mask(self.q.val(), self.i3.val())).replace_bit(2, ((!bit_cast::<21, 16>(self.i16.val())) < (if self.q.val() { bit_cast::<21, 32>(self.i32.val()) } else { bit_cast::<21, 8>(self.i8.val()) })));
        let mut m1 = (self.i16.val() ^ Self::MIX.resize());
        let v2 = (((self.i13.val() + 0x1fff_u64) <= mask(self.p.val(), self.i13.val())) | (self.i31.val().concat::<16, 47>(self.i16.val()) >= 0x40e0b0c8d46b_u64));
        if (!(!self.p.val())) {
            let v3 = (bit_cast::<51, 48>(self.i48.val()).get_bits::<5>(7).replace_bit(3, (bit_cast::<6, 3>(v0) <= bits::<6>(0x4))) + self.i5.val());
            m1 = ((bit_cast::<11, 2>(self.i2.val()) ^ Self::MIX.resize()).resize::<16>() | (bits::<12>(0xfff).resize::<16>() | self.i16.val().lowest_set()));
            let v4 = ((self.i13.val() != self.i13.val()) & (self.i8.val() != self.i8.val())).fill::<38>();
            m1 = (self.i16.val().replace_bit(7, self.p.val()) << (self.i5.val() + 0x1f_u64));
        } else {
            let v6 = if (bit_cast::<17, 16>(self.i16.val()) - bit_cast::<17, 8>(self.i8.val())).all() {
                let v5 = (((self.i64.val() & self.i64.val()) - self.i64.val().reverse()) >= (bit_cast::<19, 16>(self.i16.val()).concat::<45, 64>(bit_cast::<45, 64>(self.i64.val())) << 3_u64));
                bit_cast::<5, 31>((self.i31.val() | 0x1aea20b4_u64))
            } else {
                self.i5.val()
            };
            m1 = (!(if self.q.val() { bit_cast::<6, 3>(self.i3.val()) } else { bit_cast::<6, 31>(self.i31.val()) }).concat::<10, 16>(bit_cast::<10, 64>(self.i64.val())));
        }
        let v3 = match bit_cast::<8, 3>((v0 + self.i3.val())).index() {
            198 => ((if self.p.val() { self.i48.val() } else { self.i48.val() }) <= mask(v2, self.i48.val())),
            41 | 176 => (bit_cast::<14, 33>(self.i33.val()).highest_set() != bits::<14>(0x4)),
            179..=181 => (bit_cast::<58, 16>(self.i16.val()) >= self.i31.val().concat::<27, 58>(bit_cast::<27, 48>(self.i48.val()))),
            Self::SOME => ((if self.p.val() { self.i63.val() } else { self.i63.val() }) <= (self.i63.val() >> bit_cast::<7, 16>(m1))),
            _ => (self.i64.val().highest_set() > self.i64.val().replace_bit(bit_cast::<6, 16>(m1).index(), self.q.val())),
        };
        let mut m7 = (bits::<42>(0x3ffffffffff) >> 32_u64);
        if ((self.i5.val() + self.i5.val()) < (self.i5.val() + 0x6_u64)) {
            let v7 = m1;
            m7 = (((m7 + 0x1b3347b472f_u64) + v3.fill::<42>()) | m7);
            let v8 = (bit_cast::<33, 28>(mask(self.p.val(), bit_cast::<28, 13>(self.i13.val()))) ^ ((self.i33.val() + self.i33.val()) + bit_cast::<41, 3>(self.i3.val()).bits::<34>(4).resize()));
            m7 = (m7 + bit_cast::<54, 33>(self.i33.val()).resize()).replace_bit(self.i32.val().get_bits::<5>(self.i5.val().index() + 1).index(), (v2 | v3));
        } else {
            let v9 = (self.i3.val() + 0x0_u64).replace_bit(1, ((if v3 { self.i31.val() } else { self.i31.val() }) >= self.i31.val()));
            m7 = (((m7 >> 7_u64) + (m7 + m7)) ^ bit_cast::<42, 58>(bits::<58>(0x3ffffffffffffff)).highest_set());
        }
        let v10 = ((mask(self.p.val(), m1) <= bit_cast::<16, 64>(self.i64.val())) & (self.q.val().fill::<48>() < bit_cast::<7, 3>(self.i3.val()).concat::<41, 48>(bit_cast::<41, 64>(self.i64.val()))));
        let mut m11 = ((self.i31.val() ^ self.i31.val()) + (self.i31.val() + self.i31.val()).resize());
        let v12 = self.i2.val().concat::<1, 3>((self.i5.val().ones_below::<1>() + self.i1.val()));
        if ((self.i3.val() + v0) != 0x4_u64) {
            let v13 = (self.i5.val() >> 5_u64).highest_set().highest_set();
            m11 = (((m11 - m11) - (m11 ^ self.i31.val())) | ((m11 - m11) + (if self.p.val() { self.i31.val() } else { m11 })));
            let v14 = (((!self.i3.val()) ^ 0x3_u64) - (self.i13.val().get_bits::<3>(self.i3.val().index() + 1) + bit_cast::<54, 48>(self.i48.val()).resize()));
            m11 = bit_cast::<31, 32>(self.i32.val().reverse());
        } else {
            let v15 = (!bit_cast::<12, 5>(self.i5.val()).highest_set().get_bit(9));
            m11 = (m11 ^ Self::MIX.resize());
        }
        let mut list = [bit_cast::<23, 3>(bit_cast::<12, 8>(self.i8.val()).one_hot_index::<3>()), (bit_cast::<25, 2>(self.i2.val()).bits::<23>(2) + (bit_cast::<23, 5>(self.i5.val()) | bit_cast::<23, 33>(self.i33.val()))), ((bit_cast::<23, 31>(self.i31.val()) - bits::<23>(0x7fffff)) | 0x6_u64), (if v10 { bit_cast::<12, 16>(self.i16.val()) } else { bit_cast::<12, 31>(m11) }).concat::<11, 23>((bit_cast::<11, 13>(self.i13.val()) >> bit_cast::<6, 63>(self.i63.val())))];
        if (!v2) {
            list[((self.i2.val() & self.i2.val()) - 0x0_u64).index()] = ((bit_cast::<23, 31>(m11) | bit_cast::<23, 3>(v12)) - (bit_cast::<23, 32>(self.i32.val()) << bit_cast::<6, 2>(self.i2.val())));
        } else {
            list[1] = ((if self.q.val() { bit_cast::<23, 32>(self.i32.val()) } else { bit_cast::<23, 31>(self.i31.val()) }) + mask(v3, bits::<23>(0x7fffff)));
        }
        let mut sums = [((list[2] & 0x33be97_u64) + (list[2] ^ list[2])); 4];
        for i in 0..4 {
            let turned = list[3 - i] + sums[i];
            if (!self.i1.val().concat::<3, 4>(v0)).get_bit(i) {
                sums[i] = turned + list[0];
            }
        }
        self.o0.next = (!(mask(v10, m1) + bit_cast::<16, 36>(bits::<36>(0xfffffffff)))).get_bits::<51>((((bit_cast::<4, 3>(v12) >> 1_u64) >> bit_cast::<12, 8>(self.i8.val()).ones_below::<3>()) | (!bit_cast::<4, 23>(sums[(self.i48.val().get_bits::<2>(self.i1.val().index() * 3) << (self.i1.val() - self.i1.val())).index()]))).index() + 1);
        self.o1.next = ((self.i64.val() + ((self.i64.val() ^ self.i64.val()) << (bits::<6>(0x9) + bit_cast::<6, 3>(v12)))) + bit_cast::<64, 27>(bits::<27>(0x136beb4)));
        self.o2.next = (bit_cast::<1, 44>(((if self.q.val() { bit_cast::<44, 1>(self.i1.val()) } else { bit_cast::<44, 23>(sums[((self.i2.val() + self.i2.val()) + bit_cast::<61, 23>(list[2]).get_bits::<31>(bit_cast::<6, 3>(v0).index() + 1).resize()).index()]) }) << 38_u64)) & ((!bit_cast::<62, 3>(v0)) + bit_cast::<62, 48>(self.i48.val())).get_bits::<1>((bit_cast::<1, 48>(self.i48.val()) - self.i1.val()).index() * 3));
        self.o3.next = ((((self.i16.val() >> self.i5.val()) >> (bit_cast::<4, 42>(m7) - bits::<4>(0x3))) + (self.i16.val().lowest_set() | self.i63.val().bits::<16>(17))) == (if ((self.i1.val() >> 1_u64) == mask(self.p.val(), self.i1.val())) { m1 } else { (if bit_cast::<14, 23>(list[(self.i48.val().get_bits::<2>(self.i1.val().index() * 3) << (self.i1.val() - self.i1.val())).index()]).xor() { (self.i16.val() & self.i16.val()) } else { bit_cast::<16, 1>(self.i1.val()) }) }));
        self.o4.next = bit_cast::<7, 8>((self.i8.val() | v12.concat::<5, 8>(self.i5.val()))).one_hot::<13>();
        self.o5.next = (self.i64.val() & ((m7 | m7) << 0_u64).get_bits::<64>(28));
    }
}

#[derive(LogicBlock, Cycle, Blank)]
pub struct Block7 {
    pub i1: Signal<In, Bits<1>>,
    pub i2: Signal<In, Bits<2>>,
    pub i3: Signal<In, Bits<3>>,
    pub i5: Signal<In, Bits<5>>,
    pub i8: Signal<In, Bits<8>>,
    pub i13: Signal<In, Bits<13>>,
    pub i16: Signal<In, Bits<16>>,
    pub i31: Signal<In, Bits<31>>,
    pub i32: Signal<In, Bits<32>>,
    pub i33: Signal<In, Bits<33>>,
    pub i48: Signal<In, Bits<48>>,
    pub i63: Signal<In, Bits<63>>,
    pub i64: Signal<In, Bits<64>>,
    pub p: Signal<In, Bit>,
    pub q: Signal<In, Bit>,
    pub o0: Signal<Out, Bits<29>>,
    pub o1: Signal<Out, Bit>,
    pub o2: Signal<Out, Bit>,
    pub o3: Signal<Out, Bits<63>>,
    pub o4: Signal<Out, Bit>,
    pub o5: Signal<Out, Bit>,
    pub wide: [Signal<In, Bits<17>>; 8],
    _activity: Activity,
}

impl Block7 {
    const MIX: Bits<50> = Bits::new(0x2_5a5a_0ff0_1234);
    const SOME: usize = 5;
}

impl Logic for Block7 {
    #[hdl_gen]
    fn update(&mut self) {
        let v0 = self.q.val();
        let mut m1 = (self.i5.val() + bit_cast::<16, 48>(self.i48.val()).resize());
        if (self.i1.val() != 0x1_u64) {
            let v2 = bit_cast::<1, 16>((self.i16.val() & self.i16.val())).get_bits::<37>(0);
            m1 = (((self.i5.val() + m1) + self.i8.val().get_bits::<5>(3)) + self.i64.val().replace_bit(36, v0).get_bits::<63>((bit_cast::<6, 5>(m1) >> 4_u64).index() * 4 + 2).resize());
            let v3 = (self.p.val().fill::<13>() & (if self.q.val() { self.i13.val() } else { self.i13.val() })).get_bits::<32>((self.i13.val().get_bits::<4>(6) ^ Self::MIX.resize()).index() * 3);
            m1 = (self.i32.val().get_bits::<5>(bits::<4>(0x6).index() * 4 + 2) ^ (if self.q.val() { m1 } else { self.i5.val() }));
        } else {
            let v4 = mask((self.i31.val().replace_bit(bit_cast::<4, 31>(self.i31.val()).index(), v0) > (self.i31.val() & self.i31.val())), self.i32.val().xor().fill::<63>());
            m1 = ((if v0 { self.i5.val() } else { self.i5.val() }) >> 2_u64).replace_bit(3, (!self.i48.val().get_bit(2)));
        }
        let v5 = (((if self.q.val() { self.i2.val() } else { self.i2.val() }) & (self.i2.val() - self.i2.val())) + (self.i1.val().population_count::<2>() | (self.i2.val() << 1_u64)));
        let mut m6 = (!v0);
        if ((bit_cast::<40, 33>(self.i33.val()) >= 0x7_u64) | (self.i48.val() <= self.i48.val())) {
            let v7 = bit_cast::<8, 52>(bit_cast::<52, 5>(self.i5.val()));
            m6 = (if (self.q.val() | self.q.val()) { (self.i13.val() + self.i13.val()) } else { (self.i13.val() & self.i13.val()) }).xor();
            let v8 = self.i48.val();
            m6 = (v0 || self.p.val());
        } else {
            let v9 = (if self.q.val() { bit_cast::<17, 5>(m1) } else { bit_cast::<17, 13>(self.i13.val()) }).concat::<13, 30>(self.i13.val()).get_bits::<8>(30);
            m6 = (((self.i31.val() + self.i31.val()) - mask(self.p.val(), self.i31.val())) != ((self.i31.val() >> 21_u64) ^ bits::<59>(0x56cc92cbe33f20f).bits::<31>(1)));
        }
        let v10 = self.i64.val();
        let mut m11 = (!mask(self.q.val(), self.i5.val()));
        if (!(!self.q.val())) {
            let v12 = (((bits::<10>(0x3ff) + bit_cast::<10, 3>(self.i3.val())) & bit_cast::<10, 64>(v10).lowest_set()) >> 2_u64);
            m11 = mask(((self.p.val() | m6) | (bit_cast::<39, 2>(self.i2.val()) <= bit_cast::<39, 5>(m11))), ((if self.q.val() { m11 } else { m11 }) | (m11 + self.i31.val().resize())));
            let v13 = match m11.index() {
                25 => bit_cast::<16, 33>(self.i33.val()).reverse(),
                5 | 13 => mask((self.i13.val() >= 0x1fff_u64), self.i16.val().replace_bit(2, self.p.val())),
                8..=10 => self.i16.val(),
                Self::SOME => bit_cast::<16, 32>((self.i32.val() + self.i16.val().resize())),
                _ => (self.i16.val() | (self.i16.val() + self.i16.val())),
            };
            m11 = (self.i1.val() | self.i1.val()).get_bits::<5>(1);
        } else {
            let v14 = bit_cast::<64, 26>((bit_cast::<26, 32>(self.i32.val()) & bit_cast::<26, 31>(self.i31.val()))).bits::<64>(0);
            m11 = (bit_cast::<7, 16>(self.i16.val()).one_hot::<17>() + v14.get_bits::<60>(34).resize()).get_bits::<5>(4);
        }
        let mut list = [self.i8.val().resize::<5>().xor(), ((bit_cast::<25, 2>(self.i2.val()) & bits::<25>(0x1ffffff)) == bit_cast::<25, 33>(self.i33.val())), ((if m6 { self.i13.val() } else { self.i13.val() }) < (self.i13.val() ^ Self::MIX.resize())), ((self.i64.val() != self.i64.val()) & (!self.q.val()))];
        if (!self.p.val()) {
            list[(bit_cast::<2, 46>(bits::<46>(0x0)) >> (self.i3.val() ^ Self::MIX.resize())).index()] = self.q.val();
        } else {
            list[1] = ((bit_cast::<28, 64>(v10) + bits::<28>(0xfffffff)) == bit_cast::<35, 33>(self.i33.val()).low::<28>());
        }
        let mut sums = [self.i3.val().one_hot::<41>().all(); 4];
        for i in 0..4 {
            let turned = list[3 - i] ^ sums[i];
            if (bit_cast::<15, 31>(self.i31.val()) + bits::<15>(0x7fff)).get_bits::<4>(12).get_bit(i) {
                sums[i] = turned ^ list[0];
            }
        }
        self.o0.next = (bit_cast::<12, 31>(self.q.val().fill::<31>()) & mask(list[2], bit_cast::<9, 31>(self.i31.val())).concat::<3, 12>(self.i3.val())).ones_below::<29>();
        self.o1.next = (!((bit_cast::<26, 63>(self.i63.val()) - bit_cast::<26, 5>(m11)).get_bits::<40>(15) <= bit_cast::<40, 64>(self.i64.val())));
        self.o2.next = (!((self.i31.val().replace_bit(bit_cast::<4, 2>(self.i2.val()).index(), m6) & (self.i31.val() - self.i31.val())) >= mask((self.p.val() && list[2]), bit_cast::<58, 48>(self.i48.val()).get_bits::<31>(m11.index() + 1))));
        self.o3.next = (self.i63.val() + (((!self.i63.val()) - (if self.p.val() { self.i63.val() } else { self.i63.val() })) + mask(bit_cast::<56, 2>(self.i2.val()).get_bit(m1.index()), self.p.val().fill::<63>())));
        self.o4.next = ((m1 >> bit_cast::<7, 5>(m1)).one_hot::<32>().replace_bit((if (self.i33.val() <= self.i33.val()) { (!m11) } else { (m1 - m11) }).index(), ((self.i1.val() + self.i1.val().resize()) <= (self.i1.val() | self.i1.val()))) <= (if ((bit_cast::<39, 17>(self.wide[(self.i2.val() - v5).concat::<1, 3>((self.i1.val() << 0_u64)).index()].val()) + self.i8.val().resize()) <= bits::<39>(0x1)) { mask((bit_cast::<27, 2>(self.i2.val()) > bit_cast::<27, 3>(self.i3.val())), self.i32.val().replace_bit(m11.index(), list[2])) } else { bit_cast::<32, 18>(bit_cast::<18, 13>(self.i13.val())) }));
        self.o5.next = (((self.wide[(self.i2.val() - v5).concat::<1, 3>((self.i1.val() << 0_u64)).index()].val() >> 16_u64) - self.wide[(self.i2.val() - v5).concat::<1, 3>((self.i1.val() << 0_u64)).index()].val()).any() && self.p.val());
    }
}

#[derive(LogicBlock, Cycle, Blank)]
pub struct Block8 {
    pub i1: Signal<In, Bits<1>>,
    pub i2: Signal<In, Bits<2>>,
    pub i3: Signal<In, Bits<3>>,
    pub i5: Signal<In, Bits<5>>,
    pub i8: Signal<In, Bits<8>>,
    pub i13: Signal<In, Bits<13>>,
    pub i16: Signal<In, Bits<16>>,
    pub i31: Signal<In, Bits<31>>,
    pub i32: Signal<In, Bits<32>>,
    pub i33: Signal<In, Bits<33>>,
    pub i48: Signal<In, Bits<48>>,
    pub i63: Signal<In, Bits<63>>,
    pub i64: Signal<In, Bits<64>>,
    pub p: Signal<In, Bit>,
    pub q: Signal<In, Bit>,
    pub o0: Signal<Out, Bits<5>>,
    pub o1: Signal<Out, Bits<5>>,
    pub o2: Signal<Out, Bits<63>>,
    pub o3: Signal<Out, Bits<30>>,
    pub o4: Signal<Out, Bits<48>>,
    pub o5: Signal<Out, Bit>,
    pub wide: [Signal<In, Bits<17>>; 8],
    _activity: Activity,
}

impl Block8 {
    const MIX: Bits<50> = Bits::new(0x2_5a5a_0ff0_1234);
    const SOME: usize = 5;
}

impl Logic for Block8 {
    #[hdl_gen]
    fn update(&mut self) {
        let v1 = if bit_cast::<64, 63>(self.i63.val()).any() {
            let v0 = (self.i13.val() + self.i16.val().resize()).get_bits::<8>(3).get_bit(7);
            ((!self.i64.val()) != self.i64.val())
        } else {
            self.i3.val().get_bits::<4>(bit_cast::<4, 48>(self.i48.val()).index() * 3).all()
        };
        let mut m2 = (self.i1.val() + self.i1.val()).get_bits::<48>((self.i2.val() ^ 0x3_u64).index());
        if ((v1 || v1) && (self.i63.val() >= self.i63.val())) {
            let v1 = match bit_cast::<7, 13>(self.i13.val()).one_hot_index::<3>().resize::<6>().index() {
                32 => (self.q.val() & (bit_cast::<53, 13>(self.i13.val()) >= 0x6_u64)),
                32 | 61 => ((v1 & self.p.val()) | (self.q.val() && v1)),
                6..=8 => (if self.q.val() { self.i8.val() } else { self.i8.val() }).xor(),
                Self::SOME => ((self.i5.val() == self.i5.val()) == (bits::<7>(0x7f) >= bits::<7>(0x7f))),
                _ => bit_cast::<34, 5>(self.i5.val()).all(),
            };
            m2 = bit_cast::<55, 16>(self.i16.val()).low::<48>();
            let v3 = if ((if self.q.val() { self.i5.val() } else { self.i5.val() }) != bit_cast::<50, 63>(self.i63.val()).get_bits::<5>(15)) {
                let v3 = (!((self.i2.val() >= 0x2_u64) | (self.q.val() ^ self.p.val())));
                ((self.i8.val() > self.i8.val()) && (v3 ^ self.q.val()))
            } else {
                self.q.val()
            };
            m2 = bit_cast::<62, 48>(m2).low::<48>().lowest_set();
        } else {
            let v4 = (!bit_cast::<3, 2>(self.i2.val()).bits::<3>(0));
            m2 = ((if (self.i31.val() < self.i31.val()) { (m2 ^ 0xb2ee7c638a31_u64) } else { (m2 + m2) }) + (bit_cast::<21, 3>(v4) ^ 0x7_u64).resize());
        }
        let v5 = ((self.i2.val().one_hot::<2>() + (bits::<25>(0x1336678) | bit_cast::<25, 48>(m2)).resize()) >= (bits::<36>(0xfffffffff).low::<2>() - self.i1.val().concat::<1, 2>(self.i1.val())));
        let mut m6 = (v1 & self.q.val());
        if ((self.i5.val() - self.i5.val()) == bit_cast::<5, 8>(self.i8.val())) {
            let v7 = ((if (self.i3.val() < 0x2_u64) { self.i5.val().one_hot_index::<37>() } else { (bits::<37>(0xedea404b8) >> self.i1.val()) }) + (if (self.i31.val() == 0x14a94797_u64) { bit_cast::<9, 32>(self.i32.val()).get_bits::<37>(bit_cast::<6, 33>(self.i33.val()).index()) } else { bit_cast::<37, 1>(self.i1.val()) }));
            m6 = ((self.i63.val().get_bits::<48>(11) + (m2 ^ 0x487e3e6d6406_u64)) == 0xffffffffffff_u64);
            let v8 = mask((!(bit_cast::<49, 5>(self.i5.val()) != bit_cast::<49, 33>(self.i33.val()))), (bit_cast::<56, 3>(self.i3.val()) ^ Self::MIX.resize()).lowest_set());
            m6 = ((v1 || v5) | (self.i5.val() >= 0x9_u64));
        } else {
            let v9 = self.i5.val();
            m6 = ((self.i3.val() + self.i3.val()).xor() && (v9.get_bit(self.i2.val().index()) || (self.i16.val() <= self.i16.val())));
        }
        let v11 = if (!bit_cast::<55, 48>(self.i48.val()).any()) {
            let v10 = match mask(v1, self.i2.val()).highest_set().index() {
                0 => (if self.p.val() { self.i48.val() } else { self.i48.val() }).get_bits::<3>((bit_cast::<6, 16>(self.i16.val()) >> bit_cast::<6, 13>(self.i13.val())).index() + 1),
                3 | 1 => bits::<10>(0x3ff).highest_set().population_count::<3>(),
                2..=3 => (self.i63.val() == self.i63.val()).fill::<3>(),
                _ => ((self.i3.val() + self.i32.val().resize()) + bit_cast::<4, 63>(self.i63.val()).concat::<1, 5>(self.i1.val()).resize()),
            };
            ((self.i16.val() & self.i16.val()) + (self.i16.val() & self.i16.val()))
        } else {
            (if self.i64.val().xor() { self.i16.val() } else { (self.i16.val() + self.i16.val()) })
        };
        let mut m12 = (self.i3.val() + self.i3.val().highest_set());
        if (!(bit_cast::<25, 16>(v11) > bit_cast::<25, 3>(self.i3.val()))) {
            let v13 = ((if (self.i1.val() < self.i1.val()) { (self.i1.val() - 0x1_u64) } else { self.i1.val() }) == 0x0_u64);
            m12 = ((bits::<22>(0x290984) << self.i5.val()).get_bits::<3>(7) << (self.i33.val().get_bits::<3>(bit_cast::<6, 48>(self.i48.val()).index() + 1) ^ Self::MIX.resize()));
            let v14 = ((bit_cast::<13, 32>(self.i32.val()) ^ (self.i13.val() << 9_u64)) & (self.i13.val() << 6_u64));
            m12 = (!bit_cast::<3, 11>(bit_cast::<11, 63>(self.i63.val())));
        } else {
            let v15 = self.i5.val().get_bits::<3>(4).get_bits::<3>(1).replace_bit(1, ((self.i2.val() ^ Self::MIX.resize()) != self.i2.val()));
            m12 = (self.i1.val().get_bits::<3>(self.i3.val().index() * 3).highest_set() ^ ((self.i3.val() | v15) << (bits::<6>(0x3f) + bit_cast::<6, 1>(self.i1.val()))));
        }
        let mut list = [(mask(self.p.val(), self.i63.val()) != 0x7fffffffffffffff_u64), ((bit_cast::<20, 13>(self.i13.val()) | bit_cast::<20, 1>(self.i1.val())) != self.i1.val().one_hot::<20>()), (bit_cast::<49, 31>(self.i31.val()) & bit_cast::<49, 48>(m2)).all(), m6];
        if (bit_cast::<36, 31>(self.i31.val()) >= bit_cast::<36, 32>(self.i32.val())) {
            list[bit_cast::<2, 32>(self.i32.val()).replace_bit(bit_cast::<1, 39>(bit_cast::<39, 33>(self.i33.val())).index(), (self.q.val() || v1)).index()] = (m2 | 0x64ab25cc50c4_u64).xor();
        } else {
            list[1] = (bit_cast::<1, 1>(self.i1.val()) >= bit_cast::<1, 64>(self.i64.val()));
        }
        let mut sums = [((self.i31.val() < self.i31.val()) & (m6 ^ m6)); 4];
        for i in 0..4 {
            let turned = list[3 - i] ^ sums[i];
            if ((if m6 { bit_cast::<4, 3>(self.i3.val()) } else { bit_cast::<4, 8>(self.i8.val()) }) + self.i5.val().bits::<4>(1)).get_bit(i) {
                sums[i] = turned ^ list[0];
            }
        }
        self.o0.next = (self.i2.val().concat::<3, 5>(((self.i3.val() + self.i3.val()) >> bit_cast::<4, 63>(self.i63.val()))) | (((if list[(self.i2.val().lowest_set() << 0_u64).index()] { self.i5.val() } else { self.i5.val() }) + (self.i5.val() & self.i5.val())) ^ ((if list[2] { self.i5.val() } else { self.i5.val() }) | self.i5.val().replace_bit(self.i2.val().index(), sums[(self.i2.val() ^ self.i2.val()).replace_bit(bit_cast::<1, 16>(self.i16.val()).index(), (self.i8.val() == 0x0_u64)).index()]))));
        self.o1.next = (sums[(self.i2.val() ^ self.i2.val()).replace_bit(bit_cast::<1, 16>(self.i16.val()).index(), (self.i8.val() == 0x0_u64)).index()].fill::<5>().reverse() - 0x7_u64).replace_bit(2, (bit_cast::<7, 2>(self.i2.val()).one_hot_index::<3>().concat::<2, 5>((self.i2.val() & self.i2.val())) == 0xf_u64));
        self.o2.next = (bit_cast::<63, 1>((bit_cast::<46, 48>(m2).get_bits::<1>(self.i2.val().index() * 3) ^ Self::MIX.resize())) | 0x0_u64);
        self.o3.next = (m2.get_bits::<30>(48) - (bit_cast::<30, 16>(self.i16.val()) ^ ((bit_cast::<30, 2>(self.i2.val()) ^ 0x3fffffff_u64) >> 25_u64)));
        self.o4.next = (((if v1 { self.i48.val() } else { m2 }) << m12.concat::<2, 5>(self.i2.val())).lowest_set() - ((bits::<55>(0x7fffffffffffff).bits::<48>(3) + bits::<4>(0x5).population_count::<5>().resize()) + (!(self.i48.val() >> 21_u64))));
        self.o5.next = ((self.i5.val().get_bits::<63>(mask(list[(self.i2.val().lowest_set() << 0_u64).index()], self.i3.val()).index() + 1) - bit_cast::<63, 53>(bit_cast::<53, 2>(self.i2.val()))) >= (if list[2] { (self.i63.val().highest_set() - 0x7fffffffffffffff_u64) } else { (if self.i64.val().any() { bit_cast::<12, 32>(self.i32.val()).ones_below::<63>() } else { self.i63.val().lowest_set() }) }));
    }
}

#[derive(LogicBlock, Cycle, Blank)]
pub struct Block9 {
    pub i1: Signal<In, Bits<1>>,
    pub i2: Signal<In, Bits<2>>,
    pub i3: Signal<In, Bits<3>>,
    pub i5: Signal<In, Bits<5>>,
    pub i8: Signal<In, Bits<8>>,
    pub i13: Signal<In, Bits<13>>,
    pub i16: Signal<In, Bits<16>>,
    pub i31: Signal<In, Bits<31>>,
    pub i32: Signal<In, Bits<32>>,
    pub i33: Signal<In, Bits<33>>,
    pub i48: Signal<In, Bits<48>>,
    pub i63: Signal<In, Bits<63>>,
    pub i64: Signal<In, Bits<64>>,
    pub p: Signal<In, Bit>,
    pub q: Signal<In, Bit>,
    pub o0: Signal<Out, Bit>,
    pub o1: Signal<Out, Bits<34>>,
    pub o2: Signal<Out, Bits<63>>,
    pub o3: Signal<Out, Bits<50>>,
    pub o4: Signal<Out, Bits<51>>,
    pub o5: Signal<Out, Bits<2>>,
    pub wide: [Signal<In, Bits<17>>; 8],
    _activity: Activity,
}

impl Block9 {
    const MIX: Bits<50> = Bits::new(0x2_5a5a_0ff0_1234);
    const SOME: usize = 5;
}

impl Logic for Block9 {
    #[hdl_gen]
    fn update(&mut self) {
        let v0 = (bit_cast::<9, 32>(self.i32.val()) << self.q.val().fill::<7>()).get_bit(8);
        let mut m1 = (if v0 { bit_cast::<10, 63>(self.i63.val()) } else { bit_cast::<10, 48>(self.i48.val()) }).ones_below::<44>();
        let v2 = ((!(self.i1.val() & self.i1.val())) >= (!(if self.p.val() { self.i1.val() } else { self.i1.val() })));
        if v0 {
            let v3 = bit_cast::<5, 14>((self.i1.val().get_bits::<14>(self.i3.val().index() * 3) ^ 0x2d99_u64));
            m1 = (mask(self.i16.val().get_bit(10), (m1 | m1)) | 0xfffffffffff_u64);
            let v4 = bit_cast::<21, 31>(bit_cast::<31, 48>(self.i48.val())).concat::<11, 32>(bit_cast::<6, 1>(self.i1.val()).replace_bit(self.i2.val().index(), v0).concat::<5, 11>(self.i2.val().get_bits::<5>(self.i2.val().index() + 1)));
            m1 = ((!m1) ^ (m1 ^ Self::MIX.resize()));
        } else {
            let v5 = match mask((!v2), (if self.p.val() { self.i5.val() } else { self.i5.val() })).index() {
                7 => (self.i31.val() - self.i31.val()).get_bits::<33>(7),
                13 | 21 => self.i33.val().replace_bit(20, (!v0)),
                28..=30 => bit_cast::<33, 48>(self.i48.val()),
                Self::SOME => self.q.val().fill::<49>().bits::<33>(5),
                _ => self.i33.val().highest_set().replace_bit(0, (v2 || self.p.val())),
            };
            m1 = (if (self.p.val().fill::<31>() < bit_cast::<62, 3>(self.i3.val()).low::<31>()) { ((m1 & m1) + self.i2.val().get_bits::<44>(2)) } else { (bit_cast::<44, 3>(self.i3.val()) + (m1 ^ m1)) });
        }
        let v2 = (bit_cast::<16, 58>(bit_cast::<58, 48>(self.i48.val())) & self.q.val().fill::<16>()).all();
        let mut m6 = mask((bit_cast::<34, 31>(self.i31.val()) < bit_cast::<34, 2>(self.i2.val())), bit_cast::<30, 31>(self.i31.val()).concat::<1, 31>(self.i1.val()));
        if (self.i48.val().get_bits::<13>(34) == (if self.q.val() { self.i13.val() } else { self.i13.val() })) {
            let v7 = (self.i16.val() - 0x5_u64);
            m6 = self.i31.val();
            let v8 = (self.i64.val() != self.i48.val().replace_bit(self.i5.val().index(), self.p.val()).get_bits::<64>(1));
            m6 = self.i31.val();
        } else {
            let v9 = ((bit_cast::<32, 32>(self.i32.val()) >> 27_u64) + ((self.i32.val() - self.i32.val()) >> 13_u64));
            m6 = mask(self.i48.val().any(), self.q.val().fill::<22>()).concat::<9, 31>((bit_cast::<9, 32>(self.i32.val()) + self.i16.val().resize()).highest_set());
        }
        let v10 = (((self.i16.val() << 8_u64) ^ Self::MIX.resize()) | (if self.p.val() { self.i16.val() } else { self.i16.val() }).replace_bit(1, (v0 == self.q.val())));
        let mut m11 = (bits::<20>(0x5).reverse() >= bit_cast::<50, 32>(self.i32.val()).get_bits::<20>(21));
        let v12 = ((if v0 { self.i3.val() } else { self.i3.val() }).get_bits::<23>(3) | (bits::<11>(0x7ff).population_count::<23>() + bit_cast::<23, 3>(self.i3.val()).lowest_set()));
        if (!(self.i3.val() == self.i3.val())) {
            let v14 = if (self.i16.val() >= 0x7_u64) {
                let v13 = match (self.i2.val().replace_bit(0, self.p.val()) | 0x3_u64).index() {
                    0 => (self.i63.val().replace_bit(self.i5.val().index(), v2) + self.i32.val().get_bits::<63>(bit_cast::<4, 8>(self.i8.val()).index())),
                    2 | 2 => bit_cast::<50, 31>(self.i31.val()).bits::<33>(5).get_bits::<63>((if m11 { bits::<4>(0x7) } else { bit_cast::<4, 44>(m1) }).index() + 1),
                    1..=3 => (bit_cast::<45, 64>(self.i64.val()) ^ bit_cast::<45, 31>(m6)).concat::<18, 63>(self.i16.val().get_bits::<18>(2)),
                    _ => (if self.p.val() { (self.i63.val() + self.i63.val()) } else { self.i63.val().replace_bit(59, m11) }),
                };
                ((self.i48.val() << 19_u64) <= (self.i48.val() + self.i48.val()))
            } else {
                v2
            };
            m11 = ((bit_cast::<46, 64>(self.i64.val()).bits::<3>(21) != 0x7_u64) == ((self.i13.val() <= self.i13.val()) ^ self.i2.val().any()));
            let v15 = match ((bit_cast::<4, 23>(v12) | bit_cast::<4, 31>(m6)) | bits::<4>(0x3).lowest_set()).index() {
                1 => ((m6 + self.i5.val().resize()) ^ (if m11 { self.i31.val() } else { self.i31.val() })),
                12 | 10 => self.i8.val().one_hot::<63>().get_bits::<31>(v2.fill::<4>().index() * 3),
                14..=15 => (if self.i5.val().get_bit(1) { self.q.val().fill::<31>() } else { (!m6) }),
                Self::SOME => (v10 ^ v10).get_bits::<31>(bit_cast::<4, 13>(self.i13.val()).reverse().index() + 1),
                _ => (self.i8.val() << bit_cast::<6, 31>(m6)).get_bits::<31>(6),
            };
            m11 = ((self.i32.val() <= self.i32.val()) == (self.i48.val() == self.i48.val()));
        } else {
            let v16 = (if (!(self.i5.val() == self.i5.val())) { (bit_cast::<10, 16>(v10).ones_below::<8>() ^ 0x3_u64) } else { ((self.i8.val() ^ self.i8.val()) << (self.i3.val() & self.i3.val())) });
            m11 = ((if (bit_cast::<14, 2>(self.i2.val()) <= bit_cast::<14, 32>(self.i32.val())) { self.i32.val() } else { (self.i32.val() << 3_u64) }) <= (self.i32.val().reverse() ^ bit_cast::<4, 31>(self.i31.val()).one_hot_index::<32>()));
        }
        let mut list = [(self.i5.val() >> 0_u64).get_bits::<28>(0), bit_cast::<28, 32>(self.i32.val()), mask(v0, bits::<28>(0x4).lowest_set()), mask((self.i16.val() != self.i16.val()), (bit_cast::<28, 63>(self.i63.val()) & bit_cast::<28, 31>(self.i31.val())))];
        if (self.i33.val() == self.i33.val()) {
            list[((self.i2.val() + self.i2.val()) ^ self.i2.val().highest_set()).index()] = (bit_cast::<10, 16>(v10).one_hot_index::<28>() ^ bit_cast::<28, 63>(self.i63.val()));
        } else {
            list[1] = (self.i63.val() < 0x0_u64).fill::<28>();
        }
        let mut sums = [(if v0 { bit_cast::<27, 8>(self.i8.val()) } else { bit_cast::<27, 1>(self.i1.val()) }).get_bits::<28>(bit_cast::<6, 63>(self.i63.val()).index() * 4 + 2); 4];
        for i in 0..4 {
            let turned = list[3 - i] + sums[i];
            if ((if v2 { bit_cast::<4, 64>(self.i64.val()) } else { bit_cast::<4, 31>(self.i31.val()) }) ^ (bit_cast::<4, 3>(self.i3.val()) + bit_cast::<4, 64>(self.i64.val()))).get_bit(i) {
                sums[i] = turned + list[0];
            }
        }
        self.o0.next = (((!v0).fill::<3>() < (!bit_cast::<3, 64>(self.i64.val()))) && ((self.i31.val() <= bits::<50>(0x0).low::<31>()) || v0));
        self.o1.next = (((self.i5.val() ^ self.i5.val()) + 0x1_u64) + mask((self.i13.val() == 0x1fff_u64), self.i5.val().highest_set())).get_bits::<34>(self.i3.val().index() * 4 + 2);
        self.o2.next = ((mask((bits::<47>(0x2) <= bit_cast::<47, 44>(m1)), (self.i63.val() - self.i63.val())) & (self.i63.val() & (self.i63.val() + self.i63.val()))) >> 9_u64);
        self.o3.next = bit_cast::<50, 2>((if ((self.i1.val() == self.i1.val()) == (self.q.val() ^ v0)) { bit_cast::<2, 55>(self.i1.val().concat::<54, 55>(bit_cast::<54, 16>(self.i16.val()))) } else { (self.i2.val().replace_bit(self.i1.val().index(), v0) + (self.i8.val() + self.i8.val()).resize()) }));
        self.o4.next = (bit_cast::<54, 64>(v10.concat::<48, 64>(self.i48.val())) + ((!bit_cast::<54, 63>(self.i63.val())) << (if v2 { bits::<4>(0x3) } else { bit_cast::<4, 33>(self.i33.val()) }))).bits::<51>(3);
        self.o5.next = (bits::<4>(0xf).one_hot_index::<3>().get_bits::<2>(3) | (self.i2.val() + v10.resize()).replace_bit(self.i1.val().reverse().index(), (self.i8.val() > self.i8.val()))).highest_set();
    }
}

#[derive(LogicBlock, Cycle, Blank)]
pub struct Block10 {
    pub i1: Signal<In, Bits<1>>,
    pub i2: Signal<In, Bits<2>>,
    pub i3: Signal<In, Bits<3>>,
    pub i5: Signal<In, Bits<5>>,
    pub i8: Signal<In, Bits<8>>,
    pub i13: Signal<In, Bits<13>>,
    pub i16: Signal<In, Bits<16>>,
    pub i31: Signal<In, Bits<31>>,
    pub i32: Signal<In, Bits<32>>,
    pub i33: Signal<In, Bits<33>>,
    pub i48: Signal<In, Bits<48>>,
    pub i63: Signal<In, Bits<63>>,
    pub i64: Signal<In, Bits<64>>,
    pub p: Signal<In, Bit>,
    pub q: Signal<In, Bit>,
    pub o0: Signal<Out, Bit>,
    pub o1: Signal<Out, Bit>,
    pub o2: Signal<Out, Bit>,
    pub o3: Signal<Out, Bits<1>>,
    pub o4: Signal<Out, Bits<63>>,
    pub o5: Signal<Out, Bits<1>>,
    pub wide: [Signal<In, Bits<17>>; 8],
    _activity: Activity,
}

impl Block10 {
    const MIX: Bits<50> = Bits::new(0x2_5a5a_0ff0_1234);
    const SOME: usize = 5;
}

impl Logic for Block10 {
    #[hdl_gen]
    fn update(&mut self) {
        let v0 = (if self.p.val() { bit_cast::<14, 63>(self.i63.val()) } else { (bit_cast::<14, 33>(self.i33.val()) + bit_cast::<14, 3>(self.i3.val())) }).bits::<5>(8);
        let mut m1 = (if (bits::<22>(0x15c452) < bit_cast::<22, 3>(self.i3.val())) { self.i48.val().replace_bit(36, self.q.val()) } else { self.p.val().fill::<48>() });
        if ((bit_cast::<52, 48>(m1) ^ Self::MIX.resize()) >= (if self.p.val() { bits::<52>(0xfffffffffffff) } else { bit_cast::<52, 16>(self.i16.val()) })) {
            let v2 = bit_cast::<3, 5>((self.i5.val() + bit_cast::<56, 48>(m1).resize())).xor();
            m1 = (m1 << (bit_cast::<11, 2>(self.i2.val()) ^ bit_cast::<11, 5>(v0)).one_hot_index::<7>());
            let v3 = match (if (v2 || self.q.val()) { self.i3.val().replace_bit(1, v2) } else { self.i5.val().get_bits::<3>(self.i3.val().index() + 1) }).index() {
                4 => (self.i32.val() > self.i32.val()).fill::<5>(),
                2 | 4 => bit_cast::<5, 24>(bit_cast::<24, 63>(self.i63.val())),
                5..=7 => bit_cast::<5, 53>(bit_cast::<53, 48>(self.i48.val()).highest_set()),
                Self::SOME => self.i5.val(),
                _ => self.i5.val(),
            };
            m1 = (self.i2.val() | self.i2.val()).one_hot::<48>();
        } else {
            let v4 = ((if (self.i33.val() >= 0x1ffffffff_u64) { mask(self.p.val(), self.i16.val()) } else { m1.get_bits::<16>(20) }) | bit_cast::<38, 5>(self.i5.val()).bits::<16>(17).highest_set());
            m1 = ((self.i1.val() - 0x0_u64).one_hot_index::<48>() << (bit_cast::<6, 64>(self.i64.val()).population_count::<3>() ^ bit_cast::<3, 13>(self.i13.val())));
        }
        let v5 = bit_cast::<34, 34>((!self.i31.val()).concat::<3, 34>((if self.q.val() { self.i3.val() } else { self.i3.val() })));
        let mut m6 = ((self.i32.val() | self.i32.val()) ^ Self::MIX.resize());
        let v7 = mask((!self.p.val()), (bit_cast::<26, 5>(v0) + self.i2.val().resize())).get_bits::<13>(11);
        if (bit_cast::<32, 32>(self.i32.val()) < 0x8e77eae6_u64) {
            let v8 = (if (!(self.q.val() | self.q.val())) { (self.i32.val() + 0xffffffff_u64) } else { (bit_cast::<6, 64>(self.i64.val()).concat::<26, 32>(bit_cast::<26, 31>(self.i31.val())) << 21_u64) });
            m6 = ((!(v8 & v8)) << 27_u64);
            let v9 = ((bit_cast::<10, 38>(bits::<38>(0x4177ab061)) - (bit_cast::<10, 32>(v8) >> 10_u64)) - bit_cast::<17, 31>(self.i31.val()).get_bits::<10>(self.i1.val().concat::<5, 6>(v0).index()));
            m6 = (self.i31.val().get_bits::<32>(self.i5.val().index() * 3) | (self.i32.val() | self.i32.val()));
        } else {
            let v10 = (self.i3.val().concat::<38, 41>(bit_cast::<38, 34>(v5)).bits::<1>(3) == bit_cast::<4, 8>(self.i8.val()).replace_bit(0, self.p.val()).one_hot_index::<1>());
            m6 = (bit_cast::<32, 2>(bit_cast::<49, 48>(m1).get_bits::<2>(self.i5.val().index() * 3)) << (if (self.i3.val() <= self.i3.val()) { bits::<4>(0x0).highest_set() } else { (bit_cast::<4, 31>(self.i31.val()) | bit_cast::<4, 5>(self.i5.val())) }));
        }
        let v11 = (bits::<57>(0x6) + ((if self.p.val() { bit_cast::<57, 8>(self.i8.val()) } else { bit_cast::<57, 8>(self.i8.val()) }) - bit_cast::<59, 2>(self.i2.val()).bits::<57>(2)));
        let mut m12 = (if self.p.val() { bit_cast::<12, 33>(self.i33.val()) } else { bits::<12>(0xfff) }).ones_below::<64>();
        let v13 = (if ((self.i33.val() + self.i2.val().resize()) != (self.i33.val() & self.i33.val())) { (bit_cast::<20, 64>(m12).bits::<8>(9) + 0x13_u64) } else { (self.i2.val() + self.i2.val()).concat::<6, 8>((!bit_cast::<6, 3>(self.i3.val()))) });
        if (self.i3.val().replace_bit(self.i1.val().index(), self.q.val()) < mask(self.p.val(), self.i3.val())) {
            let v14 = bit_cast::<6, 32>((if self.q.val() { m6 } else { m6 })).one_hot::<33>();
            m12 = ((bits::<7>(0x7f) ^ bit_cast::<7, 2>(self.i2.val())) ^ 0x19_u64).ones_below::<64>();
            let v15 = match ((self.i2.val() ^ Self::MIX.resize()) & 0x1_u64).index() {
                3 => (self.i5.val() + bit_cast::<23, 32>(m6).resize()).replace_bit(2, v13.xor()),
                1 | 2 => (self.i5.val() + (self.i5.val() << self.i2.val())),
                1..=3 => self.i48.val().get_bits::<5>((self.i3.val() | 0x7_u64).index()),
                _ => (bit_cast::<25, 8>(v13) | 0x1ffffff_u64).bits::<5>(10),
            };
            m12 = (bit_cast::<64, 64>(self.i64.val()) | m12.reverse());
        } else {
            let v16 = (bit_cast::<61, 64>(self.i64.val()) ^ bit_cast::<61, 64>(bits::<38>(0x1538e69db0).concat::<26, 64>(bit_cast::<26, 5>(self.i5.val()))));
            m12 = ((!v0.population_count::<64>()) ^ ((m12 + bit_cast::<25, 34>(v5).resize()) | (self.i64.val() ^ Self::MIX.resize())));
        }
        let mut list = [self.i1.val(), ((if self.q.val() { self.i1.val() } else { self.i1.val() }) + self.i1.val()), ((self.i1.val() + self.i3.val().resize()) & 0x0_u64), self.i1.val()];
        if (self.i3.val() == 0x5_u64) {
            list[(mask(self.p.val(), self.i2.val()) + mask(self.p.val(), bits::<39>(0x7)).resize()).index()] = (!(if self.q.val() { self.i1.val() } else { self.i1.val() }));
        } else {
            list[1] = ((self.i1.val() - self.i1.val()) & 0x0_u64);
        }
        let mut sums = [mask(self.q.val(), self.i1.val()).highest_set(); 4];
        for i in 0..4 {
            let turned = list[3 - i] + sums[i];
            if (if m1.get_bit(v0.index()) { (bit_cast::<4, 64>(self.i64.val()) >> 1_u64) } else { bit_cast::<4, 1>(list[2]) }).get_bit(i) {
                sums[i] = turned + list[0];
            }
        }
        self.o0.next = (((if (self.i3.val() == self.i3.val()) { mask(self.q.val(), bit_cast::<39, 8>(self.i8.val())) } else { bit_cast::<39, 31>(self.i31.val()) }) | (bit_cast::<39, 8>(v13) & 0x6_u64)) >= (bit_cast::<39, 1>(self.i63.val().get_bits::<1>(36)) << 30_u64));
        self.o1.next = self.p.val();
        self.o2.next = self.p.val();
        self.o3.next = (self.i8.val() >> 3_u64).resize::<1>().replace_bit(0, (bits::<9>(0x76).lowest_set().concat::<7, 16>(sums[self.i5.val().get_bits::<2>(self.i3.val().index() * 4 + 2).replace_bit((sums[((self.i2.val() - self.i2.val()) & bit_cast::<2, 33>(self.i33.val())).index()] | self.i1.val()).index(), (self.p.val() == self.p.val())).index()].concat::<6, 7>(bit_cast::<6, 17>(self.wide[(!bit_cast::<11, 33>(self.i33.val()).resize::<3>()).index()].val()))) <= (mask(self.q.val(), self.i16.val()) << 4_u64)));
        self.o4.next = bit_cast::<63, 6>((bit_cast::<5, 33>(self.i33.val()) - (v0 + self.i5.val())).concat::<1, 6>(list[self.i5.val().get_bits::<2>(self.i3.val().index() * 4 + 2).replace_bit((sums[((self.i2.val() - self.i2.val()) & bit_cast::<2, 33>(self.i33.val())).index()] | self.i1.val()).index(), (self.p.val() == self.p.val())).index()]));
        self.o5.next = ((if self.q.val() { bit_cast::<4, 5>(self.i5.val()).population_count::<8>() } else { (self.i8.val() - self.i8.val()) }).get_bits::<1>(((bit_cast::<4, 13>(self.i13.val()) | 0x1_u64) | self.i1.val().resize::<4>()).index() * 4 + 2) ^ ((bit_cast::<1, 48>(self.i48.val()) ^ bit_cast::<52, 64>(self.i64.val()).bits::<1>(21)) ^ bit_cast::<1, 64>(self.i64.val()).replace_bit(0, (self.i8.val() < v13))));
    }
}

#[derive(LogicBlock, Cycle, Blank)]
pub struct Block11 {
    pub i1: Signal<In, Bits<1>>,
    pub i2: Signal<In, Bits<2>>,
    pub i3: Signal<In, Bits<3>>,
    pub i5: Signal<In, Bits<5>>,
    pub i8: Signal<In, Bits<8>>,
    pub i13: Signal<In, Bits<13>>,
    pub i16: Signal<In, Bits<16>>,
    pub i31: Signal<In, Bits<31>>,
    pub i32: Signal<In, Bits<32>>,
    pub i33: Signal<In, Bits<33>>,
    pub i48: Signal<In, Bits<48>>,
    pub i63: Signal<In, Bits<63>>,
    pub i64: Signal<In, Bits<64>>,
    pub p: Signal<In, Bit>,
    pub q: Signal<In, Bit>,
    pub o0: Signal<Out, Bits<20>>,
    pub o1: Signal<Out, Bits<5>>,
    pub o2: Signal<Out, Bit>,
    pub o3: Signal<Out, Bits<48>>,
    pub o4: Signal<Out, Bit>,
    pub o5: Signal<Out, Bits<32>>,
    pub wide: [Signal<In, Bits<17>>; 8],
    _activity: Activity,
}

impl Block11 {
    const MIX: Bits<50> = Bits::new(0x2_5a5a_0ff0_1234);
    const SOME: usize = 5;
}

impl Logic for Block11 {
    #[hdl_gen]
    fn update(&mut self) {
        let v0 = (self.i1.val().concat::<1, 2>(self.i1.val()).concat::<11, 13>((bit_cast::<11, 1>(self.i1.val()) + bit_cast::<11, 1>(self.i1.val()))) + (if (self.i13.val() <= self.i13.val()) { (self.i13.val() & self.i13.val()) } else { (self.i13.val() >> 8_u64) }));
        let mut m1 = (self.i32.val().get_bits::<64>(self.i2.val().index() * 4 + 2) ^ Self::MIX.resize());
        let v2 = ((bit_cast::<11, 32>(self.i32.val()) == bit_cast::<11, 48>(self.i48.val())).fill::<64>() == (self.i64.val() & (m1 - 0xfcc374ff8ec69557_u64)));
        if ((self.i1.val() == 0x0_u64) || (self.i48.val() < self.i48.val())) {
            let v1 = bit_cast::<58, 48>(((self.i48.val() + bit_cast::<52, 64>(m1).resize()) << 43_u64));
            m1 = bit_cast::<64, 38>(((bit_cast::<38, 58>(v1) >> 20_u64) + bit_cast::<12, 31>(self.i31.val()).resize::<38>()));
            let v3 = ((bit_cast::<1, 33>(self.i33.val()) | 0x0_u64) <= (if (!self.p.val()) { self.i1.val() } else { (if self.p.val() { self.i1.val() } else { self.i1.val() }) }));
            m1 = m1.low::<64>().replace_bit(39, (self.i16.val() < self.i16.val()));
        } else {
            let v4 = (self.i48.val().replace_bit(self.i5.val().index(), self.p.val()) ^ Self::MIX.resize()).xor();
            m1 = (((self.i64.val() & m1) + self.i2.val().reverse().resize()) + (self.i64.val() & bit_cast::<59, 3>(self.i3.val()).concat::<5, 64>(self.i5.val())));
        }
        let v5 = bit_cast::<3, 3>(self.i3.val().lowest_set()).concat::<2, 5>(((self.i2.val() - self.i2.val()) << (self.i3.val() + self.i3.val())));
        let mut m6 = self.i32.val();
        if (!self.i64.val().get_bit(bit_cast::<6, 13>(self.i13.val()).index())) {
            let v7 = v2;
            m6 = (bit_cast::<32, 9>(bit_cast::<9, 63>(self.i63.val())) ^ mask(v2, m6).replace_bit(8, (self.i31.val() == self.i31.val())));
            let v8 = (bit_cast::<9, 5>(self.i5.val()).one_hot_index::<10>() + (bit_cast::<20, 5>(v5) + self.i5.val().resize()).resize()).population_count::<48>();
            m6 = (if (!v2) { self.i63.val().get_bits::<32>(v5.index() + 1) } else { self.i32.val() });
        } else {
            let v9 = match (bit_cast::<6, 16>(self.i16.val()) ^ 0x1_u64).index() {
                30 => (self.i64.val().lowest_set() + m1.replace_bit(bit_cast::<6, 8>(self.i8.val()).index(), v2)),
                4 | 31 => (if (m1 == m1) { (self.i64.val() & m1) } else { (!m1) }),
                51..=53 => self.i48.val().concat::<16, 64>((self.i16.val() << 11_u64)),
                Self::SOME => (self.i5.val() | v5).get_bits::<64>(bit_cast::<5, 32>(m6).index() * 3),
                _ => m1.low::<64>().low::<64>(),
            };
            m6 = bit_cast::<4, 16>(self.i16.val()).concat::<28, 32>(((bit_cast::<28, 64>(v9) >> 6_u64) + bit_cast::<28, 64>(v9).reverse()));
        }
        let v5 = (bit_cast::<3, 33>(self.i2.val().get_bits::<33>(bit_cast::<6, 8>(self.i8.val()).index() * 4 + 2)) | (v0.get_bits::<3>(2) + (self.i3.val() + self.i3.val())));
        let mut m10 = (!(v0 ^ v0));
        if ((self.i13.val() + v0) < self.i33.val().get_bits::<13>(26)) {
            let v11 = (bit_cast::<7, 8>(self.i8.val()).population_count::<31>() ^ Self::MIX.resize());
            m10 = m10;
            let v12 = ((bits::<40>(0xc60604698a).bits::<16>(18) & 0x0_u64) >> ((bits::<6>(0x3f) ^ Self::MIX.resize()) & (bit_cast::<6, 8>(self.i8.val()) + self.i2.val().resize())));
            m10 = (self.i63.val().bits::<13>(15) + 0x1e39_u64);
        } else {
            let v13 = (self.i63.val() | (bits::<57>(0x1ffffffffffffff).get_bits::<63>(self.i5.val().index() + 1) ^ Self::MIX.resize()));
            m10 = (((self.i13.val() ^ self.i13.val()) >> 3_u64) >> bit_cast::<6, 16>(self.i16.val()));
        }
        let mut list = [bit_cast::<11, 63>((if v2 { self.i63.val() } else { self.i63.val() })), (self.i8.val().one_hot_index::<11>() - 0x7ff_u64), (!bit_cast::<4, 31>(self.i31.val()).concat::<7, 11>(bit_cast::<7, 33>(self.i33.val()))), (bit_cast::<11, 5>(self.i5.val()).replace_bit(3, v2) & (bits::<11>(0x6) | bit_cast::<11, 5>(self.i5.val())))];
        if bit_cast::<18, 2>(self.i2.val()).get_bit(bits::<4>(0xb).index()) {
            list[self.i5.val().one_hot::<61>().bits::<2>(28).index()] = bit_cast::<11, 64>(m1);
        } else {
            list[1] = (bit_cast::<6, 13>(v0).concat::<5, 11>(self.i5.val()) + (bit_cast::<11, 31>(self.i31.val()) ^ bit_cast::<11, 16>(self.i16.val())));
        }
        let mut sums = [list[2]; 4];
        for i in 0..4 {
            let turned = list[3 - i] + sums[i];
            if bits::<4>(0xf).get_bit(i) {
                sums[i] = turned + list[0];
            }
        }
        self.o0.next = (bit_cast::<20, 13>((v0.replace_bit(6, self.p.val()) >> bit_cast::<7, 16>(self.i16.val()))) - 0xfffff_u64);
        self.o1.next = self.i5.val();
        self.o2.next = (bit_cast::<63, 33>((self.i31.val() ^ self.i31.val()).get_bits::<33>(v5.index() * 4 + 2)) != ((self.i31.val().get_bits::<63>(self.i1.val().index() * 4 + 2) + bits::<22>(0x10a300).resize()) << 1_u64));
        self.o3.next = self.i48.val();
        self.o4.next = (!((self.i48.val() + self.i48.val()) + self.i48.val()).all());
        self.o5.next = (mask(self.q.val(), self.i3.val()).get_bits::<17>(0).concat::<15, 32>(((!bit_cast::<15, 11>(sums[(mask(self.p.val(), self.i2.val()) - (self.i2.val() >> 2_u64)).index()])) << 3_u64)) | bit_cast::<32, 1>(self.i1.val()));
    }
}

#[derive(LogicBlock, Cycle, Blank)]
pub struct Block12 {
    pub i1: Signal<In, Bits<1>>,
    pub i2: Signal<In, Bits<2>>,
    pub i3: Signal<In, Bits<3>>,
    pub i5: Signal<In, Bits<5>>,
    pub i8: Signal<In, Bits<8>>,
    pub i13: Signal<In, Bits<13>>,
    pub i16: Signal<In, Bits<16>>,
    pub i31: Signal<In, Bits<31>>,
    pub i32: Signal<In, Bits<32>>,
    pub i33: Signal<In, Bits<33>>,
    pub i48: Signal<In, Bits<48>>,
    pub i63: Signal<In, Bits<63>>,
    pub i64: Signal<In, Bits<64>>,
    pub p: Signal<In, Bit>,
    pub q: Signal<In, Bit>,
    pub o0: Signal<Out, Bits<31>>,
    pub o1: Signal<Out, Bit>,
    pub o2: Signal<Out, Bits<32>>,
    pub o3: Signal<Out, Bits<48>>,
    pub o4: Signal<Out, Bits<64>>,
    pub o5: Signal<Out, Bits<63>>,
    pub wide: [Signal<In, Bits<17>>; 8],
    _activity: Activity,
}

impl Block12 {
    const MIX: Bits<50> = Bits::new(0x2_5a5a_0ff0_1234);
    const SOME: usize = 5;
}

impl Logic for Block12 {
    #[hdl_gen]
    fn update(&mut self) {
        let v0 = (((self.i16.val() + self.i16.val()) >= (self.i16.val() ^ self.i16.val())) || ((bit_cast::<10, 31>(self.i31.val()) ^ Self::MIX.resize()) != bit_cast::<10, 13>(self.i13.val())));
        let mut m1 = (!(self.i64.val() ^ Self::MIX.resize()));
        if ((bit_cast::<44, 64>(m1) < bit_cast::<44, 5>(self.i5.val())) ^ self.i8.val().xor()) {
            let v2 = (if (!(self.q.val() || self.p.val())) { ((bit_cast::<59, 48>(self.i48.val()) >> 26_u64) - mask(self.q.val(), bit_cast::<59, 33>(self.i33.val()))) } else { (if (self.i8.val() == self.i8.val()) { bits::<59>(0x777a4ecece4c3d6).reverse() } else { bits::<59>(0x7) }) });
            m1 = (if (self.i16.val() > bits::<24>(0x3).get_bits::<16>(bit_cast::<4, 48>(self.i48.val()).index() + 1)) { (if (self.p.val() && v0) { (m1 + self.i64.val()) } else { self.i64.val() }) } else { bit_cast::<64, 59>(v2.lowest_set()) });
            let v3 = bit_cast::<31, 14>((if (self.i32.val() >= self.i32.val()) { (if self.q.val() { bit_cast::<14, 3>(self.i3.val()) } else { bit_cast::<14, 2>(self.i2.val()) }) } else { v0.fill::<14>() }));
            m1 = bit_cast::<64, 3>(self.i3.val().replace_bit(self.i1.val().index(), v0));
        } else {
            let v5 = if v0 {
                let v4 = self.i31.val().get_bits::<16>(bits::<6>(0x3).index() * 4 + 2).get_bits::<32>((if self.p.val() { self.i2.val() } else { self.i2.val() }).index() + 1).get_bits::<8>(((self.i3.val() >> bit_cast::<6, 64>(self.i64.val())) - (if self.q.val() { self.i3.val() } else { self.i3.val() })).index() * 3);
                ((self.i8.val() < self.i8.val()) || bit_cast::<27, 2>(self.i2.val()).xor())
            } else {
                (bit_cast::<36, 26>(bit_cast::<26, 1>(self.i1.val())) != (bits::<36>(0xaee3c55cf) ^ bit_cast::<36, 32>(self.i32.val())))
            };
            m1 = self.i64.val();
        }
        let v6 = (((self.i5.val() & self.i5.val()) >= (self.i5.val() + self.i5.val())) && (bit_cast::<10, 64>(self.i64.val()) == (bits::<10>(0x4) >> 2_u64)));
        let mut m7 = ((self.i5.val() | 0x1f_u64) - bit_cast::<4, 48>(self.i48.val()).concat::<1, 5>(self.i1.val()));
        if (mask(v6, self.i16.val()) >= 0xb3b_u64) {
            let v8 = self.q.val();
            m7 = (!((m7 + m7.resize()) ^ (m7 | 0xc_u64)));
            let v9 = match bit_cast::<3, 57>((bit_cast::<57, 48>(self.i48.val()) + 0x6_u64)).index() {
                0 => ((self.i2.val() | self.i2.val()) & self.i2.val()),
                7 | 3 => mask((v0 & v6), bit_cast::<2, 5>(self.i5.val())),
                6..=7 => (bit_cast::<52, 8>(self.i8.val()).get_bits::<2>(self.i3.val().index() * 3) + self.i2.val().one_hot::<2>()),
                Self::SOME => (self.i2.val() ^ self.i31.val().get_bits::<2>(self.i3.val().index() * 4 + 2)),
                _ => mask((self.i3.val() == self.i3.val()), self.i2.val()),
            };
            m7 = ((self.i5.val() ^ 0x1f_u64) ^ self.i5.val());
        } else {
            let v10 = ((self.i48.val().replace_bit(self.i5.val().index(), v0) - self.i48.val().replace_bit(self.i5.val().index(), v6)) >= self.i48.val());
            m7 = (bit_cast::<5, 64>(self.i64.val()) ^ Self::MIX.resize());
        }
        let v11 = ((!bit_cast::<4, 63>(self.i63.val()).one_hot_index::<2>()) != 0x1_u64);
        let mut m12 = self.i2.val();
        let v8 = self.i8.val();
        if ((self.p.val() ^ self.p.val()) | v8.all()) {
            let v15 = if (m1.all() == (v11 || self.p.val())) {
                let v14 = if (self.i31.val().get_bit(bit_cast::<4, 8>(self.i8.val()).index()) ^ (bit_cast::<35, 31>(self.i31.val()) > bit_cast::<35, 8>(self.i8.val()))) {
                    let v13 = ((bit_cast::<7, 5>(self.i5.val()).resize::<21>() << bit_cast::<9, 13>(self.i13.val()).get_bits::<4>(m12.index())) + ((bit_cast::<21, 3>(self.i3.val()) & bit_cast::<21, 2>(m12)) & bit_cast::<21, 17>(bits::<17>(0x1945d))));
                    ((m7 & self.i5.val()) == self.i5.val())
                } else {
                    ((bit_cast::<38, 64>(self.i64.val()) == 0x4_u64) == (self.q.val() & self.p.val()))
                };
                (bit_cast::<62, 5>(self.i5.val()).bits::<8>(50) + (if v0 { self.i3.val() } else { self.i3.val() }).resize())
            } else {
                ((v8 + v8) ^ bit_cast::<21, 5>(m7).bits::<8>(4))
            };
            m12 = (bit_cast::<2, 32>((self.i32.val() + self.i31.val().resize())) >> ((self.i5.val() - self.i5.val()) + bit_cast::<10, 2>(m12).one_hot_index::<5>()));
            let v5 = (mask(v6, self.i33.val().get_bits::<13>(bit_cast::<4, 5>(self.i5.val()).index())) < (self.i13.val() & (self.i13.val() + self.i13.val())));
            m12 = (self.i2.val().replace_bit(1, self.p.val()) & (if v11 { m12 } else { m12 }));
        } else {
            let v11 = self.i3.val();
            m12 = bit_cast::<2, 13>((bit_cast::<24, 13>(self.i13.val()).low::<13>() >> bit_cast::<14, 48>(self.i48.val()).get_bits::<6>(0)));
        }
        let mut list = [(!self.i33.val().concat::<3, 36>(self.i3.val())), bit_cast::<36, 36>((bit_cast::<36, 1>(self.i1.val()) + bit_cast::<36, 16>(self.i16.val()))), (bit_cast::<9, 2>(self.i2.val()) + bit_cast::<9, 5>(m7)).resize::<36>(), (bit_cast::<49, 63>(self.i63.val()) | bit_cast::<49, 63>(self.i63.val())).low::<36>()];
        if (self.i33.val() <= self.i33.val()) {
            list[self.i2.val().index()] = bit_cast::<36, 64>(self.i64.val());
        } else {
            list[1] = ((bit_cast::<36, 3>(self.i3.val()) & 0xc3fc727f2_u64) & 0xfffffffff_u64);
        }
        let mut sums = [((list[2] & list[2]) | (list[2] + 0xfffffffff_u64)); 4];
        for i in 0..4 {
            let turned = list[3 - i] + sums[i];
            if (bit_cast::<4, 13>(self.i13.val()) << mask(self.p.val(), m12)).get_bit(i) {
                sums[i] = turned + list[0];
            }
        }
        self.o0.next = (if (((bits::<46>(0x23046313b01d) == 0x3fffffffffff_u64) & self.q.val()) ^ v0) { (if (!(!v11)) { ((self.i31.val() | 0x7fffffff_u64) + self.i3.val().concat::<28, 31>(bit_cast::<28, 36>(sums[(!v8.population_count::<2>()).index()]))) } else { (bit_cast::<10, 5>(m7).ones_below::<31>() - 0x6_u64) }) } else { self.i31.val() });
        self.o1.next = ((bit_cast::<25, 2>(m12).get_bits::<1>(bit_cast::<6, 33>(self.i33.val()).index()) << bits::<4>(0xf).highest_set()) ^ Self::MIX.resize()).xor();
        self.o2.next = (self.i32.val().replace_bit(self.i5.val().index(), (v6 ^ (self.p.val() ^ v0))) ^ Self::MIX.resize());
        self.o3.next = (self.i48.val() + 0xffffffffffff_u64);
        self.o4.next = (self.i31.val().get_bits::<64>(bit_cast::<3, 2>((m12 - self.i2.val())).index()) ^ bit_cast::<64, 1>((v0.fill::<1>() ^ (self.i1.val() ^ self.i1.val()))));
        self.o5.next = bit_cast::<63, 52>(bit_cast::<52, 13>(self.i13.val()));
    }
}

#[derive(LogicBlock, Cycle, Blank)]
pub struct Block13 {
    pub i1: Signal<In, Bits<1>>,
    pub i2: Signal<In, Bits<2>>,
    pub i3: Signal<In, Bits<3>>,
    pub i5: Signal<In, Bits<5>>,
    pub i8: Signal<In, Bits<8>>,
    pub i13: Signal<In, Bits<13>>,
    pub i16: Signal<In, Bits<16>>,
    pub i31: Signal<In, Bits<31>>,
    pub i32: Signal<In, Bits<32>>,
    pub i33: Signal<In, Bits<33>>,
    pub i48: Signal<In, Bits<48>>,
    pub i63: Signal<In, Bits<63>>,
    pub i64: Signal<In, Bits<64>>,
    pub p: Signal<In, Bit>,
    pub q: Signal<In, Bit>,
    pub o0: Signal<Out, Bits<13>>,
    pub o1: Signal<Out, Bits<48>>,
    pub o2: Signal<Out, Bits<48>>,
    pub o3: Signal<Out, Bit>,
    pub o4: Signal<Out, Bits<8>>,
    pub o5: Signal<Out, Bits<54>>,
    pub wide: [Signal<In, Bits<17>>; 8],
    _activity: Activity,
}

impl Block13 {
    const MIX: Bits<50> = Bits::new(0x2_5a5a_0ff0_1234);
    const SOME: usize = 5;
}

impl Logic for Block13 {
    #[hdl_gen]
    fn update(&mut self) {
        let v0 = (if self.p.val() { bit_cast::<4, 16>(self.i16.val()) } else { bit_cast::<4, 3>(self.i3.val()) }).one_hot::<48>().low::<5>();
        let mut m1 = self.i31.val();
        if (self.i33.val().replace_bit(v0.index(), self.q.val()) <= mask(self.p.val(), self.i33.val())) {
            let v2 = self.i31.val().get_bits::<13>(self.i3.val().index() * 3);
            m1 = self.i31.val();
            let v3 = ((v2 - self.i13.val()) + self.i13.val()).get_bits::<5>(1);
            m1 = m1;
        } else {
            let v4 = match ((bit_cast::<4, 31>(self.i31.val()) >> 2_u64) + (self.i48.val() & self.i48.val()).resize()).index() {
                6 => (self.i16.val() + self.i63.val().get_bits::<13>(17).resize()),
                2 | 10 => bit_cast::<16, 13>((if self.q.val() { self.i13.val() } else { self.i13.val() })),
                14..=15 => v0.concat::<1, 6>(self.i1.val()).concat::<10, 16>((!bit_cast::<10, 48>(self.i48.val()))),
                Self::SOME => self.i16.val(),
                _ => bit_cast::<16, 29>(bit_cast::<29, 32>(self.i32.val()).reverse()),
            };
            m1 = (!(m1 - m1).replace_bit(6, self.i63.val().xor()));
        }
        let v5 = bit_cast::<48, 33>(self.i33.val().replace_bit(v0.index(), self.p.val()).lowest_set());
        let mut m6 = ((self.i64.val() + self.i64.val()) & 0xffffffffffffffff_u64);
        if (bit_cast::<7, 13>(self.i13.val()).one_hot::<57>() < bit_cast::<57, 2>(self.i2.val())) {
            let v7 = (if (!self.q.val()) { self.i8.val().reverse() } else { self.p.val().fill::<8>() }).get_bits::<32>(1);
            m6 = ((self.i5.val().get_bits::<64>(bits::<6>(0x3f).index() + 1) >> 20_u64) ^ Self::MIX.resize());
            let v4 = bit_cast::<28, 14>(mask(self.q.val(), bit_cast::<14, 2>(self.i2.val()))).bits::<13>(5);
            m6 = (bit_cast::<6, 48>(v5) ^ bit_cast::<6, 13>(self.i13.val())).get_bits::<64>((bits::<4>(0x4) | bit_cast::<4, 3>(self.i3.val())).index() * 3);
        } else {
            let v8 = ((if (self.i16.val() == self.i16.val()) { (!self.i31.val()) } else { bit_cast::<21, 5>(self.i5.val()).get_bits::<31>(2) }) >> 19_u64);
            m6 = ((if self.i13.val().any() { m6 } else { (self.i64.val() + 0xffffffffffffffff_u64) }) | ((if self.p.val() { self.i64.val() } else { self.i64.val() }) & 0x0_u64));
        }
        let v9 = (mask((self.i31.val() >= m1), self.q.val().fill::<29>()) + (self.i32.val().concat::<1, 33>(self.i1.val()) + (self.i16.val() + self.i31.val().resize()).resize()).resize());
        let mut m10 = bit_cast::<28, 3>((self.i3.val() << self.i1.val()));
        if self.i8.val().reverse().any() {
            let v11 = match bit_cast::<3, 36>((bit_cast::<36, 5>(self.i5.val()) >> self.i3.val())).index() {
                1 => bit_cast::<35, 31>(bit_cast::<30, 64>(self.i64.val()).concat::<1, 31>(self.i1.val())),
                1 | 7 => bit_cast::<35, 64>(self.i64.val()),
                1..=3 => bit_cast::<35, 32>(self.i32.val()),
                Self::SOME => (mask(self.q.val(), bit_cast::<35, 13>(self.i13.val())) - (bit_cast::<35, 5>(self.i5.val()) >> self.i3.val())),
                _ => (bit_cast::<45, 64>(m6).low::<35>() - (bit_cast::<35, 64>(m6) >> self.i2.val())),
            };
            m10 = ((bit_cast::<22, 35>(v11) >> v0).concat::<6, 28>((bit_cast::<6, 28>(m10) | bit_cast::<6, 8>(self.i8.val()))) ^ Self::MIX.resize());
            let v12 = (!bit_cast::<9, 64>(self.i64.val())).resize::<8>().lowest_set();
            m10 = ((m10 + m10) | self.i63.val().get_bits::<28>(bit_cast::<4, 29>(v9).index() * 4 + 2));
        } else {
            let v13 = match (if (self.q.val() || self.q.val()) { self.i8.val().replace_bit(self.i3.val().index(), self.q.val()) } else { self.i8.val() }).index() {
                155 => ((self.i63.val() + bit_cast::<50, 64>(m6).resize()) == 0x7fffffffffffffff_u64),
                190 | 123 => (bit_cast::<19, 64>(self.i64.val()).concat::<45, 64>(bits::<45>(0x0)) != self.i64.val().lowest_set()),
                31..=33 => ((self.i1.val() + self.i1.val()) >= 0x1_u64),
                Self::SOME => (bits::<9>(0x91) < (bits::<9>(0x1ee) ^ bit_cast::<9, 32>(self.i32.val()))),
                _ => self.q.val().fill::<31>().any(),
            };
            m10 = ((bit_cast::<28, 5>(v0) - mask(self.p.val(), m10)) + (if (v5 >= 0xb590b3036cd6_u64) { (m10 + bits::<59>(0x5510f701fa4491c).resize()) } else { (if self.p.val() { m10 } else { m10 }) }));
        }
        let mut list = [bit_cast::<12, 31>(self.i31.val()).one_hot::<3>(), (self.i64.val() + self.i64.val()).get_bits::<3>(bit_cast::<7, 13>(self.i13.val()).ones_below::<1>().index() * 4 + 2), (self.i8.val().get_bits::<3>(5) << 3_u64), bit_cast::<3, 16>(self.i16.val()).lowest_set()];
        if self.i8.val().get_bit(2) {
            list[(!self.i2.val()).index()] = (if self.q.val() { (self.i3.val() + self.i3.val()) } else { mask(self.p.val(), self.i3.val()) });
        } else {
            list[1] = self.i3.val();
        }
        let mut sums = [list[2].replace_bit(bits::<25>(0x1ffffff).bits::<1>(13).index(), (self.i64.val() != 0x3_u64)); 4];
        for i in 0..4 {
            let turned = list[3 - i] + sums[i];
            if bit_cast::<4, 32>(self.i32.val().replace_bit(29, self.p.val())).get_bit(i) {
                sums[i] = turned + list[0];
            }
        }
        self.o0.next = mask((!self.q.val()), (!(if self.p.val() { bit_cast::<10, 32>(self.i32.val()) } else { bit_cast::<10, 31>(m1) }).concat::<3, 13>(self.i5.val().population_count::<3>())));
        self.o1.next = (list[(self.i2.val().replace_bit(0, self.q.val()) & bit_cast::<11, 1>(self.i1.val()).resize::<2>()).index()] >> bit_cast::<10, 29>(v9).resize::<4>()).get_bits::<48>(2).lowest_set();
        self.o2.next = (self.i16.val().get_bits::<2>(self.i2.val().index() * 4 + 2).one_hot::<48>().replace_bit(2, ((self.i2.val() >> bit_cast::<4, 33>(self.i33.val())) <= (if self.q.val() { self.i2.val() } else { self.i2.val() }))) + (!(!(self.i48.val() >> bits::<7>(0x7f)))));
        self.o3.next = ((bit_cast::<30, 16>(self.i16.val()) | bits::<30>(0x6fa12c9).get_bits::<30>(bit_cast::<6, 1>(self.i1.val()).index() * 3).replace_bit((bit_cast::<4, 17>(self.wide[((if self.q.val() { list[(self.i2.val().replace_bit(0, self.q.val()) & bit_cast::<11, 1>(self.i1.val()).resize::<2>()).index()] } else { list[((self.i2.val() + self.i2.val()) + mask(self.q.val(), self.i48.val()).resize()).index()] }) << bit_cast::<1, 16>(self.i16.val())).index()].val()) + bit_cast::<4, 2>(self.i2.val())).index(), (self.p.val() || self.q.val()))) <= ((self.i8.val() | self.i8.val()) + bit_cast::<8, 5>(self.i5.val())).get_bits::<30>(2));
        self.o4.next = (bit_cast::<2, 51>(bits::<51>(0x36fb0f513f2f6).lowest_set()) + bit_cast::<12, 48>(self.i48.val()).concat::<20, 32>(bit_cast::<20, 17>(self.wide[((if self.q.val() { list[(self.i2.val().replace_bit(0, self.q.val()) & bit_cast::<11, 1>(self.i1.val()).resize::<2>()).index()] } else { list[((self.i2.val() + self.i2.val()) + mask(self.q.val(), self.i48.val()).resize()).index()] }) << bit_cast::<1, 16>(self.i16.val())).index()].val())).get_bits::<2>(self.i2.val().replace_bit(0, self.p.val()).index())).resize::<8>();
        self.o5.next = (bits::<54>(0x3fffffffffffff) | self.i2.val().ones_below::<54>().replace_bit(39, ((bits::<21>(0x1) - 0x2_u64) >= bits::<15>(0x3c9b).concat::<6, 21>(bit_cast::<6, 3>(list[2])))));
    }
}

#[derive(LogicBlock, Cycle, Blank)]
pub struct Block14 {
    pub i1: Signal<In, Bits<1>>,
    pub i2: Signal<In, Bits<2>>,
    pub i3: Signal<In, Bits<3>>,
    pub i5: Signal<In, Bits<5>>,
    pub i8: Signal<In, Bits<8>>,
    pub i13: Signal<In, Bits<13>>,
    pub i16: Signal<In, Bits<16>>,
    pub i31: Signal<In, Bits<31>>,
    pub i32: Signal<In, Bits<32>>,
    pub i33: Signal<In, Bits<33>>,
    pub i48: Signal<In, Bits<48>>,
    pub i63: Signal<In, Bits<63>>,
    pub i64: Signal<In, Bits<64>>,
    pub p: Signal<In, Bit>,
    pub q: Signal<In, Bit>,
    pub o0: Signal<Out, Bits<50>>,
    pub o1: Signal<Out, Bits<1>>,
    pub o2: Signal<Out, Bits<8>>,
    pub o3: Signal<Out, Bit>,
    pub o4: Signal<Out, Bit>,
    pub o5: Signal<Out, Bits<1>>,
    pub wide: [Signal<In, Bits<17>>; 8],
    _activity: Activity,
}

impl Block14 {
    const MIX: Bits<50> = Bits::new(0x2_5a5a_0ff0_1234);
    const SOME: usize = 5;
}

impl Logic for Block14 {
    #[hdl_gen]
    fn update(&mut self) {
        let v1 = if (self.i3.val() + bits::<15>(0x2).resize()).xor() {
            let v0 = self.i5.val();
            mask(self.p.val(), self.i3.val()).replace_bit(bit_cast::<1, 3>(self.i3.val()).index(), self.i63.val().any())
        } else {
            (self.i3.val().lowest_set() ^ Self::MIX.resize())
        };
        let mut m2 = (mask(self.q.val(), self.i8.val()) + bit_cast::<8, 55>(bits::<55>(0x54ee5ce089a149)));
        if (!(self.i1.val() < self.i1.val())) {
            let v3 = bit_cast::<15, 32>((self.i32.val() >> 19_u64)).concat::<34, 49>(((!bits::<34>(0x3ffffffff)) ^ 0x313e5cd94_u64));
            m2 = (((self.i8.val() + self.i8.val()) + (self.i8.val() + bits::<39>(0x306180e80e).resize())) ^ Self::MIX.resize());
            let v4 = self.i16.val();
            m2 = self.i5.val().get_bits::<30>(bit_cast::<4, 16>(v4).index() * 4 + 2).get_bits::<8>(bit_cast::<52, 16>(v4).get_bits::<6>(self.i1.val().index() + 1).index() * 3);
        } else {
            let v5 = (bit_cast::<35, 8>((self.i8.val() << 5_u64)) >= bit_cast::<11, 16>(self.i16.val()).concat::<43, 54>(bit_cast::<43, 8>(m2)).bits::<35>(8));
            m2 = (if (self.i33.val() + bit_cast::<50, 33>(self.i33.val()).resize()).get_bit((self.i5.val() + self.i13.val().resize()).index()) { ((if v5 { self.i8.val() } else { self.i8.val() }) + bit_cast::<6, 13>(self.i13.val()).resize()) } else { mask((bit_cast::<55, 1>(self.i1.val()) > bits::<55>(0x7)), bits::<53>(0x2).bits::<8>(42)) });
        }
        let v6 = ((bit_cast::<11, 32>(self.i32.val()) << 11_u64) + (bits::<62>(0x0) ^ 0x20c9cb8533fe3476_u64).resize()).replace_bit(9, ((self.i64.val() != self.i64.val()) || (self.i16.val() > self.i16.val())));
        let mut m7 = bit_cast::<55, 11>(v6).reverse().low::<6>();
        if self.i64.val().bits::<64>(0).get_bit(60) {
            let v8 = bits::<52>(0x7);
            m7 = m7;
            let v9 = (self.i63.val() << self.i1.val());
            m7 = bit_cast::<61, 16>(self.i16.val()).bits::<6>(52).one_hot::<6>();
        } else {
            let v10 = self.p.val().fill::<52>();
            m7 = (mask((self.q.val() || self.q.val()), (!m7)) >> 4_u64);
        }
        let v11 = (bit_cast::<48, 2>(self.i2.val()).lowest_set() << 27_u64);
        let mut m12 = mask((!self.q.val()), self.i5.val().one_hot_index::<63>());
        let v4 = ((self.i33.val() << 23_u64) - (self.i33.val() + 0x1b1705d8f_u64)).get_bit(11);
        if ((self.i13.val() == 0x1_u64) | (self.i32.val() == 0x5_u64)) {
            let v14 = if mask(v4, bit_cast::<28, 31>(self.i31.val())).any() {
                let v13 = (v4 && ((bits::<35>(0x6cef4c867) + bit_cast::<35, 63>(self.i63.val())) == 0x7ffffffff_u64));
                v13
            } else {
                ((!self.p.val()) || (!v4))
            };
            m12 = mask((bit_cast::<9, 32>(self.i32.val()) < v1.get_bits::<9>(1)), ((self.i63.val() - m12) & self.i63.val().highest_set()));
            let v15 = match (if (self.p.val() | v14) { self.i16.val().get_bits::<4>(self.i1.val().index() + 1) } else { (if self.p.val() { bits::<4>(0x3) } else { bit_cast::<4, 6>(m7) }) }).index() {
                11 => (!self.i16.val()).get_bit((bit_cast::<4, 64>(self.i64.val()) + bit_cast::<4, 13>(self.i13.val())).index()),
                13 | 4 => ((v4 || self.q.val()) && (!self.q.val())),
                2..=4 => ((self.i33.val() | self.i33.val()) > (self.i33.val() ^ Self::MIX.resize())),
                Self::SOME => (bit_cast::<9, 48>(v11).resize::<63>() == 0x6_u64),
                _ => ((self.i31.val() << 24_u64) >= 0x33af8716_u64),
            };
            m12 = (!mask(self.p.val(), m12));
        } else {
            let v17 = if ((self.i13.val() + self.i13.val()) > (self.i13.val() + self.i31.val().resize())) {
                let v16 = ((self.i32.val() ^ 0xbcc70e93_u64).get_bits::<32>(12) + (self.i32.val() | self.i32.val().highest_set()));
                (self.i5.val().get_bit(self.i2.val().index()) ^ (bit_cast::<42, 32>(v16) == 0x30e5df2ea69_u64))
            } else {
                ((v4 && self.p.val()) == (bit_cast::<4, 16>(self.i16.val()) != 0x4_u64))
            };
            m12 = (self.i63.val() & (!v4.fill::<63>()));
        }
        let mut list = [mask(v4, self.i32.val()).get_bit(24), ((v1 != 0x7_u64) & self.q.val()), ((self.i13.val() + self.i33.val().resize()) >= self.i64.val().get_bits::<13>(15)), (self.i64.val() | 0x4_u64).get_bit(m7.ones_below::<6>().index())];
        if (self.p.val() & v4) {
            list[((self.i2.val() ^ self.i2.val()) ^ (self.i2.val() ^ self.i2.val())).index()] = v11.any();
        } else {
            list[1] = (bit_cast::<37, 2>(self.i2.val()) <= bit_cast::<37, 63>(m12));
        }
        let mut sums = [((self.i2.val() > self.i2.val()) && (self.i2.val() != 0x2_u64)); 4];
        for i in 0..4 {
            let turned = list[3 - i] ^ sums[i];
            if (self.i48.val().get_bits::<4>(self.i3.val().index() * 4 + 2) << 3_u64).get_bit(i) {
                sums[i] = turned ^ list[0];
            }
        }
        self.o0.next = (!bit_cast::<7, 63>(m12).population_count::<63>().replace_bit((self.i5.val() << m7).index(), (bits::<54>(0x4) >= bit_cast::<54, 16>(self.i16.val()))).get_bits::<50>(mask((!v4), m12.get_bits::<1>(43)).index() * 4 + 2));
        self.o1.next = bit_cast::<5, 61>((bit_cast::<61, 48>(self.i48.val()).reverse() + bits::<61>(0x0).replace_bit(5, list[self.i2.val().index()]))).bits::<1>(2);
        self.o2.next = (if (bit_cast::<49, 48>(v11) >> 1_u64).lowest_set().any() { (mask(v4, v1).concat::<5, 8>(bit_cast::<60, 17>(self.wide[bit_cast::<18, 6>(m7).get_bits::<3>(15).index()].val()).low::<5>()) ^ mask(list[self.i2.val().index()], m2).replace_bit(self.i3.val().lowest_set().index(), (self.i63.val() <= self.i63.val()))) } else { ((m7 + m7) + (m7 ^ 0x11_u64)).one_hot::<8>() });
        self.o3.next = (if ((bit_cast::<35, 8>(m2) - bit_cast::<35, 8>(self.i8.val())) == bit_cast::<35, 55>(bits::<55>(0x0))) { (if (self.i13.val() < self.i13.val()) { bit_cast::<33, 15>(bit_cast::<15, 13>(self.i13.val())) } else { (self.i33.val() + self.i33.val()) }) } else { (if self.p.val() { self.i2.val() } else { self.i2.val() }).get_bits::<33>((if sums[(if sums[self.i2.val().index()] { bit_cast::<4, 48>(v11) } else { bit_cast::<4, 63>(self.i63.val()) }).population_count::<2>().index()] { self.i5.val() } else { self.i5.val() }).index() * 3) }).xor();
        self.o4.next = (v11.any() || (self.q.val() | sums[(if sums[self.i2.val().index()] { bit_cast::<4, 48>(v11) } else { bit_cast::<4, 63>(self.i63.val()) }).population_count::<2>().index()])).fill::<64>().get_bit(14);
        self.o5.next = (if (!((self.i33.val() + bit_cast::<40, 32>(self.i32.val()).resize()) > (self.i33.val() & self.i33.val()))) { (!(!m7)).low::<1>() } else { bit_cast::<2, 58>((bit_cast::<58, 63>(m12) + 0x34e3f247a2550dc_u64)).get_bits::<1>((if (self.i31.val() != 0x510342e4_u64) { bit_cast::<1, 64>(self.i64.val()) } else { self.i32.val().get_bits::<1>(26) }).index()) });
    }
}

#[derive(LogicBlock, Cycle, Blank)]
pub struct Block15 {
    pub i1: Signal<In, Bits<1>>,
    pub i2: Signal<In, Bits<2>>,
    pub i3: Signal<In, Bits<3>>,
    pub i5: Signal<In, Bits<5>>,
    pub i8: Signal<In, Bits<8>>,
    pub i13: Signal<In, Bits<13>>,
    pub i16: Signal<In, Bits<16>>,
    pub i31: Signal<In, Bits<31>>,
    pub i32: Signal<In, Bits<32>>,
    pub i33: Signal<In, Bits<33>>,
    pub i48: Signal<In, Bits<48>>,
    pub i63: Signal<In, Bits<63>>,
    pub i64: Signal<In, Bits<64>>,
    pub p: Signal<In, Bit>,
    pub q: Signal<In, Bit>,
    pub o0: Signal<Out, Bits<3>>,
    pub o1: Signal<Out, Bit>,
    pub o2: Signal<Out, Bits<31>>,
    pub o3: Signal<Out, Bits<32>>,
    pub o4: Signal<Out, Bits<3>>,
    pub o5: Signal<Out, Bits<32>>,
    pub wide: [Signal<In, Bits<17>>; 8],
    _activity: Activity,
}

impl Block15 {
    const MIX: Bits<50> = Bits::new(0x2_5a5a_0ff0_1234);
    const SOME: usize = 5;
}

impl Logic for Block15 {
    #[hdl_gen]
    fn update(&mut self) {
        let v0 = self.i33.val();
        let mut m1 = (if (bit_cast::<23, 32>(self.i32.val()) != 0x3a1c74_u64) { (self.i2.val() + self.i2.val()) } else { (self.i2.val() - self.i2.val()) });
        if ((self.i1.val() ^ Self::MIX.resize()) >= 0x1_u64) {
            let v2 = match ((m1 - m1) - (if self.p.val() { m1 } else { self.i2.val() })).index() {
                0 => ((self.i5.val() | 0x16_u64) | (self.i5.val() & 0xe_u64)),
                2 | 0 => self.i5.val(),
                0..=2 => (self.i5.val() + bits::<62>(0x28ce0b7479a1d157).resize()),
                _ => ((self.i5.val() >> bit_cast::<6, 1>(self.i1.val())) ^ self.i5.val().replace_bit(4, self.p.val())),
            };
            m1 = (if ((self.i63.val() >> 11_u64) >= (!self.i63.val())) { m1 } else { (self.i2.val() & 0x2_u64).reverse() });
            let v3 = (bit_cast::<21, 48>(self.i48.val()).highest_set().get_bits::<42>(bit_cast::<4, 1>(self.i1.val()).index() * 3) << self.i1.val().replace_bit(0, self.q.val()).reverse());
            m1 = (m1 + m1).replace_bit(self.p.val().fill::<1>().index(), (self.p.val() ^ self.p.val()));
        } else {
            let v4 = match (bit_cast::<5, 4>(bit_cast::<4, 2>(m1)) + m1.get_bits::<5>(self.i2.val().index() + 1)).index() {
                14 => (m1 >> (self.i1.val() + self.i1.val())),
                13 | 14 => ((!m1) << (self.i5.val() + self.i5.val())),
                0..=2 => bit_cast::<2, 2>((m1 << 0_u64)),
                Self::SOME => m1,
                _ => self.i2.val(),
            };
            m1 = (bit_cast::<2, 16>(self.i16.val()) - m1);
        }
        let v0 = (bit_cast::<56, 1>(self.i1.val()) > (bit_cast::<56, 2>(m1) - bit_cast::<56, 63>(self.i63.val()))).fill::<32>();
        let mut m5 = ((self.i16.val() ^ Self::MIX.resize()) >> 10_u64);
        if (!(self.i31.val() != self.i31.val())) {
            let v6 = self.i8.val().all().fill::<6>().concat::<27, 33>(bit_cast::<27, 33>(self.i33.val()).replace_bit(13, self.q.val()).highest_set());
            m5 = (!(if (self.p.val() ^ self.q.val()) { (self.i16.val() + 0x1_u64) } else { (m5 + m5.resize()) }));
            let v7 = match (bit_cast::<2, 8>(self.i8.val()) - 0x3_u64).index() {
                0 => ((self.i5.val() == 0x6_u64) || self.i1.val().get_bit(0)),
                0 | 0 => ((bit_cast::<12, 48>(self.i48.val()) > bits::<12>(0x5)) ^ (bit_cast::<39, 3>(self.i3.val()) >= 0x349a22b0_u64)),
                0..=2 => self.p.val(),
                _ => ((self.i48.val() ^ 0x666ddb574ef4_u64) > self.i48.val().replace_bit(34, self.p.val())),
            };
            m5 = (self.i32.val() << 25_u64).get_bits::<16>((if self.q.val() { self.i2.val() } else { self.i2.val() }).index() * 3);
        } else {
            let v8 = match bit_cast::<6, 8>((self.i8.val() >> bit_cast::<6, 32>(v0))).index() {
                1 => ((self.i64.val() >> bit_cast::<4, 64>(self.i64.val())) ^ bit_cast::<64, 8>(self.i8.val())),
                33 | 3 => (self.i64.val() + self.i8.val().ones_below::<32>().resize()),
                10..=12 => (self.i64.val() + (self.i64.val() + self.i64.val())),
                Self::SOME => (!bit_cast::<64, 48>(self.i48.val())),
                _ => mask((self.i1.val() <= self.i1.val()), (self.i64.val() + self.i64.val())),
            };
            m5 = (bit_cast::<16, 2>((m1 + m1)) ^ (m5 + 0x7_u64).replace_bit((bit_cast::<4, 63>(self.i63.val()) >> self.i3.val()).index(), (self.q.val() & self.q.val())));
        }
        let v9 = ((if self.p.val() { self.i1.val() } else { self.i1.val() }).get_bits::<31>(0) + self.i31.val());
        let mut m10 = self.i63.val();
        if self.i8.val().reverse().get_bit(3) {
            let v11 = v9;
            m10 = (!(self.i63.val() << self.i1.val())).bits::<63>(0);
            let v12 = match (bit_cast::<6, 1>(self.i1.val()) >> (!self.i3.val())).index() {
                61 => self.i8.val(),
                30 | 13 => self.i8.val(),
                35..=37 => (bits::<37>(0x5) ^ Self::MIX.resize()).low::<8>(),
                Self::SOME => (bit_cast::<37, 16>(m5).low::<8>() + (if self.p.val() { self.i8.val() } else { self.i8.val() })),
                _ => v0.reverse().get_bits::<8>(8),
            };
            m10 = ((m10 << self.i1.val()) - (m10 + 0x7bed60d31fe734ad_u64));
        } else {
            let v13 = bit_cast::<33, 63>((m10.highest_set() & self.i63.val().highest_set()));
            m10 = (m10 + ((self.i63.val() & m10) - (m10 >> 31_u64)));
        }
        let mut list = [bit_cast::<54, 5>(self.i5.val()).low::<24>().get_bits::<62>(mask(self.q.val(), self.i1.val()).index() + 1), self.i1.val().get_bits::<62>(0), self.i64.val().bits::<62>(0).highest_set(), (bit_cast::<62, 5>(self.i5.val()).reverse() & bits::<62>(0xf0a46ce2763bad1).highest_set())];
        if (self.i5.val() <= self.i5.val()) {
            list[(!bit_cast::<2, 1>(self.i1.val())).index()] = bit_cast::<62, 2>(m1);
        } else {
            list[1] = (if (self.i13.val() == self.i13.val()) { (bits::<62>(0x1d8e21f263c38df0) >> self.i1.val()) } else { self.p.val().fill::<62>() });
        }
        let mut sums = [(bit_cast::<25, 31>(self.i31.val()) << 5_u64).concat::<37, 62>(bit_cast::<37, 13>(self.i13.val())); 4];
        for i in 0..4 {
            let turned = list[3 - i] + sums[i];
            if ((bit_cast::<4, 3>(self.i3.val()) ^ Self::MIX.resize()) - (bit_cast::<4, 33>(self.i33.val()) + bit_cast::<4, 5>(self.i5.val()))).get_bit(i) {
                sums[i] = turned + list[0];
            }
        }
        self.o0.next = ((self.i33.val().get_bits::<4>(33) | 0xf_u64).get_bits::<3>((bit_cast::<3, 2>(self.i2.val()) >> (bit_cast::<6, 63>(self.i63.val()) >> self.i1.val())).index() * 3) << 2_u64);
        self.o1.next = (mask((self.i3.val() < self.i3.val()), (bit_cast::<53, 63>(m10) >> bit_cast::<7, 31>(self.i31.val()))).get_bits::<16>(37) == (bit_cast::<36, 32>(v0).replace_bit(13, self.p.val()) - bits::<34>(0x3ffffffff).concat::<2, 36>(self.i2.val())).low::<16>());
        self.o2.next = (((if self.q.val() { bit_cast::<58, 3>(self.i3.val()) } else { bits::<58>(0x3ffffffffffffff) }).bits::<31>(19) + bit_cast::<31, 1>((self.i1.val() >> bit_cast::<7, 48>(self.i48.val())))) ^ ((v9 - (self.i31.val() + self.i31.val())) | 0x127454a6_u64));
        self.o3.next = mask((bit_cast::<12, 48>(self.i48.val()).resize::<13>() <= (!self.i13.val())), mask((self.p.val() ^ self.p.val()), bit_cast::<64, 1>(self.i1.val()))).get_bits::<32>(27);
        self.o4.next = (if (((if self.q.val() { self.i33.val() } else { self.i33.val() }) >= (self.i33.val() << bit_cast::<7, 62>(sums[m1.index()]))) || self.i64.val().get_bits::<10>(57).any()) { (if ((v0 >> 1_u64) <= v0.replace_bit(self.i5.val().index(), self.p.val())) { bit_cast::<6, 16>(self.i16.val()).concat::<5, 11>(self.i5.val()).population_count::<3>() } else { (self.i3.val().replace_bit(2, self.p.val()) + (self.i3.val() - self.i3.val())) }) } else { (self.i8.val().replace_bit(1, self.q.val()).resize::<3>() >> bit_cast::<5, 32>(self.i32.val()).replace_bit(self.i1.val().concat::<1, 2>(self.i1.val()).index(), (self.i8.val() <= self.i8.val()))) });
        self.o5.next = ((((if self.p.val() { self.i32.val() } else { self.i32.val() }) - bit_cast::<25, 3>(self.i3.val()).concat::<7, 32>(bit_cast::<7, 16>(self.i16.val()))) + (self.i5.val() - self.i5.val()).get_bits::<32>((bit_cast::<4, 62>(list[m1.index()]) - bits::<4>(0xc)).index() * 4 + 2)) ^ 0x3_u64);
    }
}

#[derive(LogicBlock, Cycle, Blank)]
pub struct Block16 {
    pub i1: Signal<In, Bits<1>>,
    pub i2: Signal<In, Bits<2>>,
    pub i3: Signal<In, Bits<3>>,
    pub i5: Signal<In, Bits<5>>,
    pub i8: Signal<In, Bits<8>>,
    pub i13: Signal<In, Bits<13>>,
    pub i16: Signal<In, Bits<16>>,
    pub i31: Signal<In, Bits<31>>,
    pub i32: Signal<In, Bits<32>>,
    pub i33: Signal<In, Bits<33>>,
    pub i48: Signal<In, Bits<48>>,
    pub i63: Signal<In, Bits<63>>,
    pub i64: Signal<In, Bits<64>>,
    pub p: Signal<In, Bit>,
    pub q: Signal<In, Bit>,
    pub o0: Signal<Out, Bits<2>>,
    pub o1: Signal<Out, Bits<31>>,
    pub o2: Signal<Out, Bit>,
    pub o3: Signal<Out, Bits<31>>,
    pub o4: Signal<Out, Bits<19>>,
    pub o5: Signal<Out, Bits<16>>,
    pub wide: [Signal<In, Bits<17>>; 8],
    _activity: Activity,
}

impl Block16 {
    const MIX: Bits<50> = Bits::new(0x2_5a5a_0ff0_1234);
    const SOME: usize = 5;
}

impl Logic for Block16 {
    #[hdl_gen]
    fn update(&mut self) {
        let v0 = ((if (!self.q.val()) { (self.i31.val() ^ Self::MIX.resize()) } else { (if self.q.val() { self.i31.val() } else { self.i31.val() }) }) >= (bit_cast::<37, 32>(self.i32.val()) + bit_cast::<37, 8>(self.i8.val())).bits::<31>(0));
        let mut m1 = (!self.i2.val()).get_bits::<3>((self.i3.val() & 0x0_u64).index() + 1);
        let v2 = ((bit_cast::<55, 3>(m1) ^ (bit_cast::<55, 2>(self.i2.val()) | bit_cast::<55, 2>(self.i2.val()))) == ((bit_cast::<55, 3>(m1) << 43_u64) << (self.i2.val() & 0x3_u64)));
        if ((self.i32.val() & self.i32.val()) >= (self.i32.val() | self.i32.val())) {
            let v3 = (self.p.val() && (self.i64.val() + self.i64.val()).get_bit((bits::<6>(0x3f) + bit_cast::<6, 31>(self.i31.val())).index()));
            m1 = (((self.i3.val() + self.i3.val()) << 3_u64) - ((self.i3.val() + self.i5.val().resize()) >> self.i2.val().concat::<5, 7>(self.i5.val())));
            let v4 = (self.i8.val() + mask(self.p.val(), self.i8.val()).highest_set());
            m1 = ((m1 | self.i3.val()) << bit_cast::<35, 64>(self.i64.val()).bits::<3>(32));
        } else {
            let v5 = (((self.i1.val() - 0x0_u64) >> (bits::<7>(0x7) & bits::<7>(0x7f))) + (self.i1.val().replace_bit(0, self.q.val()) ^ Self::MIX.resize()));
            m1 = ((if self.p.val() { self.i3.val() } else { self.i3.val() }) - (if v2 { m1 } else { m1 })).replace_bit(self.i1.val().index(), (self.i63.val().get_bits::<2>(bits::<4>(0xd).index() + 1) >= (self.i2.val() >> 2_u64)));
        }
        let v6 = ((m1 + self.i48.val().resize()) & self.i5.val().get_bits::<3>(bit_cast::<4, 16>(self.i16.val()).index())).get_bits::<64>(0);
        let mut m7 = (bit_cast::<3, 31>(self.i31.val()) != 0x5_u64);
        let v8 = ((!bit_cast::<51, 13>(self.i13.val())) - (if v0 { bit_cast::<51, 32>(self.i32.val()) } else { bit_cast::<51, 2>(self.i2.val()) })).reverse();
        if m7 {
            let v9 = bit_cast::<5, 33>((self.i33.val() >> 24_u64));
            m7 = (!((bit_cast::<45, 3>(self.i3.val()) + bit_cast::<45, 64>(v6)) <= (bits::<45>(0x0) - bit_cast::<45, 64>(self.i64.val()))));
            let v10 = bit_cast::<2, 48>(self.i48.val()).get_bits::<10>((v9 + self.i5.val()).index() * 3).population_count::<3>();
            m7 = (!(self.i33.val() == self.i33.val()));
        } else {
            let v2 = (if (self.i32.val().get_bits::<31>(3) == self.i31.val().lowest_set()) { ((if self.q.val() { self.i1.val() } else { self.i1.val() }) | 0x1_u64) } else { ((self.i1.val() | self.i1.val()) - 0x1_u64) });
            m7 = (((!self.i63.val()) != self.i2.val().get_bits::<63>(self.i1.val().index() + 1)) || (!(self.i63.val() != 0x7_u64)));
        }
        let v11 = ((self.i3.val() >> self.i3.val()).ones_below::<3>() ^ ((self.i3.val() << bits::<4>(0xf)) + (if v2 { self.i31.val() } else { self.i31.val() }).resize()));
        let mut m12 = ((self.i3.val() | m1) - (!v11));
        if ((self.i64.val() & self.i64.val()) <= (v6 << 20_u64)) {
            let v13 = (self.i1.val() ^ ((!self.i1.val()) ^ Self::MIX.resize()));
            m12 = m12;
            let v14 = (((if m7 { self.i32.val() } else { self.i32.val() }) != (if v0 { self.i32.val() } else { self.i32.val() })) & ((if self.q.val() { self.i13.val() } else { self.i13.val() }) <= bit_cast::<13, 5>(self.i5.val())));
            m12 = ((m1 >> bit_cast::<6, 63>(self.i63.val())) + (m1 - m12));
        } else {
            let v16 = if (self.i33.val() != 0x0_u64) {
                let v15 = ((bit_cast::<25, 1>(self.i1.val()) + bit_cast::<25, 3>(self.i3.val())) - bit_cast::<25, 8>(self.i8.val())).get_bits::<13>(((self.i3.val() + m12) & bit_cast::<3, 5>(self.i5.val())).index() * 3);
                (self.i1.val().get_bits::<2>(bit_cast::<6, 64>(self.i64.val()).index() + 1) << 1_u64)
            } else {
                ((self.i2.val() | self.i2.val()) << 0_u64)
            };
            m12 = ((m1 >> bit_cast::<4, 15>(bit_cast::<15, 2>(self.i2.val()))) >> 1_u64);
        }
        let mut list = [(bit_cast::<2, 16>(self.i16.val()) ^ (self.i2.val() | 0x0_u64)), self.i1.val().concat::<1, 2>((self.i1.val() >> self.i5.val())), (self.i2.val().highest_set() | (self.i2.val() ^ Self::MIX.resize())), (self.i1.val().population_count::<2>() << 2_u64)];
        if (bits::<26>(0x317c554) > bit_cast::<26, 3>(self.i3.val())) {
            list[(if v0 { bit_cast::<2, 30>(bit_cast::<30, 64>(v6)) } else { (self.i2.val() ^ Self::MIX.resize()) }).index()] = ((if v2 { self.i2.val() } else { self.i2.val() }) | mask(self.q.val(), self.i2.val()));
        } else {
            list[1] = (!mask(v0, self.i2.val()));
        }
        let mut sums = [((self.i2.val() + list[2]) + 0x3_u64); 4];
        for i in 0..4 {
            let turned = list[3 - i] + sums[i];
            if bits::<4>(0x1).get_bit(i) {
                sums[i] = turned + list[0];
            }
        }
        self.o0.next = (((list[((!list[(list[2] & (!self.i2.val())).index()]) ^ sums[(list[2] & (!self.i2.val())).index()]).index()] >> sums[((!list[(list[2] & (!self.i2.val())).index()]) ^ sums[(list[2] & (!self.i2.val())).index()]).index()]) + (self.i63.val() - self.i63.val()).resize()) & 0x3_u64).reverse();
        self.o1.next = mask(mask(v0, self.i63.val()).get_bit(bit_cast::<5, 33>(self.i33.val()).index()), ((!bit_cast::<37, 2>(self.i2.val())) >> sums[(list[2] & (!self.i2.val())).index()].reverse())).low::<31>();
        self.o2.next = ((bits::<21>(0x9fab7) >= 0x2_u64) | v2);
        self.o3.next = (!((if self.p.val() { bits::<10>(0x3d8) } else { bit_cast::<10, 3>(m1) }).concat::<21, 31>(bit_cast::<11, 33>(self.i33.val()).concat::<10, 21>(bit_cast::<10, 2>(list[((!list[(list[2] & (!self.i2.val())).index()]) ^ sums[(list[2] & (!self.i2.val())).index()]).index()]))) + self.i64.val().bits::<64>(0).get_bits::<31>((bit_cast::<6, 2>(list[((!list[(list[2] & (!self.i2.val())).index()]) ^ sums[(list[2] & (!self.i2.val())).index()]).index()]) + bit_cast::<6, 2>(list[2])).index())));
        self.o4.next = (if (((self.i33.val() - self.i33.val()) + (self.i33.val() ^ Self::MIX.resize())) <= self.i33.val()) { ((if self.q.val() { bit_cast::<52, 48>(self.i48.val()) } else { bits::<52>(0xfffffffffffff) }).low::<19>() | bit_cast::<19, 16>(self.i16.val())) } else { (if ((self.i5.val() | self.i5.val()) > sums[(list[2] & (!self.i2.val())).index()].get_bits::<5>(1)) { bit_cast::<19, 30>((bit_cast::<30, 2>(list[(list[2] & (!self.i2.val())).index()]) + bit_cast::<30, 31>(self.i31.val()))) } else { bit_cast::<19, 16>(self.i16.val()) }) });
        self.o5.next = (((if self.wide[bit_cast::<6, 3>(m12).reverse().ones_below::<3>().index()].val().get_bit(8) { self.i16.val() } else { (self.i16.val() + self.i13.val().resize()) }) + bit_cast::<16, 9>((bit_cast::<9, 63>(self.i63.val()) + bit_cast::<9, 64>(v6)))) + (if ((self.i16.val() != self.i16.val()) | (bits::<7>(0x36) >= bit_cast::<7, 31>(self.i31.val()))) { (if v11.xor() { (self.i16.val() + self.i16.val()) } else { self.i13.val().get_bits::<16>(9) }) } else { (self.i3.val() - self.i3.val()).resize::<16>() }));
    }
}

#[derive(LogicBlock, Cycle, Blank)]
pub struct Block17 {
    pub i1: Signal<In, Bits<1>>,
    pub i2: Signal<In, Bits<2>>,
    pub i3: Signal<In, Bits<3>>,
    pub i5: Signal<In, Bits<5>>,
    pub i8: Signal<In, Bits<8>>,
    pub i13: Signal<In, Bits<13>>,
    pub i16: Signal<In, Bits<16>>,
    pub i31: Signal<In, Bits<31>>,
    pub i32: Signal<In, Bits<32>>,
    pub i33: Signal<In, Bits<33>>,
    pub i48: Signal<In, Bits<48>>,
    pub i63: Signal<In, Bits<63>>,
    pub i64: Signal<In, Bits<64>>,
    pub p: Signal<In, Bit>,
    pub q: Signal<In, Bit>,
    pub o0: Signal<Out, Bits<13>>,
    pub o1: Signal<Out, Bits<31>>,
    pub o2: Signal<Out, Bits<3>>,
    pub o3: Signal<Out, Bit>,
    pub o4: Signal<Out, Bits<55>>,
    pub o5: Signal<Out, Bits<16>>,
    pub wide: [Signal<In, Bits<17>>; 8],
    _activity: Activity,
}

impl Block17 {
    const MIX: Bits<50> = Bits::new(0x2_5a5a_0ff0_1234);
    const SOME: usize = 5;
}

impl Logic for Block17 {
    #[hdl_gen]
    fn update(&mut self) {
        let v0 = (bit_cast::<50, 31>(self.i31.val()) + self.i2.val().resize()).low::<5>().get_bits::<31>(4);
        let mut m1 = self.i63.val().get_bits::<2>(self.i1.val().index() + 1).concat::<29, 31>(bit_cast::<29, 63>(self.i63.val()));
        if ((self.q.val() | self.q.val()) || self.i2.val().any()) {
            let v2 = ((bit_cast::<9, 16>(self.i16.val()) + (bit_cast::<9, 64>(self.i64.val()) + bit_cast::<9, 8>(self.i8.val()))) - 0x1ff_u64);
            m1 = (self.i32.val().concat::<11, 43>(bit_cast::<11, 31>(self.i31.val())) + (bits::<43>(0x7ffffffffff) | bit_cast::<43, 1>(self.i1.val()))).low::<31>();
            let v3 = (!(bit_cast::<29, 1>(self.i1.val()) >> 16_u64).concat::<3, 32>((self.i3.val() ^ self.i3.val())));
            m1 = self.p.val().fill::<31>();
        } else {
            let v5 = if self.p.val() {
                let v2 = if (self.i33.val() << 10_u64).any() {
                    let v4 = ((self.i5.val() > self.i5.val().replace_bit(3, self.q.val())) == ((!self.i31.val()) >= (self.i31.val() + bits::<22>(0x2d19e).resize())));
                    (bit_cast::<20, 31>(v0).get_bits::<13>(10) ^ 0x4_u64)
                } else {
                    ((self.i13.val() ^ self.i13.val()) + bit_cast::<11, 31>(m1).population_count::<13>())
                };
                (bit_cast::<14, 13>(v2).concat::<4, 18>(bit_cast::<4, 3>(self.i3.val())) < (bit_cast::<18, 1>(self.i1.val()) + bit_cast::<18, 48>(self.i48.val())))
            } else {
                ((!self.q.val()) & (bits::<27>(0x2a68f80) == 0x52ba69f_u64))
            };
            m1 = ((v0 | v0).replace_bit((bit_cast::<4, 33>(self.i33.val()) + bit_cast::<4, 31>(v0)).index(), (self.i16.val() != self.i16.val())) - (!self.i3.val()).one_hot::<31>());
        }
        let v6 = (if self.q.val() { self.i16.val() } else { self.i16.val() }).get_bit(bit_cast::<4, 13>(self.i13.val()).index()).fill::<63>();
        let mut m7 = self.i13.val();
        if (self.i16.val().reverse() == (if self.q.val() { self.i16.val() } else { self.i16.val() })) {
            let v8 = (bit_cast::<26, 5>(self.i5.val()).highest_set() | (bit_cast::<26, 5>(self.i5.val()) ^ Self::MIX.resize()));
            m7 = bit_cast::<13, 33>(((self.i33.val() ^ 0x1ffffffff_u64) + (if self.q.val() { self.i5.val() } else { self.i5.val() }).resize()));
            let v9 = bit_cast::<13, 31>((self.i31.val() >> 30_u64).replace_bit(27, (self.p.val() ^ self.p.val())));
            m7 = ((v9 << self.i3.val()) ^ Self::MIX.resize());
        } else {
            let v10 = (if ((if self.q.val() { self.i33.val() } else { self.i33.val() }) != 0x7_u64) { (self.i13.val() + 0x1654_u64) } else { self.i13.val() });
            m7 = v10;
        }
        let v11 = ((!bit_cast::<40, 13>(m7)) >> ((bit_cast::<6, 31>(self.i31.val()) << 3_u64) + (if self.p.val() { v0 } else { v0 }).resize()));
        let mut m12 = bit_cast::<42, 33>(self.i33.val()).low::<33>().all();
        if self.i1.val().get_bit(0) {
            let v13 = self.i8.val().concat::<23, 31>(bits::<23>(0x220302)).concat::<2, 33>((self.i2.val() - self.i2.val())).get_bits::<8>((self.i48.val().get_bits::<3>(self.i3.val().index() + 1) + (if m12 { self.i16.val() } else { self.i16.val() }).resize()).index() * 4 + 2);
            m12 = self.p.val();
            let v6 = bit_cast::<62, 48>(self.i48.val());
            m12 = ((self.i33.val() + self.i33.val()) < (!self.i33.val()));
        } else {
            let v14 = self.i13.val();
            m12 = self.i64.val().get_bit((bits::<10>(0x3ff).population_count::<6>() & 0x3e_u64).index());
        }
        let mut list = [(bit_cast::<16, 13>(m7) + 0xe1f6_u64), self.i16.val(), mask((self.p.val() && self.q.val()), (self.i16.val() + self.i33.val().resize())), (bit_cast::<28, 13>(m7).get_bits::<16>(26) - bits::<46>(0x23f9046d732b).low::<16>())];
        if (self.i16.val() <= self.i16.val()) {
            list[(self.i2.val() - self.i2.val()).lowest_set().index()] = bit_cast::<11, 32>(self.i32.val()).one_hot_index::<16>();
        } else {
            list[1] = (self.i16.val().replace_bit(bit_cast::<4, 13>(self.i13.val()).index(), m12) & self.p.val().fill::<16>());
        }
        let mut sums = [self.i2.val().resize::<1>().get_bits::<16>(0); 4];
        for i in 0..4 {
            let turned = list[3 - i] + sums[i];
            if (self.i1.val() + self.i1.val()).concat::<3, 4>(self.i2.val().concat::<1, 3>(self.i1.val())).get_bit(i) {
                sums[i] = turned + list[0];
            }
        }
        self.o0.next = self.i63.val().bits::<63>(0).get_bits::<13>(bit_cast::<6, 8>((self.i8.val() + sums[bit_cast::<18, 3>(self.i3.val()).bits::<4>(12).resize::<2>().index()].resize()).replace_bit(5, (m7 >= self.i13.val()))).index());
        self.o1.next = bit_cast::<31, 25>(((if self.i1.val().get_bit(0) { bit_cast::<25, 42>(bit_cast::<42, 17>(self.wide[(self.i16.val().get_bits::<3>(6) + self.i2.val().concat::<1, 3>(self.i1.val())).index()].val())) } else { (bit_cast::<25, 63>(self.i63.val()) ^ bit_cast::<25, 33>(self.i33.val())) }) - (self.i8.val() & self.i8.val()).one_hot_index::<25>()));
        self.o2.next = ((((self.i3.val() - 0x1_u64) ^ (self.i3.val() + self.i3.val())) ^ ((if self.q.val() { self.i3.val() } else { self.i3.val() }) + bit_cast::<64, 2>(self.i2.val()).resize())) + (if (bit_cast::<10, 33>(self.i33.val()).one_hot::<13>() <= self.i13.val()) { mask((self.i2.val() <= self.i2.val()), (self.i3.val() ^ 0x7_u64)) } else { self.i3.val() }));
        self.o3.next = ((v11.bits::<5>(3) >> 2_u64).replace_bit(((self.i2.val() + self.i2.val()) + self.i1.val().get_bits::<2>(0)).index(), (bit_cast::<2, 31>(v0) >= self.i64.val().bits::<2>(39))) <= (bit_cast::<15, 2>(self.i2.val()) << 12_u64).get_bits::<5>(self.i1.val().highest_set().index()));
        self.o4.next = bit_cast::<27, 32>(((self.i32.val() + self.i32.val()) + bit_cast::<1, 58>(bit_cast::<58, 16>(sums[self.i2.val().index()])).resize())).concat::<28, 55>((mask((self.i32.val() != self.i32.val()), (bit_cast::<28, 16>(self.i16.val()) | bits::<28>(0xfffffff))) << ((self.i1.val() >> bit_cast::<4, 33>(self.i33.val())) + (if m12 { self.i1.val() } else { self.i1.val() }))));
        self.o5.next = (!(list[2].get_bits::<16>(self.i1.val().index() * 3).reverse() | (if (self.i2.val() < self.i2.val()) { (list[bit_cast::<18, 3>(self.i3.val()).bits::<4>(12).resize::<2>().index()] + list[bit_cast::<18, 3>(self.i3.val()).bits::<4>(12).resize::<2>().index()].resize()) } else { (sums[self.i2.val().index()] << self.i1.val()) })));
    }
}

#[derive(LogicBlock, Cycle, Blank)]
pub struct Block18 {
    pub i1: Signal<In, Bits<1>>,
    pub i2: Signal<In, Bits<2>>,
    pub i3: Signal<In, Bits<3>>,
    pub i5: Signal<In, Bits<5>>,
    pub i8: Signal<In, Bits<8>>,
    pub i13: Signal<In, Bits<13>>,
    pub i16: Signal<In, Bits<16>>,
    pub i31: Signal<In, Bits<31>>,
    pub i32: Signal<In, Bits<32>>,
    pub i33: Signal<In, Bits<33>>,
    pub i48: Signal<In, Bits<48>>,
    pub i63: Signal<In, Bits<63>>,
    pub i64: Signal<In, Bits<64>>,
    pub p: Signal<In, Bit>,
    pub q: Signal<In, Bit>,
    pub o0: Signal<Out, Bits<31>>,
    pub o1: Signal<Out, Bits<57>>,
    pub o2: Signal<Out, Bits<31>>,
    pub o3: Signal<Out, Bits<13>>,
    pub o4: Signal<Out, Bit>,
    pub o5: Signal<Out, Bits<9>>,
    pub wide: [Signal<In, Bits<17>>; 8],
    _activity: Activity,
}

impl Block18 {
    const MIX: Bits<50> = Bits::new(0x2_5a5a_0ff0_1234);
    const SOME: usize = 5;
}

impl Logic for Block18 {
    #[hdl_gen]
    fn update(&mut self) {
        let v0 = ((bits::<7>(0x38) >> bit_cast::<7, 32>(self.i32.val())).resize::<63>() == (!(self.i63.val() << 22_u64)));
        let mut m1 = (v0.fill::<1>() << 0_u64);
        let v2 = if ((if v0 { bit_cast::<14, 8>(self.i8.val()) } else { bit_cast::<14, 16>(self.i16.val()) }) <= (bit_cast::<14, 31>(self.i31.val()) + bit_cast::<52, 5>(self.i5.val()).resize())) {
            let v1 = (if ((self.i33.val() - self.i33.val()) < (self.i33.val() << self.i5.val())) { ((self.i64.val() & self.i64.val()) + (self.i64.val() - self.i64.val())) } else { ((if self.q.val() { self.i64.val() } else { self.i64.val() }) >> 8_u64) });
            self.i31.val()
        } else {
            self.i2.val().concat::<15, 17>(bit_cast::<15, 31>(self.i31.val())).concat::<14, 31>(bit_cast::<14, 64>(self.i64.val()))
        };
        if (!self.i48.val().get_bit(17)) {
            let v3 = (mask(self.q.val(), self.i33.val()) >> bit_cast::<1, 16>(self.i16.val())).replace_bit(2, ((self.i33.val() == self.i33.val()) | (bit_cast::<6, 31>(v2) > bits::<6>(0x3f))));
            m1 = ((v0.fill::<1>() + self.i32.val().resize()) >> ((self.i2.val() + 0x0_u64) & 0x3_u64));
            let v4 = ((self.i63.val().replace_bit(self.i5.val().index(), self.p.val()) + self.i48.val().replace_bit(24, self.q.val()).resize()) + v3.replace_bit(6, (self.q.val() & v0)).resize());
            m1 = (if (self.q.val() && v0) { m1.lowest_set() } else { (self.i1.val() ^ m1) });
        } else {
            let v5 = ((if v0 { self.i13.val() } else { self.i13.val() }).get_bits::<1>(8) != ((!m1) + self.i3.val().ones_below::<1>()));
            m1 = ((bit_cast::<35, 1>(m1) | bit_cast::<35, 64>(self.i64.val())) | (bit_cast::<35, 64>(self.i64.val()) & bits::<35>(0x5))).low::<1>();
        }
        let v4 = if self.i32.val().get_bits::<32>(6).get_bit((if self.p.val() { self.i5.val() } else { self.i5.val() }).index()) {
            let v6 = (!((self.p.val() | self.p.val()) || (self.q.val() == self.q.val())));
            (self.i48.val() | self.i48.val()).replace_bit(self.i5.val().index(), (!self.q.val()))
        } else {
            self.i48.val()
        };
        let mut m7 = (bits::<56>(0x4).bits::<33>(20) + bit_cast::<59, 1>(self.i1.val()).bits::<59>(0).resize());
        if ((self.i63.val() + self.i8.val().resize()) < self.i63.val().highest_set()) {
            let v8 = match (self.i3.val() | self.i3.val()).replace_bit(0, (self.i3.val() == self.i3.val())).index() {
                1 => (self.i32.val() >> self.i5.val()).low::<3>(),
                6 | 6 => ((!self.i3.val()) << bit_cast::<4, 33>(m7).highest_set()),
                5..=7 => (!self.i3.val()),
                Self::SOME => (if (!self.p.val()) { self.i2.val().concat::<1, 3>(self.i1.val()) } else { self.i3.val() }),
                _ => (mask(self.p.val(), self.i3.val()) - (self.i3.val() & self.i3.val())),
            };
            m7 = (((if v0 { m7 } else { m7 }) | self.i33.val().reverse()) << 22_u64);
            let v9 = (!((m7 - self.i33.val()) ^ self.i8.val().concat::<25, 33>(bits::<25>(0x972f35))));
            m7 = bit_cast::<10, 3>(v8).population_count::<33>();
        } else {
            let v10 = match m7.get_bits::<11>(18).one_hot_index::<4>().index() {
                6 => ((self.i48.val() | 0x4_u64) >= (v4 + self.i48.val())),
                1 | 12 => (bit_cast::<63, 32>(self.i32.val()) <= (if self.p.val() { self.i63.val() } else { self.i63.val() })),
                10..=12 => self.i5.val().get_bits::<48>(self.i1.val().index() + 1).all(),
                Self::SOME => (if self.p.val() { bits::<61>(0x6) } else { bit_cast::<61, 16>(self.i16.val()) }).get_bit(2),
                _ => self.p.val(),
            };
            m7 = ((self.i32.val() ^ self.i32.val()) + self.i8.val().lowest_set().resize()).get_bits::<33>(4);
        }
        let v11 = (if (self.p.val().fill::<33>() != 0x80596548_u64) { ((!self.i63.val()) + self.i63.val()) } else { self.i3.val().bits::<1>(0).concat::<62, 63>(bit_cast::<62, 1>(m1).reverse()) });
        let mut m12 = ((self.i8.val() - self.i8.val()) ^ self.p.val().fill::<8>());
        if ((self.i33.val() >> bit_cast::<4, 2>(self.i2.val())) == (self.i33.val() >> self.i5.val())) {
            let v13 = ((self.i32.val() != self.i32.val()).fill::<1>() + (if v0 { (if v0 { m1 } else { m1 }) } else { (!self.i1.val()) }));
            m12 = bit_cast::<33, 31>(self.i2.val().get_bits::<31>(self.i2.val().index() * 4 + 2)).get_bits::<8>(11);
            let v15 = if ((!self.i32.val()) != self.p.val().fill::<32>()) {
                let v14 = (((v11 ^ Self::MIX.resize()) | 0x5042a242c9a287a4_u64) & m1.replace_bit(0, self.p.val()).concat::<62, 63>((bit_cast::<62, 2>(self.i2.val()) - bit_cast::<62, 33>(self.i33.val()))));
                mask(self.q.val(), self.i33.val()).lowest_set()
            } else {
                ((!m7) + bit_cast::<33, 33>(self.i33.val()))
            };
            m12 = bit_cast::<8, 16>(m12.ones_below::<16>());
        } else {
            let v16 = bit_cast::<9, 48>(((self.i48.val() ^ self.i48.val()) + bits::<11>(0x3cf).one_hot_index::<52>().resize()));
            m12 = mask(((self.i3.val() | self.i3.val()) > (if self.p.val() { self.i3.val() } else { self.i3.val() })), bit_cast::<8, 32>(bit_cast::<32, 28>(bit_cast::<28, 64>(self.i64.val()))));
        }
        let mut list = [(!(v0 == self.p.val())), bit_cast::<53, 48>(self.i48.val()).bits::<8>(32).any(), ((m7 << bit_cast::<4, 48>(v4)) == (self.i33.val() + m7)), (self.i5.val().population_count::<40>() < bit_cast::<40, 33>(m7))];
        if (bits::<39>(0x7d9314174f) >= 0x722a8b416e_u64) {
            list[(bit_cast::<56, 33>(self.i33.val()) << 5_u64).get_bits::<2>(23).index()] = (!(v0 == v0));
        } else {
            list[1] = ((self.i64.val() <= self.i64.val()) || (self.i32.val() >= 0xb0dfec67_u64));
        }
        let mut sums = [((self.p.val() ^ v0) ^ (self.i13.val() != self.i13.val())); 4];
        for i in 0..4 {
            let turned = list[3 - i] ^ sums[i];
            if ((bit_cast::<4, 63>(self.i63.val()) ^ Self::MIX.resize()) + bit_cast::<4, 63>(self.i63.val())).get_bit(i) {
                sums[i] = turned ^ list[0];
            }
        }
        self.o0.next = ((self.i3.val() + m12.resize()).population_count::<21>().concat::<10, 31>(bit_cast::<42, 63>(self.i63.val()).low::<10>()) + (((self.i31.val() << 29_u64) - (v2 ^ v2)) + (if (self.i48.val() >= v4) { (self.i31.val() << 29_u64) } else { mask(list[m1.reverse().concat::<1, 2>(self.i1.val()).index()], v2) })));
        self.o1.next = (((self.i32.val() + v4.resize()) | self.i64.val().get_bits::<32>(m1.index() * 3)) + self.i63.val().reverse().replace_bit(bit_cast::<12, 48>(v4).get_bits::<5>(0).index(), (self.i32.val() < 0x1_u64)).resize()).get_bits::<57>(22);
        self.o2.next = ((((v2 ^ v2) & mask(list[(!self.i5.val()).resize::<2>().index()], self.i31.val())) ^ (self.i3.val().get_bits::<31>(m1.index() + 1) + bit_cast::<19, 46>(bits::<46>(0x3)).resize())) >> self.i5.val());
        self.o3.next = mask((list[(!self.i5.val()).resize::<2>().index()] == (self.i1.val() >> m1).all()), ((mask(sums[m1.reverse().concat::<1, 2>(self.i1.val()).index()], self.i13.val()) >> (self.i3.val() + self.i3.val())) >> ((self.i3.val() & self.i3.val()) << self.i3.val())));
        self.o4.next = (((self.i1.val() + self.i1.val()).one_hot::<8>() + (self.i2.val().population_count::<64>() + self.i64.val()).resize()) != bit_cast::<18, 16>(self.i16.val()).get_bits::<3>(6).get_bits::<8>((self.i64.val().get_bits::<2>(self.i3.val().index() * 3) << 1_u64).index()));
        self.o5.next = bit_cast::<64, 63>((if self.q.val() { v11 } else { self.i63.val() })).low::<64>().low::<9>();
    }
}

#[derive(LogicBlock, Cycle, Blank)]
pub struct Block19 {
    pub i1: Signal<In, Bits<1>>,
    pub i2: Signal<In, Bits<2>>,
    pub i3: Signal<In, Bits<3>>,
    pub i5: Signal<In, Bits<5>>,
    pub i8: Signal<In, Bits<8>>,
    pub i13: Signal<In, Bits<13>>,
    pub i16: Signal<In, Bits<16>>,
    pub i31: Signal<In, Bits<31>>,
    pub i32: Signal<In, Bits<32>>,
    pub i33: Signal<In, Bits<33>>,
    pub i48: Signal<In, Bits<48>>,
    pub i63: Signal<In, Bits<63>>,
    pub i64: Signal<In, Bits<64>>,
    pub p: Signal<In, Bit>,
    pub q: Signal<In, Bit>,
    pub o0: Signal<Out, Bits<51>>,
    pub o1: Signal<Out, Bits<63>>,
    pub o2: Signal<Out, Bits<53>>,
    pub o3: Signal<Out, Bit>,
    pub o4: Signal<Out, Bits<13>>,
    pub o5: Signal<Out, Bits<32>>,
    pub wide: [Signal<In, Bits<17>>; 8],
    _activity: Activity,
}

impl Block19 {
    const MIX: Bits<50> = Bits::new(0x2_5a5a_0ff0_1234);
    const SOME: usize = 5;
}

impl Logic for Block19 {
    #[hdl_gen]
    fn update(&mut self) {
        let v0 = ((if self.i63.val().all() { (!self.i1.val()) } else { bit_cast::<1, 32>(self.i32.val()) }) + bit_cast::<7, 31>(self.i31.val()).one_hot::<1>());
        let mut m1 = (self.q.val().fill::<10>() + (bits::<43>(0x5f462317203) ^ bit_cast::<43, 3>(self.i3.val())).resize());
        let v3 = if ((self.i16.val() | self.i16.val()) != self.i64.val().get_bits::<16>(self.i1.val().index() * 4 + 2)) {
            let v2 = (self.i63.val().highest_set().get_bits::<64>((self.i5.val() ^ self.i5.val()).index()) == (bit_cast::<64, 3>(self.i3.val()) ^ self.i64.val().low::<64>()));
            (bit_cast::<6, 13>(self.i13.val()) + 0xa_u64).highest_set()
        } else {
            bit_cast::<6, 1>(bit_cast::<12, 5>(self.i5.val()).get_bits::<1>(self.i2.val().index() + 1))
        };
        if ((self.i32.val() >> 0_u64) != 0x5_u64) {
            let v2 = if ((self.i3.val() + self.i13.val().resize()) < self.i3.val()) {
                let v4 = mask(((self.i5.val() | self.i5.val()) < 0x5_u64), (self.i3.val() & self.i3.val()).get_bits::<64>(2));
                self.p.val()
            } else {
                (self.i8.val() >= 0x3_u64)
            };
            m1 = (m1 + mask(self.i31.val().xor(), (bit_cast::<18, 2>(self.i2.val()) | bit_cast::<18, 33>(self.i33.val()))).resize());
            let v6 = if ((self.i1.val() | 0x1_u64) < bit_cast::<1, 5>(self.i5.val())) {
                let v5 = bit_cast::<33, 8>((bit_cast::<8, 48>(self.i48.val()) + (self.i5.val() + self.i5.val()).resize()));
                (!(self.i5.val() <= self.i5.val()))
            } else {
                (self.i16.val().replace_bit(7, self.q.val()) > (self.i16.val() >> v3))
            };
            m1 = mask(self.i64.val().get_bit(v3.index()), mask(v6, m1));
        } else {
            let v7 = self.i8.val().replace_bit(self.i3.val().index(), self.p.val()).low::<5>().population_count::<8>();
            m1 = bit_cast::<10, 32>(self.i32.val());
        }
        let v8 = (mask((self.i3.val() > self.i3.val()), bits::<53>(0x1fffffffffffff).low::<5>()) ^ Self::MIX.resize());
        let mut m9 = self.i64.val().bits::<64>(0).bits::<64>(0);
        let v8 = (mask(self.p.val(), v8).replace_bit(4, (self.i2.val() == self.i2.val())) + (self.i5.val().population_count::<23>() + (bits::<23>(0x5) + bit_cast::<23, 5>(v8))).resize());
        if (if self.p.val() { self.i33.val() } else { self.i33.val() }).xor() {
            let v10 = ((bits::<46>(0x7) ^ Self::MIX.resize()) & self.i8.val().ones_below::<46>()).concat::<14, 60>(((bits::<14>(0x12da) - bit_cast::<14, 5>(self.i5.val())) >> 12_u64));
            m9 = m1.one_hot::<16>().concat::<34, 50>(bit_cast::<34, 33>(self.i33.val()).lowest_set()).concat::<14, 64>(bit_cast::<14, 8>(self.i8.val().highest_set()));
            let v11 = ((if (self.i33.val() <= self.i33.val()) { (v8 + self.i5.val()) } else { (if self.q.val() { v8 } else { self.i5.val() }) }) << (v3.replace_bit(4, self.q.val()) + v3));
            m9 = (v0 - v0).one_hot_index::<64>();
        } else {
            let v12 = (bit_cast::<2, 31>((self.i31.val() - self.i31.val())) + ((self.i2.val() << self.i2.val()) + (self.i2.val() >> bit_cast::<4, 33>(self.i33.val()))));
            m9 = (self.i64.val().replace_bit(57, (self.i13.val() <= self.i13.val())) ^ Self::MIX.resize());
        }
        let v13 = (self.i8.val().replace_bit(self.i3.val().index(), self.q.val()) + (self.i8.val() + self.i3.val().resize())).concat::<2, 10>(bit_cast::<11, 6>(v3).one_hot::<2>().replace_bit(mask(self.p.val(), self.i1.val()).index(), self.i48.val().all()));
        let mut m14 = ((m9 & self.i64.val()) ^ m9);
        if (bit_cast::<9, 8>(self.i8.val()).low::<2>() >= (self.i2.val() & self.i2.val())) {
            let v15 = (if (self.p.val() & (bit_cast::<34, 48>(self.i48.val()) > bit_cast::<34, 10>(v13))) { (bit_cast::<9, 13>(self.i13.val()) + bit_cast::<9, 10>(v13)).one_hot_index::<64>() } else { ((m14 ^ m9) ^ Self::MIX.resize()) });
            m14 = m14;
            let v16 = (self.i2.val().replace_bit(0, self.p.val()).concat::<11, 13>(bits::<11>(0x5)) | ((self.i13.val() << 7_u64) >> (self.i5.val() | 0x6_u64)));
            m14 = (if self.i63.val().all() { mask(self.p.val(), m9) } else { mask(self.q.val(), self.i64.val()) });
        } else {
            let v18 = if (bit_cast::<3, 3>(self.i3.val()) <= (self.i3.val() & self.i3.val())) {
                let v17 = (((!m9) ^ m9.bits::<64>(0)) != self.q.val().fill::<64>().bits::<64>(0));
                bit_cast::<64, 52>(bit_cast::<52, 20>(bit_cast::<20, 33>(self.i33.val())))
            } else {
                (bit_cast::<64, 60>(bit_cast::<60, 1>(v0)) + (m14 + self.i64.val()))
            };
            m14 = ((bit_cast::<12, 1>(v0).one_hot::<64>() + (m14 + m14)) + bit_cast::<21, 32>(self.i32.val()).reverse().concat::<43, 64>((if self.q.val() { bit_cast::<43, 31>(self.i31.val()) } else { bit_cast::<43, 16>(self.i16.val()) })));
        }
        let mut list = [self.i3.val().resize::<10>().resize::<33>(), (bits::<25>(0x1ffffff).concat::<8, 33>(self.i8.val()) ^ Self::MIX.resize()), (!self.i33.val()), (bit_cast::<15, 5>(v8).concat::<18, 33>(bit_cast::<18, 16>(self.i16.val())) | (self.i33.val() ^ self.i33.val()))];
        if (self.q.val() == self.q.val()) {
            list[(self.i2.val() >> 1_u64).index()] = bit_cast::<33, 2>(v0.concat::<1, 2>(v0));
        } else {
            list[1] = bits::<41>(0x1ffffffffff).low::<33>().lowest_set();
        }
        let mut sums = [((self.i33.val() ^ self.i33.val()) + 0x12672b571_u64); 4];
        for i in 0..4 {
            let turned = list[3 - i] + sums[i];
            if bit_cast::<4, 10>(v13).get_bit(i) {
                sums[i] = turned + list[0];
            }
        }
        self.o0.next = (mask((self.i32.val() != self.i32.val()), self.q.val().fill::<51>()).lowest_set() + (bit_cast::<3, 33>(sums[mask((self.i2.val() > self.i2.val()), self.i13.val().get_bits::<2>(self.i1.val().index() * 3)).index()]) | 0x4_u64).resize());
        self.o1.next = (!self.i63.val());
        self.o2.next = (if ((!m14) < (if self.p.val() { self.i64.val() } else { m14 })) { (self.i32.val() << self.i5.val()).get_bits::<4>(self.i1.val().index() * 3) } else { (v0 & 0x1_u64).concat::<3, 4>(self.i3.val().replace_bit(2, self.q.val())) }).resize::<53>();
        self.o3.next = self.p.val();
        self.o4.next = (if (bit_cast::<4, 48>(self.i48.val()).ones_below::<13>() == ((self.i13.val() + 0x7_u64) - 0x0_u64)) { (self.i13.val().get_bits::<13>(self.i3.val().index()) + (if self.p.val() { self.i32.val() } else { self.i32.val() }).resize()).reverse() } else { bit_cast::<4, 2>((self.i2.val() >> v3)).concat::<9, 13>(bits::<9>(0x7)) });
        self.o5.next = self.i32.val();
    }
}

#[derive(LogicBlock, Cycle, Blank)]
pub struct Block20 {
    pub i1: Signal<In, Bits<1>>,
    pub i2: Signal<In, Bits<2>>,
    pub i3: Signal<In, Bits<3>>,
    pub i5: Signal<In, Bits<5>>,
    pub i8: Signal<In, Bits<8>>,
    pub i13: Signal<In, Bits<13>>,
    pub i16: Signal<In, Bits<16>>,
    pub i31: Signal<In, Bits<31>>,
    pub i32: Signal<In, Bits<32>>,
    pub i33: Signal<In, Bits<33>>,
    pub i48: Signal<In, Bits<48>>,
    pub i63: Signal<In, Bits<63>>,
    pub i64: Signal<In, Bits<64>>,
    pub p: Signal<In, Bit>,
    pub q: Signal<In, Bit>,
    pub o0: Signal<Out, Bit>,
    pub o1: Signal<Out, Bits<48>>,
    pub o2: Signal<Out, Bits<33>>,
    pub o3: Signal<Out, Bit>,
    pub o4: Signal<Out, Bits<61>>,
    pub o5: Signal<Out, Bit>,
    pub wide: [Signal<In, Bits<17>>; 8],
    _activity: Activity,
}

impl Block20 {
    const MIX: Bits<50> = Bits::new(0x2_5a5a_0ff0_1234);
    const SOME: usize = 5;
}

impl Logic for Block20 {
    #[hdl_gen]
    fn update(&mut self) {
        let v0 = (!(bit_cast::<56, 5>(self.i5.val()) >> self.i1.val())).bits::<2>(32);
        let mut m1 = (self.i48.val().get_bits::<33>(self.i3.val().index() * 4 + 2) ^ Self::MIX.resize());
        if bit_cast::<2, 52>(bit_cast::<52, 63>(self.i63.val())).get_bit((self.i1.val() - 0x1_u64).index()) {
            let v2 = (bit_cast::<45, 2>(v0) ^ bit_cast::<45, 2>(self.i2.val())).low::<32>().get_bits::<57>(bit_cast::<5, 33>(self.i33.val().reverse()).index() + 1);
            m1 = ((bit_cast::<33, 64>(self.i64.val()) + bit_cast::<41, 5>(self.i5.val()).get_bits::<33>(self.i5.val().index() + 1)) ^ (!self.i33.val()).get_bits::<33>(0));
            let v3 = bit_cast::<48, 31>((bit_cast::<31, 64>(self.i64.val()) + (if self.q.val() { self.i33.val() } else { self.i33.val() }).resize()));
            m1 = m1;
        } else {
            let v4 = bit_cast::<33, 8>((bits::<6>(0x3f).concat::<2, 8>(self.i2.val()) + self.i16.val().resize()));
            m1 = (if self.p.val() { ((v4 ^ m1) ^ Self::MIX.resize()) } else { (if self.p.val() { (m1 & v4) } else { mask(self.p.val(), m1) }) });
        }
        let v5 = bit_cast::<28, 5>((self.i31.val() | self.i31.val()).get_bits::<5>(22));
        let mut m6 = bit_cast::<64, 64>(bit_cast::<64, 9>(bits::<9>(0x1)));
        let v7 = (self.i16.val() + bits::<7>(0x70).resize());
        if ((self.i1.val() << v0) <= (self.i1.val() + self.i3.val().resize())) {
            let v8 = ((if self.p.val() { bits::<56>(0xffffffffffffff) } else { bit_cast::<56, 8>(self.i8.val()) }) | 0xffffffffffffff_u64).all();
            m6 = (!((self.i64.val() + self.i64.val()) >> 4_u64));
            let v9 = if ((!bit_cast::<54, 1>(self.i1.val())) != 0x27ab500c889c1b_u64) {
                let v2 = bit_cast::<3, 16>((bit_cast::<16, 1>(self.i1.val()) | 0xffff_u64));
                ((!bit_cast::<43, 33>(m1)) << (bit_cast::<6, 63>(self.i63.val()) & bit_cast::<6, 1>(self.i1.val())))
            } else {
                (bit_cast::<14, 31>(self.i31.val()).concat::<29, 43>(bit_cast::<29, 33>(self.i33.val())) | self.i1.val().ones_below::<43>())
            };
            m6 = mask((self.i48.val() != self.i48.val()), (self.i64.val() ^ m6));
        } else {
            let v10 = bit_cast::<56, 64>(self.i64.val()).low::<5>().one_hot::<8>().low::<5>();
            m6 = ((if (self.i32.val() == self.i32.val()) { (self.i64.val() + v0.resize()) } else { m6.bits::<64>(0) }) + bit_cast::<1, 25>((bit_cast::<25, 28>(v5) + self.i3.val().resize())).resize());
        }
        let v11 = (((self.i32.val() ^ Self::MIX.resize()) & self.i32.val().lowest_set()) - ((if self.p.val() { self.i32.val() } else { self.i32.val() }) >> 29_u64));
        let mut m12 = (!(bit_cast::<45, 16>(v7) > bits::<45>(0x1fffffffffff)));
        let v13 = (((self.i1.val() | self.i1.val()) - mask(m12, self.i1.val())) + ((bit_cast::<14, 13>(self.i13.val()) & bits::<14>(0x28f5)) & bit_cast::<14, 3>(self.i3.val())).resize());
        if ((self.i63.val() << 39_u64) < (self.i63.val() - self.i63.val())) {
            let v14 = self.p.val();
            m12 = (self.i63.val().get_bits::<10>(v13.index() * 4 + 2).concat::<23, 33>(bit_cast::<23, 2>(v0).replace_bit(2, v14)) <= (mask(self.q.val(), self.i33.val()) + mask(self.q.val(), self.i8.val()).resize()));
            let v15 = (m1.lowest_set() & m1.highest_set()).get_bits::<63>(mask((self.i31.val() > self.i31.val()), self.i1.val()).index());
            m12 = (self.i32.val() ^ v11).any();
        } else {
            let v16 = bit_cast::<1, 3>((bit_cast::<3, 12>(bit_cast::<12, 33>(m1)) << 1_u64));
            m12 = ((bits::<6>(0x4).ones_below::<2>() >> 1_u64) != (v0.highest_set() | (self.i2.val() & v0)));
        }
        let mut list = [(bit_cast::<5, 15>(bit_cast::<15, 33>(m1)) + 0x1f_u64), bit_cast::<5, 13>(mask(m12, self.i13.val())), ((!self.i5.val()) | (self.i5.val() & self.i5.val())), (self.i5.val().get_bits::<5>(bit_cast::<6, 2>(v0).index() * 3) & bit_cast::<11, 31>(self.i31.val()).one_hot_index::<5>())];
        if (!m12) {
            list[((self.i2.val() & v0) ^ (v0 ^ self.i2.val())).index()] = (v0.concat::<3, 5>(self.i3.val()) & (if m12 { self.i5.val() } else { self.i5.val() }));
        } else {
            list[1] = ((self.i5.val() + self.i5.val()) >> self.i1.val());
        }
        let mut sums = [(list[2].reverse() ^ 0x4_u64); 4];
        for i in 0..4 {
            let turned = list[3 - i] + sums[i];
            if (if (self.i3.val() < self.i3.val()) { (!bit_cast::<4, 32>(self.i32.val())) } else { bit_cast::<9, 2>(self.i2.val()).bits::<4>(4) }).get_bit(i) {
                sums[i] = turned + list[0];
            }
        }
        self.o0.next = ((v0 >= (self.i2.val() ^ self.i2.val()).replace_bit(self.i1.val().index(), (self.q.val() | self.q.val()))) | (!(self.i13.val() - self.i13.val())).xor());
        self.o1.next = (v7 + (v0 & v0).concat::<14, 16>((bit_cast::<14, 33>(m1) >> 5_u64))).get_bits::<48>(((self.i3.val().replace_bit(0, self.p.val()) | self.i3.val()) + v11.resize()).index() + 1);
        self.o2.next = bit_cast::<33, 35>((self.i8.val().lowest_set() ^ (self.i8.val() & self.i8.val())).population_count::<35>());
        self.o3.next = ((if (self.i16.val() < v7) { (bits::<7>(0x5) ^ 0x7f_u64) } else { (bit_cast::<7, 64>(self.i64.val()) - 0x7d_u64) }).get_bits::<8>(0) != bit_cast::<8, 18>(sums[mask((v11 < v11), self.i1.val().concat::<1, 2>(v13)).index()].one_hot_index::<18>()));
        self.o4.next = ((!self.i63.val()) + (self.i63.val() | self.i63.val())).get_bits::<16>(27).get_bits::<61>(((bit_cast::<58, 64>(self.i64.val()).low::<4>() - bit_cast::<51, 63>(self.i63.val()).low::<4>()) ^ bit_cast::<4, 18>(self.q.val().fill::<18>())).index() + 1);
        self.o5.next = (((bit_cast::<28, 31>(self.i31.val()) & bits::<56>(0x38cc21cb475645).bits::<28>(25)) + ((bit_cast::<7, 5>(list[mask((v11 < v11), self.i1.val().concat::<1, 2>(v13)).index()]) + v13.resize()) | bit_cast::<7, 64>(m6)).resize()) > ((if self.p.val() { v5 } else { v5 }).replace_bit(9, (self.i32.val() > self.i32.val())) << (if (bit_cast::<19, 5>(list[mask((v11 < v11), self.i1.val().concat::<1, 2>(v13)).index()]) > bits::<19>(0x5)) { bit_cast::<1, 1>(v13) } else { (!self.i1.val()) })));
    }
}

#[derive(LogicBlock, Cycle, Blank)]
pub struct Block21 {
    pub i1: Signal<In, Bits<1>>,
    pub i2: Signal<In, Bits<2>>,
    pub i3: Signal<In, Bits<3>>,
    pub i5: Signal<In, Bits<5>>,
    pub i8: Signal<In, Bits<8>>,
    pub i13: Signal<In, Bits<13>>,
    pub i16: Signal<In, Bits<16>>,
    pub i31: Signal<In, Bits<31>>,
    pub i32: Signal<In, Bits<32>>,
    pub i33: Signal<In, Bits<33>>,
    pub i48: Signal<In, Bits<48>>,
    pub i63: Signal<In, Bits<63>>,
    pub i64: Signal<In, Bits<64>>,
    pub p: Signal<In, Bit>,
    pub q: Signal<In, Bit>,
    pub o0: Signal<Out, Bits<33>>,
    pub o1: Signal<Out, Bit>,
    pub o2: Signal<Out, Bits<39>>,
    pub o3: Signal<Out, Bits<16>>,
    pub o4: Signal<Out, Bits<32>>,
    pub o5: Signal<Out, Bits<2>>,
    pub wide: [Signal<In, Bits<17>>; 8],
    _activity: Activity,
}

impl Block21 {
    const MIX: Bits<50> = Bits::new(0x2_5a5a_0ff0_1234);
    const SOME: usize = 5;
}

impl Logic for Block21 {
    #[hdl_gen]
    fn update(&mut self) {
        let v2 = if ((self.q.val() ^ self.p.val()) & (!self.q.val())) {
            let v1 = if (bit_cast::<60, 5>(self.i5.val()) ^ bit_cast::<60, 48>(self.i48.val())).get_bit(38) {
                let v0 = bit_cast::<19, 50>((bit_cast::<60, 3>(self.i3.val()).bits::<50>(8) + self.i1.val().one_hot_index::<50>()));
                (self.i64.val().get_bits::<5>(18) + (self.i5.val() + self.i48.val().resize()))
            } else {
                mask(self.p.val(), self.i3.val()).get_bits::<5>(2)
            };
            self.i5.val().replace_bit(3, self.q.val()).concat::<27, 32>(bit_cast::<27, 16>(self.i16.val()))
        } else {
            (self.i13.val().get_bits::<32>(self.i3.val().index() * 4 + 2) + mask(self.q.val(), self.i2.val()).resize())
        };
        let mut m3 = self.q.val().fill::<2>().get_bit((self.i1.val() << self.i5.val()).index());
        if (mask(self.q.val(), self.i16.val()) < (self.i16.val() >> self.i1.val())) {
            let v4 = self.i63.val();
            m3 = (bit_cast::<1, 8>(self.i8.val()).get_bits::<3>(0) > ((self.i3.val() >> 1_u64) + (self.i3.val() ^ 0x5_u64)));
            let v5 = (((self.i48.val() >> 27_u64) & (self.i48.val() ^ self.i48.val())) | self.i48.val());
            m3 = (self.i1.val().xor() == (self.q.val() && self.p.val()));
        } else {
            let v6 = ((!bit_cast::<19, 5>(self.i5.val()).get_bits::<23>(15)) - 0x7fffff_u64);
            m3 = (((self.i33.val() << 24_u64) > m3.fill::<33>()) ^ (self.i33.val().get_bits::<32>(self.i2.val().index() + 1) <= bit_cast::<32, 51>(bit_cast::<51, 23>(v6))));
        }
        let v7 = self.i1.val().highest_set();
        let mut m8 = ((self.i63.val() + self.i63.val()) + self.i63.val());
        if ((self.i3.val() < self.i3.val()) & (self.i1.val() >= 0x1_u64)) {
            let v10 = if (bit_cast::<32, 7>(bit_cast::<7, 3>(self.i3.val())) >= (v2 + self.i32.val())) {
                let v9 = (v2 + v2).low::<14>().concat::<2, 16>((v7 | self.i1.val()).population_count::<2>());
                mask((!self.q.val()), bit_cast::<23, 16>(self.i16.val()))
            } else {
                (mask(m3, bit_cast::<23, 64>(self.i64.val())) ^ 0x63ec6c_u64)
            };
            m8 = ((m8.reverse() >> bit_cast::<4, 3>(self.i3.val()).population_count::<3>()) + (self.i63.val().low::<63>() & self.i13.val().get_bits::<63>(self.i5.val().index() + 1)));
            let v11 = ((bits::<59>(0x7ffffffffffffff).low::<31>() + bit_cast::<31, 33>(self.i33.val())) << 26_u64);
            m8 = self.i63.val();
        } else {
            let v12 = ((self.i8.val().reverse() & self.i2.val().resize::<8>()) + ((self.i8.val() ^ Self::MIX.resize()) << 2_u64));
            m8 = (!self.i63.val());
        }
        let v13 = (!(bit_cast::<3, 64>(self.i64.val()) == 0x1_u64));
        let mut m14 = (v7.concat::<2, 3>(self.i2.val()) < (self.i3.val() | 0x7_u64));
        let v15 = match bit_cast::<5, 48>((if m3 { self.i48.val() } else { self.i48.val() })).index() {
            14 => self.i2.val().resize::<43>().highest_set(),
            7 | 29 => (bit_cast::<43, 31>(self.i31.val()) ^ bits::<43>(0x30ecd3f2e91)),
            7..=9 => ((bit_cast::<43, 3>(self.i3.val()) & bit_cast::<43, 16>(self.i16.val())) << self.i2.val().lowest_set()),
            Self::SOME => (bit_cast::<43, 48>(self.i48.val()) + (bit_cast::<43, 32>(v2) - bit_cast::<43, 33>(self.i33.val()))),
            _ => (m3.fill::<43>() | 0x719c5b9c293_u64),
        };
        if (!self.i13.val().any()) {
            let v16 = (((self.i48.val() & self.i48.val()) >> 25_u64) < 0xffffffffffff_u64);
            m14 = bit_cast::<36, 48>(self.i48.val()).low::<32>().bits::<5>(6).get_bit((bit_cast::<30, 16>(self.i16.val()).get_bits::<2>(20) - self.i8.val().low::<2>()).index());
            let v17 = if (self.i8.val() ^ self.i8.val()).xor() {
                let v1 = (mask(self.i8.val().xor(), self.i31.val()) | m14.fill::<31>());
                (self.i2.val() | self.i2.val()).reverse()
            } else {
                (if bit_cast::<58, 1>(v7).xor() { self.i2.val().replace_bit(1, v13) } else { self.i2.val().replace_bit(v7.index(), v13) })
            };
            m14 = self.p.val();
        } else {
            let v18 = bit_cast::<10, 13>((self.i13.val() + self.i48.val().resize())).population_count::<39>();
            m14 = (self.p.val() | m14);
        }
        let mut list = [(bit_cast::<64, 32>(v2) - m3.fill::<64>()), mask((v2 < v2), (self.i64.val() ^ self.i64.val())), self.p.val().fill::<64>().lowest_set(), self.i64.val()];
        if (self.i2.val() == 0x3_u64) {
            list[((self.i2.val() & self.i2.val()) & self.i2.val()).index()] = (self.i2.val().population_count::<64>() | self.i64.val().lowest_set());
        } else {
            list[1] = (if self.i31.val().get_bit(bit_cast::<4, 2>(self.i2.val()).index()) { (self.i64.val() & self.i64.val()) } else { v13.fill::<64>() });
        }
        let mut sums = [(bit_cast::<64, 16>(self.i16.val()) ^ (self.i64.val() + self.i64.val())); 4];
        for i in 0..4 {
            let turned = list[3 - i] + sums[i];
            if (if (self.i48.val() == self.i48.val()) { bits::<4>(0xf) } else { self.i1.val().get_bits::<4>(1) }).get_bit(i) {
                sums[i] = turned + list[0];
            }
        }
        self.o0.next = ((if (!bit_cast::<62, 1>(v7).get_bit(22)) { m8.get_bits::<55>(bit_cast::<6, 63>(self.i63.val()).index() * 4 + 2).low::<33>() } else { bit_cast::<33, 48>((self.i48.val() ^ self.i48.val())) }) + ((bit_cast::<12, 64>(self.i64.val()) >> 1_u64).one_hot_index::<33>() + (self.i1.val().one_hot::<32>() + mask(m3, v2).resize()).resize()));
        self.o1.next = ((bit_cast::<31, 48>(bit_cast::<62, 63>(m8).bits::<48>(3)) + bit_cast::<48, 1>((!v7)).resize()) == 0x7fffffff_u64);
        self.o2.next = bit_cast::<39, 64>(sums[self.i1.val().get_bits::<2>(1).index()]);
        self.o3.next = bit_cast::<16, 31>((if (self.i31.val() == self.i31.val()) { (!bit_cast::<22, 32>(v2)) } else { self.i8.val().concat::<14, 22>(bit_cast::<14, 64>(list[bits::<58>(0x3ffffffffffffff).low::<2>().index()])) }).concat::<9, 31>(((if m3 { bit_cast::<9, 64>(sums[bits::<58>(0x3ffffffffffffff).low::<2>().index()]) } else { bits::<9>(0x4) }) + (bit_cast::<9, 17>(self.wide[(self.i3.val() & 0x7_u64).resize::<3>().index()].val()) + bit_cast::<9, 5>(self.i5.val())))));
        self.o4.next = ((((v2 - 0xffffffff_u64) << 13_u64) << 24_u64) >> 4_u64);
        self.o5.next = ((v7 & self.i1.val()) == mask(self.p.val(), self.i1.val())).fill::<2>().highest_set();
    }
}

#[derive(LogicBlock, Cycle, Blank)]
pub struct Block22 {
    pub i1: Signal<In, Bits<1>>,
    pub i2: Signal<In, Bits<2>>,
    pub i3: Signal<In, Bits<3>>,
    pub i5: Signal<In, Bits<5>>,
    pub i8: Signal<In, Bits<8>>,
    pub i13: Signal<In, Bits<13>>,
    pub i16: Signal<In, Bits<16>>,
    pub i31: Signal<In, Bits<31>>,
    pub i32: Signal<In, Bits<32>>,
    pub i33: Signal<In, Bits<33>>,
    pub i48: Signal<In, Bits<48>>,
    pub i63: Signal<In, Bits<63>>,
    pub i64: Signal<In, Bits<64>>,
    pub p: Signal<In, Bit>,
    pub q: Signal<In, Bit>,
    pub o0: Signal<Out, Bits<59>>,
    pub o1: Signal<Out, Bits<33>>,
    pub o2: Signal<Out, Bit>,
    pub o3: Signal<Out, Bits<3>>,
    pub o4: Signal<Out, Bits<3>>,
    pub o5: Signal<Out, Bits<13>>,
    pub wide: [Signal<In, Bits<17>>; 8],
    _activity: Activity,
}

impl Block22 {
    const MIX: Bits<50> = Bits::new(0x2_5a5a_0ff0_1234);
    const SOME: usize = 5;
}

impl Logic for Block22 {
    #[hdl_gen]
    fn update(&mut self) {
        let v0 = (((self.i33.val() << self.i1.val()) - (self.i33.val() | self.i33.val())) + (!(if self.p.val() { self.i33.val() } else { self.i33.val() })));
        let mut m1 = bit_cast::<32, 8>((self.i8.val() >> 7_u64));
        if self.i13.val().replace_bit(2, self.q.val()).all() {
            let v2 = (bit_cast::<25, 32>(bit_cast::<32, 32>(self.i32.val())) != (bit_cast::<25, 8>(self.i8.val()) | bit_cast::<25, 33>(v0)).replace_bit(19, (self.p.val() || self.q.val())));
            m1 = (self.i32.val() << bit_cast::<1, 64>((self.i64.val() | 0x1_u64)));
            let v3 = self.i63.val();
            m1 = (if self.i32.val().get_bit(self.i5.val().index()) { self.i32.val().replace_bit(28, self.q.val()) } else { bit_cast::<39, 33>(self.i33.val()).get_bits::<32>(bit_cast::<6, 16>(self.i16.val()).index() + 1) });
        } else {
            let v5 = if ((m1 + self.i13.val().resize()) <= mask(self.q.val(), m1)) {
                let v1 = if ((self.i33.val() >= self.i33.val()) & (self.i64.val() <= self.i64.val())) {
                    let v4 = bit_cast::<2, 61>((bit_cast::<61, 13>(self.i13.val()) >> 32_u64).highest_set());
                    (self.i48.val().get_bits::<13>(self.i3.val().index() * 4 + 2) + (!self.i13.val()))
                } else {
                    (!(self.i13.val() << self.i3.val()))
                };
                ((self.i63.val() << self.i5.val()) & (self.i63.val() + self.i2.val().resize()))
            } else {
                self.i5.val().get_bits::<63>((bit_cast::<6, 13>(self.i13.val()) - 0x2_u64).index())
            };
            m1 = (mask((self.q.val() && self.p.val()), self.i32.val().highest_set()) & (self.i32.val() - m1).reverse());
        }
        let v6 = ((self.i64.val() + self.i13.val().resize()).get_bits::<63>(mask(self.p.val(), self.i1.val()).index()) << (self.i2.val() + self.i2.val()).one_hot_index::<3>());
        let mut m7 = (if (self.i5.val() >= self.i5.val()) { (self.i1.val() + self.i1.val()) } else { (self.i1.val() + self.i1.val()) });
        if (bits::<7>(0x66).one_hot_index::<16>() != self.i3.val().concat::<13, 16>(self.i13.val())) {
            let v8 = (bit_cast::<20, 5>(self.i5.val()) <= ((bit_cast::<20, 48>(self.i48.val()) >> 8_u64) ^ (bit_cast::<20, 8>(self.i8.val()) << self.i5.val())));
            m7 = (m7.reverse().replace_bit(0, self.i31.val().get_bit(8)) | (self.i13.val() + 0x5_u64).get_bits::<1>(5));
            let v9 = (self.i2.val() & (bit_cast::<12, 3>(self.i3.val()).population_count::<2>() << 2_u64));
            m7 = ((m7 - 0x1_u64) | bit_cast::<7, 33>(v0).population_count::<1>());
        } else {
            let v10 = ((if self.q.val() { self.i32.val() } else { self.i32.val() }).get_bits::<2>(bits::<6>(0x3f).index() * 3) != ((self.i2.val() + self.i2.val()) + self.i1.val().get_bits::<2>(0).resize()));
            m7 = mask((self.i63.val().replace_bit(self.i5.val().index(), self.p.val()) >= bit_cast::<7, 63>(self.i63.val()).one_hot_index::<63>()), ((self.i1.val() & 0x0_u64) | (m7 << 1_u64)));
        }
        let v6 = (m1 == m1);
        let mut m11 = (self.i1.val().resize::<33>() == self.i33.val());
        let v12 = (((bit_cast::<38, 32>(m1) << bit_cast::<4, 33>(self.i33.val())) & (bit_cast::<38, 31>(self.i31.val()) + self.i16.val().resize())) ^ ((bit_cast::<38, 63>(self.i63.val()) & bit_cast::<38, 31>(self.i31.val())) << 33_u64));
        if ((self.i13.val() - self.i13.val()) > bit_cast::<13, 63>(self.i63.val())) {
            let v2 = match ((self.i5.val() + self.i64.val().resize()) | (self.i5.val() & self.i5.val())).index() {
                28 => ((!bit_cast::<40, 1>(self.i1.val())) - v0.get_bits::<40>(19)),
                19 | 2 => bit_cast::<27, 38>(v12).replace_bit(bit_cast::<4, 13>(self.i13.val()).index(), m11).get_bits::<40>(8),
                20..=22 => (self.i3.val() ^ 0x6_u64).ones_below::<40>(),
                Self::SOME => (bit_cast::<40, 33>(v0) + bit_cast::<40, 5>(self.i5.val())),
                _ => ((bit_cast::<40, 2>(self.i2.val()) >> bit_cast::<6, 8>(self.i8.val())) + (bit_cast::<40, 63>(self.i63.val()) >> 0_u64)),
            };
            m11 = (!(self.i32.val().highest_set() > self.i32.val()));
            let v13 = (self.i8.val().replace_bit(self.i3.val().index(), m11) << (m7 << self.i5.val())).get_bit(2);
            m11 = (if self.q.val() { self.i13.val() } else { self.i13.val() }).get_bit(3);
        } else {
            let v14 = ((self.i2.val().concat::<14, 16>(bit_cast::<14, 13>(self.i13.val())) >> 11_u64) & bit_cast::<16, 31>((!self.i31.val())));
            m11 = ((self.i31.val() | self.i31.val()) <= mask(m11, self.i8.val()).concat::<23, 31>(bit_cast::<23, 48>(self.i48.val()).replace_bit(4, m11)));
        }
        let mut list = [bit_cast::<2, 8>(bit_cast::<8, 31>(self.i31.val())), ((!self.i2.val()) + v6.fill::<2>()), (if (bit_cast::<41, 33>(self.i33.val()) <= bits::<41>(0x1)) { (self.i2.val() + self.i2.val()) } else { self.i2.val().replace_bit(0, self.q.val()) }), ((self.i2.val() & self.i2.val()) >> 2_u64)];
        if (self.i13.val() >= 0x3_u64) {
            list[((self.i2.val() & self.i2.val()) ^ (self.i2.val() - self.i2.val())).index()] = bit_cast::<2, 63>((!self.i63.val()));
        } else {
            list[1] = ((self.i2.val() & self.i2.val()) + self.i31.val().get_bits::<2>(bit_cast::<4, 5>(self.i5.val()).index() * 4 + 2));
        }
        let mut sums = [(self.i2.val().replace_bit(0, v6) ^ Self::MIX.resize()); 4];
        for i in 0..4 {
            let turned = list[3 - i] + sums[i];
            if (!self.i3.val().get_bits::<4>(0)).get_bit(i) {
                sums[i] = turned + list[0];
            }
        }
        self.o0.next = (((bit_cast::<9, 17>(self.wide[((self.i3.val() + bit_cast::<41, 2>(list[self.i48.val().lowest_set().get_bits::<2>(27).index()]).resize()) ^ Self::MIX.resize()).index()].val()) - bit_cast::<9, 63>(self.i63.val())) ^ self.i16.val().get_bits::<9>(1)).one_hot_index::<59>() << 19_u64);
        self.o1.next = (v12 >= self.i13.val().get_bits::<38>(13)).fill::<33>();
        self.o2.next = ((!self.p.val()) == ((!(!self.i63.val())) <= bit_cast::<63, 2>((sums[self.i48.val().lowest_set().get_bits::<2>(27).index()] & 0x1_u64))));
        self.o3.next = ((bit_cast::<9, 8>(self.i8.val()).reverse() - bit_cast::<9, 1>(m7)) + ((self.i13.val() | 0x5_u64) >> 12_u64).resize()).one_hot::<3>();
        self.o4.next = self.i3.val();
        self.o5.next = ((self.i13.val() & ((self.i13.val() - self.i13.val()) - (self.i13.val() >> bit_cast::<7, 33>(v0)))) ^ (self.i13.val() ^ bit_cast::<13, 64>((self.i64.val() - 0x1_u64))));
    }
}

#[derive(LogicBlock, Cycle, Blank)]
pub struct Block23 {
    pub i1: Signal<In, Bits<1>>,
    pub i2: Signal<In, Bits<2>>,
    pub i3: Signal<In, Bits<3>>,
    pub i5: Signal<In, Bits<5>>,
    pub i8: Signal<In, Bits<8>>,
    pub i13: Signal<In, Bits<13>>,
    pub i16: Signal<In, Bits<16>>,
    pub i31: Signal<In, Bits<31>>,
    pub i32: Signal<In, Bits<32>>,
    pub i33: Signal<In, Bits<33>>,
    pub i48: Signal<In, Bits<48>>,
    pub i63: Signal<In, Bits<63>>,
    pub i64: Signal<In, Bits<64>>,
    pub p: Signal<In, Bit>,
    pub q: Signal<In, Bit>,
    pub o0: Signal<Out, Bits<8>>,
    pub o1: Signal<Out, Bit>,
    pub o2: Signal<Out, Bits<17>>,
    pub o3: Signal<Out, Bits<48>>,
    pub o4: Signal<Out, Bits<39>>,
    pub o5: Signal<Out, Bits<31>>,
    pub wide: [Signal<In, Bits<17>>; 8],
    _activity: Activity,
}

impl Block23 {
    const MIX: Bits<50> = Bits::new(0x2_5a5a_0ff0_1234);
    const SOME: usize = 5;
}

impl Logic for Block23 {
    #[hdl_gen]
    fn update(&mut self) {
        let v0 = (if self.q.val() { ((if self.q.val() { self.i32.val() } else { self.i32.val() }) & bit_cast::<32, 16>(self.i16.val())) } else { (if (!self.p.val()) { (self.i32.val() ^ self.i32.val()) } else { self.p.val().fill::<32>() }) });
        let mut m1 = (bit_cast::<28, 33>(self.i33.val()).concat::<20, 48>(bit_cast::<20, 31>(self.i31.val())) ^ bit_cast::<48, 1>(self.i1.val()));
        if (bits::<34>(0xf0f77bb5) >= (bit_cast::<34, 48>(m1) + bit_cast::<34, 5>(self.i5.val()))) {
            let v3 = if (bit_cast::<8, 16>(self.i16.val()) == bit_cast::<27, 31>(self.i31.val()).low::<8>()) {
                let v2 = (bit_cast::<30, 48>(m1) + (if self.q.val() { self.i3.val() } else { self.i3.val() }).resize()).low::<16>();
                ((self.i2.val() | self.i2.val()) | self.i2.val().replace_bit(1, self.q.val()))
            } else {
                (self.i2.val() - self.i2.val()).replace_bit(1, self.q.val())
            };
            m1 = self.i63.val().get_bits::<48>(51);
            let v4 = match bit_cast::<2, 33>((self.i33.val() >> bit_cast::<7, 48>(m1))).index() {
                2 => (self.q.val().fill::<1>() < bit_cast::<1, 17>(bit_cast::<17, 48>(self.i48.val()))),
                3 | 1 => ((bit_cast::<24, 8>(self.i8.val()) | 0x8924a2_u64) < (bit_cast::<24, 16>(self.i16.val()) - bit_cast::<24, 2>(v3))),
                0..=2 => ((if self.q.val() { self.i1.val() } else { self.i1.val() }) < bit_cast::<1, 41>(bit_cast::<41, 8>(self.i8.val()))),
                _ => self.p.val(),
            };
            m1 = (if self.p.val() { self.i48.val() } else { self.i48.val() }).replace_bit(47, (self.i8.val() < 0x0_u64));
        } else {
            let v5 = ((!bit_cast::<29, 3>(self.i3.val())).reverse() + (if (self.i8.val() == 0xff_u64) { (if self.q.val() { bit_cast::<29, 8>(self.i8.val()) } else { bit_cast::<29, 3>(self.i3.val()) }) } else { (bits::<29>(0x2) & 0x1cfab6b9_u64) }));
            m1 = bit_cast::<56, 33>(self.i33.val()).bits::<48>(5);
        }
        let v6 = bit_cast::<56, 56>((bit_cast::<56, 64>(self.i64.val()) & mask(self.p.val(), bit_cast::<56, 63>(self.i63.val()))));
        let mut m7 = (bits::<44>(0xfffffffffff) & bit_cast::<44, 16>(self.i16.val())).low::<13>();
        let v8 = match (bit_cast::<53, 5>(self.i5.val()) << 3_u64).low::<8>().index() {
            75 => ((self.i3.val() & self.i3.val()) + (if self.p.val() { self.i3.val() } else { self.i3.val() })),
            36 | 237 => bits::<34>(0x7).bits::<28>(2).get_bits::<3>(10),
            194..=196 => (bit_cast::<3, 16>(self.i16.val()) + (if self.p.val() { self.i3.val() } else { self.i3.val() })),
            Self::SOME => ((self.i3.val() << self.i3.val()) + mask(self.q.val(), self.i16.val()).resize()),
            _ => (if self.i8.val().get_bit(2) { self.i63.val().get_bits::<3>(33) } else { (self.i3.val() << self.i2.val()) }),
        };
        if ((m7 + self.i13.val()) != (self.i13.val() ^ m7)) {
            let v9 = (bits::<4>(0x2).population_count::<8>().get_bits::<13>(0) + (self.i16.val() << 6_u64).replace_bit((bits::<4>(0x3) >> bit_cast::<7, 3>(self.i3.val())).index(), self.q.val()).resize());
            m7 = ((self.i5.val() << self.i5.val()).get_bits::<13>(5) ^ ((m7 & 0xc9_u64) ^ 0x1fff_u64));
            let v10 = (self.i63.val() >> 13_u64).get_bits::<4>(1).one_hot::<45>();
            m7 = (if (self.q.val() ^ self.p.val()) { (!self.i13.val()) } else { m7 });
        } else {
            let v11 = bit_cast::<1, 8>(((self.i8.val() + self.i8.val()) + (self.i8.val() + self.i8.val())));
            m7 = (if (!self.i8.val().xor()) { bit_cast::<4, 31>(self.i31.val()).replace_bit(1, self.p.val()).resize::<13>() } else { ((!m7) + mask(self.q.val(), m7)) });
        }
        let v12 = (bit_cast::<63, 33>(self.i33.val()) << self.i5.val()).xor();
        let mut m13 = ((self.i33.val() | self.i33.val()) + bit_cast::<9, 8>(self.i8.val()).one_hot_index::<33>());
        if ((self.i16.val() + 0x8dfa_u64) == (self.i16.val() + self.i16.val())) {
            let v14 = ((self.i13.val() & bit_cast::<13, 2>(self.i2.val())) + (self.i64.val().get_bits::<13>(33) << (if v12 { self.i5.val() } else { self.i5.val() })));
            m13 = self.i33.val();
            let v15 = ((if m13.get_bit(4) { (self.i31.val() & self.i31.val()) } else { (if self.q.val() { self.i31.val() } else { self.i31.val() }) }) ^ Self::MIX.resize());
            m13 = self.i33.val();
        } else {
            let v16 = bit_cast::<16, 13>(((self.i13.val() >> 11_u64) + (m7 + self.i13.val())));
            m13 = mask(self.p.val(), (self.i48.val() + 0xffffffffffff_u64).get_bits::<33>((!bits::<4>(0xf)).index()));
        }
        let mut list = [((self.i13.val() - 0x1fff_u64) >> 10_u64), m7, bit_cast::<13, 16>((self.i16.val() | self.i16.val())), (self.i13.val().reverse() - (m7 ^ Self::MIX.resize()))];
        if (v8 < self.i3.val()) {
            list[(self.i1.val() & self.i1.val()).concat::<1, 2>(self.i1.val()).index()] = bit_cast::<13, 13>(bit_cast::<11, 63>(self.i63.val()).concat::<2, 13>(self.i2.val()));
        } else {
            list[1] = ((m7 + self.i31.val().resize()) - m7);
        }
        let mut sums = [(self.i2.val() + self.i2.val()).concat::<11, 13>((bit_cast::<11, 3>(v8) + bit_cast::<11, 2>(self.i2.val()))); 4];
        for i in 0..4 {
            let turned = list[3 - i] + sums[i];
            if bit_cast::<4, 3>((self.i3.val() + self.i3.val())).get_bit(i) {
                sums[i] = turned + list[0];
            }
        }
        self.o0.next = mask((((bit_cast::<40, 48>(self.i48.val()) <= bit_cast::<40, 2>(self.i2.val())) == (self.i48.val() < m1)) | ((self.i8.val() << bit_cast::<7, 5>(self.i5.val())) > self.i64.val().get_bits::<8>(self.i5.val().index()))), bits::<38>(0x384afb62ed).replace_bit(self.i5.val().index(), self.q.val()).get_bits::<31>(self.i8.val().population_count::<5>().index() * 3).get_bits::<8>((self.i5.val() + v0.resize()).replace_bit(2, self.i1.val().xor()).index() * 3));
        self.o1.next = (((!(if self.q.val() { self.i31.val() } else { self.i31.val() })) ^ (!self.i2.val().get_bits::<31>(bit_cast::<4, 13>(list[((self.i2.val() + self.i2.val()) | 0x1_u64).index()]).index()))) != (bit_cast::<31, 47>((bit_cast::<47, 13>(sums[bit_cast::<2, 2>((!self.i2.val())).index()]) & bit_cast::<47, 63>(self.i63.val()))) + bit_cast::<31, 48>((self.i48.val() >> self.i3.val()))));
        self.o2.next = (bit_cast::<17, 63>(self.i63.val()) + (self.i5.val() | self.i5.val()).ones_below::<1>().resize::<17>());
        self.o3.next = (self.i8.val().resize::<48>() >> 14_u64).lowest_set().highest_set();
        self.o4.next = (if (bit_cast::<63, 33>(self.i33.val()).get_bits::<32>(self.i1.val().concat::<2, 3>(self.i2.val()).index() + 1) < 0x2_u64) { (if self.p.val() { (if v12 { bit_cast::<39, 13>(list[2]) } else { bit_cast::<39, 16>(self.i16.val()) }) } else { (if self.p.val() { bit_cast::<39, 31>(self.i31.val()) } else { bit_cast::<39, 13>(list[((self.i2.val() + self.i2.val()) | 0x1_u64).index()]) }) }).reverse() } else { mask((!(self.i31.val() < self.i31.val())), ((if v12 { bit_cast::<39, 13>(list[((self.i2.val() + self.i2.val()) | 0x1_u64).index()]) } else { bits::<39>(0x3) }) ^ (bit_cast::<39, 13>(list[bit_cast::<2, 2>((!self.i2.val())).index()]) + bit_cast::<39, 2>(self.i2.val())))) });
        self.o5.next = (bit_cast::<13, 61>(self.i16.val().get_bits::<61>(self.i5.val().index() * 4 + 2)) - (bit_cast::<13, 13>(m7) ^ Self::MIX.resize())).get_bits::<31>((if (self.i33.val().highest_set() <= self.i33.val()) { ((self.i2.val() >> self.i2.val()) ^ Self::MIX.resize()) } else { ((self.i2.val() << bit_cast::<7, 1>(self.i1.val())) ^ (!self.i2.val())) }).index() * 3);
    }
}

/// All blocks, with the same inputs.
#[derive(LogicBlock, Cycle, Blank)]
pub struct Top {
    pub i1: Signal<In, Bits<1>>,
    pub i2: Signal<In, Bits<2>>,
    pub i3: Signal<In, Bits<3>>,
    pub i5: Signal<In, Bits<5>>,
    pub i8: Signal<In, Bits<8>>,
    pub i13: Signal<In, Bits<13>>,
    pub i16: Signal<In, Bits<16>>,
    pub i31: Signal<In, Bits<31>>,
    pub i32: Signal<In, Bits<32>>,
    pub i33: Signal<In, Bits<33>>,
    pub i48: Signal<In, Bits<48>>,
    pub i63: Signal<In, Bits<63>>,
    pub i64: Signal<In, Bits<64>>,
    pub p: Signal<In, Bit>,
    pub q: Signal<In, Bit>,
    pub o0_0: Signal<Out, Bit>,
    pub o1_0: Signal<Out, Bits<18>>,
    pub o2_0: Signal<Out, Bit>,
    pub o3_0: Signal<Out, Bits<8>>,
    pub o4_0: Signal<Out, Bits<63>>,
    pub o5_0: Signal<Out, Bits<34>>,
    pub o0_1: Signal<Out, Bit>,
    pub o1_1: Signal<Out, Bits<63>>,
    pub o2_1: Signal<Out, Bits<33>>,
    pub o3_1: Signal<Out, Bits<1>>,
    pub o4_1: Signal<Out, Bits<49>>,
    pub o5_1: Signal<Out, Bits<12>>,
    pub o0_2: Signal<Out, Bits<2>>,
    pub o1_2: Signal<Out, Bits<35>>,
    pub o2_2: Signal<Out, Bits<31>>,
    pub o3_2: Signal<Out, Bits<46>>,
    pub o4_2: Signal<Out, Bits<2>>,
    pub o5_2: Signal<Out, Bits<33>>,
    pub o0_3: Signal<Out, Bits<63>>,
    pub o1_3: Signal<Out, Bits<13>>,
    pub o2_3: Signal<Out, Bits<1>>,
    pub o3_3: Signal<Out, Bits<5>>,
    pub o4_3: Signal<Out, Bits<54>>,
    pub o5_3: Signal<Out, Bits<3>>,
    pub o0_4: Signal<Out, Bits<60>>,
    pub o1_4: Signal<Out, Bits<7>>,
    pub o2_4: Signal<Out, Bits<13>>,
    pub o3_4: Signal<Out, Bit>,
    pub o4_4: Signal<Out, Bits<7>>,
    pub o5_4: Signal<Out, Bits<8>>,
    pub o0_5: Signal<Out, Bits<16>>,
    pub o1_5: Signal<Out, Bits<32>>,
    pub o2_5: Signal<Out, Bits<8>>,
    pub o3_5: Signal<Out, Bit>,
    pub o4_5: Signal<Out, Bits<1>>,
    pub o5_5: Signal<Out, Bit>,
    pub o0_6: Signal<Out, Bits<51>>,
    pub o1_6: Signal<Out, Bits<64>>,
    pub o2_6: Signal<Out, Bits<1>>,
    pub o3_6: Signal<Out, Bit>,
    pub o4_6: Signal<Out, Bits<13>>,
    pub o5_6: Signal<Out, Bits<64>>,
    pub o0_7: Signal<Out, Bits<29>>,
    pub o1_7: Signal<Out, Bit>,
    pub o2_7: Signal<Out, Bit>,
    pub o3_7: Signal<Out, Bits<63>>,
    pub o4_7: Signal<Out, Bit>,
    pub o5_7: Signal<Out, Bit>,
    pub o0_8: Signal<Out, Bits<5>>,
    pub o1_8: Signal<Out, Bits<5>>,
    pub o2_8: Signal<Out, Bits<63>>,
    pub o3_8: Signal<Out, Bits<30>>,
    pub o4_8: Signal<Out, Bits<48>>,
    pub o5_8: Signal<Out, Bit>,
    pub o0_9: Signal<Out, Bit>,
    pub o1_9: Signal<Out, Bits<34>>,
    pub o2_9: Signal<Out, Bits<63>>,
    pub o3_9: Signal<Out, Bits<50>>,
    pub o4_9: Signal<Out, Bits<51>>,
    pub o5_9: Signal<Out, Bits<2>>,
    pub o0_10: Signal<Out, Bit>,
    pub o1_10: Signal<Out, Bit>,
    pub o2_10: Signal<Out, Bit>,
    pub o3_10: Signal<Out, Bits<1>>,
    pub o4_10: Signal<Out, Bits<63>>,
    pub o5_10: Signal<Out, Bits<1>>,
    pub o0_11: Signal<Out, Bits<20>>,
    pub o1_11: Signal<Out, Bits<5>>,
    pub o2_11: Signal<Out, Bit>,
    pub o3_11: Signal<Out, Bits<48>>,
    pub o4_11: Signal<Out, Bit>,
    pub o5_11: Signal<Out, Bits<32>>,
    pub o0_12: Signal<Out, Bits<31>>,
    pub o1_12: Signal<Out, Bit>,
    pub o2_12: Signal<Out, Bits<32>>,
    pub o3_12: Signal<Out, Bits<48>>,
    pub o4_12: Signal<Out, Bits<64>>,
    pub o5_12: Signal<Out, Bits<63>>,
    pub o0_13: Signal<Out, Bits<13>>,
    pub o1_13: Signal<Out, Bits<48>>,
    pub o2_13: Signal<Out, Bits<48>>,
    pub o3_13: Signal<Out, Bit>,
    pub o4_13: Signal<Out, Bits<8>>,
    pub o5_13: Signal<Out, Bits<54>>,
    pub o0_14: Signal<Out, Bits<50>>,
    pub o1_14: Signal<Out, Bits<1>>,
    pub o2_14: Signal<Out, Bits<8>>,
    pub o3_14: Signal<Out, Bit>,
    pub o4_14: Signal<Out, Bit>,
    pub o5_14: Signal<Out, Bits<1>>,
    pub o0_15: Signal<Out, Bits<3>>,
    pub o1_15: Signal<Out, Bit>,
    pub o2_15: Signal<Out, Bits<31>>,
    pub o3_15: Signal<Out, Bits<32>>,
    pub o4_15: Signal<Out, Bits<3>>,
    pub o5_15: Signal<Out, Bits<32>>,
    pub o0_16: Signal<Out, Bits<2>>,
    pub o1_16: Signal<Out, Bits<31>>,
    pub o2_16: Signal<Out, Bit>,
    pub o3_16: Signal<Out, Bits<31>>,
    pub o4_16: Signal<Out, Bits<19>>,
    pub o5_16: Signal<Out, Bits<16>>,
    pub o0_17: Signal<Out, Bits<13>>,
    pub o1_17: Signal<Out, Bits<31>>,
    pub o2_17: Signal<Out, Bits<3>>,
    pub o3_17: Signal<Out, Bit>,
    pub o4_17: Signal<Out, Bits<55>>,
    pub o5_17: Signal<Out, Bits<16>>,
    pub o0_18: Signal<Out, Bits<31>>,
    pub o1_18: Signal<Out, Bits<57>>,
    pub o2_18: Signal<Out, Bits<31>>,
    pub o3_18: Signal<Out, Bits<13>>,
    pub o4_18: Signal<Out, Bit>,
    pub o5_18: Signal<Out, Bits<9>>,
    pub o0_19: Signal<Out, Bits<51>>,
    pub o1_19: Signal<Out, Bits<63>>,
    pub o2_19: Signal<Out, Bits<53>>,
    pub o3_19: Signal<Out, Bit>,
    pub o4_19: Signal<Out, Bits<13>>,
    pub o5_19: Signal<Out, Bits<32>>,
    pub o0_20: Signal<Out, Bit>,
    pub o1_20: Signal<Out, Bits<48>>,
    pub o2_20: Signal<Out, Bits<33>>,
    pub o3_20: Signal<Out, Bit>,
    pub o4_20: Signal<Out, Bits<61>>,
    pub o5_20: Signal<Out, Bit>,
    pub o0_21: Signal<Out, Bits<33>>,
    pub o1_21: Signal<Out, Bit>,
    pub o2_21: Signal<Out, Bits<39>>,
    pub o3_21: Signal<Out, Bits<16>>,
    pub o4_21: Signal<Out, Bits<32>>,
    pub o5_21: Signal<Out, Bits<2>>,
    pub o0_22: Signal<Out, Bits<59>>,
    pub o1_22: Signal<Out, Bits<33>>,
    pub o2_22: Signal<Out, Bit>,
    pub o3_22: Signal<Out, Bits<3>>,
    pub o4_22: Signal<Out, Bits<3>>,
    pub o5_22: Signal<Out, Bits<13>>,
    pub o0_23: Signal<Out, Bits<8>>,
    pub o1_23: Signal<Out, Bit>,
    pub o2_23: Signal<Out, Bits<17>>,
    pub o3_23: Signal<Out, Bits<48>>,
    pub o4_23: Signal<Out, Bits<39>>,
    pub o5_23: Signal<Out, Bits<31>>,
    block0: Block0,
    block1: Block1,
    block2: Block2,
    block3: Block3,
    block4: Block4,
    block5: Block5,
    block6: Block6,
    block7: Block7,
    block8: Block8,
    block9: Block9,
    block10: Block10,
    block11: Block11,
    block12: Block12,
    block13: Block13,
    block14: Block14,
    block15: Block15,
    block16: Block16,
    block17: Block17,
    block18: Block18,
    block19: Block19,
    block20: Block20,
    block21: Block21,
    block22: Block22,
    block23: Block23,
    _activity: Activity,
}

impl Logic for Top {
    #[hdl_gen]
    fn update(&mut self) {
        self.block0.i1.next = self.i1.val();
        self.block0.i2.next = self.i2.val();
        self.block0.i3.next = self.i3.val();
        self.block0.i5.next = self.i5.val();
        self.block0.i8.next = self.i8.val();
        self.block0.i13.next = self.i13.val();
        self.block0.i16.next = self.i16.val();
        self.block0.i31.next = self.i31.val();
        self.block0.i32.next = self.i32.val();
        self.block0.i33.next = self.i33.val();
        self.block0.i48.next = self.i48.val();
        self.block0.i63.next = self.i63.val();
        self.block0.i64.next = self.i64.val();
        self.block0.p.next = self.p.val();
        self.block0.q.next = self.q.val();
        for i in 0..8 {
            self.block0.wide[i].next = self.i63.val().get_bits::<17>(i * 7);
        }
        self.o0_0.next = self.block0.o0.val();
        self.o1_0.next = self.block0.o1.val();
        self.o2_0.next = self.block0.o2.val();
        self.o3_0.next = self.block0.o3.val();
        self.o4_0.next = self.block0.o4.val();
        self.o5_0.next = self.block0.o5.val();
        self.block1.i1.next = self.i1.val();
        self.block1.i2.next = self.i2.val();
        self.block1.i3.next = self.i3.val();
        self.block1.i5.next = self.i5.val();
        self.block1.i8.next = self.i8.val();
        self.block1.i13.next = self.i13.val();
        self.block1.i16.next = self.i16.val();
        self.block1.i31.next = self.i31.val();
        self.block1.i32.next = self.i32.val();
        self.block1.i33.next = self.i33.val();
        self.block1.i48.next = self.i48.val();
        self.block1.i63.next = self.i63.val();
        self.block1.i64.next = self.i64.val();
        self.block1.p.next = self.p.val();
        self.block1.q.next = self.q.val();
        for i in 0..8 {
            self.block1.wide[i].next = self.i63.val().get_bits::<17>(i * 7);
        }
        self.o0_1.next = self.block1.o0.val();
        self.o1_1.next = self.block1.o1.val();
        self.o2_1.next = self.block1.o2.val();
        self.o3_1.next = self.block1.o3.val();
        self.o4_1.next = self.block1.o4.val();
        self.o5_1.next = self.block1.o5.val();
        self.block2.i1.next = self.i1.val();
        self.block2.i2.next = self.i2.val();
        self.block2.i3.next = self.i3.val();
        self.block2.i5.next = self.i5.val();
        self.block2.i8.next = self.i8.val();
        self.block2.i13.next = self.i13.val();
        self.block2.i16.next = self.i16.val();
        self.block2.i31.next = self.i31.val();
        self.block2.i32.next = self.i32.val();
        self.block2.i33.next = self.i33.val();
        self.block2.i48.next = self.i48.val();
        self.block2.i63.next = self.i63.val();
        self.block2.i64.next = self.i64.val();
        self.block2.p.next = self.p.val();
        self.block2.q.next = self.q.val();
        for i in 0..8 {
            self.block2.wide[i].next = self.i63.val().get_bits::<17>(i * 7);
        }
        self.o0_2.next = self.block2.o0.val();
        self.o1_2.next = self.block2.o1.val();
        self.o2_2.next = self.block2.o2.val();
        self.o3_2.next = self.block2.o3.val();
        self.o4_2.next = self.block2.o4.val();
        self.o5_2.next = self.block2.o5.val();
        self.block3.i1.next = self.i1.val();
        self.block3.i2.next = self.i2.val();
        self.block3.i3.next = self.i3.val();
        self.block3.i5.next = self.i5.val();
        self.block3.i8.next = self.i8.val();
        self.block3.i13.next = self.i13.val();
        self.block3.i16.next = self.i16.val();
        self.block3.i31.next = self.i31.val();
        self.block3.i32.next = self.i32.val();
        self.block3.i33.next = self.i33.val();
        self.block3.i48.next = self.i48.val();
        self.block3.i63.next = self.i63.val();
        self.block3.i64.next = self.i64.val();
        self.block3.p.next = self.p.val();
        self.block3.q.next = self.q.val();
        for i in 0..8 {
            self.block3.wide[i].next = self.i63.val().get_bits::<17>(i * 7);
        }
        self.o0_3.next = self.block3.o0.val();
        self.o1_3.next = self.block3.o1.val();
        self.o2_3.next = self.block3.o2.val();
        self.o3_3.next = self.block3.o3.val();
        self.o4_3.next = self.block3.o4.val();
        self.o5_3.next = self.block3.o5.val();
        self.block4.i1.next = self.i1.val();
        self.block4.i2.next = self.i2.val();
        self.block4.i3.next = self.i3.val();
        self.block4.i5.next = self.i5.val();
        self.block4.i8.next = self.i8.val();
        self.block4.i13.next = self.i13.val();
        self.block4.i16.next = self.i16.val();
        self.block4.i31.next = self.i31.val();
        self.block4.i32.next = self.i32.val();
        self.block4.i33.next = self.i33.val();
        self.block4.i48.next = self.i48.val();
        self.block4.i63.next = self.i63.val();
        self.block4.i64.next = self.i64.val();
        self.block4.p.next = self.p.val();
        self.block4.q.next = self.q.val();
        for i in 0..8 {
            self.block4.wide[i].next = self.i63.val().get_bits::<17>(i * 7);
        }
        self.o0_4.next = self.block4.o0.val();
        self.o1_4.next = self.block4.o1.val();
        self.o2_4.next = self.block4.o2.val();
        self.o3_4.next = self.block4.o3.val();
        self.o4_4.next = self.block4.o4.val();
        self.o5_4.next = self.block4.o5.val();
        self.block5.i1.next = self.i1.val();
        self.block5.i2.next = self.i2.val();
        self.block5.i3.next = self.i3.val();
        self.block5.i5.next = self.i5.val();
        self.block5.i8.next = self.i8.val();
        self.block5.i13.next = self.i13.val();
        self.block5.i16.next = self.i16.val();
        self.block5.i31.next = self.i31.val();
        self.block5.i32.next = self.i32.val();
        self.block5.i33.next = self.i33.val();
        self.block5.i48.next = self.i48.val();
        self.block5.i63.next = self.i63.val();
        self.block5.i64.next = self.i64.val();
        self.block5.p.next = self.p.val();
        self.block5.q.next = self.q.val();
        for i in 0..8 {
            self.block5.wide[i].next = self.i63.val().get_bits::<17>(i * 7);
        }
        self.o0_5.next = self.block5.o0.val();
        self.o1_5.next = self.block5.o1.val();
        self.o2_5.next = self.block5.o2.val();
        self.o3_5.next = self.block5.o3.val();
        self.o4_5.next = self.block5.o4.val();
        self.o5_5.next = self.block5.o5.val();
        self.block6.i1.next = self.i1.val();
        self.block6.i2.next = self.i2.val();
        self.block6.i3.next = self.i3.val();
        self.block6.i5.next = self.i5.val();
        self.block6.i8.next = self.i8.val();
        self.block6.i13.next = self.i13.val();
        self.block6.i16.next = self.i16.val();
        self.block6.i31.next = self.i31.val();
        self.block6.i32.next = self.i32.val();
        self.block6.i33.next = self.i33.val();
        self.block6.i48.next = self.i48.val();
        self.block6.i63.next = self.i63.val();
        self.block6.i64.next = self.i64.val();
        self.block6.p.next = self.p.val();
        self.block6.q.next = self.q.val();
        for i in 0..8 {
            self.block6.wide[i].next = self.i63.val().get_bits::<17>(i * 7);
        }
        self.o0_6.next = self.block6.o0.val();
        self.o1_6.next = self.block6.o1.val();
        self.o2_6.next = self.block6.o2.val();
        self.o3_6.next = self.block6.o3.val();
        self.o4_6.next = self.block6.o4.val();
        self.o5_6.next = self.block6.o5.val();
        self.block7.i1.next = self.i1.val();
        self.block7.i2.next = self.i2.val();
        self.block7.i3.next = self.i3.val();
        self.block7.i5.next = self.i5.val();
        self.block7.i8.next = self.i8.val();
        self.block7.i13.next = self.i13.val();
        self.block7.i16.next = self.i16.val();
        self.block7.i31.next = self.i31.val();
        self.block7.i32.next = self.i32.val();
        self.block7.i33.next = self.i33.val();
        self.block7.i48.next = self.i48.val();
        self.block7.i63.next = self.i63.val();
        self.block7.i64.next = self.i64.val();
        self.block7.p.next = self.p.val();
        self.block7.q.next = self.q.val();
        for i in 0..8 {
            self.block7.wide[i].next = self.i63.val().get_bits::<17>(i * 7);
        }
        self.o0_7.next = self.block7.o0.val();
        self.o1_7.next = self.block7.o1.val();
        self.o2_7.next = self.block7.o2.val();
        self.o3_7.next = self.block7.o3.val();
        self.o4_7.next = self.block7.o4.val();
        self.o5_7.next = self.block7.o5.val();
        self.block8.i1.next = self.i1.val();
        self.block8.i2.next = self.i2.val();
        self.block8.i3.next = self.i3.val();
        self.block8.i5.next = self.i5.val();
        self.block8.i8.next = self.i8.val();
        self.block8.i13.next = self.i13.val();
        self.block8.i16.next = self.i16.val();
        self.block8.i31.next = self.i31.val();
        self.block8.i32.next = self.i32.val();
        self.block8.i33.next = self.i33.val();
        self.block8.i48.next = self.i48.val();
        self.block8.i63.next = self.i63.val();
        self.block8.i64.next = self.i64.val();
        self.block8.p.next = self.p.val();
        self.block8.q.next = self.q.val();
        for i in 0..8 {
            self.block8.wide[i].next = self.i63.val().get_bits::<17>(i * 7);
        }
        self.o0_8.next = self.block8.o0.val();
        self.o1_8.next = self.block8.o1.val();
        self.o2_8.next = self.block8.o2.val();
        self.o3_8.next = self.block8.o3.val();
        self.o4_8.next = self.block8.o4.val();
        self.o5_8.next = self.block8.o5.val();
        self.block9.i1.next = self.i1.val();
        self.block9.i2.next = self.i2.val();
        self.block9.i3.next = self.i3.val();
        self.block9.i5.next = self.i5.val();
        self.block9.i8.next = self.i8.val();
        self.block9.i13.next = self.i13.val();
        self.block9.i16.next = self.i16.val();
        self.block9.i31.next = self.i31.val();
        self.block9.i32.next = self.i32.val();
        self.block9.i33.next = self.i33.val();
        self.block9.i48.next = self.i48.val();
        self.block9.i63.next = self.i63.val();
        self.block9.i64.next = self.i64.val();
        self.block9.p.next = self.p.val();
        self.block9.q.next = self.q.val();
        for i in 0..8 {
            self.block9.wide[i].next = self.i63.val().get_bits::<17>(i * 7);
        }
        self.o0_9.next = self.block9.o0.val();
        self.o1_9.next = self.block9.o1.val();
        self.o2_9.next = self.block9.o2.val();
        self.o3_9.next = self.block9.o3.val();
        self.o4_9.next = self.block9.o4.val();
        self.o5_9.next = self.block9.o5.val();
        self.block10.i1.next = self.i1.val();
        self.block10.i2.next = self.i2.val();
        self.block10.i3.next = self.i3.val();
        self.block10.i5.next = self.i5.val();
        self.block10.i8.next = self.i8.val();
        self.block10.i13.next = self.i13.val();
        self.block10.i16.next = self.i16.val();
        self.block10.i31.next = self.i31.val();
        self.block10.i32.next = self.i32.val();
        self.block10.i33.next = self.i33.val();
        self.block10.i48.next = self.i48.val();
        self.block10.i63.next = self.i63.val();
        self.block10.i64.next = self.i64.val();
        self.block10.p.next = self.p.val();
        self.block10.q.next = self.q.val();
        for i in 0..8 {
            self.block10.wide[i].next = self.i63.val().get_bits::<17>(i * 7);
        }
        self.o0_10.next = self.block10.o0.val();
        self.o1_10.next = self.block10.o1.val();
        self.o2_10.next = self.block10.o2.val();
        self.o3_10.next = self.block10.o3.val();
        self.o4_10.next = self.block10.o4.val();
        self.o5_10.next = self.block10.o5.val();
        self.block11.i1.next = self.i1.val();
        self.block11.i2.next = self.i2.val();
        self.block11.i3.next = self.i3.val();
        self.block11.i5.next = self.i5.val();
        self.block11.i8.next = self.i8.val();
        self.block11.i13.next = self.i13.val();
        self.block11.i16.next = self.i16.val();
        self.block11.i31.next = self.i31.val();
        self.block11.i32.next = self.i32.val();
        self.block11.i33.next = self.i33.val();
        self.block11.i48.next = self.i48.val();
        self.block11.i63.next = self.i63.val();
        self.block11.i64.next = self.i64.val();
        self.block11.p.next = self.p.val();
        self.block11.q.next = self.q.val();
        for i in 0..8 {
            self.block11.wide[i].next = self.i63.val().get_bits::<17>(i * 7);
        }
        self.o0_11.next = self.block11.o0.val();
        self.o1_11.next = self.block11.o1.val();
        self.o2_11.next = self.block11.o2.val();
        self.o3_11.next = self.block11.o3.val();
        self.o4_11.next = self.block11.o4.val();
        self.o5_11.next = self.block11.o5.val();
        self.block12.i1.next = self.i1.val();
        self.block12.i2.next = self.i2.val();
        self.block12.i3.next = self.i3.val();
        self.block12.i5.next = self.i5.val();
        self.block12.i8.next = self.i8.val();
        self.block12.i13.next = self.i13.val();
        self.block12.i16.next = self.i16.val();
        self.block12.i31.next = self.i31.val();
        self.block12.i32.next = self.i32.val();
        self.block12.i33.next = self.i33.val();
        self.block12.i48.next = self.i48.val();
        self.block12.i63.next = self.i63.val();
        self.block12.i64.next = self.i64.val();
        self.block12.p.next = self.p.val();
        self.block12.q.next = self.q.val();
        for i in 0..8 {
            self.block12.wide[i].next = self.i63.val().get_bits::<17>(i * 7);
        }
        self.o0_12.next = self.block12.o0.val();
        self.o1_12.next = self.block12.o1.val();
        self.o2_12.next = self.block12.o2.val();
        self.o3_12.next = self.block12.o3.val();
        self.o4_12.next = self.block12.o4.val();
        self.o5_12.next = self.block12.o5.val();
        self.block13.i1.next = self.i1.val();
        self.block13.i2.next = self.i2.val();
        self.block13.i3.next = self.i3.val();
        self.block13.i5.next = self.i5.val();
        self.block13.i8.next = self.i8.val();
        self.block13.i13.next = self.i13.val();
        self.block13.i16.next = self.i16.val();
        self.block13.i31.next = self.i31.val();
        self.block13.i32.next = self.i32.val();
        self.block13.i33.next = self.i33.val();
        self.block13.i48.next = self.i48.val();
        self.block13.i63.next = self.i63.val();
        self.block13.i64.next = self.i64.val();
        self.block13.p.next = self.p.val();
        self.block13.q.next = self.q.val();
        for i in 0..8 {
            self.block13.wide[i].next = self.i63.val().get_bits::<17>(i * 7);
        }
        self.o0_13.next = self.block13.o0.val();
        self.o1_13.next = self.block13.o1.val();
        self.o2_13.next = self.block13.o2.val();
        self.o3_13.next = self.block13.o3.val();
        self.o4_13.next = self.block13.o4.val();
        self.o5_13.next = self.block13.o5.val();
        self.block14.i1.next = self.i1.val();
        self.block14.i2.next = self.i2.val();
        self.block14.i3.next = self.i3.val();
        self.block14.i5.next = self.i5.val();
        self.block14.i8.next = self.i8.val();
        self.block14.i13.next = self.i13.val();
        self.block14.i16.next = self.i16.val();
        self.block14.i31.next = self.i31.val();
        self.block14.i32.next = self.i32.val();
        self.block14.i33.next = self.i33.val();
        self.block14.i48.next = self.i48.val();
        self.block14.i63.next = self.i63.val();
        self.block14.i64.next = self.i64.val();
        self.block14.p.next = self.p.val();
        self.block14.q.next = self.q.val();
        for i in 0..8 {
            self.block14.wide[i].next = self.i63.val().get_bits::<17>(i * 7);
        }
        self.o0_14.next = self.block14.o0.val();
        self.o1_14.next = self.block14.o1.val();
        self.o2_14.next = self.block14.o2.val();
        self.o3_14.next = self.block14.o3.val();
        self.o4_14.next = self.block14.o4.val();
        self.o5_14.next = self.block14.o5.val();
        self.block15.i1.next = self.i1.val();
        self.block15.i2.next = self.i2.val();
        self.block15.i3.next = self.i3.val();
        self.block15.i5.next = self.i5.val();
        self.block15.i8.next = self.i8.val();
        self.block15.i13.next = self.i13.val();
        self.block15.i16.next = self.i16.val();
        self.block15.i31.next = self.i31.val();
        self.block15.i32.next = self.i32.val();
        self.block15.i33.next = self.i33.val();
        self.block15.i48.next = self.i48.val();
        self.block15.i63.next = self.i63.val();
        self.block15.i64.next = self.i64.val();
        self.block15.p.next = self.p.val();
        self.block15.q.next = self.q.val();
        for i in 0..8 {
            self.block15.wide[i].next = self.i63.val().get_bits::<17>(i * 7);
        }
        self.o0_15.next = self.block15.o0.val();
        self.o1_15.next = self.block15.o1.val();
        self.o2_15.next = self.block15.o2.val();
        self.o3_15.next = self.block15.o3.val();
        self.o4_15.next = self.block15.o4.val();
        self.o5_15.next = self.block15.o5.val();
        self.block16.i1.next = self.i1.val();
        self.block16.i2.next = self.i2.val();
        self.block16.i3.next = self.i3.val();
        self.block16.i5.next = self.i5.val();
        self.block16.i8.next = self.i8.val();
        self.block16.i13.next = self.i13.val();
        self.block16.i16.next = self.i16.val();
        self.block16.i31.next = self.i31.val();
        self.block16.i32.next = self.i32.val();
        self.block16.i33.next = self.i33.val();
        self.block16.i48.next = self.i48.val();
        self.block16.i63.next = self.i63.val();
        self.block16.i64.next = self.i64.val();
        self.block16.p.next = self.p.val();
        self.block16.q.next = self.q.val();
        for i in 0..8 {
            self.block16.wide[i].next = self.i63.val().get_bits::<17>(i * 7);
        }
        self.o0_16.next = self.block16.o0.val();
        self.o1_16.next = self.block16.o1.val();
        self.o2_16.next = self.block16.o2.val();
        self.o3_16.next = self.block16.o3.val();
        self.o4_16.next = self.block16.o4.val();
        self.o5_16.next = self.block16.o5.val();
        self.block17.i1.next = self.i1.val();
        self.block17.i2.next = self.i2.val();
        self.block17.i3.next = self.i3.val();
        self.block17.i5.next = self.i5.val();
        self.block17.i8.next = self.i8.val();
        self.block17.i13.next = self.i13.val();
        self.block17.i16.next = self.i16.val();
        self.block17.i31.next = self.i31.val();
        self.block17.i32.next = self.i32.val();
        self.block17.i33.next = self.i33.val();
        self.block17.i48.next = self.i48.val();
        self.block17.i63.next = self.i63.val();
        self.block17.i64.next = self.i64.val();
        self.block17.p.next = self.p.val();
        self.block17.q.next = self.q.val();
        for i in 0..8 {
            self.block17.wide[i].next = self.i63.val().get_bits::<17>(i * 7);
        }
        self.o0_17.next = self.block17.o0.val();
        self.o1_17.next = self.block17.o1.val();
        self.o2_17.next = self.block17.o2.val();
        self.o3_17.next = self.block17.o3.val();
        self.o4_17.next = self.block17.o4.val();
        self.o5_17.next = self.block17.o5.val();
        self.block18.i1.next = self.i1.val();
        self.block18.i2.next = self.i2.val();
        self.block18.i3.next = self.i3.val();
        self.block18.i5.next = self.i5.val();
        self.block18.i8.next = self.i8.val();
        self.block18.i13.next = self.i13.val();
        self.block18.i16.next = self.i16.val();
        self.block18.i31.next = self.i31.val();
        self.block18.i32.next = self.i32.val();
        self.block18.i33.next = self.i33.val();
        self.block18.i48.next = self.i48.val();
        self.block18.i63.next = self.i63.val();
        self.block18.i64.next = self.i64.val();
        self.block18.p.next = self.p.val();
        self.block18.q.next = self.q.val();
        for i in 0..8 {
            self.block18.wide[i].next = self.i63.val().get_bits::<17>(i * 7);
        }
        self.o0_18.next = self.block18.o0.val();
        self.o1_18.next = self.block18.o1.val();
        self.o2_18.next = self.block18.o2.val();
        self.o3_18.next = self.block18.o3.val();
        self.o4_18.next = self.block18.o4.val();
        self.o5_18.next = self.block18.o5.val();
        self.block19.i1.next = self.i1.val();
        self.block19.i2.next = self.i2.val();
        self.block19.i3.next = self.i3.val();
        self.block19.i5.next = self.i5.val();
        self.block19.i8.next = self.i8.val();
        self.block19.i13.next = self.i13.val();
        self.block19.i16.next = self.i16.val();
        self.block19.i31.next = self.i31.val();
        self.block19.i32.next = self.i32.val();
        self.block19.i33.next = self.i33.val();
        self.block19.i48.next = self.i48.val();
        self.block19.i63.next = self.i63.val();
        self.block19.i64.next = self.i64.val();
        self.block19.p.next = self.p.val();
        self.block19.q.next = self.q.val();
        for i in 0..8 {
            self.block19.wide[i].next = self.i63.val().get_bits::<17>(i * 7);
        }
        self.o0_19.next = self.block19.o0.val();
        self.o1_19.next = self.block19.o1.val();
        self.o2_19.next = self.block19.o2.val();
        self.o3_19.next = self.block19.o3.val();
        self.o4_19.next = self.block19.o4.val();
        self.o5_19.next = self.block19.o5.val();
        self.block20.i1.next = self.i1.val();
        self.block20.i2.next = self.i2.val();
        self.block20.i3.next = self.i3.val();
        self.block20.i5.next = self.i5.val();
        self.block20.i8.next = self.i8.val();
        self.block20.i13.next = self.i13.val();
        self.block20.i16.next = self.i16.val();
        self.block20.i31.next = self.i31.val();
        self.block20.i32.next = self.i32.val();
        self.block20.i33.next = self.i33.val();
        self.block20.i48.next = self.i48.val();
        self.block20.i63.next = self.i63.val();
        self.block20.i64.next = self.i64.val();
        self.block20.p.next = self.p.val();
        self.block20.q.next = self.q.val();
        for i in 0..8 {
            self.block20.wide[i].next = self.i63.val().get_bits::<17>(i * 7);
        }
        self.o0_20.next = self.block20.o0.val();
        self.o1_20.next = self.block20.o1.val();
        self.o2_20.next = self.block20.o2.val();
        self.o3_20.next = self.block20.o3.val();
        self.o4_20.next = self.block20.o4.val();
        self.o5_20.next = self.block20.o5.val();
        self.block21.i1.next = self.i1.val();
        self.block21.i2.next = self.i2.val();
        self.block21.i3.next = self.i3.val();
        self.block21.i5.next = self.i5.val();
        self.block21.i8.next = self.i8.val();
        self.block21.i13.next = self.i13.val();
        self.block21.i16.next = self.i16.val();
        self.block21.i31.next = self.i31.val();
        self.block21.i32.next = self.i32.val();
        self.block21.i33.next = self.i33.val();
        self.block21.i48.next = self.i48.val();
        self.block21.i63.next = self.i63.val();
        self.block21.i64.next = self.i64.val();
        self.block21.p.next = self.p.val();
        self.block21.q.next = self.q.val();
        for i in 0..8 {
            self.block21.wide[i].next = self.i63.val().get_bits::<17>(i * 7);
        }
        self.o0_21.next = self.block21.o0.val();
        self.o1_21.next = self.block21.o1.val();
        self.o2_21.next = self.block21.o2.val();
        self.o3_21.next = self.block21.o3.val();
        self.o4_21.next = self.block21.o4.val();
        self.o5_21.next = self.block21.o5.val();
        self.block22.i1.next = self.i1.val();
        self.block22.i2.next = self.i2.val();
        self.block22.i3.next = self.i3.val();
        self.block22.i5.next = self.i5.val();
        self.block22.i8.next = self.i8.val();
        self.block22.i13.next = self.i13.val();
        self.block22.i16.next = self.i16.val();
        self.block22.i31.next = self.i31.val();
        self.block22.i32.next = self.i32.val();
        self.block22.i33.next = self.i33.val();
        self.block22.i48.next = self.i48.val();
        self.block22.i63.next = self.i63.val();
        self.block22.i64.next = self.i64.val();
        self.block22.p.next = self.p.val();
        self.block22.q.next = self.q.val();
        for i in 0..8 {
            self.block22.wide[i].next = self.i63.val().get_bits::<17>(i * 7);
        }
        self.o0_22.next = self.block22.o0.val();
        self.o1_22.next = self.block22.o1.val();
        self.o2_22.next = self.block22.o2.val();
        self.o3_22.next = self.block22.o3.val();
        self.o4_22.next = self.block22.o4.val();
        self.o5_22.next = self.block22.o5.val();
        self.block23.i1.next = self.i1.val();
        self.block23.i2.next = self.i2.val();
        self.block23.i3.next = self.i3.val();
        self.block23.i5.next = self.i5.val();
        self.block23.i8.next = self.i8.val();
        self.block23.i13.next = self.i13.val();
        self.block23.i16.next = self.i16.val();
        self.block23.i31.next = self.i31.val();
        self.block23.i32.next = self.i32.val();
        self.block23.i33.next = self.i33.val();
        self.block23.i48.next = self.i48.val();
        self.block23.i63.next = self.i63.val();
        self.block23.i64.next = self.i64.val();
        self.block23.p.next = self.p.val();
        self.block23.q.next = self.q.val();
        for i in 0..8 {
            self.block23.wide[i].next = self.i63.val().get_bits::<17>(i * 7);
        }
        self.o0_23.next = self.block23.o0.val();
        self.o1_23.next = self.block23.o1.val();
        self.o2_23.next = self.block23.o2.val();
        self.o3_23.next = self.block23.o3.val();
        self.o4_23.next = self.block23.o4.val();
        self.o5_23.next = self.block23.o5.val();
    }
}
