// scene.h: claims that fail, and what is said of all of them. What has been seen stays for the life of a program, so each
// scene is played in a process of its own.
#ifndef LAB_TESTS_SCENE_H
#define LAB_TESTS_SCENE_H

#include "unit.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common_cause.h"
#include "failed.h"

static const attn_shape shape = {1, 1, 4, 4, 8, 0};

static inline void fails(const lab_op *op, const char *diagnosis, int times) {
    const lab_case c = {.task = "task1", .criterion = "", .claim = "a claim", .op = op, .shape = shape};
    const lab_result r = failed(diagnosis);
    for (int i = 0; i < times; i++) lab_cause_add(&c, &r);
}

static char text[400];

static inline void play(void (*scene)(void), void (*say)(char *text, size_t size)) {
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    const pid_t pid = fork();
    if (pid == 0) {
        scene();
        say(text, sizeof text);
        _exit(write(ends[1], text, sizeof text) != sizeof text);
    }
    close(ends[1]);
    memset(text, 0, sizeof text);
    const ssize_t got = read(ends[0], text, sizeof text);
    close(ends[0]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    assert_int_equal(got, sizeof text);
}

#endif
