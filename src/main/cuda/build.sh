#!/usr/bin/env bash
# Compiles the kernels to the shipped PTX, or checks that the shipped PTX comes from these sources.
#
#   build.sh           needs nvcc and ptxas of CUDA 12.4 or newer; writes kernels-sm80.ptx, kernels-sm89.ptx,
#                      kernels-sm90.ptx and kernels-sm90a.ptx, then counts as --count does
#   build.sh --check   compares the sources' hash, and the text if this nvcc compiled it; then counts
#   build.sh --check-baseline   the first for kernels-sm80.ptx alone, in a third of the time
#   build.sh --count   needs ptxas and java: counts registers and machine instructions of the shipped PTX; fails if a
#                      kernel spills, or has over 5 % more of them than in count/counts.txt
#   build.sh --accept-counts   writes count/counts.txt; compiles first if the shipped PTX is not from these sources
#   build.sh --bench [FOLDER]  needs a C++ compiler alone; builds bench/kernel_bench.cpp, by default in
#                              target/kernel-bench
#
# PTX names the newest instruction set version of its compiler, which older drivers reject although the kernels use
# nothing new. So the version is set to the first with all they use: 7.0 (CUDA 11.0) for sm_80 and newer,
# 8.1 (CUDA 12.1) for the E4M3 conversions of sm_89 and newer, and with them programmatic dependent launch of sm_90.
# kernels-sm90a.ptx, of wgmma.cu, is for compute capability 9.0 alone.
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
shipped=$here/../resources/org/inferometer/execution/cuda
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Hash over name and text of every file of this folder, in order of name. Folders hold tools and are no part of it.
sources_hash() {
    (cd "$here" && for file in $(ls -p | grep -v / | sort); do printf '%s\n' "$file"; cat "$file"; done |
        sha256sum | cut -d ' ' -f 1)
}

compiler() {
    command -v nvcc > /dev/null && nvcc --version | grep -o 'release .*' || true
}

# compile ARCH VERSION SOURCE FILE: removes comments and names with paths, which differ between machines, and the hints
# used_bytes_mask, which older drivers do not know.
compile() {
    (cd "$here" && nvcc -std=c++17 -O3 --ptx -arch="compute_$1" -o "$work/raw.ptx" "$3")
    {
        echo "// sources sha256: $(sources_hash)"
        echo "// compiled by: nvcc $(compiler)"
        sed -E -e '/^[[:space:]]*\/\//d' -e '/^[[:space:]]*\.pragma "used_bytes_mask /d' -e '/^[[:space:]]*$/d' \
            -e "s/^\.version .*/.version $2/" -e 's/\bkernel_//g' \
            -e 's/_INTERNAL_[0-9a-f]{8}_[0-9]+_[a-z]+_cu_[0-9a-f]{8}/_INTERNAL/g' "$work/raw.ptx"
    } > "$4"
}

# object FILE ARCH: assembles into $object.cubin with ptxas's report in $object.txt, once.
object() {
    object=$work/$(basename "$1")-sm_$2
    [[ -e $object.cubin ]] || ptxas -v -arch="sm_$2" -o "$object.cubin" "$1" 2> "$object.txt" || {
        cat "$object.txt" >&2
        exit 1
    }
}

# assemble FILE ARCH...: checks that the text assembles for each architecture and no kernel spills registers.
assemble() {
    local file=$1
    shift
    for arch in "$@"; do
        object "$file" "$arch"
        if grep -E '[1-9][0-9]* bytes spill' "$object.txt"; then
            echo "build.sh: a kernel of $(basename "$file") spills registers on sm_$arch" >&2
            exit 1
        fi
        if grep serialized "$object.txt"; then
            echo "build.sh: products of $(basename "$file") wait for each other on sm_$arch" >&2
            exit 1
        fi
        echo "$(basename "$file") assembles for sm_$arch"
    done
}

counter() { "${JAVA_HOME:+$JAVA_HOME/bin/}java" "$here/count/KernelCounts.java" "$@"; }

# The counts of the shipped PTX, as in count/counts.txt.
measure() {
    local objects=()
    for each in sm90a.90a sm90.90 sm80.80; do
        object "$shipped/kernels-${each%.*}.ptx" "${each#*.}"
        objects+=("sm_${each#*.}" "$object.cubin" "$object.txt")
    done
    counter measure "ptxas $(ptxas --version | grep -o 'release .*')" "${objects[@]}" > "$work/counts.txt"
}

count() {
    measure
    counter compare "$here/count/counts.txt" "$work/counts.txt"
}

is_shipped() { [[ $(head -n 1 "$1") == "// sources sha256: $(sources_hash)" ]]; }

build() {
    mkdir -p "$shipped"
    compile 80 7.0 module.cu "$work/kernels-sm80.ptx"
    compile 89 8.1 module.cu "$work/kernels-sm89.ptx"
    compile 90 8.1 module.cu "$work/kernels-sm90.ptx"
    compile 90a 8.1 wgmma.cu "$work/kernels-sm90a.ptx"
    assemble "$work/kernels-sm80.ptx" 80 86 89 90 100 120
    assemble "$work/kernels-sm89.ptx" 89 90
    assemble "$work/kernels-sm90.ptx" 90 100 120
    assemble "$work/kernels-sm90a.ptx" 90a
    cp "$work"/kernels-sm{80,89,90,90a}.ptx "$shipped/"
}

# The benchmark has no copy of the kernels' argument structs: they are taken from the sources.
bench() {
    local to=${1:-$here/../../../target/kernel-bench}
    mkdir -p "$to"
    {
        echo "#pragma once"
        echo "struct alignas(16) uint4 { unsigned x, y, z, w; };"
        echo "struct half { unsigned short bits; };"
        echo "struct bf16 { unsigned short bits; };"
        for name in Heads StepRow CacheLayer SplitK NormIn NormOut Product AttentionItem Attention SampleChoice Sampling MmaRate ReadRate \
            Packing Widening Epilogue StepStaging Embedding Placement BlockCopy Norm \
            Reordering; do
            cat "$here"/*.h "$here"/*.cu | sed -n "/^struct $name {/,/^};/p" | sed '/DEVICE_METHOD/,/^    }/d' | grep . || {
                echo "build.sh: no struct $name is in the sources; change bench/kernel_bench.cpp" >&2
                exit 1
            }
        done
    } > "$to/kernel_structs.h"
    "${CXX:-g++}" -std=c++20 -O2 -Wall -Wextra -I "$to" -o "$to/kernel_bench" "$here/bench/kernel_bench.cpp" -ldl
    echo "built $to/kernel_bench"
}

check() {
    local file=$1 arch=$2 version=$3 source=$4
    if ! is_shipped "$file"; then
        echo "build.sh: $(basename "$file") is not from these sources: run src/main/cuda/build.sh" >&2
        exit 1
    fi
    if [[ $(sed -n 2p "$file") == "// compiled by: nvcc $(compiler)" ]]; then
        compile "$arch" "$version" "$source" "$work/again.ptx"
        cmp "$file" "$work/again.ptx"
        echo "$(basename "$file") is equal to nvcc's output for these sources"
    else
        echo "$(basename "$file") has these sources' hash; its compiler is not installed"
    fi
}

case ${1:-} in
    --check)
        check "$shipped/kernels-sm80.ptx" 80 7.0 module.cu
        check "$shipped/kernels-sm89.ptx" 89 8.1 module.cu
        check "$shipped/kernels-sm90.ptx" 90 8.1 module.cu
        check "$shipped/kernels-sm90a.ptx" 90a 8.1 wgmma.cu
        if command -v ptxas > /dev/null; then
            count
        else
            echo "Registers and instructions were not counted: ptxas is not installed"
        fi
        ;;
    --check-baseline)
        check "$shipped/kernels-sm80.ptx" 80 7.0 module.cu
        ;;
    --count)
        count
        ;;
    --bench)
        bench "${2:-}"
        ;;
    --accept-counts)
        if ! is_shipped "$shipped/kernels-sm80.ptx" || ! is_shipped "$shipped/kernels-sm90.ptx" ||
            ! is_shipped "$shipped/kernels-sm90a.ptx"; then
            build
        fi
        measure
        cp "$work/counts.txt" "$here/count/counts.txt"
        ;;
    *)
        build
        count
        ;;
esac
