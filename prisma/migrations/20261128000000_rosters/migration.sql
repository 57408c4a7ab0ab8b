-- AlterTable
ALTER TABLE "users" ADD COLUMN     "disabled_by_source" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "source" TEXT,
ADD COLUMN     "sourced_id" TEXT;

-- CreateTable
CREATE TABLE "rosters" (
    "source" TEXT NOT NULL,
    "imported_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "rosters_pkey" PRIMARY KEY ("source")
);

-- CreateIndex
CREATE UNIQUE INDEX "users_source_sourced_id_key" ON "users"("source", "sourced_id");
