-- CreateEnum
CREATE TYPE "mail_kind" AS ENUM ('password_reset', 'password_changed');

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "email" TEXT,
ADD COLUMN     "reset_token_expires_at" TIMESTAMPTZ(3),
ADD COLUMN     "reset_token_hash" TEXT,
ADD COLUMN     "token_version" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "tokens_revoked_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "mails" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "kind" "mail_kind" NOT NULL,
    "username" TEXT,
    "email" TEXT,
    "user_id" INTEGER,
    "request_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "mails_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "mails_due_at_idx" ON "mails"("due_at");

-- CreateIndex
CREATE INDEX "mails_user_id_created_at_idx" ON "mails"("user_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE UNIQUE INDEX "users_reset_token_hash_key" ON "users"("reset_token_hash");

-- CreateIndex
CREATE INDEX "users_tokens_revoked_at_idx" ON "users"("tokens_revoked_at");

-- AddForeignKey
ALTER TABLE "mails" ADD CONSTRAINT "mails_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
