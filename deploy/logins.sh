#!/bin/bash
# The two logins of docs/guides/operating/database.md and their database: the owner of the tables, and the server, which can change neither transfers nor events.
# PostgreSQL's image runs it once, at the first start of an empty volume. Elsewhere: OWNER_PASSWORD=… SERVER_PASSWORD=… ./logins.sh as a superuser.
set -euo pipefail
psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --set "owner=$OWNER_PASSWORD" --set "server=$SERVER_PASSWORD" --dbname "${POSTGRES_DB:-postgres}" --username "${POSTGRES_USER:-postgres}" <<'SQL'
CREATE ROLE bursar_owner LOGIN PASSWORD :'owner';
CREATE ROLE bursar_app;
GRANT bursar_app TO bursar_owner WITH ADMIN OPTION;
CREATE ROLE bursar_server LOGIN PASSWORD :'server' IN ROLE bursar_app;
CREATE DATABASE bursar OWNER bursar_owner TEMPLATE template0 ENCODING 'UTF8';
SQL
