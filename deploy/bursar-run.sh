#!/bin/sh
# `bursar` as the user and with the settings of bursar.service, which are neither root's nor yours: its user exists only while something runs as it.
# As root:
#
#   install -m 755 /opt/bursar/lib/node_modules/bursar/deploy/bursar-run.sh /usr/local/bin/bursar
#   bursar doctor
#
# A file that it is to read must be readable by that user; standard input and output are yours: bursar keys list --json | jq
set -eu
# systemd would put variables of its own in place of $NAME in a word: $$ is a $.
for word; do
  shift
  case $word in *\$*) word=$(printf '%s.' "$word" | sed 's/\$/$$/g') && word=${word%.} ;; esac
  set -- "$@" "$word"
done
exec systemd-run --quiet --collect --wait --pipe --service-type=exec \
  --property=DynamicUser=yes \
  --property=User=bursar \
  --property=StateDirectory=bursar \
  --property=StateDirectoryMode=0700 \
  --property=WorkingDirectory=/var/lib/bursar \
  --property=EnvironmentFile=-/etc/bursar/bursar.env \
  --property=UMask=0077 \
  --property=NoNewPrivileges=yes \
  --property=ProtectSystem=strict \
  --property=ProtectHome=yes \
  --property=PrivateTmp=yes \
  --setenv=NODE_ENV=production \
  --setenv=BURSAR_DATA=/var/lib/bursar \
  --setenv="NO_COLOR=${NO_COLOR-}" \
  -- /usr/bin/env node /opt/bursar/lib/node_modules/bursar/bin/bursar.cjs "$@"
