#!/bin/sh
# Writes NAME.ptx from NAME.cl: make.sh NAME... Only `code` may contract multiplications and additions.
for name; do
    contract=off
    [ "$name" = code ] && contract=on
    clang-19 -S -o "$name.ptx" -x cl -target nvptx--nvidiacl -Xclang -target-cpu -Xclang sm_20 -cl-std=CL1.2 \
        -Xclang -finclude-default-header -O2 -Xclang -cl-ext=-all,+cl_khr_byte_addressable_store \
        -ffp-contract=$contract "$name.cl" || exit
done
