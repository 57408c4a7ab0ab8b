-- Several accounts may have one address. A replica of the last release cannot look up who has such an address: it leaves
-- the request to the replicas of this release, and its other mails until then.
CREATE INDEX "users_email_idx" ON "users"("email");
DROP INDEX "users_email_key";

-- AlterTable
ALTER TABLE "mails" ADD COLUMN     "letter_id" UUID;

-- CreateIndex
CREATE INDEX "mails_letter_id_idx" ON "mails"("letter_id");
