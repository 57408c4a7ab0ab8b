-- CreateTable
CREATE TABLE "database_mark" (
    "mark" UUID NOT NULL DEFAULT gen_random_uuid(),
    "made_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "unmarked_until" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "database_mark_pkey" PRIMARY KEY ("mark")
);

-- A release replaces replicas one by one, and those of the last release issue tokens without a mark. Only a database that
-- has accounts by now can have issued such tokens.
INSERT INTO "database_mark" ("unmarked_until")
SELECT CASE WHEN EXISTS (SELECT FROM "users") THEN now() + interval '1 day' ELSE now() END;
