// schema.c: results.schema.json with the verdicts, series and tasks of the tables in grader/core. The rest of the
// schema is what the committed file says.
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "series.h"
#include "tasks.h"
#include "verbs.h"
#include "verdict.h"

enum { WIDTH = 118 };

// Prints a value on one line where it fits, otherwise an element a line.
static void print(const json_t *value, int indent, int before) {
    char *text = json_dumps(value, JSON_ENCODE_ANY);
    const int object = json_is_object(value), fits = (int)strlen(text) + before <= WIDTH;
    const char *key, *comma = "";
    json_t *element;
    size_t i;
    if (fits || !(object || json_is_array(value))) {
        fputs(text, stdout);
    } else if (object) {
        json_object_foreach((json_t *)value, key, element) {
            printf("%s%s\n%*s\"%s\": ", *comma ? "" : "{", comma, indent + 2, "", key);
            print(element, indent + 2, indent + (int)strlen(key) + 6);
            comma = ",";
        }
        printf("\n%*s}", indent, "");
    } else {
        json_array_foreach(value, i, element) {
            printf("%s%s\n%*s", *comma ? "" : "[", comma, indent + 2, "");
            print(element, indent + 2, indent + 2);
            comma = ",";
        }
        printf("\n%*s]", indent, "");
    }
    free(text);
}

static void set_names(json_t *definitions, const char *name, json_t *names) {
    json_object_set_new(json_object_get(definitions, name), "enum", names);
}

int lab_report_schema(int argc, char **argv) {
    json_error_t error;
    json_t *schema = json_load_file(argv[argc - 1], JSON_REJECT_DUPLICATES, &error);
    json_t *definitions = json_object_get(schema, "$defs"), *verdicts = json_array(), *series = json_array(),
           *tasks = json_array();
    if (!definitions) return fprintf(stderr, "report: %s is no schema: %s\n", argv[argc - 1], error.text), 1;
#define LAB_VERDICT_STRING(name) json_array_append_new(verdicts, json_string(#name));
    LAB_VERDICTS(LAB_VERDICT_STRING)
    for (int i = 0; i < lab_n_series; i++) json_array_append_new(series, json_string(lab_all_series[i].name));
    for (int i = 0; i < lab_n_tasks; i++) json_array_append_new(tasks, json_string(lab_tasks[i].id));
    set_names(definitions, "verdict", verdicts);
    set_names(definitions, "series", series);
    set_names(definitions, "task_id", tasks);
    print(schema, 0, 0);
    putchar('\n');
    json_decref(schema);
    return fflush(stdout) != 0;
}
