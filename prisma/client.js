var __defProp = Object.defineProperty;
var __export = (target, all) => {
  for (var name in all)
    __defProp(target, name, { get: all[name], enumerable: true });
};

// src/generated/prisma/client.ts
import * as path from "node:path";
import { fileURLToPath } from "node:url";

// src/generated/prisma/internal/class.ts
import * as runtime from "@prisma/client/runtime/client";
var config = {
  "previewFeatures": [],
  "clientVersion": "7.10.0",
  "engineVersion": "0edf323efd1d98336f3f0a68684b56f689b900d3",
  "activeProvider": "postgresql",
  "inlineSchema": `generator client {
  provider            = "prisma-client"
  output              = "../src/generated/prisma"
  importFileExtension = "js"
}

datasource db {
  provider = "postgresql"
}

/// One person or machine that may log in.
model User {
  id                             Int       @id @default(autoincrement())
  /// Normalised (NFKC, lower case): see src/auth/username.ts.
  username                       String    @unique
  /// In lower case; without one, nothing can be mailed to the user.
  email                          String?   @unique
  /// bcrypt; null or damaged means that nobody can log in with a password.
  passwordHash                   String?   @map("password_hash")
  /// A login with this password is 403 until it is changed.
  passwordTemporary              Boolean   @default(false) @map("password_temporary")
  /// Created by a request without an administrator (USER_CREATION=open): perhaps not by the owner of the name.
  selfRegistered                 Boolean   @default(false) @map("self_registered")
  userType                       String    @map("user_type")
  role                           String
  adpStatus                      String?   @map("adp_status")
  bookChapterApproverDesignation String?   @map("book_chapter_approver_designation")
  /// Counts revocations: a token with a lower number is refused. See src/auth/revocations.ts.
  tokenVersion                   Int       @default(0) @map("token_version")
  tokensRevokedAt                DateTime? @map("tokens_revoked_at") @db.Timestamptz(3)
  /// SHA-256, in hexadecimal, of the reset token in the newest mail that was sent. See src/auth/reset-tokens.ts.
  resetTokenHash                 String?   @unique @map("reset_token_hash")
  resetTokenExpiresAt            DateTime? @map("reset_token_expires_at") @db.Timestamptz(3)
  /// The same of a mail whose delivery has begun and whose outcome is not known: it may have been sent.
  pendingResetTokenHash          String?   @unique @map("pending_reset_token_hash")
  pendingResetTokenExpiresAt     DateTime? @map("pending_reset_token_expires_at") @db.Timestamptz(3)
  /// The user's token version when it was made. It is void with another one: replicas of the last release leave the hash.
  pendingResetTokenVersion       Int?      @map("pending_reset_token_version")
  disabledAt                     DateTime? @map("disabled_at") @db.Timestamptz(3)
  createdAt                      DateTime  @default(now()) @map("created_at") @db.Timestamptz(3)
  updatedAt                      DateTime  @default(now()) @updatedAt @map("updated_at") @db.Timestamptz(3)

  mails          Mail[]
  sessions       Session[]
  knownAddresses KnownAddress[]

  @@index([tokensRevokedAt])
  @@map("users")
}

/// What a login begins: tokens that are renewed without the password, on one device. See src/auth/sessions.ts.
model Session {
  id           String    @id @db.Uuid
  userId       Int       @map("user_id")
  user         User      @relation(fields: [userId], references: [id], onDelete: Cascade)
  /// The user's token version at the login. The session ended if the user has another one.
  tokenVersion Int       @map("token_version")
  startedAt    DateTime  @default(now()) @map("started_at") @db.Timestamptz(3)
  lastUsedAt   DateTime  @default(now()) @map("last_used_at") @db.Timestamptz(3)
  endedAt      DateTime? @map("ended_at") @db.Timestamptz(3)
  /// The address of the login, as in the keys of buckets.
  client       String
  userAgent    String    @map("user_agent")

  @@index([userId])
  @@index([startedAt])
  @@index([endedAt])
  @@map("sessions")
}

/// A user who was deleted in the last day: replicas refuse their tokens. Id 0 stands for everyone: they refuse what was
/// issued before its time. See src/auth/revocations.ts.
model DeletedUser {
  id        Int      @id
  deletedAt DateTime @default(now()) @map("deleted_at") @db.Timestamptz(3)

  @@index([deletedAt])
  @@map("deleted_users")
}

/// An address that a user has logged in from: see src/auth/known-addresses.ts.
model KnownAddress {
  userId       Int      @map("user_id")
  user         User     @relation(fields: [userId], references: [id], onDelete: Cascade)
  /// As in the keys of buckets: an IPv4 address or an IPv6 /64.
  client       String
  /// The user's token version at the last login from here. The address is known while the user still has it.
  tokenVersion Int      @map("token_version")
  lastLoginAt  DateTime @default(now()) @map("last_login_at") @db.Timestamptz(3)

  @@id([userId, client])
  @@index([lastLoginAt])
  @@map("known_addresses")
}

/// A mail to be sent, or one that was: see src/auth/outbox.ts.
model Mail {
  id           String    @id @default(dbgenerated("gen_random_uuid()")) @db.Uuid
  kind         MailKind
  /// What was typed into the form, for a mail whose user has not been looked up yet.
  username     String?
  email        String?
  userId       Int?      @map("user_id")
  user         User?     @relation(fields: [userId], references: [id], onDelete: Cascade)
  /// That of the request that asked for it, such as \`hi\`. English without one.
  language     String?
  /// The request that asked for it, to be found in the log.
  requestId    String    @map("request_id")
  createdAt    DateTime  @default(now()) @map("created_at") @db.Timestamptz(3)
  attempts     Int       @default(0)
  /// When it may be tried again; null once it was sent or given up.
  dueAt        DateTime? @default(now()) @map("due_at") @db.Timestamptz(3)
  /// Why the last attempt failed, without addresses.
  lastFailure  String?   @map("last_failure")
  /// The lease of the worker that delivers it; until then no other worker takes it, whatever dueAt says.
  claimedUntil DateTime? @map("claimed_until") @db.Timestamptz(3)
  /// When the mail server took it.
  sentAt       DateTime? @map("sent_at") @db.Timestamptz(3)
  /// When the mail server first refused its recipient for good.
  refusedAt    DateTime? @map("refused_at") @db.Timestamptz(3)

  @@index([dueAt])
  @@index([userId, createdAt])
  @@map("mails")
}

/// The mail server's own faults in a row, in the one row of this table. Without a fault there is none. See
/// src/auth/mails.ts.
model MailServer {
  id          Int      @id
  /// 0 if an operator has asked for a try meanwhile.
  faults      Int
  /// Until then no replica tries to send a mail.
  pausedUntil DateTime @map("paused_until") @db.Timestamptz(3)

  @@map("mail_server")
}

enum MailKind {
  password_reset
  password_changed
  invitation

  @@map("mail_kind")
}
`,
  "runtimeDataModel": {
    "models": {},
    "enums": {},
    "types": {}
  },
  "parameterizationSchema": {
    "strings": [],
    "graph": ""
  }
};
config.runtimeDataModel = JSON.parse('{"models":{"User":{"fields":[{"name":"id","kind":"scalar","type":"Int"},{"name":"username","kind":"scalar","type":"String"},{"name":"email","kind":"scalar","type":"String"},{"name":"passwordHash","kind":"scalar","type":"String","dbName":"password_hash"},{"name":"passwordTemporary","kind":"scalar","type":"Boolean","dbName":"password_temporary"},{"name":"selfRegistered","kind":"scalar","type":"Boolean","dbName":"self_registered"},{"name":"userType","kind":"scalar","type":"String","dbName":"user_type"},{"name":"role","kind":"scalar","type":"String"},{"name":"adpStatus","kind":"scalar","type":"String","dbName":"adp_status"},{"name":"bookChapterApproverDesignation","kind":"scalar","type":"String","dbName":"book_chapter_approver_designation"},{"name":"tokenVersion","kind":"scalar","type":"Int","dbName":"token_version"},{"name":"tokensRevokedAt","kind":"scalar","type":"DateTime","dbName":"tokens_revoked_at"},{"name":"resetTokenHash","kind":"scalar","type":"String","dbName":"reset_token_hash"},{"name":"resetTokenExpiresAt","kind":"scalar","type":"DateTime","dbName":"reset_token_expires_at"},{"name":"pendingResetTokenHash","kind":"scalar","type":"String","dbName":"pending_reset_token_hash"},{"name":"pendingResetTokenExpiresAt","kind":"scalar","type":"DateTime","dbName":"pending_reset_token_expires_at"},{"name":"pendingResetTokenVersion","kind":"scalar","type":"Int","dbName":"pending_reset_token_version"},{"name":"disabledAt","kind":"scalar","type":"DateTime","dbName":"disabled_at"},{"name":"createdAt","kind":"scalar","type":"DateTime","dbName":"created_at"},{"name":"updatedAt","kind":"scalar","type":"DateTime","dbName":"updated_at"},{"name":"mails","kind":"object","type":"Mail","relationName":"MailToUser"},{"name":"sessions","kind":"object","type":"Session","relationName":"SessionToUser"},{"name":"knownAddresses","kind":"object","type":"KnownAddress","relationName":"KnownAddressToUser"}],"dbName":"users","schema":null},"Session":{"fields":[{"name":"id","kind":"scalar","type":"String"},{"name":"userId","kind":"scalar","type":"Int","dbName":"user_id"},{"name":"user","kind":"object","type":"User","relationName":"SessionToUser"},{"name":"tokenVersion","kind":"scalar","type":"Int","dbName":"token_version"},{"name":"startedAt","kind":"scalar","type":"DateTime","dbName":"started_at"},{"name":"lastUsedAt","kind":"scalar","type":"DateTime","dbName":"last_used_at"},{"name":"endedAt","kind":"scalar","type":"DateTime","dbName":"ended_at"},{"name":"client","kind":"scalar","type":"String"},{"name":"userAgent","kind":"scalar","type":"String","dbName":"user_agent"}],"dbName":"sessions","schema":null},"DeletedUser":{"fields":[{"name":"id","kind":"scalar","type":"Int"},{"name":"deletedAt","kind":"scalar","type":"DateTime","dbName":"deleted_at"}],"dbName":"deleted_users","schema":null},"KnownAddress":{"fields":[{"name":"userId","kind":"scalar","type":"Int","dbName":"user_id"},{"name":"user","kind":"object","type":"User","relationName":"KnownAddressToUser"},{"name":"client","kind":"scalar","type":"String"},{"name":"tokenVersion","kind":"scalar","type":"Int","dbName":"token_version"},{"name":"lastLoginAt","kind":"scalar","type":"DateTime","dbName":"last_login_at"}],"dbName":"known_addresses","schema":null},"Mail":{"fields":[{"name":"id","kind":"scalar","type":"String"},{"name":"kind","kind":"enum","type":"MailKind"},{"name":"username","kind":"scalar","type":"String"},{"name":"email","kind":"scalar","type":"String"},{"name":"userId","kind":"scalar","type":"Int","dbName":"user_id"},{"name":"user","kind":"object","type":"User","relationName":"MailToUser"},{"name":"language","kind":"scalar","type":"String"},{"name":"requestId","kind":"scalar","type":"String","dbName":"request_id"},{"name":"createdAt","kind":"scalar","type":"DateTime","dbName":"created_at"},{"name":"attempts","kind":"scalar","type":"Int"},{"name":"dueAt","kind":"scalar","type":"DateTime","dbName":"due_at"},{"name":"lastFailure","kind":"scalar","type":"String","dbName":"last_failure"},{"name":"claimedUntil","kind":"scalar","type":"DateTime","dbName":"claimed_until"},{"name":"sentAt","kind":"scalar","type":"DateTime","dbName":"sent_at"},{"name":"refusedAt","kind":"scalar","type":"DateTime","dbName":"refused_at"}],"dbName":"mails","schema":null},"MailServer":{"fields":[{"name":"id","kind":"scalar","type":"Int"},{"name":"faults","kind":"scalar","type":"Int"},{"name":"pausedUntil","kind":"scalar","type":"DateTime","dbName":"paused_until"}],"dbName":"mail_server","schema":null}},"enums":{},"types":{}}');
config.parameterizationSchema = {
  strings: JSON.parse('["where","orderBy","cursor","user","mails","sessions","knownAddresses","_count","User.findUnique","User.findUniqueOrThrow","User.findFirst","User.findFirstOrThrow","User.findMany","data","User.createOne","User.createMany","User.createManyAndReturn","User.updateOne","User.updateMany","User.updateManyAndReturn","create","update","User.upsertOne","User.deleteOne","User.deleteMany","having","_avg","_sum","_min","_max","User.groupBy","User.aggregate","Session.findUnique","Session.findUniqueOrThrow","Session.findFirst","Session.findFirstOrThrow","Session.findMany","Session.createOne","Session.createMany","Session.createManyAndReturn","Session.updateOne","Session.updateMany","Session.updateManyAndReturn","Session.upsertOne","Session.deleteOne","Session.deleteMany","Session.groupBy","Session.aggregate","DeletedUser.findUnique","DeletedUser.findUniqueOrThrow","DeletedUser.findFirst","DeletedUser.findFirstOrThrow","DeletedUser.findMany","DeletedUser.createOne","DeletedUser.createMany","DeletedUser.createManyAndReturn","DeletedUser.updateOne","DeletedUser.updateMany","DeletedUser.updateManyAndReturn","DeletedUser.upsertOne","DeletedUser.deleteOne","DeletedUser.deleteMany","DeletedUser.groupBy","DeletedUser.aggregate","KnownAddress.findUnique","KnownAddress.findUniqueOrThrow","KnownAddress.findFirst","KnownAddress.findFirstOrThrow","KnownAddress.findMany","KnownAddress.createOne","KnownAddress.createMany","KnownAddress.createManyAndReturn","KnownAddress.updateOne","KnownAddress.updateMany","KnownAddress.updateManyAndReturn","KnownAddress.upsertOne","KnownAddress.deleteOne","KnownAddress.deleteMany","KnownAddress.groupBy","KnownAddress.aggregate","Mail.findUnique","Mail.findUniqueOrThrow","Mail.findFirst","Mail.findFirstOrThrow","Mail.findMany","Mail.createOne","Mail.createMany","Mail.createManyAndReturn","Mail.updateOne","Mail.updateMany","Mail.updateManyAndReturn","Mail.upsertOne","Mail.deleteOne","Mail.deleteMany","Mail.groupBy","Mail.aggregate","MailServer.findUnique","MailServer.findUniqueOrThrow","MailServer.findFirst","MailServer.findFirstOrThrow","MailServer.findMany","MailServer.createOne","MailServer.createMany","MailServer.createManyAndReturn","MailServer.updateOne","MailServer.updateMany","MailServer.updateManyAndReturn","MailServer.upsertOne","MailServer.deleteOne","MailServer.deleteMany","MailServer.groupBy","MailServer.aggregate","AND","OR","NOT","id","faults","pausedUntil","equals","in","notIn","lt","lte","gt","gte","not","MailKind","kind","username","email","userId","language","requestId","createdAt","attempts","dueAt","lastFailure","claimedUntil","sentAt","refusedAt","contains","startsWith","endsWith","client","tokenVersion","lastLoginAt","deletedAt","startedAt","lastUsedAt","endedAt","userAgent","passwordHash","passwordTemporary","selfRegistered","userType","role","adpStatus","bookChapterApproverDesignation","tokensRevokedAt","resetTokenHash","resetTokenExpiresAt","pendingResetTokenHash","pendingResetTokenExpiresAt","pendingResetTokenVersion","disabledAt","updatedAt","userId_client","every","some","none","is","isNot","connectOrCreate","upsert","createMany","set","disconnect","delete","connect","updateMany","deleteMany","increment","decrement","multiply","divide"]'),
  graph: "xAI-YBoEAADSAQAgBQAA0wEAIAYAANQBACBwAADOAQAwcQAABwAQcgAAzgEAMHMCAAAAAYABAQAAAAGBAQEAAAABhQFAAKoBACGQAQIAqQEAIZcBAQDPAQAhmAEgANABACGZASAA0AEAIZoBAQDIAQAhmwEBAMgBACGcAQEAzwEAIZ0BAQDPAQAhngFAAMsBACGfAQEAAAABoAFAAMsBACGhAQEAAAABogFAAMsBACGjAQIA0QEAIaQBQADLAQAhpQFAAKoBACEBAAAAAQAgEgMAANcBACBwAADVAQAwcQAAAwAQcgAA1QEAMHMBAMwBACF_AADWAX8igAEBAM8BACGBAQEAzwEAIYIBAgDRAQAhgwEBAM8BACGEAQEAyAEAIYUBQACqAQAhhgECAKkBACGHAUAAywEAIYgBAQDPAQAhiQFAAMsBACGKAUAAywEAIYsBQADLAQAhCgMAALICACCAAQAA3wEAIIEBAADfAQAgggEAAN8BACCDAQAA3wEAIIcBAADfAQAgiAEAAN8BACCJAQAA3wEAIIoBAADfAQAgiwEAAN8BACASAwAA1wEAIHAAANUBADBxAAADABByAADVAQAwcwEAAAABfwAA1gF_IoABAQDPAQAhgQEBAM8BACGCAQIA0QEAIYMBAQDPAQAhhAEBAMgBACGFAUAAqgEAIYYBAgCpAQAhhwFAAMsBACGIAQEAzwEAIYkBQADLAQAhigFAAMsBACGLAUAAywEAIQMAAAADACABAAAEADACAAAFACAaBAAA0gEAIAUAANMBACAGAADUAQAgcAAAzgEAMHEAAAcAEHIAAM4BADBzAgCpAQAhgAEBAMgBACGBAQEAzwEAIYUBQACqAQAhkAECAKkBACGXAQEAzwEAIZgBIADQAQAhmQEgANABACGaAQEAyAEAIZsBAQDIAQAhnAEBAM8BACGdAQEAzwEAIZ4BQADLAQAhnwEBAM8BACGgAUAAywEAIaEBAQDPAQAhogFAAMsBACGjAQIA0QEAIaQBQADLAQAhpQFAAKoBACEBAAAABwAgDAMAAMkBACBwAADKAQAwcQAACQAQcgAAygEAMHMBAMwBACGCAQIAqQEAIY8BAQDIAQAhkAECAKkBACGTAUAAqgEAIZQBQACqAQAhlQFAAMsBACGWAQEAyAEAIQIDAACyAgAglQEAAN8BACAMAwAAyQEAIHAAAMoBADBxAAAJABByAADKAQAwcwEAAAABggECAKkBACGPAQEAyAEAIZABAgCpAQAhkwFAAKoBACGUAUAAqgEAIZUBQADLAQAhlgEBAMgBACEDAAAACQAgAQAACgAwAgAACwAgCAMAAMkBACBwAADHAQAwcQAADQAQcgAAxwEAMIIBAgCpAQAhjwEBAMgBACGQAQIAqQEAIZEBQACqAQAhAQMAALICACAJAwAAyQEAIHAAAMcBADBxAAANABByAADHAQAwggECAKkBACGPAQEAyAEAIZABAgCpAQAhkQFAAKoBACGmAQAAxgEAIAMAAAANACABAAAOADACAAAPACABAAAAAwAgAQAAAAkAIAEAAAANACABAAAAAQAgDgQAAK8CACAFAACwAgAgBgAAsQIAIIEBAADfAQAglwEAAN8BACCcAQAA3wEAIJ0BAADfAQAgngEAAN8BACCfAQAA3wEAIKABAADfAQAgoQEAAN8BACCiAQAA3wEAIKMBAADfAQAgpAEAAN8BACADAAAABwAgAQAAFQAwAgAAAQAgAwAAAAcAIAEAABUAMAIAAAEAIAMAAAAHACABAAAVADACAAABACAXBAAArAIAIAUAAK0CACAGAACuAgAgcwIAAAABgAEBAAAAAYEBAQAAAAGFAUAAAAABkAECAAAAAZcBAQAAAAGYASAAAAABmQEgAAAAAZoBAQAAAAGbAQEAAAABnAEBAAAAAZ0BAQAAAAGeAUAAAAABnwEBAAAAAaABQAAAAAGhAQEAAAABogFAAAAAAaMBAgAAAAGkAUAAAAABpQFAAAAAAQENAAAZACAUcwIAAAABgAEBAAAAAYEBAQAAAAGFAUAAAAABkAECAAAAAZcBAQAAAAGYASAAAAABmQEgAAAAAZoBAQAAAAGbAQEAAAABnAEBAAAAAZ0BAQAAAAGeAUAAAAABnwEBAAAAAaABQAAAAAGhAQEAAAABogFAAAAAAaMBAgAAAAGkAUAAAAABpQFAAAAAAQENAAAbADABDQAAGwAwFwQAAIUCACAFAACGAgAgBgAAhwIAIHMCAN0BACGAAQEA5QEAIYEBAQDnAQAhhQFAAN4BACGQAQIA3QEAIZcBAQDnAQAhmAEgAIQCACGZASAAhAIAIZoBAQDlAQAhmwEBAOUBACGcAQEA5wEAIZ0BAQDnAQAhngFAAOgBACGfAQEA5wEAIaABQADoAQAhoQEBAOcBACGiAUAA6AEAIaMBAgDpAQAhpAFAAOgBACGlAUAA3gEAIQIAAAABACANAAAeACAUcwIA3QEAIYABAQDlAQAhgQEBAOcBACGFAUAA3gEAIZABAgDdAQAhlwEBAOcBACGYASAAhAIAIZkBIACEAgAhmgEBAOUBACGbAQEA5QEAIZwBAQDnAQAhnQEBAOcBACGeAUAA6AEAIZ8BAQDnAQAhoAFAAOgBACGhAQEA5wEAIaIBQADoAQAhowECAOkBACGkAUAA6AEAIaUBQADeAQAhAgAAAAcAIA0AACAAIAIAAAAHACANAAAgACADAAAAAQAgFAAAGQAgFQAAHgAgAQAAAAEAIAEAAAAHACAQBwAA_wEAIBoAAIACACAbAACDAgAgHAAAggIAIB0AAIECACCBAQAA3wEAIJcBAADfAQAgnAEAAN8BACCdAQAA3wEAIJ4BAADfAQAgnwEAAN8BACCgAQAA3wEAIKEBAADfAQAgogEAAN8BACCjAQAA3wEAIKQBAADfAQAgF3AAAMIBADBxAAAnABByAADCAQAwcwIAoQEAIYABAQCwAQAhgQEBAK4BACGFAUAAogEAIZABAgChAQAhlwEBAK4BACGYASAAwwEAIZkBIADDAQAhmgEBALABACGbAQEAsAEAIZwBAQCuAQAhnQEBAK4BACGeAUAAsQEAIZ8BAQCuAQAhoAFAALEBACGhAQEArgEAIaIBQACxAQAhowECAK8BACGkAUAAsQEAIaUBQACiAQAhAwAAAAcAIAEAACYAMBkAACcAIAMAAAAHACABAAAVADACAAABACABAAAACwAgAQAAAAsAIAMAAAAJACABAAAKADACAAALACADAAAACQAgAQAACgAwAgAACwAgAwAAAAkAIAEAAAoAMAIAAAsAIAkDAAD-AQAgcwEAAAABggECAAAAAY8BAQAAAAGQAQIAAAABkwFAAAAAAZQBQAAAAAGVAUAAAAABlgEBAAAAAQENAAAvACAIcwEAAAABggECAAAAAY8BAQAAAAGQAQIAAAABkwFAAAAAAZQBQAAAAAGVAUAAAAABlgEBAAAAAQENAAAxADABDQAAMQAwCQMAAP0BACBzAQDlAQAhggECAN0BACGPAQEA5QEAIZABAgDdAQAhkwFAAN4BACGUAUAA3gEAIZUBQADoAQAhlgEBAOUBACECAAAACwAgDQAANAAgCHMBAOUBACGCAQIA3QEAIY8BAQDlAQAhkAECAN0BACGTAUAA3gEAIZQBQADeAQAhlQFAAOgBACGWAQEA5QEAIQIAAAAJACANAAA2ACACAAAACQAgDQAANgAgAwAAAAsAIBQAAC8AIBUAADQAIAEAAAALACABAAAACQAgBgcAAPgBACAaAAD5AQAgGwAA_AEAIBwAAPsBACAdAAD6AQAglQEAAN8BACALcAAAwQEAMHEAAD0AEHIAAMEBADBzAQCsAQAhggECAKEBACGPAQEAsAEAIZABAgChAQAhkwFAAKIBACGUAUAAogEAIZUBQACxAQAhlgEBALABACEDAAAACQAgAQAAPAAwGQAAPQAgAwAAAAkAIAEAAAoAMAIAAAsAIAVwAADAAQAwcQAAQwAQcgAAwAEAMHMCAAAAAZIBQACqAQAhAQAAAEAAIAEAAABAACAFcAAAwAEAMHEAAEMAEHIAAMABADBzAgCpAQAhkgFAAKoBACEAAwAAAEMAIAEAAEQAMAIAAEAAIAMAAABDACABAABEADACAABAACADAAAAQwAgAQAARAAwAgAAQAAgAnMCAAAAAZIBQAAAAAEBDQAASAAgAnMCAAAAAZIBQAAAAAEBDQAASgAwAQ0AAEoAMAJzAgDdAQAhkgFAAN4BACECAAAAQAAgDQAATQAgAnMCAN0BACGSAUAA3gEAIQIAAABDACANAABPACACAAAAQwAgDQAATwAgAwAAAEAAIBQAAEgAIBUAAE0AIAEAAABAACABAAAAQwAgBQcAAPMBACAaAAD0AQAgGwAA9wEAIBwAAPYBACAdAAD1AQAgBXAAAL8BADBxAABWABByAAC_AQAwcwIAoQEAIZIBQACiAQAhAwAAAEMAIAEAAFUAMBkAAFYAIAMAAABDACABAABEADACAABAACABAAAADwAgAQAAAA8AIAMAAAANACABAAAOADACAAAPACADAAAADQAgAQAADgAwAgAADwAgAwAAAA0AIAEAAA4AMAIAAA8AIAUDAADyAQAgggECAAAAAY8BAQAAAAGQAQIAAAABkQFAAAAAAQENAABeACAEggECAAAAAY8BAQAAAAGQAQIAAAABkQFAAAAAAQENAABgADABDQAAYAAwBQMAAPEBACCCAQIA3QEAIY8BAQDlAQAhkAECAN0BACGRAUAA3gEAIQIAAAAPACANAABjACAEggECAN0BACGPAQEA5QEAIZABAgDdAQAhkQFAAN4BACECAAAADQAgDQAAZQAgAgAAAA0AIA0AAGUAIAMAAAAPACAUAABeACAVAABjACABAAAADwAgAQAAAA0AIAUHAADsAQAgGgAA7QEAIBsAAPABACAcAADvAQAgHQAA7gEAIAdwAAC-AQAwcQAAbAAQcgAAvgEAMIIBAgChAQAhjwEBALABACGQAQIAoQEAIZEBQACiAQAhAwAAAA0AIAEAAGsAMBkAAGwAIAMAAAANACABAAAOADACAAAPACABAAAABQAgAQAAAAUAIAMAAAADACABAAAEADACAAAFACADAAAAAwAgAQAABAAwAgAABQAgAwAAAAMAIAEAAAQAMAIAAAUAIA8DAADrAQAgcwEAAAABfwAAAH8CgAEBAAAAAYEBAQAAAAGCAQIAAAABgwEBAAAAAYQBAQAAAAGFAUAAAAABhgECAAAAAYcBQAAAAAGIAQEAAAABiQFAAAAAAYoBQAAAAAGLAUAAAAABAQ0AAHQAIA5zAQAAAAF_AAAAfwKAAQEAAAABgQEBAAAAAYIBAgAAAAGDAQEAAAABhAEBAAAAAYUBQAAAAAGGAQIAAAABhwFAAAAAAYgBAQAAAAGJAUAAAAABigFAAAAAAYsBQAAAAAEBDQAAdgAwAQ0AAHYAMAEAAAAHACAPAwAA6gEAIHMBAOUBACF_AADmAX8igAEBAOcBACGBAQEA5wEAIYIBAgDpAQAhgwEBAOcBACGEAQEA5QEAIYUBQADeAQAhhgECAN0BACGHAUAA6AEAIYgBAQDnAQAhiQFAAOgBACGKAUAA6AEAIYsBQADoAQAhAgAAAAUAIA0AAHoAIA5zAQDlAQAhfwAA5gF_IoABAQDnAQAhgQEBAOcBACGCAQIA6QEAIYMBAQDnAQAhhAEBAOUBACGFAUAA3gEAIYYBAgDdAQAhhwFAAOgBACGIAQEA5wEAIYkBQADoAQAhigFAAOgBACGLAUAA6AEAIQIAAAADACANAAB8ACACAAAAAwAgDQAAfAAgAQAAAAcAIAMAAAAFACAUAAB0ACAVAAB6ACABAAAABQAgAQAAAAMAIA4HAADgAQAgGgAA4QEAIBsAAOQBACAcAADjAQAgHQAA4gEAIIABAADfAQAggQEAAN8BACCCAQAA3wEAIIMBAADfAQAghwEAAN8BACCIAQAA3wEAIIkBAADfAQAgigEAAN8BACCLAQAA3wEAIBFwAACrAQAwcQAAhAEAEHIAAKsBADBzAQCsAQAhfwAArQF_IoABAQCuAQAhgQEBAK4BACGCAQIArwEAIYMBAQCuAQAhhAEBALABACGFAUAAogEAIYYBAgChAQAhhwFAALEBACGIAQEArgEAIYkBQACxAQAhigFAALEBACGLAUAAsQEAIQMAAAADACABAACDAQAwGQAAhAEAIAMAAAADACABAAAEADACAAAFACAGcAAAqAEAMHEAAIoBABByAACoAQAwcwIAAAABdAIAqQEAIXVAAKoBACEBAAAAhwEAIAEAAACHAQAgBnAAAKgBADBxAACKAQAQcgAAqAEAMHMCAKkBACF0AgCpAQAhdUAAqgEAIQADAAAAigEAIAEAAIsBADACAACHAQAgAwAAAIoBACABAACLAQAwAgAAhwEAIAMAAACKAQAgAQAAiwEAMAIAAIcBACADcwIAAAABdAIAAAABdUAAAAABAQ0AAI8BACADcwIAAAABdAIAAAABdUAAAAABAQ0AAJEBADABDQAAkQEAMANzAgDdAQAhdAIA3QEAIXVAAN4BACECAAAAhwEAIA0AAJQBACADcwIA3QEAIXQCAN0BACF1QADeAQAhAgAAAIoBACANAACWAQAgAgAAAIoBACANAACWAQAgAwAAAIcBACAUAACPAQAgFQAAlAEAIAEAAACHAQAgAQAAAIoBACAFBwAA2AEAIBoAANkBACAbAADcAQAgHAAA2wEAIB0AANoBACAGcAAAoAEAMHEAAJ0BABByAACgAQAwcwIAoQEAIXQCAKEBACF1QACiAQAhAwAAAIoBACABAACcAQAwGQAAnQEAIAMAAACKAQAgAQAAiwEAMAIAAIcBACAGcAAAoAEAMHEAAJ0BABByAACgAQAwcwIAoQEAIXQCAKEBACF1QACiAQAhDQcAAKQBACAaAACnAQAgGwAApAEAIBwAAKQBACAdAACkAQAgdgIAAAABdwIAAAAEeAIAAAAEeQIAAAABegIAAAABewIAAAABfAIAAAABfQIApgEAIQsHAACkAQAgHAAApQEAIB0AAKUBACB2QAAAAAF3QAAAAAR4QAAAAAR5QAAAAAF6QAAAAAF7QAAAAAF8QAAAAAF9QACjAQAhCwcAAKQBACAcAAClAQAgHQAApQEAIHZAAAAAAXdAAAAABHhAAAAABHlAAAAAAXpAAAAAAXtAAAAAAXxAAAAAAX1AAKMBACEIdgIAAAABdwIAAAAEeAIAAAAEeQIAAAABegIAAAABewIAAAABfAIAAAABfQIApAEAIQh2QAAAAAF3QAAAAAR4QAAAAAR5QAAAAAF6QAAAAAF7QAAAAAF8QAAAAAF9QAClAQAhDQcAAKQBACAaAACnAQAgGwAApAEAIBwAAKQBACAdAACkAQAgdgIAAAABdwIAAAAEeAIAAAAEeQIAAAABegIAAAABewIAAAABfAIAAAABfQIApgEAIQh2CAAAAAF3CAAAAAR4CAAAAAR5CAAAAAF6CAAAAAF7CAAAAAF8CAAAAAF9CACnAQAhBnAAAKgBADBxAACKAQAQcgAAqAEAMHMCAKkBACF0AgCpAQAhdUAAqgEAIQh2AgAAAAF3AgAAAAR4AgAAAAR5AgAAAAF6AgAAAAF7AgAAAAF8AgAAAAF9AgCkAQAhCHZAAAAAAXdAAAAABHhAAAAABHlAAAAAAXpAAAAAAXtAAAAAAXxAAAAAAX1AAKUBACERcAAAqwEAMHEAAIQBABByAACrAQAwcwEArAEAIX8AAK0BfyKAAQEArgEAIYEBAQCuAQAhggECAK8BACGDAQEArgEAIYQBAQCwAQAhhQFAAKIBACGGAQIAoQEAIYcBQACxAQAhiAEBAK4BACGJAUAAsQEAIYoBQACxAQAhiwFAALEBACELBwAApAEAIBwAALYBACAdAAC2AQAgdgEAAAABdwEAAAAEeAEAAAAEeQEAAAABegEAAAABewEAAAABfAEAAAABfQEAvQEAIQcHAACkAQAgHAAAvAEAIB0AALwBACB2AAAAfwJ3AAAAfwh4AAAAfwh9AAC7AX8iDgcAALMBACAcAAC6AQAgHQAAugEAIHYBAAAAAXcBAAAABXgBAAAABXkBAAAAAXoBAAAAAXsBAAAAAXwBAAAAAX0BALkBACGMAQEAAAABjQEBAAAAAY4BAQAAAAENBwAAswEAIBoAALgBACAbAACzAQAgHAAAswEAIB0AALMBACB2AgAAAAF3AgAAAAV4AgAAAAV5AgAAAAF6AgAAAAF7AgAAAAF8AgAAAAF9AgC3AQAhDgcAAKQBACAcAAC2AQAgHQAAtgEAIHYBAAAAAXcBAAAABHgBAAAABHkBAAAAAXoBAAAAAXsBAAAAAXwBAAAAAX0BALUBACGMAQEAAAABjQEBAAAAAY4BAQAAAAELBwAAswEAIBwAALQBACAdAAC0AQAgdkAAAAABd0AAAAAFeEAAAAAFeUAAAAABekAAAAABe0AAAAABfEAAAAABfUAAsgEAIQsHAACzAQAgHAAAtAEAIB0AALQBACB2QAAAAAF3QAAAAAV4QAAAAAV5QAAAAAF6QAAAAAF7QAAAAAF8QAAAAAF9QACyAQAhCHYCAAAAAXcCAAAABXgCAAAABXkCAAAAAXoCAAAAAXsCAAAAAXwCAAAAAX0CALMBACEIdkAAAAABd0AAAAAFeEAAAAAFeUAAAAABekAAAAABe0AAAAABfEAAAAABfUAAtAEAIQ4HAACkAQAgHAAAtgEAIB0AALYBACB2AQAAAAF3AQAAAAR4AQAAAAR5AQAAAAF6AQAAAAF7AQAAAAF8AQAAAAF9AQC1AQAhjAEBAAAAAY0BAQAAAAGOAQEAAAABC3YBAAAAAXcBAAAABHgBAAAABHkBAAAAAXoBAAAAAXsBAAAAAXwBAAAAAX0BALYBACGMAQEAAAABjQEBAAAAAY4BAQAAAAENBwAAswEAIBoAALgBACAbAACzAQAgHAAAswEAIB0AALMBACB2AgAAAAF3AgAAAAV4AgAAAAV5AgAAAAF6AgAAAAF7AgAAAAF8AgAAAAF9AgC3AQAhCHYIAAAAAXcIAAAABXgIAAAABXkIAAAAAXoIAAAAAXsIAAAAAXwIAAAAAX0IALgBACEOBwAAswEAIBwAALoBACAdAAC6AQAgdgEAAAABdwEAAAAFeAEAAAAFeQEAAAABegEAAAABewEAAAABfAEAAAABfQEAuQEAIYwBAQAAAAGNAQEAAAABjgEBAAAAAQt2AQAAAAF3AQAAAAV4AQAAAAV5AQAAAAF6AQAAAAF7AQAAAAF8AQAAAAF9AQC6AQAhjAEBAAAAAY0BAQAAAAGOAQEAAAABBwcAAKQBACAcAAC8AQAgHQAAvAEAIHYAAAB_AncAAAB_CHgAAAB_CH0AALsBfyIEdgAAAH8CdwAAAH8IeAAAAH8IfQAAvAF_IgsHAACkAQAgHAAAtgEAIB0AALYBACB2AQAAAAF3AQAAAAR4AQAAAAR5AQAAAAF6AQAAAAF7AQAAAAF8AQAAAAF9AQC9AQAhB3AAAL4BADBxAABsABByAAC-AQAwggECAKEBACGPAQEAsAEAIZABAgChAQAhkQFAAKIBACEFcAAAvwEAMHEAAFYAEHIAAL8BADBzAgChAQAhkgFAAKIBACEFcAAAwAEAMHEAAEMAEHIAAMABADBzAgCpAQAhkgFAAKoBACELcAAAwQEAMHEAAD0AEHIAAMEBADBzAQCsAQAhggECAKEBACGPAQEAsAEAIZABAgChAQAhkwFAAKIBACGUAUAAogEAIZUBQACxAQAhlgEBALABACEXcAAAwgEAMHEAACcAEHIAAMIBADBzAgChAQAhgAEBALABACGBAQEArgEAIYUBQACiAQAhkAECAKEBACGXAQEArgEAIZgBIADDAQAhmQEgAMMBACGaAQEAsAEAIZsBAQCwAQAhnAEBAK4BACGdAQEArgEAIZ4BQACxAQAhnwEBAK4BACGgAUAAsQEAIaEBAQCuAQAhogFAALEBACGjAQIArwEAIaQBQACxAQAhpQFAAKIBACEFBwAApAEAIBwAAMUBACAdAADFAQAgdiAAAAABfSAAxAEAIQUHAACkAQAgHAAAxQEAIB0AAMUBACB2IAAAAAF9IADEAQAhAnYgAAAAAX0gAMUBACECggECAAAAAY8BAQAAAAEIAwAAyQEAIHAAAMcBADBxAAANABByAADHAQAwggECAKkBACGPAQEAyAEAIZABAgCpAQAhkQFAAKoBACELdgEAAAABdwEAAAAEeAEAAAAEeQEAAAABegEAAAABewEAAAABfAEAAAABfQEAtgEAIYwBAQAAAAGNAQEAAAABjgEBAAAAARwEAADSAQAgBQAA0wEAIAYAANQBACBwAADOAQAwcQAABwAQcgAAzgEAMHMCAKkBACGAAQEAyAEAIYEBAQDPAQAhhQFAAKoBACGQAQIAqQEAIZcBAQDPAQAhmAEgANABACGZASAA0AEAIZoBAQDIAQAhmwEBAMgBACGcAQEAzwEAIZ0BAQDPAQAhngFAAMsBACGfAQEAzwEAIaABQADLAQAhoQEBAM8BACGiAUAAywEAIaMBAgDRAQAhpAFAAMsBACGlAUAAqgEAIaoBAAAHACCrAQAABwAgDAMAAMkBACBwAADKAQAwcQAACQAQcgAAygEAMHMBAMwBACGCAQIAqQEAIY8BAQDIAQAhkAECAKkBACGTAUAAqgEAIZQBQACqAQAhlQFAAMsBACGWAQEAyAEAIQh2QAAAAAF3QAAAAAV4QAAAAAV5QAAAAAF6QAAAAAF7QAAAAAF8QAAAAAF9QAC0AQAhCHYBAAAAAXcBAAAABHgBAAAABHkBAAAAAXoBAAAAAXsBAAAAAXwBAAAAAX0BAM0BACEIdgEAAAABdwEAAAAEeAEAAAAEeQEAAAABegEAAAABewEAAAABfAEAAAABfQEAzQEAIRoEAADSAQAgBQAA0wEAIAYAANQBACBwAADOAQAwcQAABwAQcgAAzgEAMHMCAKkBACGAAQEAyAEAIYEBAQDPAQAhhQFAAKoBACGQAQIAqQEAIZcBAQDPAQAhmAEgANABACGZASAA0AEAIZoBAQDIAQAhmwEBAMgBACGcAQEAzwEAIZ0BAQDPAQAhngFAAMsBACGfAQEAzwEAIaABQADLAQAhoQEBAM8BACGiAUAAywEAIaMBAgDRAQAhpAFAAMsBACGlAUAAqgEAIQt2AQAAAAF3AQAAAAV4AQAAAAV5AQAAAAF6AQAAAAF7AQAAAAF8AQAAAAF9AQC6AQAhjAEBAAAAAY0BAQAAAAGOAQEAAAABAnYgAAAAAX0gAMUBACEIdgIAAAABdwIAAAAFeAIAAAAFeQIAAAABegIAAAABewIAAAABfAIAAAABfQIAswEAIQOnAQAAAwAgqAEAAAMAIKkBAAADACADpwEAAAkAIKgBAAAJACCpAQAACQAgA6cBAAANACCoAQAADQAgqQEAAA0AIBIDAADXAQAgcAAA1QEAMHEAAAMAEHIAANUBADBzAQDMAQAhfwAA1gF_IoABAQDPAQAhgQEBAM8BACGCAQIA0QEAIYMBAQDPAQAhhAEBAMgBACGFAUAAqgEAIYYBAgCpAQAhhwFAAMsBACGIAQEAzwEAIYkBQADLAQAhigFAAMsBACGLAUAAywEAIQR2AAAAfwJ3AAAAfwh4AAAAfwh9AAC8AX8iHAQAANIBACAFAADTAQAgBgAA1AEAIHAAAM4BADBxAAAHABByAADOAQAwcwIAqQEAIYABAQDIAQAhgQEBAM8BACGFAUAAqgEAIZABAgCpAQAhlwEBAM8BACGYASAA0AEAIZkBIADQAQAhmgEBAMgBACGbAQEAyAEAIZwBAQDPAQAhnQEBAM8BACGeAUAAywEAIZ8BAQDPAQAhoAFAAMsBACGhAQEAzwEAIaIBQADLAQAhowECANEBACGkAUAAywEAIaUBQACqAQAhqgEAAAcAIKsBAAAHACAAAAAAAAWvAQIAAAABtQECAAAAAbYBAgAAAAG3AQIAAAABuAECAAAAAQGvAUAAAAABAAAAAAAAAa8BAQAAAAEBrwEAAAB_AgGvAQEAAAABAa8BQAAAAAEFrwECAAAAAbUBAgAAAAG2AQIAAAABtwECAAAAAbgBAgAAAAEHFAAAwAIAIBUAAMMCACCsAQAAwQIAIK0BAADCAgAgsAEAAAcAILEBAAAHACCyAQAAAQAgAxQAAMACACCsAQAAwQIAILIBAAABACAAAAAAAAUUAAC7AgAgFQAAvgIAIKwBAAC8AgAgrQEAAL0CACCyAQAAAQAgAxQAALsCACCsAQAAvAIAILIBAAABACAAAAAAAAAAAAAABRQAALYCACAVAAC5AgAgrAEAALcCACCtAQAAuAIAILIBAAABACADFAAAtgIAIKwBAAC3AgAgsgEAAAEAIAAAAAAAAa8BIAAAAAELFAAAoAIAMBUAAKUCADCsAQAAoQIAMK0BAACiAgAwrgEAAKMCACCvAQAApAIAMLABAACkAgAwsQEAAKQCADCyAQAApAIAMLMBAACmAgAwtAEAAKcCADALFAAAlAIAMBUAAJkCADCsAQAAlQIAMK0BAACWAgAwrgEAAJcCACCvAQAAmAIAMLABAACYAgAwsQEAAJgCADCyAQAAmAIAMLMBAACaAgAwtAEAAJsCADALFAAAiAIAMBUAAI0CADCsAQAAiQIAMK0BAACKAgAwrgEAAIsCACCvAQAAjAIAMLABAACMAgAwsQEAAIwCADCyAQAAjAIAMLMBAACOAgAwtAEAAI8CADADjwEBAAAAAZABAgAAAAGRAUAAAAABAgAAAA8AIBQAAJMCACADAAAADwAgFAAAkwIAIBUAAJICACABDQAAtQIAMAkDAADJAQAgcAAAxwEAMHEAAA0AEHIAAMcBADCCAQIAqQEAIY8BAQDIAQAhkAECAKkBACGRAUAAqgEAIaYBAADGAQAgAgAAAA8AIA0AAJICACACAAAAkAIAIA0AAJECACAHcAAAjwIAMHEAAJACABByAACPAgAwggECAKkBACGPAQEAyAEAIZABAgCpAQAhkQFAAKoBACEHcAAAjwIAMHEAAJACABByAACPAgAwggECAKkBACGPAQEAyAEAIZABAgCpAQAhkQFAAKoBACEDjwEBAOUBACGQAQIA3QEAIZEBQADeAQAhA48BAQDlAQAhkAECAN0BACGRAUAA3gEAIQOPAQEAAAABkAECAAAAAZEBQAAAAAEHcwEAAAABjwEBAAAAAZABAgAAAAGTAUAAAAABlAFAAAAAAZUBQAAAAAGWAQEAAAABAgAAAAsAIBQAAJ8CACADAAAACwAgFAAAnwIAIBUAAJ4CACABDQAAtAIAMAwDAADJAQAgcAAAygEAMHEAAAkAEHIAAMoBADBzAQAAAAGCAQIAqQEAIY8BAQDIAQAhkAECAKkBACGTAUAAqgEAIZQBQACqAQAhlQFAAMsBACGWAQEAyAEAIQIAAAALACANAACeAgAgAgAAAJwCACANAACdAgAgC3AAAJsCADBxAACcAgAQcgAAmwIAMHMBAMwBACGCAQIAqQEAIY8BAQDIAQAhkAECAKkBACGTAUAAqgEAIZQBQACqAQAhlQFAAMsBACGWAQEAyAEAIQtwAACbAgAwcQAAnAIAEHIAAJsCADBzAQDMAQAhggECAKkBACGPAQEAyAEAIZABAgCpAQAhkwFAAKoBACGUAUAAqgEAIZUBQADLAQAhlgEBAMgBACEHcwEA5QEAIY8BAQDlAQAhkAECAN0BACGTAUAA3gEAIZQBQADeAQAhlQFAAOgBACGWAQEA5QEAIQdzAQDlAQAhjwEBAOUBACGQAQIA3QEAIZMBQADeAQAhlAFAAN4BACGVAUAA6AEAIZYBAQDlAQAhB3MBAAAAAY8BAQAAAAGQAQIAAAABkwFAAAAAAZQBQAAAAAGVAUAAAAABlgEBAAAAAQ1zAQAAAAF_AAAAfwKAAQEAAAABgQEBAAAAAYMBAQAAAAGEAQEAAAABhQFAAAAAAYYBAgAAAAGHAUAAAAABiAEBAAAAAYkBQAAAAAGKAUAAAAABiwFAAAAAAQIAAAAFACAUAACrAgAgAwAAAAUAIBQAAKsCACAVAACqAgAgAQ0AALMCADASAwAA1wEAIHAAANUBADBxAAADABByAADVAQAwcwEAAAABfwAA1gF_IoABAQDPAQAhgQEBAM8BACGCAQIA0QEAIYMBAQDPAQAhhAEBAMgBACGFAUAAqgEAIYYBAgCpAQAhhwFAAMsBACGIAQEAzwEAIYkBQADLAQAhigFAAMsBACGLAUAAywEAIQIAAAAFACANAACqAgAgAgAAAKgCACANAACpAgAgEXAAAKcCADBxAACoAgAQcgAApwIAMHMBAMwBACF_AADWAX8igAEBAM8BACGBAQEAzwEAIYIBAgDRAQAhgwEBAM8BACGEAQEAyAEAIYUBQACqAQAhhgECAKkBACGHAUAAywEAIYgBAQDPAQAhiQFAAMsBACGKAUAAywEAIYsBQADLAQAhEXAAAKcCADBxAACoAgAQcgAApwIAMHMBAMwBACF_AADWAX8igAEBAM8BACGBAQEAzwEAIYIBAgDRAQAhgwEBAM8BACGEAQEAyAEAIYUBQACqAQAhhgECAKkBACGHAUAAywEAIYgBAQDPAQAhiQFAAMsBACGKAUAAywEAIYsBQADLAQAhDXMBAOUBACF_AADmAX8igAEBAOcBACGBAQEA5wEAIYMBAQDnAQAhhAEBAOUBACGFAUAA3gEAIYYBAgDdAQAhhwFAAOgBACGIAQEA5wEAIYkBQADoAQAhigFAAOgBACGLAUAA6AEAIQ1zAQDlAQAhfwAA5gF_IoABAQDnAQAhgQEBAOcBACGDAQEA5wEAIYQBAQDlAQAhhQFAAN4BACGGAQIA3QEAIYcBQADoAQAhiAEBAOcBACGJAUAA6AEAIYoBQADoAQAhiwFAAOgBACENcwEAAAABfwAAAH8CgAEBAAAAAYEBAQAAAAGDAQEAAAABhAEBAAAAAYUBQAAAAAGGAQIAAAABhwFAAAAAAYgBAQAAAAGJAUAAAAABigFAAAAAAYsBQAAAAAEEFAAAoAIAMKwBAAChAgAwrgEAAKMCACCyAQAApAIAMAQUAACUAgAwrAEAAJUCADCuAQAAlwIAILIBAACYAgAwBBQAAIgCADCsAQAAiQIAMK4BAACLAgAgsgEAAIwCADAAAAAOBAAArwIAIAUAALACACAGAACxAgAggQEAAN8BACCXAQAA3wEAIJwBAADfAQAgnQEAAN8BACCeAQAA3wEAIJ8BAADfAQAgoAEAAN8BACChAQAA3wEAIKIBAADfAQAgowEAAN8BACCkAQAA3wEAIA1zAQAAAAF_AAAAfwKAAQEAAAABgQEBAAAAAYMBAQAAAAGEAQEAAAABhQFAAAAAAYYBAgAAAAGHAUAAAAABiAEBAAAAAYkBQAAAAAGKAUAAAAABiwFAAAAAAQdzAQAAAAGPAQEAAAABkAECAAAAAZMBQAAAAAGUAUAAAAABlQFAAAAAAZYBAQAAAAEDjwEBAAAAAZABAgAAAAGRAUAAAAABFgQAAKwCACAGAACuAgAgcwIAAAABgAEBAAAAAYEBAQAAAAGFAUAAAAABkAECAAAAAZcBAQAAAAGYASAAAAABmQEgAAAAAZoBAQAAAAGbAQEAAAABnAEBAAAAAZ0BAQAAAAGeAUAAAAABnwEBAAAAAaABQAAAAAGhAQEAAAABogFAAAAAAaMBAgAAAAGkAUAAAAABpQFAAAAAAQIAAAABACAUAAC2AgAgAwAAAAcAIBQAALYCACAVAAC6AgAgGAAAAAcAIAQAAIUCACAGAACHAgAgDQAAugIAIHMCAN0BACGAAQEA5QEAIYEBAQDnAQAhhQFAAN4BACGQAQIA3QEAIZcBAQDnAQAhmAEgAIQCACGZASAAhAIAIZoBAQDlAQAhmwEBAOUBACGcAQEA5wEAIZ0BAQDnAQAhngFAAOgBACGfAQEA5wEAIaABQADoAQAhoQEBAOcBACGiAUAA6AEAIaMBAgDpAQAhpAFAAOgBACGlAUAA3gEAIRYEAACFAgAgBgAAhwIAIHMCAN0BACGAAQEA5QEAIYEBAQDnAQAhhQFAAN4BACGQAQIA3QEAIZcBAQDnAQAhmAEgAIQCACGZASAAhAIAIZoBAQDlAQAhmwEBAOUBACGcAQEA5wEAIZ0BAQDnAQAhngFAAOgBACGfAQEA5wEAIaABQADoAQAhoQEBAOcBACGiAUAA6AEAIaMBAgDpAQAhpAFAAOgBACGlAUAA3gEAIRYEAACsAgAgBQAArQIAIHMCAAAAAYABAQAAAAGBAQEAAAABhQFAAAAAAZABAgAAAAGXAQEAAAABmAEgAAAAAZkBIAAAAAGaAQEAAAABmwEBAAAAAZwBAQAAAAGdAQEAAAABngFAAAAAAZ8BAQAAAAGgAUAAAAABoQEBAAAAAaIBQAAAAAGjAQIAAAABpAFAAAAAAaUBQAAAAAECAAAAAQAgFAAAuwIAIAMAAAAHACAUAAC7AgAgFQAAvwIAIBgAAAAHACAEAACFAgAgBQAAhgIAIA0AAL8CACBzAgDdAQAhgAEBAOUBACGBAQEA5wEAIYUBQADeAQAhkAECAN0BACGXAQEA5wEAIZgBIACEAgAhmQEgAIQCACGaAQEA5QEAIZsBAQDlAQAhnAEBAOcBACGdAQEA5wEAIZ4BQADoAQAhnwEBAOcBACGgAUAA6AEAIaEBAQDnAQAhogFAAOgBACGjAQIA6QEAIaQBQADoAQAhpQFAAN4BACEWBAAAhQIAIAUAAIYCACBzAgDdAQAhgAEBAOUBACGBAQEA5wEAIYUBQADeAQAhkAECAN0BACGXAQEA5wEAIZgBIACEAgAhmQEgAIQCACGaAQEA5QEAIZsBAQDlAQAhnAEBAOcBACGdAQEA5wEAIZ4BQADoAQAhnwEBAOcBACGgAUAA6AEAIaEBAQDnAQAhogFAAOgBACGjAQIA6QEAIaQBQADoAQAhpQFAAN4BACEWBQAArQIAIAYAAK4CACBzAgAAAAGAAQEAAAABgQEBAAAAAYUBQAAAAAGQAQIAAAABlwEBAAAAAZgBIAAAAAGZASAAAAABmgEBAAAAAZsBAQAAAAGcAQEAAAABnQEBAAAAAZ4BQAAAAAGfAQEAAAABoAFAAAAAAaEBAQAAAAGiAUAAAAABowECAAAAAaQBQAAAAAGlAUAAAAABAgAAAAEAIBQAAMACACADAAAABwAgFAAAwAIAIBUAAMQCACAYAAAABwAgBQAAhgIAIAYAAIcCACANAADEAgAgcwIA3QEAIYABAQDlAQAhgQEBAOcBACGFAUAA3gEAIZABAgDdAQAhlwEBAOcBACGYASAAhAIAIZkBIACEAgAhmgEBAOUBACGbAQEA5QEAIZwBAQDnAQAhnQEBAOcBACGeAUAA6AEAIZ8BAQDnAQAhoAFAAOgBACGhAQEA5wEAIaIBQADoAQAhowECAOkBACGkAUAA6AEAIaUBQADeAQAhFgUAAIYCACAGAACHAgAgcwIA3QEAIYABAQDlAQAhgQEBAOcBACGFAUAA3gEAIZABAgDdAQAhlwEBAOcBACGYASAAhAIAIZkBIACEAgAhmgEBAOUBACGbAQEA5QEAIZwBAQDnAQAhnQEBAOcBACGeAUAA6AEAIZ8BAQDnAQAhoAFAAOgBACGhAQEA5wEAIaIBQADoAQAhowECAOkBACGkAUAA6AEAIaUBQADeAQAhBAQGAgUMAwYQBAcABQEDCAEBAwABAQMAAQMEEQAFEgAGEwAAAAAFBwAKGgALGwAMHAANHQAOAAAAAAAFBwAKGgALGwAMHAANHQAOAQMAAQEDAAEFBwATGgAUGwAVHAAWHQAXAAAAAAAFBwATGgAUGwAVHAAWHQAXAAAABQcAHRoAHhsAHxwAIB0AIQAAAAAABQcAHRoAHhsAHxwAIB0AIQEDAAEBAwABBQcAJhoAJxsAKBwAKR0AKgAAAAAABQcAJhoAJxsAKBwAKR0AKgEDeQEBA38BBQcALxoAMBsAMRwAMh0AMwAAAAAABQcALxoAMBsAMRwAMh0AMwAAAAUHADkaADobADscADwdAD0AAAAAAAUHADkaADobADscADwdAD0IAgEJFAEKFgELFwEMGAEOGgEPHAYQHQcRHwESIQYTIggWIwEXJAEYJQYeKAkfKQ8gKgMhKwMiLAMjLQMkLgMlMAMmMgYnMxAoNQMpNwYqOBErOQMsOgMtOwYuPhIvPxgwQRkxQhkyRRkzRhk0Rxk1SRk2SwY3TBo4Thk5UAY6URs7Uhk8Uxk9VAY-Vxw_WCJAWQRBWgRCWwRDXAREXQRFXwRGYQZHYiNIZARJZgZKZyRLaARMaQRNagZObSVPbitQbwJRcAJScQJTcgJUcwJVdQJWdwZXeCxYewJZfQZafi1bgAECXIEBAl2CAQZehQEuX4YBNGCIATVhiQE1YowBNWONATVkjgE1ZZABNWaSAQZnkwE2aJUBNWmXAQZqmAE3a5kBNWyaATVtmwEGbp4BOG-fAT4"
};
async function decodeBase64AsWasm(wasmBase64) {
  const { Buffer: Buffer2 } = await import("node:buffer");
  const wasmArray = Buffer2.from(wasmBase64, "base64");
  return new WebAssembly.Module(wasmArray);
}
config.compilerWasm = {
  getRuntime: async () => await import("@prisma/client/runtime/query_compiler_fast_bg.postgresql.mjs"),
  getQueryCompilerWasmModule: async () => {
    const { wasm } = await import("@prisma/client/runtime/query_compiler_fast_bg.postgresql.wasm-base64.mjs");
    return await decodeBase64AsWasm(wasm);
  },
  importName: "./query_compiler_fast_bg.js"
};
function getPrismaClientClass() {
  return runtime.getPrismaClient(config);
}

// src/generated/prisma/internal/prismaNamespace.ts
var prismaNamespace_exports = {};
__export(prismaNamespace_exports, {
  AnyNull: () => AnyNull2,
  DbNull: () => DbNull2,
  Decimal: () => Decimal2,
  DeletedUserScalarFieldEnum: () => DeletedUserScalarFieldEnum,
  JsonNull: () => JsonNull2,
  KnownAddressScalarFieldEnum: () => KnownAddressScalarFieldEnum,
  MailScalarFieldEnum: () => MailScalarFieldEnum,
  MailServerScalarFieldEnum: () => MailServerScalarFieldEnum,
  ModelName: () => ModelName,
  NullTypes: () => NullTypes2,
  NullsOrder: () => NullsOrder,
  PrismaClientInitializationError: () => PrismaClientInitializationError2,
  PrismaClientKnownRequestError: () => PrismaClientKnownRequestError2,
  PrismaClientRustPanicError: () => PrismaClientRustPanicError2,
  PrismaClientUnknownRequestError: () => PrismaClientUnknownRequestError2,
  PrismaClientValidationError: () => PrismaClientValidationError2,
  QueryMode: () => QueryMode,
  SessionScalarFieldEnum: () => SessionScalarFieldEnum,
  SortOrder: () => SortOrder,
  Sql: () => Sql2,
  TransactionIsolationLevel: () => TransactionIsolationLevel,
  UserScalarFieldEnum: () => UserScalarFieldEnum,
  defineExtension: () => defineExtension,
  empty: () => empty2,
  getExtensionContext: () => getExtensionContext,
  join: () => join2,
  prismaVersion: () => prismaVersion,
  raw: () => raw2,
  sql: () => sql
});
import * as runtime2 from "@prisma/client/runtime/client";
var PrismaClientKnownRequestError2 = runtime2.PrismaClientKnownRequestError;
var PrismaClientUnknownRequestError2 = runtime2.PrismaClientUnknownRequestError;
var PrismaClientRustPanicError2 = runtime2.PrismaClientRustPanicError;
var PrismaClientInitializationError2 = runtime2.PrismaClientInitializationError;
var PrismaClientValidationError2 = runtime2.PrismaClientValidationError;
var sql = runtime2.sqltag;
var empty2 = runtime2.empty;
var join2 = runtime2.join;
var raw2 = runtime2.raw;
var Sql2 = runtime2.Sql;
var Decimal2 = runtime2.Decimal;
var getExtensionContext = runtime2.Extensions.getExtensionContext;
var prismaVersion = {
  client: "7.10.0",
  engine: "0edf323efd1d98336f3f0a68684b56f689b900d3"
};
var NullTypes2 = {
  DbNull: runtime2.NullTypes.DbNull,
  JsonNull: runtime2.NullTypes.JsonNull,
  AnyNull: runtime2.NullTypes.AnyNull
};
var DbNull2 = runtime2.DbNull;
var JsonNull2 = runtime2.JsonNull;
var AnyNull2 = runtime2.AnyNull;
var ModelName = {
  User: "User",
  Session: "Session",
  DeletedUser: "DeletedUser",
  KnownAddress: "KnownAddress",
  Mail: "Mail",
  MailServer: "MailServer"
};
var TransactionIsolationLevel = runtime2.makeStrictEnum({
  ReadUncommitted: "ReadUncommitted",
  ReadCommitted: "ReadCommitted",
  RepeatableRead: "RepeatableRead",
  Serializable: "Serializable"
});
var UserScalarFieldEnum = {
  id: "id",
  username: "username",
  email: "email",
  passwordHash: "passwordHash",
  passwordTemporary: "passwordTemporary",
  selfRegistered: "selfRegistered",
  userType: "userType",
  role: "role",
  adpStatus: "adpStatus",
  bookChapterApproverDesignation: "bookChapterApproverDesignation",
  tokenVersion: "tokenVersion",
  tokensRevokedAt: "tokensRevokedAt",
  resetTokenHash: "resetTokenHash",
  resetTokenExpiresAt: "resetTokenExpiresAt",
  pendingResetTokenHash: "pendingResetTokenHash",
  pendingResetTokenExpiresAt: "pendingResetTokenExpiresAt",
  pendingResetTokenVersion: "pendingResetTokenVersion",
  disabledAt: "disabledAt",
  createdAt: "createdAt",
  updatedAt: "updatedAt"
};
var SessionScalarFieldEnum = {
  id: "id",
  userId: "userId",
  tokenVersion: "tokenVersion",
  startedAt: "startedAt",
  lastUsedAt: "lastUsedAt",
  endedAt: "endedAt",
  client: "client",
  userAgent: "userAgent"
};
var DeletedUserScalarFieldEnum = {
  id: "id",
  deletedAt: "deletedAt"
};
var KnownAddressScalarFieldEnum = {
  userId: "userId",
  client: "client",
  tokenVersion: "tokenVersion",
  lastLoginAt: "lastLoginAt"
};
var MailScalarFieldEnum = {
  id: "id",
  kind: "kind",
  username: "username",
  email: "email",
  userId: "userId",
  language: "language",
  requestId: "requestId",
  createdAt: "createdAt",
  attempts: "attempts",
  dueAt: "dueAt",
  lastFailure: "lastFailure",
  claimedUntil: "claimedUntil",
  sentAt: "sentAt",
  refusedAt: "refusedAt"
};
var MailServerScalarFieldEnum = {
  id: "id",
  faults: "faults",
  pausedUntil: "pausedUntil"
};
var SortOrder = {
  asc: "asc",
  desc: "desc"
};
var QueryMode = {
  default: "default",
  insensitive: "insensitive"
};
var NullsOrder = {
  first: "first",
  last: "last"
};
var defineExtension = runtime2.Extensions.defineExtension;

// src/generated/prisma/enums.ts
var enums_exports = {};
__export(enums_exports, {
  MailKind: () => MailKind
});
var MailKind = {
  password_reset: "password_reset",
  password_changed: "password_changed",
  invitation: "invitation"
};

// src/generated/prisma/client.ts
globalThis["__dirname"] = path.dirname(fileURLToPath(import.meta.url));
var PrismaClient = getPrismaClientClass();
export {
  enums_exports as $Enums,
  MailKind,
  prismaNamespace_exports as Prisma,
  PrismaClient
};
