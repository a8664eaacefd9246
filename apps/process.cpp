#include "apps/process.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstring>
#include <exception>
#include <new>
#include <system_error>

#include "apps/commands.h"

namespace flotsam {

namespace {

void writeLine(const char* text)
{
    const bool written = write(STDERR_FILENO, text, std::strlen(text)) >= 0 && write(STDERR_FILENO, "\n", 1) == 1;
    (void)written;  // nothing can be done about an error here
}

// For exceptions that cannot be caught: thrown by libraries before main (the logger of OpenVDB starts threads) and in
// their threads.
[[noreturn]] void onTerminate()
{
    const char* out_of_resources =
        "flotsam: the system refused more memory or threads; raise its limits (ulimit -v, ulimit -u) or free memory";
    try {
        if (const std::exception_ptr e = std::current_exception()) std::rethrow_exception(e);
        writeLine("flotsam: internal error; please report it with the scene");
    } catch (const std::system_error&) {
        writeLine(out_of_resources);
    } catch (const std::bad_alloc&) {
        writeLine(out_of_resources);
    } catch (const std::exception& e) {
        writeLine("flotsam: internal error; please report it with the scene:");
        writeLine(e.what());
    } catch (...) {
        writeLine("flotsam: internal error; please report it with the scene");
    }
    _exit(exit_simulation_failed);
}

void installTerminateHandler() { std::set_terminate(onTerminate); }

// Functions that the loader runs before the initialisers of shared libraries.
[[gnu::section(".preinit_array"), gnu::used]] void (*const before_libraries)() = installTerminateHandler;

}  // namespace

void openStandardStreams()
{
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (fcntl(stream, F_GETFD) == -1) (void)open("/dev/null", O_RDWR);  // the lowest free descriptor is this one
}

}  // namespace flotsam
