/* Parses and writes text as events with libyaml, for comparison.
 *
 *   libyaml_events parse FILE    rounds: makes and deletes all events of the text
 *   libyaml_events emit FILE     rounds: passes all events to libyaml's emitter
 *
 * Prints `ready`, libyaml's version and the number of events. Then it does one round for each line on stdin
 * and prints its seconds of CPU time and of wall time. The text is in memory before the clock starts.
 *
 * cc -O2 libyaml_events.c -lyaml
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <yaml.h>

static unsigned char *text;
static size_t size;

static void fail(const char *why)
{
    fprintf(stderr, "libyaml_events: %s\n", why);
    exit(1);
}

static void load(const char *path)
{
    FILE *file = fopen(path, "rb");
    long end;
    if (!file || fseek(file, 0, SEEK_END) || (end = ftell(file)) < 0 || fseek(file, 0, SEEK_SET))
        fail("the file cannot be read");
    size = (size_t)end;
    text = malloc(size ? size : 1);
    if (!text || fread(text, 1, size, file) != size)
        fail("the file cannot be read");
    fclose(file);
}

static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static unsigned long parse(void)
{
    yaml_parser_t parser;
    yaml_event_t event;
    unsigned long events = 0;
    int done = 0;
    if (!yaml_parser_initialize(&parser))
        fail("no memory");
    yaml_parser_set_input_string(&parser, text, size);
    while (!done) {
        if (!yaml_parser_parse(&parser, &event))
            fail(parser.problem ? parser.problem : "the text is not YAML");
        done = event.type == YAML_STREAM_END_EVENT;
        events++;
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return events;
}

/* Grows as our emitter's string does. */
struct text {
    unsigned char *bytes;
    size_t used, room;
};

static int append(void *data, unsigned char *bytes, size_t count)
{
    struct text *out = data;
    if (out->used + count > out->room) {
        out->room = (out->used + count) * 2;
        out->bytes = realloc(out->bytes, out->room);
        if (!out->bytes)
            fail("no memory");
    }
    memcpy(out->bytes + out->used, bytes, count);
    out->used += count;
    return 1;
}

static unsigned long emit(void)
{
    yaml_parser_t parser;
    yaml_emitter_t emitter;
    yaml_event_t event;
    struct text out = {malloc(size + 256), 0, size + 256};
    unsigned long events = 0;
    int done = 0;
    if (!out.bytes || !yaml_parser_initialize(&parser) || !yaml_emitter_initialize(&emitter))
        fail("no memory");
    yaml_parser_set_input_string(&parser, text, size);
    yaml_emitter_set_output(&emitter, append, &out);
    yaml_emitter_set_unicode(&emitter, 1);
    while (!done) {
        if (!yaml_parser_parse(&parser, &event))
            fail(parser.problem ? parser.problem : "the text is not YAML");
        done = event.type == YAML_STREAM_END_EVENT;
        events++;
        /* The emitter deletes the event. */
        if (!yaml_emitter_emit(&emitter, &event))
            fail(emitter.problem ? emitter.problem : "the events cannot be written");
    }
    yaml_emitter_delete(&emitter);
    yaml_parser_delete(&parser);
    free(out.bytes);
    return events;
}

int main(int count, char **arguments)
{
    unsigned long (*work)(void);
    int c;
    if (count != 3)
        fail("expected: parse|emit FILE");
    work = strcmp(arguments[1], "emit") == 0 ? emit : parse;
    load(arguments[2]);
    printf("ready libyaml %s %lu events\n", yaml_get_version_string(), work());
    fflush(stdout);
    while ((c = getchar()) != EOF) {
        double processor, wall;
        if (c != '\n')
            continue;
        wall = seconds(CLOCK_MONOTONIC);
        processor = seconds(CLOCK_THREAD_CPUTIME_ID);
        work();
        processor = seconds(CLOCK_THREAD_CPUTIME_ID) - processor;
        wall = seconds(CLOCK_MONOTONIC) - wall;
        printf("%.9f %.9f\n", processor, wall);
        fflush(stdout);
    }
    return 0;
}
