#!/bin/sh
# Simulates a fault campaign as an array job of Slurm, and merges its shards when all have ended.
#
#     flexgrip faults plan sort --count 1000000 --output build/faults/large
#     examples/faults/cluster/slurm.sh build/faults/large 256 --time=1:00:00
#     squeue --me
#
# Arguments after the number of shards are options of sbatch. All nodes must see the folder, the kernel and the program
# under the same paths. The program is $FLEXGRIP, or `flexgrip` in PATH. Each shard's messages are in CAMPAIGN/slurm. A
# shard whose node fails, or whose program is killed, is queued again and continues; complete shards end at once. After
# any other failure, such as a time limit that is too short, submit again. `slurm.sh CAMPAIGN merge` merges by hand.
#SBATCH --job-name=faults
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --cpus-per-task=1
set -eu

program=${FLEXGRIP:-flexgrip}
if [ $# -lt 2 ]; then
	echo 'usage: slurm.sh CAMPAIGN SHARDS [OPTION OF SBATCH]...' >&2
	exit 2
fi
campaign=$1 shards=$2
shift 2

if [ "$shards" = merge ]; then
	exec "$program" faults merge "$campaign"
fi

if [ -z "${SLURM_ARRAY_TASK_ID:-}" ]; then
	mkdir -p "$campaign/slurm"
	array=$(sbatch --parsable --array="0-$((shards - 1))" --output="$campaign/slurm/%A-%a.log" "$@" "$0" "$campaign" "$shards")
	# The job number; with several clusters, a name follows it.
	array=${array%%;*}
	merge=$(sbatch --parsable --dependency="afterok:$array" --kill-on-invalid-dep=yes --output="$campaign/slurm/%j-merge.log" \
		"$@" "$0" "$campaign" merge)
	echo "job $array: $shards shards; job ${merge%%;*}: merge"
	exit
fi

shard=$SLURM_ARRAY_TASK_ID
results=$campaign/results-$shard-of-$shards.csv
# The first line of each file is the header.
faults=$(awk -F, -v shards="$shards" -v shard="$shard" 'NR > 1 && $1 % shards == shard' "$campaign/faults.csv" | wc -l)
if [ -f "$results" ] && [ "$(wc -l < "$results")" -gt "$faults" ]; then
	echo "shard $shard/$shards is complete"
	exit
fi

status=0
"$program" faults run "$campaign" --shard "$shard/$shards" --jobs "${SLURM_CPUS_PER_TASK:-1}" || status=$?
# Above 128: killed by a signal, for example for lack of memory. Slurm itself only requeues jobs that a node has lost.
if [ "$status" -gt 128 ] && [ "${SLURM_RESTART_COUNT:-0}" -lt 20 ]; then
	echo "shard $shard/$shards: signal $((status - 128)), queued again"
	scontrol requeue "${SLURM_ARRAY_JOB_ID}_$shard"
fi
exit "$status"
