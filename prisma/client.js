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
config.runtimeDataModel = JSON.parse('{"models":{"User":{"fields":[{"name":"id","kind":"scalar","type":"Int"},{"name":"username","kind":"scalar","type":"String"},{"name":"email","kind":"scalar","type":"String"},{"name":"passwordHash","kind":"scalar","type":"String","dbName":"password_hash"},{"name":"passwordTemporary","kind":"scalar","type":"Boolean","dbName":"password_temporary"},{"name":"selfRegistered","kind":"scalar","type":"Boolean","dbName":"self_registered"},{"name":"userType","kind":"scalar","type":"String","dbName":"user_type"},{"name":"role","kind":"scalar","type":"String"},{"name":"adpStatus","kind":"scalar","type":"String","dbName":"adp_status"},{"name":"bookChapterApproverDesignation","kind":"scalar","type":"String","dbName":"book_chapter_approver_designation"},{"name":"tokenVersion","kind":"scalar","type":"Int","dbName":"token_version"},{"name":"tokensRevokedAt","kind":"scalar","type":"DateTime","dbName":"tokens_revoked_at"},{"name":"resetTokenHash","kind":"scalar","type":"String","dbName":"reset_token_hash"},{"name":"resetTokenExpiresAt","kind":"scalar","type":"DateTime","dbName":"reset_token_expires_at"},{"name":"pendingResetTokenHash","kind":"scalar","type":"String","dbName":"pending_reset_token_hash"},{"name":"pendingResetTokenExpiresAt","kind":"scalar","type":"DateTime","dbName":"pending_reset_token_expires_at"},{"name":"pendingResetTokenVersion","kind":"scalar","type":"Int","dbName":"pending_reset_token_version"},{"name":"disabledAt","kind":"scalar","type":"DateTime","dbName":"disabled_at"},{"name":"disabledBySource","kind":"scalar","type":"Boolean","dbName":"disabled_by_source"},{"name":"source","kind":"scalar","type":"String"},{"name":"sourcedId","kind":"scalar","type":"String","dbName":"sourced_id"},{"name":"createdAt","kind":"scalar","type":"DateTime","dbName":"created_at"},{"name":"updatedAt","kind":"scalar","type":"DateTime","dbName":"updated_at"},{"name":"mails","kind":"object","type":"Mail","relationName":"MailToUser"},{"name":"sessions","kind":"object","type":"Session","relationName":"SessionToUser"},{"name":"knownAddresses","kind":"object","type":"KnownAddress","relationName":"KnownAddressToUser"}],"dbName":"users","schema":null},"Session":{"fields":[{"name":"id","kind":"scalar","type":"String"},{"name":"userId","kind":"scalar","type":"Int","dbName":"user_id"},{"name":"user","kind":"object","type":"User","relationName":"SessionToUser"},{"name":"tokenVersion","kind":"scalar","type":"Int","dbName":"token_version"},{"name":"startedAt","kind":"scalar","type":"DateTime","dbName":"started_at"},{"name":"lastUsedAt","kind":"scalar","type":"DateTime","dbName":"last_used_at"},{"name":"endedAt","kind":"scalar","type":"DateTime","dbName":"ended_at"},{"name":"client","kind":"scalar","type":"String"},{"name":"userAgent","kind":"scalar","type":"String","dbName":"user_agent"}],"dbName":"sessions","schema":null},"DeletedUser":{"fields":[{"name":"id","kind":"scalar","type":"Int"},{"name":"deletedAt","kind":"scalar","type":"DateTime","dbName":"deleted_at"}],"dbName":"deleted_users","schema":null},"DatabaseMark":{"fields":[{"name":"mark","kind":"scalar","type":"String"},{"name":"madeAt","kind":"scalar","type":"DateTime","dbName":"made_at"},{"name":"unmarkedUntil","kind":"scalar","type":"DateTime","dbName":"unmarked_until"}],"dbName":"database_mark","schema":null},"KnownAddress":{"fields":[{"name":"userId","kind":"scalar","type":"Int","dbName":"user_id"},{"name":"user","kind":"object","type":"User","relationName":"KnownAddressToUser"},{"name":"client","kind":"scalar","type":"String"},{"name":"tokenVersion","kind":"scalar","type":"Int","dbName":"token_version"},{"name":"lastLoginAt","kind":"scalar","type":"DateTime","dbName":"last_login_at"}],"dbName":"known_addresses","schema":null},"Mail":{"fields":[{"name":"id","kind":"scalar","type":"String"},{"name":"kind","kind":"enum","type":"MailKind"},{"name":"username","kind":"scalar","type":"String"},{"name":"email","kind":"scalar","type":"String"},{"name":"userId","kind":"scalar","type":"Int","dbName":"user_id"},{"name":"user","kind":"object","type":"User","relationName":"MailToUser"},{"name":"language","kind":"scalar","type":"String"},{"name":"requestId","kind":"scalar","type":"String","dbName":"request_id"},{"name":"createdAt","kind":"scalar","type":"DateTime","dbName":"created_at"},{"name":"attempts","kind":"scalar","type":"Int"},{"name":"dueAt","kind":"scalar","type":"DateTime","dbName":"due_at"},{"name":"lastFailure","kind":"scalar","type":"String","dbName":"last_failure"},{"name":"claimedUntil","kind":"scalar","type":"DateTime","dbName":"claimed_until"},{"name":"sentAt","kind":"scalar","type":"DateTime","dbName":"sent_at"},{"name":"refusedAt","kind":"scalar","type":"DateTime","dbName":"refused_at"},{"name":"letterId","kind":"scalar","type":"String","dbName":"letter_id"}],"dbName":"mails","schema":null},"MailServer":{"fields":[{"name":"id","kind":"scalar","type":"Int"},{"name":"faults","kind":"scalar","type":"Int"},{"name":"pausedUntil","kind":"scalar","type":"DateTime","dbName":"paused_until"}],"dbName":"mail_server","schema":null},"Roster":{"fields":[{"name":"source","kind":"scalar","type":"String"},{"name":"importedAt","kind":"scalar","type":"DateTime","dbName":"imported_at"}],"dbName":"rosters","schema":null}},"enums":{},"types":{}}');
config.parameterizationSchema = {
  strings: JSON.parse('["where","orderBy","cursor","user","mails","sessions","knownAddresses","_count","User.findUnique","User.findUniqueOrThrow","User.findFirst","User.findFirstOrThrow","User.findMany","data","User.createOne","User.createMany","User.createManyAndReturn","User.updateOne","User.updateMany","User.updateManyAndReturn","create","update","User.upsertOne","User.deleteOne","User.deleteMany","having","_avg","_sum","_min","_max","User.groupBy","User.aggregate","Session.findUnique","Session.findUniqueOrThrow","Session.findFirst","Session.findFirstOrThrow","Session.findMany","Session.createOne","Session.createMany","Session.createManyAndReturn","Session.updateOne","Session.updateMany","Session.updateManyAndReturn","Session.upsertOne","Session.deleteOne","Session.deleteMany","Session.groupBy","Session.aggregate","DeletedUser.findUnique","DeletedUser.findUniqueOrThrow","DeletedUser.findFirst","DeletedUser.findFirstOrThrow","DeletedUser.findMany","DeletedUser.createOne","DeletedUser.createMany","DeletedUser.createManyAndReturn","DeletedUser.updateOne","DeletedUser.updateMany","DeletedUser.updateManyAndReturn","DeletedUser.upsertOne","DeletedUser.deleteOne","DeletedUser.deleteMany","DeletedUser.groupBy","DeletedUser.aggregate","DatabaseMark.findUnique","DatabaseMark.findUniqueOrThrow","DatabaseMark.findFirst","DatabaseMark.findFirstOrThrow","DatabaseMark.findMany","DatabaseMark.createOne","DatabaseMark.createMany","DatabaseMark.createManyAndReturn","DatabaseMark.updateOne","DatabaseMark.updateMany","DatabaseMark.updateManyAndReturn","DatabaseMark.upsertOne","DatabaseMark.deleteOne","DatabaseMark.deleteMany","DatabaseMark.groupBy","DatabaseMark.aggregate","KnownAddress.findUnique","KnownAddress.findUniqueOrThrow","KnownAddress.findFirst","KnownAddress.findFirstOrThrow","KnownAddress.findMany","KnownAddress.createOne","KnownAddress.createMany","KnownAddress.createManyAndReturn","KnownAddress.updateOne","KnownAddress.updateMany","KnownAddress.updateManyAndReturn","KnownAddress.upsertOne","KnownAddress.deleteOne","KnownAddress.deleteMany","KnownAddress.groupBy","KnownAddress.aggregate","Mail.findUnique","Mail.findUniqueOrThrow","Mail.findFirst","Mail.findFirstOrThrow","Mail.findMany","Mail.createOne","Mail.createMany","Mail.createManyAndReturn","Mail.updateOne","Mail.updateMany","Mail.updateManyAndReturn","Mail.upsertOne","Mail.deleteOne","Mail.deleteMany","Mail.groupBy","Mail.aggregate","MailServer.findUnique","MailServer.findUniqueOrThrow","MailServer.findFirst","MailServer.findFirstOrThrow","MailServer.findMany","MailServer.createOne","MailServer.createMany","MailServer.createManyAndReturn","MailServer.updateOne","MailServer.updateMany","MailServer.updateManyAndReturn","MailServer.upsertOne","MailServer.deleteOne","MailServer.deleteMany","MailServer.groupBy","MailServer.aggregate","Roster.findUnique","Roster.findUniqueOrThrow","Roster.findFirst","Roster.findFirstOrThrow","Roster.findMany","Roster.createOne","Roster.createMany","Roster.createManyAndReturn","Roster.updateOne","Roster.updateMany","Roster.updateManyAndReturn","Roster.upsertOne","Roster.deleteOne","Roster.deleteMany","Roster.groupBy","Roster.aggregate","AND","OR","NOT","source","importedAt","equals","in","notIn","lt","lte","gt","gte","not","contains","startsWith","endsWith","id","faults","pausedUntil","MailKind","kind","username","email","userId","language","requestId","createdAt","attempts","dueAt","lastFailure","claimedUntil","sentAt","refusedAt","letterId","client","tokenVersion","lastLoginAt","mark","madeAt","unmarkedUntil","deletedAt","startedAt","lastUsedAt","endedAt","userAgent","passwordHash","passwordTemporary","selfRegistered","userType","role","adpStatus","bookChapterApproverDesignation","tokensRevokedAt","resetTokenHash","resetTokenExpiresAt","pendingResetTokenHash","pendingResetTokenExpiresAt","pendingResetTokenVersion","disabledAt","disabledBySource","sourcedId","updatedAt","userId_client","every","some","none","source_sourcedId","is","isNot","connectOrCreate","upsert","createMany","set","disconnect","delete","connect","updateMany","deleteMany","increment","decrement","multiply","divide"]'),
  graph: "hQNOgAEeBAAAigIAIAUAAIsCACAGAACMAgAgkAEAAIYCADCRAQAABwAQkgEAAIYCADCTAQEAhwIAIaABAgAAAAGlAQEAAAABpgEBAIcCACGqAUAA3AEAIbMBAgDiAQAhvQEBAIcCACG-ASAAiAIAIb8BIACIAgAhwAEBANsBACHBAQEA2wEAIcIBAQCHAgAhwwEBAIcCACHEAUAAhQIAIcUBAQAAAAHGAUAAhQIAIccBAQAAAAHIAUAAhQIAIckBAgCJAgAhygFAAIUCACHLASAAiAIAIcwBAQCHAgAhzQFAANwBACHSAQAAkgIAIAEAAAABACATAwAAkAIAIJABAACNAgAwkQEAAAMAEJIBAACNAgAwoAEBAPgBACGkAQAAjgKkASKlAQEAhwIAIaYBAQCHAgAhpwECAIkCACGoAQEAhwIAIakBAQDbAQAhqgFAANwBACGrAQIA4gEAIawBQACFAgAhrQEBAIcCACGuAUAAhQIAIa8BQACFAgAhsAFAAIUCACGxAQEAjwIAIQsDAADzAgAgpQEAAJ4CACCmAQAAngIAIKcBAACeAgAgqAEAAJ4CACCsAQAAngIAIK0BAACeAgAgrgEAAJ4CACCvAQAAngIAILABAACeAgAgsQEAAJ4CACATAwAAkAIAIJABAACNAgAwkQEAAAMAEJIBAACNAgAwoAEBAAAAAaQBAACOAqQBIqUBAQCHAgAhpgEBAIcCACGnAQIAiQIAIagBAQCHAgAhqQEBANsBACGqAUAA3AEAIasBAgDiAQAhrAFAAIUCACGtAQEAhwIAIa4BQACFAgAhrwFAAIUCACGwAUAAhQIAIbEBAQCPAgAhAwAAAAMAIAEAAAQAMAIAAAUAIB0EAACKAgAgBQAAiwIAIAYAAIwCACCQAQAAhgIAMJEBAAAHABCSAQAAhgIAMJMBAQCHAgAhoAECAOIBACGlAQEA2wEAIaYBAQCHAgAhqgFAANwBACGzAQIA4gEAIb0BAQCHAgAhvgEgAIgCACG_ASAAiAIAIcABAQDbAQAhwQEBANsBACHCAQEAhwIAIcMBAQCHAgAhxAFAAIUCACHFAQEAhwIAIcYBQACFAgAhxwEBAIcCACHIAUAAhQIAIckBAgCJAgAhygFAAIUCACHLASAAiAIAIcwBAQCHAgAhzQFAANwBACEBAAAABwAgDAMAAIMCACCQAQAAhAIAMJEBAAAJABCSAQAAhAIAMKABAQD4AQAhpwECAOIBACGyAQEA2wEAIbMBAgDiAQAhuQFAANwBACG6AUAA3AEAIbsBQACFAgAhvAEBANsBACECAwAA8wIAILsBAACeAgAgDAMAAIMCACCQAQAAhAIAMJEBAAAJABCSAQAAhAIAMKABAQAAAAGnAQIA4gEAIbIBAQDbAQAhswECAOIBACG5AUAA3AEAIboBQADcAQAhuwFAAIUCACG8AQEA2wEAIQMAAAAJACABAAAKADACAAALACAIAwAAgwIAIJABAACCAgAwkQEAAA0AEJIBAACCAgAwpwECAOIBACGyAQEA2wEAIbMBAgDiAQAhtAFAANwBACEBAwAA8wIAIAkDAACDAgAgkAEAAIICADCRAQAADQAQkgEAAIICADCnAQIA4gEAIbIBAQDbAQAhswECAOIBACG0AUAA3AEAIc4BAACBAgAgAwAAAA0AIAEAAA4AMAIAAA8AIAEAAAADACABAAAACQAgAQAAAA0AIAEAAAABACAQBAAA8AIAIAUAAPECACAGAADyAgAgkwEAAJ4CACCmAQAAngIAIL0BAACeAgAgwgEAAJ4CACDDAQAAngIAIMQBAACeAgAgxQEAAJ4CACDGAQAAngIAIMcBAACeAgAgyAEAAJ4CACDJAQAAngIAIMoBAACeAgAgzAEAAJ4CACADAAAABwAgAQAAFQAwAgAAAQAgAwAAAAcAIAEAABUAMAIAAAEAIAMAAAAHACABAAAVADACAAABACAaBAAA7QIAIAUAAO4CACAGAADvAgAgkwEBAAAAAaABAgAAAAGlAQEAAAABpgEBAAAAAaoBQAAAAAGzAQIAAAABvQEBAAAAAb4BIAAAAAG_ASAAAAABwAEBAAAAAcEBAQAAAAHCAQEAAAABwwEBAAAAAcQBQAAAAAHFAQEAAAABxgFAAAAAAccBAQAAAAHIAUAAAAAByQECAAAAAcoBQAAAAAHLASAAAAABzAEBAAAAAc0BQAAAAAEBDQAAGQAgF5MBAQAAAAGgAQIAAAABpQEBAAAAAaYBAQAAAAGqAUAAAAABswECAAAAAb0BAQAAAAG-ASAAAAABvwEgAAAAAcABAQAAAAHBAQEAAAABwgEBAAAAAcMBAQAAAAHEAUAAAAABxQEBAAAAAcYBQAAAAAHHAQEAAAAByAFAAAAAAckBAgAAAAHKAUAAAAABywEgAAAAAcwBAQAAAAHNAUAAAAABAQ0AABsAMAENAAAbADAaBAAAxgIAIAUAAMcCACAGAADIAgAgkwEBAKUCACGgAQIAnQIAIaUBAQCWAgAhpgEBAKUCACGqAUAAlwIAIbMBAgCdAgAhvQEBAKUCACG-ASAAxQIAIb8BIADFAgAhwAEBAJYCACHBAQEAlgIAIcIBAQClAgAhwwEBAKUCACHEAUAApgIAIcUBAQClAgAhxgFAAKYCACHHAQEApQIAIcgBQACmAgAhyQECAKcCACHKAUAApgIAIcsBIADFAgAhzAEBAKUCACHNAUAAlwIAIQIAAAABACANAAAeACAXkwEBAKUCACGgAQIAnQIAIaUBAQCWAgAhpgEBAKUCACGqAUAAlwIAIbMBAgCdAgAhvQEBAKUCACG-ASAAxQIAIb8BIADFAgAhwAEBAJYCACHBAQEAlgIAIcIBAQClAgAhwwEBAKUCACHEAUAApgIAIcUBAQClAgAhxgFAAKYCACHHAQEApQIAIcgBQACmAgAhyQECAKcCACHKAUAApgIAIcsBIADFAgAhzAEBAKUCACHNAUAAlwIAIQIAAAAHACANAAAgACACAAAABwAgDQAAIAAgAwAAAAEAIBQAABkAIBUAAB4AIAEAAAABACABAAAABwAgEgcAAMACACAaAADBAgAgGwAAxAIAIBwAAMMCACAdAADCAgAgkwEAAJ4CACCmAQAAngIAIL0BAACeAgAgwgEAAJ4CACDDAQAAngIAIMQBAACeAgAgxQEAAJ4CACDGAQAAngIAIMcBAACeAgAgyAEAAJ4CACDJAQAAngIAIMoBAACeAgAgzAEAAJ4CACAakAEAAP0BADCRAQAAJwAQkgEAAP0BADCTAQEA5gEAIaABAgDeAQAhpQEBANMBACGmAQEA5gEAIaoBQADUAQAhswECAN4BACG9AQEA5gEAIb4BIAD-AQAhvwEgAP4BACHAAQEA0wEAIcEBAQDTAQAhwgEBAOYBACHDAQEA5gEAIcQBQADoAQAhxQEBAOYBACHGAUAA6AEAIccBAQDmAQAhyAFAAOgBACHJAQIA5wEAIcoBQADoAQAhywEgAP4BACHMAQEA5gEAIc0BQADUAQAhAwAAAAcAIAEAACYAMBkAACcAIAMAAAAHACABAAAVADACAAABACABAAAACwAgAQAAAAsAIAMAAAAJACABAAAKADACAAALACADAAAACQAgAQAACgAwAgAACwAgAwAAAAkAIAEAAAoAMAIAAAsAIAkDAAC_AgAgoAEBAAAAAacBAgAAAAGyAQEAAAABswECAAAAAbkBQAAAAAG6AUAAAAABuwFAAAAAAbwBAQAAAAEBDQAALwAgCKABAQAAAAGnAQIAAAABsgEBAAAAAbMBAgAAAAG5AUAAAAABugFAAAAAAbsBQAAAAAG8AQEAAAABAQ0AADEAMAENAAAxADAJAwAAvgIAIKABAQCWAgAhpwECAJ0CACGyAQEAlgIAIbMBAgCdAgAhuQFAAJcCACG6AUAAlwIAIbsBQACmAgAhvAEBAJYCACECAAAACwAgDQAANAAgCKABAQCWAgAhpwECAJ0CACGyAQEAlgIAIbMBAgCdAgAhuQFAAJcCACG6AUAAlwIAIbsBQACmAgAhvAEBAJYCACECAAAACQAgDQAANgAgAgAAAAkAIA0AADYAIAMAAAALACAUAAAvACAVAAA0ACABAAAACwAgAQAAAAkAIAYHAAC5AgAgGgAAugIAIBsAAL0CACAcAAC8AgAgHQAAuwIAILsBAACeAgAgC5ABAAD8AQAwkQEAAD0AEJIBAAD8AQAwoAEBAOQBACGnAQIA3gEAIbIBAQDTAQAhswECAN4BACG5AUAA1AEAIboBQADUAQAhuwFAAOgBACG8AQEA0wEAIQMAAAAJACABAAA8ADAZAAA9ACADAAAACQAgAQAACgAwAgAACwAgBZABAAD7AQAwkQEAAEMAEJIBAAD7AQAwoAECAAAAAbgBQADcAQAhAQAAAEAAIAEAAABAACAFkAEAAPsBADCRAQAAQwAQkgEAAPsBADCgAQIA4gEAIbgBQADcAQAhAAMAAABDACABAABEADACAABAACADAAAAQwAgAQAARAAwAgAAQAAgAwAAAEMAIAEAAEQAMAIAAEAAIAKgAQIAAAABuAFAAAAAAQENAABIACACoAECAAAAAbgBQAAAAAEBDQAASgAwAQ0AAEoAMAKgAQIAnQIAIbgBQACXAgAhAgAAAEAAIA0AAE0AIAKgAQIAnQIAIbgBQACXAgAhAgAAAEMAIA0AAE8AIAIAAABDACANAABPACADAAAAQAAgFAAASAAgFQAATQAgAQAAAEAAIAEAAABDACAFBwAAtAIAIBoAALUCACAbAAC4AgAgHAAAtwIAIB0AALYCACAFkAEAAPoBADCRAQAAVgAQkgEAAPoBADCgAQIA3gEAIbgBQADUAQAhAwAAAEMAIAEAAFUAMBkAAFYAIAMAAABDACABAABEADACAABAACAGkAEAAPcBADCRAQAAXAAQkgEAAPcBADC1AQEAAAABtgFAANwBACG3AUAA3AEAIQEAAABZACABAAAAWQAgBpABAAD3AQAwkQEAAFwAEJIBAAD3AQAwtQEBAPgBACG2AUAA3AEAIbcBQADcAQAhAAMAAABcACABAABdADACAABZACADAAAAXAAgAQAAXQAwAgAAWQAgAwAAAFwAIAEAAF0AMAIAAFkAIAO1AQEAAAABtgFAAAAAAbcBQAAAAAEBDQAAYQAgA7UBAQAAAAG2AUAAAAABtwFAAAAAAQENAABjADABDQAAYwAwA7UBAQCWAgAhtgFAAJcCACG3AUAAlwIAIQIAAABZACANAABmACADtQEBAJYCACG2AUAAlwIAIbcBQACXAgAhAgAAAFwAIA0AAGgAIAIAAABcACANAABoACADAAAAWQAgFAAAYQAgFQAAZgAgAQAAAFkAIAEAAABcACADBwAAsQIAIBwAALMCACAdAACyAgAgBpABAAD2AQAwkQEAAG8AEJIBAAD2AQAwtQEBAOQBACG2AUAA1AEAIbcBQADUAQAhAwAAAFwAIAEAAG4AMBkAAG8AIAMAAABcACABAABdADACAABZACABAAAADwAgAQAAAA8AIAMAAAANACABAAAOADACAAAPACADAAAADQAgAQAADgAwAgAADwAgAwAAAA0AIAEAAA4AMAIAAA8AIAUDAACwAgAgpwECAAAAAbIBAQAAAAGzAQIAAAABtAFAAAAAAQENAAB3ACAEpwECAAAAAbIBAQAAAAGzAQIAAAABtAFAAAAAAQENAAB5ADABDQAAeQAwBQMAAK8CACCnAQIAnQIAIbIBAQCWAgAhswECAJ0CACG0AUAAlwIAIQIAAAAPACANAAB8ACAEpwECAJ0CACGyAQEAlgIAIbMBAgCdAgAhtAFAAJcCACECAAAADQAgDQAAfgAgAgAAAA0AIA0AAH4AIAMAAAAPACAUAAB3ACAVAAB8ACABAAAADwAgAQAAAA0AIAUHAACqAgAgGgAAqwIAIBsAAK4CACAcAACtAgAgHQAArAIAIAeQAQAA9QEAMJEBAACFAQAQkgEAAPUBADCnAQIA3gEAIbIBAQDTAQAhswECAN4BACG0AUAA1AEAIQMAAAANACABAACEAQAwGQAAhQEAIAMAAAANACABAAAOADACAAAPACABAAAABQAgAQAAAAUAIAMAAAADACABAAAEADACAAAFACADAAAAAwAgAQAABAAwAgAABQAgAwAAAAMAIAEAAAQAMAIAAAUAIBADAACpAgAgoAEBAAAAAaQBAAAApAECpQEBAAAAAaYBAQAAAAGnAQIAAAABqAEBAAAAAakBAQAAAAGqAUAAAAABqwECAAAAAawBQAAAAAGtAQEAAAABrgFAAAAAAa8BQAAAAAGwAUAAAAABsQEBAAAAAQENAACNAQAgD6ABAQAAAAGkAQAAAKQBAqUBAQAAAAGmAQEAAAABpwECAAAAAagBAQAAAAGpAQEAAAABqgFAAAAAAasBAgAAAAGsAUAAAAABrQEBAAAAAa4BQAAAAAGvAUAAAAABsAFAAAAAAbEBAQAAAAEBDQAAjwEAMAENAACPAQAwAQAAAAcAIBADAACoAgAgoAEBAJYCACGkAQAApAKkASKlAQEApQIAIaYBAQClAgAhpwECAKcCACGoAQEApQIAIakBAQCWAgAhqgFAAJcCACGrAQIAnQIAIawBQACmAgAhrQEBAKUCACGuAUAApgIAIa8BQACmAgAhsAFAAKYCACGxAQEApQIAIQIAAAAFACANAACTAQAgD6ABAQCWAgAhpAEAAKQCpAEipQEBAKUCACGmAQEApQIAIacBAgCnAgAhqAEBAKUCACGpAQEAlgIAIaoBQACXAgAhqwECAJ0CACGsAUAApgIAIa0BAQClAgAhrgFAAKYCACGvAUAApgIAIbABQACmAgAhsQEBAKUCACECAAAAAwAgDQAAlQEAIAIAAAADACANAACVAQAgAQAAAAcAIAMAAAAFACAUAACNAQAgFQAAkwEAIAEAAAAFACABAAAAAwAgDwcAAJ8CACAaAACgAgAgGwAAowIAIBwAAKICACAdAAChAgAgpQEAAJ4CACCmAQAAngIAIKcBAACeAgAgqAEAAJ4CACCsAQAAngIAIK0BAACeAgAgrgEAAJ4CACCvAQAAngIAILABAACeAgAgsQEAAJ4CACASkAEAAOMBADCRAQAAnQEAEJIBAADjAQAwoAEBAOQBACGkAQAA5QGkASKlAQEA5gEAIaYBAQDmAQAhpwECAOcBACGoAQEA5gEAIakBAQDTAQAhqgFAANQBACGrAQIA3gEAIawBQADoAQAhrQEBAOYBACGuAUAA6AEAIa8BQADoAQAhsAFAAOgBACGxAQEA6QEAIQMAAAADACABAACcAQAwGQAAnQEAIAMAAAADACABAAAEADACAAAFACAGkAEAAOEBADCRAQAAowEAEJIBAADhAQAwoAECAAAAAaEBAgDiAQAhogFAANwBACEBAAAAoAEAIAEAAACgAQAgBpABAADhAQAwkQEAAKMBABCSAQAA4QEAMKABAgDiAQAhoQECAOIBACGiAUAA3AEAIQADAAAAowEAIAEAAKQBADACAACgAQAgAwAAAKMBACABAACkAQAwAgAAoAEAIAMAAACjAQAgAQAApAEAMAIAAKABACADoAECAAAAAaEBAgAAAAGiAUAAAAABAQ0AAKgBACADoAECAAAAAaEBAgAAAAGiAUAAAAABAQ0AAKoBADABDQAAqgEAMAOgAQIAnQIAIaEBAgCdAgAhogFAAJcCACECAAAAoAEAIA0AAK0BACADoAECAJ0CACGhAQIAnQIAIaIBQACXAgAhAgAAAKMBACANAACvAQAgAgAAAKMBACANAACvAQAgAwAAAKABACAUAACoAQAgFQAArQEAIAEAAACgAQAgAQAAAKMBACAFBwAAmAIAIBoAAJkCACAbAACcAgAgHAAAmwIAIB0AAJoCACAGkAEAAN0BADCRAQAAtgEAEJIBAADdAQAwoAECAN4BACGhAQIA3gEAIaIBQADUAQAhAwAAAKMBACABAAC1AQAwGQAAtgEAIAMAAACjAQAgAQAApAEAMAIAAKABACAFkAEAANoBADCRAQAAvAEAEJIBAADaAQAwkwEBAAAAAZQBQADcAQAhAQAAALkBACABAAAAuQEAIAWQAQAA2gEAMJEBAAC8AQAQkgEAANoBADCTAQEA2wEAIZQBQADcAQAhAAMAAAC8AQAgAQAAvQEAMAIAALkBACADAAAAvAEAIAEAAL0BADACAAC5AQAgAwAAALwBACABAAC9AQAwAgAAuQEAIAKTAQEAAAABlAFAAAAAAQENAADBAQAgApMBAQAAAAGUAUAAAAABAQ0AAMMBADABDQAAwwEAMAKTAQEAlgIAIZQBQACXAgAhAgAAALkBACANAADGAQAgApMBAQCWAgAhlAFAAJcCACECAAAAvAEAIA0AAMgBACACAAAAvAEAIA0AAMgBACADAAAAuQEAIBQAAMEBACAVAADGAQAgAQAAALkBACABAAAAvAEAIAMHAACTAgAgHAAAlQIAIB0AAJQCACAFkAEAANIBADCRAQAAzwEAEJIBAADSAQAwkwEBANMBACGUAUAA1AEAIQMAAAC8AQAgAQAAzgEAMBkAAM8BACADAAAAvAEAIAEAAL0BADACAAC5AQAgBZABAADSAQAwkQEAAM8BABCSAQAA0gEAMJMBAQDTAQAhlAFAANQBACEOBwAA1gEAIBwAANkBACAdAADZAQAglQEBAAAAAZYBAQAAAASXAQEAAAAEmAEBAAAAAZkBAQAAAAGaAQEAAAABmwEBAAAAAZwBAQDYAQAhnQEBAAAAAZ4BAQAAAAGfAQEAAAABCwcAANYBACAcAADXAQAgHQAA1wEAIJUBQAAAAAGWAUAAAAAElwFAAAAABJgBQAAAAAGZAUAAAAABmgFAAAAAAZsBQAAAAAGcAUAA1QEAIQsHAADWAQAgHAAA1wEAIB0AANcBACCVAUAAAAABlgFAAAAABJcBQAAAAASYAUAAAAABmQFAAAAAAZoBQAAAAAGbAUAAAAABnAFAANUBACEIlQECAAAAAZYBAgAAAASXAQIAAAAEmAECAAAAAZkBAgAAAAGaAQIAAAABmwECAAAAAZwBAgDWAQAhCJUBQAAAAAGWAUAAAAAElwFAAAAABJgBQAAAAAGZAUAAAAABmgFAAAAAAZsBQAAAAAGcAUAA1wEAIQ4HAADWAQAgHAAA2QEAIB0AANkBACCVAQEAAAABlgEBAAAABJcBAQAAAASYAQEAAAABmQEBAAAAAZoBAQAAAAGbAQEAAAABnAEBANgBACGdAQEAAAABngEBAAAAAZ8BAQAAAAELlQEBAAAAAZYBAQAAAASXAQEAAAAEmAEBAAAAAZkBAQAAAAGaAQEAAAABmwEBAAAAAZwBAQDZAQAhnQEBAAAAAZ4BAQAAAAGfAQEAAAABBZABAADaAQAwkQEAALwBABCSAQAA2gEAMJMBAQDbAQAhlAFAANwBACELlQEBAAAAAZYBAQAAAASXAQEAAAAEmAEBAAAAAZkBAQAAAAGaAQEAAAABmwEBAAAAAZwBAQDZAQAhnQEBAAAAAZ4BAQAAAAGfAQEAAAABCJUBQAAAAAGWAUAAAAAElwFAAAAABJgBQAAAAAGZAUAAAAABmgFAAAAAAZsBQAAAAAGcAUAA1wEAIQaQAQAA3QEAMJEBAAC2AQAQkgEAAN0BADCgAQIA3gEAIaEBAgDeAQAhogFAANQBACENBwAA1gEAIBoAAOABACAbAADWAQAgHAAA1gEAIB0AANYBACCVAQIAAAABlgECAAAABJcBAgAAAASYAQIAAAABmQECAAAAAZoBAgAAAAGbAQIAAAABnAECAN8BACENBwAA1gEAIBoAAOABACAbAADWAQAgHAAA1gEAIB0AANYBACCVAQIAAAABlgECAAAABJcBAgAAAASYAQIAAAABmQECAAAAAZoBAgAAAAGbAQIAAAABnAECAN8BACEIlQEIAAAAAZYBCAAAAASXAQgAAAAEmAEIAAAAAZkBCAAAAAGaAQgAAAABmwEIAAAAAZwBCADgAQAhBpABAADhAQAwkQEAAKMBABCSAQAA4QEAMKABAgDiAQAhoQECAOIBACGiAUAA3AEAIQiVAQIAAAABlgECAAAABJcBAgAAAASYAQIAAAABmQECAAAAAZoBAgAAAAGbAQIAAAABnAECANYBACESkAEAAOMBADCRAQAAnQEAEJIBAADjAQAwoAEBAOQBACGkAQAA5QGkASKlAQEA5gEAIaYBAQDmAQAhpwECAOcBACGoAQEA5gEAIakBAQDTAQAhqgFAANQBACGrAQIA3gEAIawBQADoAQAhrQEBAOYBACGuAUAA6AEAIa8BQADoAQAhsAFAAOgBACGxAQEA6QEAIQsHAADWAQAgHAAA2QEAIB0AANkBACCVAQEAAAABlgEBAAAABJcBAQAAAASYAQEAAAABmQEBAAAAAZoBAQAAAAGbAQEAAAABnAEBAPQBACEHBwAA1gEAIBwAAPMBACAdAADzAQAglQEAAACkAQKWAQAAAKQBCJcBAAAApAEInAEAAPIBpAEiDgcAAOsBACAcAADsAQAgHQAA7AEAIJUBAQAAAAGWAQEAAAAFlwEBAAAABZgBAQAAAAGZAQEAAAABmgEBAAAAAZsBAQAAAAGcAQEA8QEAIZ0BAQAAAAGeAQEAAAABnwEBAAAAAQ0HAADrAQAgGgAA8AEAIBsAAOsBACAcAADrAQAgHQAA6wEAIJUBAgAAAAGWAQIAAAAFlwECAAAABZgBAgAAAAGZAQIAAAABmgECAAAAAZsBAgAAAAGcAQIA7wEAIQsHAADrAQAgHAAA7gEAIB0AAO4BACCVAUAAAAABlgFAAAAABZcBQAAAAAWYAUAAAAABmQFAAAAAAZoBQAAAAAGbAUAAAAABnAFAAO0BACELBwAA6wEAIBwAAOwBACAdAADsAQAglQEBAAAAAZYBAQAAAAWXAQEAAAAFmAEBAAAAAZkBAQAAAAGaAQEAAAABmwEBAAAAAZwBAQDqAQAhCwcAAOsBACAcAADsAQAgHQAA7AEAIJUBAQAAAAGWAQEAAAAFlwEBAAAABZgBAQAAAAGZAQEAAAABmgEBAAAAAZsBAQAAAAGcAQEA6gEAIQiVAQIAAAABlgECAAAABZcBAgAAAAWYAQIAAAABmQECAAAAAZoBAgAAAAGbAQIAAAABnAECAOsBACELlQEBAAAAAZYBAQAAAAWXAQEAAAAFmAEBAAAAAZkBAQAAAAGaAQEAAAABmwEBAAAAAZwBAQDsAQAhnQEBAAAAAZ4BAQAAAAGfAQEAAAABCwcAAOsBACAcAADuAQAgHQAA7gEAIJUBQAAAAAGWAUAAAAAFlwFAAAAABZgBQAAAAAGZAUAAAAABmgFAAAAAAZsBQAAAAAGcAUAA7QEAIQiVAUAAAAABlgFAAAAABZcBQAAAAAWYAUAAAAABmQFAAAAAAZoBQAAAAAGbAUAAAAABnAFAAO4BACENBwAA6wEAIBoAAPABACAbAADrAQAgHAAA6wEAIB0AAOsBACCVAQIAAAABlgECAAAABZcBAgAAAAWYAQIAAAABmQECAAAAAZoBAgAAAAGbAQIAAAABnAECAO8BACEIlQEIAAAAAZYBCAAAAAWXAQgAAAAFmAEIAAAAAZkBCAAAAAGaAQgAAAABmwEIAAAAAZwBCADwAQAhDgcAAOsBACAcAADsAQAgHQAA7AEAIJUBAQAAAAGWAQEAAAAFlwEBAAAABZgBAQAAAAGZAQEAAAABmgEBAAAAAZsBAQAAAAGcAQEA8QEAIZ0BAQAAAAGeAQEAAAABnwEBAAAAAQcHAADWAQAgHAAA8wEAIB0AAPMBACCVAQAAAKQBApYBAAAApAEIlwEAAACkAQicAQAA8gGkASIElQEAAACkAQKWAQAAAKQBCJcBAAAApAEInAEAAPMBpAEiCwcAANYBACAcAADZAQAgHQAA2QEAIJUBAQAAAAGWAQEAAAAElwEBAAAABJgBAQAAAAGZAQEAAAABmgEBAAAAAZsBAQAAAAGcAQEA9AEAIQeQAQAA9QEAMJEBAACFAQAQkgEAAPUBADCnAQIA3gEAIbIBAQDTAQAhswECAN4BACG0AUAA1AEAIQaQAQAA9gEAMJEBAABvABCSAQAA9gEAMLUBAQDkAQAhtgFAANQBACG3AUAA1AEAIQaQAQAA9wEAMJEBAABcABCSAQAA9wEAMLUBAQD4AQAhtgFAANwBACG3AUAA3AEAIQiVAQEAAAABlgEBAAAABJcBAQAAAASYAQEAAAABmQEBAAAAAZoBAQAAAAGbAQEAAAABnAEBAPkBACEIlQEBAAAAAZYBAQAAAASXAQEAAAAEmAEBAAAAAZkBAQAAAAGaAQEAAAABmwEBAAAAAZwBAQD5AQAhBZABAAD6AQAwkQEAAFYAEJIBAAD6AQAwoAECAN4BACG4AUAA1AEAIQWQAQAA-wEAMJEBAABDABCSAQAA-wEAMKABAgDiAQAhuAFAANwBACELkAEAAPwBADCRAQAAPQAQkgEAAPwBADCgAQEA5AEAIacBAgDeAQAhsgEBANMBACGzAQIA3gEAIbkBQADUAQAhugFAANQBACG7AUAA6AEAIbwBAQDTAQAhGpABAAD9AQAwkQEAACcAEJIBAAD9AQAwkwEBAOYBACGgAQIA3gEAIaUBAQDTAQAhpgEBAOYBACGqAUAA1AEAIbMBAgDeAQAhvQEBAOYBACG-ASAA_gEAIb8BIAD-AQAhwAEBANMBACHBAQEA0wEAIcIBAQDmAQAhwwEBAOYBACHEAUAA6AEAIcUBAQDmAQAhxgFAAOgBACHHAQEA5gEAIcgBQADoAQAhyQECAOcBACHKAUAA6AEAIcsBIAD-AQAhzAEBAOYBACHNAUAA1AEAIQUHAADWAQAgHAAAgAIAIB0AAIACACCVASAAAAABnAEgAP8BACEFBwAA1gEAIBwAAIACACAdAACAAgAglQEgAAAAAZwBIAD_AQAhApUBIAAAAAGcASAAgAIAIQKnAQIAAAABsgEBAAAAAQgDAACDAgAgkAEAAIICADCRAQAADQAQkgEAAIICADCnAQIA4gEAIbIBAQDbAQAhswECAOIBACG0AUAA3AEAIR8EAACKAgAgBQAAiwIAIAYAAIwCACCQAQAAhgIAMJEBAAAHABCSAQAAhgIAMJMBAQCHAgAhoAECAOIBACGlAQEA2wEAIaYBAQCHAgAhqgFAANwBACGzAQIA4gEAIb0BAQCHAgAhvgEgAIgCACG_ASAAiAIAIcABAQDbAQAhwQEBANsBACHCAQEAhwIAIcMBAQCHAgAhxAFAAIUCACHFAQEAhwIAIcYBQACFAgAhxwEBAIcCACHIAUAAhQIAIckBAgCJAgAhygFAAIUCACHLASAAiAIAIcwBAQCHAgAhzQFAANwBACHTAQAABwAg1AEAAAcAIAwDAACDAgAgkAEAAIQCADCRAQAACQAQkgEAAIQCADCgAQEA-AEAIacBAgDiAQAhsgEBANsBACGzAQIA4gEAIbkBQADcAQAhugFAANwBACG7AUAAhQIAIbwBAQDbAQAhCJUBQAAAAAGWAUAAAAAFlwFAAAAABZgBQAAAAAGZAUAAAAABmgFAAAAAAZsBQAAAAAGcAUAA7gEAIR0EAACKAgAgBQAAiwIAIAYAAIwCACCQAQAAhgIAMJEBAAAHABCSAQAAhgIAMJMBAQCHAgAhoAECAOIBACGlAQEA2wEAIaYBAQCHAgAhqgFAANwBACGzAQIA4gEAIb0BAQCHAgAhvgEgAIgCACG_ASAAiAIAIcABAQDbAQAhwQEBANsBACHCAQEAhwIAIcMBAQCHAgAhxAFAAIUCACHFAQEAhwIAIcYBQACFAgAhxwEBAIcCACHIAUAAhQIAIckBAgCJAgAhygFAAIUCACHLASAAiAIAIcwBAQCHAgAhzQFAANwBACELlQEBAAAAAZYBAQAAAAWXAQEAAAAFmAEBAAAAAZkBAQAAAAGaAQEAAAABmwEBAAAAAZwBAQDsAQAhnQEBAAAAAZ4BAQAAAAGfAQEAAAABApUBIAAAAAGcASAAgAIAIQiVAQIAAAABlgECAAAABZcBAgAAAAWYAQIAAAABmQECAAAAAZoBAgAAAAGbAQIAAAABnAECAOsBACEDzwEAAAMAINABAAADACDRAQAAAwAgA88BAAAJACDQAQAACQAg0QEAAAkAIAPPAQAADQAg0AEAAA0AINEBAAANACATAwAAkAIAIJABAACNAgAwkQEAAAMAEJIBAACNAgAwoAEBAPgBACGkAQAAjgKkASKlAQEAhwIAIaYBAQCHAgAhpwECAIkCACGoAQEAhwIAIakBAQDbAQAhqgFAANwBACGrAQIA4gEAIawBQACFAgAhrQEBAIcCACGuAUAAhQIAIa8BQACFAgAhsAFAAIUCACGxAQEAjwIAIQSVAQAAAKQBApYBAAAApAEIlwEAAACkAQicAQAA8wGkASIIlQEBAAAAAZYBAQAAAAWXAQEAAAAFmAEBAAAAAZkBAQAAAAGaAQEAAAABmwEBAAAAAZwBAQCRAgAhHwQAAIoCACAFAACLAgAgBgAAjAIAIJABAACGAgAwkQEAAAcAEJIBAACGAgAwkwEBAIcCACGgAQIA4gEAIaUBAQDbAQAhpgEBAIcCACGqAUAA3AEAIbMBAgDiAQAhvQEBAIcCACG-ASAAiAIAIb8BIACIAgAhwAEBANsBACHBAQEA2wEAIcIBAQCHAgAhwwEBAIcCACHEAUAAhQIAIcUBAQCHAgAhxgFAAIUCACHHAQEAhwIAIcgBQACFAgAhyQECAIkCACHKAUAAhQIAIcsBIACIAgAhzAEBAIcCACHNAUAA3AEAIdMBAAAHACDUAQAABwAgCJUBAQAAAAGWAQEAAAAFlwEBAAAABZgBAQAAAAGZAQEAAAABmgEBAAAAAZsBAQAAAAGcAQEAkQIAIQKTAQEAAAABzAEBAAAAAQAAAAHYAQEAAAABAdgBQAAAAAEAAAAAAAXYAQIAAAAB3gECAAAAAd8BAgAAAAHgAQIAAAAB4QECAAAAAQAAAAAAAAHYAQAAAKQBAgHYAQEAAAABAdgBQAAAAAEF2AECAAAAAd4BAgAAAAHfAQIAAAAB4AECAAAAAeEBAgAAAAEHFAAAgQMAIBUAAIQDACDVAQAAggMAINYBAACDAwAg2QEAAAcAINoBAAAHACDbAQAAAQAgAxQAAIEDACDVAQAAggMAINsBAAABACAAAAAAAAUUAAD8AgAgFQAA_wIAINUBAAD9AgAg1gEAAP4CACDbAQAAAQAgAxQAAPwCACDVAQAA_QIAINsBAAABACAAAAAAAAAAAAAAAAAABRQAAPcCACAVAAD6AgAg1QEAAPgCACDWAQAA-QIAINsBAAABACADFAAA9wIAINUBAAD4AgAg2wEAAAEAIAAAAAAAAdgBIAAAAAELFAAA4QIAMBUAAOYCADDVAQAA4gIAMNYBAADjAgAw1wEAAOQCACDYAQAA5QIAMNkBAADlAgAw2gEAAOUCADDbAQAA5QIAMNwBAADnAgAw3QEAAOgCADALFAAA1QIAMBUAANoCADDVAQAA1gIAMNYBAADXAgAw1wEAANgCACDYAQAA2QIAMNkBAADZAgAw2gEAANkCADDbAQAA2QIAMNwBAADbAgAw3QEAANwCADALFAAAyQIAMBUAAM4CADDVAQAAygIAMNYBAADLAgAw1wEAAMwCACDYAQAAzQIAMNkBAADNAgAw2gEAAM0CADDbAQAAzQIAMNwBAADPAgAw3QEAANACADADsgEBAAAAAbMBAgAAAAG0AUAAAAABAgAAAA8AIBQAANQCACADAAAADwAgFAAA1AIAIBUAANMCACABDQAA9gIAMAkDAACDAgAgkAEAAIICADCRAQAADQAQkgEAAIICADCnAQIA4gEAIbIBAQDbAQAhswECAOIBACG0AUAA3AEAIc4BAACBAgAgAgAAAA8AIA0AANMCACACAAAA0QIAIA0AANICACAHkAEAANACADCRAQAA0QIAEJIBAADQAgAwpwECAOIBACGyAQEA2wEAIbMBAgDiAQAhtAFAANwBACEHkAEAANACADCRAQAA0QIAEJIBAADQAgAwpwECAOIBACGyAQEA2wEAIbMBAgDiAQAhtAFAANwBACEDsgEBAJYCACGzAQIAnQIAIbQBQACXAgAhA7IBAQCWAgAhswECAJ0CACG0AUAAlwIAIQOyAQEAAAABswECAAAAAbQBQAAAAAEHoAEBAAAAAbIBAQAAAAGzAQIAAAABuQFAAAAAAboBQAAAAAG7AUAAAAABvAEBAAAAAQIAAAALACAUAADgAgAgAwAAAAsAIBQAAOACACAVAADfAgAgAQ0AAPUCADAMAwAAgwIAIJABAACEAgAwkQEAAAkAEJIBAACEAgAwoAEBAAAAAacBAgDiAQAhsgEBANsBACGzAQIA4gEAIbkBQADcAQAhugFAANwBACG7AUAAhQIAIbwBAQDbAQAhAgAAAAsAIA0AAN8CACACAAAA3QIAIA0AAN4CACALkAEAANwCADCRAQAA3QIAEJIBAADcAgAwoAEBAPgBACGnAQIA4gEAIbIBAQDbAQAhswECAOIBACG5AUAA3AEAIboBQADcAQAhuwFAAIUCACG8AQEA2wEAIQuQAQAA3AIAMJEBAADdAgAQkgEAANwCADCgAQEA-AEAIacBAgDiAQAhsgEBANsBACGzAQIA4gEAIbkBQADcAQAhugFAANwBACG7AUAAhQIAIbwBAQDbAQAhB6ABAQCWAgAhsgEBAJYCACGzAQIAnQIAIbkBQACXAgAhugFAAJcCACG7AUAApgIAIbwBAQCWAgAhB6ABAQCWAgAhsgEBAJYCACGzAQIAnQIAIbkBQACXAgAhugFAAJcCACG7AUAApgIAIbwBAQCWAgAhB6ABAQAAAAGyAQEAAAABswECAAAAAbkBQAAAAAG6AUAAAAABuwFAAAAAAbwBAQAAAAEOoAEBAAAAAaQBAAAApAECpQEBAAAAAaYBAQAAAAGoAQEAAAABqQEBAAAAAaoBQAAAAAGrAQIAAAABrAFAAAAAAa0BAQAAAAGuAUAAAAABrwFAAAAAAbABQAAAAAGxAQEAAAABAgAAAAUAIBQAAOwCACADAAAABQAgFAAA7AIAIBUAAOsCACABDQAA9AIAMBMDAACQAgAgkAEAAI0CADCRAQAAAwAQkgEAAI0CADCgAQEAAAABpAEAAI4CpAEipQEBAIcCACGmAQEAhwIAIacBAgCJAgAhqAEBAIcCACGpAQEA2wEAIaoBQADcAQAhqwECAOIBACGsAUAAhQIAIa0BAQCHAgAhrgFAAIUCACGvAUAAhQIAIbABQACFAgAhsQEBAI8CACECAAAABQAgDQAA6wIAIAIAAADpAgAgDQAA6gIAIBKQAQAA6AIAMJEBAADpAgAQkgEAAOgCADCgAQEA-AEAIaQBAACOAqQBIqUBAQCHAgAhpgEBAIcCACGnAQIAiQIAIagBAQCHAgAhqQEBANsBACGqAUAA3AEAIasBAgDiAQAhrAFAAIUCACGtAQEAhwIAIa4BQACFAgAhrwFAAIUCACGwAUAAhQIAIbEBAQCPAgAhEpABAADoAgAwkQEAAOkCABCSAQAA6AIAMKABAQD4AQAhpAEAAI4CpAEipQEBAIcCACGmAQEAhwIAIacBAgCJAgAhqAEBAIcCACGpAQEA2wEAIaoBQADcAQAhqwECAOIBACGsAUAAhQIAIa0BAQCHAgAhrgFAAIUCACGvAUAAhQIAIbABQACFAgAhsQEBAI8CACEOoAEBAJYCACGkAQAApAKkASKlAQEApQIAIaYBAQClAgAhqAEBAKUCACGpAQEAlgIAIaoBQACXAgAhqwECAJ0CACGsAUAApgIAIa0BAQClAgAhrgFAAKYCACGvAUAApgIAIbABQACmAgAhsQEBAKUCACEOoAEBAJYCACGkAQAApAKkASKlAQEApQIAIaYBAQClAgAhqAEBAKUCACGpAQEAlgIAIaoBQACXAgAhqwECAJ0CACGsAUAApgIAIa0BAQClAgAhrgFAAKYCACGvAUAApgIAIbABQACmAgAhsQEBAKUCACEOoAEBAAAAAaQBAAAApAECpQEBAAAAAaYBAQAAAAGoAQEAAAABqQEBAAAAAaoBQAAAAAGrAQIAAAABrAFAAAAAAa0BAQAAAAGuAUAAAAABrwFAAAAAAbABQAAAAAGxAQEAAAABBBQAAOECADDVAQAA4gIAMNcBAADkAgAg2wEAAOUCADAEFAAA1QIAMNUBAADWAgAw1wEAANgCACDbAQAA2QIAMAQUAADJAgAw1QEAAMoCADDXAQAAzAIAINsBAADNAgAwAAAAEAQAAPACACAFAADxAgAgBgAA8gIAIJMBAACeAgAgpgEAAJ4CACC9AQAAngIAIMIBAACeAgAgwwEAAJ4CACDEAQAAngIAIMUBAACeAgAgxgEAAJ4CACDHAQAAngIAIMgBAACeAgAgyQEAAJ4CACDKAQAAngIAIMwBAACeAgAgDqABAQAAAAGkAQAAAKQBAqUBAQAAAAGmAQEAAAABqAEBAAAAAakBAQAAAAGqAUAAAAABqwECAAAAAawBQAAAAAGtAQEAAAABrgFAAAAAAa8BQAAAAAGwAUAAAAABsQEBAAAAAQegAQEAAAABsgEBAAAAAbMBAgAAAAG5AUAAAAABugFAAAAAAbsBQAAAAAG8AQEAAAABA7IBAQAAAAGzAQIAAAABtAFAAAAAARkEAADtAgAgBgAA7wIAIJMBAQAAAAGgAQIAAAABpQEBAAAAAaYBAQAAAAGqAUAAAAABswECAAAAAb0BAQAAAAG-ASAAAAABvwEgAAAAAcABAQAAAAHBAQEAAAABwgEBAAAAAcMBAQAAAAHEAUAAAAABxQEBAAAAAcYBQAAAAAHHAQEAAAAByAFAAAAAAckBAgAAAAHKAUAAAAABywEgAAAAAcwBAQAAAAHNAUAAAAABAgAAAAEAIBQAAPcCACADAAAABwAgFAAA9wIAIBUAAPsCACAbAAAABwAgBAAAxgIAIAYAAMgCACANAAD7AgAgkwEBAKUCACGgAQIAnQIAIaUBAQCWAgAhpgEBAKUCACGqAUAAlwIAIbMBAgCdAgAhvQEBAKUCACG-ASAAxQIAIb8BIADFAgAhwAEBAJYCACHBAQEAlgIAIcIBAQClAgAhwwEBAKUCACHEAUAApgIAIcUBAQClAgAhxgFAAKYCACHHAQEApQIAIcgBQACmAgAhyQECAKcCACHKAUAApgIAIcsBIADFAgAhzAEBAKUCACHNAUAAlwIAIRkEAADGAgAgBgAAyAIAIJMBAQClAgAhoAECAJ0CACGlAQEAlgIAIaYBAQClAgAhqgFAAJcCACGzAQIAnQIAIb0BAQClAgAhvgEgAMUCACG_ASAAxQIAIcABAQCWAgAhwQEBAJYCACHCAQEApQIAIcMBAQClAgAhxAFAAKYCACHFAQEApQIAIcYBQACmAgAhxwEBAKUCACHIAUAApgIAIckBAgCnAgAhygFAAKYCACHLASAAxQIAIcwBAQClAgAhzQFAAJcCACEZBAAA7QIAIAUAAO4CACCTAQEAAAABoAECAAAAAaUBAQAAAAGmAQEAAAABqgFAAAAAAbMBAgAAAAG9AQEAAAABvgEgAAAAAb8BIAAAAAHAAQEAAAABwQEBAAAAAcIBAQAAAAHDAQEAAAABxAFAAAAAAcUBAQAAAAHGAUAAAAABxwEBAAAAAcgBQAAAAAHJAQIAAAABygFAAAAAAcsBIAAAAAHMAQEAAAABzQFAAAAAAQIAAAABACAUAAD8AgAgAwAAAAcAIBQAAPwCACAVAACAAwAgGwAAAAcAIAQAAMYCACAFAADHAgAgDQAAgAMAIJMBAQClAgAhoAECAJ0CACGlAQEAlgIAIaYBAQClAgAhqgFAAJcCACGzAQIAnQIAIb0BAQClAgAhvgEgAMUCACG_ASAAxQIAIcABAQCWAgAhwQEBAJYCACHCAQEApQIAIcMBAQClAgAhxAFAAKYCACHFAQEApQIAIcYBQACmAgAhxwEBAKUCACHIAUAApgIAIckBAgCnAgAhygFAAKYCACHLASAAxQIAIcwBAQClAgAhzQFAAJcCACEZBAAAxgIAIAUAAMcCACCTAQEApQIAIaABAgCdAgAhpQEBAJYCACGmAQEApQIAIaoBQACXAgAhswECAJ0CACG9AQEApQIAIb4BIADFAgAhvwEgAMUCACHAAQEAlgIAIcEBAQCWAgAhwgEBAKUCACHDAQEApQIAIcQBQACmAgAhxQEBAKUCACHGAUAApgIAIccBAQClAgAhyAFAAKYCACHJAQIApwIAIcoBQACmAgAhywEgAMUCACHMAQEApQIAIc0BQACXAgAhGQUAAO4CACAGAADvAgAgkwEBAAAAAaABAgAAAAGlAQEAAAABpgEBAAAAAaoBQAAAAAGzAQIAAAABvQEBAAAAAb4BIAAAAAG_ASAAAAABwAEBAAAAAcEBAQAAAAHCAQEAAAABwwEBAAAAAcQBQAAAAAHFAQEAAAABxgFAAAAAAccBAQAAAAHIAUAAAAAByQECAAAAAcoBQAAAAAHLASAAAAABzAEBAAAAAc0BQAAAAAECAAAAAQAgFAAAgQMAIAMAAAAHACAUAACBAwAgFQAAhQMAIBsAAAAHACAFAADHAgAgBgAAyAIAIA0AAIUDACCTAQEApQIAIaABAgCdAgAhpQEBAJYCACGmAQEApQIAIaoBQACXAgAhswECAJ0CACG9AQEApQIAIb4BIADFAgAhvwEgAMUCACHAAQEAlgIAIcEBAQCWAgAhwgEBAKUCACHDAQEApQIAIcQBQACmAgAhxQEBAKUCACHGAUAApgIAIccBAQClAgAhyAFAAKYCACHJAQIApwIAIcoBQACmAgAhywEgAMUCACHMAQEApQIAIc0BQACXAgAhGQUAAMcCACAGAADIAgAgkwEBAKUCACGgAQIAnQIAIaUBAQCWAgAhpgEBAKUCACGqAUAAlwIAIbMBAgCdAgAhvQEBAKUCACG-ASAAxQIAIb8BIADFAgAhwAEBAJYCACHBAQEAlgIAIcIBAQClAgAhwwEBAKUCACHEAUAApgIAIcUBAQClAgAhxgFAAKYCACHHAQEApQIAIcgBQACmAgAhyQECAKcCACHKAUAApgIAIcsBIADFAgAhzAEBAKUCACHNAUAAlwIAIQQEBgIFDAMGEAQHAAUBAwgBAQMAAQEDAAEDBBEABRIABhMAAAAABQcAChoACxsADBwADR0ADgAAAAAABQcAChoACxsADBwADR0ADgEDAAEBAwABBQcAExoAFBsAFRwAFh0AFwAAAAAABQcAExoAFBsAFRwAFh0AFwAAAAUHAB0aAB4bAB8cACAdACEAAAAAAAUHAB0aAB4bAB8cACAdACEAAAADBwAnHAAoHQApAAAAAwcAJxwAKB0AKQEDAAEBAwABBQcALhoALxsAMBwAMR0AMgAAAAAABQcALhoALxsAMBwAMR0AMgEDkgEBAQOYAQEFBwA3GgA4GwA5HAA6HQA7AAAAAAAFBwA3GgA4GwA5HAA6HQA7AAAABQcAQRoAQhsAQxwARB0ARQAAAAAABQcAQRoAQhsAQxwARB0ARQAAAAMHAEscAEwdAE0AAAADBwBLHABMHQBNCAIBCRQBChYBCxcBDBgBDhoBDxwGEB0HER8BEiEGEyIIFiMBFyQBGCUGHigJHykPICoDISsDIiwDIy0DJC4DJTADJjIGJzMQKDUDKTcGKjgRKzkDLDoDLTsGLj4SLz8YMEEZMUIZMkUZM0YZNEcZNUkZNksGN0waOE4ZOVAGOlEbO1IZPFMZPVQGPlccP1giQFojQVsjQl4jQ18jRGAjRWIjRmQGR2UkSGcjSWkGSmolS2sjTGwjTW0GTnAmT3EqUHIEUXMEUnQEU3UEVHYEVXgEVnoGV3srWH0EWX8GWoABLFuBAQRcggEEXYMBBl6GAS1fhwEzYIgBAmGJAQJiigECY4sBAmSMAQJljgECZpABBmeRATRolAECaZYBBmqXATVrmQECbJoBAm2bAQZungE2b58BPHChAT1xogE9cqUBPXOmAT10pwE9dakBPXarAQZ3rAE-eK4BPXmwAQZ6sQE_e7IBPXyzAT19tAEGfrcBQH-4AUaAAboBR4EBuwFHggG-AUeDAb8BR4QBwAFHhQHCAUeGAcQBBocBxQFIiAHHAUeJAckBBooBygFJiwHLAUeMAcwBR40BzQEGjgHQAUqPAdEBTg"
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
  refusedAt: "refusedAt",
  letterId: "letterId"
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
