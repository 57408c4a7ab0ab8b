-- AlterTable
ALTER TABLE "mails" ADD COLUMN     "claimed_until" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "pending_reset_token_expires_at" TIMESTAMPTZ(3),
ADD COLUMN     "pending_reset_token_hash" TEXT,
ADD COLUMN     "pending_reset_token_version" INTEGER;

-- CreateIndex
CREATE UNIQUE INDEX "users_pending_reset_token_hash_key" ON "users"("pending_reset_token_hash");

-- The costs of bcrypt hashes, so that those above the configured one are found without reading every user. Prisma's schema
-- cannot express an index over an expression.
CREATE INDEX "users_password_cost_idx" ON "users" (substr("password_hash", 5, 2));
