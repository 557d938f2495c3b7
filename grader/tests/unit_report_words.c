// unit_report_words.c: what a report means beside wrong numbers. grader/claims/report_words.c.
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "report_words.h"

static lab_result of(lab_verdict verdict, const char *report) {
    lab_result r = {.verdict = verdict};
    snprintf(r.diagnosis, sizeof r.diagnosis, "%s; What to do: put a barrier there", report);
    return r;
}

#define IN_BATCH_2 "access out of bounds: global B[9]; block (0,0,2); read thread (0,0,0); "

#define BY_THE_FIRST "access out of bounds: global workspace[9]; block (0,0,0); write thread (0,0,0) decode.cu:104; "

// A wrong number is not mended by leaving the access out, nor by setting what is read.
static void advice_is_for_what_is_wrong(void **state) {
    (void)state;
    static const struct {
        lab_verdict verdict;
        const char *report;
        int cause_is_said;
        const char *says;
    } rows[] = {
        {LAB_ILLEGAL_ACCESS, "access out of bounds: global K[9]", 0, "; The numbers are wrong, too: where does"},
        {LAB_ILLEGAL_ACCESS, "access out of bounds: shared left[3], write thread (96,0,0), right behind the last", 0,
         "; The numbers are wrong, too: where does this index come from, and for how many has the array room?"},
        {LAB_ILLEGAL_ACCESS, "access out of bounds: global O[9], write thread (1,0,0), right behind the last", 0,
         "; In the last tile, which need not be full, does a thread store here"},
        {LAB_ILLEGAL_ACCESS, "access out of bounds: global Q[9], read thread (1,0,0), right behind the last", 0,
         "; The numbers are wrong, too: where does"},
        {LAB_ILLEGAL_ACCESS, IN_BATCH_2 "The address is 12028 bytes past the end of its 38412 bytes.", 0,
         "; The numbers are wrong, too. It is the first thread of the first block with this blockIdx.z"},
        {LAB_ILLEGAL_ACCESS, IN_BATCH_2 "The address is 924 bytes past the end of its 38412 bytes.", 0,
         "; The numbers are wrong, too: where does"},
        {LAB_ILLEGAL_ACCESS, BY_THE_FIRST "The address is 23040 bytes past the end of its 75264 bytes.", 0,
         "; It is the first thread of the first block: where does what it writes begin?"},
        {LAB_ILLEGAL_ACCESS, BY_THE_FIRST "The address is 512 bytes past the end of its 75264 bytes.", 0,
         "; The numbers are wrong, too: where does"},
        {LAB_WRONG_ANSWER, "read of memory that was never written: shared b[0]", 0, "; Is the element never written"},
        {LAB_ILLEGAL_ACCESS, "access out of bounds: global K[9]", 1, "; this may follow from it"},
        {LAB_RACE, "data race: shared s[0], by two threads of a block", 0, "; What to do: put a barrier there"},
        {LAB_RACE, "data race: shared s[0], by two threads of a block", 1, "; What to do: put a barrier there"},
        {LAB_RACE, "data race: global O[0], and another block's thread", 1, "; this may follow from it"},
        {LAB_RACE, "data race: global lengths, read and added to", 1, "; this may follow from it"},
        {LAB_RACE, "data race: global lengths, read and added to", 0, "; What to do: put a barrier there"},
    };
    const lab_case of_task_4 = {.op = &lab_flash};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        lab_result r = of(rows[i].verdict, rows[i].report);
        lab_temper_advice(&of_task_4, &r, rows[i].cause_is_said);
        const char *advice = r.diagnosis + strlen(rows[i].report);
        if (strncmp(r.diagnosis, rows[i].report, strlen(rows[i].report)) ||
            strncmp(advice, rows[i].says, strlen(rows[i].says)))
            fail_msg("row %zu: %s", i, r.diagnosis);
    }
}

// Who is to count is the question: no barrier within a block answers it.
static void a_barrier_is_not_asked_for_where_each_head_counts(void **state) {
    (void)state;
    const lab_case append = {.op = &lab_cache_append};
    for (int cause_is_said = 0; cause_is_said < 2; cause_is_said++) {
        lab_result r = of(LAB_RACE, "data race: global lengths; atomic thread (0,0,0) decode.cu:29 in put; The two "
                                    "threads are in different warps, and no __syncthreads() lies between them.");
        lab_temper_advice(&append, &r, cause_is_said);
        assert_says(r.diagnosis, cause_is_said ? "in put; this may follow from it" : "in put; The two threads are");
        assert_true(cause_is_said == !strstr(r.diagnosis, "__syncthreads"));
    }
}

static void a_split_behind_the_last_key_is_named(void **state) {
    (void)state;
    const char *report = "access out of bounds: global K_cache[648]; read thread (0,0,0) decode.cu:76 in scan";
    lab_case c = {.op = &lab_decode_split, .shape = {.seq_kv = 9}, .n_splits = 64};
    for (int more = 1; more >= 0; more--) {
        lab_result r = of(LAB_ILLEGAL_ACCESS, report);
        lab_temper_advice(&c, &r, 0);
        assert_says(r.diagnosis, more ? "a split behind the last key has none" : "is the last tile full?");
        c.n_splits = 4;
    }
}

static void a_list_behind_the_parts_of_the_splits_has_its_place(void **state) {
    (void)state;
    const char *report = BY_THE_FIRST "The address is 23040 bytes past the end of its 75264 bytes.";
    const lab_case c = {.op = &lab_decode_split, .shape = {.seq_kv = 9}, .n_splits = 4};
    lab_result r = of(LAB_ILLEGAL_ACCESS, report);
    lab_temper_advice(&c, &r, 0);
    assert_says(r.diagnosis, "where does what it writes begin? O_s is batch * heads * n_splits * head_dim numbers");
    assert_null(strstr(r.diagnosis, "tile"));
}

static void a_read_that_has_left_its_tensor_is_named_with_its_line(void **state) {
    (void)state;
    char note[600];
    const char *report = "data race: global workspace[0]; write thread (1,0,0) decode.cu:70 in decode, another block's "
                         "thread; read thread (0,0,0) decode.cu:76 in decode";
    lab_case c = {.claim = "two_parts", .op = &lab_decode_split};
    lab_say_stray(&c, report, note, sizeof note);
    assert_true(strncmp(note, "in two_parts, global workspace[0] is read in decode.cu:76 while another block", 76) ==
                0);
    assert_non_null(strstr(note, "Does a split go beyond the last key"));
    c.op = &lab_flash;
    lab_say_stray(&c, report, note, sizeof note);
    assert_null(strstr(note, "split"));
    assert_null(strstr(note, "; "));  // one fact
}

static void what_two_blocks_write_is_not_said_to_be_read(void **state) {
    (void)state;
    char note[600];
    const lab_case c = {.claim = "short", .op = &lab_flash};
    lab_say_stray(&c,
                  "data race: global O[7]; write thread (1,0,0) flash.cu:9 in flash; write another block's thread "
                  "(0,0,0) flash.cu:9 in flash; What to do: let one thread write it, and read it behind a barrier",
                  note, sizeof note);
    assert_true(strncmp(note, "in short, two blocks write global O[7], in flash.cu:9: one of them", 66) == 0);
    lab_say_stray(&c,
                  "data race: global O[7]; write thread (1,0,0) flash.cu:9 in flash; read another block's thread "
                  "(0,0,0) flash.cu:8 in flash",
                  note, sizeof note);
    assert_true(strncmp(note, "in short, global O[7] is read in flash.cu:8 while another block writes it", 73) == 0);
}

// The lab's own line is none of the student's.
static void what_goes_on_behind_its_block_has_its_line(void **state) {
    (void)state;
    char note[600];
    const lab_case c = {.claim = "short", .op = &lab_flash};
    lab_say_left(&c,
                 "data race: global p[600]; write thread (0,0,0) task2.cu:58 in run; write another block's thread "
                 "(88,0,0) naive.cu:99 in run; Nothing orders two blocks",
                 note, sizeof note);
    assert_true(strncmp(note, "in short, global p[600] is written by two blocks", 48) == 0);
    assert_non_null(strstr(note, "at naive.cu:99"));
    assert_null(strstr(note, "task2.cu"));
    lab_say_left(&c,
                 "data race: global p[9]; write thread (0,0,0) naive.cu:86 in run; write another block's thread "
                 "(88,0,0) naive.cu:99 in run",
                 note, sizeof note);
    assert_non_null(strstr(note, "at naive.cu:86 or naive.cu:99"));
}

static void a_read_behind_a_tensor_belongs_to_somebody_else(void **state) {
    (void)state;
    assert_true(*lab_read_behind("access out of bounds: global K[9]; read thread (0,0,0) flash.cu:7"));
    assert_string_equal(lab_read_behind("access out of bounds: global O[9]; write thread (0,0,0) flash.cu:7"), "");
    assert_string_equal(lab_read_behind("access out of bounds: shared k[9]; read thread (0,0,0) flash.cu:7"), "");
}

int main(void) {
    const struct CMUnitTest claims[] = {
        cmocka_unit_test(advice_is_for_what_is_wrong),
        cmocka_unit_test(a_barrier_is_not_asked_for_where_each_head_counts),
        cmocka_unit_test(a_split_behind_the_last_key_is_named),
        cmocka_unit_test(a_list_behind_the_parts_of_the_splits_has_its_place),
        cmocka_unit_test(a_read_that_has_left_its_tensor_is_named_with_its_line),
        cmocka_unit_test(what_two_blocks_write_is_not_said_to_be_read),
        cmocka_unit_test(what_goes_on_behind_its_block_has_its_line),
        cmocka_unit_test(a_read_behind_a_tensor_belongs_to_somebody_else),
    };
    return cmocka_run_group_tests(claims, NULL, NULL);
}
