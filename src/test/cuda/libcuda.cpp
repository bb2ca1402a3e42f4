// The emulated driver as one file, which compiles in a third of the time that its parts take one by one.
#include "driver_device.cpp"
#include "driver_graphs.cpp"
#include "driver_library.cpp"
#include "driver_memory.cpp"
#include "driver_modules.cpp"
#include "driver_streams.cpp"
#include "driver_world.cpp"
