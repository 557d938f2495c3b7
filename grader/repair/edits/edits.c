// edits.c: a student's file with all small changes of it that could be the right text, each behind a switch.
//
//     edits SOURCE OUT_SOURCE OUT_TABLE [--only FIRST-LAST] [--functions a,b]
//           [--limit N] [--wrong a,b] [--right c,d] [--at 49,62]
//
//     edits SOURCE --reaches ANSWER [...]     for tests: `12 of 300`: the twelfth change makes the file the answer; 0:
//                                             none does
//
//     edits SOURCE --shared .     what threads of a parallel region share and set: name, line, and own, sum or
//                                 result, with tabs between. memory: what they work in
//
//     edits SOURCE --carried .     memory in which the rounds of a parallel loop go on from each other: name, line; the
//                                  lines where it is filled before, of the loop, where it is read behind, and of the
//                                  loop around it
//
//     edits SOURCE --idle .       what does nothing: function or result, name, line, with tabs between
//
//     edits SOURCE --values OUT_SOURCE     the file that tells what its lines compute; of each: id, line, function,
//                                          variable (values.c)
//
//     edits SOURCE --pragma OUT_SOURCE --number N     the file with another loop shared out by OpenMP (pragmas.c)
//
//     OUT_SOURCE   the file, where lab_set_edit(ID) chooses a change and lab_set_edit(0) none. What the compiler says
//                  of a change it says of a file named edit-ID: with -DDROP_ID that one is not there
//     OUT_TABLE    a line a change, the likeliest first: id, rank, line, column, function, kind, old and new text, the
//                  whole expression or statement as it is, and as it would be
//     --wrong      functions whose claims fail: only in what all of them call are changes made; --right: they hold
//     --at         lines in which it can be: changes there come first; --lines: there are no others
//     --hooks FILE the file whose changes are data; --code: functions of which none is; --dim: of the sizes of a head
//                  for which a template stands there that one alone (the table's head says whether it does)
#include "edits.h"

#include <stdlib.h>
#include <string.h>

static int usage(void) {
    fprintf(stderr, "usage: edits SOURCE OUT_SOURCE OUT_TABLE [--only FIRST-LAST] [--functions a,b] "
                    "[--limit N] [--wrong a,b] [--right c,d] [--at 49,62] [--statuses yes]\n");
    return 2;
}

// Where among the likeliest is the change that makes `path` the answer? For tests.
static int reach(edits *e, const char *answer_path) {
    static edits answer;
    answer.u.report = stderr;
    if (!edits_read(&answer, answer_path)) return 1;
    const int at = edits_reach(e, &answer);
    printf("%d of %d\n", at, e->n_changes);
    free_memory(&answer.u);
    return 0;
}

int main(int argc, char **argv) {
    const char *wrong = NULL, *right = NULL, *at = NULL, *hooks = NULL;
    int limit = 1500, number = 0;
    static edits e;
    if (argc < 4) return usage();
    e.last_line = EDITS_LAST_LINE;
    for (int i = 4; i < argc; i += 2) {
        if (i + 1 == argc) return usage();
        if (!strcmp(argv[i], "--functions"))
            e.wanted = argv[i + 1];
        else if (!strcmp(argv[i], "--wrong"))
            wrong = argv[i + 1];
        else if (!strcmp(argv[i], "--right"))
            right = argv[i + 1];
        else if (!strcmp(argv[i], "--at"))
            at = argv[i + 1];
        else if (!strcmp(argv[i], "--limit"))
            limit = atoi(argv[i + 1]);
        else if (!strcmp(argv[i], "--number"))
            number = atoi(argv[i + 1]);
        else if (!strcmp(argv[i], "--hooks"))
            hooks = argv[i + 1];
        else if (!strcmp(argv[i], "--dim"))
            e.dim = atoi(argv[i + 1]);
        else if (!strcmp(argv[i], "--statuses"))
            e.statuses = !strcmp(argv[i + 1], "yes");
        else if (!strcmp(argv[i], "--code"))
            e.code = argv[i + 1];
        else if (!strcmp(argv[i], "--lines"))
            e.lines = argv[i + 1];
        else if (strcmp(argv[i], "--only") || sscanf(argv[i + 1], "%d-%d", &e.first_line, &e.last_line) != 2)
            return usage();
    }
    e.u.report = stderr;
    if (!edits_read(&e, argv[1])) {
        perror(argv[1]);
        return 1;
    }
    edits_headers(&e);
    edits_statements(&e);
    if (!strcmp(argv[2], "--shared")) {
        edits_write_statics(&e, stdout);
        edits_write_shared(&e, stdout);
        edits_write_rooms(&e, false, stdout);
        edits_write_slots(&e, stdout);
        return 0;
    }
    if (!strcmp(argv[2], "--carried")) {
        edits_write_rooms(&e, true, stdout);
        return 0;
    }
    if (!strcmp(argv[2], "--values")) return !edits_write_values(&e, argv[3], stdout);
    if (!strcmp(argv[2], "--pragma")) return !edits_write_pragma(&e, number, argv[3], stdout);
    if (!strcmp(argv[2], "--idle")) {
        edits_write_idle(&e, stdout);
        return 0;
    }
    edits_harvest(&e);
    edits_make_changes(&e);
    edits_likely(&e);
    edits_change_echoes(&e);
    edits_called(&e, wrong, right);
    edits_at_lines(&e, at);
    edits_drop_excuses(&e);
    edits_change_again(&e);
    edits_drop_half_maxima(&e);
    edits_change_both(&e);
    edits_make_macro_loops(&e);
    edits_choose(&e, limit);
    if (!strcmp(argv[2], "--reaches")) return reach(&e, argv[3]);
    if (hooks) edits_take_instance(&e);
    if (hooks && !edits_write_hooked(&e, hooks)) {
        perror(hooks);
        return 1;
    }
    if (!edits_write(&e, argv[2], argv[3])) {
        perror(argv[2]);
        return 1;
    }
    free_memory(&e.u);
    return 0;
}
