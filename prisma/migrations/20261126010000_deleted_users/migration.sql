-- CreateTable
CREATE TABLE "deleted_users" (
    "id" INTEGER NOT NULL,
    "deleted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "deleted_users_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "deleted_users_deleted_at_idx" ON "deleted_users"("deleted_at");
