/* A stand-in for NVIDIA's management library with two GPUs: the first tells everything, the second supports nothing but its name
   and is divided into one instance, MIG-fake-1.
   Built by FakeNvml; layouts as in nvml.h. FAKE_OLD leaves out what older drivers do not have. FAKE_DEAD has no driver. */
#include <string.h>

typedef int Return;
typedef struct { int index; } *Device;
typedef struct { unsigned long long total, free, used; } Memory;
typedef struct { unsigned version; unsigned long long total, reserved, free, used; } MemoryV2;
typedef struct { unsigned gpu, memory; } Utilization;
typedef struct { char legacy[16]; unsigned domain, bus, device, id, subsystem; char busId[32]; } PciInfo;
typedef struct { unsigned pid; unsigned long long used; unsigned gpuInstance, computeInstance; } ProcessInfo;

enum { OK = 0, INVALID = 2, UNSUPPORTED = 3, NOT_FOUND = 6, TOO_SMALL = 7, NOT_LOADED = 9, MISMATCH = 25 };

static struct { int index; } devices[3] = {{0}, {1}, {2}};
static int processCalls = 0;

#ifdef FAKE_DEAD
Return nvmlInit_v2(void) { return NOT_LOADED; }
#else
Return nvmlInit_v2(void) { return OK; }
#endif
Return nvmlShutdown(void) { return OK; }
const char *nvmlErrorString(Return code) { return code == UNSUPPORTED ? "Not Supported" : code == NOT_LOADED ? "Driver Not Loaded" : "Some Error"; }
Return nvmlSystemGetDriverVersion(char *text, unsigned length) { strncpy(text, "580.65.06", length); return OK; }
Return nvmlDeviceGetCount_v2(unsigned *count) { *count = 2; return OK; }
Return nvmlDeviceGetHandleByIndex_v2(unsigned index, Device *device) {
    if (index > 1) return INVALID;
    *device = (Device) &devices[index];
    return OK;
}
Return nvmlDeviceGetHandleByUUID(const char *uuid, Device *device) {
    if (strcmp(uuid, "GPU-fake-0") == 0) { *device = (Device) &devices[0]; return OK; }
    if (strcmp(uuid, "MIG-fake-1") == 0) { *device = (Device) &devices[2]; return OK; }
    return NOT_FOUND;
}
Return nvmlDeviceGetIndex(Device device, unsigned *index) {
    if (device->index == 2) return UNSUPPORTED;
    *index = device->index;
    return OK;
}
Return nvmlDeviceGetDeviceHandleFromMigDeviceHandle(Device instance, Device *card) {
    if (instance->index != 2) return INVALID;
    *card = (Device) &devices[1];
    return OK;
}
Return nvmlSystemGetCudaDriverVersion_v2(int *version) { *version = 13000; return OK; }
Return nvmlDeviceGetPciInfo_v3(Device device, PciInfo *pci) {
    if (device->index >= 1) return UNSUPPORTED;
    strncpy(pci->busId, "00000000:3B:00.0", 32);
    return OK;
}
#define SETTING(name, value) \
    Return name(Device device, unsigned *out) { if (device->index >= 1) return UNSUPPORTED; *out = value; return OK; }
SETTING(nvmlDeviceGetPersistenceMode, 1)
SETTING(nvmlDeviceGetDisplayActive, 0)
SETTING(nvmlDeviceGetPowerManagementDefaultLimit, 700000)
SETTING(nvmlDeviceGetCurrPcieLinkGeneration, 1)
SETTING(nvmlDeviceGetCurrPcieLinkWidth, 16)
SETTING(nvmlDeviceGetMaxPcieLinkGeneration, 5)
SETTING(nvmlDeviceGetMaxPcieLinkWidth, 16)
Return nvmlDeviceGetEccMode(Device device, unsigned *now, unsigned *later) {
    if (device->index >= 1) return UNSUPPORTED;
    *now = 1; *later = 0;
    return OK;
}
Return nvmlDeviceGetMigMode(Device device, unsigned *now, unsigned *later) {
    if (device->index >= 1) return UNSUPPORTED;
    *now = 0; *later = 0;
    return OK;
}
Return nvmlDeviceGetMaxClockInfo(Device device, int type, unsigned *megahertz) {
    if (device->index >= 1) return UNSUPPORTED;
    *megahertz = type == 1 ? 1980 : 3201;
    return OK;
}
Return nvmlDeviceGetName(Device device, char *name, unsigned length) {
    strncpy(name, device->index == 0 ? "Fake H200" : "Fake Jetson", length);
    return OK;
}
Return nvmlDeviceGetMemoryInfo(Device device, Memory *memory) {
    if (device->index >= 1) return UNSUPPORTED;
    memory->total = 1000000; memory->free = 400000; memory->used = 600000;
    return OK;
}
#ifndef FAKE_OLD
Return nvmlDeviceGetMemoryInfo_v2(Device device, MemoryV2 *memory) {
    if (device->index >= 1) return UNSUPPORTED;
    if (memory->version != (sizeof(MemoryV2) | 2u << 24)) return MISMATCH;
#ifdef FAKE_SILENT_ONCE
    /* The monitor asks when it is opened and at each reading: the second reading fails. */
    static int calls;
    if (++calls == 3) return UNSUPPORTED;
#endif
    memory->total = 1000000; memory->reserved = 100000; memory->free = 400000; memory->used = 500000;
    return OK;
}
Return nvmlDeviceGetCurrentClocksEventReasons(Device device, unsigned long long *reasons) {
    if (device->index >= 1) return UNSUPPORTED;
    *reasons = 0x24;
    return OK;
}
#else
Return nvmlDeviceGetCurrentClocksThrottleReasons(Device device, unsigned long long *reasons) {
    if (device->index >= 1) return UNSUPPORTED;
    *reasons = 0x40;
    return OK;
}
#endif
Return nvmlDeviceGetUtilizationRates(Device device, Utilization *rates) {
    if (device->index >= 1) return UNSUPPORTED;
    rates->gpu = 87; rates->memory = 41;
    return OK;
}
Return nvmlDeviceGetPowerUsage(Device device, unsigned *milliwatts) {
    if (device->index >= 1) return UNSUPPORTED;
    *milliwatts = 312500;
    return OK;
}
Return nvmlDeviceGetEnforcedPowerLimit(Device device, unsigned *milliwatts) {
    if (device->index >= 1) return UNSUPPORTED;
    *milliwatts = 700000;
    return OK;
}
Return nvmlDeviceGetTotalEnergyConsumption(Device device, unsigned long long *millijoules) {
    if (device->index >= 1) return UNSUPPORTED;
    *millijoules = 12345678901ull;
    return OK;
}
Return nvmlDeviceGetTemperature(Device device, int sensor, unsigned *celsius) {
    if (device->index >= 1 || sensor != 0) return UNSUPPORTED;
    *celsius = 64;
    return OK;
}
Return nvmlDeviceGetClockInfo(Device device, int type, unsigned *megahertz) {
    if (device->index >= 1) return UNSUPPORTED;
    *megahertz = type == 1 ? 1980 : 3201;
    return OK;
}
Return nvmlDeviceGetCudaComputeCapability(Device device, int *major, int *minor) {
    if (device->index >= 1) return UNSUPPORTED;
    *major = 9; *minor = 0;
    return OK;
}
/* The list grows by ten between the first two calls, as a busy machine's may. */
Return nvmlDeviceGetComputeRunningProcesses_v3(Device device, unsigned *count, ProcessInfo *infos) {
    if (device->index >= 1) return UNSUPPORTED;
    unsigned running = processCalls++ == 0 ? 2 : 12;
    unsigned room = *count;
    *count = running;
    if (room < running) return TOO_SMALL;
    for (unsigned i = 0; i < running; i++) {
        infos[i].pid = 100 + i;
        infos[i].used = i == 0 ? ~0ull : 1000 * i;
    }
    return OK;
}
