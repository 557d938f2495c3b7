// unit_source_ahead.c: what the next round is for, fetched into the array that this round is to read: source_ahead.c.
#include "hint_text.h"

#define LAMBDA                                                                                                         \
    "__shared__ float a[16][17], b[16][17];\n"                                                                         \
    "    auto fetch = [&](int at) {\n"                                                                                 \
    "        a[y][x] = at + x < n ? s[at + x] : 0.0f;\n"                                                               \
    "        b[x][y] = at + x < n ? v[at + x] : 0.0f;\n    };"                                                         \
    "\n    fetch(0);\n    "
#define ARRAY "float k[4], next[4];\n    int j = from + t;\n    if (j < to) load(k, s + (size_t)j * n, t);\n    "

static void what_overwrites_this_rounds_numbers_is_named(void **state) {
    (void)state;
    const char *says =
        "line 12 fetches the next round's numbers into a and b before line 13 reads there this round's: they "
        "are overwritten by then, and a barrier between the two does not help. Fetch after a barrier behind";
    expect(lab_hint_of_fetching,
           LAMBDA
           "float c = 0;\n    for (int l = 0; l < n; l += T) {\n        __syncthreads(); fetch(l + T);\n        for "
           "(int i = 0; i < T; i++) c += a[y][i] * b[i][x];\n        __syncthreads();\n    }",
           says);
    expect(lab_hint_of_fetching,
           LAMBDA "\n    for (int l = 0; l < n; l += T) {\n        if (l + T < n)\n            fetch(l + T);\n        "
                  "c += a[y][0];\n    }",
           "line 13 fetches the next round's numbers into a and b before line 14 reads");
    expect(lab_hint_of_fetching,
           ARRAY "for (; j < to; j += W) {\n        const int ahead = j + W;\n        if (ahead < to) load(k, s + "
                 "(size_t)ahead * n, t);\n        l += dot(v, k);\n    }",
           "line 9 fetches the next round's numbers into k before line 10 reads there this round's: they are "
           "overwritten by "
           "then. Fetch behind the last line that reads them, or into another array");
    expect(lab_hint_of_fetching,
           "float k[4];\n    k[0] = s[0 + t];\n    for (int j = 0; j < n; j++) {\n        k[0] = s[(j + 1) + t];\n"
           "        l += k[0];\n    }",
           "line 7 fetches");
}

static void numbers_that_are_taken_first_or_lie_elsewhere_are_right(void **state) {
    (void)state;
    static const char *const right[] = {
        // behind the last line that reads
        LAMBDA "for (int l = 0; l < n; l += T) {\n        __syncthreads();\n        c += a[y][0] * b[0][x];\n        "
               "__syncthreads();\n        fetch(l + T);\n    }",
        // of this round
        LAMBDA
        "for (int l = 0; l < n; l += T) {\n        fetch(l);\n        __syncthreads();\n        c += a[y][0];\n    }",
        // what is fetched lies in registers, and is stored from there, before the loop as well
        "__shared__ float a[16];\n    float r[4];\n    load(r, s, 0);\n    a[t] = r[0];\n    for (int l = 0; l < n; l "
        "+= T) "
        "{\n        load(r, s, l + T);\n        c += a[0];\n        __syncthreads();\n        a[t] = r[0];\n    }",
        LAMBDA "store();\n    for (int l = 0; l < n; l += T) {\n        fetch(l + T);\n        c += a[y][0];\n    }",
        // into another array
        ARRAY "for (; j < to; j += W) {\n        const int ahead = j + W;\n        if (ahead < to) load(next, s + "
              "(size_t)ahead * n, t);\n        l += dot(v, k);\n        copy(k, next);\n    }",
        ARRAY
        "for (; j < to; j += W) {\n        l += dot(v, k);\n        if (j + W < to) load(k, s + (size_t)(j + W) * n, "
        "t);\n    }",
        // two buffers
        "__shared__ float a[2][16][17];\n    load(a, s, 0);\n    for (int l = 0; l < n; l += T) {\n        load(a, s, "
        "l + "
        "T);\n        c += a[l / T % 2][y][0];\n    }",
        "float k[4], *now = k;\n    load(k, s, 0);\n    for (int l = 0; l < n; l += T) {\n        load(k, s, l + T);\n "
        "   "
        "    c += k[l & 1];\n    }"};
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) expect(lab_hint_of_fetching, right[i], NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_overwrites_this_rounds_numbers_is_named),
        cmocka_unit_test(numbers_that_are_taken_first_or_lie_elsewhere_are_right),
    };
    return cmocka_run_group_tests_name("source_ahead", tests, NULL, NULL);
}
