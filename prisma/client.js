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
  compilerBuild       = "small"
}

datasource db {
  provider = "postgresql"
}

/// One person or machine that may log in.
model User {
  id                             Int       @id @default(autoincrement())
  /// Normalised (NFKC, lower case): see src/auth/username.ts.
  username                       String    @unique
  /// In lower case; without one, nothing can be mailed to the user. Brothers and sisters may have a parent's.
  email                          String?
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
  /// SHA-256, in hexadecimal, of the reset token in the newest mail that was sent. See src/mail/reset-tokens.ts.
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

  @@index([email])
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

/// Which database this is: its users' numbers mean others elsewhere. A migration makes the one row, a backup keeps it, and
/// a new database has another. A restore of data alone may add a second one: the oldest counts. See src/auth/tokens.ts.
model DatabaseMark {
  mark          String   @id @default(dbgenerated("gen_random_uuid()")) @db.Uuid
  madeAt        DateTime @default(now()) @map("made_at") @db.Timestamptz(3)
  /// Until then, tokens that name no mark are accepted: those of releases before the mark.
  unmarkedUntil DateTime @default(now()) @map("unmarked_until") @db.Timestamptz(3)

  @@map("database_mark")
}

/// An address that a user has logged in from: see src/auth/login-records.ts.
model KnownAddress {
  userId       Int      @map("user_id")
  user         User     @relation(fields: [userId], references: [id], onDelete: Cascade)
  /// As in the keys of buckets: an IPv4 address or an IPv6 network (/64 by default).
  client       String
  /// The user's token version at the last login from here. The address is known while the user still has it.
  tokenVersion Int      @map("token_version")
  lastLoginAt  DateTime @default(now()) @map("last_login_at") @db.Timestamptz(3)

  @@id([userId, client])
  @@index([lastLoginAt])
  @@map("known_addresses")
}

/// A mail to be sent, or one that was: see src/mail/outbox.ts.
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
  /// A reset by an address of several accounts makes a mail for each. Those with one number go out as one letter.
  letterId     String?   @map("letter_id") @db.Uuid

  @@index([dueAt])
  @@index([userId, createdAt])
  @@index([letterId])
  @@map("mails")
}

/// The mail server's own faults in a row, in the one row of this table. Without a fault there is none. See
/// src/mail/mails.ts.
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
config.runtimeDataModel = JSON.parse('{"models":{"User":{"fields":[{"name":"id","kind":"scalar","type":"Int"},{"name":"username","kind":"scalar","type":"String"},{"name":"email","kind":"scalar","type":"String"},{"name":"passwordHash","kind":"scalar","type":"String","dbName":"password_hash"},{"name":"passwordTemporary","kind":"scalar","type":"Boolean","dbName":"password_temporary"},{"name":"selfRegistered","kind":"scalar","type":"Boolean","dbName":"self_registered"},{"name":"userType","kind":"scalar","type":"String","dbName":"user_type"},{"name":"role","kind":"scalar","type":"String"},{"name":"adpStatus","kind":"scalar","type":"String","dbName":"adp_status"},{"name":"bookChapterApproverDesignation","kind":"scalar","type":"String","dbName":"book_chapter_approver_designation"},{"name":"tokenVersion","kind":"scalar","type":"Int","dbName":"token_version"},{"name":"tokensRevokedAt","kind":"scalar","type":"DateTime","dbName":"tokens_revoked_at"},{"name":"resetTokenHash","kind":"scalar","type":"String","dbName":"reset_token_hash"},{"name":"resetTokenExpiresAt","kind":"scalar","type":"DateTime","dbName":"reset_token_expires_at"},{"name":"pendingResetTokenHash","kind":"scalar","type":"String","dbName":"pending_reset_token_hash"},{"name":"pendingResetTokenExpiresAt","kind":"scalar","type":"DateTime","dbName":"pending_reset_token_expires_at"},{"name":"pendingResetTokenVersion","kind":"scalar","type":"Int","dbName":"pending_reset_token_version"},{"name":"disabledAt","kind":"scalar","type":"DateTime","dbName":"disabled_at"},{"name":"createdAt","kind":"scalar","type":"DateTime","dbName":"created_at"},{"name":"updatedAt","kind":"scalar","type":"DateTime","dbName":"updated_at"},{"name":"mails","kind":"object","type":"Mail","relationName":"MailToUser"},{"name":"sessions","kind":"object","type":"Session","relationName":"SessionToUser"},{"name":"knownAddresses","kind":"object","type":"KnownAddress","relationName":"KnownAddressToUser"}],"dbName":"users","schema":null},"Session":{"fields":[{"name":"id","kind":"scalar","type":"String"},{"name":"userId","kind":"scalar","type":"Int","dbName":"user_id"},{"name":"user","kind":"object","type":"User","relationName":"SessionToUser"},{"name":"tokenVersion","kind":"scalar","type":"Int","dbName":"token_version"},{"name":"startedAt","kind":"scalar","type":"DateTime","dbName":"started_at"},{"name":"lastUsedAt","kind":"scalar","type":"DateTime","dbName":"last_used_at"},{"name":"endedAt","kind":"scalar","type":"DateTime","dbName":"ended_at"},{"name":"client","kind":"scalar","type":"String"},{"name":"userAgent","kind":"scalar","type":"String","dbName":"user_agent"}],"dbName":"sessions","schema":null},"DeletedUser":{"fields":[{"name":"id","kind":"scalar","type":"Int"},{"name":"deletedAt","kind":"scalar","type":"DateTime","dbName":"deleted_at"}],"dbName":"deleted_users","schema":null},"DatabaseMark":{"fields":[{"name":"mark","kind":"scalar","type":"String"},{"name":"madeAt","kind":"scalar","type":"DateTime","dbName":"made_at"},{"name":"unmarkedUntil","kind":"scalar","type":"DateTime","dbName":"unmarked_until"}],"dbName":"database_mark","schema":null},"KnownAddress":{"fields":[{"name":"userId","kind":"scalar","type":"Int","dbName":"user_id"},{"name":"user","kind":"object","type":"User","relationName":"KnownAddressToUser"},{"name":"client","kind":"scalar","type":"String"},{"name":"tokenVersion","kind":"scalar","type":"Int","dbName":"token_version"},{"name":"lastLoginAt","kind":"scalar","type":"DateTime","dbName":"last_login_at"}],"dbName":"known_addresses","schema":null},"Mail":{"fields":[{"name":"id","kind":"scalar","type":"String"},{"name":"kind","kind":"enum","type":"MailKind"},{"name":"username","kind":"scalar","type":"String"},{"name":"email","kind":"scalar","type":"String"},{"name":"userId","kind":"scalar","type":"Int","dbName":"user_id"},{"name":"user","kind":"object","type":"User","relationName":"MailToUser"},{"name":"language","kind":"scalar","type":"String"},{"name":"requestId","kind":"scalar","type":"String","dbName":"request_id"},{"name":"createdAt","kind":"scalar","type":"DateTime","dbName":"created_at"},{"name":"attempts","kind":"scalar","type":"Int"},{"name":"dueAt","kind":"scalar","type":"DateTime","dbName":"due_at"},{"name":"lastFailure","kind":"scalar","type":"String","dbName":"last_failure"},{"name":"claimedUntil","kind":"scalar","type":"DateTime","dbName":"claimed_until"},{"name":"sentAt","kind":"scalar","type":"DateTime","dbName":"sent_at"},{"name":"refusedAt","kind":"scalar","type":"DateTime","dbName":"refused_at"},{"name":"letterId","kind":"scalar","type":"String","dbName":"letter_id"}],"dbName":"mails","schema":null},"MailServer":{"fields":[{"name":"id","kind":"scalar","type":"Int"},{"name":"faults","kind":"scalar","type":"Int"},{"name":"pausedUntil","kind":"scalar","type":"DateTime","dbName":"paused_until"}],"dbName":"mail_server","schema":null}},"enums":{},"types":{}}');
config.parameterizationSchema = {
  strings: JSON.parse('["where","orderBy","cursor","user","mails","sessions","knownAddresses","_count","User.findUnique","User.findUniqueOrThrow","User.findFirst","User.findFirstOrThrow","User.findMany","data","User.createOne","User.createMany","User.createManyAndReturn","User.updateOne","User.updateMany","User.updateManyAndReturn","create","update","User.upsertOne","User.deleteOne","User.deleteMany","having","_avg","_sum","_min","_max","User.groupBy","User.aggregate","Session.findUnique","Session.findUniqueOrThrow","Session.findFirst","Session.findFirstOrThrow","Session.findMany","Session.createOne","Session.createMany","Session.createManyAndReturn","Session.updateOne","Session.updateMany","Session.updateManyAndReturn","Session.upsertOne","Session.deleteOne","Session.deleteMany","Session.groupBy","Session.aggregate","DeletedUser.findUnique","DeletedUser.findUniqueOrThrow","DeletedUser.findFirst","DeletedUser.findFirstOrThrow","DeletedUser.findMany","DeletedUser.createOne","DeletedUser.createMany","DeletedUser.createManyAndReturn","DeletedUser.updateOne","DeletedUser.updateMany","DeletedUser.updateManyAndReturn","DeletedUser.upsertOne","DeletedUser.deleteOne","DeletedUser.deleteMany","DeletedUser.groupBy","DeletedUser.aggregate","DatabaseMark.findUnique","DatabaseMark.findUniqueOrThrow","DatabaseMark.findFirst","DatabaseMark.findFirstOrThrow","DatabaseMark.findMany","DatabaseMark.createOne","DatabaseMark.createMany","DatabaseMark.createManyAndReturn","DatabaseMark.updateOne","DatabaseMark.updateMany","DatabaseMark.updateManyAndReturn","DatabaseMark.upsertOne","DatabaseMark.deleteOne","DatabaseMark.deleteMany","DatabaseMark.groupBy","DatabaseMark.aggregate","KnownAddress.findUnique","KnownAddress.findUniqueOrThrow","KnownAddress.findFirst","KnownAddress.findFirstOrThrow","KnownAddress.findMany","KnownAddress.createOne","KnownAddress.createMany","KnownAddress.createManyAndReturn","KnownAddress.updateOne","KnownAddress.updateMany","KnownAddress.updateManyAndReturn","KnownAddress.upsertOne","KnownAddress.deleteOne","KnownAddress.deleteMany","KnownAddress.groupBy","KnownAddress.aggregate","Mail.findUnique","Mail.findUniqueOrThrow","Mail.findFirst","Mail.findFirstOrThrow","Mail.findMany","Mail.createOne","Mail.createMany","Mail.createManyAndReturn","Mail.updateOne","Mail.updateMany","Mail.updateManyAndReturn","Mail.upsertOne","Mail.deleteOne","Mail.deleteMany","Mail.groupBy","Mail.aggregate","MailServer.findUnique","MailServer.findUniqueOrThrow","MailServer.findFirst","MailServer.findFirstOrThrow","MailServer.findMany","MailServer.createOne","MailServer.createMany","MailServer.createManyAndReturn","MailServer.updateOne","MailServer.updateMany","MailServer.updateManyAndReturn","MailServer.upsertOne","MailServer.deleteOne","MailServer.deleteMany","MailServer.groupBy","MailServer.aggregate","AND","OR","NOT","id","faults","pausedUntil","equals","in","notIn","lt","lte","gt","gte","not","MailKind","kind","username","email","userId","language","requestId","createdAt","attempts","dueAt","lastFailure","claimedUntil","sentAt","refusedAt","letterId","contains","startsWith","endsWith","client","tokenVersion","lastLoginAt","mark","madeAt","unmarkedUntil","deletedAt","startedAt","lastUsedAt","endedAt","userAgent","passwordHash","passwordTemporary","selfRegistered","userType","role","adpStatus","bookChapterApproverDesignation","tokensRevokedAt","resetTokenHash","resetTokenExpiresAt","pendingResetTokenHash","pendingResetTokenExpiresAt","pendingResetTokenVersion","disabledAt","updatedAt","userId_client","every","some","none","is","isNot","connectOrCreate","upsert","createMany","set","disconnect","delete","connect","updateMany","deleteMany","increment","decrement","multiply","divide"]'),
  graph: "5gJGcBoEAADvAQAgBQAA8AEAIAYAAPEBACCAAQAA6wEAMIEBAAAHABCCAQAA6wEAMIMBAgAAAAGQAQEAAAABkQEBAOwBACGVAUAAwwEAIaEBAgDCAQAhqwEBAOwBACGsASAA7QEAIa0BIADtAQAhrgEBAOcBACGvAQEA5wEAIbABAQDsAQAhsQEBAOwBACGyAUAA6gEAIbMBAQAAAAG0AUAA6gEAIbUBAQAAAAG2AUAA6gEAIbcBAgDuAQAhuAFAAOoBACG5AUAAwwEAIQEAAAABACATAwAA9QEAIIABAADyAQAwgQEAAAMAEIIBAADyAQAwgwEBANwBACGPAQAA8wGPASKQAQEA7AEAIZEBAQDsAQAhkgECAO4BACGTAQEA7AEAIZQBAQDnAQAhlQFAAMMBACGWAQIAwgEAIZcBQADqAQAhmAEBAOwBACGZAUAA6gEAIZoBQADqAQAhmwFAAOoBACGcAQEA9AEAIQsDAADUAgAgkAEAAP4BACCRAQAA_gEAIJIBAAD-AQAgkwEAAP4BACCXAQAA_gEAIJgBAAD-AQAgmQEAAP4BACCaAQAA_gEAIJsBAAD-AQAgnAEAAP4BACATAwAA9QEAIIABAADyAQAwgQEAAAMAEIIBAADyAQAwgwEBAAAAAY8BAADzAY8BIpABAQDsAQAhkQEBAOwBACGSAQIA7gEAIZMBAQDsAQAhlAEBAOcBACGVAUAAwwEAIZYBAgDCAQAhlwFAAOoBACGYAQEA7AEAIZkBQADqAQAhmgFAAOoBACGbAUAA6gEAIZwBAQD0AQAhAwAAAAMAIAEAAAQAMAIAAAUAIBoEAADvAQAgBQAA8AEAIAYAAPEBACCAAQAA6wEAMIEBAAAHABCCAQAA6wEAMIMBAgDCAQAhkAEBAOcBACGRAQEA7AEAIZUBQADDAQAhoQECAMIBACGrAQEA7AEAIawBIADtAQAhrQEgAO0BACGuAQEA5wEAIa8BAQDnAQAhsAEBAOwBACGxAQEA7AEAIbIBQADqAQAhswEBAOwBACG0AUAA6gEAIbUBAQDsAQAhtgFAAOoBACG3AQIA7gEAIbgBQADqAQAhuQFAAMMBACEBAAAABwAgDAMAAOgBACCAAQAA6QEAMIEBAAAJABCCAQAA6QEAMIMBAQDcAQAhkgECAMIBACGgAQEA5wEAIaEBAgDCAQAhpwFAAMMBACGoAUAAwwEAIakBQADqAQAhqgEBAOcBACECAwAA1AIAIKkBAAD-AQAgDAMAAOgBACCAAQAA6QEAMIEBAAAJABCCAQAA6QEAMIMBAQAAAAGSAQIAwgEAIaABAQDnAQAhoQECAMIBACGnAUAAwwEAIagBQADDAQAhqQFAAOoBACGqAQEA5wEAIQMAAAAJACABAAAKADACAAALACAIAwAA6AEAIIABAADmAQAwgQEAAA0AEIIBAADmAQAwkgECAMIBACGgAQEA5wEAIaEBAgDCAQAhogFAAMMBACEBAwAA1AIAIAkDAADoAQAggAEAAOYBADCBAQAADQAQggEAAOYBADCSAQIAwgEAIaABAQDnAQAhoQECAMIBACGiAUAAwwEAIboBAADlAQAgAwAAAA0AIAEAAA4AMAIAAA8AIAEAAAADACABAAAACQAgAQAAAA0AIAEAAAABACAOBAAA0QIAIAUAANICACAGAADTAgAgkQEAAP4BACCrAQAA_gEAILABAAD-AQAgsQEAAP4BACCyAQAA_gEAILMBAAD-AQAgtAEAAP4BACC1AQAA_gEAILYBAAD-AQAgtwEAAP4BACC4AQAA_gEAIAMAAAAHACABAAAVADACAAABACADAAAABwAgAQAAFQAwAgAAAQAgAwAAAAcAIAEAABUAMAIAAAEAIBcEAADOAgAgBQAAzwIAIAYAANACACCDAQIAAAABkAEBAAAAAZEBAQAAAAGVAUAAAAABoQECAAAAAasBAQAAAAGsASAAAAABrQEgAAAAAa4BAQAAAAGvAQEAAAABsAEBAAAAAbEBAQAAAAGyAUAAAAABswEBAAAAAbQBQAAAAAG1AQEAAAABtgFAAAAAAbcBAgAAAAG4AUAAAAABuQFAAAAAAQENAAAZACAUgwECAAAAAZABAQAAAAGRAQEAAAABlQFAAAAAAaEBAgAAAAGrAQEAAAABrAEgAAAAAa0BIAAAAAGuAQEAAAABrwEBAAAAAbABAQAAAAGxAQEAAAABsgFAAAAAAbMBAQAAAAG0AUAAAAABtQEBAAAAAbYBQAAAAAG3AQIAAAABuAFAAAAAAbkBQAAAAAEBDQAAGwAwAQ0AABsAMBcEAACnAgAgBQAAqAIAIAYAAKkCACCDAQIA_AEAIZABAQCEAgAhkQEBAIYCACGVAUAA_QEAIaEBAgD8AQAhqwEBAIYCACGsASAApgIAIa0BIACmAgAhrgEBAIQCACGvAQEAhAIAIbABAQCGAgAhsQEBAIYCACGyAUAAhwIAIbMBAQCGAgAhtAFAAIcCACG1AQEAhgIAIbYBQACHAgAhtwECAIgCACG4AUAAhwIAIbkBQAD9AQAhAgAAAAEAIA0AAB4AIBSDAQIA_AEAIZABAQCEAgAhkQEBAIYCACGVAUAA_QEAIaEBAgD8AQAhqwEBAIYCACGsASAApgIAIa0BIACmAgAhrgEBAIQCACGvAQEAhAIAIbABAQCGAgAhsQEBAIYCACGyAUAAhwIAIbMBAQCGAgAhtAFAAIcCACG1AQEAhgIAIbYBQACHAgAhtwECAIgCACG4AUAAhwIAIbkBQAD9AQAhAgAAAAcAIA0AACAAIAIAAAAHACANAAAgACADAAAAAQAgFAAAGQAgFQAAHgAgAQAAAAEAIAEAAAAHACAQBwAAoQIAIBoAAKICACAbAAClAgAgHAAApAIAIB0AAKMCACCRAQAA_gEAIKsBAAD-AQAgsAEAAP4BACCxAQAA_gEAILIBAAD-AQAgswEAAP4BACC0AQAA_gEAILUBAAD-AQAgtgEAAP4BACC3AQAA_gEAILgBAAD-AQAgF4ABAADhAQAwgQEAACcAEIIBAADhAQAwgwECALoBACGQAQEAyQEAIZEBAQDHAQAhlQFAALsBACGhAQIAugEAIasBAQDHAQAhrAEgAOIBACGtASAA4gEAIa4BAQDJAQAhrwEBAMkBACGwAQEAxwEAIbEBAQDHAQAhsgFAAMoBACGzAQEAxwEAIbQBQADKAQAhtQEBAMcBACG2AUAAygEAIbcBAgDIAQAhuAFAAMoBACG5AUAAuwEAIQMAAAAHACABAAAmADAZAAAnACADAAAABwAgAQAAFQAwAgAAAQAgAQAAAAsAIAEAAAALACADAAAACQAgAQAACgAwAgAACwAgAwAAAAkAIAEAAAoAMAIAAAsAIAMAAAAJACABAAAKADACAAALACAJAwAAoAIAIIMBAQAAAAGSAQIAAAABoAEBAAAAAaEBAgAAAAGnAUAAAAABqAFAAAAAAakBQAAAAAGqAQEAAAABAQ0AAC8AIAiDAQEAAAABkgECAAAAAaABAQAAAAGhAQIAAAABpwFAAAAAAagBQAAAAAGpAUAAAAABqgEBAAAAAQENAAAxADABDQAAMQAwCQMAAJ8CACCDAQEAhAIAIZIBAgD8AQAhoAEBAIQCACGhAQIA_AEAIacBQAD9AQAhqAFAAP0BACGpAUAAhwIAIaoBAQCEAgAhAgAAAAsAIA0AADQAIAiDAQEAhAIAIZIBAgD8AQAhoAEBAIQCACGhAQIA_AEAIacBQAD9AQAhqAFAAP0BACGpAUAAhwIAIaoBAQCEAgAhAgAAAAkAIA0AADYAIAIAAAAJACANAAA2ACADAAAACwAgFAAALwAgFQAANAAgAQAAAAsAIAEAAAAJACAGBwAAmgIAIBoAAJsCACAbAACeAgAgHAAAnQIAIB0AAJwCACCpAQAA_gEAIAuAAQAA4AEAMIEBAAA9ABCCAQAA4AEAMIMBAQDFAQAhkgECALoBACGgAQEAyQEAIaEBAgC6AQAhpwFAALsBACGoAUAAuwEAIakBQADKAQAhqgEBAMkBACEDAAAACQAgAQAAPAAwGQAAPQAgAwAAAAkAIAEAAAoAMAIAAAsAIAWAAQAA3wEAMIEBAABDABCCAQAA3wEAMIMBAgAAAAGmAUAAwwEAIQEAAABAACABAAAAQAAgBYABAADfAQAwgQEAAEMAEIIBAADfAQAwgwECAMIBACGmAUAAwwEAIQADAAAAQwAgAQAARAAwAgAAQAAgAwAAAEMAIAEAAEQAMAIAAEAAIAMAAABDACABAABEADACAABAACACgwECAAAAAaYBQAAAAAEBDQAASAAgAoMBAgAAAAGmAUAAAAABAQ0AAEoAMAENAABKADACgwECAPwBACGmAUAA_QEAIQIAAABAACANAABNACACgwECAPwBACGmAUAA_QEAIQIAAABDACANAABPACACAAAAQwAgDQAATwAgAwAAAEAAIBQAAEgAIBUAAE0AIAEAAABAACABAAAAQwAgBQcAAJUCACAaAACWAgAgGwAAmQIAIBwAAJgCACAdAACXAgAgBYABAADeAQAwgQEAAFYAEIIBAADeAQAwgwECALoBACGmAUAAuwEAIQMAAABDACABAABVADAZAABWACADAAAAQwAgAQAARAAwAgAAQAAgBoABAADbAQAwgQEAAFwAEIIBAADbAQAwowEBAAAAAaQBQADDAQAhpQFAAMMBACEBAAAAWQAgAQAAAFkAIAaAAQAA2wEAMIEBAABcABCCAQAA2wEAMKMBAQDcAQAhpAFAAMMBACGlAUAAwwEAIQADAAAAXAAgAQAAXQAwAgAAWQAgAwAAAFwAIAEAAF0AMAIAAFkAIAMAAABcACABAABdADACAABZACADowEBAAAAAaQBQAAAAAGlAUAAAAABAQ0AAGEAIAOjAQEAAAABpAFAAAAAAaUBQAAAAAEBDQAAYwAwAQ0AAGMAMAOjAQEAhAIAIaQBQAD9AQAhpQFAAP0BACECAAAAWQAgDQAAZgAgA6MBAQCEAgAhpAFAAP0BACGlAUAA_QEAIQIAAABcACANAABoACACAAAAXAAgDQAAaAAgAwAAAFkAIBQAAGEAIBUAAGYAIAEAAABZACABAAAAXAAgAwcAAJICACAcAACUAgAgHQAAkwIAIAaAAQAA2gEAMIEBAABvABCCAQAA2gEAMKMBAQDFAQAhpAFAALsBACGlAUAAuwEAIQMAAABcACABAABuADAZAABvACADAAAAXAAgAQAAXQAwAgAAWQAgAQAAAA8AIAEAAAAPACADAAAADQAgAQAADgAwAgAADwAgAwAAAA0AIAEAAA4AMAIAAA8AIAMAAAANACABAAAOADACAAAPACAFAwAAkQIAIJIBAgAAAAGgAQEAAAABoQECAAAAAaIBQAAAAAEBDQAAdwAgBJIBAgAAAAGgAQEAAAABoQECAAAAAaIBQAAAAAEBDQAAeQAwAQ0AAHkAMAUDAACQAgAgkgECAPwBACGgAQEAhAIAIaEBAgD8AQAhogFAAP0BACECAAAADwAgDQAAfAAgBJIBAgD8AQAhoAEBAIQCACGhAQIA_AEAIaIBQAD9AQAhAgAAAA0AIA0AAH4AIAIAAAANACANAAB-ACADAAAADwAgFAAAdwAgFQAAfAAgAQAAAA8AIAEAAAANACAFBwAAiwIAIBoAAIwCACAbAACPAgAgHAAAjgIAIB0AAI0CACAHgAEAANkBADCBAQAAhQEAEIIBAADZAQAwkgECALoBACGgAQEAyQEAIaEBAgC6AQAhogFAALsBACEDAAAADQAgAQAAhAEAMBkAAIUBACADAAAADQAgAQAADgAwAgAADwAgAQAAAAUAIAEAAAAFACADAAAAAwAgAQAABAAwAgAABQAgAwAAAAMAIAEAAAQAMAIAAAUAIAMAAAADACABAAAEADACAAAFACAQAwAAigIAIIMBAQAAAAGPAQAAAI8BApABAQAAAAGRAQEAAAABkgECAAAAAZMBAQAAAAGUAQEAAAABlQFAAAAAAZYBAgAAAAGXAUAAAAABmAEBAAAAAZkBQAAAAAGaAUAAAAABmwFAAAAAAZwBAQAAAAEBDQAAjQEAIA-DAQEAAAABjwEAAACPAQKQAQEAAAABkQEBAAAAAZIBAgAAAAGTAQEAAAABlAEBAAAAAZUBQAAAAAGWAQIAAAABlwFAAAAAAZgBAQAAAAGZAUAAAAABmgFAAAAAAZsBQAAAAAGcAQEAAAABAQ0AAI8BADABDQAAjwEAMAEAAAAHACAQAwAAiQIAIIMBAQCEAgAhjwEAAIUCjwEikAEBAIYCACGRAQEAhgIAIZIBAgCIAgAhkwEBAIYCACGUAQEAhAIAIZUBQAD9AQAhlgECAPwBACGXAUAAhwIAIZgBAQCGAgAhmQFAAIcCACGaAUAAhwIAIZsBQACHAgAhnAEBAIYCACECAAAABQAgDQAAkwEAIA-DAQEAhAIAIY8BAACFAo8BIpABAQCGAgAhkQEBAIYCACGSAQIAiAIAIZMBAQCGAgAhlAEBAIQCACGVAUAA_QEAIZYBAgD8AQAhlwFAAIcCACGYAQEAhgIAIZkBQACHAgAhmgFAAIcCACGbAUAAhwIAIZwBAQCGAgAhAgAAAAMAIA0AAJUBACACAAAAAwAgDQAAlQEAIAEAAAAHACADAAAABQAgFAAAjQEAIBUAAJMBACABAAAABQAgAQAAAAMAIA8HAAD_AQAgGgAAgAIAIBsAAIMCACAcAACCAgAgHQAAgQIAIJABAAD-AQAgkQEAAP4BACCSAQAA_gEAIJMBAAD-AQAglwEAAP4BACCYAQAA_gEAIJkBAAD-AQAgmgEAAP4BACCbAQAA_gEAIJwBAAD-AQAgEoABAADEAQAwgQEAAJ0BABCCAQAAxAEAMIMBAQDFAQAhjwEAAMYBjwEikAEBAMcBACGRAQEAxwEAIZIBAgDIAQAhkwEBAMcBACGUAQEAyQEAIZUBQAC7AQAhlgECALoBACGXAUAAygEAIZgBAQDHAQAhmQFAAMoBACGaAUAAygEAIZsBQADKAQAhnAEBAMsBACEDAAAAAwAgAQAAnAEAMBkAAJ0BACADAAAAAwAgAQAABAAwAgAABQAgBoABAADBAQAwgQEAAKMBABCCAQAAwQEAMIMBAgAAAAGEAQIAwgEAIYUBQADDAQAhAQAAAKABACABAAAAoAEAIAaAAQAAwQEAMIEBAACjAQAQggEAAMEBADCDAQIAwgEAIYQBAgDCAQAhhQFAAMMBACEAAwAAAKMBACABAACkAQAwAgAAoAEAIAMAAACjAQAgAQAApAEAMAIAAKABACADAAAAowEAIAEAAKQBADACAACgAQAgA4MBAgAAAAGEAQIAAAABhQFAAAAAAQENAACoAQAgA4MBAgAAAAGEAQIAAAABhQFAAAAAAQENAACqAQAwAQ0AAKoBADADgwECAPwBACGEAQIA_AEAIYUBQAD9AQAhAgAAAKABACANAACtAQAgA4MBAgD8AQAhhAECAPwBACGFAUAA_QEAIQIAAACjAQAgDQAArwEAIAIAAACjAQAgDQAArwEAIAMAAACgAQAgFAAAqAEAIBUAAK0BACABAAAAoAEAIAEAAACjAQAgBQcAAPcBACAaAAD4AQAgGwAA-wEAIBwAAPoBACAdAAD5AQAgBoABAAC5AQAwgQEAALYBABCCAQAAuQEAMIMBAgC6AQAhhAECALoBACGFAUAAuwEAIQMAAACjAQAgAQAAtQEAMBkAALYBACADAAAAowEAIAEAAKQBADACAACgAQAgBoABAAC5AQAwgQEAALYBABCCAQAAuQEAMIMBAgC6AQAhhAECALoBACGFAUAAuwEAIQ0HAAC9AQAgGgAAwAEAIBsAAL0BACAcAAC9AQAgHQAAvQEAIIYBAgAAAAGHAQIAAAAEiAECAAAABIkBAgAAAAGKAQIAAAABiwECAAAAAYwBAgAAAAGNAQIAvwEAIQsHAAC9AQAgHAAAvgEAIB0AAL4BACCGAUAAAAABhwFAAAAABIgBQAAAAASJAUAAAAABigFAAAAAAYsBQAAAAAGMAUAAAAABjQFAALwBACELBwAAvQEAIBwAAL4BACAdAAC-AQAghgFAAAAAAYcBQAAAAASIAUAAAAAEiQFAAAAAAYoBQAAAAAGLAUAAAAABjAFAAAAAAY0BQAC8AQAhCIYBAgAAAAGHAQIAAAAEiAECAAAABIkBAgAAAAGKAQIAAAABiwECAAAAAYwBAgAAAAGNAQIAvQEAIQiGAUAAAAABhwFAAAAABIgBQAAAAASJAUAAAAABigFAAAAAAYsBQAAAAAGMAUAAAAABjQFAAL4BACENBwAAvQEAIBoAAMABACAbAAC9AQAgHAAAvQEAIB0AAL0BACCGAQIAAAABhwECAAAABIgBAgAAAASJAQIAAAABigECAAAAAYsBAgAAAAGMAQIAAAABjQECAL8BACEIhgEIAAAAAYcBCAAAAASIAQgAAAAEiQEIAAAAAYoBCAAAAAGLAQgAAAABjAEIAAAAAY0BCADAAQAhBoABAADBAQAwgQEAAKMBABCCAQAAwQEAMIMBAgDCAQAhhAECAMIBACGFAUAAwwEAIQiGAQIAAAABhwECAAAABIgBAgAAAASJAQIAAAABigECAAAAAYsBAgAAAAGMAQIAAAABjQECAL0BACEIhgFAAAAAAYcBQAAAAASIAUAAAAAEiQFAAAAAAYoBQAAAAAGLAUAAAAABjAFAAAAAAY0BQAC-AQAhEoABAADEAQAwgQEAAJ0BABCCAQAAxAEAMIMBAQDFAQAhjwEAAMYBjwEikAEBAMcBACGRAQEAxwEAIZIBAgDIAQAhkwEBAMcBACGUAQEAyQEAIZUBQAC7AQAhlgECALoBACGXAUAAygEAIZgBAQDHAQAhmQFAAMoBACGaAUAAygEAIZsBQADKAQAhnAEBAMsBACELBwAAvQEAIBwAANIBACAdAADSAQAghgEBAAAAAYcBAQAAAASIAQEAAAAEiQEBAAAAAYoBAQAAAAGLAQEAAAABjAEBAAAAAY0BAQDYAQAhBwcAAL0BACAcAADXAQAgHQAA1wEAIIYBAAAAjwEChwEAAACPAQiIAQAAAI8BCI0BAADWAY8BIg4HAADNAQAgHAAAzgEAIB0AAM4BACCGAQEAAAABhwEBAAAABYgBAQAAAAWJAQEAAAABigEBAAAAAYsBAQAAAAGMAQEAAAABjQEBANUBACGdAQEAAAABngEBAAAAAZ8BAQAAAAENBwAAzQEAIBoAANQBACAbAADNAQAgHAAAzQEAIB0AAM0BACCGAQIAAAABhwECAAAABYgBAgAAAAWJAQIAAAABigECAAAAAYsBAgAAAAGMAQIAAAABjQECANMBACEOBwAAvQEAIBwAANIBACAdAADSAQAghgEBAAAAAYcBAQAAAASIAQEAAAAEiQEBAAAAAYoBAQAAAAGLAQEAAAABjAEBAAAAAY0BAQDRAQAhnQEBAAAAAZ4BAQAAAAGfAQEAAAABCwcAAM0BACAcAADQAQAgHQAA0AEAIIYBQAAAAAGHAUAAAAAFiAFAAAAABYkBQAAAAAGKAUAAAAABiwFAAAAAAYwBQAAAAAGNAUAAzwEAIQsHAADNAQAgHAAAzgEAIB0AAM4BACCGAQEAAAABhwEBAAAABYgBAQAAAAWJAQEAAAABigEBAAAAAYsBAQAAAAGMAQEAAAABjQEBAMwBACELBwAAzQEAIBwAAM4BACAdAADOAQAghgEBAAAAAYcBAQAAAAWIAQEAAAAFiQEBAAAAAYoBAQAAAAGLAQEAAAABjAEBAAAAAY0BAQDMAQAhCIYBAgAAAAGHAQIAAAAFiAECAAAABYkBAgAAAAGKAQIAAAABiwECAAAAAYwBAgAAAAGNAQIAzQEAIQuGAQEAAAABhwEBAAAABYgBAQAAAAWJAQEAAAABigEBAAAAAYsBAQAAAAGMAQEAAAABjQEBAM4BACGdAQEAAAABngEBAAAAAZ8BAQAAAAELBwAAzQEAIBwAANABACAdAADQAQAghgFAAAAAAYcBQAAAAAWIAUAAAAAFiQFAAAAAAYoBQAAAAAGLAUAAAAABjAFAAAAAAY0BQADPAQAhCIYBQAAAAAGHAUAAAAAFiAFAAAAABYkBQAAAAAGKAUAAAAABiwFAAAAAAYwBQAAAAAGNAUAA0AEAIQ4HAAC9AQAgHAAA0gEAIB0AANIBACCGAQEAAAABhwEBAAAABIgBAQAAAASJAQEAAAABigEBAAAAAYsBAQAAAAGMAQEAAAABjQEBANEBACGdAQEAAAABngEBAAAAAZ8BAQAAAAELhgEBAAAAAYcBAQAAAASIAQEAAAAEiQEBAAAAAYoBAQAAAAGLAQEAAAABjAEBAAAAAY0BAQDSAQAhnQEBAAAAAZ4BAQAAAAGfAQEAAAABDQcAAM0BACAaAADUAQAgGwAAzQEAIBwAAM0BACAdAADNAQAghgECAAAAAYcBAgAAAAWIAQIAAAAFiQECAAAAAYoBAgAAAAGLAQIAAAABjAECAAAAAY0BAgDTAQAhCIYBCAAAAAGHAQgAAAAFiAEIAAAABYkBCAAAAAGKAQgAAAABiwEIAAAAAYwBCAAAAAGNAQgA1AEAIQ4HAADNAQAgHAAAzgEAIB0AAM4BACCGAQEAAAABhwEBAAAABYgBAQAAAAWJAQEAAAABigEBAAAAAYsBAQAAAAGMAQEAAAABjQEBANUBACGdAQEAAAABngEBAAAAAZ8BAQAAAAEHBwAAvQEAIBwAANcBACAdAADXAQAghgEAAACPAQKHAQAAAI8BCIgBAAAAjwEIjQEAANYBjwEiBIYBAAAAjwEChwEAAACPAQiIAQAAAI8BCI0BAADXAY8BIgsHAAC9AQAgHAAA0gEAIB0AANIBACCGAQEAAAABhwEBAAAABIgBAQAAAASJAQEAAAABigEBAAAAAYsBAQAAAAGMAQEAAAABjQEBANgBACEHgAEAANkBADCBAQAAhQEAEIIBAADZAQAwkgECALoBACGgAQEAyQEAIaEBAgC6AQAhogFAALsBACEGgAEAANoBADCBAQAAbwAQggEAANoBADCjAQEAxQEAIaQBQAC7AQAhpQFAALsBACEGgAEAANsBADCBAQAAXAAQggEAANsBADCjAQEA3AEAIaQBQADDAQAhpQFAAMMBACEIhgEBAAAAAYcBAQAAAASIAQEAAAAEiQEBAAAAAYoBAQAAAAGLAQEAAAABjAEBAAAAAY0BAQDdAQAhCIYBAQAAAAGHAQEAAAAEiAEBAAAABIkBAQAAAAGKAQEAAAABiwEBAAAAAYwBAQAAAAGNAQEA3QEAIQWAAQAA3gEAMIEBAABWABCCAQAA3gEAMIMBAgC6AQAhpgFAALsBACEFgAEAAN8BADCBAQAAQwAQggEAAN8BADCDAQIAwgEAIaYBQADDAQAhC4ABAADgAQAwgQEAAD0AEIIBAADgAQAwgwEBAMUBACGSAQIAugEAIaABAQDJAQAhoQECALoBACGnAUAAuwEAIagBQAC7AQAhqQFAAMoBACGqAQEAyQEAIReAAQAA4QEAMIEBAAAnABCCAQAA4QEAMIMBAgC6AQAhkAEBAMkBACGRAQEAxwEAIZUBQAC7AQAhoQECALoBACGrAQEAxwEAIawBIADiAQAhrQEgAOIBACGuAQEAyQEAIa8BAQDJAQAhsAEBAMcBACGxAQEAxwEAIbIBQADKAQAhswEBAMcBACG0AUAAygEAIbUBAQDHAQAhtgFAAMoBACG3AQIAyAEAIbgBQADKAQAhuQFAALsBACEFBwAAvQEAIBwAAOQBACAdAADkAQAghgEgAAAAAY0BIADjAQAhBQcAAL0BACAcAADkAQAgHQAA5AEAIIYBIAAAAAGNASAA4wEAIQKGASAAAAABjQEgAOQBACECkgECAAAAAaABAQAAAAEIAwAA6AEAIIABAADmAQAwgQEAAA0AEIIBAADmAQAwkgECAMIBACGgAQEA5wEAIaEBAgDCAQAhogFAAMMBACELhgEBAAAAAYcBAQAAAASIAQEAAAAEiQEBAAAAAYoBAQAAAAGLAQEAAAABjAEBAAAAAY0BAQDSAQAhnQEBAAAAAZ4BAQAAAAGfAQEAAAABHAQAAO8BACAFAADwAQAgBgAA8QEAIIABAADrAQAwgQEAAAcAEIIBAADrAQAwgwECAMIBACGQAQEA5wEAIZEBAQDsAQAhlQFAAMMBACGhAQIAwgEAIasBAQDsAQAhrAEgAO0BACGtASAA7QEAIa4BAQDnAQAhrwEBAOcBACGwAQEA7AEAIbEBAQDsAQAhsgFAAOoBACGzAQEA7AEAIbQBQADqAQAhtQEBAOwBACG2AUAA6gEAIbcBAgDuAQAhuAFAAOoBACG5AUAAwwEAIb4BAAAHACC_AQAABwAgDAMAAOgBACCAAQAA6QEAMIEBAAAJABCCAQAA6QEAMIMBAQDcAQAhkgECAMIBACGgAQEA5wEAIaEBAgDCAQAhpwFAAMMBACGoAUAAwwEAIakBQADqAQAhqgEBAOcBACEIhgFAAAAAAYcBQAAAAAWIAUAAAAAFiQFAAAAAAYoBQAAAAAGLAUAAAAABjAFAAAAAAY0BQADQAQAhGgQAAO8BACAFAADwAQAgBgAA8QEAIIABAADrAQAwgQEAAAcAEIIBAADrAQAwgwECAMIBACGQAQEA5wEAIZEBAQDsAQAhlQFAAMMBACGhAQIAwgEAIasBAQDsAQAhrAEgAO0BACGtASAA7QEAIa4BAQDnAQAhrwEBAOcBACGwAQEA7AEAIbEBAQDsAQAhsgFAAOoBACGzAQEA7AEAIbQBQADqAQAhtQEBAOwBACG2AUAA6gEAIbcBAgDuAQAhuAFAAOoBACG5AUAAwwEAIQuGAQEAAAABhwEBAAAABYgBAQAAAAWJAQEAAAABigEBAAAAAYsBAQAAAAGMAQEAAAABjQEBAM4BACGdAQEAAAABngEBAAAAAZ8BAQAAAAEChgEgAAAAAY0BIADkAQAhCIYBAgAAAAGHAQIAAAAFiAECAAAABYkBAgAAAAGKAQIAAAABiwECAAAAAYwBAgAAAAGNAQIAzQEAIQO7AQAAAwAgvAEAAAMAIL0BAAADACADuwEAAAkAILwBAAAJACC9AQAACQAgA7sBAAANACC8AQAADQAgvQEAAA0AIBMDAAD1AQAggAEAAPIBADCBAQAAAwAQggEAAPIBADCDAQEA3AEAIY8BAADzAY8BIpABAQDsAQAhkQEBAOwBACGSAQIA7gEAIZMBAQDsAQAhlAEBAOcBACGVAUAAwwEAIZYBAgDCAQAhlwFAAOoBACGYAQEA7AEAIZkBQADqAQAhmgFAAOoBACGbAUAA6gEAIZwBAQD0AQAhBIYBAAAAjwEChwEAAACPAQiIAQAAAI8BCI0BAADXAY8BIgiGAQEAAAABhwEBAAAABYgBAQAAAAWJAQEAAAABigEBAAAAAYsBAQAAAAGMAQEAAAABjQEBAPYBACEcBAAA7wEAIAUAAPABACAGAADxAQAggAEAAOsBADCBAQAABwAQggEAAOsBADCDAQIAwgEAIZABAQDnAQAhkQEBAOwBACGVAUAAwwEAIaEBAgDCAQAhqwEBAOwBACGsASAA7QEAIa0BIADtAQAhrgEBAOcBACGvAQEA5wEAIbABAQDsAQAhsQEBAOwBACGyAUAA6gEAIbMBAQDsAQAhtAFAAOoBACG1AQEA7AEAIbYBQADqAQAhtwECAO4BACG4AUAA6gEAIbkBQADDAQAhvgEAAAcAIL8BAAAHACAIhgEBAAAAAYcBAQAAAAWIAQEAAAAFiQEBAAAAAYoBAQAAAAGLAQEAAAABjAEBAAAAAY0BAQD2AQAhAAAAAAAFwwECAAAAAckBAgAAAAHKAQIAAAABywECAAAAAcwBAgAAAAEBwwFAAAAAAQAAAAAAAAHDAQEAAAABAcMBAAAAjwECAcMBAQAAAAEBwwFAAAAAAQXDAQIAAAAByQECAAAAAcoBAgAAAAHLAQIAAAABzAECAAAAAQcUAADiAgAgFQAA5QIAIMABAADjAgAgwQEAAOQCACDEAQAABwAgxQEAAAcAIMYBAAABACADFAAA4gIAIMABAADjAgAgxgEAAAEAIAAAAAAABRQAAN0CACAVAADgAgAgwAEAAN4CACDBAQAA3wIAIMYBAAABACADFAAA3QIAIMABAADeAgAgxgEAAAEAIAAAAAAAAAAAAAAAAAAFFAAA2AIAIBUAANsCACDAAQAA2QIAIMEBAADaAgAgxgEAAAEAIAMUAADYAgAgwAEAANkCACDGAQAAAQAgAAAAAAABwwEgAAAAAQsUAADCAgAwFQAAxwIAMMABAADDAgAwwQEAAMQCADDCAQAAxQIAIMMBAADGAgAwxAEAAMYCADDFAQAAxgIAMMYBAADGAgAwxwEAAMgCADDIAQAAyQIAMAsUAAC2AgAwFQAAuwIAMMABAAC3AgAwwQEAALgCADDCAQAAuQIAIMMBAAC6AgAwxAEAALoCADDFAQAAugIAMMYBAAC6AgAwxwEAALwCADDIAQAAvQIAMAsUAACqAgAwFQAArwIAMMABAACrAgAwwQEAAKwCADDCAQAArQIAIMMBAACuAgAwxAEAAK4CADDFAQAArgIAMMYBAACuAgAwxwEAALACADDIAQAAsQIAMAOgAQEAAAABoQECAAAAAaIBQAAAAAECAAAADwAgFAAAtQIAIAMAAAAPACAUAAC1AgAgFQAAtAIAIAENAADXAgAwCQMAAOgBACCAAQAA5gEAMIEBAAANABCCAQAA5gEAMJIBAgDCAQAhoAEBAOcBACGhAQIAwgEAIaIBQADDAQAhugEAAOUBACACAAAADwAgDQAAtAIAIAIAAACyAgAgDQAAswIAIAeAAQAAsQIAMIEBAACyAgAQggEAALECADCSAQIAwgEAIaABAQDnAQAhoQECAMIBACGiAUAAwwEAIQeAAQAAsQIAMIEBAACyAgAQggEAALECADCSAQIAwgEAIaABAQDnAQAhoQECAMIBACGiAUAAwwEAIQOgAQEAhAIAIaEBAgD8AQAhogFAAP0BACEDoAEBAIQCACGhAQIA_AEAIaIBQAD9AQAhA6ABAQAAAAGhAQIAAAABogFAAAAAAQeDAQEAAAABoAEBAAAAAaEBAgAAAAGnAUAAAAABqAFAAAAAAakBQAAAAAGqAQEAAAABAgAAAAsAIBQAAMECACADAAAACwAgFAAAwQIAIBUAAMACACABDQAA1gIAMAwDAADoAQAggAEAAOkBADCBAQAACQAQggEAAOkBADCDAQEAAAABkgECAMIBACGgAQEA5wEAIaEBAgDCAQAhpwFAAMMBACGoAUAAwwEAIakBQADqAQAhqgEBAOcBACECAAAACwAgDQAAwAIAIAIAAAC-AgAgDQAAvwIAIAuAAQAAvQIAMIEBAAC-AgAQggEAAL0CADCDAQEA3AEAIZIBAgDCAQAhoAEBAOcBACGhAQIAwgEAIacBQADDAQAhqAFAAMMBACGpAUAA6gEAIaoBAQDnAQAhC4ABAAC9AgAwgQEAAL4CABCCAQAAvQIAMIMBAQDcAQAhkgECAMIBACGgAQEA5wEAIaEBAgDCAQAhpwFAAMMBACGoAUAAwwEAIakBQADqAQAhqgEBAOcBACEHgwEBAIQCACGgAQEAhAIAIaEBAgD8AQAhpwFAAP0BACGoAUAA_QEAIakBQACHAgAhqgEBAIQCACEHgwEBAIQCACGgAQEAhAIAIaEBAgD8AQAhpwFAAP0BACGoAUAA_QEAIakBQACHAgAhqgEBAIQCACEHgwEBAAAAAaABAQAAAAGhAQIAAAABpwFAAAAAAagBQAAAAAGpAUAAAAABqgEBAAAAAQ6DAQEAAAABjwEAAACPAQKQAQEAAAABkQEBAAAAAZMBAQAAAAGUAQEAAAABlQFAAAAAAZYBAgAAAAGXAUAAAAABmAEBAAAAAZkBQAAAAAGaAUAAAAABmwFAAAAAAZwBAQAAAAECAAAABQAgFAAAzQIAIAMAAAAFACAUAADNAgAgFQAAzAIAIAENAADVAgAwEwMAAPUBACCAAQAA8gEAMIEBAAADABCCAQAA8gEAMIMBAQAAAAGPAQAA8wGPASKQAQEA7AEAIZEBAQDsAQAhkgECAO4BACGTAQEA7AEAIZQBAQDnAQAhlQFAAMMBACGWAQIAwgEAIZcBQADqAQAhmAEBAOwBACGZAUAA6gEAIZoBQADqAQAhmwFAAOoBACGcAQEA9AEAIQIAAAAFACANAADMAgAgAgAAAMoCACANAADLAgAgEoABAADJAgAwgQEAAMoCABCCAQAAyQIAMIMBAQDcAQAhjwEAAPMBjwEikAEBAOwBACGRAQEA7AEAIZIBAgDuAQAhkwEBAOwBACGUAQEA5wEAIZUBQADDAQAhlgECAMIBACGXAUAA6gEAIZgBAQDsAQAhmQFAAOoBACGaAUAA6gEAIZsBQADqAQAhnAEBAPQBACESgAEAAMkCADCBAQAAygIAEIIBAADJAgAwgwEBANwBACGPAQAA8wGPASKQAQEA7AEAIZEBAQDsAQAhkgECAO4BACGTAQEA7AEAIZQBAQDnAQAhlQFAAMMBACGWAQIAwgEAIZcBQADqAQAhmAEBAOwBACGZAUAA6gEAIZoBQADqAQAhmwFAAOoBACGcAQEA9AEAIQ6DAQEAhAIAIY8BAACFAo8BIpABAQCGAgAhkQEBAIYCACGTAQEAhgIAIZQBAQCEAgAhlQFAAP0BACGWAQIA_AEAIZcBQACHAgAhmAEBAIYCACGZAUAAhwIAIZoBQACHAgAhmwFAAIcCACGcAQEAhgIAIQ6DAQEAhAIAIY8BAACFAo8BIpABAQCGAgAhkQEBAIYCACGTAQEAhgIAIZQBAQCEAgAhlQFAAP0BACGWAQIA_AEAIZcBQACHAgAhmAEBAIYCACGZAUAAhwIAIZoBQACHAgAhmwFAAIcCACGcAQEAhgIAIQ6DAQEAAAABjwEAAACPAQKQAQEAAAABkQEBAAAAAZMBAQAAAAGUAQEAAAABlQFAAAAAAZYBAgAAAAGXAUAAAAABmAEBAAAAAZkBQAAAAAGaAUAAAAABmwFAAAAAAZwBAQAAAAEEFAAAwgIAMMABAADDAgAwwgEAAMUCACDGAQAAxgIAMAQUAAC2AgAwwAEAALcCADDCAQAAuQIAIMYBAAC6AgAwBBQAAKoCADDAAQAAqwIAMMIBAACtAgAgxgEAAK4CADAAAAAOBAAA0QIAIAUAANICACAGAADTAgAgkQEAAP4BACCrAQAA_gEAILABAAD-AQAgsQEAAP4BACCyAQAA_gEAILMBAAD-AQAgtAEAAP4BACC1AQAA_gEAILYBAAD-AQAgtwEAAP4BACC4AQAA_gEAIA6DAQEAAAABjwEAAACPAQKQAQEAAAABkQEBAAAAAZMBAQAAAAGUAQEAAAABlQFAAAAAAZYBAgAAAAGXAUAAAAABmAEBAAAAAZkBQAAAAAGaAUAAAAABmwFAAAAAAZwBAQAAAAEHgwEBAAAAAaABAQAAAAGhAQIAAAABpwFAAAAAAagBQAAAAAGpAUAAAAABqgEBAAAAAQOgAQEAAAABoQECAAAAAaIBQAAAAAEWBAAAzgIAIAYAANACACCDAQIAAAABkAEBAAAAAZEBAQAAAAGVAUAAAAABoQECAAAAAasBAQAAAAGsASAAAAABrQEgAAAAAa4BAQAAAAGvAQEAAAABsAEBAAAAAbEBAQAAAAGyAUAAAAABswEBAAAAAbQBQAAAAAG1AQEAAAABtgFAAAAAAbcBAgAAAAG4AUAAAAABuQFAAAAAAQIAAAABACAUAADYAgAgAwAAAAcAIBQAANgCACAVAADcAgAgGAAAAAcAIAQAAKcCACAGAACpAgAgDQAA3AIAIIMBAgD8AQAhkAEBAIQCACGRAQEAhgIAIZUBQAD9AQAhoQECAPwBACGrAQEAhgIAIawBIACmAgAhrQEgAKYCACGuAQEAhAIAIa8BAQCEAgAhsAEBAIYCACGxAQEAhgIAIbIBQACHAgAhswEBAIYCACG0AUAAhwIAIbUBAQCGAgAhtgFAAIcCACG3AQIAiAIAIbgBQACHAgAhuQFAAP0BACEWBAAApwIAIAYAAKkCACCDAQIA_AEAIZABAQCEAgAhkQEBAIYCACGVAUAA_QEAIaEBAgD8AQAhqwEBAIYCACGsASAApgIAIa0BIACmAgAhrgEBAIQCACGvAQEAhAIAIbABAQCGAgAhsQEBAIYCACGyAUAAhwIAIbMBAQCGAgAhtAFAAIcCACG1AQEAhgIAIbYBQACHAgAhtwECAIgCACG4AUAAhwIAIbkBQAD9AQAhFgQAAM4CACAFAADPAgAggwECAAAAAZABAQAAAAGRAQEAAAABlQFAAAAAAaEBAgAAAAGrAQEAAAABrAEgAAAAAa0BIAAAAAGuAQEAAAABrwEBAAAAAbABAQAAAAGxAQEAAAABsgFAAAAAAbMBAQAAAAG0AUAAAAABtQEBAAAAAbYBQAAAAAG3AQIAAAABuAFAAAAAAbkBQAAAAAECAAAAAQAgFAAA3QIAIAMAAAAHACAUAADdAgAgFQAA4QIAIBgAAAAHACAEAACnAgAgBQAAqAIAIA0AAOECACCDAQIA_AEAIZABAQCEAgAhkQEBAIYCACGVAUAA_QEAIaEBAgD8AQAhqwEBAIYCACGsASAApgIAIa0BIACmAgAhrgEBAIQCACGvAQEAhAIAIbABAQCGAgAhsQEBAIYCACGyAUAAhwIAIbMBAQCGAgAhtAFAAIcCACG1AQEAhgIAIbYBQACHAgAhtwECAIgCACG4AUAAhwIAIbkBQAD9AQAhFgQAAKcCACAFAACoAgAggwECAPwBACGQAQEAhAIAIZEBAQCGAgAhlQFAAP0BACGhAQIA_AEAIasBAQCGAgAhrAEgAKYCACGtASAApgIAIa4BAQCEAgAhrwEBAIQCACGwAQEAhgIAIbEBAQCGAgAhsgFAAIcCACGzAQEAhgIAIbQBQACHAgAhtQEBAIYCACG2AUAAhwIAIbcBAgCIAgAhuAFAAIcCACG5AUAA_QEAIRYFAADPAgAgBgAA0AIAIIMBAgAAAAGQAQEAAAABkQEBAAAAAZUBQAAAAAGhAQIAAAABqwEBAAAAAawBIAAAAAGtASAAAAABrgEBAAAAAa8BAQAAAAGwAQEAAAABsQEBAAAAAbIBQAAAAAGzAQEAAAABtAFAAAAAAbUBAQAAAAG2AUAAAAABtwECAAAAAbgBQAAAAAG5AUAAAAABAgAAAAEAIBQAAOICACADAAAABwAgFAAA4gIAIBUAAOYCACAYAAAABwAgBQAAqAIAIAYAAKkCACANAADmAgAggwECAPwBACGQAQEAhAIAIZEBAQCGAgAhlQFAAP0BACGhAQIA_AEAIasBAQCGAgAhrAEgAKYCACGtASAApgIAIa4BAQCEAgAhrwEBAIQCACGwAQEAhgIAIbEBAQCGAgAhsgFAAIcCACGzAQEAhgIAIbQBQACHAgAhtQEBAIYCACG2AUAAhwIAIbcBAgCIAgAhuAFAAIcCACG5AUAA_QEAIRYFAACoAgAgBgAAqQIAIIMBAgD8AQAhkAEBAIQCACGRAQEAhgIAIZUBQAD9AQAhoQECAPwBACGrAQEAhgIAIawBIACmAgAhrQEgAKYCACGuAQEAhAIAIa8BAQCEAgAhsAEBAIYCACGxAQEAhgIAIbIBQACHAgAhswEBAIYCACG0AUAAhwIAIbUBAQCGAgAhtgFAAIcCACG3AQIAiAIAIbgBQACHAgAhuQFAAP0BACEEBAYCBQwDBhAEBwAFAQMIAQEDAAEBAwABAwQRAAUSAAYTAAAAAAUHAAoaAAsbAAwcAA0dAA4AAAAAAAUHAAoaAAsbAAwcAA0dAA4BAwABAQMAAQUHABMaABQbABUcABYdABcAAAAAAAUHABMaABQbABUcABYdABcAAAAFBwAdGgAeGwAfHAAgHQAhAAAAAAAFBwAdGgAeGwAfHAAgHQAhAAAAAwcAJxwAKB0AKQAAAAMHACccACgdACkBAwABAQMAAQUHAC4aAC8bADAcADEdADIAAAAAAAUHAC4aAC8bADAcADEdADIBA5IBAQEDmAEBBQcANxoAOBsAORwAOh0AOwAAAAAABQcANxoAOBsAORwAOh0AOwAAAAUHAEEaAEIbAEMcAEQdAEUAAAAAAAUHAEEaAEIbAEMcAEQdAEUIAgEJFAEKFgELFwEMGAEOGgEPHAYQHQcRHwESIQYTIggWIwEXJAEYJQYeKAkfKQ8gKgMhKwMiLAMjLQMkLgMlMAMmMgYnMxAoNQMpNwYqOBErOQMsOgMtOwYuPhIvPxgwQRkxQhkyRRkzRhk0Rxk1SRk2SwY3TBo4Thk5UAY6URs7Uhk8Uxk9VAY-Vxw_WCJAWiNBWyNCXiNDXyNEYCNFYiNGZAZHZSRIZyNJaQZKaiVLayNMbCNNbQZOcCZPcSpQcgRRcwRSdARTdQRUdgRVeARWegZXeytYfQRZfwZagAEsW4EBBFyCAQRdgwEGXoYBLV-HATNgiAECYYkBAmKKAQJjiwECZIwBAmWOAQJmkAEGZ5EBNGiUAQJplgEGapcBNWuZAQJsmgECbZsBBm6eATZvnwE8cKEBPXGiAT1ypQE9c6YBPXSnAT11qQE9dqsBBnesAT54rgE9ebABBnqxAT97sgE9fLMBPX20AQZ-twFAf7gBRg"
};
async function decodeBase64AsWasm(wasmBase64) {
  const { Buffer: Buffer2 } = await import("node:buffer");
  const wasmArray = Buffer2.from(wasmBase64, "base64");
  return new WebAssembly.Module(wasmArray);
}
config.compilerWasm = {
  getRuntime: async () => await import("@prisma/client/runtime/query_compiler_small_bg.postgresql.mjs"),
  getQueryCompilerWasmModule: async () => {
    const { wasm } = await import("@prisma/client/runtime/query_compiler_small_bg.postgresql.wasm-base64.mjs");
    return await decodeBase64AsWasm(wasm);
  },
  importName: "./query_compiler_small_bg.js"
};
function getPrismaClientClass() {
  return runtime.getPrismaClient(config);
}

// src/generated/prisma/internal/prismaNamespace.ts
var prismaNamespace_exports = {};
__export(prismaNamespace_exports, {
  AnyNull: () => AnyNull2,
  DatabaseMarkScalarFieldEnum: () => DatabaseMarkScalarFieldEnum,
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
  DatabaseMark: "DatabaseMark",
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
var DatabaseMarkScalarFieldEnum = {
  mark: "mark",
  madeAt: "madeAt",
  unmarkedUntil: "unmarkedUntil"
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
  refusedAt: "refusedAt",
  letterId: "letterId"
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
