# The lab in a container, with all that it needs and no GPU:
#
#     docker build --tag attention-lab .
#     docker run --rm --volume "$PWD/results:/lab/results" attention-lab make grade
#     docker run --rm attention-lab make check
#
# With a GPU start from an image of the CUDA toolkit, and the lab's CUDA tasks are timed there:
#
#     docker build --build-arg BASE=nvidia/cuda:13.0.0-devel-ubuntu24.04 --tag attention-lab .
#     docker run --rm --gpus all attention-lab make grade
ARG BASE=debian:12-slim
FROM ${BASE}
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates git make procps \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /lab
COPY grader/setup grader/setup
RUN apt-get update && grader/setup && rm -rf /var/lib/apt/lists/*
COPY . .
CMD ["make", "grade"]
