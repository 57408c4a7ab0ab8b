-- AlterEnum
ALTER TYPE "mail_kind" ADD VALUE 'second_factor';
ALTER TYPE "mail_kind" ADD VALUE 'second_factor_removed';
ALTER TYPE "mail_kind" ADD VALUE 'password_stolen';

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "second_factor_since" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "second_factors" (
    "user_id" INTEGER NOT NULL,
    "secret" TEXT,
    "last_step" INTEGER NOT NULL DEFAULT 0,
    "last_used_at" TIMESTAMPTZ(3),
    "wrong_codes" INTEGER NOT NULL DEFAULT 0,
    "wrong_of_password" INTEGER NOT NULL DEFAULT 0,
    "password_digest" TEXT,
    "last_refusal" TEXT,
    "last_refused_at" TIMESTAMPTZ(3),
    "new_secret" TEXT,
    "link_hash" TEXT,
    "link_expires_at" TIMESTAMPTZ(3),
    "link_version" INTEGER,
    "link_email" TEXT,
    "beginnings" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "second_factors_pkey" PRIMARY KEY ("user_id")
);

-- CreateTable
CREATE TABLE "recovery_codes" (
    "user_id" INTEGER NOT NULL,
    "hash" TEXT NOT NULL,

    CONSTRAINT "recovery_codes_pkey" PRIMARY KEY ("user_id","hash")
);

-- CreateIndex
CREATE UNIQUE INDEX "second_factors_link_hash_key" ON "second_factors"("link_hash");

-- AddForeignKey
ALTER TABLE "second_factors" ADD CONSTRAINT "second_factors_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "second_factors"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;
