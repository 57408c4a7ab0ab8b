-- AlterTable
ALTER TABLE "users" ADD COLUMN     "sign_in_issuer" TEXT,
ADD COLUMN     "sign_in_subject" TEXT;

-- CreateTable
CREATE TABLE "sign_in_tickets" (
    "hash" TEXT NOT NULL,
    "user_id" INTEGER NOT NULL,
    "token_version" INTEGER NOT NULL,
    "challenge" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sign_in_tickets_pkey" PRIMARY KEY ("hash")
);

-- CreateIndex
CREATE INDEX "sign_in_tickets_user_id_idx" ON "sign_in_tickets"("user_id");

-- CreateIndex
CREATE INDEX "sign_in_tickets_expires_at_idx" ON "sign_in_tickets"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "users_sign_in_issuer_sign_in_subject_key" ON "users"("sign_in_issuer", "sign_in_subject");

-- AddForeignKey
ALTER TABLE "sign_in_tickets" ADD CONSTRAINT "sign_in_tickets_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
