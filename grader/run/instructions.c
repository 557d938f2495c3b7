// instructions.c: aarch64's instructions are words of four bytes and are read here. x86's have any length: a look at
// the bytes tells whether one of those may be there at all, which is rare; only then objdump decodes the file.
#include "instructions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "place.h"

static const char system_call[] = "make a system call of its own",
                  clock_reason[] = "read a clock: the lab measures (make bench)",
                  state[] = "change the processor's thread pointer, protection keys or state";

typedef struct {
    const char *name, *reason;
    int length;
    unsigned char bytes[3], mask[3];
} row;
static const row rows[] = {
    {"syscall", system_call, 2, {0x0f, 0x05}, {0xff, 0xff}},
    {"sysenter", system_call, 2, {0x0f, 0x34}, {0xff, 0xff}},
    {"int", system_call, 2, {0xcd, 0x80}, {0xff, 0xff}},
    {"rdtsc", clock_reason, 2, {0x0f, 0x31}, {0xff, 0xff}},
    {"rdpmc", clock_reason, 2, {0x0f, 0x33}, {0xff, 0xff}},
    {"rdpru", clock_reason, 3, {0x0f, 0x01, 0xfd}, {0xff, 0xff, 0xff}},  // AMD's: cycles
    {"rdtscp", clock_reason, 3, {0x0f, 0x01, 0xf9}, {0xff, 0xff, 0xff}},
    {"wrpkru", state, 3, {0x0f, 0x01, 0xef}, {0xff, 0xff, 0xff}},
    {"rdpkru", state, 3, {0x0f, 0x01, 0xee}, {0xff, 0xff, 0xff}},
    {"xsetbv", state, 3, {0x0f, 0x01, 0xd1}, {0xff, 0xff, 0xff}},
    {"rdfsbase", state, 3, {0x0f, 0xae, 0xc0}, {0xff, 0xff, 0xf8}},  // /0 to /3 of a register: rdfsbase ... wrgsbase
    {"rdgsbase", state, 3, {0x0f, 0xae, 0xc8}, {0xff, 0xff, 0xf8}},
    {"wrfsbase", state, 3, {0x0f, 0xae, 0xd0}, {0xff, 0xff, 0xf8}},
    {"wrgsbase", state, 3, {0x0f, 0xae, 0xd8}, {0xff, 0xff, 0xf8}},
    {"xrstor", state, 3, {0x0f, 0xae, 0x28}, {0xff, 0xff, 0x38}},  // also xrstor64; lfence, which is a register's form
    {"xrstors", state, 3, {0x0f, 0xc7, 0x18}, {0xff, 0xff, 0x38}},
};
enum { ROWS = sizeof rows / sizeof *rows };

static int has_suspects(const unsigned char *code, size_t n) {
    for (size_t at = 0; at + 2 < n + 1 && n >= 2; at++) {
        if (code[at] != 0x0f && code[at] != 0xcd) continue;
        for (int i = 0; i < ROWS; i++) {
            int same = at + rows[i].length <= n;
            for (int b = 0; same && b < rows[i].length; b++)
                same = (code[at + b] & rows[i].mask[b]) == rows[i].bytes[b];
            if (same) return 1;
        }
    }
    return 0;
}

// The number of the section with this name.
static size_t section_called(const lab_object *o, const char *wanted) {
    Elf64_Shdr s;
    const char *name;
    for (size_t i = 1; lab_object_section(o, i, &s, &name); i++)
        if (strcmp(name, wanted) == 0) return i;
    return 0;
}

// Seconds of a processor for objdump, lines of it that are read. Code of honest files takes a hundredth of either.
enum { OBJDUMP_SECONDS = 3, MOST_LINES = 1000000 };

// objdump prints every instruction, awk the first that is in the list, behind however many prefixes: section, offset,
// name; then whether all has been read.
static int decode_x86(const lab_object *o, const char *file, lab_instruction *found) {
    char script[1400], *end = script + sizeof script, *at = script;
    at += snprintf(at, end - at,
                   "[ \"$(command -v objdump)\" ] || exit 1; { ulimit -t %d; "
                   "objdump -d -z --no-show-raw-insn \"$1\" 2>&1 || echo failed; } | awk 'BEGIN { split(\"",
                   (int)(OBJDUMP_SECONDS * lab_slowness()));
    for (int i = 0; i < ROWS; i++) at += snprintf(at, end - at, "%s ", rows[i].name);
    snprintf(
        at, end - at,
        "xrstor64 xrstors64\", l, \" \"); for (i in l) bad[l[i]] } "
        "/^failed$/ || NR > %d { failed = 1; exit } /^Disassembly of section/ { s = $4 } "
        "{ for (i = 2; i <= NF; i++) if (!done && $i in bad && $1 ~ /:$/ && ($i != \"int\" || $(i + 1) == \"$0x80\")) "
        "{ print s, $1, $i; done = 1 } } END { print failed ? \"failed\" : \"decoded\" }'",
        MOST_LINES);
    char *const argv[] = {"sh", "-c", script, "sh", (char *)file, NULL};
    lab_process *p = calloc(1, sizeof *p);
    char section[256], name[32];
    size_t offset;
    const int ran = p && lab_ask_tool(argv, file, p);
    int result = ran && strstr(p->text, "decoded") ? 0 : ran && strstr(p->text, "failed") ? 2 : -1;
    if (ran && sscanf(p->text, "%255s %zx: %31s", section, &offset, name) == 3) {
        section[strcspn(section, ":")] = 0;
        found->section = section_called(o, section), found->offset = offset;
        snprintf(found->name, sizeof found->name, "%s", name);
        found->reason = state;
        for (int i = 0; i < ROWS; i++)
            if (strcmp(rows[i].name, name) == 0) found->reason = rows[i].reason;
        result = 1;
    }
    free(p);
    return result;
}

// svc, hvc, smc; reading a timer; writing a system register other than those of floating point and the flags.
static const char *refused_word(uint32_t word, const char **reason) {
    const uint32_t reg = word >> 5 & 0x7fff;  // o0 op1 CRn CRm op2
    *reason = system_call;
    if ((word & 0xffe0001c) == 0xd4000000 && (word & 3)) return (word & 3) == 1 ? "svc" : "hvc";
    *reason = clock_reason;
    if ((word & 0xfff00000) == 0xd5300000 && (reg >> 7 & 15) == 14) return "mrs of a timer";
    *reason = state;
    if ((word & 0xfff00000) == 0xd5100000 && (reg >> 7 & 15) != 4) return "msr";
    return NULL;
}

int lab_find_instruction(const lab_object *o, const char *file, lab_instruction *found) {
    Elf64_Shdr s;
    const char *name;
    memset(found, 0, sizeof *found);
    for (size_t i = 1; lab_object_section(o, i, &s, &name); i++) {
        const unsigned char *code = s.sh_flags & SHF_EXECINSTR ? lab_object_bytes(o, &s) : NULL;
        if (!code || s.sh_type == SHT_NOBITS) continue;
        if (o->head.e_machine == EM_X86_64 && has_suspects(code, s.sh_size)) return decode_x86(o, file, found);
        for (size_t at = 0; o->head.e_machine == EM_AARCH64 && at + 4 <= s.sh_size; at += 4) {
            uint32_t word;
            memcpy(&word, code + at, 4);
            const char *bad = refused_word(word, &found->reason);
            if (!bad) continue;
            found->section = i, found->offset = at;
            snprintf(found->name, sizeof found->name, "%s", bad);
            return 1;
        }
    }
    return 0;
}
