// unit_archive.c: the same for archives, which may try to write elsewhere, or to fill the disk. grader/grade/unpack.c.
#define _GNU_SOURCE
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <archive.h>
#include <archive_entry.h>

#include "inbox.h"

static struct archive *archive;

static const char *begin_archive(const char *name) {
    const char *path = in(name);
    archive = archive_write_new();
    if (strstr(name, ".zip"))
        archive_write_set_format_zip(archive);
    else
        archive_write_set_format_pax_restricted(archive);
    if (strstr(name, ".gz")) archive_write_add_filter_gzip(archive);
    assert_int_equal(archive_write_open_filename(archive, path), ARCHIVE_OK);
    return path;
}

// size < 0: as long as the text. target: of a link.
static void add(const char *name, unsigned type, const char *text, long long size, const char *target) {
    struct archive_entry *e = archive_entry_new();
    archive_entry_set_pathname(e, name);
    archive_entry_set_filetype(e, type);
    archive_entry_set_perm(e, 0777);
    archive_entry_set_size(e, size >= 0 ? size : (long long)strlen(text));
    if (target && type == AE_IFLNK)
        archive_entry_set_symlink(e, target);
    else if (target)
        archive_entry_set_hardlink(e, target);
    assert_true(archive_write_header(archive, e) >= ARCHIVE_WARN);
    archive_write_data(archive, text, strlen(text));
    archive_entry_free(e);
}

static void add_file(const char *name, const char *text) { add(name, AE_IFREG, text, -1, NULL); }

static void end_archive(void) { archive_write_free(archive); }

static void archives_are_read_whatever_their_format(void **state) {
    const char *const names[] = {"a.zip", "a.tar.gz", "a.tar", "no suffix"};
    const char *const inside[] = {"task1_reference/reference.c", "./task1_reference/reference.c",
                                  "a folder/task1_reference/reference.c"};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) {
            inbox_clear(state);
            const char *path = begin_archive(names[i]);
            add_file("README.md", "x"), add_file(inside[k], "one"), add_file("a folder/grader/rubric.json", "x");
            end_archive();
            collect(path, 1);
            task(T1, LAB_PASSED, ""), task(T3, LAB_MISSING, "there is no task3_tiled_cpu/tiled_cpu.c");
            taken(T1, "one"), taken_in_all(1);
        }
}

static void what_an_archive_has_in_place_of_a_file_is_named(void **state) {
    (void)state;
    const char *path = begin_archive("wrong.zip");
    add_file("Lab/Task1_reference/reference.c", "one"), add_file("__MACOSX/Lab/._reference.c", "x");
    add_file("Lab/all.tar.gz", "x");
    end_archive();
    collect(path, 1);
    task(T1, LAB_MISSING, "there is no task1_reference/reference.c; there is Lab/Task1_reference/reference.c");
    task(T3, LAB_MISSING, "there is an archive, which is not opened: Lab/all.tar.gz");
}

static void paths_that_leave_the_archive_are_refused(void **state) {
    (void)state;
    const char *path = begin_archive("evil.tar.gz");
    add_file("../task1_reference/reference.c", "evil"), add_file("/task1_reference/reference.c", "evil");
    add_file("../../escaped", "evil"), add_file("task3_tiled_cpu/../task3_tiled_cpu/tiled_cpu.c", "evil"),
        add_file("..", "evil");
    end_archive();
    collect(path, 1);
    task(T1, LAB_MISSING, ""), task(T3, LAB_MISSING, "");
    assert_says(found.notes, "leaves the archive: ../task1_reference/reference.c");
    taken_in_all(0);
    assert_int_equal(access("build/tests/escaped", F_OK), -1);
}

// A tar archive of one entry that no writer would make: its header, then a block.
static void write_tar(const char *file, const char *name, char type, const char *octal_size, const char *target) {
    char header[512] = "";
    unsigned sum = 0;
    snprintf(header, 100, "%s", name), memcpy(header + 100, "0000644", 8), memcpy(header + 124, octal_size, 12);
    memcpy(header + 136, "00000000000", 12), memcpy(header + 148, "        ", 8), header[156] = type;
    snprintf(header + 157, 100, "%s", target), memcpy(header + 257, "ustar\00000", 8);
    for (int i = 0; i < 512; i++) sum += (unsigned char)header[i];
    snprintf(header + 148, 8, "%06o", sum);
    FILE *f = fopen(in(file), "w");
    assert_true(f && fwrite(header, 1, 512, f) == 512 && fwrite(header, 1, 512, f) == 512);
    const char end[1024] = "";
    assert_true(fwrite(end, 1, sizeof end, f) == sizeof end && fclose(f) == 0);
}

static void links_in_an_archive_are_forbidden(void **state) {
    (void)state;
    const char *path = begin_archive("links.tar");
    add_file("secret", "x");
    add("task1_reference/reference.c", AE_IFLNK, "", 0, "/etc/passwd"),
        add("task3_tiled_cpu/tiled_cpu.c", AE_IFREG, "", 0, "secret");
    add("other", AE_IFLNK, "", 0, "/etc");
    end_archive();
    collect(path, 1);
    task(T1, LAB_FORBIDDEN_FILE, "a link"), task(T3, LAB_FORBIDDEN_FILE, "a link");
    assert_says(found.notes, "ignored a link: other");
    taken_in_all(0);
    write_tar("body.tar", "task1_reference/reference.c", '1', "00000000100", "secret");  // a hard link with content
    collect(in("body.tar"), 1);
    task(T1, LAB_FORBIDDEN_FILE, "a link");
}

static void a_linked_folder_in_an_archive_is_not_followed(void **state) {
    (void)state;
    char outside[4096];
    assert_non_null(realpath(INBOX, outside));
    const char *path = begin_archive("folder.tar");
    add("task1_reference", AE_IFLNK, "", 0, outside), add_file("task1_reference/reference.c", "one");
    end_archive();
    collect(path, 1);
    taken(T1, "one");
    assert_int_equal(access(in("reference.c"), F_OK), -1);
}

static void special_entries_are_forbidden(void **state) {
    (void)state;
    const char *path = begin_archive("special.tar");
    add("task1_reference/reference.c", AE_IFIFO, "", 0, NULL),
        add("task3_tiled_cpu/tiled_cpu.c", AE_IFDIR, "", 0, NULL);
    end_archive();
    collect(path, 1);
    task(T1, LAB_FORBIDDEN_FILE, "special file"), task(T3, LAB_MISSING, "");  // a folder's name ends in a slash
    const char *device = begin_archive("device.tar");
    add("task1_reference/reference.c", AE_IFCHR, "", 0, NULL);
    end_archive();
    collect(device, 1);
    task(T1, LAB_FORBIDDEN_FILE, "special file");
}

static void a_huge_entry_is_forbidden(void **state) {
    (void)state;
    char *big = malloc((1 << 20) + 2);
    memset(big, 'x', (1 << 20) + 1), big[(1 << 20) + 1] = 0;
    const char *path = begin_archive("huge.tar.gz");
    add_file("task1_reference/reference.c", big), add_file("task3_tiled_cpu/tiled_cpu.c", big + 1);
    end_archive();
    free(big);
    collect(path, 1);
    task(T1, LAB_FORBIDDEN_FILE, "larger than 1024 KiB"), task(T3, LAB_PASSED, "");
}

static void an_archive_bomb_is_not_unpacked(void **state) {
    (void)state;
    write_tar("bomb.tar", "bomb", '0', "77777777777", "");  // says that 8 GiB follow
    collect(in("bomb.tar"), 0);
    assert_says(found.error, "larger than 256 MiB");  // refused before it is read: else it would be a truncated archive
    const char *many = begin_archive("many.tar.gz");
    for (int i = 0; i < 20001; i++) add_file("x", "");
    end_archive();
    collect(many, 0);
    assert_says(found.error, "20000 files");
}

// Each of them is small enough; together they are a bomb of the other kind.
static void the_same_file_again_and_again_is_not_unpacked_for_ever(void **state) {
    (void)state;
    char *big = malloc((1 << 20) + 1);
    memset(big, 'x', 1 << 20), big[1 << 20] = 0;
    const char *path = begin_archive("again.zip");
    for (int i = 0; i < 260; i++) add_file("task1_reference/reference.c", big);
    end_archive();
    free(big);
    collect(path, 0);
    assert_says(found.error, "larger than 256 MiB");
    taken_in_all(0);
}

static void what_cannot_be_opened_is_said(void **state) {
    (void)state;
    const char *path = in("locked.zip");
    archive = archive_write_new();
    archive_write_set_format_zip(archive);
    if (archive_write_set_options(archive, "zip:encryption=zipcrypt") == ARCHIVE_OK &&
        archive_write_set_passphrase(archive, "secret") == ARCHIVE_OK) {
        assert_int_equal(archive_write_open_filename(archive, path), ARCHIVE_OK);
        add_file("task1_reference/reference.c", "one");
        end_archive();
        collect(path, 1);
        task(T1, LAB_FORBIDDEN_FILE, "is encrypted");
    } else {
        end_archive();
    }
    const char *outer = begin_archive("outer.tar");
    add_file("task1.zip", "PK"), add_file("b/Lab.TAR.GZ", "x");
    end_archive();
    collect(outer, 1);
    task(T1, LAB_MISSING, "there is no");
    assert_says(found.notes, "not opened: task1.zip; an archive");
    const char *empty = begin_archive("empty.tar");
    end_archive();
    collect(empty, 1);
    task(T1, LAB_MISSING, "there is no");
    assert_says(found.notes, "the archive is empty");
}

static void folders_may_have_any_name(void **state) {
    static const char *const folders[] = {"caf\xc3\xa9", "caf\xe9", "\xe2\x80\xae\xd7\x90", "a\nb\x1b[31m", " - "};
    for (int zip = 0; zip < 2; zip++)
        for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
            char name[256];
            inbox_clear(state);
            snprintf(name, sizeof name, "%s/task1_reference/reference.c", folders[i]);
            const char *path = begin_archive(zip ? "a.zip" : "a.tar");
            add_file(name, "one");
            end_archive();
            collect(path, 1);
            task(T1, LAB_PASSED, ""), taken(T1, "one");
        }
}

static void a_broken_archive_is_an_error_and_not_a_zero(void **state) {
    (void)state;
    const char *path = begin_archive("cut.tar.gz");
    add_file("README.md", "0123456789 some text that is long enough to be cut"),
        add_file("task1_reference/reference.c", "one");
    end_archive();
    assert_int_equal(truncate(path, 60), 0);
    collect(path, 0);
    assert_true(*found.error);
    put("text.zip", "this is no archive");
    collect(in("text.zip"), 0);
    assert_says(found.error, "neither a folder nor an archive");
    put("empty.zip", "");
    collect(in("empty.zip"), 0);
    assert_true(*found.error);
}

static void of_two_entries_for_one_file_the_last_counts(void **state) {
    (void)state;
    const char *path = begin_archive("twice.tar");
    add_file("task1_reference/reference.c", "first"), add_file("task1_reference/reference.c", "second");
    end_archive();
    collect(path, 1);
    taken(T1, "second");
}

static void a_nickname_is_found_beside_the_tasks_alone(void **state) {
    (void)state;
    const char *path = begin_archive("named.tar");
    add_file("lab/task1_reference/reference.c", "x"), add_file("lab/task1_reference/nickname", "not this");
    add_file("lab/nickname", "ada\n"), add("nickname.txt", AE_IFLNK, "", 0, "/etc/passwd");
    end_archive();
    collect(path, 1);
    assert_string_equal(found.nickname, "ada");
    taken(T1, "x");
}

#define ON_CLEAR(function) cmocka_unit_test_setup_teardown(function, inbox_clear, inbox_clear)

int main(void) {
    const struct CMUnitTest claims[] = {
        ON_CLEAR(archives_are_read_whatever_their_format),
        ON_CLEAR(what_an_archive_has_in_place_of_a_file_is_named),
        ON_CLEAR(paths_that_leave_the_archive_are_refused),
        ON_CLEAR(links_in_an_archive_are_forbidden),
        ON_CLEAR(a_linked_folder_in_an_archive_is_not_followed),
        ON_CLEAR(special_entries_are_forbidden),
        ON_CLEAR(a_huge_entry_is_forbidden),
        ON_CLEAR(an_archive_bomb_is_not_unpacked),
        ON_CLEAR(the_same_file_again_and_again_is_not_unpacked_for_ever),
        ON_CLEAR(what_cannot_be_opened_is_said),
        ON_CLEAR(folders_may_have_any_name),
        ON_CLEAR(a_broken_archive_is_an_error_and_not_a_zero),
        ON_CLEAR(of_two_entries_for_one_file_the_last_counts),
        ON_CLEAR(a_nickname_is_found_beside_the_tasks_alone),
    };
    return cmocka_run_group_tests_name("archive", claims, NULL, NULL);
}
