// noted.cu: what is noted of the calls of one call of a layer: what lies in which buffer, and the first argument that is
// not what task6.h says. Which argument has to be what, is watched.cu's.
#include <dlfcn.h>

#include "contents.h"
#include "noted.h"

lab_noted lab_now;

void lab_note_more(lab_called which, int odd, int got, int due, int more) {
    if (!lab_now.on || lab_now.log[0]) return;
    const int log[LAB_CALL_LOG] = {LAB_CALL_IS_ODD, which, odd, got, due, more, lab_now.place};
    for (int i = 0; i < LAB_CALL_LOG; i++) lab_now.log[i] = log[i];
}

void lab_note(lab_called which, int argument, int got, int due) {
    if (got != due) lab_note_more(which, argument, got, due, 0);
}

// How far from the beginning of the stage; 0: not of the stage.
static int place_of(const void *code) {
    Dl_info here, layer;
    if (!dladdr(code, &here) || !dladdr(lab_now.at.layer, &layer) || here.dli_fbase != layer.dli_fbase) return 0;
    return (int)((const char *)code - (const char *)here.dli_fbase) - 1;
}

// Another stream is noted whatever else is odd: it alone is wrong though the numbers are right.
void lab_enter(lab_called which, const void *caller, cudaStream_t stream) {
    if (lab_now.first < 0) lab_now.first = which;
    lab_now.times[which]++;
    if (lab_now.on && !lab_now.log[0]) lab_now.place = place_of(caller);
    if (!lab_now.on || stream == lab_now.at.stream || lab_now.strayed++ || lab_now.log[2] == LAB_CALL_STREAM) return;
    lab_now.log[0] = 0, lab_now.place = place_of(caller);
    lab_note_more(which, LAB_CALL_STREAM, stream != 0, 0, 0);
}

// What lies in memory is looked at in a prefill and in the first steps.
int lab_looks(void) { return lab_now.on && !lab_now.log[0] && lab_now.steps <= 2; }

lab_layer_buffer lab_buffer_of(const void *p) {
    for (int i = 1; i < LAB_N_BUFFERS; i++)
        if (p >= lab_now.at.begin[i] && (const char *)p < (const char *)lab_now.at.begin[i] + lab_now.at.bytes[i])
            return (lab_layer_buffer)i;
    return LAB_IN_NOTHING;
}

size_t lab_offset_of(const void *p) {
    const lab_layer_buffer at = lab_buffer_of(p);
    return at == LAB_IN_NOTHING ? 0 : ((const char *)p - (const char *)lab_now.at.begin[at]) / sizeof(float);
}

lab_layer_buffer lab_held_by(const void *p) { return lab_now.holds[lab_buffer_of(p)]; }

static lab_layer_buffer holder_of(lab_layer_buffer what) {
    for (int i = 1; i < LAB_N_BUFFERS; i++)
        if (lab_now.holds[i] == what) return (lab_layer_buffer)i;
    return LAB_IN_NOTHING;
}

// With one token the order of numbers is the same: that of O and merged, and for one sequence that of qkv's parts.
static int same_order(lab_layer_buffer got, lab_layer_buffer due) {
    if (lab_now.at.seq != 1 && lab_now.at.heads != 1) return 0;
    return (got == LAB_IN_O && due == LAB_IN_MERGED) || (got == LAB_IN_QKV && lab_now.at.seq * lab_now.at.batch == 1);
}

// Where nobody seen here has made what it has to be, a kernel of the layer's own may have.
void lab_takes_place(lab_called which, int argument, const void *p, lab_layer_buffer due) {
    const lab_layer_buffer at = lab_buffer_of(p), holder = holder_of(due);
    if (at == LAB_IN_NOTHING || holder == LAB_IN_NOTHING || lab_now.holds[at] == due ||
        same_order(lab_now.holds[at], due))
        return;
    lab_note(which, argument, at, holder);
}

void lab_takes(lab_called which, int argument, const void *p, lab_layer_buffer due, size_t n) {
    const lab_content c = lab_looks() && lab_buffer_of(p) ? lab_contents_look(due, p, lab_offset_of(p), n)
                                                          : lab_content{0, 0, 0, LAB_IN_NOTHING};
    const lab_layer_buffer at = lab_buffer_of(p);
    if (c.known && !c.odd) return;
    if (!c.known || c.instead || c.odd == LAB_CALL_CHANGED) lab_takes_place(which, argument, p, due);
    if (!c.odd) return;
    if (c.instead && c.instead != at)
        lab_note_more(which, argument, c.instead, due, 0);
    else
        lab_note_more(which, c.odd, at, c.detail, due);
}

// In a place of its own, not where `read`, which the function reads, lies.
void lab_gives(lab_called which, int argument, const void *p, lab_layer_buffer what, lab_layer_buffer read) {
    const lab_layer_buffer at = lab_buffer_of(p);
    const int is_of_the_model = at >= LAB_IN_X && at <= LAB_IN_LENGTHS;
    if (is_of_the_model || (at != LAB_IN_NOTHING && lab_now.holds[at] == read && !same_order(read, what)))
        lab_note(which, argument, at, what);
}

void lab_leave(const void *p, lab_layer_buffer what, size_t n) {
    const lab_layer_buffer at = lab_buffer_of(p);
    if (at > LAB_IN_LENGTHS || at == LAB_IN_Y) lab_now.holds[at] = what;
    if (lab_looks() && at) lab_contents_keep(what, p, lab_offset_of(p), n);
}
