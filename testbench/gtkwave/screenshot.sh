#!/bin/bash
# Takes a screenshot of GTKWave with some cycles of a kernel, on a virtual screen.
#
#   screenshot.sh FLEXGRIP KERNEL PICTURE.png [FIRST_CYCLE [LAST_CYCLE]]
#
# FLEXGRIP is the program. Needs gtkwave, vcd2fst and xvfb-run. The picture is GTKWave's own ("Grab To File") of the
# save file that `flexgrip run --wave` wrote for the warp scheduler, so it shows what every user of that file sees.
set -eu -o pipefail

if [ $# -lt 3 ]; then
    echo "usage: screenshot.sh FLEXGRIP KERNEL PICTURE.png [FIRST_CYCLE [LAST_CYCLE]]" >&2
    exit 2
fi
flexgrip=$(realpath "$1")
kernel=$2
picture=$(realpath -m "$3")
first=${4:-110}
last=${5:-160}
for tool in gtkwave vcd2fst xvfb-run; do
    command -v $tool > /dev/null || { echo "screenshot.sh: $tool is not installed" >&2; exit 1; }
done

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$flexgrip" run "$kernel" --wave "$folder/$(basename "$kernel").fst" --wave-from "$first" --wave-to "$last" \
    --wave-scope 'top.sm[0].scheduler,top.sm[0].trace' > /dev/null

# The title contains the path of the waves; with a plain file name, the picture does not depend on the folder.
sed -i "s|^\[dumpfile\].*|[dumpfile] \"$(basename "$kernel").fst\"|" "$folder"/*.scheduler.gtkw

cat > "$folder/grab.tcl" << TCL
gtkwave::setWindowStartTime [expr {$first * 10}]
gtkwave::/File/Grab_To_File {$folder/picture.png}
gtkwave::/File/Quit
TCL
# Ignores the user's settings. The tree of scopes takes space and shows nothing useful here.
cat > "$folder/gtkwaverc" << RC
splash_disable on
hide_sst on
RC
(cd "$folder" && timeout 120 xvfb-run --auto-servernum --server-args "-screen 0 1700x1100x24" \
    gtkwave --rcfile gtkwaverc --script grab.tcl ./*.scheduler.gtkw > gtkwave.log 2>&1) \
    || { cat "$folder/gtkwave.log" >&2; exit 1; }
if [ ! -s "$folder/picture.png" ]; then
    cat "$folder/gtkwave.log" >&2
    echo "screenshot.sh: GTKWave has made no picture" >&2
    exit 1
fi
mkdir -p "$(dirname "$picture")"
mv "$folder/picture.png" "$picture"
