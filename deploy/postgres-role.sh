#!/bin/sh
# Runs once, when PostgreSQL has no data yet: the role of the service, which may read and write rows and nothing else. The
# tables come afterwards, from `gatehouse migrate`, which is the owner's, a superuser, and keeps its own table to itself.
set -eu
password=$(cat /run/secrets/database_password)
psql --no-psqlrc -v ON_ERROR_STOP=1 -v password="$password" --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
CREATE ROLE gatehouse LOGIN PASSWORD :'password';
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO gatehouse;
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE ON SEQUENCES TO gatehouse;
REVOKE TEMPORARY ON DATABASE :"DBNAME" FROM PUBLIC;
SQL
