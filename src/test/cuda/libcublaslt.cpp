// A stand-in for cuBLASLt on the emulated device: the calls that the backend makes, of the one kind of product that it asks
// for. It checks objects, layouts, alignment and memory, and answers like the library.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>

#include "emulated_library.h"

#define LIBRARY_CALL extern "C" __attribute__((visibility("default"))) int

namespace {
enum Status { SUCCESS = 0, NOT_INITIALIZED = 1, INVALID_VALUE = 7, EXECUTION_FAILED = 13, NOT_SUPPORTED = 15 };
enum Kind { HANDLE, DESCRIPTION, LAYOUT, PREFERENCE };

constexpr int COMPUTE_32F = 68;
constexpr int REAL_32F = 0;
constexpr int REAL_16BF = 14;
constexpr int TRANSPOSE_A = 3;
constexpr int TRANSPOSE_B = 4;
constexpr int MOST_WORKSPACE_BYTES = 1;
constexpr std::uint64_t ALGORITHM = 0x616c676f72697468;
constexpr std::size_t WORKSPACE_BYTES = 1 << 20;
constexpr int VERSION[] = {13, 1, 2};

struct Object {
    Kind kind;
    int type;
    std::uint64_t rows;
    std::uint64_t columns;
    std::int64_t stride;
    int transposed[2];
    std::uint64_t workspaceBytes;
};

struct Algorithm {
    std::uint64_t data[8];
};

struct Heuristic {
    Algorithm algorithm;
    std::size_t workspaceBytes;
    int status;
    float waves;
    int reserved[4];
};
static_assert(sizeof(Algorithm) == 64 && sizeof(Heuristic) == 96, "as in cublasLt.h");

std::mutex mutex;
std::map<void*, Object> objects;
std::uintptr_t last = 0x5000;

int make(void** result, const Object& object) {
    std::lock_guard<std::mutex> lock(mutex);
    last += 16;
    *result = reinterpret_cast<void*>(last);
    objects[*result] = object;
    emulated_count("live_library_objects", 1);
    return SUCCESS;
}

int destroy(void* object, Kind kind) {
    std::lock_guard<std::mutex> lock(mutex);
    auto found = objects.find(object);
    if (found == objects.end() || found->second.kind != kind) {
        return INVALID_VALUE;
    }
    objects.erase(found);
    emulated_count("live_library_objects", -1);
    return SUCCESS;
}

bool find(void* object, Kind kind, Object& found) {
    std::lock_guard<std::mutex> lock(mutex);
    auto at = objects.find(object);
    if (at == objects.end() || at->second.kind != kind) {
        return false;
    }
    found = at->second;
    return true;
}

// D [outputs × tokens] = Aᵀ · B, all in columns.
struct Product {
    Object a;
    Object b;
    Object d;

    std::uint64_t inputs() const { return a.rows; }
    std::uint64_t outputs() const { return a.columns; }
    std::uint64_t tokens() const { return b.columns; }
    Algorithm algorithm() const { return {{ALGORITHM, outputs(), tokens(), inputs(), 0, 0, 0, 0}}; }
};

int describe(void* handle, void* description, void* a, void* b, void* c, void* d, Product& product) {
    Object context;
    Object how;
    Object added;
    if (!find(handle, HANDLE, context) || !find(description, DESCRIPTION, how) || !find(a, LAYOUT, product.a)
            || !find(b, LAYOUT, product.b) || !find(c, LAYOUT, added) || !find(d, LAYOUT, product.d)) {
        return INVALID_VALUE;
    }
    if (how.transposed[0] != 1 || how.transposed[1] != 0 || product.a.type != REAL_16BF || product.b.type != REAL_16BF
            || product.d.type != REAL_32F || added.type != REAL_32F) {
        return NOT_SUPPORTED;
    }
    bool fits = product.a.rows == product.b.rows && product.d.rows == product.a.columns
            && product.d.columns == product.b.columns && added.rows == product.d.rows && added.columns == product.d.columns;
    return fits ? SUCCESS : INVALID_VALUE;
}

std::size_t bytesOf(const Object& layout, std::size_t each) {
    return ((layout.columns - 1) * static_cast<std::size_t>(layout.stride) + layout.rows) * each;
}

float widened(std::uint16_t bits) {
    std::uint32_t word = static_cast<std::uint32_t>(bits) << 16;
    float value;
    std::memcpy(&value, &word, sizeof value);
    return value;
}

void multiply(const Product& product, const std::uint16_t* a, const std::uint16_t* b, float* d) {
    for (std::uint64_t token = 0; token < product.tokens(); token++) {
        for (std::uint64_t output = 0; output < product.outputs(); output++) {
            const std::uint16_t* left = a + output * static_cast<std::uint64_t>(product.a.stride);
            const std::uint16_t* right = b + token * static_cast<std::uint64_t>(product.b.stride);
            float sums[8] = {};
            for (std::uint64_t k = 0; k < product.inputs(); k++) {
                sums[k % 8] += widened(left[k]) * widened(right[k]);
            }
            d[token * static_cast<std::uint64_t>(product.d.stride) + output] =
                    (sums[0] + sums[1]) + (sums[2] + sums[3]) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
        }
    }
}

bool aligned(const void* address, std::uintptr_t bytes) { return reinterpret_cast<std::uintptr_t>(address) % bytes == 0; }

emulated::Range range(const void* address, std::size_t bytes) {
    return {reinterpret_cast<std::uintptr_t>(address), bytes};
}
}

LIBRARY_CALL cublasLtGetProperty(int part, int* value) {
    if (part < 0 || part > 2) {
        return INVALID_VALUE;
    }
    *value = VERSION[part];
    return SUCCESS;
}

LIBRARY_CALL cublasLtCreate(void** handle) {
    if (emulated_current() == 0 || emulated_get("library_is_too_new") != 0) {
        return NOT_INITIALIZED;
    }
    return make(handle, {HANDLE, 0, 0, 0, 0, {}, 0});
}

LIBRARY_CALL cublasLtDestroy(void* handle) { return destroy(handle, HANDLE); }

LIBRARY_CALL cublasLtMatmulDescCreate(void** description, int compute, int scale) {
    return compute == COMPUTE_32F && scale == REAL_32F ? make(description, {DESCRIPTION, 0, 0, 0, 0, {}, 0})
                                                       : static_cast<int>(NOT_SUPPORTED);
}

LIBRARY_CALL cublasLtMatmulDescSetAttribute(void* description, int attribute, const void* value, std::size_t bytes) {
    std::lock_guard<std::mutex> lock(mutex);
    auto found = objects.find(description);
    if (found == objects.end() || found->second.kind != DESCRIPTION || bytes != sizeof(int)
            || (attribute != TRANSPOSE_A && attribute != TRANSPOSE_B)) {
        return INVALID_VALUE;
    }
    std::memcpy(&found->second.transposed[attribute - TRANSPOSE_A], value, bytes);
    return SUCCESS;
}

LIBRARY_CALL cublasLtMatmulDescDestroy(void* description) { return destroy(description, DESCRIPTION); }

LIBRARY_CALL cublasLtMatrixLayoutCreate(
        void** layout, int type, std::uint64_t rows, std::uint64_t columns, std::int64_t stride) {
    bool valid = rows > 0 && columns > 0 && stride >= static_cast<std::int64_t>(rows);
    return valid ? make(layout, {LAYOUT, type, rows, columns, stride, {}, 0}) : static_cast<int>(INVALID_VALUE);
}

LIBRARY_CALL cublasLtMatrixLayoutDestroy(void* layout) { return destroy(layout, LAYOUT); }

LIBRARY_CALL cublasLtMatmulPreferenceCreate(void** preference) {
    return make(preference, {PREFERENCE, 0, 0, 0, 0, {}, 0});
}

LIBRARY_CALL cublasLtMatmulPreferenceSetAttribute(void* preference, int attribute, const void* value, std::size_t bytes) {
    std::lock_guard<std::mutex> lock(mutex);
    auto found = objects.find(preference);
    if (found == objects.end() || found->second.kind != PREFERENCE || attribute != MOST_WORKSPACE_BYTES || bytes != 8) {
        return INVALID_VALUE;
    }
    std::memcpy(&found->second.workspaceBytes, value, bytes);
    return SUCCESS;
}

LIBRARY_CALL cublasLtMatmulPreferenceDestroy(void* preference) { return destroy(preference, PREFERENCE); }

LIBRARY_CALL cublasLtMatmulAlgoGetHeuristic(void* handle, void* description, void* a, void* b, void* c, void* d,
        void* preference, int wanted, Heuristic* results, int* count) {
    Product product;
    Object limits;
    *count = 0;
    int status = describe(handle, description, a, b, c, d, product);
    if (status != SUCCESS || wanted < 1 || !find(preference, PREFERENCE, limits)) {
        return status != SUCCESS ? status : static_cast<int>(INVALID_VALUE);
    }
    emulated_count("launches of cublasLtMatmulAlgoGetHeuristic", 1);
    if (limits.workspaceBytes < WORKSPACE_BYTES) {
        return NOT_SUPPORTED;
    }
    results[0] = {product.algorithm(), WORKSPACE_BYTES, SUCCESS, 1.0f, {}};
    *count = 1;
    return SUCCESS;
}

LIBRARY_CALL cublasLtMatmul(void* handle, void* description, const float* alpha, const void* a, void* aLayout,
        const void* b, void* bLayout, const float* beta, const void* c, void* cLayout, void* d, void* dLayout,
        const Algorithm* algorithm, void* workspace, std::size_t workspaceBytes, void* stream) {
    if (int answer = static_cast<int>(emulated_get("library_answers"))) {
        return answer;
    }
    Product product;
    int status = describe(handle, description, aLayout, bLayout, cLayout, dLayout, product);
    if (status != SUCCESS) {
        return status;
    }
    Algorithm chosen = product.algorithm();
    if (std::memcmp(&chosen, algorithm, sizeof chosen) != 0 || *alpha != 1.0f || *beta != 0.0f || c != d
            || !aligned(a, 16) || !aligned(b, 16) || !aligned(d, 16) || !aligned(workspace, 256)
            || workspaceBytes < WORKSPACE_BYTES) {
        return INVALID_VALUE;
    }
    const emulated::Range ranges[] = {range(a, bytesOf(product.a, 2)), range(b, bytesOf(product.b, 2)),
            range(d, bytesOf(product.d, 4)), range(workspace, workspaceBytes)};
    int answer = emulated_enqueue(stream, "cublasLtMatmul", ranges, 4, [=] {
        std::memset(workspace, 0xff, WORKSPACE_BYTES);
        multiply(product, static_cast<const std::uint16_t*>(a), static_cast<const std::uint16_t*>(b),
                static_cast<float*>(d));
    });
    return answer == 0 ? SUCCESS : EXECUTION_FAILED;
}
