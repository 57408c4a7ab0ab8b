-- CreateTable
CREATE TABLE "known_addresses" (
    "user_id" INTEGER NOT NULL,
    "client" TEXT NOT NULL,
    "token_version" INTEGER NOT NULL,
    "last_login_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "known_addresses_pkey" PRIMARY KEY ("user_id","client")
);

-- CreateIndex
CREATE INDEX "known_addresses_last_login_at_idx" ON "known_addresses"("last_login_at");

-- AddForeignKey
ALTER TABLE "known_addresses" ADD CONSTRAINT "known_addresses_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
