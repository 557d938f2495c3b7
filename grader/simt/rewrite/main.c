// main.c: simt-rewrite, a filter: preprocessed CUDA C++ in, C++17 out. Used by simtcc; by hand:
//     g++ -E -x c++ -D__SIMT_REWRITE__ -isystem include -include cuda_runtime.h a.cu | simt-rewrite | less
// Exit status 1, and no output, after an error. Status 3, and no output, where the text has inline PTX and --ptx does not
// promise that simt/ptx.h stands before it: few programs need that header.
#include "rewrite.h"

#include <stdlib.h>
#include <string.h>

static char *read_all(FILE *in, size_t *size) {
    size_t room = 1 << 20;
    char *text = malloc(room);
    *size = 0;
    while (text) {
        *size += fread(text + *size, 1, room - *size, in);
        if (*size < room) break;
        text = realloc(text, room *= 2);
    }
    if (!text) {
        fprintf(stderr, "simt-rewrite: error: out of memory\n");
        exit(1);
    }
    return text;
}

// simtcc writes this behind a preprocessing that failed: the compiler has said why, and there is nothing to rewrite.
static const char failed[] = "\n# simt: preprocessing failed\n";

static bool has_no_line_marker(const char *path) {
    FILE *in = fopen(path, "r");
    const int line = in ? find_line_marker(in) : 1;
    if (in) fclose(in);
    if (line) fprintf(stderr, "%s:%d:1: error: #line is not for a stage: its lines are where they stand\n", path, line);
    return !line;
}

// The text of both sides, from the host's and the file of the device's; NULL after an error.
static char *with_device_side(const char *host, size_t *size, const char *path) {
    FILE *in = fopen(path, "r");
    if (!in) {
        perror(path);
        return NULL;
    }
    size_t device_size, host_size = *size;
    char *device = read_all(in, &device_size), *both;
    fclose(in);
    FILE *out = open_memstream(&both, size);
    int errors = join_sides(host, host_size, device, device_size, out, stderr);
    fclose(out);
    return errors ? NULL : both;
}

int main(int argc, char **argv) {
    if (argc == 2 && !strcmp(argv[1], "--explain")) return explain_missing_headers(stdin, stderr);
    if (argc == 2 && !strcmp(argv[1], "--unseen")) return find_unseen(stdin, stdout);
    const char *guest = NULL, *device = NULL;
    bool has_ptx_header = false;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--checked")) {
            rewriting_checked = true;
        } else if (!strcmp(argv[i], "--host-words")) {
            rewriting_host_words = true;
        } else if (!strcmp(argv[i], "--ptx")) {
            has_ptx_header = true;
        } else if (!strcmp(argv[i], "--guest") && i + 1 < argc) {
            guest = argv[++i];
        } else if (!strcmp(argv[i], "--device") && i + 1 < argc) {
            device = argv[++i];
        } else if (!strcmp(argv[i], "--shown") && i + 1 < argc) {
            rewriting_shown = argv[++i];
        } else {
            fprintf(stderr, "usage: simt-rewrite [--checked] [--ptx] [--host-words] [--device device.ii] [--guest "
                            "FILE.cu] [--shown LIST] "
                            "< host.ii > plain.ii\n");
            return 2;
        }
    }
    rewriting_guest = guest;
    if (rewriting_guest && !has_no_line_marker(guest)) return 1;
    size_t size, tail = strlen(failed);
    char *text = read_all(stdin, &size), *result;
    if (size >= tail && !memcmp(text + size - tail, failed, tail)) return 1;
    if (device && !(text = with_device_side(text, &size, device))) return 1;
    size_t result_size;
    FILE *out = open_memstream(&result, &result_size);
    int errors = rewrite(text, size, out, stderr);
    fclose(out);
    if (errors) return 1;
    if (rewrote_asm && !has_ptx_header) return 3;
    fwrite(result, 1, result_size, stdout);
    return fflush(stdout) ? 1 : 0;
}
