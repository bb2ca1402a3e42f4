#!/usr/bin/env bash
# Compiles the kernels to the shipped PTX, or checks that the shipped PTX comes from these sources.
#
#   build.sh           needs nvcc and ptxas of CUDA 12.4 or newer; writes kernels-sm80.ptx and kernels-sm89.ptx
#   build.sh --check   compares the sources' hash, and the text if this nvcc compiled it
#   build.sh --check-baseline   the same for kernels-sm80.ptx alone, in half the time
#
# PTX names the newest instruction set version of its compiler, which older drivers reject although the kernels use
# nothing new. So the version is set to the first with all they use: 7.0 (CUDA 11.0) for sm_80 and newer,
# 8.1 (CUDA 12.1) for the E4M3 conversions of sm_89 and newer.
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
shipped=$here/../resources/org/inferometer/execution/cuda
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Hash over name and text of every file of this folder, in order of name.
sources_hash() {
    (cd "$here" && for file in $(ls | sort); do printf '%s\n' "$file"; cat "$file"; done | sha256sum | cut -d ' ' -f 1)
}

compiler() {
    command -v nvcc > /dev/null && nvcc --version | grep -o 'release .*' || true
}

# compile ARCH VERSION FILE: removes comments and names with paths, which differ between machines, and the hints
# used_bytes_mask, which older drivers do not know.
compile() {
    (cd "$here" && nvcc -std=c++17 -O3 --ptx -arch="compute_$1" -o "$work/raw.ptx" module.cu)
    {
        echo "// sources sha256: $(sources_hash)"
        echo "// compiled by: nvcc $(compiler)"
        sed -E -e '/^[[:space:]]*\/\//d' -e '/^[[:space:]]*\.pragma "used_bytes_mask /d' -e '/^[[:space:]]*$/d' \
            -e "s/^\.version .*/.version $2/" -e 's/\bkernel_//g' \
            -e 's/_INTERNAL_[0-9a-f]{8}_9_module_cu_[0-9a-f]{8}/_INTERNAL/g' "$work/raw.ptx"
    } > "$3"
}

# assemble FILE ARCH...: checks that the text assembles for each architecture and no kernel spills registers.
assemble() {
    local file=$1
    shift
    for arch in "$@"; do
        ptxas -v -arch="sm_$arch" -o "$work/out.cubin" "$file" 2> "$work/report" || { cat "$work/report" >&2; exit 1; }
        if grep -E '[1-9][0-9]* bytes spill' "$work/report"; then
            echo "build.sh: a kernel of $(basename "$file") spills registers on sm_$arch" >&2
            exit 1
        fi
        echo "$(basename "$file") assembles for sm_$arch"
    done
}

check() {
    local file=$1 arch=$2 version=$3
    if [[ $(head -n 1 "$file") != "// sources sha256: $(sources_hash)" ]]; then
        echo "build.sh: $(basename "$file") is not from these sources: run src/main/cuda/build.sh" >&2
        exit 1
    fi
    if [[ $(sed -n 2p "$file") == "// compiled by: nvcc $(compiler)" ]]; then
        compile "$arch" "$version" "$work/again.ptx"
        cmp "$file" "$work/again.ptx"
        echo "$(basename "$file") is equal to nvcc's output for these sources"
    else
        echo "$(basename "$file") has these sources' hash; its compiler is not installed"
    fi
}

case ${1:-} in
    --check)
        check "$shipped/kernels-sm80.ptx" 80 7.0
        check "$shipped/kernels-sm89.ptx" 89 8.1
        exit 0
        ;;
    --check-baseline)
        check "$shipped/kernels-sm80.ptx" 80 7.0
        exit 0
        ;;
esac
mkdir -p "$shipped"
compile 80 7.0 "$work/kernels-sm80.ptx"
compile 89 8.1 "$work/kernels-sm89.ptx"
assemble "$work/kernels-sm80.ptx" 80 86 89 90 100 120
assemble "$work/kernels-sm89.ptx" 89 90 100 120
cp "$work/kernels-sm80.ptx" "$work/kernels-sm89.ptx" "$shipped/"
