#!/bin/bash
# Runs the command of a systemd unit under the unit's own restrictions, with the system's systemd, on a machine that was not booted with it: a user
# manager in namespaces of its own applies the filters of system calls and address families; what it may not do for a user (read-only root, no
# capabilities, no new privileges) is done around it. As root: run-unit.sh UNIT PACKAGE STATE PORT [PROPERTY...]
# Prints what the service says; ends with 0 when a payout was paid, and leaves nothing running.
set -euo pipefail
export unit=$1 package=$2 state=$3 port=$4
shift 4
export extra="$*" uid=64242
if [[ ${INSIDE:-} != 1 ]]; then
  for kind in systemd unified .; do
    [[ -d /sys/fs/cgroup/$kind && -w /sys/fs/cgroup/$kind/cgroup.procs ]] && export cgroups="${cgroups:-} /sys/fs/cgroup/$kind/bursar-unit-$$"
  done
  trap 'for each in ${cgroups:-}; do find "$each" -depth -type d -exec rmdir {} + 2>/dev/null || true; done' EXIT
  INSIDE=1 unshare --mount --pid --fork --mount-proc --kill-child "$0" "$unit" "$package" "$state" "$port" "$@"
  exit
fi
for each in ${cgroups:-}; do mkdir -p "$each" && chown -R $uid:$uid "$each" && echo $$ >"$each/cgroup.procs"; done
mount -t tmpfs tmpfs /run
mkdir -p /run/systemd/system /run/user/$uid
chown $uid:$uid /run/user/$uid "$state"
(cat /etc/passwd && echo "bursar:x:$uid:$uid::$state:/bin/false") >/run/passwd
mount --bind /run/passwd /etc/passwd
mount --bind "$state" "$state"
mount -o remount,bind,ro /
cat >/run/inside <<'INSIDE'
set -uo pipefail
export XDG_RUNTIME_DIR=/run/user/$uid HOME=$state
/lib/systemd/systemd --user >$state/systemd.log 2>&1 &
for _ in $(seq 50); do systemctl --user is-system-running >/dev/null 2>&1 && break; sleep 0.1; done
# Of a user's manager, without those that need rights and are done outside.
mapfile -t lines < <(sed -n '/^\[Service\]/,/^\[Install\]/p' "$unit" | grep -E '^[A-Za-z]+=' |
  grep -vE '^(DynamicUser|User|StateDirectory.*|WorkingDirectory|EnvironmentFile|Environment|ExecStart|Restart.*|Type|LimitNOFILE|Protect[A-Za-z]*|Private[A-Za-z]*|ProcSubset|RemoveIPC|CapabilityBoundingSet|AmbientCapabilities)=')
properties=()
for line in "${lines[@]}" $extra; do properties+=(--property "$line"); done
read -ra environment < <(sed -n 's/^Environment=//p' "$unit")
settings=()
for each in "${environment[@]}" "PORT=$port" "BURSAR_DATA=$state/data"; do settings+=(--setenv "$each"); done
command=$(sed -n 's/^ExecStart=//p' "$unit" | sed "s#/opt/bursar#$package#")
systemd-run --user --quiet --unit=bursar "${properties[@]}" --property=StandardOutput=null --property="StandardError=file:$state/log" "${settings[@]}" $command
for _ in $(seq 150); do
  curl --silent --fail --output /dev/null "127.0.0.1:$port/readyz" && break
  [[ $(systemctl --user show bursar -p ActiveState --value) == active ]] || break
  sleep 0.2
done
key=$(sed -n 's/^Sandbox key: *//p' "$state/log") recipient=$(grep -o 'rcp_[0-9a-z]*' "$state/log" | head -n 1)
payout=$(curl --silent -u "$key:" "127.0.0.1:$port/v1/payouts" -d amount=250 -d currency=EUR -d "recipient=$recipient" | grep -o 'po_[0-9a-z]*' | head -n 1)
paid=$(curl --silent -u "$key:" -X POST "127.0.0.1:$port/v1/test_helpers/payouts/$payout/pay" | tr -d ' \n' | grep -o '"status":"paid"') # people who ask with curl get it indented
grep -E '^(Uid|CapEff|CapBnd|NoNewPrivs|Seccomp):' "/proc/$(systemctl --user show bursar -p MainPID --value)/status"
systemctl --user stop bursar
cat "$state/log"
[[ $paid == '"status":"paid"' ]]
INSIDE
exec setpriv --reuid $uid --regid $uid --clear-groups --bounding-set -all --inh-caps -all --no-new-privs bash /run/inside
