-- The service's own role (deploy/postgres-role.sh) reads and writes rows. It gets no access to the table of migrations and
-- no temporary tables. Nothing changes where there is no such role, or where it is the owner that migrates.
DO $$
DECLARE
  migrations regclass := to_regclass('_prisma_migrations');
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'gatehouse' AND NOT rolsuper) THEN
    RETURN;
  END IF;
  IF EXISTS (SELECT FROM pg_class WHERE oid = migrations
      AND pg_has_role(relowner, 'USAGE') AND NOT pg_has_role('gatehouse', relowner, 'USAGE')) THEN
    EXECUTE format('REVOKE ALL ON %s FROM gatehouse', migrations);
  END IF;
  -- Every role has TEMPORARY through PUBLIC.
  IF EXISTS (SELECT FROM pg_database WHERE datname = current_database()
      AND pg_has_role(datdba, 'USAGE') AND NOT pg_has_role('gatehouse', datdba, 'USAGE')) THEN
    EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC, gatehouse', current_database());
  END IF;
END
$$;
