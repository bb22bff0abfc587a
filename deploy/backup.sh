#!/bin/sh
# Backups in a container: `backup.sh` makes one every night at 01:30 UTC and never ends, `backup.sh now` makes one and ends. Sealed with
# BACKUP_PASSPHRASE. In BACKUP_FOLDER (/var/backups/bursar), where two weeks of them are kept. A backup that fails deletes nothing and is tried
# again the next night; `bursar doctor` and the metric bursar_backup_last_timestamp_seconds tell.
set -eu
umask 077
folder=${BACKUP_FOLDER:-/var/backups/bursar}
: "${BACKUP_PASSPHRASE:?keep it elsewhere too: without it no backup can be read}"

backup() {
  sealing=$(mktemp)
  printf '%s\n' "$BACKUP_PASSPHRASE" >"$sealing"
  status=0
  bursar backup "$folder" --passphrase-file "$sealing" || status=$?
  rm -f "$sealing"
  [ "$status" = 0 ] || return "$status"
  find "$folder" -maxdepth 1 -name 'bursar-*.backup' -mtime +14 -delete
}

if [ "${1:-}" = now ]; then
  backup
  exit
fi
day=86400 at=5400
while :; do
  now=$(date +%s)
  next=$(( (now - at) / day * day + day + at ))
  sleep $((next - now))
  backup || echo 'The backup failed. The next one is tomorrow; at once: backup.sh now' >&2
done
