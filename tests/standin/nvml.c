/* A stand-in for NVIDIA's management library: it plays the state that the file named by
 * LCMBENCH_STANDIN_STATE describes, read anew at each call, so that a test or the benchmark under
 * test can change it at any time.
 *
 * A line of the file is a key and a value; a later line wins over an earlier one:
 *
 *     init !18                        a number after `!` is the error code that the call returns
 *     driver 570.86.15
 *     count 2
 *     gpu0.sm_clock 1755
 *     gpu0.processes 4711:1048576 4712:2048
 *     gpu0.slice0.uuid MIG-1
 *
 * What no line says has the value of a quiet H200. OLD_DRIVER leaves out what came with drivers of the
 * series 470 to 510, FEW_SYMBOLS everything but what names a device. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SUCCESS = 0, INVALID_ARGUMENT = 2, NOT_SUPPORTED = 3, NOT_FOUND = 6, INSUFFICIENT_SIZE = 7 };
enum { MOST_GPUS = 8, MOST_SLICES = 7, LONGEST = 512 };

typedef struct { int gpu, slice; } Device;
typedef struct { unsigned pid; unsigned long long memory; unsigned gpu_instance, compute_instance; } Process;
typedef struct { unsigned version; unsigned long long total, reserved, free, used; } Memory2;
typedef struct { unsigned long long total, free, used; } Memory1;
typedef struct { char legacy[16]; unsigned domain, bus, device, id, subsystem; char bus_id[32]; } Pci;
typedef struct { unsigned long long reference, violation; } Violation;

static Device devices[MOST_GPUS][MOST_SLICES + 1];

/* The last value of a key; 0 if the file does not have it. */
static int find(const char *key, char *value) {
    const char *path = getenv("LCMBENCH_STANDIN_STATE");
    FILE *file = path ? fopen(path, "r") : NULL;
    char line[LONGEST];
    size_t length = strlen(key);
    int found = 0;
    if (!file) return 0;
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        if (strncmp(line, key, length) == 0 && line[length] == ' ') {
            strcpy(value, line + length + 1);
            found = 1;
        }
    }
    fclose(file);
    return found;
}

/* The text of a key, or the default; returns the code of the call. */
static int text(const char *key, const char *usual, char *value) {
    if (!find(key, value)) strcpy(value, usual);
    return value[0] == '!' ? atoi(value + 1) : SUCCESS;
}

static int number(const char *key, unsigned long long usual, unsigned long long *value) {
    char found[LONGEST];
    *value = usual;
    if (!find(key, found)) return SUCCESS;
    if (found[0] == '!') return atoi(found + 1);
    *value = strtoull(found, NULL, 0);
    return SUCCESS;
}

static const char *key_of(const Device *device, const char *field) {
    static char key[LONGEST];
    if (device->slice < 0) snprintf(key, sizeof key, "gpu%d.%s", device->gpu, field);
    else snprintf(key, sizeof key, "gpu%d.slice%d.%s", device->gpu, device->slice, field);
    return key;
}

/* The code of a device that has fallen off the bus, or SUCCESS. */
static int alive(const Device *device) {
    unsigned long long code;
    Device whole = { device->gpu, -1 };
    number(key_of(&whole, "lost"), 0, &code);
    return code ? 15 : SUCCESS;
}

#ifndef FEW_SYMBOLS
static int of_device(const Device *device, const char *field, unsigned long long usual, unsigned long long *value) {
    int code = alive(device);
    return code ? code : number(key_of(device, field), usual, value);
}

static int small(const Device *device, const char *field, unsigned usual, unsigned *value) {
    unsigned long long found;
    int code = of_device(device, field, usual, &found);
    *value = (unsigned)found;
    return code;
}

#endif

static int copy(const char *key, const char *usual, char *target, unsigned length) {
    char found[LONGEST];
    int code = text(key, usual, found);
    if (code == SUCCESS) snprintf(target, length, "%s", found);
    return code;
}

static int start(void) {
    unsigned long long ignored;
    for (int gpu = 0; gpu < MOST_GPUS; gpu++)
        for (int slice = 0; slice <= MOST_SLICES; slice++)
            devices[gpu][slice] = (Device){ gpu, slice - 1 };
    return number("init", 0, &ignored);
}

int nvmlInit_v2(void) { return start(); }
int nvmlInitWithFlags(unsigned flags) { (void)flags; return start(); }
int nvmlShutdown(void) { return SUCCESS; }
int nvmlSystemGetDriverVersion(char *version, unsigned length) { return copy("driver", "570.86.15", version, length); }
int nvmlSystemGetNVMLVersion(char *version, unsigned length) { return copy("nvml", "12.570.86.15", version, length); }

int nvmlSystemGetCudaDriverVersion_v2(int *version) {
    unsigned long long found;
    int code = number("cuda", 12080, &found);
    *version = (int)found;
    return code;
}

static int count(unsigned *found) {
    unsigned long long value;
    int code = number("count", 1, &value);
    *found = (unsigned)value;
    return code;
}

int nvmlDeviceGetCount_v2(unsigned *found) { return count(found); }

int nvmlDeviceGetHandleByIndex_v2(unsigned index, Device **device) {
    unsigned there;
    int code = count(&there);
    if (code) return code;
    if (index >= there) return INVALID_ARGUMENT;
    *device = &devices[index][0];
    return alive(*device);
}

int nvmlDeviceGetUUID(Device *device, char *uuid, unsigned length) {
    char usual[64];
    if (device->slice < 0) snprintf(usual, sizeof usual, "GPU-0000000%d-aaaa-bbbb-cccc-dddddddddddd", device->gpu);
    else snprintf(usual, sizeof usual, "MIG-0000000%d-aaaa-bbbb-cccc-ddddddddddd%d", device->gpu, device->slice);
    return copy(key_of(device, "uuid"), usual, uuid, length);
}

int nvmlDeviceGetName(Device *device, char *name, unsigned length) {
    int code = alive(device);
    return code ? code : copy(key_of(device, "name"), "NVIDIA H200", name, length);
}

int nvmlDeviceGetPciInfo_v3(Device *device, Pci *pci) {
    memset(pci, 0, sizeof *pci);
    pci->bus = 0x10 + (unsigned)device->gpu;
    snprintf(pci->bus_id, sizeof pci->bus_id, "00000000:%02X:00.0", pci->bus);
    snprintf(pci->legacy, sizeof pci->legacy, "0000:%02X:00.0", pci->bus);
    return alive(device);
}

#ifndef FEW_SYMBOLS
int nvmlDeviceGetClockInfo(Device *device, int type, unsigned *clock) {
    return type == 2 ? small(device, "memory_clock", 3201, clock) : small(device, "sm_clock", 1755, clock);
}

int nvmlDeviceGetMaxClockInfo(Device *device, int type, unsigned *clock) {
    return type == 2 ? small(device, "max_memory_clock", 3201, clock) : small(device, "max_sm_clock", 1980, clock);
}

int nvmlDeviceGetCurrentClocksThrottleReasons(Device *device, unsigned long long *reasons) {
    return of_device(device, "reasons", 0, reasons);
}

int nvmlDeviceGetViolationStatus(Device *device, int policy, Violation *violation) {
    static const char *names[] = { "power", "thermal", "sync_boost", "board_limit", "low_utilization", "reliability" };
    char field[64];
    violation->reference = 0;
    if (policy < 0 || policy > 5) return NOT_SUPPORTED;
    snprintf(field, sizeof field, "violation.%s", names[policy]);
    return of_device(device, field, 0, &violation->violation);
}

int nvmlDeviceGetTemperature(Device *device, int sensor, unsigned *celsius) { (void)sensor; return small(device, "temperature", 41, celsius); }
int nvmlDeviceGetPowerUsage(Device *device, unsigned *milliwatts) { return small(device, "power", 118000, milliwatts); }
int nvmlDeviceGetEnforcedPowerLimit(Device *device, unsigned *milliwatts) { return small(device, "power_limit", 700000, milliwatts); }
int nvmlDeviceGetEccMode(Device *device, int *now, int *later) { unsigned on; int code = small(device, "ecc", 1, &on); *now = *later = (int)on; return code; }

int nvmlDeviceGetTotalEccErrors(Device *device, int type, int counter, unsigned long long *errors) {
    (void)counter;
    return of_device(device, type == 0 ? "ecc.corrected" : "ecc.uncorrected", 0, errors);
}

int nvmlDeviceGetPersistenceMode(Device *device, int *on) { unsigned found; int code = small(device, "persistence", 1, &found); *on = (int)found; return code; }
int nvmlDeviceGetComputeMode(Device *device, int *mode) { unsigned found; int code = small(device, "compute_mode", 0, &found); *mode = (int)found; return code; }

int nvmlDeviceGetCudaComputeCapability(Device *device, int *major, int *minor) {
    unsigned found;
    int code = small(device, "capability", 90, &found);
    *major = (int)(found / 10);
    *minor = (int)(found % 10);
    return code;
}

/* As many processes as the line names; what does not fit is INSUFFICIENT_SIZE. */
static int processes(const Device *device, unsigned *room, Process *found) {
    char line[LONGEST];
    unsigned there = 0;
    int code = alive(device);
    if (code) return code;
    code = text(key_of(device, "processes"), "", line);
    if (code) return code;
    for (char *entry = strtok(line, " "); entry; entry = strtok(NULL, " ")) {
        unsigned pid;
        unsigned long long memory = 0;
        if (sscanf(entry, "%u:%llu", &pid, &memory) < 1) continue;
        if (found && there < *room) found[there] = (Process){ pid, memory, ~0u, ~0u };
        there++;
    }
    code = there > *room || (!found && there) ? INSUFFICIENT_SIZE : SUCCESS;
    *room = there;
    return code;
}

int nvmlDeviceGetComputeRunningProcesses_v2(Device *device, unsigned *room, Process *found) { return processes(device, room, found); }

#ifndef OLD_DRIVER
int nvmlDeviceGetComputeRunningProcesses_v3(Device *device, unsigned *room, Process *found) { return processes(device, room, found); }
int nvmlDeviceGetTotalEnergyConsumption(Device *device, unsigned long long *millijoules) { return of_device(device, "energy", 5000000, millijoules); }
int nvmlDeviceGetPcieReplayCounter(Device *device, unsigned *replays) { return small(device, "replays", 0, replays); }

int nvmlDeviceGetMemoryInfo_v2(Device *device, Memory2 *memory) {
    int code = of_device(device, "memory", 150754820096ull, &memory->total);
    if (code) return code;
    code = of_device(device, "memory_used", 471859200ull, &memory->used);
    memory->reserved = 0;
    memory->free = memory->total - memory->used;
    return code;
}

int nvmlDeviceGetMigMode(Device *device, unsigned *now, unsigned *later) {
    int code = small(device, "mig", 0, now);
    *later = *now;
    return code;
}

int nvmlDeviceGetMaxMigDeviceCount(Device *device, unsigned *most) { return small(device, "slices", 0, most); }

int nvmlDeviceGetMigDeviceHandleByIndex(Device *device, unsigned index, Device **slice) {
    unsigned there;
    int code = small(device, "slices", 0, &there);
    if (code) return code;
    if (index >= there || index >= MOST_SLICES) return NOT_FOUND;
    *slice = &devices[device->gpu][index + 1];
    return SUCCESS;
}
#endif
#endif
