// Written by `FLEXGRIP_UPDATE_BASELINES=1 cargo test -p hdlkit-compiled --test random`: do not edit.

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
    pub o0: Signal<Out, Bits<1>>,
    pub o1: Signal<Out, Bits<30>>,
    pub o2: Signal<Out, Bits<23>>,
    pub o3: Signal<Out, Bit>,
    pub o4: Signal<Out, Bits<5>>,
    pub o5: Signal<Out, Bit>,
    _activity: Activity,
}

impl Logic for Block0 {
    #[hdl_gen]
    fn update(&mut self) {
        let v0 = ((self.i16.val().get_bits::<16>(10) | 0xffff_u64) & ((self.i16.val() << 13_u64) >> self.i5.val()));
        let mut m1 = ((self.i1.val() & 0x1_u64) & (self.i1.val() << 1_u64));
        let v2 = (!self.i13.val());
        if (bit_cast::<38, 8>(self.i8.val()) - bit_cast::<38, 31>(self.i31.val())).get_bit(33) {
            let v3 = (((self.i3.val() << self.i2.val()) >> 1_u64) == ((self.i3.val() ^ 0x7_u64) + self.i5.val().get_bits::<3>(0)));
            m1 = ((self.i5.val().get_bits::<1>(3) ^ 0x1_u64) >> (self.i3.val() >> self.i2.val()).get_bits::<2>(2));
            let v4 = (((self.i64.val() | self.i64.val()) >> 24_u64) | (self.i2.val() - self.i2.val()).get_bits::<64>(0));
            m1 = ((self.i1.val() ^ self.i1.val()) & (self.i1.val() & m1));
        } else {
            let v5 = (bit_cast::<50, 48>(self.i48.val()) + ((bit_cast::<50, 13>(v2) >> m1) + (bits::<50>(0x2) & bits::<50>(0x18f89c6401fe1))));
            m1 = ((m1 | self.i1.val()) | (m1 ^ m1)).replace_bit(0, ((self.i3.val() + self.i3.val()) <= (self.i3.val() + self.i3.val())));
        }
        let v6 = (((bit_cast::<47, 63>(self.i63.val()) >> 22_u64) | bit_cast::<47, 33>(self.i33.val())) ^ ((bit_cast::<47, 13>(self.i13.val()) & bits::<47>(0x394dfe89924)) + (bit_cast::<47, 5>(self.i5.val()) << self.i3.val())));
        let mut m7 = bit_cast::<37, 1>((m1 - m1));
        if (self.i3.val().get_bits::<48>(0) > (self.i48.val() >> bit_cast::<6, 16>(v0))) {
            let v8 = bit_cast::<32, 48>((self.i48.val() + self.i48.val()).replace_bit(8, self.p.val()));
            m7 = (((m7 - m7) - m7) | m7);
            let v9 = (((self.i16.val() + self.i16.val()) ^ (v0 << 8_u64)) == ((self.i16.val() - self.i16.val()) + (self.i16.val() + 0x7_u64)));
            m7 = bit_cast::<37, 39>((bit_cast::<39, 13>(v2) << bit_cast::<6, 48>(self.i48.val())));
        } else {
            let v10 = (((!self.i1.val()) - (m1 >> 0_u64)) | ((self.i1.val() << self.i2.val()) + m1.replace_bit(0, self.q.val())));
            m7 = (m7 | bit_cast::<25, 1>(v10).get_bits::<37>(4).replace_bit(14, (self.p.val() == self.q.val())));
        }
        let v5 = bits::<30>(0x1).replace_bit(23, ((self.i63.val() >> bits::<6>(0x5)) < self.i63.val()));
        let mut m11 = ((bit_cast::<34, 32>(self.i32.val()) + bits::<34>(0x274a681f5)) + (bits::<34>(0x3ffffffff) + bits::<34>(0x3ffffffff)));
        if (self.i64.val() + self.i64.val()).all() {
            let v12 = ((self.i32.val() & v2.get_bits::<32>(self.i2.val().index() * 3)) + (!bit_cast::<32, 32>(self.i32.val())));
            m11 = (((m11 + m11) & (m11 & m11)) + (!m11.replace_bit(self.i5.val().index(), self.p.val())));
            let v13 = (self.i2.val().get_bits::<58>(2) | ((bit_cast::<58, 13>(v2) + bits::<58>(0x3ffffffffffffff)) | bit_cast::<58, 16>(self.i16.val())));
            m11 = ((m11 << 33_u64) >> bit_cast::<56, 37>(m7).get_bits::<1>(2));
        } else {
            let v14 = (self.i32.val() << 5_u64).get_bits::<5>(25).xor();
            m11 = (!(v2 + self.i13.val()).get_bits::<34>(bit_cast::<4, 31>(self.i31.val()).replace_bit(3, self.p.val()).index() + 1));
        }
        self.o0.next = ((bit_cast::<1, 61>(bit_cast::<61, 37>(m7)) | ((!m1) + self.i33.val().get_bits::<1>(self.i2.val().index() + 1))) + m1);
        self.o1.next = (!(v5 ^ v5).replace_bit(23, (bit_cast::<28, 32>(self.i32.val()) > bit_cast::<28, 47>(v6))).replace_bit(((bit_cast::<4, 32>(self.i32.val()) << 1_u64) >> 3_u64).index(), (self.p.val() ^ (self.q.val() || self.p.val()))));
        self.o2.next = bits::<23>(0x7fffff);
        self.o3.next = self.q.val();
        self.o4.next = (bit_cast::<53, 31>(self.i31.val()).get_bits::<36>(52).get_bits::<5>((m7 - 0x1fffffffff_u64).get_bits::<2>(9).index() + 1) + ((bit_cast::<5, 18>(bit_cast::<18, 64>(self.i64.val())) + (!self.i5.val())) | 0x0_u64));
        self.o5.next = ((((self.i32.val() + 0xffffffff_u64) + (self.i32.val() - self.i32.val())) + ((self.i32.val() + self.i32.val()) ^ (self.i32.val() & self.i32.val()))) < (((self.i32.val() - self.i32.val()) - (self.i32.val() ^ self.i32.val())) ^ self.i32.val()));
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
    pub o0: Signal<Out, Bits<60>>,
    pub o1: Signal<Out, Bit>,
    pub o2: Signal<Out, Bits<16>>,
    pub o3: Signal<Out, Bits<48>>,
    pub o4: Signal<Out, Bits<48>>,
    pub o5: Signal<Out, Bits<33>>,
    _activity: Activity,
}

impl Logic for Block1 {
    #[hdl_gen]
    fn update(&mut self) {
        let v0 = bit_cast::<46, 63>(self.i63.val()).get_bits::<3>(22);
        let mut m1 = ((bit_cast::<59, 3>(self.i3.val()) + bit_cast::<59, 13>(self.i13.val())) != 0x19f13ce0c86001b_u64);
        if (self.p.val() || self.p.val()) {
            let v2 = bit_cast::<31, 13>((self.i63.val().get_bits::<13>(bit_cast::<6, 8>(self.i8.val()).index() + 1) & (self.i13.val() << 12_u64)));
            m1 = (!(!(self.q.val() & self.p.val())));
            let v3 = (bit_cast::<17, 3>(v0) + (bits::<17>(0x1ffff) << bit_cast::<7, 2>(self.i2.val()))).get_bits::<31>(16);
            m1 = (!(self.p.val() || self.q.val()));
        } else {
            let v4 = bit_cast::<31, 7>(((bit_cast::<7, 63>(self.i63.val()) + bit_cast::<7, 63>(self.i63.val())) + 0x7f_u64));
            m1 = (((self.i64.val() + 0xffffffffffffffff_u64) >> bits::<7>(0x0).replace_bit(2, self.q.val())) >= 0xe4fe4b2dd738c5f0_u64);
        }
        let v5 = (!self.i2.val());
        let mut m6 = (self.i48.val() << 27_u64).get_bits::<31>(bit_cast::<5, 1>(self.i1.val()).index() * 3);
        let v7 = (((v5 - self.i2.val()) ^ 0x1_u64) | ((self.i2.val() ^ v5) + (v5 << 0_u64)));
        if (bit_cast::<2, 13>(self.i13.val()) >= v5.replace_bit(self.i1.val().index(), self.p.val())) {
            let v5 = (((self.i32.val() ^ 0xf427b4c3_u64) << 14_u64) >= (self.i63.val().get_bits::<32>(v5.index()) + self.i32.val().replace_bit(self.i5.val().index(), self.q.val())));
            m6 = m6;
            let v8 = ((self.i32.val() - self.i32.val()) + self.i32.val().get_bits::<32>(self.i2.val().index() + 1)).get_bits::<64>((self.i3.val() << v0).replace_bit(1, self.i1.val().xor()).index() * 3);
            m6 = ((self.i31.val() - self.i31.val()) ^ self.i31.val().replace_bit(bits::<4>(0x0).index(), v5));
        } else {
            let v9 = ((bit_cast::<22, 33>(self.i33.val()).replace_bit(6, self.p.val()) - 0x3fffff_u64) + ((bit_cast::<22, 33>(self.i33.val()) << bit_cast::<7, 2>(v7)) | self.i31.val().get_bits::<22>(17)));
            m6 = ((self.i13.val() >> 11_u64).get_bits::<31>(v0.get_bits::<5>(0).index() + 1) | self.i31.val());
        }
        let v10 = (bit_cast::<63, 48>(self.i48.val()) >> (bit_cast::<1, 3>(self.i3.val()) | bit_cast::<1, 33>(self.i33.val())));
        let mut m11 = (self.i63.val().get_bits::<1>(self.i1.val().index() + 1) & (self.i1.val() + self.i1.val()));
        if (self.q.val() || bit_cast::<22, 13>(self.i13.val()).get_bit(bit_cast::<4, 3>(self.i3.val()).index())) {
            let v12 = ((!self.i3.val()).get_bits::<8>(3) ^ bit_cast::<8, 33>((self.i33.val() ^ self.i33.val())));
            m11 = ((self.i1.val().replace_bit(0, self.q.val()) + (m11 & self.i1.val())) - bit_cast::<32, 1>(self.i1.val()).get_bits::<1>(17));
            let v0 = (self.i64.val() & bit_cast::<64, 33>(self.i33.val()));
            m11 = ((!m11) << 1_u64);
        } else {
            let v13 = ((bit_cast::<5, 57>(bit_cast::<57, 3>(self.i3.val())) + self.i13.val().get_bits::<5>(12)) + self.i5.val());
            m11 = ((m11 << 0_u64) & (m11 ^ m11)).replace_bit(0, bit_cast::<3, 48>(self.i48.val()).any());
        }
        self.o0.next = ((((bit_cast::<60, 1>(self.i1.val()) ^ bit_cast::<60, 8>(self.i8.val())) << 29_u64) & ((!bits::<60>(0x16f7edea9f5e39c)) ^ (bit_cast::<60, 2>(self.i2.val()) ^ 0x6_u64))) - (((bit_cast::<60, 63>(v10) << 46_u64) & bit_cast::<14, 64>(self.i64.val()).get_bits::<60>(m11.index())) & ((bit_cast::<60, 3>(v0) - bit_cast::<60, 8>(self.i8.val())) + 0xfffffffffffffff_u64)));
        self.o1.next = ((((bit_cast::<12, 2>(self.i2.val()) | bit_cast::<12, 2>(v7)) << 10_u64) & bit_cast::<12, 1>(m11)) <= bit_cast::<12, 13>(((self.i13.val() + self.i13.val()) + (self.i13.val() + self.i13.val()))));
        self.o2.next = bit_cast::<24, 13>(self.i13.val()).get_bits::<16>(bit_cast::<6, 16>((self.i32.val() << 12_u64).get_bits::<16>(bit_cast::<4, 31>(m6).index() + 1)).index() * 3);
        self.o3.next = ((self.i48.val() - (m11 >> 0_u64).get_bits::<48>(0)) << (((self.i3.val() ^ self.i3.val()) & (v0 - self.i3.val())) + (v0 & (!v0))));
        self.o4.next = ((((!self.i48.val()) - (self.i48.val() + self.i48.val())) - 0x0_u64) | bit_cast::<48, 48>(((self.i48.val() & self.i48.val()) ^ (self.i48.val() & self.i48.val()))));
        self.o5.next = (((self.i33.val() + self.i33.val()).replace_bit((self.i5.val() | self.i5.val()).index(), self.i5.val().get_bit(v5.index())) + bit_cast::<37, 13>(self.i13.val()).get_bits::<33>(21).replace_bit((self.i5.val() | self.i5.val()).index(), (self.p.val() == self.p.val()))) >> 23_u64);
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
    pub o0: Signal<Out, Bit>,
    pub o1: Signal<Out, Bits<3>>,
    pub o2: Signal<Out, Bits<16>>,
    pub o3: Signal<Out, Bits<48>>,
    pub o4: Signal<Out, Bits<31>>,
    pub o5: Signal<Out, Bits<1>>,
    _activity: Activity,
}

impl Logic for Block2 {
    #[hdl_gen]
    fn update(&mut self) {
        let v0 = (((self.i1.val() - self.i1.val()) ^ (self.i1.val() + self.i1.val())) & self.i1.val().get_bits::<1>(bit_cast::<4, 32>(self.i32.val()).index()).replace_bit(0, (!self.p.val())));
        let mut m1 = (self.i13.val() == (self.i13.val() & self.i13.val()));
        if ((bits::<6>(0x5) | bit_cast::<6, 1>(v0)) != bit_cast::<6, 22>(bit_cast::<22, 63>(self.i63.val()))) {
            let v2 = ((self.i16.val() ^ 0x6_u64) + (!(self.i16.val() ^ self.i16.val())));
            m1 = bits::<10>(0x2b8).any();
            let v3 = ((self.i31.val().get_bits::<1>(23) & (v0 + v0)) | 0x1_u64);
            m1 = self.q.val();
        } else {
            let v4 = ((self.i13.val().replace_bit(self.i3.val().index(), self.p.val()) | 0xcd_u64) & (bits::<25>(0x1ffffff).get_bits::<13>(5) | bit_cast::<13, 2>(self.i2.val())));
            m1 = (((self.i64.val() | self.i64.val()) ^ bit_cast::<64, 5>(self.i5.val())) >= self.i64.val());
        }
        let v5 = bit_cast::<32, 31>(((self.i31.val() >> 26_u64) - bit_cast::<31, 3>(self.i3.val())));
        let mut m6 = (self.i63.val().replace_bit(41, m1) != (self.i63.val() - self.i63.val()));
        if (v5 != 0xffffffff_u64) {
            let v7 = bit_cast::<30, 24>(bit_cast::<24, 64>((self.i64.val() - self.i64.val())));
            m6 = m1;
            let v2 = ((!self.i3.val()) + (!self.i3.val())).get_bits::<40>(3);
            m6 = ((self.i8.val() >= 0xff_u64) == (self.i8.val() == 0xff_u64));
        } else {
            let v8 = (!(self.i48.val() & self.i48.val()).get_bits::<8>(16));
            m6 = (bit_cast::<20, 8>(v8) | 0xa7242_u64).xor();
        }
        let v9 = ((bit_cast::<3, 8>(self.i8.val()) & bit_cast::<3, 48>(self.i48.val())) - bit_cast::<3, 2>(self.i2.val().replace_bit(0, self.p.val())));
        let mut m10 = (self.i16.val().get_bits::<33>(13) | bit_cast::<33, 64>(self.i64.val()));
        if (bit_cast::<34, 16>(self.i16.val()) > (bits::<34>(0x3) | bit_cast::<34, 48>(self.i48.val()))) {
            let v11 = self.i33.val();
            m10 = (m10 + 0x1ffffffff_u64);
            let v12 = (!self.i1.val());
            m10 = (bit_cast::<22, 3>(v9) << self.i2.val()).get_bits::<33>(2);
        } else {
            let v13 = self.i3.val();
            m10 = (((self.i33.val() - self.i33.val()) - (m10 << self.i5.val())) & self.i33.val());
        }
        self.o0.next = (((bit_cast::<49, 27>(bit_cast::<27, 33>(m10)) - (bit_cast::<49, 8>(self.i8.val()) + bit_cast::<49, 32>(self.i32.val()))) ^ bits::<49>(0x1ffffffffffff)) < (((!bit_cast::<49, 32>(v5)) & 0x1fb70b0f12617_u64) - (bits::<49>(0x1ffffffffffff).replace_bit(self.i5.val().index(), m1) + bit_cast::<49, 31>(self.i31.val()))));
        self.o1.next = (((bit_cast::<29, 1>(v0) & bit_cast::<29, 63>(self.i63.val())) | self.i5.val().get_bits::<29>(self.i1.val().index() + 1)).get_bits::<3>(self.i3.val().index() * 3) + (v9 | (bit_cast::<7, 48>(self.i48.val()) + bit_cast::<7, 31>(self.i31.val())).get_bits::<3>(7)));
        self.o2.next = (((self.i31.val() - 0x7fffffff_u64) + (self.i31.val() + 0x3_u64)) | (bit_cast::<31, 64>(self.i64.val()) | (self.i31.val() ^ self.i31.val()))).get_bits::<16>(bit_cast::<33, 64>(bit_cast::<26, 33>(m10).get_bits::<64>(10)).get_bits::<2>(12).index() + 1);
        self.o3.next = ((((self.i48.val() & 0x6_u64) | self.i48.val().replace_bit(6, m1)) ^ ((self.i48.val() & self.i48.val()) << bit_cast::<4, 3>(v9))) & (((self.i48.val() + self.i48.val()) >> 1_u64) | ((self.i48.val() >> 37_u64) >> 25_u64)));
        self.o4.next = ((bit_cast::<31, 8>(bit_cast::<8, 29>(bit_cast::<29, 5>(self.i5.val()))) + 0x4_u64) + (((self.i31.val() + self.i31.val()) | 0x7fffffff_u64) - (self.i31.val().replace_bit(bit_cast::<4, 63>(self.i63.val()).index(), self.q.val()) - 0x171c099c_u64)));
        self.o5.next = (((bit_cast::<1, 33>(self.i33.val()) >> 0_u64) & bit_cast::<1, 31>(self.i31.val()).replace_bit(0, (bit_cast::<61, 3>(self.i3.val()) != 0x1fffffffffffffff_u64))) >> (v0 + v0).get_bits::<7>((self.i5.val() + self.i5.val()).index()).replace_bit(3, ((bit_cast::<27, 3>(v9) & bit_cast::<27, 64>(self.i64.val())) >= (bit_cast::<27, 8>(self.i8.val()) - bit_cast::<27, 64>(self.i64.val())))));
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
    pub o0: Signal<Out, Bits<31>>,
    pub o1: Signal<Out, Bits<16>>,
    pub o2: Signal<Out, Bits<63>>,
    pub o3: Signal<Out, Bits<28>>,
    pub o4: Signal<Out, Bit>,
    pub o5: Signal<Out, Bits<64>>,
    _activity: Activity,
}

impl Logic for Block3 {
    #[hdl_gen]
    fn update(&mut self) {
        let v0 = self.i8.val();
        let mut m1 = (self.i48.val() | self.i48.val()).get_bits::<5>(29);
        let v2 = ((self.i3.val() << 1_u64) << 0_u64).get_bits::<1>(bit_cast::<6, 44>((bit_cast::<44, 8>(v0) ^ bit_cast::<44, 33>(self.i33.val()))).index() + 1);
        if (self.i13.val().get_bits::<58>(0) != (bit_cast::<58, 3>(self.i3.val()) + bits::<58>(0x6a99abcdfa11a5))) {
            let v3 = bit_cast::<31, 31>(self.i13.val().get_bits::<31>(self.i5.val().index())).replace_bit(((bit_cast::<4, 5>(self.i5.val()) + bit_cast::<4, 13>(self.i13.val())) + (bit_cast::<4, 5>(m1) + 0xe_u64)).index(), (!(self.p.val() && self.p.val())));
            m1 = (self.i5.val() | bit_cast::<5, 64>(bit_cast::<64, 5>(m1)));
            let v4 = self.i3.val();
            m1 = (m1 - m1).replace_bit(bit_cast::<2, 41>(bit_cast::<41, 64>(self.i64.val())).index(), (!self.p.val()));
        } else {
            let v2 = self.i31.val().get_bits::<33>(5).replace_bit((self.i5.val() | self.i5.val()).index(), (self.q.val() & self.q.val())).get_bit((!(m1 >> 0_u64)).index());
            m1 = self.i5.val();
        }
        let v5 = (((bit_cast::<15, 63>(self.i63.val()) + bit_cast::<15, 5>(m1)) | (bit_cast::<15, 8>(self.i8.val()) + bit_cast::<15, 32>(self.i32.val()))) ^ bit_cast::<15, 41>((bits::<41>(0x7) >> 38_u64)));
        let mut m6 = (v5 >> (bit_cast::<4, 31>(self.i31.val()) + bits::<4>(0x4)));
        let v7 = (bit_cast::<2, 16>((self.i16.val() << 2_u64)) ^ self.i2.val().replace_bit(1, self.p.val()).replace_bit((v2 | v2).index(), (bits::<45>(0x1fffffffffff) > bit_cast::<45, 15>(v5))));
        if bit_cast::<4, 15>(v5).get_bits::<33>(v2.index() * 3).get_bit(6) {
            let v8 = (((self.i63.val() + self.i63.val()) >> (!self.i5.val())) ^ (self.i63.val().get_bits::<63>(61) ^ (self.i63.val() & 0x7fffffffffffffff_u64)));
            m6 = ((bit_cast::<20, 15>(m6) << self.i3.val()).get_bits::<15>((m1 << 3_u64).index() * 4 + 2) & m6);
            let v9 = (bit_cast::<13, 48>((self.i48.val() << 17_u64)) + (self.i13.val() | self.i13.val()).replace_bit((self.i3.val() >> self.i1.val()).index(), (!self.p.val())));
            m6 = self.i63.val().get_bits::<15>(62);
        } else {
            let v10 = self.i32.val();
            m6 = m6;
        }
        let v11 = ((self.i33.val() - self.i33.val()).get_bits::<13>(self.i3.val().replace_bit(self.i1.val().index(), self.q.val()).index()) - ((self.i13.val() + self.i13.val()) + bit_cast::<13, 31>(self.i31.val())));
        let mut m12 = (bit_cast::<26, 64>(self.i64.val()) >> (bit_cast::<6, 13>(self.i13.val()) | bit_cast::<6, 31>(self.i31.val())));
        let v13 = (((self.i48.val() >> self.i3.val()) ^ (self.i48.val() + self.i48.val())) - (self.i48.val().replace_bit(m1.index(), self.p.val()) >> 42_u64));
        if (v7 < 0x3_u64) {
            let v14 = (((bit_cast::<53, 32>(self.i32.val()) << 9_u64) ^ (!bit_cast::<53, 1>(self.i1.val()))) ^ 0x1fffffffffffff_u64);
            m12 = bits::<17>(0x1ffff).get_bits::<26>(3);
            let v15 = (bit_cast::<51, 25>(bits::<25>(0x0).replace_bit(8, self.p.val())) != (bit_cast::<51, 3>(self.i3.val()) >> 18_u64));
            m12 = ((m12 ^ m12) - bit_cast::<26, 8>(v0));
        } else {
            let v16 = ((m1.replace_bit(2, self.p.val()) ^ self.i5.val().replace_bit(1, self.q.val())) ^ m1);
            m12 = (((m12 + m12) + (m12 | m12)) & (!v7.get_bits::<26>(self.i3.val().index() + 1)));
        }
        self.o0.next = ((bit_cast::<31, 31>(self.i31.val()) >> (!v7)) | bit_cast::<13, 8>((v0 ^ 0x3_u64)).get_bits::<31>((v7.get_bits::<2>(bit_cast::<4, 26>(m12).index() * 4 + 2) ^ self.i2.val().replace_bit(self.i1.val().index(), self.p.val())).index() * 3));
        self.o1.next = (!((self.i16.val() | self.i16.val()) - (self.i16.val() ^ self.i16.val()))).replace_bit(bit_cast::<4, 2>(self.i2.val()).index(), ((self.i32.val() - self.i32.val()) - (self.i32.val() & self.i32.val())).xor());
        self.o2.next = (((self.i33.val() | self.i33.val()) + 0x1e2bdd542_u64).get_bits::<63>((v11.get_bits::<5>(bit_cast::<4, 13>(v11).index()) | 0xc_u64).index() + 1) >> ((bit_cast::<55, 64>(self.i64.val()) >> bits::<7>(0x7f)) & (bit_cast::<55, 5>(m1) | bits::<55>(0x7fffffffffffff))).get_bits::<2>(0));
        self.o3.next = ((bit_cast::<28, 31>(self.i31.val()) & bit_cast::<28, 48>(v13)) & (bit_cast::<28, 33>(self.i33.val()) ^ (bit_cast::<28, 1>(self.i1.val()) << 2_u64))).replace_bit(bit_cast::<4, 15>(m6).index(), ((!(self.i16.val() + self.i16.val())) == 0xffff_u64));
        self.o4.next = v0.any();
        self.o5.next = bit_cast::<64, 44>((!((bit_cast::<44, 31>(self.i31.val()) ^ bits::<44>(0xfffffffffff)) >> bit_cast::<5, 8>(v0))));
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
    pub o0: Signal<Out, Bits<2>>,
    pub o1: Signal<Out, Bits<57>>,
    pub o2: Signal<Out, Bits<8>>,
    pub o3: Signal<Out, Bits<3>>,
    pub o4: Signal<Out, Bits<16>>,
    pub o5: Signal<Out, Bits<6>>,
    _activity: Activity,
}

impl Logic for Block4 {
    #[hdl_gen]
    fn update(&mut self) {
        let v0 = (self.i16.val() ^ (self.i64.val() << bit_cast::<4, 8>(self.i8.val())).get_bits::<16>((self.i5.val() + self.i5.val()).index() * 3));
        let mut m1 = bit_cast::<63, 32>(bit_cast::<32, 5>(self.i5.val()));
        let v2 = (bit_cast::<15, 3>(self.i3.val()) | bit_cast::<15, 2>(self.i2.val())).replace_bit((self.i3.val() >> 3_u64).index(), (bit_cast::<9, 63>(self.i63.val()) >= bit_cast::<9, 8>(self.i8.val()))).all();
        if (!(!self.p.val())) {
            let v3 = (self.i64.val() != self.i64.val());
            m1 = m1;
            let v4 = self.i63.val();
            m1 = (v4.replace_bit(self.i5.val().index(), v2) & self.i8.val().get_bits::<63>(5));
        } else {
            let v5 = ((self.i32.val() & 0xffffffff_u64).get_bits::<2>((!bit_cast::<6, 16>(self.i16.val())).index() * 3) + 0x0_u64);
            m1 = ((self.i16.val().get_bits::<63>(self.i1.val().index() * 3) ^ (self.i63.val() ^ m1)) << 4_u64);
        }
        let v6 = (!((m1 + m1) + (m1 ^ self.i63.val())));
        let mut m7 = ((self.i2.val() << bits::<6>(0x1f)) | 0x0_u64);
        let v8 = (((self.i2.val() + self.i2.val()) ^ bit_cast::<2, 2>(m7)) >> self.i2.val());
        if (self.i63.val() - m1).get_bit(1) {
            let v9 = (bit_cast::<53, 48>(bit_cast::<29, 2>(m7).get_bits::<48>(bit_cast::<6, 16>(self.i16.val()).index() * 3)) == (v8.get_bits::<53>(bit_cast::<4, 13>(self.i13.val()).index()) + 0x6_u64));
            m7 = ((bit_cast::<2, 26>(bit_cast::<26, 64>(self.i64.val())) >> (bit_cast::<6, 8>(self.i8.val()) - bit_cast::<6, 1>(self.i1.val()))) ^ ((m7 + v8) | self.i13.val().get_bits::<2>(bit_cast::<4, 63>(v6).index() * 4 + 2)));
            let v8 = (((bit_cast::<55, 1>(self.i1.val()) >> bit_cast::<7, 5>(self.i5.val())) >> 29_u64) == 0x7fffffffffffff_u64);
            m7 = ((m7 | m7) - (m7 >> self.i3.val()));
        } else {
            let v1 = self.i32.val();
            m7 = ((self.i64.val() & self.i64.val()) + (self.i64.val() + self.i64.val())).get_bits::<2>(((self.i5.val() & 0x1f_u64) << 0_u64).index() + 1);
        }
        let v10 = (!(v0 & self.i16.val()));
        let mut m11 = (self.i16.val() >> self.i3.val()).get_bits::<32>((self.i3.val() ^ self.i3.val()).index() + 1);
        let v12 = (((bit_cast::<61, 5>(self.i5.val()) << 43_u64) ^ bit_cast::<61, 64>(self.i64.val())) | 0x1fffffffffffffff_u64);
        if (bit_cast::<13, 5>(self.i5.val()) < (self.i13.val() - self.i13.val())) {
            let v13 = (((bit_cast::<21, 8>(self.i8.val()) << 4_u64) ^ 0x8a4fb_u64) == (!(bit_cast::<21, 33>(self.i33.val()) - bit_cast::<21, 64>(self.i64.val()))));
            m11 = bit_cast::<31, 63>((self.i63.val() + v6)).get_bits::<32>((self.i5.val() & self.i5.val()).get_bits::<3>(5).index() * 4 + 2);
            let v14 = bit_cast::<13, 56>(bit_cast::<56, 13>(self.i13.val())).replace_bit(bit_cast::<3, 5>(self.i5.val()).index(), self.i31.val().any()).get_bits::<13>(0);
            m11 = self.i32.val();
        } else {
            let v15 = ((self.i3.val().get_bits::<48>(bits::<4>(0x5).index()) + self.i33.val().get_bits::<48>(20)) + (bit_cast::<48, 48>(self.i48.val()) | (self.i48.val() & self.i48.val())));
            m11 = (((self.i32.val() ^ m11) | (self.i32.val() << bit_cast::<6, 48>(self.i48.val()))) - (bit_cast::<21, 32>(m11).get_bits::<32>(self.i5.val().index() * 4 + 2) | (self.i32.val() ^ m11)));
        }
        self.o0.next = (bit_cast::<2, 32>(((m11 & m11) + (self.i32.val() + m11))) | (((v8 & m7) | bit_cast::<2, 5>(self.i5.val())) + (bit_cast::<38, 31>(self.i31.val()).get_bits::<2>(20) & 0x3_u64)));
        self.o1.next = ((bit_cast::<57, 63>(self.i63.val()) + ((!bits::<57>(0x1ffffffffffffff)) & (bit_cast::<57, 32>(self.i32.val()) ^ bit_cast::<57, 31>(self.i31.val())))) + (bit_cast::<57, 38>(v6.get_bits::<38>(v8.index() * 4 + 2)) + (self.i5.val() ^ self.i5.val()).get_bits::<57>(self.i64.val().get_bits::<4>(self.i5.val().index() + 1).index() * 4 + 2)));
        self.o2.next = ((((self.i8.val() - self.i8.val()) ^ (self.i8.val() - self.i8.val())) & 0x1_u64) >> (((v8 + m7) & bit_cast::<2, 48>(self.i48.val())) | (v8 & bit_cast::<2, 23>(bit_cast::<23, 13>(self.i13.val())))));
        self.o3.next = bit_cast::<3, 31>((self.i48.val().get_bits::<32>(self.i1.val().index() * 3).get_bits::<31>((bit_cast::<4, 63>(m1) | bit_cast::<4, 33>(self.i33.val())).index() * 4 + 2) + 0x5_u64));
        self.o4.next = (bit_cast::<2, 5>(self.i5.val()).get_bits::<18>(bit_cast::<2, 16>(self.i16.val()).index() + 1) << (!(self.i3.val() & 0x7_u64))).get_bits::<16>(14);
        self.o5.next = self.i8.val().replace_bit(4, bit_cast::<5, 33>(self.i33.val()).all()).get_bits::<6>(v10.get_bits::<3>(6).get_bits::<3>(((bit_cast::<4, 2>(v8) | bits::<4>(0xf)) | (bit_cast::<4, 32>(self.i32.val()) & bit_cast::<4, 48>(self.i48.val()))).index() * 3).index() * 3);
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
    pub o0: Signal<Out, Bit>,
    pub o1: Signal<Out, Bits<2>>,
    pub o2: Signal<Out, Bits<16>>,
    pub o3: Signal<Out, Bits<33>>,
    pub o4: Signal<Out, Bit>,
    pub o5: Signal<Out, Bits<44>>,
    _activity: Activity,
}

impl Logic for Block5 {
    #[hdl_gen]
    fn update(&mut self) {
        let v0 = (bit_cast::<53, 63>(self.i63.val()) - 0x1fffffffffffff_u64);
        let mut m1 = self.i1.val().get_bits::<37>(self.i1.val().index() * 3).get_bits::<2>(32);
        if ((self.p.val() & self.p.val()) ^ self.p.val()) {
            let v2 = (((bit_cast::<55, 2>(m1) & bit_cast::<55, 53>(v0)) | (!bits::<55>(0x7))) >> ((bit_cast::<4, 8>(self.i8.val()) + bit_cast::<4, 63>(self.i63.val())) >> (!bit_cast::<6, 63>(self.i63.val()))));
            m1 = m1;
            let v3 = (!bit_cast::<61, 63>(self.i63.val()).get_bit(self.i5.val().index()));
            m1 = (self.i2.val().replace_bit(1, self.q.val()) + (m1 & self.i2.val()));
        } else {
            let v4 = (((m1 & self.i2.val()) << (self.i2.val() + self.i2.val())) + (bit_cast::<2, 31>(self.i31.val()) + (m1 << 2_u64)));
            m1 = bit_cast::<2, 8>(((self.i8.val() & self.i8.val()) + bit_cast::<8, 31>(self.i31.val())));
        }
        let v5 = (bit_cast::<16, 31>((self.i31.val() >> bit_cast::<7, 53>(v0))) + ((self.i16.val() + self.i16.val()) & (self.i16.val() - self.i16.val())));
        let mut m6 = bit_cast::<59, 53>(v0);
        let v7 = (bit_cast::<40, 16>(v5).get_bits::<50>(self.i3.val().index() * 3).replace_bit(17, self.i33.val().all()) - (bit_cast::<7, 13>(self.i13.val()) | 0x7f_u64).get_bits::<50>(self.i3.val().get_bits::<4>(self.i3.val().index() + 1).index() + 1));
        if self.q.val() {
            let v8 = self.p.val();
            m6 = bit_cast::<59, 16>((!self.i63.val().get_bits::<16>(26)));
            let v9 = (!(m1 + self.i2.val()).get_bits::<1>((bit_cast::<4, 1>(self.i1.val()) + bit_cast::<4, 2>(m1)).index() * 4 + 2));
            m6 = bit_cast::<59, 64>(bit_cast::<64, 32>(self.i32.val()));
        } else {
            let v8 = ((self.i1.val() + self.i1.val()).get_bits::<37>((self.i2.val() ^ m1).index() * 4 + 2) ^ (self.i64.val().get_bits::<37>(self.i1.val().index() * 4 + 2) - bit_cast::<37, 63>(self.i63.val())));
            m6 = (bit_cast::<21, 50>(v7) - bit_cast::<21, 16>(self.i16.val())).replace_bit(1, (self.q.val() & self.p.val())).get_bits::<59>(((!self.i3.val()) ^ (self.i3.val() | self.i3.val())).index() * 3);
        }
        let v10 = bit_cast::<16, 48>(((self.i48.val() - self.i48.val()) >> (m1 >> self.i5.val())));
        let mut m11 = (!(self.i31.val() - self.i31.val()));
        let v7 = (v10 << 9_u64).get_bits::<2>(4).all();
        if (self.i64.val() - 0xffffffffffffffff_u64).all() {
            let v12 = (((self.i1.val() - 0x1_u64) - (self.i1.val() << self.i5.val())) < (bit_cast::<1, 16>(v5) ^ (self.i1.val() << bit_cast::<4, 5>(self.i5.val()))));
            m11 = (!(m11 | m11)).replace_bit(4, (bit_cast::<18, 16>(v10) ^ bit_cast::<18, 31>(m11)).all());
            let v13 = ((bit_cast::<48, 13>(self.i13.val()) & self.i1.val().get_bits::<48>(0)) | bit_cast::<48, 58>(self.i5.val().get_bits::<58>(1)));
            m11 = bit_cast::<31, 40>((bits::<40>(0x3) + bit_cast::<40, 16>(self.i16.val())));
        } else {
            let v14 = (self.i3.val() << 0_u64);
            m11 = (!((m11 - m11) & (m11 >> self.i5.val())));
        }
        self.o0.next = (((bit_cast::<17, 48>(self.i48.val()) != (bit_cast::<17, 2>(m1) ^ bits::<17>(0x1ffff))) && (self.i64.val() + self.i64.val()).all()) & (((self.i1.val() - self.i1.val()) != 0x1_u64) ^ ((self.i13.val() << bit_cast::<7, 16>(self.i16.val())) != 0xfef_u64)));
        self.o1.next = ((((m1 ^ m1) ^ self.i3.val().get_bits::<2>(3)) + bit_cast::<2, 23>(bit_cast::<23, 16>(v5))) ^ 0x2_u64);
        self.o2.next = (((self.i16.val() - 0x71b7_u64).replace_bit(bit_cast::<4, 63>(self.i63.val()).replace_bit(1, self.p.val()).index(), (v5 != self.i16.val())) >> bit_cast::<6, 2>((m1 << self.i5.val()))) << 16_u64);
        self.o3.next = (!((bit_cast::<33, 43>(bit_cast::<43, 8>(self.i8.val())) + (self.i33.val() & self.i33.val())) & (self.i33.val() | (self.i33.val() ^ self.i33.val()))));
        self.o4.next = (((self.i16.val() & v10) >> 3_u64) + (self.i16.val() ^ self.i16.val())).all();
        self.o5.next = bit_cast::<33, 63>(bit_cast::<63, 57>(bit_cast::<57, 8>(self.i8.val()))).get_bits::<44>(bit_cast::<6, 16>(((self.i16.val() - self.i16.val()) << 12_u64)).index() + 1);
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
    pub o0: Signal<Out, Bit>,
    pub o1: Signal<Out, Bits<3>>,
    pub o2: Signal<Out, Bits<33>>,
    pub o3: Signal<Out, Bits<55>>,
    pub o4: Signal<Out, Bits<5>>,
    pub o5: Signal<Out, Bits<38>>,
    _activity: Activity,
}

impl Logic for Block6 {
    #[hdl_gen]
    fn update(&mut self) {
        let v0 = (self.i3.val() ^ bit_cast::<25, 63>(self.i63.val()).get_bits::<3>(self.i1.val().index() * 4 + 2).replace_bit(2, (self.i64.val() < self.i64.val())));
        let mut m1 = bit_cast::<53, 13>(self.i13.val()).replace_bit(self.i5.val().index(), self.p.val()).get_bit(26);
        if (self.i32.val().xor() && (v0 < 0x3_u64)) {
            let v2 = bit_cast::<12, 49>((bit_cast::<49, 33>(self.i33.val()) - bit_cast::<49, 2>(self.i2.val()))).get_bits::<16>(bit_cast::<3, 18>(bit_cast::<18, 5>(self.i5.val())).index() + 1);
            m1 = self.p.val();
            let v3 = (bit_cast::<47, 62>(bit_cast::<62, 8>(self.i8.val())) & (bit_cast::<47, 3>(v0) - bits::<47>(0x4))).get_bits::<16>((!(self.i1.val() & self.i1.val())).index() + 1);
            m1 = ((self.i32.val() + self.i32.val()) >= self.i32.val());
        } else {
            let v4 = bit_cast::<4, 59>((bit_cast::<7, 32>(self.i32.val()) - bit_cast::<7, 31>(self.i31.val())).get_bits::<59>(7));
            m1 = (((self.i13.val() & self.i13.val()) != self.i13.val().replace_bit(self.i3.val().index(), m1)) & bit_cast::<13, 3>(v0).xor());
        }
        let v5 = (v0 ^ bit_cast::<3, 31>(self.i31.val())).replace_bit(self.i1.val().index(), ((self.i13.val() & self.i13.val()) < (self.i13.val() ^ self.i13.val())));
        let mut m6 = (!(bit_cast::<7, 64>(self.i64.val()) + bit_cast::<7, 13>(self.i13.val())));
        if ((self.i1.val() <= self.i1.val()) || (bit_cast::<37, 63>(self.i63.val()) == 0x1890cc6ed3_u64)) {
            let v7 = ((bits::<58>(0x3ffffffffffffff) & 0x33fec4027dcce87_u64).replace_bit(31, (self.i16.val() <= self.i16.val())) + bit_cast::<58, 13>((self.i13.val() ^ 0x3_u64)));
            m6 = m6;
            let v8 = (((self.i48.val() - self.i48.val()) << (bit_cast::<4, 32>(self.i32.val()) ^ bits::<4>(0x1))) != self.i16.val().get_bits::<48>((self.i5.val() << 1_u64).index()));
            m6 = m6;
        } else {
            let v9 = (self.i16.val() | self.i16.val()).replace_bit((bits::<4>(0xf) + bit_cast::<4, 63>(self.i63.val())).index(), (self.i31.val() < 0x36c47dbf_u64)).get_bit(bit_cast::<4, 36>(bit_cast::<36, 16>(self.i16.val())).index());
            m6 = (((m6 + m6) + bit_cast::<7, 44>(bit_cast::<44, 32>(self.i32.val()))) << 2_u64);
        }
        let v10 = ((self.i33.val().get_bits::<31>(12) << 16_u64) + ((!self.i31.val()) + (self.i31.val() >> 12_u64)));
        let mut m11 = (self.i1.val() | self.i1.val()).get_bits::<56>(bit_cast::<5, 7>(m6).index() * 3);
        if ((bit_cast::<11, 32>(self.i32.val()) - bits::<11>(0x7ff)) >= bit_cast::<11, 48>(self.i48.val())) {
            let v12 = ((bit_cast::<64, 13>(self.i13.val()) + (self.i64.val() - 0xffffffffffffffff_u64)) | bit_cast::<64, 34>((!bit_cast::<34, 2>(self.i2.val()))));
            m11 = ((self.i32.val().get_bits::<56>(17) + bit_cast::<56, 8>(self.i8.val())) & bit_cast::<56, 3>((self.i3.val() & 0x5_u64)));
            let v13 = bit_cast::<13, 36>((bit_cast::<36, 8>(self.i8.val()) << 23_u64));
            m11 = bit_cast::<56, 4>(bit_cast::<4, 63>(self.i63.val()).replace_bit(3, m1));
        } else {
            let v11 = ((bit_cast::<29, 1>(self.i1.val()).get_bits::<1>(10) >> (self.i1.val() + self.i1.val())) ^ ((self.i1.val() + self.i1.val()) | (self.i1.val() & 0x1_u64)));
            m11 = m11.replace_bit(((self.i5.val() << 1_u64) & 0x7_u64).index(), (self.i64.val() <= (!self.i64.val())));
        }
        self.o0.next = ((bit_cast::<3, 13>((self.i13.val() << self.i5.val())) & (self.i13.val() & self.i13.val()).get_bits::<3>((self.i1.val() ^ self.i1.val()).index())) <= (v0 & (v10 - self.i31.val()).get_bits::<3>(0)));
        self.o1.next = (((v10 << v0).get_bits::<3>(1) + ((v5 ^ 0x7_u64) ^ self.i3.val().replace_bit(self.i1.val().index(), m1))) >> (bit_cast::<4, 16>((self.i16.val() >> self.i1.val())) + ((bit_cast::<4, 13>(self.i13.val()) << 4_u64) + (bit_cast::<4, 48>(self.i48.val()) ^ 0x6_u64))));
        self.o2.next = ((self.i33.val() + self.i33.val()) ^ 0x6_u64).get_bits::<1>(23).get_bits::<33>(0);
        self.o3.next = (((self.i64.val() + self.i64.val()).get_bits::<55>(52) & self.i33.val().get_bits::<31>(self.i2.val().index()).get_bits::<55>(5)) & 0x5_u64);
        self.o4.next = bit_cast::<5, 31>(((!self.i31.val()) >> 8_u64));
        self.o5.next = (((!(bit_cast::<38, 7>(m6) + bit_cast::<38, 56>(m11))) - ((bit_cast::<38, 33>(self.i33.val()) & bits::<38>(0x3fffffffff)) | (bit_cast::<38, 13>(self.i13.val()) + bit_cast::<38, 3>(self.i3.val())))) << bit_cast::<2, 32>(self.i32.val()));
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
    pub o0: Signal<Out, Bits<13>>,
    pub o1: Signal<Out, Bits<64>>,
    pub o2: Signal<Out, Bits<5>>,
    pub o3: Signal<Out, Bits<1>>,
    pub o4: Signal<Out, Bits<1>>,
    pub o5: Signal<Out, Bits<8>>,
    _activity: Activity,
}

impl Logic for Block7 {
    #[hdl_gen]
    fn update(&mut self) {
        let v0 = (!(self.i5.val() + self.i5.val()).get_bit((self.i2.val() + self.i2.val()).index()));
        let mut m1 = bit_cast::<44, 5>(self.i5.val());
        let v2 = self.q.val();
        if ((self.i33.val() >> 1_u64) <= (self.i33.val() ^ 0x11b21c79f_u64)) {
            let v3 = bit_cast::<8, 58>((bit_cast::<58, 2>(self.i2.val()) >> 4_u64));
            m1 = (self.i3.val().get_bits::<48>(bits::<6>(0x2a).index() * 4 + 2).get_bits::<44>((self.i1.val() | self.i1.val()).index() + 1) >> 3_u64);
            let v4 = bit_cast::<22, 2>((self.i2.val() - self.i2.val().replace_bit(self.i1.val().index(), v2)));
            m1 = ((m1 & m1) + (m1 & m1));
        } else {
            let v5 = bit_cast::<31, 13>((self.i3.val() + self.i3.val()).get_bits::<13>(1));
            m1 = (((m1 ^ 0xad7bc7843e8_u64) | 0xfffffffffff_u64) ^ ((m1 + m1) >> 26_u64));
        }
        let v6 = (bit_cast::<36, 33>(self.i33.val()).get_bits::<8>(self.i5.val().index() + 1).get_bits::<31>(bit_cast::<6, 33>(self.i33.val()).index()) & 0x3_u64);
        let mut m7 = (bit_cast::<1, 3>(self.i3.val()) >= 0x1_u64);
        if ((self.i13.val() < self.i13.val()) || (self.i16.val() == 0xffff_u64)) {
            let v8 = ((self.i33.val() + self.i33.val()).get_bits::<2>((self.i1.val() + self.i1.val()).index() * 4 + 2) == 0x3_u64);
            m7 = (bit_cast::<34, 13>(self.i13.val()).get_bits::<1>(self.i1.val().index() * 4 + 2).get_bit(0) | (self.i3.val().get_bits::<30>(2) != 0x3fffffff_u64));
            let v9 = (((bit_cast::<47, 31>(v6) - bits::<47>(0x7130913e8399)) + self.i5.val().get_bits::<47>(0)) ^ (self.i8.val().get_bits::<47>(2) | bit_cast::<47, 64>(self.i64.val())));
            m7 = (!(self.i3.val() == self.i3.val()));
        } else {
            let v10 = self.p.val();
            m7 = (bit_cast::<46, 1>(self.i1.val()) - bits::<46>(0x199a1601ad3e)).get_bits::<16>((bit_cast::<6, 16>(self.i16.val()) & bit_cast::<6, 32>(self.i32.val())).index() * 3).xor();
        }
        let v11 = ((bit_cast::<6, 8>(self.i8.val()) | bit_cast::<6, 8>(self.i8.val())) + (bit_cast::<6, 5>(self.i5.val()) - bits::<6>(0x32))).get_bits::<60>((!self.i3.val()).get_bits::<2>(bit_cast::<3, 48>(self.i48.val()).index() * 3).index() * 4 + 2);
        let mut m12 = (self.i64.val().get_bits::<2>(bit_cast::<6, 44>(m1).index()) > (self.i2.val() ^ self.i2.val()));
        let v13 = (((bit_cast::<43, 32>(self.i32.val()) >> 33_u64) <= bit_cast::<43, 8>(self.i8.val()).replace_bit(self.i5.val().index(), m7)) | (self.i48.val().get_bits::<41>(35) == 0x3_u64));
        if ((self.i33.val() & self.i33.val()) < 0x1ffffffff_u64) {
            let v14 = (!((self.i16.val() & self.i16.val()) == (!self.i16.val())));
            m12 = (((self.i5.val() + self.i5.val()) | (!self.i5.val())) != self.i5.val());
            let v15 = (((bit_cast::<62, 5>(self.i5.val()) << 30_u64) < 0x3b0846c354ec4d37_u64) | ((self.i1.val() != self.i1.val()) && (self.p.val() == m7)));
            m12 = ((v15 | v15) || (m7 & m12));
        } else {
            let v16 = bit_cast::<31, 5>(self.i5.val()).get_bits::<34>(28);
            m12 = (bit_cast::<5, 1>(self.i1.val()) << 1_u64).any();
        }
        self.o0.next = self.i13.val();
        self.o1.next = ((((self.i64.val() >> 56_u64) + (self.i64.val() << 47_u64)) << (self.i2.val() ^ self.i2.val()).replace_bit(0, v13)) >> 48_u64);
        self.o2.next = (((!self.i5.val().replace_bit(0, v0)) - 0x0_u64) + self.i5.val());
        self.o3.next = (((bit_cast::<22, 44>(m1) ^ bit_cast::<22, 48>(self.i48.val())) + bit_cast::<22, 33>(self.i33.val())).get_bits::<1>((bit_cast::<6, 48>(self.i48.val()) >> bit_cast::<10, 31>(v6).get_bits::<7>(9)).index() * 3) << (((bit_cast::<7, 60>(v11) << self.i1.val()) | self.i8.val().get_bits::<7>(self.i2.val().index() * 3)) | bit_cast::<7, 31>(v6)));
        self.o4.next = (bit_cast::<1, 64>((self.i64.val() ^ self.i64.val())).replace_bit(0, v2) ^ (bit_cast::<1, 31>(bit_cast::<31, 63>(self.i63.val())) ^ (bit_cast::<1, 48>(self.i48.val()) ^ bit_cast::<1, 63>(self.i63.val()))));
        self.o5.next = (((self.i8.val() >> self.i3.val()) + self.i13.val().get_bits::<8>(11)) | (bit_cast::<8, 3>(self.i3.val()) + self.i8.val())).replace_bit(7, bit_cast::<16, 3>((self.i3.val() & self.i3.val())).get_bit(2));
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
    pub o0: Signal<Out, Bits<64>>,
    pub o1: Signal<Out, Bits<56>>,
    pub o2: Signal<Out, Bits<46>>,
    pub o3: Signal<Out, Bits<63>>,
    pub o4: Signal<Out, Bits<31>>,
    pub o5: Signal<Out, Bits<25>>,
    _activity: Activity,
}

impl Logic for Block8 {
    #[hdl_gen]
    fn update(&mut self) {
        let v0 = (!(self.i64.val() + self.i64.val()).all());
        let mut m1 = ((self.i31.val() ^ self.i31.val()) >> (self.i3.val() >> self.i1.val()));
        if ((self.i64.val() != self.i64.val()) == self.i16.val().any()) {
            let v2 = bit_cast::<5, 1>(self.i1.val());
            m1 = (m1.replace_bit(12, v0) << (self.i5.val() + v2)).get_bits::<31>(8);
            let v3 = (self.i48.val().get_bits::<19>(bits::<6>(0x4).index() + 1) - (bit_cast::<19, 31>(self.i31.val()) ^ bits::<19>(0x7ffff))).xor();
            m1 = ((!m1) | (self.i31.val() - self.i31.val()));
        } else {
            let v4 = bit_cast::<30, 16>((self.i16.val() | 0x2997_u64)).get_bits::<63>(5);
            m1 = bit_cast::<31, 64>(((self.i64.val() - self.i64.val()) | (self.i64.val() >> self.i1.val())));
        }
        let v5 = ((bit_cast::<19, 2>(self.i2.val()) + bit_cast::<19, 63>(self.i63.val()).replace_bit(bit_cast::<4, 48>(self.i48.val()).index(), self.q.val())) << 0_u64);
        let mut m6 = ((self.i48.val() - self.i48.val()) & self.i48.val().replace_bit(9, self.p.val()));
        if self.q.val() {
            let v7 = (!self.i2.val()).get_bits::<4>(1).get_bits::<3>((bit_cast::<5, 3>(self.i3.val()) >> bit_cast::<5, 8>(self.i8.val())).index() * 3);
            m6 = (!(m6 ^ m6)).replace_bit((!self.i32.val().get_bits::<5>(22)).index(), ((m6 >> 36_u64) >= 0xbd4ee28479ce_u64));
            let v8 = (self.i48.val() != 0x9ccd38206ce8_u64);
            m6 = ((m6 + m6) + (m6 ^ self.i48.val()));
        } else {
            let v7 = (bit_cast::<63, 17>(bit_cast::<17, 8>(self.i8.val())) + (self.i63.val() + self.i63.val())).get_bits::<16>(48);
            m6 = self.i48.val();
        }
        let v9 = ((!self.i1.val()) ^ (self.i1.val() ^ self.i1.val())).get_bits::<32>(1);
        let mut m10 = bit_cast::<31, 38>(bit_cast::<38, 31>(m1));
        if self.q.val() {
            let v11 = ((self.i64.val() ^ (self.i64.val() + self.i64.val())) <= ((self.i64.val() | self.i64.val()) - 0xffffffffffffffff_u64));
            m10 = ((!(!m10)) ^ (m10 << 8_u64).get_bits::<31>(self.i2.val().index() + 1));
            let v12 = ((bit_cast::<30, 31>(m10) | bit_cast::<30, 48>(self.i48.val())).replace_bit(bits::<27>(0x20cda5f).get_bits::<4>(self.i1.val().index() * 3).index(), (!self.q.val())) ^ ((bit_cast::<30, 19>(v5) >> 21_u64) + (bit_cast::<30, 3>(self.i3.val()) - 0x7_u64)));
            m10 = self.i31.val();
        } else {
            let v13 = (self.i2.val() | self.i2.val()).get_bits::<64>(1).get_bits::<29>(20);
            m10 = (bit_cast::<26, 31>(m10).get_bits::<31>(21) >> bit_cast::<4, 1>(self.i1.val())).replace_bit(bit_cast::<61, 13>(self.i13.val()).get_bits::<4>((self.i1.val() >> 1_u64).index() + 1).index(), (bit_cast::<22, 31>(m10).get_bits::<5>(8) > (self.i5.val() & self.i5.val())));
        }
        self.o0.next = (((!self.i64.val()) | self.i64.val().replace_bit(bits::<6>(0x4).index(), self.q.val())).replace_bit(43, (self.i64.val().xor() ^ (bit_cast::<44, 2>(self.i2.val()) == bits::<44>(0x6198c11ed58)))) | ((self.i64.val().replace_bit(bit_cast::<6, 5>(self.i5.val()).index(), v0) + 0x5_u64) << ((self.i2.val() >> 2_u64) ^ self.i2.val())));
        self.o1.next = (bit_cast::<56, 32>(self.i32.val().replace_bit((self.i5.val() + 0x1f_u64).index(), (!v0))) | self.i3.val().get_bits::<56>((self.i33.val() | self.i33.val()).get_bits::<3>(13).index() * 4 + 2));
        self.o2.next = ((((bit_cast::<46, 33>(self.i33.val()) - 0x3fffffffffff_u64) & (bit_cast::<46, 32>(self.i32.val()) | bit_cast::<46, 3>(self.i3.val()))) & bit_cast::<46, 8>(self.i8.val()).replace_bit(9, (!self.p.val()))) & 0x35ae9327c441_u64);
        self.o3.next = (self.i63.val() ^ 0x25db8fb78242a84a_u64);
        self.o4.next = m10;
        self.o5.next = bits::<25>(0x1ffffff);
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
    pub o0: Signal<Out, Bits<63>>,
    pub o1: Signal<Out, Bits<31>>,
    pub o2: Signal<Out, Bits<13>>,
    pub o3: Signal<Out, Bits<31>>,
    pub o4: Signal<Out, Bits<16>>,
    pub o5: Signal<Out, Bits<21>>,
    _activity: Activity,
}

impl Logic for Block9 {
    #[hdl_gen]
    fn update(&mut self) {
        let v0 = (((self.i8.val() ^ 0x4_u64) | self.i16.val().get_bits::<8>(self.i3.val().index() * 4 + 2)) != (self.i48.val() + self.i48.val()).get_bits::<8>(self.i8.val().get_bits::<5>(4).index() * 4 + 2));
        let mut m1 = (self.i16.val().get_bits::<47>(bit_cast::<6, 1>(self.i1.val()).index()) - (!bits::<47>(0x7fffffffffff)));
        if (bit_cast::<23, 3>(self.i3.val()).any() || self.i5.val().get_bit(2)) {
            let v2 = (((self.i31.val() ^ self.i31.val()) + self.i31.val()) >> 12_u64);
            m1 = (((m1 << 20_u64) - (m1 << self.i1.val())) - ((m1 << self.i3.val()) + (m1 | m1)));
            let v3 = (((self.i63.val() + self.i63.val()) | self.i63.val().replace_bit(self.i5.val().index(), self.q.val())) << ((self.i5.val() - self.i5.val()) << 0_u64));
            m1 = (!m1).replace_bit(43, (self.q.val() || self.p.val()));
        } else {
            let v4 = (self.i31.val() + (self.i31.val() ^ self.i31.val()).replace_bit((!bit_cast::<4, 1>(self.i1.val())).index(), self.i5.val().xor()));
            m1 = m1;
        }
        let v5 = (bit_cast::<1, 39>((!bit_cast::<39, 47>(m1))) & (!(self.i1.val() | self.i1.val())));
        let mut m6 = ((self.i3.val() & self.i3.val()) | (self.i3.val() | self.i3.val()));
        if ((self.i31.val() | self.i31.val()) >= 0x5_u64) {
            let v7 = self.i13.val();
            m6 = (bit_cast::<3, 26>((bit_cast::<26, 2>(self.i2.val()) & bit_cast::<26, 33>(self.i33.val()))) - (m6 - self.i3.val()));
            let v8 = ((self.i63.val() - 0x5_u64) << (v5 ^ v5)).get_bits::<63>(self.i5.val().index() + 1);
            m6 = self.i32.val().replace_bit(28, self.p.val()).get_bits::<3>((self.i3.val() ^ m6).index() * 3);
        } else {
            let v9 = (bit_cast::<32, 16>(self.i16.val().replace_bit(bit_cast::<4, 13>(self.i13.val()).index(), v0)) - (self.i5.val().get_bits::<32>(1) + (!self.i32.val())));
            m6 = bit_cast::<3, 3>((m6.replace_bit(0, v0) | 0x2_u64));
        }
        let v10 = ((self.i32.val() ^ self.i32.val()).replace_bit(16, v0) | ((!self.i32.val()) & bit_cast::<32, 33>(self.i33.val())));
        let mut m11 = self.i31.val();
        let v12 = (bit_cast::<1, 32>((v10 - 0x2d20d063_u64)) | bit_cast::<1, 13>((!self.i13.val())));
        if ((bits::<12>(0xe67) + bit_cast::<12, 47>(m1)) <= self.i16.val().get_bits::<12>(m6.index() * 3)) {
            let v13 = (((!self.i48.val()) <= self.i1.val().get_bits::<48>(self.i5.val().index() * 3)) == ((self.i64.val() == self.i64.val()) || (self.i2.val() != self.i2.val())));
            m11 = (((m11 << 16_u64) + (self.i31.val() - m11)) >> ((self.i3.val() + m6) - (m6 ^ 0x7_u64)));
            let v14 = self.q.val();
            m11 = self.i16.val().get_bits::<31>(3);
        } else {
            let v15 = (!((bit_cast::<10, 63>(self.i63.val()) + bit_cast::<10, 32>(v10)) | (bit_cast::<10, 32>(v10) + bits::<10>(0x3ff))));
            m11 = bit_cast::<31, 31>((self.i31.val() | self.i31.val())).replace_bit(28, (bit_cast::<51, 32>(v10) != bits::<51>(0x645b832e0a52d)));
        }
        self.o0.next = (self.i63.val() + (((self.i63.val() | self.i63.val()) & 0x7_u64) + ((self.i63.val() | 0x453ab7e1b176fcf_u64) + (self.i63.val() << 40_u64))));
        self.o1.next = ((!((m11 >> 8_u64) - (m11 ^ self.i31.val()))) - (((m11 - m11) - m11.replace_bit(bit_cast::<4, 1>(v5).index(), self.p.val())) ^ (self.i31.val().replace_bit(bit_cast::<4, 1>(v12).index(), v0) + bit_cast::<31, 3>(m6))));
        self.o2.next = (!bit_cast::<13, 16>(self.i8.val().replace_bit(m6.index(), self.p.val()).get_bits::<16>(v10.get_bits::<1>(4).index() * 3)));
        self.o3.next = bit_cast::<31, 64>((bit_cast::<64, 60>(bit_cast::<60, 31>(m11)) + (self.i64.val() + self.i64.val()))).replace_bit(30, ((bit_cast::<35, 16>(self.i16.val()) ^ bit_cast::<35, 3>(m6)).replace_bit((self.i5.val() + self.i5.val()).index(), (m6 == 0x4_u64)) < (bit_cast::<35, 61>(bit_cast::<61, 3>(m6)) & bit_cast::<35, 32>(v10))));
        self.o4.next = (bit_cast::<28, 2>(self.i2.val()).get_bits::<16>((!bit_cast::<38, 5>(self.i5.val()).get_bits::<2>(24)).index()) >> (v10.get_bits::<1>((m6 << self.i5.val()).index() * 3) << 0_u64));
        self.o5.next = ((!(bit_cast::<21, 31>(self.i31.val()) ^ bit_cast::<21, 2>(self.i2.val()))).replace_bit(17, (self.i64.val() << 26_u64).all()) - (bit_cast::<21, 64>(bit_cast::<64, 5>(self.i5.val())) >> 13_u64));
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
    pub o0: Signal<Out, Bits<32>>,
    pub o1: Signal<Out, Bits<1>>,
    pub o2: Signal<Out, Bits<5>>,
    pub o3: Signal<Out, Bits<3>>,
    pub o4: Signal<Out, Bits<35>>,
    pub o5: Signal<Out, Bits<16>>,
    _activity: Activity,
}

impl Logic for Block10 {
    #[hdl_gen]
    fn update(&mut self) {
        let v0 = (self.i5.val() | 0x6_u64);
        let mut m1 = ((self.i48.val() | self.i48.val()) >= (self.i48.val() - self.i48.val()));
        if (self.i48.val().replace_bit(v0.index(), self.p.val()) != (self.i48.val() & self.i48.val())) {
            let v0 = ((bit_cast::<5, 27>(bit_cast::<27, 5>(self.i5.val())) >= 0x7_u64) || self.i8.val().replace_bit(3, m1).all());
            m1 = (((bit_cast::<11, 5>(self.i5.val()) | bits::<11>(0x307)) & 0x6_u64) < (self.i63.val().get_bits::<11>(bit_cast::<4, 31>(self.i31.val()).index() * 4 + 2) >> 3_u64));
            let v2 = (((self.i32.val() != self.i32.val()) || (self.i64.val() >= 0x787d0bc20cc6d1fd_u64)) | (self.i48.val().get_bits::<16>(bits::<6>(0x35).index() * 3) != bit_cast::<18, 8>(self.i8.val()).get_bits::<16>(bit_cast::<6, 31>(self.i31.val()).index() + 1)));
            m1 = ((!m1) | (!v0));
        } else {
            let v3 = bit_cast::<63, 48>((self.i48.val() & self.i48.val())).get_bits::<33>(bit_cast::<5, 63>((self.i63.val() & self.i63.val())).index());
            m1 = (!self.i2.val().get_bits::<5>(bit_cast::<4, 8>(self.i8.val()).index() + 1)).all();
        }
        let v4 = bit_cast::<32, 16>((self.i64.val() ^ self.i64.val()).get_bits::<16>(bit_cast::<4, 43>(bit_cast::<43, 48>(self.i48.val())).index() + 1));
        let mut m5 = (!(self.i32.val() <= v4));
        if (m1 | self.q.val()) {
            let v6 = ((bit_cast::<39, 8>(self.i8.val()) & 0x7fffffffff_u64).get_bits::<2>(26) & (!(!self.i2.val())));
            m5 = ((v0 - 0x1f_u64) + (!v0)).any();
            let v7 = (((bit_cast::<44, 2>(v6) << 27_u64) & bits::<44>(0xfffffffffff).replace_bit(4, m5)) - ((bit_cast::<44, 16>(self.i16.val()) ^ 0xfffffffffff_u64) + bit_cast::<44, 2>(self.i2.val()).replace_bit(self.i5.val().index(), self.q.val())));
            m5 = ((v0 < v0) | (m5 | m1));
        } else {
            let v8 = ((bit_cast::<53, 13>(self.i13.val()).get_bits::<5>(32) + (v0 << self.i1.val())) & self.i13.val().get_bits::<5>(13));
            m5 = self.p.val();
        }
        let v9 = ((self.p.val() ^ (self.i13.val() >= self.i13.val())) | (self.i16.val().get_bits::<5>(2) < self.i5.val()));
        let mut m10 = bit_cast::<2, 63>((self.i63.val() & self.i63.val()));
        if (bit_cast::<1, 5>(self.i5.val()) > self.i1.val()) {
            let v11 = (((self.i48.val() + self.i48.val()) - (self.i48.val() << self.i5.val())) <= (!(self.i48.val() + self.i48.val())));
            m10 = (((self.i2.val() ^ 0x1_u64) & (self.i2.val() + 0x3_u64)) - bit_cast::<2, 5>(self.i5.val().replace_bit(2, m5)));
            let v12 = self.i2.val().get_bits::<33>(1);
            m10 = (bit_cast::<2, 33>(v12) ^ self.i33.val().get_bits::<2>(self.i1.val().index() * 4 + 2));
        } else {
            let v13 = (((self.i8.val() | self.i8.val()) - self.i48.val().get_bits::<8>(8)) - bit_cast::<8, 2>(m10));
            m10 = (!((m10 << bit_cast::<4, 63>(self.i63.val())) | bit_cast::<2, 8>(v13)));
        }
        self.o0.next = bit_cast::<32, 33>((self.i33.val() << 5_u64));
        self.o1.next = bit_cast::<1, 15>((bit_cast::<15, 48>(self.i48.val()).replace_bit(0, v9) >> (bit_cast::<7, 13>(self.i13.val()) - bit_cast::<7, 31>(self.i31.val()))).replace_bit(bit_cast::<3, 48>(self.i48.val()).index(), (self.i5.val() + v0).xor()));
        self.o2.next = bit_cast::<5, 33>((((self.i33.val() ^ self.i33.val()) >> bit_cast::<3, 3>(self.i3.val())) - (!(self.i33.val() ^ self.i33.val()))));
        self.o3.next = self.i3.val().replace_bit(((!(self.i1.val() + self.i1.val())) + (self.i48.val() + self.i48.val()).get_bits::<1>((self.i3.val() + self.i3.val()).index() * 3)).index(), (self.i5.val() != ((v0 + self.i5.val()) & self.i5.val().replace_bit(4, m5))));
        self.o4.next = (bit_cast::<35, 2>(self.i2.val()) + bit_cast::<35, 16>(self.i16.val()));
        self.o5.next = ((self.i16.val() - ((self.i16.val() ^ self.i16.val()) | bit_cast::<16, 13>(self.i13.val()))) << 0_u64);
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
    pub o0: Signal<Out, Bits<3>>,
    pub o1: Signal<Out, Bits<51>>,
    pub o2: Signal<Out, Bits<10>>,
    pub o3: Signal<Out, Bits<16>>,
    pub o4: Signal<Out, Bit>,
    pub o5: Signal<Out, Bits<1>>,
    _activity: Activity,
}

impl Logic for Block11 {
    #[hdl_gen]
    fn update(&mut self) {
        let v0 = ((self.i13.val().replace_bit(11, self.q.val()) | (self.i13.val() & self.i13.val())) | ((self.i13.val() >> self.i2.val()) << (!bit_cast::<7, 33>(self.i33.val()))));
        let mut m1 = ((self.i5.val() << self.i2.val()) + self.i1.val().get_bits::<5>(1));
        let v1 = (self.i33.val().replace_bit(5, self.q.val()) + bit_cast::<33, 63>(self.i63.val())).get_bits::<5>(2);
        if ((self.i3.val() + 0x7_u64) != 0x6_u64) {
            let v2 = ((self.i8.val().get_bits::<16>(4) + 0xd505_u64) & bit_cast::<16, 52>(bit_cast::<52, 5>(v1)).replace_bit(bit_cast::<4, 5>(self.i5.val()).replace_bit(self.i2.val().index(), self.q.val()).index(), (self.i33.val() == self.i33.val())));
            m1 = v1;
            let v3 = ((self.i64.val().get_bits::<5>(bit_cast::<4, 2>(self.i2.val()).index() * 3) - (self.i5.val() + m1)) & ((!m1) | 0x14_u64));
            m1 = ((v3 << bit_cast::<6, 1>(self.i1.val())) + (m1 & v3));
        } else {
            let v4 = (self.i1.val().get_bits::<8>(1) ^ (self.i8.val() << 0_u64)).get_bits::<8>(5);
            m1 = (((self.i5.val() & 0x12_u64) + (m1 + self.i5.val())) + (!(self.i5.val() - self.i5.val())));
        }
        let v5 = bit_cast::<60, 33>(self.i33.val()).replace_bit(bit_cast::<5, 25>(bits::<25>(0x1ffffff)).index(), (bit_cast::<3, 63>(self.i63.val()) != 0x7_u64));
        let mut m6 = (self.i64.val() <= bit_cast::<64, 32>(self.i32.val()));
        let v7 = (!(self.i64.val() ^ self.i64.val()).get_bit((bit_cast::<6, 3>(self.i3.val()) ^ bit_cast::<6, 5>(self.i5.val())).index()));
        if self.q.val() {
            let v8 = self.i16.val();
            m6 = (self.i63.val() << bit_cast::<1, 64>(self.i64.val())).any();
            let v9 = bit_cast::<52, 5>(v1);
            m6 = (!self.i33.val()).xor();
        } else {
            let v10 = (!bit_cast::<61, 33>(self.i33.val()).get_bits::<36>(bits::<6>(0x27).index())).get_bits::<63>(7);
            m6 = self.q.val();
        }
        let v1 = v0;
        let mut m11 = (self.i1.val().get_bits::<64>(0) - self.i64.val().replace_bit(2, v7));
        if self.i5.val().get_bits::<64>(bits::<4>(0x8).index() * 3).get_bit(bit_cast::<6, 2>(self.i2.val()).index()) {
            let v12 = (((self.i13.val() & 0x33a_u64) + 0x4_u64) & ((v0 ^ v1) + v0.replace_bit(self.i3.val().index(), m6)));
            m11 = ((m11 + (self.i64.val() | self.i64.val())) + ((self.i64.val() + m11) ^ (!m11)));
            let v13 = (bit_cast::<42, 63>(self.i63.val()).replace_bit(m1.index(), v7) >> (!self.i3.val())).get_bits::<32>((self.i2.val().get_bits::<6>(self.i3.val().index() + 1) | (bits::<6>(0x3f) ^ bit_cast::<6, 31>(self.i31.val()))).index() * 4 + 2);
            m11 = m11;
        } else {
            let v14 = (((self.i13.val() + self.i13.val()) | v1.get_bits::<13>(bit_cast::<4, 13>(self.i13.val()).index() + 1)) & 0x5_u64);
            m11 = ((bit_cast::<64, 60>(v5) ^ (!m11)) + (self.i64.val().replace_bit(14, m6) ^ (self.i64.val() << 44_u64)));
        }
        self.o0.next = self.i3.val();
        self.o1.next = bit_cast::<51, 48>((bit_cast::<48, 33>((self.i33.val() + self.i33.val())) >> bits::<6>(0x7)));
        self.o2.next = bit_cast::<10, 63>((((self.i63.val() & self.i63.val()) << self.i3.val().replace_bit(1, v7)) + (self.i48.val() + self.i48.val()).get_bits::<63>(self.i32.val().get_bits::<3>(bits::<4>(0xf).index() * 4 + 2).index() + 1)));
        self.o3.next = ((((self.i16.val() >> self.i1.val()) + self.i16.val()) << (self.i3.val() & self.i3.val()).replace_bit(0, (v7 & m6))) + (bit_cast::<16, 5>((m1 + self.i5.val())) ^ (self.i16.val().replace_bit(4, v7) ^ (self.i16.val() ^ 0x7_u64))));
        self.o4.next = m6;
        self.o5.next = (bit_cast::<48, 48>((!self.i48.val())).get_bits::<1>(46) - bits::<7>(0x2b).replace_bit((self.i2.val() & self.i2.val()).index(), self.q.val()).get_bits::<1>(6));
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
    pub o0: Signal<Out, Bits<13>>,
    pub o1: Signal<Out, Bits<2>>,
    pub o2: Signal<Out, Bits<1>>,
    pub o3: Signal<Out, Bits<2>>,
    pub o4: Signal<Out, Bits<51>>,
    pub o5: Signal<Out, Bit>,
    _activity: Activity,
}

impl Logic for Block12 {
    #[hdl_gen]
    fn update(&mut self) {
        let v0 = (!(self.i8.val() + self.i8.val())).get_bit(5);
        let mut m1 = ((self.i2.val() + self.i2.val()) ^ (self.i2.val() ^ self.i2.val()));
        if (!self.i48.val()).get_bit(bit_cast::<5, 31>(self.i31.val()).index()) {
            let v2 = ((bit_cast::<44, 8>(self.i8.val()) < bit_cast::<44, 3>(self.i3.val()).replace_bit(self.i5.val().index(), v0)) ^ ((bit_cast::<29, 48>(self.i48.val()) + bit_cast::<29, 32>(self.i32.val())) <= (!bits::<29>(0x1fffffff))));
            m1 = (((self.i2.val() | self.i2.val()) & 0x3_u64) & (bits::<50>(0x7) + bit_cast::<50, 16>(self.i16.val())).get_bits::<2>((self.i3.val() - self.i3.val()).index()));
            let v2 = (((self.p.val() ^ v0) && (self.i5.val() == self.i5.val())) == self.p.val());
            m1 = self.i2.val();
        } else {
            let v3 = (bit_cast::<64, 31>((self.i31.val() | 0x4_u64)) - self.i32.val().get_bits::<32>(self.i3.val().index() * 4 + 2).get_bits::<64>((self.i3.val() << self.i3.val()).index() * 3));
            m1 = (!self.i48.val().get_bits::<32>(self.i1.val().index() + 1).get_bits::<2>(18));
        }
        let v4 = bit_cast::<3, 57>((self.i16.val().get_bits::<57>(bit_cast::<6, 5>(self.i5.val()).index() * 4 + 2) >> 26_u64));
        let mut m5 = (bit_cast::<20, 3>(self.i3.val()) ^ bit_cast::<20, 3>(v4)).get_bit(18);
        let v6 = (bit_cast::<27, 8>(self.i8.val()) >> 19_u64).replace_bit(((bit_cast::<4, 32>(self.i32.val()) << 2_u64) >> (self.i1.val() + self.i1.val())).index(), ((self.i8.val() & self.i8.val()) < bit_cast::<18, 2>(m1).get_bits::<8>(bit_cast::<6, 32>(self.i32.val()).index() + 1)));
        if (self.i5.val().get_bits::<64>(self.i5.val().index()) <= (self.i64.val() + self.i64.val())) {
            let v7 = (bit_cast::<18, 10>(self.i1.val().get_bits::<10>(self.i3.val().index() * 4 + 2)) >= bit_cast::<18, 31>((self.i31.val() | self.i31.val())));
            m5 = ((bit_cast::<43, 16>(self.i16.val()).get_bits::<30>(6) - (bit_cast::<30, 3>(v4) ^ bits::<30>(0x34f50b3b))) >= bit_cast::<30, 64>(self.i64.val()));
            let v8 = (((self.i5.val() ^ self.i5.val()) + bit_cast::<5, 54>(bit_cast::<54, 8>(self.i8.val()))) ^ self.i5.val());
            m5 = ((self.p.val() || v0) || (self.i33.val() <= self.i33.val()));
        } else {
            let v8 = bit_cast::<13, 2>((self.i2.val() + self.i2.val())).get_bits::<37>(3);
            m5 = ((self.i32.val() | self.i32.val()) + 0x65a7c9f_u64).any();
        }
        let v9 = (((bit_cast::<59, 63>(self.i63.val()) + bit_cast::<59, 3>(v4)) ^ (bit_cast::<59, 8>(self.i8.val()) ^ bit_cast::<59, 2>(self.i2.val()))) << 44_u64);
        let mut m10 = (v4 == 0x0_u64);
        if (self.i63.val() + self.i63.val()).get_bit((self.i5.val() >> bit_cast::<6, 2>(m1)).index()) {
            let v11 = ((self.i64.val() + self.i64.val()).get_bits::<2>(57) + ((m1 | m1) - (m1 + m1)));
            m10 = (((self.i63.val() << 28_u64) > bit_cast::<63, 1>(self.i1.val())) == bit_cast::<33, 8>(self.i8.val()).get_bit(self.i31.val().get_bits::<5>(20).index()));
            let v12 = (((self.i13.val() + self.i13.val()) >= (self.i13.val() + self.i13.val())) ^ ((bit_cast::<60, 2>(v11) + bit_cast::<60, 1>(self.i1.val())) >= bit_cast::<60, 2>(self.i2.val())));
            m10 = (self.i64.val().xor() == self.i13.val().get_bit(self.i3.val().index()));
        } else {
            let v13 = (((v4 + self.i3.val()) - (self.i3.val() | v4)) >= (v4.replace_bit(self.i1.val().index(), self.q.val()) >> (v4 + self.i3.val())));
            m10 = (!((self.i33.val() + self.i33.val()) >= (self.i33.val() + self.i33.val())));
        }
        self.o0.next = (self.i13.val() + bit_cast::<13, 63>(self.i63.val()));
        self.o1.next = self.i2.val();
        self.o2.next = (bit_cast::<62, 3>(self.i3.val()).get_bits::<1>(((!self.i2.val()) >> 0_u64).index()) << (bit_cast::<5, 33>(bit_cast::<33, 31>(self.i31.val())) ^ (!(!self.i5.val()))));
        self.o3.next = ((((self.i2.val() + m1) & (self.i2.val() & m1)) | self.i2.val()) + (((!m1) | (self.i2.val() - 0x3_u64)) & ((m1 >> 2_u64) << (bit_cast::<7, 32>(self.i32.val()) << 7_u64))));
        self.o4.next = (((bit_cast::<51, 31>(self.i31.val()) ^ bit_cast::<51, 33>(self.i33.val())) ^ 0x7ffffffffffff_u64) | (bit_cast::<64, 12>(bit_cast::<12, 13>(self.i13.val())) & self.i64.val()).get_bits::<51>(((self.i3.val() << 0_u64) | (self.i3.val() ^ 0x6_u64)).index() * 3));
        self.o5.next = self.p.val();
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
    pub o0: Signal<Out, Bit>,
    pub o1: Signal<Out, Bits<13>>,
    pub o2: Signal<Out, Bit>,
    pub o3: Signal<Out, Bits<13>>,
    pub o4: Signal<Out, Bits<48>>,
    pub o5: Signal<Out, Bits<33>>,
    _activity: Activity,
}

impl Logic for Block13 {
    #[hdl_gen]
    fn update(&mut self) {
        let v0 = (bit_cast::<5, 48>((self.i48.val() | self.i48.val())) & (self.i31.val().get_bits::<5>(self.i3.val().index() * 3) & bit_cast::<5, 48>(self.i48.val())));
        let mut m1 = ((self.i8.val() & self.i8.val()) & (self.i8.val() ^ self.i8.val()));
        if (self.i13.val() >= (self.i13.val() - 0x3_u64)) {
            let v2 = (((self.i8.val() & self.i8.val()) - self.i8.val()) | m1);
            m1 = m1;
            let v3 = (((self.i2.val() ^ self.i2.val()) ^ (self.i2.val() - self.i2.val())) >= 0x1_u64);
            m1 = (m1.replace_bit(1, self.p.val()) & (v2 & self.i8.val()));
        } else {
            let v4 = ((m1 ^ 0x71_u64) == 0xff_u64);
            m1 = (((!self.i8.val()) - (m1 ^ 0x7_u64)) ^ 0x3_u64);
        }
        let v5 = bit_cast::<12, 13>(self.i13.val());
        let mut m6 = self.i16.val();
        let v7 = (!(self.i31.val() << 9_u64).get_bits::<63>((self.i1.val() + self.i1.val()).index() * 4 + 2));
        if ((self.i64.val() - self.i64.val()) != 0x2_u64) {
            let v8 = bit_cast::<41, 63>(v7);
            m6 = (bit_cast::<16, 48>((!self.i48.val())) + ((m6 + self.i16.val()) | self.i16.val()));
            let v7 = (bit_cast::<40, 8>(m1) - (v7 ^ self.i63.val()).get_bits::<40>(32));
            m6 = (!(self.i16.val() >> 15_u64));
        } else {
            let v9 = bit_cast::<59, 3>((v0 - self.i5.val()).get_bits::<3>(bit_cast::<3, 31>(self.i31.val()).index() + 1));
            m6 = (bit_cast::<16, 8>((self.i8.val() | self.i8.val())) - ((!self.i16.val()) + self.i16.val().replace_bit(1, self.q.val())));
        }
        let v10 = ((v7 ^ v7) << 51_u64).replace_bit(32, ((self.i64.val() << 53_u64) < (self.i64.val() << 63_u64)));
        let mut m11 = (self.i1.val().get_bits::<5>(0) ^ 0x1d_u64);
        if (self.i2.val() ^ self.i2.val()).get_bit((self.i1.val() - 0x1_u64).index()) {
            let v11 = bit_cast::<21, 31>((bit_cast::<31, 31>(self.i31.val()) & (self.i31.val() - self.i31.val())));
            m11 = (bit_cast::<5, 3>(self.i3.val()).replace_bit(1, (self.i1.val() >= self.i1.val())) - (self.i33.val() << self.i2.val()).get_bits::<5>((bit_cast::<6, 31>(self.i31.val()) & bit_cast::<6, 16>(m6)).index()));
            let v10 = (self.i3.val().get_bits::<13>(self.i3.val().index() + 1) | self.i64.val().get_bits::<13>(bit_cast::<6, 16>(m6).index() * 4 + 2)).replace_bit(7, ((self.i13.val() ^ self.i13.val()) == 0x0_u64));
            m11 = self.i64.val().get_bits::<5>(48);
        } else {
            let v12 = ((self.i64.val().get_bits::<13>(bit_cast::<6, 8>(self.i8.val()).index()) ^ bit_cast::<13, 3>(self.i3.val())) >> 4_u64);
            m11 = ((v0 >> 3_u64) << 4_u64);
        }
        self.o0.next = ((bit_cast::<44, 3>(self.i3.val()) ^ (bit_cast::<44, 48>(self.i48.val()) + bit_cast::<44, 12>(v5))) | 0x50d7d724636_u64).xor();
        self.o1.next = bit_cast::<13, 16>((self.i16.val().replace_bit(11, self.p.val()) ^ bit_cast::<16, 2>(self.i2.val())).replace_bit((m6.get_bits::<4>(5) & bits::<4>(0x5)).index(), (!self.i33.val()).all()));
        self.o2.next = (((!(self.i31.val() << self.i2.val())) != 0x3affbf81_u64) == ((!bit_cast::<56, 2>(self.i2.val())) != bit_cast::<56, 5>(self.i5.val())));
        self.o3.next = (((!self.i3.val()).get_bits::<13>(0) + (bits::<52>(0x21fb5050e2d4e).get_bits::<13>(17) << 2_u64)) | (self.i32.val() | self.i32.val()).get_bits::<13>(6).replace_bit(self.i3.val().index(), ((self.i13.val() - self.i13.val()) > bit_cast::<13, 1>(self.i1.val()))));
        self.o4.next = (bit_cast::<48, 33>(bit_cast::<33, 5>(self.i5.val()).get_bits::<33>(self.i48.val().get_bits::<5>(46).index() * 4 + 2)) | 0x49be01bae708_u64);
        self.o5.next = self.i33.val();
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
    pub o0: Signal<Out, Bit>,
    pub o1: Signal<Out, Bits<32>>,
    pub o2: Signal<Out, Bits<27>>,
    pub o3: Signal<Out, Bits<13>>,
    pub o4: Signal<Out, Bits<64>>,
    pub o5: Signal<Out, Bits<5>>,
    _activity: Activity,
}

impl Logic for Block14 {
    #[hdl_gen]
    fn update(&mut self) {
        let v0 = ((self.i3.val().replace_bit(self.i1.val().index(), self.q.val()) >> 2_u64) ^ (self.i63.val().get_bits::<3>(bit_cast::<4, 5>(self.i5.val()).index() * 4 + 2) & self.i3.val()));
        let mut m1 = (bit_cast::<16, 24>(bit_cast::<24, 3>(self.i3.val())) << 7_u64);
        let v2 = (((self.i8.val() + self.i8.val()) - (self.i8.val() & self.i8.val())) > bit_cast::<8, 13>((self.i13.val() + self.i13.val())));
        if ((self.i63.val() >= self.i63.val()) ^ (self.i63.val() <= self.i63.val())) {
            let v3 = self.p.val();
            m1 = m1;
            let v4 = (((v0 ^ v0) + (!v0)) | (self.i2.val() << 1_u64).get_bits::<3>(0));
            m1 = (m1 >> 13_u64);
        } else {
            let v5 = bits::<20>(0xfffff);
            m1 = bit_cast::<16, 39>(((!bit_cast::<39, 20>(v5)) + bit_cast::<39, 2>(self.i2.val())));
        }
        let v6 = (((self.i48.val() + self.i48.val()) < (self.i48.val() >> 0_u64)) && ((v2 | self.p.val()) && bit_cast::<37, 16>(m1).get_bit(self.i5.val().index())));
        let mut m7 = bit_cast::<51, 31>((!self.i31.val()));
        let v8 = (bit_cast::<35, 23>((bit_cast::<23, 13>(self.i13.val()) & bit_cast::<23, 51>(m7))) - 0x6_u64);
        if ((self.i8.val() - 0x5_u64) != 0x46_u64) {
            let v9 = ((self.i8.val().get_bits::<31>(5) ^ 0x7fffffff_u64) + 0x7fffffff_u64);
            m7 = (((m7 + m7) >> (self.i5.val() ^ self.i5.val())) ^ m7);
            let v10 = (bit_cast::<20, 31>(v9).get_bits::<37>(6) + bit_cast::<37, 16>(self.i16.val())).all();
            m7 = (m7.replace_bit(25, self.q.val()) + (m7 >> 40_u64));
        } else {
            let v11 = bit_cast::<27, 13>(bit_cast::<13, 13>((self.i13.val() | self.i13.val())));
            m7 = (bit_cast::<51, 31>((self.i31.val() << bit_cast::<6, 3>(v0))) + ((m7 | 0x6_u64) | 0x7ffffffffffff_u64));
        }
        let v12 = ((self.i3.val() & self.i3.val()).replace_bit(2, (bits::<61>(0xccab75aefc32f50) > bits::<61>(0x7))) ^ (self.i63.val() ^ self.i63.val()).get_bits::<3>((self.i1.val() + self.i1.val()).index() * 4 + 2));
        let mut m13 = v0.get_bits::<48>(self.i1.val().index() * 4 + 2).replace_bit(self.i5.val().replace_bit(self.i2.val().index(), v6).index(), (self.i8.val() != 0x2_u64));
        if ((bits::<20>(0x6) | bit_cast::<20, 8>(self.i8.val())) <= (bit_cast::<20, 63>(self.i63.val()) | 0x5_u64)) {
            let v14 = bit_cast::<2, 48>((!(m13 & m13)));
            m13 = bit_cast::<48, 31>(((self.i31.val() & self.i31.val()) + (self.i31.val() | self.i31.val())));
            let v15 = bit_cast::<48, 32>(((self.i32.val() >> self.i3.val()) + (self.i32.val() << 22_u64)));
            m13 = ((m13 & 0xb60bbb3988d8_u64) + (v15 >> self.i1.val()));
        } else {
            let v16 = ((!(self.i5.val() << 3_u64)) - (self.i5.val() - 0x0_u64));
            m13 = ((!self.i31.val()) | (self.i31.val() << 26_u64)).get_bits::<48>(6);
        }
        self.o0.next = (bit_cast::<15, 63>(bit_cast::<63, 38>(bit_cast::<38, 8>(self.i8.val()).replace_bit(self.i5.val().index(), v6))) <= (!(bit_cast::<15, 13>(self.i13.val()).replace_bit(5, self.p.val()) | (bit_cast::<15, 33>(self.i33.val()) ^ bit_cast::<15, 51>(m7)))));
        self.o1.next = (((self.i31.val() + self.i31.val()) & (self.i31.val() | self.i31.val())) ^ bit_cast::<31, 31>((self.i31.val() ^ self.i31.val()))).get_bits::<32>(4);
        self.o2.next = (bit_cast::<64, 5>(self.i5.val()) + (self.i64.val() + 0xffffffffffffffff_u64)).get_bits::<27>(20).replace_bit((bit_cast::<4, 16>(m1) + bit_cast::<4, 31>((self.i31.val() + self.i31.val()))).index(), (bits::<19>(0x7ffff) ^ (bits::<19>(0x3a031) >> 3_u64)).get_bit((bit_cast::<60, 3>(v0).get_bits::<4>(self.i2.val().index()) & bit_cast::<4, 38>(bit_cast::<38, 2>(self.i2.val()))).index()));
        self.o3.next = bit_cast::<13, 1>(((self.i1.val() + self.i1.val()) & (self.i1.val() + self.i1.val()))).get_bits::<13>(((bit_cast::<2, 32>(self.i32.val()) << 1_u64) - (self.i2.val().replace_bit(1, v2) + (self.i2.val() ^ self.i2.val()))).index() * 4 + 2);
        self.o4.next = ((self.i1.val().get_bits::<64>(1) << (bit_cast::<6, 32>(self.i32.val()) >> 5_u64)).replace_bit(3, ((bit_cast::<42, 3>(v12) ^ bits::<42>(0x3ffffffffff)) >= (bit_cast::<42, 51>(m7) << bit_cast::<4, 63>(self.i63.val())))) + (((self.i64.val() | self.i64.val()) << 11_u64) ^ (!self.i64.val().replace_bit(56, self.q.val()))));
        self.o5.next = ((((self.i5.val() | self.i5.val()) ^ 0x1f_u64) & ((self.i5.val() - 0x1f_u64) + (self.i5.val() >> 1_u64))) & 0x1f_u64);
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
    pub o0: Signal<Out, Bit>,
    pub o1: Signal<Out, Bits<57>>,
    pub o2: Signal<Out, Bits<8>>,
    pub o3: Signal<Out, Bits<8>>,
    pub o4: Signal<Out, Bit>,
    pub o5: Signal<Out, Bits<8>>,
    _activity: Activity,
}

impl Logic for Block15 {
    #[hdl_gen]
    fn update(&mut self) {
        let v0 = (((self.i33.val() >> self.i3.val()) << bit_cast::<1, 31>(self.i31.val())) - ((self.i33.val() | self.i33.val()) - self.i5.val().get_bits::<33>(self.i2.val().index() * 4 + 2)));
        let mut m1 = (self.i2.val() ^ (self.i2.val() | self.i2.val()));
        let v2 = (!bit_cast::<13, 32>(self.i32.val()));
        if ((v2 & v2) < (v2 & v2)) {
            let v3 = bit_cast::<5, 63>((bit_cast::<63, 33>(v0) - (self.i63.val() + self.i63.val())));
            m1 = (((self.i2.val() + m1) >> 2_u64) + (self.i2.val().get_bits::<2>(bit_cast::<4, 5>(v3).index() * 4 + 2) + 0x3_u64));
            let v4 = ((v3.get_bits::<62>(bits::<6>(0x2).index() * 4 + 2) ^ bit_cast::<62, 48>(self.i48.val())) != 0x4_u64);
            m1 = (v2 | v2).get_bits::<2>((self.i3.val() - self.i3.val()).index() * 3);
        } else {
            let v5 = (!(self.i64.val().replace_bit(20, self.q.val()) >= (self.i64.val() ^ self.i64.val())));
            m1 = (m1 - 0x3_u64);
        }
        let v6 = (bit_cast::<63, 16>(self.i16.val()) & (self.i63.val() >> self.i1.val())).get_bits::<64>(54);
        let mut m7 = (self.i31.val() + self.i31.val()).get_bits::<48>(30);
        let v8 = (((bits::<4>(0x7) >> 1_u64) ^ self.i63.val().get_bits::<4>(0)) << 4_u64);
        if ((v0 << self.i3.val()) >= v0) {
            let v9 = bit_cast::<39, 63>(self.i63.val().replace_bit(47, (self.i64.val() < self.i64.val())));
            m7 = (self.i1.val().get_bits::<48>(1) | 0xfc8f020f9f12_u64);
            let v10 = self.p.val();
            m7 = (v6.get_bits::<48>(self.i1.val().index() * 3) + (self.i48.val() + self.i48.val()));
        } else {
            let v11 = ((self.i16.val() | self.i16.val()).get_bits::<6>((self.i5.val() & self.i5.val()).index() + 1) - ((bit_cast::<6, 33>(v0) >> 6_u64) & bit_cast::<6, 32>(self.i32.val())));
            m7 = m7;
        }
        let v12 = self.i16.val();
        let mut m13 = bit_cast::<5, 31>(self.i31.val());
        let v14 = (((self.i32.val() >> 9_u64) << bit_cast::<7, 5>(self.i5.val())) ^ bit_cast::<32, 16>((!self.i16.val())));
        if (bit_cast::<5, 17>(bit_cast::<17, 48>(self.i48.val())) > (self.i5.val() | m13)) {
            let v15 = ((m1 & 0x3_u64).get_bits::<48>(bits::<9>(0x6).get_bits::<6>(9).index() * 4 + 2) != self.i48.val());
            m13 = ((!(!m13)) >> ((v8 & v8) + (v8 >> bit_cast::<6, 5>(self.i5.val()))));
            let v16 = (((self.i2.val() & self.i2.val()) + (self.i2.val() << bit_cast::<6, 33>(self.i33.val()))) - (self.i2.val() - (m1 << 1_u64)));
            m13 = (m13 + (self.i5.val() | self.i5.val()));
        } else {
            let v17 = (((m1 - self.i2.val()) ^ 0x3_u64) >> bit_cast::<2, 2>(self.i2.val()));
            m13 = ((m13 - self.i5.val()) << self.i3.val()).replace_bit(3, ((self.i1.val() | self.i1.val()) >= (self.i1.val() ^ self.i1.val())));
        }
        self.o0.next = ((((bit_cast::<12, 16>(v12) ^ bit_cast::<12, 5>(m13)) + (bit_cast::<12, 31>(self.i31.val()) - bit_cast::<12, 2>(m1))) >= (bit_cast::<12, 16>(self.i16.val()) >> v8).replace_bit(m13.get_bits::<3>(v8.index() * 3).index(), (!self.q.val()))) & ((bit_cast::<16, 3>(self.i3.val()) + (!self.i16.val())) == v12));
        self.o1.next = bit_cast::<57, 31>(self.i31.val());
        self.o2.next = bit_cast::<8, 35>((bit_cast::<35, 5>((m13 - m13)) | bit_cast::<35, 16>((v12 | self.i16.val()))));
        self.o3.next = (self.i1.val() & (self.i1.val() + self.i1.val())).get_bits::<8>((self.i1.val().get_bits::<3>(1).replace_bit(2, (self.i31.val() == self.i31.val())) ^ ((self.i3.val() + self.i3.val()) + self.i3.val().replace_bit(self.i1.val().index(), self.q.val()))).index() + 1);
        self.o4.next = (bit_cast::<8, 34>(((bit_cast::<34, 5>(self.i5.val()) >> 16_u64) >> bit_cast::<2, 31>(self.i31.val()))) < ((self.i8.val() + self.i8.val()) + (self.i8.val() + self.i8.val())).replace_bit(((self.i3.val() >> 3_u64) << v8).index(), (self.i2.val().replace_bit(0, self.p.val()) < (m1 - m1))));
        self.o5.next = (((self.i8.val() >> self.i1.val()).replace_bit((self.i3.val() | self.i3.val()).index(), (!self.p.val())) + (!bit_cast::<8, 62>(bit_cast::<62, 2>(m1)))) + (bit_cast::<8, 27>(self.i8.val().get_bits::<27>(1)) + ((self.i8.val() << 1_u64) & 0x76_u64)));
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
    pub o0: Signal<Out, Bit>,
    pub o1: Signal<Out, Bits<43>>,
    pub o2: Signal<Out, Bits<8>>,
    pub o3: Signal<Out, Bits<40>>,
    pub o4: Signal<Out, Bits<33>>,
    pub o5: Signal<Out, Bits<31>>,
    _activity: Activity,
}

impl Logic for Block16 {
    #[hdl_gen]
    fn update(&mut self) {
        let v0 = ((bit_cast::<31, 3>(self.i3.val()) << (self.i5.val() & 0x6_u64)) >= ((self.i31.val() | self.i31.val()) + (self.i31.val() & 0x409f6697_u64)));
        let mut m1 = ((self.i3.val() | self.i3.val()) << 1_u64);
        let v2 = self.q.val();
        if (self.i63.val().get_bit(self.i5.val().index()) ^ (v2 ^ self.p.val())) {
            let v3 = (bit_cast::<59, 33>(self.i33.val()) << bits::<7>(0x5)).get_bits::<55>(34).get_bits::<33>(55);
            m1 = (self.i3.val() & (!self.i1.val()).get_bits::<3>((bit_cast::<4, 63>(self.i63.val()) + bits::<4>(0xd)).index() * 3));
            let v4 = ((v3.replace_bit(28, self.q.val()) | (self.i33.val() ^ v3)) - bit_cast::<61, 16>(self.i16.val()).get_bits::<33>((self.i2.val() >> bit_cast::<6, 2>(self.i2.val())).index() + 1));
            m1 = ((m1 & m1) >> (bit_cast::<4, 32>(self.i32.val()) ^ 0x7_u64));
        } else {
            let v5 = (bit_cast::<33, 3>(self.i3.val()) >> (bit_cast::<6, 8>(self.i8.val()) + bit_cast::<6, 1>(self.i1.val()))).replace_bit(31, ((bit_cast::<60, 48>(self.i48.val()) >= bit_cast::<60, 31>(self.i31.val())) ^ self.i13.val().any()));
            m1 = bit_cast::<3, 33>(bit_cast::<48, 49>(bits::<49>(0x19e7f9458be56)).get_bits::<33>((self.i5.val() >> self.i5.val()).index()));
        }
        let v6 = ((self.i2.val() - self.i2.val()) << (bit_cast::<6, 2>(self.i2.val()) >> 2_u64)).get_bits::<2>((!(bits::<6>(0x3f) | bits::<6>(0x1d))).index() * 4 + 2);
        let mut m7 = (self.i63.val() | self.i63.val()).replace_bit(58, (self.i8.val() <= self.i8.val()));
        let v8 = ((!self.i8.val()) - self.i8.val());
        if (self.i5.val() < bit_cast::<5, 8>(v8)) {
            let v9 = (self.i48.val().replace_bit(self.i5.val().index(), v2) + (self.i48.val() ^ self.i48.val())).all();
            m7 = bit_cast::<63, 8>(self.i8.val());
            let v10 = (bit_cast::<32, 52>(bit_cast::<52, 1>(self.i1.val())).get_bit((self.i5.val() | self.i5.val()).index()) && ((self.i5.val() <= self.i5.val()) == (bits::<28>(0x0) < bit_cast::<28, 64>(self.i64.val()))));
            m7 = ((self.i63.val() << self.i5.val()) | m7);
        } else {
            let v6 = ((self.i32.val() + self.i32.val()).get_bits::<16>(7) ^ 0xcf5a_u64);
            m7 = (((m7 | self.i63.val()) | (m7 - self.i63.val())) | (self.i33.val().get_bits::<63>(bits::<4>(0x6).index()) & m7.replace_bit(54, self.q.val())));
        }
        let v11 = (((self.i3.val() + self.i3.val()) & (self.i3.val() - self.i3.val())) | 0x7_u64);
        let mut m12 = (self.i5.val() << 4_u64).get_bits::<5>(0);
        if (!(self.i63.val() != 0x6e354ea5e0fddd38_u64)) {
            let v13 = (((self.i33.val() << bit_cast::<7, 2>(v6)) & (self.i33.val() & self.i33.val())) & (self.i32.val() >> self.i2.val()).get_bits::<33>(14));
            m12 = (((self.i5.val() & m12) >> (bit_cast::<7, 5>(self.i5.val()) + bits::<7>(0x7f))) + (!v6.get_bits::<5>(v11.index() * 3)));
            let v14 = (((bit_cast::<19, 48>(self.i48.val()) + bit_cast::<19, 5>(m12)) + v6.get_bits::<19>(self.i5.val().index())) + (bits::<19>(0x3).replace_bit(bits::<4>(0xf).index(), self.p.val()) >> (bit_cast::<4, 64>(self.i64.val()) ^ bit_cast::<4, 31>(self.i31.val()))));
            m12 = (self.i5.val() | (self.i5.val() - self.i5.val()));
        } else {
            let v15 = (bit_cast::<33, 2>(self.i2.val()) - (self.i33.val() - self.i33.val())).get_bits::<44>(12);
            m12 = (((self.i5.val() >> 3_u64) + (self.i5.val() + m12)) - 0x2_u64);
        }
        self.o0.next = self.p.val();
        self.o1.next = bit_cast::<43, 1>(((bit_cast::<1, 56>(bit_cast::<56, 48>(self.i48.val())) | (self.i1.val() - self.i1.val())) >> 0_u64));
        self.o2.next = ((bit_cast::<40, 31>(self.i31.val()) + bit_cast::<40, 48>(self.i48.val())).get_bits::<8>(22) + self.i48.val().get_bits::<8>((v6 >> 1_u64).index() + 1)).replace_bit(7, (((bit_cast::<52, 2>(self.i2.val()) >> v6) >> 52_u64) < ((bit_cast::<52, 8>(self.i8.val()) + bit_cast::<52, 2>(v6)) - bit_cast::<20, 2>(v6).get_bits::<52>(self.i3.val().index() * 4 + 2))));
        self.o3.next = bit_cast::<40, 48>(((!self.i48.val()) ^ bit_cast::<48, 64>(self.i64.val()))).replace_bit(bit_cast::<13, 5>(self.i5.val().replace_bit(v6.index(), self.q.val())).get_bits::<5>(bit_cast::<6, 16>(self.i16.val()).index()).index(), (bit_cast::<32, 60>((bit_cast::<60, 1>(self.i1.val()) & bit_cast::<60, 3>(self.i3.val()))) >= bit_cast::<32, 1>((self.i1.val() & self.i1.val()))));
        self.o4.next = ((((self.i33.val() + self.i33.val()) ^ self.i13.val().get_bits::<33>(9)) ^ (self.i33.val() - (self.i33.val() ^ self.i33.val()))) | self.i48.val().get_bits::<33>(24));
        self.o5.next = ((bit_cast::<31, 2>(bit_cast::<2, 64>(self.i64.val())) | (bit_cast::<31, 49>(bits::<49>(0x1ffffffffffff)) & 0x7fffffff_u64)) | 0x4_u64);
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
    pub o0: Signal<Out, Bits<32>>,
    pub o1: Signal<Out, Bits<33>>,
    pub o2: Signal<Out, Bit>,
    pub o3: Signal<Out, Bits<63>>,
    pub o4: Signal<Out, Bit>,
    pub o5: Signal<Out, Bits<56>>,
    _activity: Activity,
}

impl Logic for Block17 {
    #[hdl_gen]
    fn update(&mut self) {
        let v0 = ((bit_cast::<31, 9>(bit_cast::<9, 3>(self.i3.val())) ^ (self.i31.val() & self.i31.val())) ^ bit_cast::<31, 1>((self.i1.val() >> 1_u64)));
        let mut m1 = (self.i33.val() | self.i33.val().replace_bit(self.i5.val().index(), self.p.val()));
        if (self.i16.val() != 0x1_u64) {
            let v2 = ((self.i32.val().get_bits::<3>(10) & (!self.i3.val())) == (bit_cast::<61, 2>(self.i2.val()).get_bits::<3>(self.i1.val().index() * 4 + 2) - (!self.i3.val())));
            m1 = ((bit_cast::<20, 33>(m1).get_bits::<33>(6) - bit_cast::<33, 13>(self.i13.val())) - 0x6c39f81f_u64);
            let v3 = bit_cast::<16, 64>((self.i64.val() & self.i64.val()).replace_bit(0, (self.i13.val() >= self.i13.val())));
            m1 = bit_cast::<33, 64>(bit_cast::<64, 1>(self.i1.val()));
        } else {
            let v4 = ((self.i1.val().replace_bit(0, self.p.val()) - self.i3.val().get_bits::<1>(3)) << ((bit_cast::<7, 63>(self.i63.val()) - bits::<7>(0x1)) << 7_u64));
            m1 = (((self.i33.val() ^ self.i33.val()) << (bit_cast::<4, 13>(self.i13.val()) & bit_cast::<4, 33>(self.i33.val()))) - 0x1_u64);
        }
        let v5 = ((self.i13.val().get_bits::<62>(13) & bit_cast::<57, 63>(self.i63.val()).get_bits::<62>(self.i1.val().index() * 3)) - ((!bit_cast::<62, 8>(self.i8.val())) << 42_u64));
        let mut m6 = bit_cast::<2, 33>(self.i33.val()).get_bits::<32>((self.i1.val() ^ self.i1.val()).index() + 1);
        let v7 = (((self.i2.val() << bit_cast::<7, 16>(self.i16.val())) ^ (self.i2.val() - self.i2.val())) + (self.i2.val() ^ self.i16.val().get_bits::<2>(self.i3.val().index())));
        if self.p.val() {
            let v8 = bit_cast::<13, 5>(((self.i5.val() - self.i5.val()) - (self.i5.val() - self.i5.val())));
            m6 = bit_cast::<32, 31>((v0 >> self.i3.val()).replace_bit((bit_cast::<4, 2>(self.i2.val()) & bits::<4>(0xf)).index(), (self.i32.val() < self.i32.val())));
            let v9 = ((self.i1.val() ^ self.i1.val()).get_bits::<32>(bit_cast::<4, 31>(v0).replace_bit(self.i2.val().index(), self.q.val()).index()) ^ ((m6 | self.i32.val()) << v7.get_bits::<3>(1)));
            m6 = ((m6 ^ self.i32.val()) + self.i1.val().get_bits::<32>(bit_cast::<6, 31>(self.i31.val()).index() + 1));
        } else {
            let v10 = (self.i3.val().get_bits::<24>(2).get_bits::<32>(bit_cast::<5, 5>(self.i5.val()).index() * 4 + 2) & bit_cast::<32, 23>((!bit_cast::<23, 2>(self.i2.val()))));
            m6 = bit_cast::<32, 8>((self.i8.val() + self.i8.val()).get_bits::<8>((!bit_cast::<6, 32>(v10)).index() + 1));
        }
        let v11 = (((self.i48.val() >> self.i3.val()) - (self.i48.val() << self.i5.val())) << 27_u64);
        let mut m12 = bit_cast::<13, 41>((bit_cast::<41, 32>(self.i32.val()) + bit_cast::<41, 31>(self.i31.val())));
        if self.i1.val().get_bit(0) {
            let v13 = self.i16.val().replace_bit(bit_cast::<4, 33>(self.i33.val()).index(), self.q.val()).get_bits::<63>((bits::<4>(0x2) | bit_cast::<4, 64>(self.i64.val())).index() + 1).get_bits::<8>(23);
            m12 = bit_cast::<13, 16>((self.i64.val() | 0xffffffffffffffff_u64).get_bits::<16>((bit_cast::<4, 62>(v5) & 0xf_u64).index() + 1));
            let v14 = self.i64.val().get_bits::<8>(self.i2.val().index() * 4 + 2).get_bits::<48>(5).get_bits::<16>(((!self.i5.val()) ^ (self.i5.val() + self.i5.val())).index() * 4 + 2);
            m12 = m12.replace_bit((self.i3.val() >> bit_cast::<6, 8>(v13)).index(), (v14 != v14));
        } else {
            let v15 = (m12.get_bits::<63>(7) - self.i63.val()).xor();
            m12 = ((bit_cast::<13, 31>(self.i31.val()) & (!m12)) & ((m12 - m12) ^ self.i13.val()));
        }
        self.o0.next = m6;
        self.o1.next = (self.i3.val() + (!(self.i3.val() + self.i3.val()))).get_bits::<33>(3);
        self.o2.next = (bit_cast::<52, 31>((self.i31.val() - 0x53a358ea_u64)).xor() ^ (!(bit_cast::<17, 63>(self.i63.val()).get_bits::<1>(4) <= (self.i1.val() >> bit_cast::<6, 63>(self.i63.val())))));
        self.o3.next = (bit_cast::<63, 63>((self.i63.val() & self.i63.val())) | (((!self.i63.val()) | (self.i63.val() + self.i63.val())) ^ (self.i63.val() - (self.i63.val() & 0x1_u64))));
        self.o4.next = ((((!self.i16.val()) ^ (self.i16.val() - self.i16.val())) < 0x7_u64) == (self.i8.val() < ((self.i8.val() & self.i8.val()) ^ (self.i8.val() + 0xff_u64))));
        self.o5.next = bit_cast::<56, 33>(m1);
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
    pub o0: Signal<Out, Bits<63>>,
    pub o1: Signal<Out, Bits<32>>,
    pub o2: Signal<Out, Bits<24>>,
    pub o3: Signal<Out, Bits<7>>,
    pub o4: Signal<Out, Bits<5>>,
    pub o5: Signal<Out, Bits<13>>,
    _activity: Activity,
}

impl Logic for Block18 {
    #[hdl_gen]
    fn update(&mut self) {
        let v0 = (self.i63.val().get_bits::<13>(10).get_bits::<64>(bit_cast::<6, 33>(self.i33.val()).replace_bit(self.i2.val().index(), self.q.val()).index() + 1) != ((self.i64.val() & 0x52ab4dc51b7e78d4_u64) >> (bit_cast::<7, 63>(self.i63.val()) + bit_cast::<7, 63>(self.i63.val()))));
        let mut m1 = bits::<26>(0x330eeca);
        let v2 = self.i16.val().replace_bit(bit_cast::<4, 63>(self.i63.val()).index(), bit_cast::<61, 64>(self.i64.val()).xor()).get_bits::<64>((self.i3.val().get_bits::<5>(2) + (self.i5.val() ^ 0x1f_u64)).index() * 4 + 2);
        if ((self.i5.val() & self.i5.val()) != 0x8_u64) {
            let v3 = ((self.i8.val() >> 5_u64) ^ self.i8.val().replace_bit((self.i3.val() & self.i3.val()).index(), self.i16.val().any()));
            m1 = ((bit_cast::<26, 32>(self.i32.val()) + (m1 & m1)) ^ m1);
            let v4 = (self.q.val() ^ bit_cast::<32, 2>(self.i2.val()).get_bit(25));
            m1 = bit_cast::<26, 9>((bits::<9>(0x1ff) | 0x0_u64));
        } else {
            let v5 = (bit_cast::<63, 19>((bit_cast::<19, 33>(self.i33.val()) >> 15_u64)) - 0x684eacb58ebc3b9f_u64);
            m1 = (!(m1.replace_bit(8, self.q.val()) ^ m1));
        }
        let v6 = (!bit_cast::<27, 1>(self.i1.val()).get_bits::<2>(bits::<4>(0x0).index() + 1).get_bits::<22>(1));
        let mut m7 = (self.i64.val().get_bits::<16>(30) & (self.i16.val() - self.i16.val()));
        if (m1.get_bits::<12>(self.i1.val().index() + 1) <= (bit_cast::<12, 31>(self.i31.val()) + bits::<12>(0xfff))) {
            let v8 = ((self.i32.val() ^ self.i32.val()).get_bits::<16>(15) >> (self.i3.val().replace_bit(0, self.p.val()) + (self.i3.val() << 3_u64)));
            m7 = ((self.i32.val().get_bits::<16>(self.i3.val().index() * 4 + 2) ^ (v8 + m7)) - (bits::<43>(0x71d98dedd15) + bit_cast::<43, 5>(self.i5.val())).get_bits::<16>(17));
            let v9 = (bit_cast::<33, 53>((bit_cast::<53, 16>(m7) ^ bits::<53>(0x1fffffffffffff))) & bit_cast::<33, 26>(m1).replace_bit(7, (self.i1.val() == self.i1.val())));
            m7 = bit_cast::<16, 59>(self.i2.val().get_bits::<59>(self.i1.val().index() * 4 + 2));
        } else {
            let v10 = ((self.i8.val().get_bits::<59>(3) + (bit_cast::<59, 26>(m1) ^ bit_cast::<59, 26>(m1))) | bits::<59>(0x6216a133fdb7a33).replace_bit(34, (self.i3.val() == 0x7_u64)));
            m7 = bit_cast::<16, 8>((self.i33.val().get_bits::<8>(26) & bit_cast::<8, 32>(self.i32.val())));
        }
        let v11 = ((!self.i2.val()).replace_bit((self.i1.val() << 0_u64).index(), (bit_cast::<52, 16>(self.i16.val()) != bit_cast::<52, 31>(self.i31.val()))) & (self.i2.val() >> bits::<7>(0x31)).replace_bit(0, (self.i2.val() != self.i2.val())));
        let mut m12 = (self.i32.val() << bit_cast::<6, 2>(v11)).get_bits::<32>(10);
        if (!(bit_cast::<20, 16>(m7) < 0x2_u64)) {
            let v13 = ((bit_cast::<49, 16>(m7) << 43_u64) >> 7_u64);
            m12 = ((self.i64.val() + self.i64.val()) | (self.i64.val() | 0x8303b89b565ae8b8_u64)).get_bits::<32>(((bits::<4>(0x1) + bits::<4>(0x0)) ^ (bit_cast::<4, 16>(m7) & 0x3_u64)).index() * 3);
            let v14 = (bit_cast::<8, 3>(self.i3.val()).get_bits::<31>(8) < 0xe47bf5_u64);
            m12 = ((m12 + m12) << 3_u64);
        } else {
            let v15 = (!((self.p.val() == self.q.val()) & (bit_cast::<24, 1>(self.i1.val()) <= bits::<24>(0x4))));
            m12 = ((self.i31.val().get_bits::<32>(5) + bit_cast::<32, 2>(v11)) & ((m12 >> self.i2.val()) + bit_cast::<32, 48>(self.i48.val())));
        }
        self.o0.next = ((self.i1.val() - self.i1.val()).get_bits::<63>(1) & self.i63.val()).replace_bit(6, ((self.i48.val() < (self.i48.val() | 0x868ac023824d_u64)) ^ (self.p.val() == (self.i1.val() < self.i1.val()))));
        self.o1.next = (!((!(self.i32.val() & 0xffffffff_u64)) + 0xffffffff_u64));
        self.o2.next = ((((bits::<24>(0x1) | bit_cast::<24, 64>(self.i64.val())) << 23_u64) + (bit_cast::<24, 16>(m7) ^ bit_cast::<59, 13>(self.i13.val()).get_bits::<24>(13))) + ((bit_cast::<24, 8>(self.i8.val()) + self.i5.val().get_bits::<24>(4)) ^ ((bit_cast::<24, 22>(v6) - bit_cast::<24, 13>(self.i13.val())) | (bits::<24>(0x3) + bit_cast::<24, 32>(m12)))));
        self.o3.next = ((bit_cast::<43, 32>(m12) | bit_cast::<43, 26>(m1)).get_bits::<13>((bit_cast::<4, 16>(m7) + bit_cast::<4, 32>(self.i32.val())).index()) << 8_u64).get_bits::<7>(6);
        self.o4.next = ((self.i31.val() ^ 0x346ff6a3_u64).get_bits::<16>(bit_cast::<3, 32>(m12).index() * 3).get_bits::<5>(((bit_cast::<4, 13>(self.i13.val()) + bit_cast::<4, 22>(v6)) | (bit_cast::<4, 3>(self.i3.val()) | 0x3_u64)).index() + 1) & ((self.i5.val() ^ self.i5.val()).get_bits::<5>((bits::<6>(0x1) & bit_cast::<6, 31>(self.i31.val())).index() * 4 + 2) + (self.i33.val() & self.i33.val()).get_bits::<5>(21)));
        self.o5.next = ((bit_cast::<13, 26>(bit_cast::<26, 33>(self.i33.val())) & (self.i13.val().replace_bit(self.i3.val().index(), v0) << bit_cast::<6, 48>(self.i48.val()))) & (bit_cast::<13, 33>((self.i33.val() & 0x12b0b8d47_u64)) | self.i13.val()));
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
    pub o0: Signal<Out, Bits<2>>,
    pub o1: Signal<Out, Bits<39>>,
    pub o2: Signal<Out, Bits<1>>,
    pub o3: Signal<Out, Bits<8>>,
    pub o4: Signal<Out, Bits<33>>,
    pub o5: Signal<Out, Bit>,
    _activity: Activity,
}

impl Logic for Block19 {
    #[hdl_gen]
    fn update(&mut self) {
        let v0 = self.i1.val();
        let mut m1 = ((!self.i5.val()) << 1_u64);
        let v2 = bit_cast::<10, 43>(bit_cast::<43, 8>(self.i8.val())).get_bits::<16>(4).any();
        if ((self.i31.val() >= 0x4_u64) & self.i63.val().get_bit(39)) {
            let v3 = (((bit_cast::<19, 3>(self.i3.val()) | bit_cast::<19, 64>(self.i64.val())) >> 16_u64) ^ (bit_cast::<19, 16>(self.i16.val()).replace_bit(bit_cast::<4, 31>(self.i31.val()).index(), v2) + (bits::<19>(0x7ffff) - bit_cast::<19, 32>(self.i32.val()))));
            m1 = ((self.i5.val() - self.i5.val()) + (!m1)).replace_bit(2, self.p.val());
            let v4 = (self.i31.val().get_bits::<16>(self.i2.val().index() * 3) ^ self.i31.val().get_bits::<16>(self.i2.val().index() + 1)).get_bits::<8>(11);
            m1 = ((self.i5.val() + m1) + bit_cast::<5, 1>(self.i1.val()));
        } else {
            let v5 = (!self.i48.val()).replace_bit(m1.index(), (self.q.val() | self.q.val())).get_bits::<63>((self.i3.val().replace_bit(2, self.q.val()) - self.i3.val()).index());
            m1 = bit_cast::<5, 63>((v5 + self.i63.val()).replace_bit((!m1).index(), (bit_cast::<47, 63>(self.i63.val()) == 0x7_u64)));
        }
        let v6 = ((bit_cast::<28, 2>(self.i2.val()) + bit_cast::<28, 33>(self.i33.val())) + ((bit_cast::<28, 5>(m1) & bits::<28>(0x3)) + self.i33.val().get_bits::<28>(13)));
        let mut m7 = ((self.q.val() & self.q.val()) | self.i8.val().xor());
        if (!(self.i1.val() != self.i1.val())) {
            let v8 = ((bit_cast::<35, 46>(bit_cast::<46, 5>(self.i5.val())) << 31_u64) == 0x4_u64);
            m7 = (((self.i1.val() >> bit_cast::<4, 8>(self.i8.val())) + v0) <= (self.i16.val() >> self.i5.val()).get_bits::<1>(bits::<6>(0x3f).replace_bit(self.i2.val().index(), m7).index()));
            let v9 = bit_cast::<8, 33>((m1.get_bits::<33>(self.i3.val().index() + 1) >> 4_u64));
            m7 = ((self.i33.val() >= self.i33.val()) | (self.i5.val() == m1));
        } else {
            let v10 = ((bits::<51>(0x583bd1c90ec11) ^ bits::<51>(0x3abbc8faaa7a1)) + (bit_cast::<51, 33>(self.i33.val()) + bit_cast::<51, 1>(self.i1.val()))).replace_bit((!self.i13.val().get_bits::<5>(self.i1.val().index() * 3)).index(), ((bit_cast::<23, 48>(self.i48.val()) | bit_cast::<23, 1>(v0)) > (bit_cast::<23, 48>(self.i48.val()) & bit_cast::<23, 16>(self.i16.val()))));
            m7 = self.p.val();
        }
        let v11 = (((v2 || self.q.val()) && (bit_cast::<40, 48>(self.i48.val()) > bit_cast::<40, 5>(m1))) | ((m7 || self.q.val()) & (m7 && self.q.val())));
        let mut m12 = (self.i13.val() + (self.i13.val() & self.i13.val()));
        let v13 = bit_cast::<34, 64>((self.i64.val() - self.i64.val())).get_bits::<8>(7);
        if bit_cast::<1, 13>(self.i13.val()).get_bit(0) {
            let v14 = (bit_cast::<9, 13>(self.i13.val()).get_bits::<26>(5).get_bits::<38>(21) + (bit_cast::<38, 1>(self.i1.val()) | (!bit_cast::<38, 63>(self.i63.val()))));
            m12 = (bit_cast::<54, 3>(self.i3.val()).get_bits::<1>(self.i5.val().index() * 3) + (v0 >> self.i1.val())).get_bits::<13>((bit_cast::<5, 59>(bit_cast::<59, 8>(self.i8.val())) + (m1 ^ m1)).index() + 1);
            let v15 = self.q.val();
            m12 = ((self.i13.val() ^ m12) << (bit_cast::<7, 8>(self.i8.val()) + bit_cast::<7, 38>(v14)));
        } else {
            let v16 = (((self.i63.val() != self.i63.val()) ^ m7) && (self.i63.val() + self.i63.val()).get_bit(26));
            m12 = (((self.i13.val() & self.i13.val()) - (!self.i13.val())) - m12.get_bits::<63>(bit_cast::<6, 28>(v6).index() * 3).get_bits::<13>((self.i1.val() - v0).index() * 3));
        }
        self.o0.next = bit_cast::<2, 48>(((self.i48.val() - 0x96b7c9b55d7e_u64) - self.i48.val().replace_bit(m1.index(), v11)).replace_bit(16, (self.q.val() & (bit_cast::<34, 33>(self.i33.val()) > bit_cast::<34, 48>(self.i48.val())))));
        self.o1.next = bit_cast::<39, 33>((((self.i33.val() + self.i33.val()) + self.i63.val().get_bits::<33>(self.i1.val().index() * 3)) & (self.i33.val().replace_bit(32, v11) + self.i33.val())));
        self.o2.next = ((((v0 << bit_cast::<6, 63>(self.i63.val())) | v0) & (self.i13.val().get_bits::<1>(7) | (v0 << 1_u64))) + (!(bit_cast::<26, 63>(self.i63.val()) - bit_cast::<26, 63>(self.i63.val()))).get_bits::<1>(((self.i5.val() >> bit_cast::<6, 5>(m1)) ^ (self.i5.val() - self.i5.val())).index() * 4 + 2));
        self.o3.next = v13;
        self.o4.next = bit_cast::<33, 8>(v13);
        self.o5.next = (bit_cast::<54, 8>(v13) >> 28_u64).replace_bit(4, (v11 || self.q.val())).get_bits::<63>(bit_cast::<4, 16>(self.i16.val()).index()).get_bit(bit_cast::<59, 48>((self.i48.val() + self.i48.val())).get_bits::<5>(bit_cast::<32, 32>(self.i32.val()).get_bits::<5>(30).index() + 1).index());
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
    pub o0: Signal<Out, Bits<8>>,
    pub o1: Signal<Out, Bits<2>>,
    pub o2: Signal<Out, Bits<63>>,
    pub o3: Signal<Out, Bits<50>>,
    pub o4: Signal<Out, Bits<8>>,
    pub o5: Signal<Out, Bits<13>>,
    _activity: Activity,
}

impl Logic for Block20 {
    #[hdl_gen]
    fn update(&mut self) {
        let v0 = ((self.i2.val().replace_bit(0, self.p.val()) & self.i2.val()) + ((self.i2.val() | self.i2.val()) & (!self.i2.val())));
        let mut m1 = ((self.i48.val() << 26_u64) > (self.i48.val() ^ 0xa000d236d877_u64));
        let v2 = self.i31.val();
        if (!(self.i31.val() > v2)) {
            let v3 = bit_cast::<36, 1>((self.i1.val() + (!self.i1.val())));
            m1 = self.p.val();
            let v4 = ((bit_cast::<15, 48>(self.i48.val()) ^ (bit_cast::<15, 5>(self.i5.val()) & 0x707c_u64)) + ((bit_cast::<15, 32>(self.i32.val()) - bits::<15>(0x7376)) ^ (bits::<15>(0x1727) | bit_cast::<15, 3>(self.i3.val()))));
            m1 = ((self.i64.val() << 34_u64) <= self.i5.val().get_bits::<64>(self.i3.val().index() + 1));
        } else {
            let v5 = (bit_cast::<16, 1>(self.i1.val()) << 4_u64).get_bit(1);
            m1 = ((self.i1.val() - 0x1_u64) << 1_u64).any();
        }
        let v6 = (((self.i32.val() ^ self.i32.val()) | (self.i32.val() << 20_u64)) < bit_cast::<32, 64>(bit_cast::<54, 2>(self.i2.val()).get_bits::<64>(bit_cast::<6, 48>(self.i48.val()).index())));
        let mut m7 = (bit_cast::<61, 63>(self.i63.val()) >= bit_cast::<61, 2>(v0));
        let v8 = bit_cast::<48, 46>(bit_cast::<46, 8>(self.i8.val()));
        if ((self.i13.val() ^ self.i13.val()) == 0x1_u64) {
            let v9 = bit_cast::<63, 13>((bit_cast::<13, 3>(self.i3.val()) ^ v8.get_bits::<13>(bit_cast::<6, 64>(self.i64.val()).index() * 4 + 2)));
            m7 = (bit_cast::<44, 48>(self.i48.val()) + bit_cast::<44, 63>(self.i63.val())).replace_bit(40, (self.i8.val() == self.i8.val())).get_bit((self.i5.val() + 0x7_u64).replace_bit(2, (self.i3.val() != self.i3.val())).index());
            let v10 = (((self.i63.val() + self.i63.val()) + bit_cast::<63, 2>(self.i2.val())) - ((self.i63.val() + 0x0_u64) << 63_u64));
            m7 = ((v10 << 19_u64) >= (v9 + 0x4_u64));
        } else {
            let v11 = ((self.i13.val().replace_bit(9, self.q.val()) + (!self.i13.val())) & self.i13.val());
            m7 = (bit_cast::<51, 48>(self.i48.val()) > (bit_cast::<51, 5>(self.i5.val()) << 16_u64).replace_bit((!self.i5.val()).index(), (!self.q.val())));
        }
        let v12 = (!self.i33.val()).get_bits::<63>(5);
        let mut m13 = ((!bit_cast::<46, 64>(self.i64.val())) ^ bit_cast::<46, 31>(v2));
        if (!(m1 | self.q.val())) {
            let v8 = self.i3.val();
            m13 = (((m13 >> bits::<6>(0x3f)) + (m13 + m13)) + m13);
            let v0 = (((self.i5.val() + self.i5.val()) | 0xa_u64) >> ((self.i5.val() & self.i5.val()) + (self.i5.val() - self.i5.val())));
            m13 = (self.i64.val().get_bits::<46>(58) ^ (m13 - m13));
        } else {
            let v14 = (bit_cast::<45, 31>((v2 & v2)) & 0x0_u64);
            m13 = (((m13 - m13) - bit_cast::<44, 3>(self.i3.val()).get_bits::<46>(5)) >> self.i5.val());
        }
        self.o0.next = (bit_cast::<50, 16>(self.i16.val()) >> 16_u64).replace_bit((self.i5.val() & self.i5.val()).index(), m1).get_bits::<15>(14).get_bits::<8>((!((self.i2.val() << 1_u64) ^ v0)).index() + 1);
        self.o1.next = ((self.i48.val() + (self.i48.val() ^ self.i48.val())).get_bits::<2>(7) - (self.i5.val().get_bits::<31>(1).get_bits::<2>((self.i3.val() + self.i3.val()).index() + 1) & 0x2_u64));
        self.o2.next = bit_cast::<63, 31>(bit_cast::<16, 3>(self.i3.val()).get_bits::<1>((self.i5.val() + self.i5.val()).index() * 4 + 2).get_bits::<31>(0));
        self.o3.next = (!(bit_cast::<50, 5>(self.i5.val()) >> 26_u64));
        self.o4.next = ((((!self.i8.val()) + (self.i8.val() << 0_u64)) & ((self.i8.val() & self.i8.val()) >> bit_cast::<7, 5>(self.i5.val()))) + (((self.i8.val() - 0x1_u64) + self.i8.val()) >> 4_u64));
        self.o5.next = (self.i13.val() + 0x1fff_u64);
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
    pub o0: Signal<Out, Bits<59>>,
    pub o1: Signal<Out, Bits<8>>,
    pub o2: Signal<Out, Bit>,
    pub o3: Signal<Out, Bits<2>>,
    pub o4: Signal<Out, Bits<58>>,
    pub o5: Signal<Out, Bits<31>>,
    _activity: Activity,
}

impl Logic for Block21 {
    #[hdl_gen]
    fn update(&mut self) {
        let v0 = (!self.i16.val()).get_bits::<64>(self.i32.val().get_bits::<4>(23).index()).get_bits::<32>(53);
        let mut m1 = ((self.i63.val() >> bits::<4>(0xf)) ^ 0x7fffffffffffffff_u64);
        let v2 = bit_cast::<3, 5>(((self.i5.val() ^ self.i5.val()) + (self.i5.val() + self.i5.val())));
        if (self.i64.val() ^ self.i64.val()).all() {
            let v3 = (((self.i31.val() | self.i31.val()) & self.i31.val()) | bit_cast::<31, 1>(self.i1.val()).replace_bit(23, bit_cast::<11, 1>(self.i1.val()).get_bit(4)));
            m1 = (((m1 | m1) ^ (m1 & m1)) << 51_u64);
            let v4 = bit_cast::<32, 52>(bits::<52>(0x0)).replace_bit(self.i5.val().index(), (self.i48.val() == 0x7_u64)).get_bits::<31>(24);
            m1 = ((self.i63.val() + m1) >> 46_u64);
        } else {
            let v5 = ((!self.i64.val().replace_bit(50, self.p.val())) + 0x8a2176c0021fe430_u64);
            m1 = bit_cast::<63, 8>((bit_cast::<8, 13>(self.i13.val()) & (self.i8.val() + self.i8.val())));
        }
        let v6 = ((self.i2.val() + 0x2_u64) ^ 0x1_u64);
        let mut m7 = (self.i32.val() < 0x44c2b254_u64);
        let v8 = (bit_cast::<23, 13>(self.i13.val()).replace_bit(10, self.p.val()) >> 4_u64).get_bits::<8>(18);
        if bit_cast::<5, 2>(self.i2.val()).get_bit((v6 & self.i2.val()).index()) {
            let v9 = (v2 + v2).get_bits::<33>((self.i5.val() | self.i5.val()).index() * 4 + 2).all();
            m7 = (((self.i63.val() & self.i63.val()) + self.i8.val().get_bits::<63>(0)) > ((m1 + self.i63.val()) + m1));
            let v10 = (bit_cast::<5, 31>(self.i31.val()).get_bits::<8>((bit_cast::<4, 3>(v2) ^ bits::<4>(0x6)).index()) - ((self.i8.val() + self.i8.val()) & (v8 | self.i8.val())));
            m7 = m7;
        } else {
            let v11 = (bit_cast::<46, 8>((v8 + self.i8.val())) + ((bits::<46>(0x0) + bit_cast::<46, 32>(v0)) & bit_cast::<46, 5>(self.i5.val())));
            m7 = ((!self.i1.val().get_bit(0)) | ((self.i48.val() + self.i48.val()) > v0.get_bits::<48>(31)));
        }
        let v12 = ((self.i48.val().get_bits::<31>(40) ^ (self.i31.val() << bit_cast::<6, 63>(self.i63.val()))) > ((self.i31.val() + self.i31.val()) >> 26_u64));
        let mut m13 = ((self.i13.val() << 10_u64) >= (self.i13.val() + self.i13.val()));
        let v14 = self.i63.val();
        if ((self.i48.val() != self.i48.val()) || (self.q.val() | m13)) {
            let v0 = (((!self.i16.val()) << 16_u64) & (!(self.i16.val() ^ self.i16.val())));
            m13 = self.i2.val().get_bit(0);
            let v15 = (!bit_cast::<1, 13>(bit_cast::<13, 2>(v6)));
            m13 = (!(self.i63.val() >= m1));
        } else {
            let v16 = (((self.i33.val() + 0x1ffffffff_u64) >> 2_u64) + ((self.i33.val() & 0x1ffffffff_u64) - (self.i33.val() ^ self.i33.val())));
            m13 = ((self.i13.val() - (self.i13.val() & self.i13.val())) > (self.i13.val() & (self.i13.val() + self.i13.val())));
        }
        self.o0.next = (bit_cast::<59, 64>((self.i64.val() - (self.i64.val() >> 40_u64))) & ((self.i31.val().get_bits::<59>(5) & bit_cast::<59, 5>(self.i5.val())) ^ (!(!bit_cast::<59, 13>(self.i13.val())))));
        self.o1.next = bit_cast::<8, 16>((self.i16.val() ^ 0xa6b5_u64));
        self.o2.next = (((self.i13.val() + (self.i13.val() << 8_u64)) == ((self.i13.val() & 0x1fff_u64) >> 7_u64)) | (((self.i5.val() - self.i5.val()) == self.i5.val()) & (bit_cast::<48, 2>(self.i2.val()) != 0x302df023b108_u64)));
        self.o3.next = (!bit_cast::<13, 3>(bits::<9>(0x19).get_bits::<3>(1))).get_bits::<2>(((v14 - self.i63.val()) >> 52_u64).get_bits::<1>(bit_cast::<3, 8>(v8).index() * 4 + 2).index() * 3);
        self.o4.next = (((v8 << bit_cast::<7, 2>(self.i2.val())) + self.i64.val().get_bits::<8>(6)) + v8).get_bits::<58>(bit_cast::<4, 31>((self.i5.val().get_bits::<31>(4) - (self.i31.val() ^ self.i31.val()))).index());
        self.o5.next = (((v6 | v6) ^ (v6 >> bit_cast::<4, 48>(self.i48.val()))) - ((self.i2.val() << 1_u64) & 0x3_u64)).get_bits::<31>((((bit_cast::<6, 3>(self.i3.val()) - bit_cast::<6, 2>(self.i2.val())) - (bit_cast::<6, 3>(self.i3.val()) + bit_cast::<6, 2>(self.i2.val()))) + (self.i33.val().get_bits::<6>(32) ^ (bit_cast::<6, 3>(v2) & bits::<6>(0x5)))).index() * 3);
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
    pub o0: Signal<Out, Bits<30>>,
    pub o1: Signal<Out, Bits<13>>,
    pub o2: Signal<Out, Bits<34>>,
    pub o3: Signal<Out, Bits<2>>,
    pub o4: Signal<Out, Bits<63>>,
    pub o5: Signal<Out, Bits<5>>,
    _activity: Activity,
}

impl Logic for Block22 {
    #[hdl_gen]
    fn update(&mut self) {
        let v0 = self.i33.val();
        let mut m1 = (bit_cast::<3, 58>(bits::<58>(0x15ac008377ad807)) << 3_u64);
        if ((self.i32.val() ^ 0xffffffff_u64) < 0x8a88f72e_u64) {
            let v2 = bit_cast::<13, 31>(bit_cast::<28, 63>(self.i63.val()).get_bits::<48>(10).get_bits::<31>((bit_cast::<6, 13>(self.i13.val()) >> bit_cast::<4, 16>(self.i16.val())).index() * 4 + 2));
            m1 = (!(!(!m1)));
            let v3 = (((!self.i5.val()) + (self.i5.val() - self.i5.val())) << ((m1 - m1) | 0x7_u64));
            m1 = (self.i2.val().get_bits::<3>(2) | (self.i3.val() >> self.i5.val()));
        } else {
            let v4 = (self.i33.val().replace_bit(self.i5.val().index(), self.p.val()).get_bits::<64>((m1 - 0x5_u64).index()) == self.i64.val());
            m1 = bit_cast::<3, 16>((self.i16.val() & 0xffff_u64));
        }
        let v5 = self.i8.val();
        let mut m6 = ((self.i13.val() << bit_cast::<7, 8>(v5)) == (self.i13.val() ^ self.i13.val()));
        let v7 = (self.i1.val() ^ self.i1.val()).get_bits::<63>(1).replace_bit(12, (!self.i32.val()).any());
        if self.q.val() {
            let v8 = (self.i13.val() <= ((self.i13.val() & self.i13.val()) + 0x5_u64));
            m6 = (bit_cast::<57, 16>(self.i16.val()) == 0x129c6b3a1dc3205_u64);
            let v9 = (self.i8.val() | ((self.i8.val() + self.i8.val()) & (self.i8.val() ^ self.i8.val())));
            m6 = (bit_cast::<20, 3>(m1).get_bits::<48>(18) < (self.i48.val() + self.i48.val()));
        } else {
            let v10 = ((bit_cast::<16, 63>(v7) << 9_u64) ^ self.i5.val().get_bits::<16>(5));
            m6 = (((self.i63.val() != self.i63.val()) == (self.i63.val() != self.i63.val())) || (self.i64.val().get_bits::<32>(64) > bit_cast::<32, 8>(self.i8.val())));
        }
        let v11 = ((v7 + self.i63.val()).get_bits::<8>(bits::<27>(0x3a74146).get_bits::<4>(self.i1.val().index() + 1).index()) & (self.i2.val().get_bits::<8>(1) << 3_u64));
        let mut m12 = ((!self.i13.val()) + bit_cast::<13, 13>(self.i13.val()));
        let v8 = (bit_cast::<32, 31>((self.i31.val() | self.i31.val())) <= ((self.i32.val() ^ 0x1_u64) << 5_u64));
        if self.q.val() {
            let v13 = bit_cast::<2, 62>((!bit_cast::<27, 31>(self.i31.val())).get_bits::<62>(25));
            m12 = (bit_cast::<17, 8>(v11).get_bits::<13>(v13.index() * 3) + (self.i13.val() ^ self.i13.val())).replace_bit(m1.index(), ((m12 << bit_cast::<6, 16>(self.i16.val())) == (self.i13.val() | self.i13.val())));
            let v14 = ((bit_cast::<13, 2>(self.i2.val()) ^ (self.i13.val() - self.i13.val())) + (bit_cast::<20, 13>(m12) - bit_cast::<20, 31>(self.i31.val())).get_bits::<13>((self.i5.val() ^ self.i5.val()).index() * 4 + 2));
            m12 = (!(self.i13.val() & v14));
        } else {
            let v15 = ((bit_cast::<23, 8>(v5) << 15_u64) >> bit_cast::<6, 64>(self.i64.val())).get_bits::<8>((bit_cast::<6, 48>(self.i48.val()) ^ self.i1.val().get_bits::<6>(0)).index());
            m12 = ((!self.i13.val()) | 0x6_u64).replace_bit(((self.i3.val() | 0x7_u64) << (self.i5.val() | self.i5.val())).index(), (bit_cast::<11, 48>(self.i48.val()) != (!bit_cast::<11, 31>(self.i31.val()))));
        }
        self.o0.next = ((self.i1.val().get_bits::<30>(1) + bit_cast::<30, 64>((self.i64.val() + self.i64.val()))) ^ 0x5_u64);
        self.o1.next = (bit_cast::<13, 8>(((v11 + v11) | (v5 + v5))) - ((!(m12 - 0x0_u64)) << 6_u64));
        self.o2.next = bit_cast::<34, 31>(bit_cast::<31, 1>(self.i1.val()));
        self.o3.next = bit_cast::<2, 61>(bit_cast::<61, 2>((self.i2.val().replace_bit(0, self.q.val()) + (self.i2.val() >> self.i1.val()))));
        self.o4.next = (self.i32.val().get_bits::<63>(11).get_bits::<64>(bit_cast::<6, 48>(self.i48.val()).index() * 4 + 2).get_bits::<63>((bit_cast::<4, 31>(self.i31.val()) - (bit_cast::<4, 2>(self.i2.val()) | bit_cast::<4, 63>(self.i63.val()))).index() + 1) & ((bit_cast::<63, 32>(self.i32.val()) >> 38_u64) >> ((m1 + self.i3.val()) >> 0_u64)));
        self.o5.next = bit_cast::<5, 64>(bit_cast::<64, 33>(((v0 + v0) << 19_u64)));
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
    pub o0: Signal<Out, Bits<31>>,
    pub o1: Signal<Out, Bits<64>>,
    pub o2: Signal<Out, Bit>,
    pub o3: Signal<Out, Bits<63>>,
    pub o4: Signal<Out, Bits<36>>,
    pub o5: Signal<Out, Bit>,
    _activity: Activity,
}

impl Logic for Block23 {
    #[hdl_gen]
    fn update(&mut self) {
        let v0 = self.i32.val();
        let mut m1 = self.p.val();
        if (self.i1.val() | 0x0_u64).get_bit(0) {
            let v2 = (((self.i2.val() & self.i2.val()) | (self.i2.val() >> 2_u64)) | self.i2.val());
            m1 = (((self.i1.val() & self.i1.val()) & 0x1_u64) != 0x1_u64);
            let v3 = ((!bit_cast::<1, 64>(self.i64.val())) & ((self.i1.val() | self.i1.val()) + (self.i1.val() - self.i1.val())));
            m1 = ((!self.i8.val()) == (self.i8.val() ^ self.i8.val()));
        } else {
            let v4 = (((bit_cast::<41, 8>(self.i8.val()) << 3_u64) + (!bit_cast::<41, 31>(self.i31.val()))) & bits::<23>(0x6fc3e7).get_bits::<2>(self.i1.val().index()).get_bits::<41>(bit_cast::<6, 8>(self.i8.val()).index()));
            m1 = (!m1);
        }
        let v5 = self.i3.val();
        let mut m6 = (self.i33.val() - 0x1ffffffff_u64);
        if (!(self.i2.val() != 0x0_u64)) {
            let v7 = ((!bit_cast::<25, 3>(self.i3.val())) - (!bit_cast::<25, 16>(self.i16.val()))).get_bits::<50>(8);
            m6 = ((self.i8.val() << bit_cast::<6, 63>(self.i63.val())).get_bits::<33>((bit_cast::<6, 1>(self.i1.val()) | bit_cast::<6, 33>(self.i33.val())).index() * 3) >> 22_u64);
            let v8 = m6.get_bits::<17>(bit_cast::<6, 1>((self.i1.val() & self.i1.val())).index());
            m6 = (m6.replace_bit(6, self.q.val()) ^ self.i33.val());
        } else {
            let v9 = (self.i64.val().get_bits::<7>(bit_cast::<6, 64>(self.i64.val()).index() + 1) & (bit_cast::<7, 13>(self.i13.val()) + bit_cast::<7, 3>(v5))).get_bits::<64>(((v5 >> 3_u64) << 2_u64).index() * 3);
            m6 = ((m6 << 32_u64) ^ 0x10225d8eb_u64).replace_bit((!(self.i5.val() >> self.i5.val())).index(), self.q.val());
        }
        let v10 = (bit_cast::<3, 49>((bit_cast::<49, 33>(self.i33.val()) + bits::<49>(0x11b62e8b7b679))) | ((self.i3.val() << 3_u64) - (self.i3.val() - 0x7_u64)));
        let mut m11 = (bit_cast::<57, 13>(self.i13.val()) & bit_cast::<57, 48>(self.i48.val()));
        if (!(self.i48.val() == self.i48.val())) {
            let v12 = ((bit_cast::<24, 16>(self.i16.val()) >> 17_u64).get_bits::<1>(17) != bit_cast::<1, 64>((!self.i64.val())));
            m11 = (m11 << 45_u64);
            let v13 = ((bit_cast::<63, 28>(bit_cast::<28, 2>(self.i2.val())) - self.i5.val().get_bits::<63>(self.i2.val().index() * 3)) & (self.i63.val() >> 3_u64).replace_bit(35, bits::<19>(0x6).any()));
            m11 = self.i16.val().replace_bit(bit_cast::<4, 64>(self.i64.val()).index(), self.q.val()).get_bits::<57>((v5 + 0x7_u64).index() + 1);
        } else {
            let v14 = (!self.i32.val().get_bits::<33>(12)).replace_bit(25, ((v0 + self.i32.val()) != (v0 << self.i2.val())));
            m11 = (!(self.i16.val() + self.i16.val()).get_bits::<57>(16));
        }
        self.o0.next = ((((self.i31.val() - self.i31.val()) >> self.i48.val().get_bits::<1>(11)) & ((self.i31.val() | self.i31.val()) >> 8_u64)) >> 1_u64);
        self.o1.next = self.i64.val();
        self.o2.next = ((!(self.i2.val() ^ self.i2.val())) ^ (self.i13.val() ^ self.i13.val()).get_bits::<2>((v5 ^ v10).index())).any();
        self.o3.next = (((self.i63.val().get_bits::<63>(35) >> 10_u64) >> ((self.i1.val() >> bits::<4>(0x0)) ^ self.i31.val().get_bits::<1>(self.i5.val().index()))) + (bit_cast::<63, 63>((self.i63.val() | self.i63.val())) | (self.i48.val() ^ self.i48.val()).get_bits::<63>(v0.get_bits::<2>(32).index() * 4 + 2)));
        self.o4.next = ((((bit_cast::<36, 33>(m6) + bit_cast::<36, 63>(self.i63.val())) + (bit_cast::<36, 57>(m11) >> 9_u64)) | bit_cast::<36, 1>(self.i1.val()).replace_bit(self.i5.val().index(), m1)) + (bit_cast::<36, 33>(self.i33.val()) | (!(bit_cast::<36, 64>(self.i64.val()) | bits::<36>(0x33d30bdd1)))));
        self.o5.next = (((self.i16.val() - (self.i16.val() - 0xffff_u64)) ^ bit_cast::<16, 62>(self.i5.val().get_bits::<62>(self.i2.val().index() + 1))) == (((self.i16.val() & self.i16.val()) ^ (self.i16.val() - self.i16.val())) >> 14_u64));
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
    pub o0_0: Signal<Out, Bits<1>>,
    pub o1_0: Signal<Out, Bits<30>>,
    pub o2_0: Signal<Out, Bits<23>>,
    pub o3_0: Signal<Out, Bit>,
    pub o4_0: Signal<Out, Bits<5>>,
    pub o5_0: Signal<Out, Bit>,
    pub o0_1: Signal<Out, Bits<60>>,
    pub o1_1: Signal<Out, Bit>,
    pub o2_1: Signal<Out, Bits<16>>,
    pub o3_1: Signal<Out, Bits<48>>,
    pub o4_1: Signal<Out, Bits<48>>,
    pub o5_1: Signal<Out, Bits<33>>,
    pub o0_2: Signal<Out, Bit>,
    pub o1_2: Signal<Out, Bits<3>>,
    pub o2_2: Signal<Out, Bits<16>>,
    pub o3_2: Signal<Out, Bits<48>>,
    pub o4_2: Signal<Out, Bits<31>>,
    pub o5_2: Signal<Out, Bits<1>>,
    pub o0_3: Signal<Out, Bits<31>>,
    pub o1_3: Signal<Out, Bits<16>>,
    pub o2_3: Signal<Out, Bits<63>>,
    pub o3_3: Signal<Out, Bits<28>>,
    pub o4_3: Signal<Out, Bit>,
    pub o5_3: Signal<Out, Bits<64>>,
    pub o0_4: Signal<Out, Bits<2>>,
    pub o1_4: Signal<Out, Bits<57>>,
    pub o2_4: Signal<Out, Bits<8>>,
    pub o3_4: Signal<Out, Bits<3>>,
    pub o4_4: Signal<Out, Bits<16>>,
    pub o5_4: Signal<Out, Bits<6>>,
    pub o0_5: Signal<Out, Bit>,
    pub o1_5: Signal<Out, Bits<2>>,
    pub o2_5: Signal<Out, Bits<16>>,
    pub o3_5: Signal<Out, Bits<33>>,
    pub o4_5: Signal<Out, Bit>,
    pub o5_5: Signal<Out, Bits<44>>,
    pub o0_6: Signal<Out, Bit>,
    pub o1_6: Signal<Out, Bits<3>>,
    pub o2_6: Signal<Out, Bits<33>>,
    pub o3_6: Signal<Out, Bits<55>>,
    pub o4_6: Signal<Out, Bits<5>>,
    pub o5_6: Signal<Out, Bits<38>>,
    pub o0_7: Signal<Out, Bits<13>>,
    pub o1_7: Signal<Out, Bits<64>>,
    pub o2_7: Signal<Out, Bits<5>>,
    pub o3_7: Signal<Out, Bits<1>>,
    pub o4_7: Signal<Out, Bits<1>>,
    pub o5_7: Signal<Out, Bits<8>>,
    pub o0_8: Signal<Out, Bits<64>>,
    pub o1_8: Signal<Out, Bits<56>>,
    pub o2_8: Signal<Out, Bits<46>>,
    pub o3_8: Signal<Out, Bits<63>>,
    pub o4_8: Signal<Out, Bits<31>>,
    pub o5_8: Signal<Out, Bits<25>>,
    pub o0_9: Signal<Out, Bits<63>>,
    pub o1_9: Signal<Out, Bits<31>>,
    pub o2_9: Signal<Out, Bits<13>>,
    pub o3_9: Signal<Out, Bits<31>>,
    pub o4_9: Signal<Out, Bits<16>>,
    pub o5_9: Signal<Out, Bits<21>>,
    pub o0_10: Signal<Out, Bits<32>>,
    pub o1_10: Signal<Out, Bits<1>>,
    pub o2_10: Signal<Out, Bits<5>>,
    pub o3_10: Signal<Out, Bits<3>>,
    pub o4_10: Signal<Out, Bits<35>>,
    pub o5_10: Signal<Out, Bits<16>>,
    pub o0_11: Signal<Out, Bits<3>>,
    pub o1_11: Signal<Out, Bits<51>>,
    pub o2_11: Signal<Out, Bits<10>>,
    pub o3_11: Signal<Out, Bits<16>>,
    pub o4_11: Signal<Out, Bit>,
    pub o5_11: Signal<Out, Bits<1>>,
    pub o0_12: Signal<Out, Bits<13>>,
    pub o1_12: Signal<Out, Bits<2>>,
    pub o2_12: Signal<Out, Bits<1>>,
    pub o3_12: Signal<Out, Bits<2>>,
    pub o4_12: Signal<Out, Bits<51>>,
    pub o5_12: Signal<Out, Bit>,
    pub o0_13: Signal<Out, Bit>,
    pub o1_13: Signal<Out, Bits<13>>,
    pub o2_13: Signal<Out, Bit>,
    pub o3_13: Signal<Out, Bits<13>>,
    pub o4_13: Signal<Out, Bits<48>>,
    pub o5_13: Signal<Out, Bits<33>>,
    pub o0_14: Signal<Out, Bit>,
    pub o1_14: Signal<Out, Bits<32>>,
    pub o2_14: Signal<Out, Bits<27>>,
    pub o3_14: Signal<Out, Bits<13>>,
    pub o4_14: Signal<Out, Bits<64>>,
    pub o5_14: Signal<Out, Bits<5>>,
    pub o0_15: Signal<Out, Bit>,
    pub o1_15: Signal<Out, Bits<57>>,
    pub o2_15: Signal<Out, Bits<8>>,
    pub o3_15: Signal<Out, Bits<8>>,
    pub o4_15: Signal<Out, Bit>,
    pub o5_15: Signal<Out, Bits<8>>,
    pub o0_16: Signal<Out, Bit>,
    pub o1_16: Signal<Out, Bits<43>>,
    pub o2_16: Signal<Out, Bits<8>>,
    pub o3_16: Signal<Out, Bits<40>>,
    pub o4_16: Signal<Out, Bits<33>>,
    pub o5_16: Signal<Out, Bits<31>>,
    pub o0_17: Signal<Out, Bits<32>>,
    pub o1_17: Signal<Out, Bits<33>>,
    pub o2_17: Signal<Out, Bit>,
    pub o3_17: Signal<Out, Bits<63>>,
    pub o4_17: Signal<Out, Bit>,
    pub o5_17: Signal<Out, Bits<56>>,
    pub o0_18: Signal<Out, Bits<63>>,
    pub o1_18: Signal<Out, Bits<32>>,
    pub o2_18: Signal<Out, Bits<24>>,
    pub o3_18: Signal<Out, Bits<7>>,
    pub o4_18: Signal<Out, Bits<5>>,
    pub o5_18: Signal<Out, Bits<13>>,
    pub o0_19: Signal<Out, Bits<2>>,
    pub o1_19: Signal<Out, Bits<39>>,
    pub o2_19: Signal<Out, Bits<1>>,
    pub o3_19: Signal<Out, Bits<8>>,
    pub o4_19: Signal<Out, Bits<33>>,
    pub o5_19: Signal<Out, Bit>,
    pub o0_20: Signal<Out, Bits<8>>,
    pub o1_20: Signal<Out, Bits<2>>,
    pub o2_20: Signal<Out, Bits<63>>,
    pub o3_20: Signal<Out, Bits<50>>,
    pub o4_20: Signal<Out, Bits<8>>,
    pub o5_20: Signal<Out, Bits<13>>,
    pub o0_21: Signal<Out, Bits<59>>,
    pub o1_21: Signal<Out, Bits<8>>,
    pub o2_21: Signal<Out, Bit>,
    pub o3_21: Signal<Out, Bits<2>>,
    pub o4_21: Signal<Out, Bits<58>>,
    pub o5_21: Signal<Out, Bits<31>>,
    pub o0_22: Signal<Out, Bits<30>>,
    pub o1_22: Signal<Out, Bits<13>>,
    pub o2_22: Signal<Out, Bits<34>>,
    pub o3_22: Signal<Out, Bits<2>>,
    pub o4_22: Signal<Out, Bits<63>>,
    pub o5_22: Signal<Out, Bits<5>>,
    pub o0_23: Signal<Out, Bits<31>>,
    pub o1_23: Signal<Out, Bits<64>>,
    pub o2_23: Signal<Out, Bit>,
    pub o3_23: Signal<Out, Bits<63>>,
    pub o4_23: Signal<Out, Bits<36>>,
    pub o5_23: Signal<Out, Bit>,
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
        self.o0_23.next = self.block23.o0.val();
        self.o1_23.next = self.block23.o1.val();
        self.o2_23.next = self.block23.o2.val();
        self.o3_23.next = self.block23.o3.val();
        self.o4_23.next = self.block23.o4.val();
        self.o5_23.next = self.block23.o5.val();
    }
}
