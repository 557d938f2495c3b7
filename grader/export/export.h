// export.h: one result, in the words of other graders. Each format is a function from results.json's content to a document.
#ifndef LAB_EXPORT_H
#define LAB_EXPORT_H

#include <jansson.h>
#include <stdio.h>

// Gradescope's words for when a student sees something: hidden, after_due_date, after_published, visible.
typedef struct {
    const char *visibility;  // of points and what is said about them
    const char *secret;      // of what is said about claims with a secret shape
    int leaderboard;         // 1: speed-ups are on the leaderboard
} lab_gradescope_options;

json_t *lab_gradescope(const json_t *root, const lab_gradescope_options *options);

// GitHub Classroom's result of one task (id), or of all of them (NULL).
json_t *lab_classroom(const json_t *root, const char *id);

// Autolab's last line: points by problem (task1 ... and bonus), and a row of the scoreboard.
json_t *lab_autolab(const json_t *root);

// A gradebook with the columns of another system: "HEADER=FIELD,..."; FIELD is submission, score, bonus, total, max_score,
// percent, comment, taskN, taskN_verdict, or nothing: an empty cell. Also a name: canvas, moodle. Returns 0 after saying
// what is wrong.
int lab_grades_csv(FILE *out, const char *columns, char *const paths[], int n);

// ---- common.c: what the formats share

int lab_is_bonus(const json_t *criterion);
int lab_is_secret(const json_t *test);  // a claim whose shape comes from the secret seed

// What is said about a criterion, as Markdown, the caller's to free: why it earned its points, and the claims that fail.
// Of a secret claim only that it fails.
char *lab_criterion_text(const json_t *task, const json_t *criterion);
char *lab_secret_text(const json_t *task);  // the secret claims that fail, with all that is known; NULL: none fails

#endif
