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
  /// SHA-256, in hexadecimal, of the reset token in the newest mail that was sent. See src/mail/reset-tokens.ts.
  resetTokenHash                 String?   @unique @map("reset_token_hash")
  resetTokenExpiresAt            DateTime? @map("reset_token_expires_at") @db.Timestamptz(3)
  /// The same of a mail whose delivery has begun and whose outcome is not known: it may have been sent.
  pendingResetTokenHash          String?   @unique @map("pending_reset_token_hash")
  pendingResetTokenExpiresAt     DateTime? @map("pending_reset_token_expires_at") @db.Timestamptz(3)
  /// The user's token version when it was made. It is void with another one: replicas of the last release leave the hash.
  pendingResetTokenVersion       Int?      @map("pending_reset_token_version")
  disabledAt                     DateTime? @map("disabled_at") @db.Timestamptz(3)
  /// A roster ended the access, so a roster may give it back. What a person ended stays so.
  disabledBySource               Boolean   @default(false) @map("disabled_by_source")
  /// The roster that has the account, and its id there. Null for an account that was made otherwise.
  source                         String?
  sourcedId                      String?   @map("sourced_id")
  createdAt                      DateTime  @default(now()) @map("created_at") @db.Timestamptz(3)
  updatedAt                      DateTime  @default(now()) @updatedAt @map("updated_at") @db.Timestamptz(3)

  mails          Mail[]
  sessions       Session[]
  knownAddresses KnownAddress[]

  @@unique([source, sourcedId])
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

  @@index([dueAt])
  @@index([userId, createdAt])
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

/// When the roster of a source last came, for gatehouse_roster_age_seconds.
model Roster {
  source     String   @id
  importedAt DateTime @default(now()) @map("imported_at") @db.Timestamptz(3)

  @@map("rosters")
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
config.runtimeDataModel = JSON.parse('{"models":{"User":{"fields":[{"name":"id","kind":"scalar","type":"Int"},{"name":"username","kind":"scalar","type":"String"},{"name":"email","kind":"scalar","type":"String"},{"name":"passwordHash","kind":"scalar","type":"String","dbName":"password_hash"},{"name":"passwordTemporary","kind":"scalar","type":"Boolean","dbName":"password_temporary"},{"name":"selfRegistered","kind":"scalar","type":"Boolean","dbName":"self_registered"},{"name":"userType","kind":"scalar","type":"String","dbName":"user_type"},{"name":"role","kind":"scalar","type":"String"},{"name":"adpStatus","kind":"scalar","type":"String","dbName":"adp_status"},{"name":"bookChapterApproverDesignation","kind":"scalar","type":"String","dbName":"book_chapter_approver_designation"},{"name":"tokenVersion","kind":"scalar","type":"Int","dbName":"token_version"},{"name":"tokensRevokedAt","kind":"scalar","type":"DateTime","dbName":"tokens_revoked_at"},{"name":"resetTokenHash","kind":"scalar","type":"String","dbName":"reset_token_hash"},{"name":"resetTokenExpiresAt","kind":"scalar","type":"DateTime","dbName":"reset_token_expires_at"},{"name":"pendingResetTokenHash","kind":"scalar","type":"String","dbName":"pending_reset_token_hash"},{"name":"pendingResetTokenExpiresAt","kind":"scalar","type":"DateTime","dbName":"pending_reset_token_expires_at"},{"name":"pendingResetTokenVersion","kind":"scalar","type":"Int","dbName":"pending_reset_token_version"},{"name":"disabledAt","kind":"scalar","type":"DateTime","dbName":"disabled_at"},{"name":"disabledBySource","kind":"scalar","type":"Boolean","dbName":"disabled_by_source"},{"name":"source","kind":"scalar","type":"String"},{"name":"sourcedId","kind":"scalar","type":"String","dbName":"sourced_id"},{"name":"createdAt","kind":"scalar","type":"DateTime","dbName":"created_at"},{"name":"updatedAt","kind":"scalar","type":"DateTime","dbName":"updated_at"},{"name":"mails","kind":"object","type":"Mail","relationName":"MailToUser"},{"name":"sessions","kind":"object","type":"Session","relationName":"SessionToUser"},{"name":"knownAddresses","kind":"object","type":"KnownAddress","relationName":"KnownAddressToUser"}],"dbName":"users","schema":null},"Session":{"fields":[{"name":"id","kind":"scalar","type":"String"},{"name":"userId","kind":"scalar","type":"Int","dbName":"user_id"},{"name":"user","kind":"object","type":"User","relationName":"SessionToUser"},{"name":"tokenVersion","kind":"scalar","type":"Int","dbName":"token_version"},{"name":"startedAt","kind":"scalar","type":"DateTime","dbName":"started_at"},{"name":"lastUsedAt","kind":"scalar","type":"DateTime","dbName":"last_used_at"},{"name":"endedAt","kind":"scalar","type":"DateTime","dbName":"ended_at"},{"name":"client","kind":"scalar","type":"String"},{"name":"userAgent","kind":"scalar","type":"String","dbName":"user_agent"}],"dbName":"sessions","schema":null},"DeletedUser":{"fields":[{"name":"id","kind":"scalar","type":"Int"},{"name":"deletedAt","kind":"scalar","type":"DateTime","dbName":"deleted_at"}],"dbName":"deleted_users","schema":null},"DatabaseMark":{"fields":[{"name":"mark","kind":"scalar","type":"String"},{"name":"madeAt","kind":"scalar","type":"DateTime","dbName":"made_at"},{"name":"unmarkedUntil","kind":"scalar","type":"DateTime","dbName":"unmarked_until"}],"dbName":"database_mark","schema":null},"KnownAddress":{"fields":[{"name":"userId","kind":"scalar","type":"Int","dbName":"user_id"},{"name":"user","kind":"object","type":"User","relationName":"KnownAddressToUser"},{"name":"client","kind":"scalar","type":"String"},{"name":"tokenVersion","kind":"scalar","type":"Int","dbName":"token_version"},{"name":"lastLoginAt","kind":"scalar","type":"DateTime","dbName":"last_login_at"}],"dbName":"known_addresses","schema":null},"Mail":{"fields":[{"name":"id","kind":"scalar","type":"String"},{"name":"kind","kind":"enum","type":"MailKind"},{"name":"username","kind":"scalar","type":"String"},{"name":"email","kind":"scalar","type":"String"},{"name":"userId","kind":"scalar","type":"Int","dbName":"user_id"},{"name":"user","kind":"object","type":"User","relationName":"MailToUser"},{"name":"language","kind":"scalar","type":"String"},{"name":"requestId","kind":"scalar","type":"String","dbName":"request_id"},{"name":"createdAt","kind":"scalar","type":"DateTime","dbName":"created_at"},{"name":"attempts","kind":"scalar","type":"Int"},{"name":"dueAt","kind":"scalar","type":"DateTime","dbName":"due_at"},{"name":"lastFailure","kind":"scalar","type":"String","dbName":"last_failure"},{"name":"claimedUntil","kind":"scalar","type":"DateTime","dbName":"claimed_until"},{"name":"sentAt","kind":"scalar","type":"DateTime","dbName":"sent_at"},{"name":"refusedAt","kind":"scalar","type":"DateTime","dbName":"refused_at"}],"dbName":"mails","schema":null},"MailServer":{"fields":[{"name":"id","kind":"scalar","type":"Int"},{"name":"faults","kind":"scalar","type":"Int"},{"name":"pausedUntil","kind":"scalar","type":"DateTime","dbName":"paused_until"}],"dbName":"mail_server","schema":null},"Roster":{"fields":[{"name":"source","kind":"scalar","type":"String"},{"name":"importedAt","kind":"scalar","type":"DateTime","dbName":"imported_at"}],"dbName":"rosters","schema":null}},"enums":{},"types":{}}');
config.parameterizationSchema = {
  strings: JSON.parse('["where","orderBy","cursor","user","mails","sessions","knownAddresses","_count","User.findUnique","User.findUniqueOrThrow","User.findFirst","User.findFirstOrThrow","User.findMany","data","User.createOne","User.createMany","User.createManyAndReturn","User.updateOne","User.updateMany","User.updateManyAndReturn","create","update","User.upsertOne","User.deleteOne","User.deleteMany","having","_avg","_sum","_min","_max","User.groupBy","User.aggregate","Session.findUnique","Session.findUniqueOrThrow","Session.findFirst","Session.findFirstOrThrow","Session.findMany","Session.createOne","Session.createMany","Session.createManyAndReturn","Session.updateOne","Session.updateMany","Session.updateManyAndReturn","Session.upsertOne","Session.deleteOne","Session.deleteMany","Session.groupBy","Session.aggregate","DeletedUser.findUnique","DeletedUser.findUniqueOrThrow","DeletedUser.findFirst","DeletedUser.findFirstOrThrow","DeletedUser.findMany","DeletedUser.createOne","DeletedUser.createMany","DeletedUser.createManyAndReturn","DeletedUser.updateOne","DeletedUser.updateMany","DeletedUser.updateManyAndReturn","DeletedUser.upsertOne","DeletedUser.deleteOne","DeletedUser.deleteMany","DeletedUser.groupBy","DeletedUser.aggregate","DatabaseMark.findUnique","DatabaseMark.findUniqueOrThrow","DatabaseMark.findFirst","DatabaseMark.findFirstOrThrow","DatabaseMark.findMany","DatabaseMark.createOne","DatabaseMark.createMany","DatabaseMark.createManyAndReturn","DatabaseMark.updateOne","DatabaseMark.updateMany","DatabaseMark.updateManyAndReturn","DatabaseMark.upsertOne","DatabaseMark.deleteOne","DatabaseMark.deleteMany","DatabaseMark.groupBy","DatabaseMark.aggregate","KnownAddress.findUnique","KnownAddress.findUniqueOrThrow","KnownAddress.findFirst","KnownAddress.findFirstOrThrow","KnownAddress.findMany","KnownAddress.createOne","KnownAddress.createMany","KnownAddress.createManyAndReturn","KnownAddress.updateOne","KnownAddress.updateMany","KnownAddress.updateManyAndReturn","KnownAddress.upsertOne","KnownAddress.deleteOne","KnownAddress.deleteMany","KnownAddress.groupBy","KnownAddress.aggregate","Mail.findUnique","Mail.findUniqueOrThrow","Mail.findFirst","Mail.findFirstOrThrow","Mail.findMany","Mail.createOne","Mail.createMany","Mail.createManyAndReturn","Mail.updateOne","Mail.updateMany","Mail.updateManyAndReturn","Mail.upsertOne","Mail.deleteOne","Mail.deleteMany","Mail.groupBy","Mail.aggregate","MailServer.findUnique","MailServer.findUniqueOrThrow","MailServer.findFirst","MailServer.findFirstOrThrow","MailServer.findMany","MailServer.createOne","MailServer.createMany","MailServer.createManyAndReturn","MailServer.updateOne","MailServer.updateMany","MailServer.updateManyAndReturn","MailServer.upsertOne","MailServer.deleteOne","MailServer.deleteMany","MailServer.groupBy","MailServer.aggregate","Roster.findUnique","Roster.findUniqueOrThrow","Roster.findFirst","Roster.findFirstOrThrow","Roster.findMany","Roster.createOne","Roster.createMany","Roster.createManyAndReturn","Roster.updateOne","Roster.updateMany","Roster.updateManyAndReturn","Roster.upsertOne","Roster.deleteOne","Roster.deleteMany","Roster.groupBy","Roster.aggregate","AND","OR","NOT","source","importedAt","equals","in","notIn","lt","lte","gt","gte","not","contains","startsWith","endsWith","id","faults","pausedUntil","MailKind","kind","username","email","userId","language","requestId","createdAt","attempts","dueAt","lastFailure","claimedUntil","sentAt","refusedAt","client","tokenVersion","lastLoginAt","mark","madeAt","unmarkedUntil","deletedAt","startedAt","lastUsedAt","endedAt","userAgent","passwordHash","passwordTemporary","selfRegistered","userType","role","adpStatus","bookChapterApproverDesignation","tokensRevokedAt","resetTokenHash","resetTokenExpiresAt","pendingResetTokenHash","pendingResetTokenExpiresAt","pendingResetTokenVersion","disabledAt","disabledBySource","sourcedId","updatedAt","userId_client","every","some","none","source_sourcedId","is","isNot","connectOrCreate","upsert","createMany","set","disconnect","delete","connect","updateMany","deleteMany","increment","decrement","multiply","divide"]'),
  graph: "gQNOgAEeBAAAiAIAIAUAAIkCACAGAACKAgAgkAEAAIQCADCRAQAABwAQkgEAAIQCADCTAQEAhQIAIaABAgAAAAGlAQEAAAABpgEBAAAAAaoBQADcAQAhsgECAOIBACG8AQEAhQIAIb0BIACGAgAhvgEgAIYCACG_AQEA2wEAIcABAQDbAQAhwQEBAIUCACHCAQEAhQIAIcMBQACDAgAhxAEBAAAAAcUBQACDAgAhxgEBAAAAAccBQACDAgAhyAECAIcCACHJAUAAgwIAIcoBIACGAgAhywEBAIUCACHMAUAA3AEAIdEBAACOAgAgAQAAAAEAIBIDAACNAgAgkAEAAIsCADCRAQAAAwAQkgEAAIsCADCgAQEA9gEAIaQBAACMAqQBIqUBAQCFAgAhpgEBAIUCACGnAQIAhwIAIagBAQCFAgAhqQEBANsBACGqAUAA3AEAIasBAgDiAQAhrAFAAIMCACGtAQEAhQIAIa4BQACDAgAhrwFAAIMCACGwAUAAgwIAIQoDAADvAgAgpQEAAJoCACCmAQAAmgIAIKcBAACaAgAgqAEAAJoCACCsAQAAmgIAIK0BAACaAgAgrgEAAJoCACCvAQAAmgIAILABAACaAgAgEgMAAI0CACCQAQAAiwIAMJEBAAADABCSAQAAiwIAMKABAQAAAAGkAQAAjAKkASKlAQEAhQIAIaYBAQCFAgAhpwECAIcCACGoAQEAhQIAIakBAQDbAQAhqgFAANwBACGrAQIA4gEAIawBQACDAgAhrQEBAIUCACGuAUAAgwIAIa8BQACDAgAhsAFAAIMCACEDAAAAAwAgAQAABAAwAgAABQAgHQQAAIgCACAFAACJAgAgBgAAigIAIJABAACEAgAwkQEAAAcAEJIBAACEAgAwkwEBAIUCACGgAQIA4gEAIaUBAQDbAQAhpgEBAIUCACGqAUAA3AEAIbIBAgDiAQAhvAEBAIUCACG9ASAAhgIAIb4BIACGAgAhvwEBANsBACHAAQEA2wEAIcEBAQCFAgAhwgEBAIUCACHDAUAAgwIAIcQBAQCFAgAhxQFAAIMCACHGAQEAhQIAIccBQACDAgAhyAECAIcCACHJAUAAgwIAIcoBIACGAgAhywEBAIUCACHMAUAA3AEAIQEAAAAHACAMAwAAgQIAIJABAACCAgAwkQEAAAkAEJIBAACCAgAwoAEBAPYBACGnAQIA4gEAIbEBAQDbAQAhsgECAOIBACG4AUAA3AEAIbkBQADcAQAhugFAAIMCACG7AQEA2wEAIQIDAADvAgAgugEAAJoCACAMAwAAgQIAIJABAACCAgAwkQEAAAkAEJIBAACCAgAwoAEBAAAAAacBAgDiAQAhsQEBANsBACGyAQIA4gEAIbgBQADcAQAhuQFAANwBACG6AUAAgwIAIbsBAQDbAQAhAwAAAAkAIAEAAAoAMAIAAAsAIAgDAACBAgAgkAEAAIACADCRAQAADQAQkgEAAIACADCnAQIA4gEAIbEBAQDbAQAhsgECAOIBACGzAUAA3AEAIQEDAADvAgAgCQMAAIECACCQAQAAgAIAMJEBAAANABCSAQAAgAIAMKcBAgDiAQAhsQEBANsBACGyAQIA4gEAIbMBQADcAQAhzQEAAP8BACADAAAADQAgAQAADgAwAgAADwAgAQAAAAMAIAEAAAAJACABAAAADQAgAQAAAAEAIBAEAADsAgAgBQAA7QIAIAYAAO4CACCTAQAAmgIAIKYBAACaAgAgvAEAAJoCACDBAQAAmgIAIMIBAACaAgAgwwEAAJoCACDEAQAAmgIAIMUBAACaAgAgxgEAAJoCACDHAQAAmgIAIMgBAACaAgAgyQEAAJoCACDLAQAAmgIAIAMAAAAHACABAAAVADACAAABACADAAAABwAgAQAAFQAwAgAAAQAgAwAAAAcAIAEAABUAMAIAAAEAIBoEAADpAgAgBQAA6gIAIAYAAOsCACCTAQEAAAABoAECAAAAAaUBAQAAAAGmAQEAAAABqgFAAAAAAbIBAgAAAAG8AQEAAAABvQEgAAAAAb4BIAAAAAG_AQEAAAABwAEBAAAAAcEBAQAAAAHCAQEAAAABwwFAAAAAAcQBAQAAAAHFAUAAAAABxgEBAAAAAccBQAAAAAHIAQIAAAAByQFAAAAAAcoBIAAAAAHLAQEAAAABzAFAAAAAAQENAAAZACAXkwEBAAAAAaABAgAAAAGlAQEAAAABpgEBAAAAAaoBQAAAAAGyAQIAAAABvAEBAAAAAb0BIAAAAAG-ASAAAAABvwEBAAAAAcABAQAAAAHBAQEAAAABwgEBAAAAAcMBQAAAAAHEAQEAAAABxQFAAAAAAcYBAQAAAAHHAUAAAAAByAECAAAAAckBQAAAAAHKASAAAAABywEBAAAAAcwBQAAAAAEBDQAAGwAwAQ0AABsAMBoEAADCAgAgBQAAwwIAIAYAAMQCACCTAQEAoQIAIaABAgCZAgAhpQEBAJICACGmAQEAoQIAIaoBQACTAgAhsgECAJkCACG8AQEAoQIAIb0BIADBAgAhvgEgAMECACG_AQEAkgIAIcABAQCSAgAhwQEBAKECACHCAQEAoQIAIcMBQACiAgAhxAEBAKECACHFAUAAogIAIcYBAQChAgAhxwFAAKICACHIAQIAowIAIckBQACiAgAhygEgAMECACHLAQEAoQIAIcwBQACTAgAhAgAAAAEAIA0AAB4AIBeTAQEAoQIAIaABAgCZAgAhpQEBAJICACGmAQEAoQIAIaoBQACTAgAhsgECAJkCACG8AQEAoQIAIb0BIADBAgAhvgEgAMECACG_AQEAkgIAIcABAQCSAgAhwQEBAKECACHCAQEAoQIAIcMBQACiAgAhxAEBAKECACHFAUAAogIAIcYBAQChAgAhxwFAAKICACHIAQIAowIAIckBQACiAgAhygEgAMECACHLAQEAoQIAIcwBQACTAgAhAgAAAAcAIA0AACAAIAIAAAAHACANAAAgACADAAAAAQAgFAAAGQAgFQAAHgAgAQAAAAEAIAEAAAAHACASBwAAvAIAIBoAAL0CACAbAADAAgAgHAAAvwIAIB0AAL4CACCTAQAAmgIAIKYBAACaAgAgvAEAAJoCACDBAQAAmgIAIMIBAACaAgAgwwEAAJoCACDEAQAAmgIAIMUBAACaAgAgxgEAAJoCACDHAQAAmgIAIMgBAACaAgAgyQEAAJoCACDLAQAAmgIAIBqQAQAA-wEAMJEBAAAnABCSAQAA-wEAMJMBAQDmAQAhoAECAN4BACGlAQEA0wEAIaYBAQDmAQAhqgFAANQBACGyAQIA3gEAIbwBAQDmAQAhvQEgAPwBACG-ASAA_AEAIb8BAQDTAQAhwAEBANMBACHBAQEA5gEAIcIBAQDmAQAhwwFAAOgBACHEAQEA5gEAIcUBQADoAQAhxgEBAOYBACHHAUAA6AEAIcgBAgDnAQAhyQFAAOgBACHKASAA_AEAIcsBAQDmAQAhzAFAANQBACEDAAAABwAgAQAAJgAwGQAAJwAgAwAAAAcAIAEAABUAMAIAAAEAIAEAAAALACABAAAACwAgAwAAAAkAIAEAAAoAMAIAAAsAIAMAAAAJACABAAAKADACAAALACADAAAACQAgAQAACgAwAgAACwAgCQMAALsCACCgAQEAAAABpwECAAAAAbEBAQAAAAGyAQIAAAABuAFAAAAAAbkBQAAAAAG6AUAAAAABuwEBAAAAAQENAAAvACAIoAEBAAAAAacBAgAAAAGxAQEAAAABsgECAAAAAbgBQAAAAAG5AUAAAAABugFAAAAAAbsBAQAAAAEBDQAAMQAwAQ0AADEAMAkDAAC6AgAgoAEBAJICACGnAQIAmQIAIbEBAQCSAgAhsgECAJkCACG4AUAAkwIAIbkBQACTAgAhugFAAKICACG7AQEAkgIAIQIAAAALACANAAA0ACAIoAEBAJICACGnAQIAmQIAIbEBAQCSAgAhsgECAJkCACG4AUAAkwIAIbkBQACTAgAhugFAAKICACG7AQEAkgIAIQIAAAAJACANAAA2ACACAAAACQAgDQAANgAgAwAAAAsAIBQAAC8AIBUAADQAIAEAAAALACABAAAACQAgBgcAALUCACAaAAC2AgAgGwAAuQIAIBwAALgCACAdAAC3AgAgugEAAJoCACALkAEAAPoBADCRAQAAPQAQkgEAAPoBADCgAQEA5AEAIacBAgDeAQAhsQEBANMBACGyAQIA3gEAIbgBQADUAQAhuQFAANQBACG6AUAA6AEAIbsBAQDTAQAhAwAAAAkAIAEAADwAMBkAAD0AIAMAAAAJACABAAAKADACAAALACAFkAEAAPkBADCRAQAAQwAQkgEAAPkBADCgAQIAAAABtwFAANwBACEBAAAAQAAgAQAAAEAAIAWQAQAA-QEAMJEBAABDABCSAQAA-QEAMKABAgDiAQAhtwFAANwBACEAAwAAAEMAIAEAAEQAMAIAAEAAIAMAAABDACABAABEADACAABAACADAAAAQwAgAQAARAAwAgAAQAAgAqABAgAAAAG3AUAAAAABAQ0AAEgAIAKgAQIAAAABtwFAAAAAAQENAABKADABDQAASgAwAqABAgCZAgAhtwFAAJMCACECAAAAQAAgDQAATQAgAqABAgCZAgAhtwFAAJMCACECAAAAQwAgDQAATwAgAgAAAEMAIA0AAE8AIAMAAABAACAUAABIACAVAABNACABAAAAQAAgAQAAAEMAIAUHAACwAgAgGgAAsQIAIBsAALQCACAcAACzAgAgHQAAsgIAIAWQAQAA-AEAMJEBAABWABCSAQAA-AEAMKABAgDeAQAhtwFAANQBACEDAAAAQwAgAQAAVQAwGQAAVgAgAwAAAEMAIAEAAEQAMAIAAEAAIAaQAQAA9QEAMJEBAABcABCSAQAA9QEAMLQBAQAAAAG1AUAA3AEAIbYBQADcAQAhAQAAAFkAIAEAAABZACAGkAEAAPUBADCRAQAAXAAQkgEAAPUBADC0AQEA9gEAIbUBQADcAQAhtgFAANwBACEAAwAAAFwAIAEAAF0AMAIAAFkAIAMAAABcACABAABdADACAABZACADAAAAXAAgAQAAXQAwAgAAWQAgA7QBAQAAAAG1AUAAAAABtgFAAAAAAQENAABhACADtAEBAAAAAbUBQAAAAAG2AUAAAAABAQ0AAGMAMAENAABjADADtAEBAJICACG1AUAAkwIAIbYBQACTAgAhAgAAAFkAIA0AAGYAIAO0AQEAkgIAIbUBQACTAgAhtgFAAJMCACECAAAAXAAgDQAAaAAgAgAAAFwAIA0AAGgAIAMAAABZACAUAABhACAVAABmACABAAAAWQAgAQAAAFwAIAMHAACtAgAgHAAArwIAIB0AAK4CACAGkAEAAPQBADCRAQAAbwAQkgEAAPQBADC0AQEA5AEAIbUBQADUAQAhtgFAANQBACEDAAAAXAAgAQAAbgAwGQAAbwAgAwAAAFwAIAEAAF0AMAIAAFkAIAEAAAAPACABAAAADwAgAwAAAA0AIAEAAA4AMAIAAA8AIAMAAAANACABAAAOADACAAAPACADAAAADQAgAQAADgAwAgAADwAgBQMAAKwCACCnAQIAAAABsQEBAAAAAbIBAgAAAAGzAUAAAAABAQ0AAHcAIASnAQIAAAABsQEBAAAAAbIBAgAAAAGzAUAAAAABAQ0AAHkAMAENAAB5ADAFAwAAqwIAIKcBAgCZAgAhsQEBAJICACGyAQIAmQIAIbMBQACTAgAhAgAAAA8AIA0AAHwAIASnAQIAmQIAIbEBAQCSAgAhsgECAJkCACGzAUAAkwIAIQIAAAANACANAAB-ACACAAAADQAgDQAAfgAgAwAAAA8AIBQAAHcAIBUAAHwAIAEAAAAPACABAAAADQAgBQcAAKYCACAaAACnAgAgGwAAqgIAIBwAAKkCACAdAACoAgAgB5ABAADzAQAwkQEAAIUBABCSAQAA8wEAMKcBAgDeAQAhsQEBANMBACGyAQIA3gEAIbMBQADUAQAhAwAAAA0AIAEAAIQBADAZAACFAQAgAwAAAA0AIAEAAA4AMAIAAA8AIAEAAAAFACABAAAABQAgAwAAAAMAIAEAAAQAMAIAAAUAIAMAAAADACABAAAEADACAAAFACADAAAAAwAgAQAABAAwAgAABQAgDwMAAKUCACCgAQEAAAABpAEAAACkAQKlAQEAAAABpgEBAAAAAacBAgAAAAGoAQEAAAABqQEBAAAAAaoBQAAAAAGrAQIAAAABrAFAAAAAAa0BAQAAAAGuAUAAAAABrwFAAAAAAbABQAAAAAEBDQAAjQEAIA6gAQEAAAABpAEAAACkAQKlAQEAAAABpgEBAAAAAacBAgAAAAGoAQEAAAABqQEBAAAAAaoBQAAAAAGrAQIAAAABrAFAAAAAAa0BAQAAAAGuAUAAAAABrwFAAAAAAbABQAAAAAEBDQAAjwEAMAENAACPAQAwAQAAAAcAIA8DAACkAgAgoAEBAJICACGkAQAAoAKkASKlAQEAoQIAIaYBAQChAgAhpwECAKMCACGoAQEAoQIAIakBAQCSAgAhqgFAAJMCACGrAQIAmQIAIawBQACiAgAhrQEBAKECACGuAUAAogIAIa8BQACiAgAhsAFAAKICACECAAAABQAgDQAAkwEAIA6gAQEAkgIAIaQBAACgAqQBIqUBAQChAgAhpgEBAKECACGnAQIAowIAIagBAQChAgAhqQEBAJICACGqAUAAkwIAIasBAgCZAgAhrAFAAKICACGtAQEAoQIAIa4BQACiAgAhrwFAAKICACGwAUAAogIAIQIAAAADACANAACVAQAgAgAAAAMAIA0AAJUBACABAAAABwAgAwAAAAUAIBQAAI0BACAVAACTAQAgAQAAAAUAIAEAAAADACAOBwAAmwIAIBoAAJwCACAbAACfAgAgHAAAngIAIB0AAJ0CACClAQAAmgIAIKYBAACaAgAgpwEAAJoCACCoAQAAmgIAIKwBAACaAgAgrQEAAJoCACCuAQAAmgIAIK8BAACaAgAgsAEAAJoCACARkAEAAOMBADCRAQAAnQEAEJIBAADjAQAwoAEBAOQBACGkAQAA5QGkASKlAQEA5gEAIaYBAQDmAQAhpwECAOcBACGoAQEA5gEAIakBAQDTAQAhqgFAANQBACGrAQIA3gEAIawBQADoAQAhrQEBAOYBACGuAUAA6AEAIa8BQADoAQAhsAFAAOgBACEDAAAAAwAgAQAAnAEAMBkAAJ0BACADAAAAAwAgAQAABAAwAgAABQAgBpABAADhAQAwkQEAAKMBABCSAQAA4QEAMKABAgAAAAGhAQIA4gEAIaIBQADcAQAhAQAAAKABACABAAAAoAEAIAaQAQAA4QEAMJEBAACjAQAQkgEAAOEBADCgAQIA4gEAIaEBAgDiAQAhogFAANwBACEAAwAAAKMBACABAACkAQAwAgAAoAEAIAMAAACjAQAgAQAApAEAMAIAAKABACADAAAAowEAIAEAAKQBADACAACgAQAgA6ABAgAAAAGhAQIAAAABogFAAAAAAQENAACoAQAgA6ABAgAAAAGhAQIAAAABogFAAAAAAQENAACqAQAwAQ0AAKoBADADoAECAJkCACGhAQIAmQIAIaIBQACTAgAhAgAAAKABACANAACtAQAgA6ABAgCZAgAhoQECAJkCACGiAUAAkwIAIQIAAACjAQAgDQAArwEAIAIAAACjAQAgDQAArwEAIAMAAACgAQAgFAAAqAEAIBUAAK0BACABAAAAoAEAIAEAAACjAQAgBQcAAJQCACAaAACVAgAgGwAAmAIAIBwAAJcCACAdAACWAgAgBpABAADdAQAwkQEAALYBABCSAQAA3QEAMKABAgDeAQAhoQECAN4BACGiAUAA1AEAIQMAAACjAQAgAQAAtQEAMBkAALYBACADAAAAowEAIAEAAKQBADACAACgAQAgBZABAADaAQAwkQEAALwBABCSAQAA2gEAMJMBAQAAAAGUAUAA3AEAIQEAAAC5AQAgAQAAALkBACAFkAEAANoBADCRAQAAvAEAEJIBAADaAQAwkwEBANsBACGUAUAA3AEAIQADAAAAvAEAIAEAAL0BADACAAC5AQAgAwAAALwBACABAAC9AQAwAgAAuQEAIAMAAAC8AQAgAQAAvQEAMAIAALkBACACkwEBAAAAAZQBQAAAAAEBDQAAwQEAIAKTAQEAAAABlAFAAAAAAQENAADDAQAwAQ0AAMMBADACkwEBAJICACGUAUAAkwIAIQIAAAC5AQAgDQAAxgEAIAKTAQEAkgIAIZQBQACTAgAhAgAAALwBACANAADIAQAgAgAAALwBACANAADIAQAgAwAAALkBACAUAADBAQAgFQAAxgEAIAEAAAC5AQAgAQAAALwBACADBwAAjwIAIBwAAJECACAdAACQAgAgBZABAADSAQAwkQEAAM8BABCSAQAA0gEAMJMBAQDTAQAhlAFAANQBACEDAAAAvAEAIAEAAM4BADAZAADPAQAgAwAAALwBACABAAC9AQAwAgAAuQEAIAWQAQAA0gEAMJEBAADPAQAQkgEAANIBADCTAQEA0wEAIZQBQADUAQAhDgcAANYBACAcAADZAQAgHQAA2QEAIJUBAQAAAAGWAQEAAAAElwEBAAAABJgBAQAAAAGZAQEAAAABmgEBAAAAAZsBAQAAAAGcAQEA2AEAIZ0BAQAAAAGeAQEAAAABnwEBAAAAAQsHAADWAQAgHAAA1wEAIB0AANcBACCVAUAAAAABlgFAAAAABJcBQAAAAASYAUAAAAABmQFAAAAAAZoBQAAAAAGbAUAAAAABnAFAANUBACELBwAA1gEAIBwAANcBACAdAADXAQAglQFAAAAAAZYBQAAAAASXAUAAAAAEmAFAAAAAAZkBQAAAAAGaAUAAAAABmwFAAAAAAZwBQADVAQAhCJUBAgAAAAGWAQIAAAAElwECAAAABJgBAgAAAAGZAQIAAAABmgECAAAAAZsBAgAAAAGcAQIA1gEAIQiVAUAAAAABlgFAAAAABJcBQAAAAASYAUAAAAABmQFAAAAAAZoBQAAAAAGbAUAAAAABnAFAANcBACEOBwAA1gEAIBwAANkBACAdAADZAQAglQEBAAAAAZYBAQAAAASXAQEAAAAEmAEBAAAAAZkBAQAAAAGaAQEAAAABmwEBAAAAAZwBAQDYAQAhnQEBAAAAAZ4BAQAAAAGfAQEAAAABC5UBAQAAAAGWAQEAAAAElwEBAAAABJgBAQAAAAGZAQEAAAABmgEBAAAAAZsBAQAAAAGcAQEA2QEAIZ0BAQAAAAGeAQEAAAABnwEBAAAAAQWQAQAA2gEAMJEBAAC8AQAQkgEAANoBADCTAQEA2wEAIZQBQADcAQAhC5UBAQAAAAGWAQEAAAAElwEBAAAABJgBAQAAAAGZAQEAAAABmgEBAAAAAZsBAQAAAAGcAQEA2QEAIZ0BAQAAAAGeAQEAAAABnwEBAAAAAQiVAUAAAAABlgFAAAAABJcBQAAAAASYAUAAAAABmQFAAAAAAZoBQAAAAAGbAUAAAAABnAFAANcBACEGkAEAAN0BADCRAQAAtgEAEJIBAADdAQAwoAECAN4BACGhAQIA3gEAIaIBQADUAQAhDQcAANYBACAaAADgAQAgGwAA1gEAIBwAANYBACAdAADWAQAglQECAAAAAZYBAgAAAASXAQIAAAAEmAECAAAAAZkBAgAAAAGaAQIAAAABmwECAAAAAZwBAgDfAQAhDQcAANYBACAaAADgAQAgGwAA1gEAIBwAANYBACAdAADWAQAglQECAAAAAZYBAgAAAASXAQIAAAAEmAECAAAAAZkBAgAAAAGaAQIAAAABmwECAAAAAZwBAgDfAQAhCJUBCAAAAAGWAQgAAAAElwEIAAAABJgBCAAAAAGZAQgAAAABmgEIAAAAAZsBCAAAAAGcAQgA4AEAIQaQAQAA4QEAMJEBAACjAQAQkgEAAOEBADCgAQIA4gEAIaEBAgDiAQAhogFAANwBACEIlQECAAAAAZYBAgAAAASXAQIAAAAEmAECAAAAAZkBAgAAAAGaAQIAAAABmwECAAAAAZwBAgDWAQAhEZABAADjAQAwkQEAAJ0BABCSAQAA4wEAMKABAQDkAQAhpAEAAOUBpAEipQEBAOYBACGmAQEA5gEAIacBAgDnAQAhqAEBAOYBACGpAQEA0wEAIaoBQADUAQAhqwECAN4BACGsAUAA6AEAIa0BAQDmAQAhrgFAAOgBACGvAUAA6AEAIbABQADoAQAhCwcAANYBACAcAADZAQAgHQAA2QEAIJUBAQAAAAGWAQEAAAAElwEBAAAABJgBAQAAAAGZAQEAAAABmgEBAAAAAZsBAQAAAAGcAQEA8gEAIQcHAADWAQAgHAAA8QEAIB0AAPEBACCVAQAAAKQBApYBAAAApAEIlwEAAACkAQicAQAA8AGkASIOBwAA6gEAIBwAAO8BACAdAADvAQAglQEBAAAAAZYBAQAAAAWXAQEAAAAFmAEBAAAAAZkBAQAAAAGaAQEAAAABmwEBAAAAAZwBAQDuAQAhnQEBAAAAAZ4BAQAAAAGfAQEAAAABDQcAAOoBACAaAADtAQAgGwAA6gEAIBwAAOoBACAdAADqAQAglQECAAAAAZYBAgAAAAWXAQIAAAAFmAECAAAAAZkBAgAAAAGaAQIAAAABmwECAAAAAZwBAgDsAQAhCwcAAOoBACAcAADrAQAgHQAA6wEAIJUBQAAAAAGWAUAAAAAFlwFAAAAABZgBQAAAAAGZAUAAAAABmgFAAAAAAZsBQAAAAAGcAUAA6QEAIQsHAADqAQAgHAAA6wEAIB0AAOsBACCVAUAAAAABlgFAAAAABZcBQAAAAAWYAUAAAAABmQFAAAAAAZoBQAAAAAGbAUAAAAABnAFAAOkBACEIlQECAAAAAZYBAgAAAAWXAQIAAAAFmAECAAAAAZkBAgAAAAGaAQIAAAABmwECAAAAAZwBAgDqAQAhCJUBQAAAAAGWAUAAAAAFlwFAAAAABZgBQAAAAAGZAUAAAAABmgFAAAAAAZsBQAAAAAGcAUAA6wEAIQ0HAADqAQAgGgAA7QEAIBsAAOoBACAcAADqAQAgHQAA6gEAIJUBAgAAAAGWAQIAAAAFlwECAAAABZgBAgAAAAGZAQIAAAABmgECAAAAAZsBAgAAAAGcAQIA7AEAIQiVAQgAAAABlgEIAAAABZcBCAAAAAWYAQgAAAABmQEIAAAAAZoBCAAAAAGbAQgAAAABnAEIAO0BACEOBwAA6gEAIBwAAO8BACAdAADvAQAglQEBAAAAAZYBAQAAAAWXAQEAAAAFmAEBAAAAAZkBAQAAAAGaAQEAAAABmwEBAAAAAZwBAQDuAQAhnQEBAAAAAZ4BAQAAAAGfAQEAAAABC5UBAQAAAAGWAQEAAAAFlwEBAAAABZgBAQAAAAGZAQEAAAABmgEBAAAAAZsBAQAAAAGcAQEA7wEAIZ0BAQAAAAGeAQEAAAABnwEBAAAAAQcHAADWAQAgHAAA8QEAIB0AAPEBACCVAQAAAKQBApYBAAAApAEIlwEAAACkAQicAQAA8AGkASIElQEAAACkAQKWAQAAAKQBCJcBAAAApAEInAEAAPEBpAEiCwcAANYBACAcAADZAQAgHQAA2QEAIJUBAQAAAAGWAQEAAAAElwEBAAAABJgBAQAAAAGZAQEAAAABmgEBAAAAAZsBAQAAAAGcAQEA8gEAIQeQAQAA8wEAMJEBAACFAQAQkgEAAPMBADCnAQIA3gEAIbEBAQDTAQAhsgECAN4BACGzAUAA1AEAIQaQAQAA9AEAMJEBAABvABCSAQAA9AEAMLQBAQDkAQAhtQFAANQBACG2AUAA1AEAIQaQAQAA9QEAMJEBAABcABCSAQAA9QEAMLQBAQD2AQAhtQFAANwBACG2AUAA3AEAIQiVAQEAAAABlgEBAAAABJcBAQAAAASYAQEAAAABmQEBAAAAAZoBAQAAAAGbAQEAAAABnAEBAPcBACEIlQEBAAAAAZYBAQAAAASXAQEAAAAEmAEBAAAAAZkBAQAAAAGaAQEAAAABmwEBAAAAAZwBAQD3AQAhBZABAAD4AQAwkQEAAFYAEJIBAAD4AQAwoAECAN4BACG3AUAA1AEAIQWQAQAA-QEAMJEBAABDABCSAQAA-QEAMKABAgDiAQAhtwFAANwBACELkAEAAPoBADCRAQAAPQAQkgEAAPoBADCgAQEA5AEAIacBAgDeAQAhsQEBANMBACGyAQIA3gEAIbgBQADUAQAhuQFAANQBACG6AUAA6AEAIbsBAQDTAQAhGpABAAD7AQAwkQEAACcAEJIBAAD7AQAwkwEBAOYBACGgAQIA3gEAIaUBAQDTAQAhpgEBAOYBACGqAUAA1AEAIbIBAgDeAQAhvAEBAOYBACG9ASAA_AEAIb4BIAD8AQAhvwEBANMBACHAAQEA0wEAIcEBAQDmAQAhwgEBAOYBACHDAUAA6AEAIcQBAQDmAQAhxQFAAOgBACHGAQEA5gEAIccBQADoAQAhyAECAOcBACHJAUAA6AEAIcoBIAD8AQAhywEBAOYBACHMAUAA1AEAIQUHAADWAQAgHAAA_gEAIB0AAP4BACCVASAAAAABnAEgAP0BACEFBwAA1gEAIBwAAP4BACAdAAD-AQAglQEgAAAAAZwBIAD9AQAhApUBIAAAAAGcASAA_gEAIQKnAQIAAAABsQEBAAAAAQgDAACBAgAgkAEAAIACADCRAQAADQAQkgEAAIACADCnAQIA4gEAIbEBAQDbAQAhsgECAOIBACGzAUAA3AEAIR8EAACIAgAgBQAAiQIAIAYAAIoCACCQAQAAhAIAMJEBAAAHABCSAQAAhAIAMJMBAQCFAgAhoAECAOIBACGlAQEA2wEAIaYBAQCFAgAhqgFAANwBACGyAQIA4gEAIbwBAQCFAgAhvQEgAIYCACG-ASAAhgIAIb8BAQDbAQAhwAEBANsBACHBAQEAhQIAIcIBAQCFAgAhwwFAAIMCACHEAQEAhQIAIcUBQACDAgAhxgEBAIUCACHHAUAAgwIAIcgBAgCHAgAhyQFAAIMCACHKASAAhgIAIcsBAQCFAgAhzAFAANwBACHSAQAABwAg0wEAAAcAIAwDAACBAgAgkAEAAIICADCRAQAACQAQkgEAAIICADCgAQEA9gEAIacBAgDiAQAhsQEBANsBACGyAQIA4gEAIbgBQADcAQAhuQFAANwBACG6AUAAgwIAIbsBAQDbAQAhCJUBQAAAAAGWAUAAAAAFlwFAAAAABZgBQAAAAAGZAUAAAAABmgFAAAAAAZsBQAAAAAGcAUAA6wEAIR0EAACIAgAgBQAAiQIAIAYAAIoCACCQAQAAhAIAMJEBAAAHABCSAQAAhAIAMJMBAQCFAgAhoAECAOIBACGlAQEA2wEAIaYBAQCFAgAhqgFAANwBACGyAQIA4gEAIbwBAQCFAgAhvQEgAIYCACG-ASAAhgIAIb8BAQDbAQAhwAEBANsBACHBAQEAhQIAIcIBAQCFAgAhwwFAAIMCACHEAQEAhQIAIcUBQACDAgAhxgEBAIUCACHHAUAAgwIAIcgBAgCHAgAhyQFAAIMCACHKASAAhgIAIcsBAQCFAgAhzAFAANwBACELlQEBAAAAAZYBAQAAAAWXAQEAAAAFmAEBAAAAAZkBAQAAAAGaAQEAAAABmwEBAAAAAZwBAQDvAQAhnQEBAAAAAZ4BAQAAAAGfAQEAAAABApUBIAAAAAGcASAA_gEAIQiVAQIAAAABlgECAAAABZcBAgAAAAWYAQIAAAABmQECAAAAAZoBAgAAAAGbAQIAAAABnAECAOoBACEDzgEAAAMAIM8BAAADACDQAQAAAwAgA84BAAAJACDPAQAACQAg0AEAAAkAIAPOAQAADQAgzwEAAA0AINABAAANACASAwAAjQIAIJABAACLAgAwkQEAAAMAEJIBAACLAgAwoAEBAPYBACGkAQAAjAKkASKlAQEAhQIAIaYBAQCFAgAhpwECAIcCACGoAQEAhQIAIakBAQDbAQAhqgFAANwBACGrAQIA4gEAIawBQACDAgAhrQEBAIUCACGuAUAAgwIAIa8BQACDAgAhsAFAAIMCACEElQEAAACkAQKWAQAAAKQBCJcBAAAApAEInAEAAPEBpAEiHwQAAIgCACAFAACJAgAgBgAAigIAIJABAACEAgAwkQEAAAcAEJIBAACEAgAwkwEBAIUCACGgAQIA4gEAIaUBAQDbAQAhpgEBAIUCACGqAUAA3AEAIbIBAgDiAQAhvAEBAIUCACG9ASAAhgIAIb4BIACGAgAhvwEBANsBACHAAQEA2wEAIcEBAQCFAgAhwgEBAIUCACHDAUAAgwIAIcQBAQCFAgAhxQFAAIMCACHGAQEAhQIAIccBQACDAgAhyAECAIcCACHJAUAAgwIAIcoBIACGAgAhywEBAIUCACHMAUAA3AEAIdIBAAAHACDTAQAABwAgApMBAQAAAAHLAQEAAAABAAAAAdcBAQAAAAEB1wFAAAAAAQAAAAAABdcBAgAAAAHdAQIAAAAB3gECAAAAAd8BAgAAAAHgAQIAAAABAAAAAAAAAdcBAAAApAECAdcBAQAAAAEB1wFAAAAAAQXXAQIAAAAB3QECAAAAAd4BAgAAAAHfAQIAAAAB4AECAAAAAQcUAAD9AgAgFQAAgAMAINQBAAD-AgAg1QEAAP8CACDYAQAABwAg2QEAAAcAINoBAAABACADFAAA_QIAINQBAAD-AgAg2gEAAAEAIAAAAAAABRQAAPgCACAVAAD7AgAg1AEAAPkCACDVAQAA-gIAINoBAAABACADFAAA-AIAINQBAAD5AgAg2gEAAAEAIAAAAAAAAAAAAAAAAAAFFAAA8wIAIBUAAPYCACDUAQAA9AIAINUBAAD1AgAg2gEAAAEAIAMUAADzAgAg1AEAAPQCACDaAQAAAQAgAAAAAAAB1wEgAAAAAQsUAADdAgAwFQAA4gIAMNQBAADeAgAw1QEAAN8CADDWAQAA4AIAINcBAADhAgAw2AEAAOECADDZAQAA4QIAMNoBAADhAgAw2wEAAOMCADDcAQAA5AIAMAsUAADRAgAwFQAA1gIAMNQBAADSAgAw1QEAANMCADDWAQAA1AIAINcBAADVAgAw2AEAANUCADDZAQAA1QIAMNoBAADVAgAw2wEAANcCADDcAQAA2AIAMAsUAADFAgAwFQAAygIAMNQBAADGAgAw1QEAAMcCADDWAQAAyAIAINcBAADJAgAw2AEAAMkCADDZAQAAyQIAMNoBAADJAgAw2wEAAMsCADDcAQAAzAIAMAOxAQEAAAABsgECAAAAAbMBQAAAAAECAAAADwAgFAAA0AIAIAMAAAAPACAUAADQAgAgFQAAzwIAIAENAADyAgAwCQMAAIECACCQAQAAgAIAMJEBAAANABCSAQAAgAIAMKcBAgDiAQAhsQEBANsBACGyAQIA4gEAIbMBQADcAQAhzQEAAP8BACACAAAADwAgDQAAzwIAIAIAAADNAgAgDQAAzgIAIAeQAQAAzAIAMJEBAADNAgAQkgEAAMwCADCnAQIA4gEAIbEBAQDbAQAhsgECAOIBACGzAUAA3AEAIQeQAQAAzAIAMJEBAADNAgAQkgEAAMwCADCnAQIA4gEAIbEBAQDbAQAhsgECAOIBACGzAUAA3AEAIQOxAQEAkgIAIbIBAgCZAgAhswFAAJMCACEDsQEBAJICACGyAQIAmQIAIbMBQACTAgAhA7EBAQAAAAGyAQIAAAABswFAAAAAAQegAQEAAAABsQEBAAAAAbIBAgAAAAG4AUAAAAABuQFAAAAAAboBQAAAAAG7AQEAAAABAgAAAAsAIBQAANwCACADAAAACwAgFAAA3AIAIBUAANsCACABDQAA8QIAMAwDAACBAgAgkAEAAIICADCRAQAACQAQkgEAAIICADCgAQEAAAABpwECAOIBACGxAQEA2wEAIbIBAgDiAQAhuAFAANwBACG5AUAA3AEAIboBQACDAgAhuwEBANsBACECAAAACwAgDQAA2wIAIAIAAADZAgAgDQAA2gIAIAuQAQAA2AIAMJEBAADZAgAQkgEAANgCADCgAQEA9gEAIacBAgDiAQAhsQEBANsBACGyAQIA4gEAIbgBQADcAQAhuQFAANwBACG6AUAAgwIAIbsBAQDbAQAhC5ABAADYAgAwkQEAANkCABCSAQAA2AIAMKABAQD2AQAhpwECAOIBACGxAQEA2wEAIbIBAgDiAQAhuAFAANwBACG5AUAA3AEAIboBQACDAgAhuwEBANsBACEHoAEBAJICACGxAQEAkgIAIbIBAgCZAgAhuAFAAJMCACG5AUAAkwIAIboBQACiAgAhuwEBAJICACEHoAEBAJICACGxAQEAkgIAIbIBAgCZAgAhuAFAAJMCACG5AUAAkwIAIboBQACiAgAhuwEBAJICACEHoAEBAAAAAbEBAQAAAAGyAQIAAAABuAFAAAAAAbkBQAAAAAG6AUAAAAABuwEBAAAAAQ2gAQEAAAABpAEAAACkAQKlAQEAAAABpgEBAAAAAagBAQAAAAGpAQEAAAABqgFAAAAAAasBAgAAAAGsAUAAAAABrQEBAAAAAa4BQAAAAAGvAUAAAAABsAFAAAAAAQIAAAAFACAUAADoAgAgAwAAAAUAIBQAAOgCACAVAADnAgAgAQ0AAPACADASAwAAjQIAIJABAACLAgAwkQEAAAMAEJIBAACLAgAwoAEBAAAAAaQBAACMAqQBIqUBAQCFAgAhpgEBAIUCACGnAQIAhwIAIagBAQCFAgAhqQEBANsBACGqAUAA3AEAIasBAgDiAQAhrAFAAIMCACGtAQEAhQIAIa4BQACDAgAhrwFAAIMCACGwAUAAgwIAIQIAAAAFACANAADnAgAgAgAAAOUCACANAADmAgAgEZABAADkAgAwkQEAAOUCABCSAQAA5AIAMKABAQD2AQAhpAEAAIwCpAEipQEBAIUCACGmAQEAhQIAIacBAgCHAgAhqAEBAIUCACGpAQEA2wEAIaoBQADcAQAhqwECAOIBACGsAUAAgwIAIa0BAQCFAgAhrgFAAIMCACGvAUAAgwIAIbABQACDAgAhEZABAADkAgAwkQEAAOUCABCSAQAA5AIAMKABAQD2AQAhpAEAAIwCpAEipQEBAIUCACGmAQEAhQIAIacBAgCHAgAhqAEBAIUCACGpAQEA2wEAIaoBQADcAQAhqwECAOIBACGsAUAAgwIAIa0BAQCFAgAhrgFAAIMCACGvAUAAgwIAIbABQACDAgAhDaABAQCSAgAhpAEAAKACpAEipQEBAKECACGmAQEAoQIAIagBAQChAgAhqQEBAJICACGqAUAAkwIAIasBAgCZAgAhrAFAAKICACGtAQEAoQIAIa4BQACiAgAhrwFAAKICACGwAUAAogIAIQ2gAQEAkgIAIaQBAACgAqQBIqUBAQChAgAhpgEBAKECACGoAQEAoQIAIakBAQCSAgAhqgFAAJMCACGrAQIAmQIAIawBQACiAgAhrQEBAKECACGuAUAAogIAIa8BQACiAgAhsAFAAKICACENoAEBAAAAAaQBAAAApAECpQEBAAAAAaYBAQAAAAGoAQEAAAABqQEBAAAAAaoBQAAAAAGrAQIAAAABrAFAAAAAAa0BAQAAAAGuAUAAAAABrwFAAAAAAbABQAAAAAEEFAAA3QIAMNQBAADeAgAw1gEAAOACACDaAQAA4QIAMAQUAADRAgAw1AEAANICADDWAQAA1AIAINoBAADVAgAwBBQAAMUCADDUAQAAxgIAMNYBAADIAgAg2gEAAMkCADAAAAAQBAAA7AIAIAUAAO0CACAGAADuAgAgkwEAAJoCACCmAQAAmgIAILwBAACaAgAgwQEAAJoCACDCAQAAmgIAIMMBAACaAgAgxAEAAJoCACDFAQAAmgIAIMYBAACaAgAgxwEAAJoCACDIAQAAmgIAIMkBAACaAgAgywEAAJoCACANoAEBAAAAAaQBAAAApAECpQEBAAAAAaYBAQAAAAGoAQEAAAABqQEBAAAAAaoBQAAAAAGrAQIAAAABrAFAAAAAAa0BAQAAAAGuAUAAAAABrwFAAAAAAbABQAAAAAEHoAEBAAAAAbEBAQAAAAGyAQIAAAABuAFAAAAAAbkBQAAAAAG6AUAAAAABuwEBAAAAAQOxAQEAAAABsgECAAAAAbMBQAAAAAEZBAAA6QIAIAYAAOsCACCTAQEAAAABoAECAAAAAaUBAQAAAAGmAQEAAAABqgFAAAAAAbIBAgAAAAG8AQEAAAABvQEgAAAAAb4BIAAAAAG_AQEAAAABwAEBAAAAAcEBAQAAAAHCAQEAAAABwwFAAAAAAcQBAQAAAAHFAUAAAAABxgEBAAAAAccBQAAAAAHIAQIAAAAByQFAAAAAAcoBIAAAAAHLAQEAAAABzAFAAAAAAQIAAAABACAUAADzAgAgAwAAAAcAIBQAAPMCACAVAAD3AgAgGwAAAAcAIAQAAMICACAGAADEAgAgDQAA9wIAIJMBAQChAgAhoAECAJkCACGlAQEAkgIAIaYBAQChAgAhqgFAAJMCACGyAQIAmQIAIbwBAQChAgAhvQEgAMECACG-ASAAwQIAIb8BAQCSAgAhwAEBAJICACHBAQEAoQIAIcIBAQChAgAhwwFAAKICACHEAQEAoQIAIcUBQACiAgAhxgEBAKECACHHAUAAogIAIcgBAgCjAgAhyQFAAKICACHKASAAwQIAIcsBAQChAgAhzAFAAJMCACEZBAAAwgIAIAYAAMQCACCTAQEAoQIAIaABAgCZAgAhpQEBAJICACGmAQEAoQIAIaoBQACTAgAhsgECAJkCACG8AQEAoQIAIb0BIADBAgAhvgEgAMECACG_AQEAkgIAIcABAQCSAgAhwQEBAKECACHCAQEAoQIAIcMBQACiAgAhxAEBAKECACHFAUAAogIAIcYBAQChAgAhxwFAAKICACHIAQIAowIAIckBQACiAgAhygEgAMECACHLAQEAoQIAIcwBQACTAgAhGQQAAOkCACAFAADqAgAgkwEBAAAAAaABAgAAAAGlAQEAAAABpgEBAAAAAaoBQAAAAAGyAQIAAAABvAEBAAAAAb0BIAAAAAG-ASAAAAABvwEBAAAAAcABAQAAAAHBAQEAAAABwgEBAAAAAcMBQAAAAAHEAQEAAAABxQFAAAAAAcYBAQAAAAHHAUAAAAAByAECAAAAAckBQAAAAAHKASAAAAABywEBAAAAAcwBQAAAAAECAAAAAQAgFAAA-AIAIAMAAAAHACAUAAD4AgAgFQAA_AIAIBsAAAAHACAEAADCAgAgBQAAwwIAIA0AAPwCACCTAQEAoQIAIaABAgCZAgAhpQEBAJICACGmAQEAoQIAIaoBQACTAgAhsgECAJkCACG8AQEAoQIAIb0BIADBAgAhvgEgAMECACG_AQEAkgIAIcABAQCSAgAhwQEBAKECACHCAQEAoQIAIcMBQACiAgAhxAEBAKECACHFAUAAogIAIcYBAQChAgAhxwFAAKICACHIAQIAowIAIckBQACiAgAhygEgAMECACHLAQEAoQIAIcwBQACTAgAhGQQAAMICACAFAADDAgAgkwEBAKECACGgAQIAmQIAIaUBAQCSAgAhpgEBAKECACGqAUAAkwIAIbIBAgCZAgAhvAEBAKECACG9ASAAwQIAIb4BIADBAgAhvwEBAJICACHAAQEAkgIAIcEBAQChAgAhwgEBAKECACHDAUAAogIAIcQBAQChAgAhxQFAAKICACHGAQEAoQIAIccBQACiAgAhyAECAKMCACHJAUAAogIAIcoBIADBAgAhywEBAKECACHMAUAAkwIAIRkFAADqAgAgBgAA6wIAIJMBAQAAAAGgAQIAAAABpQEBAAAAAaYBAQAAAAGqAUAAAAABsgECAAAAAbwBAQAAAAG9ASAAAAABvgEgAAAAAb8BAQAAAAHAAQEAAAABwQEBAAAAAcIBAQAAAAHDAUAAAAABxAEBAAAAAcUBQAAAAAHGAQEAAAABxwFAAAAAAcgBAgAAAAHJAUAAAAABygEgAAAAAcsBAQAAAAHMAUAAAAABAgAAAAEAIBQAAP0CACADAAAABwAgFAAA_QIAIBUAAIEDACAbAAAABwAgBQAAwwIAIAYAAMQCACANAACBAwAgkwEBAKECACGgAQIAmQIAIaUBAQCSAgAhpgEBAKECACGqAUAAkwIAIbIBAgCZAgAhvAEBAKECACG9ASAAwQIAIb4BIADBAgAhvwEBAJICACHAAQEAkgIAIcEBAQChAgAhwgEBAKECACHDAUAAogIAIcQBAQChAgAhxQFAAKICACHGAQEAoQIAIccBQACiAgAhyAECAKMCACHJAUAAogIAIcoBIADBAgAhywEBAKECACHMAUAAkwIAIRkFAADDAgAgBgAAxAIAIJMBAQChAgAhoAECAJkCACGlAQEAkgIAIaYBAQChAgAhqgFAAJMCACGyAQIAmQIAIbwBAQChAgAhvQEgAMECACG-ASAAwQIAIb8BAQCSAgAhwAEBAJICACHBAQEAoQIAIcIBAQChAgAhwwFAAKICACHEAQEAoQIAIcUBQACiAgAhxgEBAKECACHHAUAAogIAIcgBAgCjAgAhyQFAAKICACHKASAAwQIAIcsBAQChAgAhzAFAAJMCACEEBAYCBQwDBhAEBwAFAQMIAQEDAAEBAwABAwQRAAUSAAYTAAAAAAUHAAoaAAsbAAwcAA0dAA4AAAAAAAUHAAoaAAsbAAwcAA0dAA4BAwABAQMAAQUHABMaABQbABUcABYdABcAAAAAAAUHABMaABQbABUcABYdABcAAAAFBwAdGgAeGwAfHAAgHQAhAAAAAAAFBwAdGgAeGwAfHAAgHQAhAAAAAwcAJxwAKB0AKQAAAAMHACccACgdACkBAwABAQMAAQUHAC4aAC8bADAcADEdADIAAAAAAAUHAC4aAC8bADAcADEdADIBA5IBAQEDmAEBBQcANxoAOBsAORwAOh0AOwAAAAAABQcANxoAOBsAORwAOh0AOwAAAAUHAEEaAEIbAEMcAEQdAEUAAAAAAAUHAEEaAEIbAEMcAEQdAEUAAAADBwBLHABMHQBNAAAAAwcASxwATB0ATQgCAQkUAQoWAQsXAQwYAQ4aAQ8cBhAdBxEfARIhBhMiCBYjARckARglBh4oCR8pDyAqAyErAyIsAyMtAyQuAyUwAyYyBiczECg1Ayk3Bio4ESs5Ayw6Ay07Bi4-Ei8_GDBBGTFCGTJFGTNGGTRHGTVJGTZLBjdMGjhOGTlQBjpRGztSGTxTGT1UBj5XHD9YIkBaI0FbI0JeI0NfI0RgI0ViI0ZkBkdlJEhnI0lpBkpqJUtrI0xsI01tBk5wJk9xKlByBFFzBFJ0BFN1BFR2BFV4BFZ6Bld7K1h9BFl_BlqAASxbgQEEXIIBBF2DAQZehgEtX4cBM2CIAQJhiQECYooBAmOLAQJkjAECZY4BAmaQAQZnkQE0aJQBAmmWAQZqlwE1a5kBAmyaAQJtmwEGbp4BNm-fATxwoQE9caIBPXKlAT1zpgE9dKcBPXWpAT12qwEGd6wBPniuAT15sAEGerEBP3uyAT18swE9fbQBBn63AUB_uAFGgAG6AUeBAbsBR4IBvgFHgwG_AUeEAcABR4UBwgFHhgHEAQaHAcUBSIgBxwFHiQHJAQaKAcoBSYsBywFHjAHMAUeNAc0BBo4B0AFKjwHRAU4"
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
  RosterScalarFieldEnum: () => RosterScalarFieldEnum,
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
  MailServer: "MailServer",
  Roster: "Roster"
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
  disabledBySource: "disabledBySource",
  source: "source",
  sourcedId: "sourcedId",
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
  refusedAt: "refusedAt"
};
var MailServerScalarFieldEnum = {
  id: "id",
  faults: "faults",
  pausedUntil: "pausedUntil"
};
var RosterScalarFieldEnum = {
  source: "source",
  importedAt: "importedAt"
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
