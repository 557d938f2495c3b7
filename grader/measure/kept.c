// kept.c: a JSON file for each machine: {"served": n, "points": {POINT: {NAME: {"verdict", "median_s", ...}}}}.
#define _GNU_SOURCE
#include "kept.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "backend.h"
#include "inputs.h"

enum { EVERY = 8 };  // submissions: then one point is measured again
static const double DRIFT = 0.03, MOST_AGE = 3600;

static double number(const json_t *o, const char *key) { return json_number_value(json_object_get(o, key)); }

// A session: after an hour without a measurement the machine may be another one.
static int is_old(const json_t *all) { return !(fabs(number(all, "at") - (double)time(NULL)) < MOST_AGE); }

// What the times depend on beside the point: this machine and this build of the lab.
static void describe_machine(const char *build, const char *tree, int on_gpu, char *text, size_t size) {
    char host[256] = "", gpu[256] = "", bench[600];
    struct stat st = {0};
    gethostname(host, sizeof host - 1);
    if (on_gpu) lab_gpu_says("uuid,driver_version", gpu, sizeof gpu);
    snprintf(bench, sizeof bench, "%s/bin/bench", build);
    stat(bench, &st);
    snprintf(text, size, "%s, %d processors, %s, lab of %lld, %s", host, (int)sysconf(_SC_NPROCESSORS_ONLN), gpu,
             (long long)st.st_mtime, tree);
}

void lab_kept_open(lab_kept *k, const char *folder, const char *build, const char *tree, int on_gpu) {
    char machine[2048];
    *k = (lab_kept){.all = NULL};
    if (!folder) return;
    describe_machine(build, tree, on_gpu, machine, sizeof machine);
    if (mkdir(folder, 0777) && errno != EEXIST) return;
    snprintf(k->path, sizeof k->path, "%.4000s/%016llx.json", folder, (unsigned long long)lab_key(0, machine, 0, 0));
    k->all = json_load_file(k->path, 0, NULL);
    if (!json_is_object(json_object_get(k->all, "points")) || is_old(k->all)) {
        json_decref(k->all);
        k->all = json_pack("{s:s, s:i, s:{}}", "machine", machine, "served", 0, "points");
    }
    const int served = (int)number(k->all, "served") + 1;
    json_object_set_new(k->all, "served", json_integer(served));
    k->check = served % EVERY == 0;
}

json_t *lab_kept_find(const lab_kept *k, const char *point) {
    return json_object_get(json_object_get(k->all, "points"), point);
}

// The largest change of a baseline's time. The null stage's is some microseconds of launching: it may double, and says
// nothing.
static double drift(const json_t *old, json_t *new) {
    const char *name;
    json_t *t;
    double most = 0;
    json_object_foreach(new, name, t) {
        if (strncmp(name, "null", 4) == 0) continue;
        const double before = number(json_object_get(old, name), "median_s"), now = number(t, "median_s");
        if (before > 0 && now > 0) most = fmax(most, fabs(now / before - 1));
    }
    return most;
}

static void save(const lab_kept *k) {
    char temporary[4500];
    snprintf(temporary, sizeof temporary, "%s.%d", k->path, (int)getpid());
    if (json_dump_file(k->all, temporary, JSON_COMPACT) || rename(temporary, k->path)) unlink(temporary);
}

void lab_kept_put(lab_kept *k, const char *point, json_t *of_point) {
    json_t *points = json_object_get(k->all, "points");
    if (points) {
        if (drift(json_object_get(points, point), of_point) > DRIFT) json_object_clear(points);
        json_object_set(points, point, of_point);
        json_object_set_new(k->all, "at", json_real((double)time(NULL)));
    }
    k->check = 0;
    json_decref(of_point);
}

void lab_kept_set(json_t *of_point, const char *name, const lab_timing *t) {
    json_object_set_new(of_point, name,
                        json_pack("{s:i, s:i, s:f, s:f, s:i, s:o}", "verdict", t->verdict, "rounds", t->rounds,
                                  "median_s", t->median_s, "iqr_s", t->iqr_s, "extra_bytes", (int)t->extra_bytes, "why",
                                  json_string_nocheck(t->why)));
}

int lab_kept_get(const json_t *of_point, const char *name, lab_timing *t) {
    const json_t *o = json_object_get(of_point, name);
    if (!o) return 0;
    *t = (lab_timing){.verdict = (lab_verdict)number(o, "verdict"),
                      .rounds = (int)number(o, "rounds"),
                      .median_s = number(o, "median_s"),
                      .iqr_s = number(o, "iqr_s"),
                      .extra_bytes = (long)number(o, "extra_bytes")};
    snprintf(t->why, sizeof t->why, "%s", json_string_value(json_object_get(o, "why")));
    return 1;
}

void lab_kept_close(lab_kept *k) {
    if (k->all) save(k);
    json_decref(k->all);
    k->all = NULL;
}
