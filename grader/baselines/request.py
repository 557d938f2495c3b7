"""A request and a reply, field by field, as grader/run/protocol.h has them: for baselines in Python.

    request.py          prints each field's place and size in bytes, which unit_bench compares with C's
"""
import os
import struct

MAGIC, OK, BAD_SHAPE, NO_MEMORY = 0x4C41424E, 0, 1, 2
REPLY = struct.Struct("@IIiII16i")
FIELDS = (("magic", "I"), ("serial", "I"), ("sets", "I"), ("steps", "I"), ("op", "24s"), ("symbol", "96s"),
          ("shape", "6i"), ("laid_out", "6i"), ("extra", "2i"), ("probe", "I"), ("pipeline", "I"), ("n_tensors", "I"),
          ("lengths", "I"), ("scratch", "I"), ("busy_us", "I"), ("tensor", "160s"), ("edit", "I"), ("elements", "8Q"),
          ("bytes", "Q"), ("stride", "Q"), ("offset", "8Q"), ("key", "8Q"), ("link", "Q"), ("notes", "Q"),
          ("counts", "Q"), ("values", "Q"), ("n_values", "Q"), ("large", "3Q"), ("part", "64Q"))
REQUEST = struct.Struct("@" + "".join(code for _, code in FIELDS))


def unpack(message):
    """{name: a number, a tuple, or text}."""
    values, fields = iter(REQUEST.unpack(message)), {}
    for name, code in FIELDS:
        if code[-1] == "s":
            fields[name] = next(values).rstrip(b"\0").decode()
        else:
            fields[name] = tuple(next(values) for _ in range(int(code[:-1]))) if code[:-1] else next(values)
    return fields


def requests(read):
    """Each message until the checker closes the pipe. read(size): a message."""
    while len(message := read(REQUEST.size)) == REQUEST.size:
        yield unpack(message)


def reply(serial, status, count, more=0, tokens=()):
    os.write(4, REPLY.pack(MAGIC, serial, status, count, more, *tokens, *[0] * (16 - len(tokens))))


if __name__ == "__main__":
    before = "@"
    for name, code in FIELDS:
        print(name, struct.calcsize(before + "0" + code[-1]), struct.calcsize("@" + code))
        before += code
    print("all", REQUEST.size, REPLY.size)
