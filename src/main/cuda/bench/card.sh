#!/usr/bin/env bash
# Measures a card, one step at a time, each in less than ten minutes. What a step prints is kept in FOLDER.
#
#   card.sh STEP FOLDER [--try]
#
#   card        clocks, power, devices, time of the first and second load of the kernels
#   agreement   logits and tokens against the reference pass; go on only if it passes
#   races       every kernel once; dependent launches against ordinary ones; products by wgmma likewise
#   memcheck, racecheck, synccheck   tools of compute-sanitizer over the same kernels
#   kernels     time of each kernel beside reads, the tensor-core instruction and cuBLASLt (where the loader finds it),
#               from C++ and from Java
#   profile     ncu on the kernels that decide
#   steps       whole steps of an 8 B and a 1.1 B model in BF16, FP8 and INT4
#   engines     builds TinyLlama in BF16, FP8 and INT4 for the steps below
#   precisions  records: the three engines with 1, 16 and 64 requests in flight
#   schedulers  records: schedulers, and parallel against simple
#   memory      records: the three engines with prompts of three lengths
#   launches    records: graphs off and on, top-p with 64 requests in flight
#   all         every step in turn, until one fails
#
# Needs beside it, or named by variables: INFEROMETER (./inferometer of the worker archive), KERNEL_BENCH
# (./kernel_bench, made by build.sh --bench), KERNELS (./kernels-sm89.ptx), DEPENDENT_KERNELS (./kernels-sm90.ptx) and
# WARPGROUP_KERNELS (./kernels-sm90a.ptx).
# --try takes the smallest sizes, to see that every step runs, as on an emulated device; its figures mean nothing.
# The last lines name the parts that were skipped in FOLDER.
set -euo pipefail

inferometer=${INFEROMETER:-./inferometer}
bench=${KERNEL_BENCH:-./kernel_bench}
kernels=${KERNELS:-./kernels-sm89.ptx}
dependent_kernels=${DEPENDENT_KERNELS:-./kernels-sm90.ptx}
warpgroup_kernels=${WARPGROUP_KERNELS:-./kernels-sm90a.ptx}
step=${1:-}
out=${2:-}
trying=${3:-}
all=(card agreement races memcheck racecheck synccheck kernels profile steps engines precisions schedulers memory launches)

usage() {
    sed -n '2,/^set/s/^#//p' "$0" >&2
    exit 2
}

[[ -n $step && -n $out && ( -z $trying || $trying == --try ) ]] || usage
small=()
[[ -z $trying ]] || small=(--small)
mkdir -p "$out"

fail() {
    echo "card.sh: $*" >&2
    exit 1
}

# within NAME COMMAND...: runs it within what is left of the ten minutes of the step.
within() {
    local name=$1 left=$((step_ends - SECONDS)) status=0
    shift
    (( left > 0 )) || fail "no time was left for $name: the step has taken ten minutes"
    timeout --foreground "$left" "$@" || status=$?
    (( status != 124 )) || fail "$name was ended: the step has taken ten minutes"
    (( status == 0 )) || fail "$name failed with status $status; see $out"
}

# keep NAME COMMAND...: shows and keeps the output.
keep() {
    echo "== $1: ${*:2}"
    within "$@" 2>&1 | tee "$out/$1.txt"
}

# check NAME: a self-check, which must have found a GPU; keeps its figures as JSON.
check() {
    echo "== $1: $inferometer selfcheck --only cuda_$1"
    within "$1" "$inferometer" selfcheck --only "cuda_$1" --json "${small[@]}" | tee "$out/$1.json"
    ! grep -q NOT_CHECKED "$out/$1.json" || fail "the GPU was not checked; see $out/$1.json"
}

# present TOOL: whether it is installed; says that its part is skipped if not.
present() {
    command -v "$1" > /dev/null || { echo "skipped: $1 is not installed" | tee -a "$out/skipped.txt"; return 1; }
}

# With --try, the sizes after --; else those before.
sized() {
    local full=() small=() before=1
    for word in "$@"; do
        if [[ $word == -- ]]; then before=0; elif (( before )); then full+=("$word"); else small+=("$word"); fi
    done
    if [[ -n $trying ]]; then printf '%s\n' "${small[@]}"; else printf '%s\n' "${full[@]}"; fi
}

card() {
    if present nvidia-smi; then keep nvidia-smi nvidia-smi -q -d CLOCK,POWER,MEMORY; fi
    keep devices "$inferometer" devices
    local cache time start
    cache=$(mktemp -d)
    for time in first second; do
        start=$EPOCHREALTIME
        CUDA_CACHE_PATH=$cache "$bench" "$kernels" --tiny --only launch > /dev/null
        echo "$time load: $(awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.2f s", b - a }')" |
            tee -a "$out/loads.txt"
    done
    rm -rf "$cache"
}

agreement() {
    check agreement
}

# takes WHAT NEEDS OPTION...: whether the card takes the kernels of these options; says that WHAT is skipped if not.
takes() {
    local said
    if said=$("$bench" "${@:3}" --only launch 2>&1); then return 0; fi
    case $said in
        *"cuModuleLoadData answered 2"*) # no binary for the GPU, or PTX that is too new for the driver
            echo "skipped: $1 need compute capability 9.0 and a driver for CUDA $2" | tee -a "$out/skipped.txt"
            return 1
            ;;
    esac
    echo "$said" >&2
    exit 1
}

dependent() { takes "dependent launches" "12.3" "$dependent_kernels" --dependent; }

warpgroups() { takes "products by wgmma" "12.1" "$kernels" --wgmma "$warpgroup_kernels" --tiny; }

# Every kernel of ours, small, under the words given; products by wgmma last, for no card has run them.
everything() {
    local name=$1
    shift
    keep "${name}tiny" "$@" "$bench" "$kernels" --own --tiny
    if dependent; then keep "${name}dependent" "$@" "$bench" "$dependent_kernels" --dependent; fi
    if warpgroups; then
        keep "${name}wgmma" "$@" "$bench" "$kernels" --wgmma "$warpgroup_kernels" --tiny --only wgmma
        if dependent; then
            keep "${name}wgmma-dependent" "$@" "$bench" "$dependent_kernels" --wgmma "$warpgroup_kernels" --dependent \
                --only wgmma
        fi
    fi
}

races() { everything ""; }

# sanitize TOOL
sanitize() {
    present compute-sanitizer || return 0
    everything "$1-" compute-sanitizer --tool "$1" --error-exitcode 1
}

memcheck() { sanitize memcheck; }

racecheck() { sanitize racecheck; }

synccheck() { sanitize synccheck; }

kernels() {
    mapfile -t words < <(sized "$kernels" -- "$kernels" --tiny)
    if warpgroups; then words+=(--wgmma "$warpgroup_kernels"); fi
    keep bench "$bench" "${words[@]}"
    check kernels
}

profile() {
    present ncu || return 0
    local decisive=("int4_gate_up_1 1" "fp8_gate_up_1 1" "fp8_gate_up_2048 2048" "attend_f16_64x4k 1") size=--once each
    if [[ -n $trying ]]; then decisive=("int4_gate_up_1 1" "attend_f16_ragged 1") size=--tiny; fi
    for each in "${decisive[@]}"; do
        keep "ncu-${each% *}" ncu --clock-control none --set full "$bench" "$kernels" "$size" --only "${each% *}" \
            --rows "${each#* }"
    done
    if warpgroups; then
        keep ncu-wgmma ncu --clock-control none --set full "$bench" "$kernels" --wgmma "$warpgroup_kernels" "$size" \
            --only wgmma_fp8_gate_up --rows "$(sized 2048 -- 70)"
    fi
}

steps() {
    check steps
}

model=$(sized tinyllama-1.1b -- tiny)
int4=$model-int4
three=(--engine "$model-bf16" --engine "$model-fp8" --engine "$int4")
mapfile -t common < <(sized --runs 3 --duration 11s -- --runs 1 --requests 2)
common+=(--out "$out/results")
mapfile -t load < <(sized --prompt-tokens 256 --output-tokens 128 -- --prompt-tokens 4 --output-tokens 2)

engines() {
    local precision
    for precision in bf16 fp8 int4; do keep "build-$precision" "$inferometer" engines build "$model-$precision"; done
}

precisions() {
    keep precisions "$inferometer" run "${three[@]}" --workload chat --backend cuda "${common[@]}" "${load[@]}" \
        --sweep "concurrency=$(sized 1,16,64 -- 2)"
}

schedulers() {
    keep schedulers "$inferometer" run --engine "$int4" --scheduler naive --scheduler continuous \
        --scheduler disaggregated --workload chat --backend cuda "${common[@]}" "${load[@]}"
    keep parallel "$inferometer" run --engine "$int4" --scheduler simple --scheduler parallel --workload chat \
        --backend cuda "${common[@]}" "${load[@]}"
}

memory() {
    keep memory "$inferometer" run "${three[@]}" --workload short --backend cuda "${common[@]}" --output-tokens 4 \
        --sweep "prompt_tokens=$(sized 64,512,2000 -- 8,24)"
}

launches() {
    keep graphs "$inferometer" run --engine "$int4" --workload short "${common[@]}" "${load[@]}" \
        --backend cuda:graphs=true --backend cuda:graphs=false
    cat > "$out/top-p.yaml" << END
name: top-p
engines: [$int4]
schedulers: [continuous]
backend: cuda
workloads:
  - preset: chat
    temperature: 0.8
    top_p: 0.9
END
    keep top-p "$inferometer" run "$out/top-p.yaml" "${common[@]}" "${load[@]}" --concurrency "$(sized 64 -- 2)"
}

wanted=("$step")
if [[ $step == all ]]; then wanted=("${all[@]}"); fi
[[ " ${all[*]} " == *" ${wanted[0]} "* ]] || usage
for each in "${wanted[@]}"; do
    step_ends=$((SECONDS + 590))
    "$each"
done
echo "$step: done; see $out"
if [[ -e $out/skipped.txt ]]; then sort -u "$out/skipped.txt"; fi
