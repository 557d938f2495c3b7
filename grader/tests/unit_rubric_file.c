// unit_rubric_file.c: what a rubric may not say. grader/grade/rubric.c.
#include "rubric_text.h"

static void a_rubric_that_does_not_add_up_is_refused(void **state) {
    (void)state;
    assert_null(load("{\"tasks\": [{\"id\": \"t\", \"points\": 4, \"criteria\": [" CORRECTNESS ", " SPEED "]}]}"));
    assert_says(why, "add up to 3, not to its 4 points");
    assert_null(load("{\"tasks\": [{\"id\": \"t\", \"points\": 1, \"criteria\": []}]}"));
    assert_says(why, "add up");
}

static void bounds_in_the_wrong_order_are_refused(void **state) {
    (void)state;
    assert_null(
        load("{\"tasks\": [{\"id\": \"t\", \"points\": 1, \"criteria\": [{\"name\": \"x\", \"kind\": \"speed\", "
             "\"points\": 1, \"from\": 2, \"to\": 2}]}]}"));
    assert_says(why, "full points must need more");
    assert_null(
        load("{\"tasks\": [{\"id\": \"t\", \"points\": 1, \"criteria\": [{\"name\": \"x\", \"kind\": \"speed\", "
             "\"points\": 1, \"from\": 1, \"to\": 2, \"traffic\": {\"case\": \"c\", \"from\": 2, \"to\": 8}}]}]}"));
    assert_says(why, "full points must need more");
}

static void numbers_of_shared_memory_alone_earn_nothing(void **state) {
    (void)state;
#define COUNTS(more)                                                                                                   \
    "{\"tasks\": [{\"id\": \"t\", \"points\": 1, \"criteria\": [{\"name\": \"f\", \"kind\": \"speed\", \"points\": "   \
    "1, "                                                                                                              \
    "\"baseline\": \"b\", \"series\": \"s\", \"case\": \"c\", \"from\": 1, \"to\": 2, " more                           \
    "\"shared\": {\"case\": \"small\", \"from\": 2, \"to\": 1}}]}]}"
    json_t *both = load(COUNTS("\"traffic\": {\"case\": \"small\", \"from\": 8, \"to\": 3}, ")),
           *alone = load(COUNTS(""));
    assert_non_null(both);
    assert_null(alone);
    assert_says(why, "shared needs traffic");
    json_decref(both);
#undef COUNTS
}

static void a_file_that_is_no_json_is_refused_with_its_line(void **state) {
    (void)state;
    assert_null(load("{\n\"tasks\": [\n}"));
    assert_says(why, "rubric.json:3:");
    assert_null(lab_rubric_load("build/tests/no_such_rubric.json", why, sizeof why));
    assert_says(why, "no_such_rubric.json");
}

static void an_unknown_key_is_named(void **state) {
    (void)state;
#define TASKS "\"tasks\": []"
    static const char *const rows[][2] = {
        {"{" TASKS ", \"bonus\": 1}", "bonus"},
        {"{" TASKS ", \"late\": {\"unit\": \"points\", \"per_day\": 1, \"per_hour\": 1}}", "per_hour"},
        {"{" TASKS ", \"late\": {\"unit\": \"hours\", \"per_day\": 1}}", "not hours"},
        {"{" TASKS ", \"manual\": [{\"name\": \"report\", \"most\": 1}]}", "most"},
        {"{\"tasks\": [{\"id\": \"t\", \"points\": 0, \"criteria\": [], \"colour\": 1}]}", "colour"},
        {"{\"tasks\": [{\"id\": \"t\", \"points\": 1, \"criteria\": [{\"name\": \"x\", \"kind\": \"correctness\", "
         "\"points\": 1, \"pionts\": 1}]}]}",
         "pionts"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_null(load(rows[i][0]));
        assert_says(why, rows[i][1]);
    }
    json_t *rubric =
        load("{" TASKS ", \"late\": {\"unit\": \"percent\", \"per_day\": 10}, \"manual\": [{\"name\": \"r\"}]}");
    assert_non_null(rubric);
    json_decref(rubric);
#undef TASKS
}

static void the_labs_rubric_loads(void **state) {
    (void)state;
    json_t *rubric = lab_rubric_load("grader/rubric.json", why, sizeof why);
    if (!rubric) fail_msg("%s", why);
    json_decref(rubric);
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(a_rubric_that_does_not_add_up_is_refused),
        CLAIM(bounds_in_the_wrong_order_are_refused),
        CLAIM(numbers_of_shared_memory_alone_earn_nothing),
        CLAIM(a_file_that_is_no_json_is_refused_with_its_line),
        CLAIM(an_unknown_key_is_named),
        CLAIM(the_labs_rubric_loads),
    };
    return cmocka_run_group_tests_name("rubric_file", claims, NULL, NULL);
}
