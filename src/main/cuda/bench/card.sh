#!/usr/bin/env bash
# Measures a card, one step at a time, each in less than ten minutes. What a step prints is kept in FOLDER.
#
#   card.sh STEP FOLDER [--try]
#
#   card        clocks, power, devices, time of the first and second load of the kernels
#   agreement   logits and tokens against the reference pass; go on only if it passes
#   races       dependent launches against ordinary ones; compute-sanitizer over the kernels: memcheck, racecheck, synccheck
#   kernels     time of each kernel beside reads and the tensor-core instruction, from C++ and from Java
#   profile     ncu on the kernels that decide
#   steps       whole steps of an 8 B and a 1.1 B model in BF16, FP8 and INT4
#   runs        records: precisions, schedulers, parallel against simple, memory, graphs, top-p with 64 requests
#   all         every step in turn, until one fails
#
# Needs beside it, or named by variables: INFEROMETER (./inferometer of the worker archive), KERNEL_BENCH
# (./kernel_bench, made by build.sh --bench), KERNELS (./kernels-sm89.ptx) and DEPENDENT_KERNELS (./kernels-sm90.ptx).
# --try takes the smallest sizes, to see that every step runs, as on an emulated device; its figures mean nothing.
set -euo pipefail

inferometer=${INFEROMETER:-./inferometer}
bench=${KERNEL_BENCH:-./kernel_bench}
kernels=${KERNELS:-./kernels-sm89.ptx}
dependent_kernels=${DEPENDENT_KERNELS:-./kernels-sm90.ptx}
step=${1:-}
out=${2:-}
trying=${3:-}
[[ -n $step && -n $out && ( -z $trying || $trying == --try ) ]] || { sed -n '2,17p' "$0" >&2; exit 2; }
mkdir -p "$out"

# keep NAME COMMAND...: shows and keeps the output; a step has ten minutes.
keep() {
    local name=$1
    shift
    echo "== $name: $*"
    timeout 590 "$@" 2>&1 | tee "$out/$name.txt"
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
    local cache
    cache=$(mktemp -d)
    for load in first second; do
        local start=$EPOCHREALTIME
        CUDA_CACHE_PATH=$cache "$bench" "$kernels" --tiny --only launch > /dev/null
        echo "$load load: $(awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.2f s", b - a }')" |
            tee -a "$out/loads.txt"
    done
    rm -rf "$cache"
}

agreement() {
    if [[ -n $trying ]]; then
        echo "skipped: the agreement check has no small size; tests run it small" | tee -a "$out/skipped.txt"
    else
        keep agreement "$inferometer" selfcheck --only cuda_agreement --json
    fi
}

# Whether the card takes the kernels for dependent launches; says that its part is skipped if not.
dependent() {
    local said
    if said=$("$bench" "$dependent_kernels" --dependent --only launch 2>&1); then return 0; fi
    case $said in
        *"cuModuleLoadData answered 2"*) # no binary for the GPU, or PTX that is too new for the driver
            echo "skipped: dependent launches need compute capability 9.0 and a driver for CUDA 12.3" |
                tee -a "$out/skipped.txt"
            return 1
            ;;
    esac
    echo "$said" >&2
    exit 1
}

# sanitize NAME COMMAND...
sanitize() {
    local name=$1
    shift
    for tool in memcheck racecheck synccheck; do
        keep "$tool-$name" compute-sanitizer --tool "$tool" --error-exitcode 1 "$@"
    done
}

races() {
    keep tiny "$bench" "$kernels" --tiny
    if dependent; then keep dependent "$bench" "$dependent_kernels" --dependent; fi
    if present compute-sanitizer; then
        sanitize tiny "$bench" "$kernels" --tiny
        if dependent; then sanitize dependent "$bench" "$dependent_kernels" --dependent; fi
    fi
}

kernels() {
    mapfile -t words < <(sized "$kernels" -- "$kernels" --tiny)
    keep kernels "$bench" "${words[@]}"
    if [[ -z $trying ]]; then keep kernels-java "$inferometer" selfcheck --only cuda_kernels --json; fi
}

profile() {
    present ncu || return 0
    for row in int4_gate_up_1 fp8_gate_up_1 fp8_gate_up_2048 attend_f16_64x4k; do
        keep "ncu-$row" ncu --clock-control none --set full "$bench" "$kernels" --once --only "$row"
    done
}

steps() {
    if [[ -n $trying ]]; then
        echo "skipped: whole steps have no small size; tests run them small" | tee -a "$out/skipped.txt"
    else
        keep steps "$inferometer" selfcheck --only cuda_steps --json
    fi
}

runs() {
    local model few
    model=$(sized tinyllama-1.1b -- tiny)
    few=$(sized 200 -- 2)
    local one
    one=$(sized 3 -- 1)
    for precision in bf16 fp8 int4; do keep "build-$precision" "$inferometer" engines build "$model-$precision"; done
    local common=(--backend cuda --runs "$one" --requests "$few" --out "$out/results")
    local all=(--engine "$model-bf16" --engine "$model-fp8" --engine "$model-int4")
    mapfile -t load < <(sized --prompt-tokens 256 --output-tokens 128 -- --prompt-tokens 4 --output-tokens 2)
    mapfile -t many < <(sized 1,16,64 -- 2)
    keep run-precisions "$inferometer" run "${all[@]}" --workload chat "${common[@]}" "${load[@]}" \
        --sweep "concurrency=${many[0]}"
    keep run-schedulers "$inferometer" run --engine "$model-int4" --scheduler naive --scheduler continuous \
        --scheduler disaggregated --workload chat "${common[@]}" "${load[@]}"
    keep run-parallel "$inferometer" run --engine "$model-int4" --scheduler simple --scheduler parallel \
        --workload chat "${common[@]}" "${load[@]}"
    mapfile -t lengths < <(sized 64,1024,4096 -- 8,24)
    keep run-memory "$inferometer" run "${all[@]}" --workload short "${common[@]}" --output-tokens 4 \
        --sweep "prompt_tokens=${lengths[0]}"
    keep run-graphs "$inferometer" run --engine "$model-int4" --workload short --runs "$one" --requests "$few" \
        --out "$out/results" "${load[@]}" --backend cuda:graphs=true --backend cuda:graphs=false
    cat > "$out/top-p.yaml" << END
name: top-p
engines: [$model-int4]
schedulers: [continuous]
backend: cuda
workloads:
  - preset: chat
    temperature: 0.8
    top_p: 0.9
END
    keep run-top-p "$inferometer" run "$out/top-p.yaml" --runs "$one" --requests "$few" --out "$out/results" "${load[@]}" \
        --concurrency "$(sized 64 -- 2)"
}

case $step in
    card | agreement | races | kernels | profile | steps | runs)
        "$step"
        ;;
    all)
        for each in card agreement races kernels profile steps runs; do "$each"; done
        ;;
    *)
        sed -n '2,17p' "$0" >&2
        exit 2
        ;;
esac
echo "$step: done; see $out"
