# metrics.awk: simt's JSON (one buffer or line per text line) -> "kernel,metric,value", the metrics by Nsight Compute's
# meaning.
function number(key,    at) {
    at = index($0, "\"" key "\":")
    return at ? substr($0, at + length(key) + 3) + 0 : 0
}
function text(key,    rest) {
    rest = substr($0, index($0, "\"" key "\":\"") + length(key) + 4)
    return substr(rest, 1, index(rest, "\"") - 1)
}
/"kernel":.*"grid":/ { kernel = text("kernel"); sub(/<.*/, "", kernel); flops += number("tensor_flops") }
/"space":/ && /"requests":/ {
    space = text("space"); op = text("op")
    requests[space, op] += number("requests")
    cost[space, op] += space == "shared" ? number("wavefronts") : number("sectors")
    conflicts[space, op] += number("bank_conflicts")
}
/"loaded":/ && /"stored":/ {
    print kernel "," text("name") ".loaded," number("loaded")
    print kernel "," text("name") ".stored," number("stored")
}
END {
    if (flops) print kernel ",tensor_flops," flops
    split("load store atomic", ops, " ")
    for (i = 1; i <= 3; i++) {
        op = ops[i]
        if (requests["global", op]) {
            print kernel ",global_" op "_requests," requests["global", op]
            print kernel ",global_" op "_sectors," cost["global", op]
        }
        if (requests["shared", op]) {
            print kernel ",shared_" op "_requests," requests["shared", op]
            print kernel ",shared_" op "_wavefronts," cost["shared", op]
            print kernel ",shared_" op "_conflicts," conflicts["shared", op]
        }
    }
}
