#!/usr/bin/env bash
# A Slurm cluster of this machine alone, without systemd, in a folder of its own.
#   cluster.sh start DIR [NODES]  starts it and prints SLURM_CONF=DIR/slurm.conf once all nodes are idle;
#                                 with NODES (1 to 16): that many fake nodes of 8 CPUs and 4 GPUs each
#   cluster.sh stop DIR           cancels its jobs and ends its daemons, and no other process
# It needs slurmctld, slurmd, sinfo, squeue and scancel on the PATH, and installs nothing.
set -euo pipefail

fail() {
    echo "cluster.sh: $*" >&2
    exit 1
}

[ $# -ge 2 ] || fail "Usage: cluster.sh start DIR [NODES], or cluster.sh stop DIR."
[ "$1" != start ] || mkdir -p "$2" || fail "The folder $2 cannot be made."
DIR=$(cd "$2" 2>/dev/null && pwd) || fail "There is no folder $2."
# slurm.conf has no escape for a double quote, and % stands for a node's name.
case $DIR in *[\"%\#\\]*) fail "The folder $DIR has one of the characters \" % # \\. Choose another." ;; esac
export SLURM_CONF=$DIR/slurm.conf
PIDS=$DIR/pids

# Whether a process is a daemon of this cluster: numbers of ended processes are given out again.
is_ours() {
    [ -r "/proc/$1/cmdline" ] && tr '\0' '\n' <"/proc/$1/cmdline" 2>/dev/null | grep -qxF "$SLURM_CONF"
}

alive() {
    local pid
    for pid in $(cat "$PIDS" 2>/dev/null); do
        if is_ours "$pid"; then echo "$pid"; fi
    done
}

# Waits until a command succeeds, at most so many tenths of a second.
wait_for() {
    local tenths=$1
    shift
    until "$@"; do
        tenths=$((tenths - 1))
        [ "$tenths" -gt 0 ] || return 1
        sleep 0.1
    done
}

daemon() {
    local log=$1
    shift
    setsid "$@" </dev/null >>"$DIR/log/$log" 2>&1 &
    echo $! >>"$PIDS"
}

is_free() {
    ! (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null
}

# The first of so many consecutive free ports.
free_ports() {
    local first port tries
    for tries in $(seq 50); do
        first=$((10000 + (RANDOM * 7 + tries) % 20000))
        for port in $(seq "$first" $((first + $1 - 1))); do
            is_free "$port" || continue 2
        done
        echo "$first"
        return
    done
    fail "No $1 consecutive free ports were found between 10000 and 30000."
}

configure() {
    local host port user memory i
    host=$(hostname -s)
    user=$(id -un)
    memory=$(($(awk '/^MemTotal/ {print $2}' /proc/meminfo) / 1024 - 512))
    port=$(free_ports $((NODES + 2)))
    mkdir -p "$DIR/log" "$DIR/state"
    cat >"$SLURM_CONF" <<CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/none
CredType=cred/none
StateSaveLocation="$DIR/state"
SlurmdSpoolDir="$DIR/spool-%n"
SlurmctldPidFile="$DIR/slurmctld.pid"
SlurmdPidFile="$DIR/slurmd-%n.pid"
SlurmctldLogFile="$DIR/log/slurmctld.log"
SlurmdLogFile="$DIR/log/slurmd-%n.log"
SlurmctldPort=$port
SlurmdPort=$((port + 1))
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
SlurmdParameters=config_overrides
MpiDefault=none
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0,sched_min_interval=0
JobCompType=jobcomp/filetxt
JobCompLoc="$DIR/log/jobcomp.txt"
MinJobAge=600
KillWait=2
PartitionName=batch Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
    if [ "$NODES" = 0 ]; then
        NAMES=("$host")
        echo "NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=$memory" >>"$SLURM_CONF"
    else
        NAMES=()
        for i in $(seq "$NODES"); do NAMES+=("n$i"); done
        cat >>"$SLURM_CONF" <<CONF
GresTypes=gpu
NodeName=n[1-$NODES] NodeHostname=$host NodeAddr=127.0.0.1 Port=[$((port + 2))-$((port + 1 + NODES))] CPUs=8 RealMemory=2000 Gres=gpu:4
CONF
        # Ordinary files stand for the devices: a count alone drains the nodes. Their path must have no space.
        DEVICES=$(mktemp -d /tmp/cluster-gpus.XXXXXX)
        touch "$DEVICES"/gpu{0..3}
        ln -sfn "$DEVICES" "$DIR/devices"
        echo "NodeName=n[1-$NODES] Name=gpu File=$DEVICES/gpu[0-3]" >"$DIR/gres.conf"
    fi
}

all_idle() {
    [ "$(timeout 5 sinfo -h -N -o %T 2>/dev/null | grep -cx idle)" = "${#NAMES[@]}" ]
}

start() {
    local command name
    for command in slurmctld slurmd sinfo squeue scancel; do
        command -v "$command" >/dev/null || fail "$command is not installed. Debian: apt-get install slurm-wlm."
    done
    [ -z "$(alive)" ] || fail "A cluster runs in $DIR already. Stop it: cluster.sh stop '$DIR'."
    NODES=${1:-0}
    [[ $NODES =~ ^([0-9]|1[0-6])$ ]] || fail "NODES is $NODES. Give a number from 1 to 16, or none for this machine as one node."
    configure
    : >"$PIDS"
    daemon start.log slurmctld -D -f "$SLURM_CONF"
    for name in "${NAMES[@]}"; do
        daemon start.log slurmd -D -f "$SLURM_CONF" -N "$name"
    done
    if ! wait_for 200 all_idle; then
        { timeout 5 sinfo -N -l || true; tail -n 3 "$DIR"/log/*.log; } >&2 2>&1
        end_daemons || true
        fail "Slurm was not idle within 20 s. Its logs are in $DIR/log."
    fi
    echo "SLURM_CONF=$SLURM_CONF"
}

none_alive() {
    [ -z "$(alive)" ]
}

no_jobs() {
    [ -z "$(timeout 5 squeue -h 2>/dev/null)" ]
}

end_daemons() {
    local pids
    pids=$(alive)
    # shellcheck disable=SC2086
    [ -z "$pids" ] || kill $pids 2>/dev/null || true
    if ! wait_for 50 none_alive; then
        # shellcheck disable=SC2046
        kill -9 $(alive) 2>/dev/null || true
        wait_for 20 none_alive || return 1
    fi
    if [ -L "$DIR/devices" ]; then
        rm -f "$DIR"/devices/gpu[0-3]
        rmdir "$(readlink "$DIR/devices")"
    fi
    rm -f "$PIDS" "$DIR/devices"
}

stop() {
    [ -f "$PIDS" ] || fail "No cluster was started in $DIR."
    if [ -n "$(alive)" ]; then
        # Steps of jobs outlive slurmd: they end first.
        for job in $(timeout 5 squeue -h -o %A 2>/dev/null || true); do timeout 5 scancel "$job" || true; done
        wait_for 60 no_jobs || echo "cluster.sh: jobs of $DIR did not end within 6 s." >&2
    fi
    end_daemons || fail "Daemons of $DIR did not end: $(alive | tr '\n' ' ')"
}

case $1 in
start) start "${3:-}" ;;
stop) stop ;;
*) fail "Unknown command $1. Usage: cluster.sh start DIR [NODES], or cluster.sh stop DIR." ;;
esac
