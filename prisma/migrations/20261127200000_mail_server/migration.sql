-- AlterTable
ALTER TABLE "mails" ADD COLUMN     "refused_at" TIMESTAMPTZ(3),
ADD COLUMN     "sent_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "mail_server" (
    "id" INTEGER NOT NULL,
    "faults" INTEGER NOT NULL,
    "paused_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "mail_server_pkey" PRIMARY KEY ("id")
);
