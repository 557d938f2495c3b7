# slurm_node.sh: sourced: a real Slurm of one node, of the calling user, in a folder; the shell ends it when it ends.
# shellcheck shell=bash
slurm_pids=()

slurm_missing() { # says which program is not installed
    local program
    for program in munged slurmctld slurmd sbatch squeue scontrol scancel; do
        command -v "$program" >/dev/null || { echo "no $program (Debian: apt-get install slurm-wlm munge)"; return 0; }
    done
    return 1
}

slurm_stop() {
    local pid
    for pid in "${slurm_pids[@]}"; do kill "$pid" 2>/dev/null; done
    for pid in "${slurm_pids[@]}"; do wait "$pid" 2>/dev/null; done
}

slurm_start() { # FOLDER: returns 0 when the node is idle
    local d=$1 host port
    host=$(hostname -s)
    port=$((20000 + $$ % 10000))
    mkdir -p "$d"/{state,spool,munge}
    chmod 700 "$d/munge"
    head -c 1024 /dev/urandom >"$d/munge/key"
    chmod 600 "$d/munge/key"
    cat >"$d/slurm.conf" <<EOF
ClusterName=lab
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$d/munge/socket
CredType=cred/munge
StateSaveLocation=$d/state
SlurmdSpoolDir=$d/spool
SlurmctldPidFile=$d/slurmctld.pid
SlurmdPidFile=$d/slurmd.pid
SlurmctldLogFile=$d/slurmctld.log
SlurmdLogFile=$d/slurmd.log
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
ReturnToService=2
KillWait=2
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=0,sched_min_interval=100000
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=lab Nodes=$host Default=YES MaxTime=60 State=UP
EOF
    export SLURM_CONF=$d/slurm.conf
    munged --foreground --force --key-file="$d/munge/key" --socket="$d/munge/socket" --pid-file="$d/munge/pid" \
        --seed-file="$d/munge/seed" --log-file="$d/munge/log" >"$d/munged.out" 2>&1 &
    slurm_pids=($!)
    slurmctld -D -c >"$d/slurmctld.out" 2>&1 &
    slurm_pids+=($!)
    slurmd -D >"$d/slurmd.out" 2>&1 &
    slurm_pids+=($!)
    local try
    for ((try = 0; try < 100; try++)); do
        [[ $(sinfo -h -o %t 2>/dev/null) == idle ]] && return 0
        sleep 0.2
    done
    tail -n 5 "$d"/slurmctld.out "$d"/slurmd.out "$d"/munged.out | sed 's/^/# /'
    return 1
}
