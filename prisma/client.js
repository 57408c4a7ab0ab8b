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

/// Which database this is: its users' numbers mean others elsewhere. A migration makes the one row, a backup keeps it, and
/// a new database has another. A restore of data alone may add a second one: the oldest counts. See src/auth/tokens.ts.
model DatabaseMark {
  mark          String   @id @default(dbgenerated("gen_random_uuid()")) @db.Uuid
  madeAt        DateTime @default(now()) @map("made_at") @db.Timestamptz(3)
  /// Until then, tokens that name no mark are accepted: those of releases before the mark.
  unmarkedUntil DateTime @default(now()) @map("unmarked_until") @db.Timestamptz(3)

  @@map("database_mark")
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

  @@index([dueAt])
  @@index([userId, createdAt])
  @@map("mails")
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
config.runtimeDataModel = JSON.parse('{"models":{"User":{"fields":[{"name":"id","kind":"scalar","type":"Int"},{"name":"username","kind":"scalar","type":"String"},{"name":"email","kind":"scalar","type":"String"},{"name":"passwordHash","kind":"scalar","type":"String","dbName":"password_hash"},{"name":"passwordTemporary","kind":"scalar","type":"Boolean","dbName":"password_temporary"},{"name":"selfRegistered","kind":"scalar","type":"Boolean","dbName":"self_registered"},{"name":"userType","kind":"scalar","type":"String","dbName":"user_type"},{"name":"role","kind":"scalar","type":"String"},{"name":"adpStatus","kind":"scalar","type":"String","dbName":"adp_status"},{"name":"bookChapterApproverDesignation","kind":"scalar","type":"String","dbName":"book_chapter_approver_designation"},{"name":"tokenVersion","kind":"scalar","type":"Int","dbName":"token_version"},{"name":"tokensRevokedAt","kind":"scalar","type":"DateTime","dbName":"tokens_revoked_at"},{"name":"resetTokenHash","kind":"scalar","type":"String","dbName":"reset_token_hash"},{"name":"resetTokenExpiresAt","kind":"scalar","type":"DateTime","dbName":"reset_token_expires_at"},{"name":"pendingResetTokenHash","kind":"scalar","type":"String","dbName":"pending_reset_token_hash"},{"name":"pendingResetTokenExpiresAt","kind":"scalar","type":"DateTime","dbName":"pending_reset_token_expires_at"},{"name":"pendingResetTokenVersion","kind":"scalar","type":"Int","dbName":"pending_reset_token_version"},{"name":"disabledAt","kind":"scalar","type":"DateTime","dbName":"disabled_at"},{"name":"createdAt","kind":"scalar","type":"DateTime","dbName":"created_at"},{"name":"updatedAt","kind":"scalar","type":"DateTime","dbName":"updated_at"},{"name":"mails","kind":"object","type":"Mail","relationName":"MailToUser"},{"name":"sessions","kind":"object","type":"Session","relationName":"SessionToUser"},{"name":"knownAddresses","kind":"object","type":"KnownAddress","relationName":"KnownAddressToUser"}],"dbName":"users","schema":null},"Session":{"fields":[{"name":"id","kind":"scalar","type":"String"},{"name":"userId","kind":"scalar","type":"Int","dbName":"user_id"},{"name":"user","kind":"object","type":"User","relationName":"SessionToUser"},{"name":"tokenVersion","kind":"scalar","type":"Int","dbName":"token_version"},{"name":"startedAt","kind":"scalar","type":"DateTime","dbName":"started_at"},{"name":"lastUsedAt","kind":"scalar","type":"DateTime","dbName":"last_used_at"},{"name":"endedAt","kind":"scalar","type":"DateTime","dbName":"ended_at"},{"name":"client","kind":"scalar","type":"String"},{"name":"userAgent","kind":"scalar","type":"String","dbName":"user_agent"}],"dbName":"sessions","schema":null},"DeletedUser":{"fields":[{"name":"id","kind":"scalar","type":"Int"},{"name":"deletedAt","kind":"scalar","type":"DateTime","dbName":"deleted_at"}],"dbName":"deleted_users","schema":null},"DatabaseMark":{"fields":[{"name":"mark","kind":"scalar","type":"String"},{"name":"madeAt","kind":"scalar","type":"DateTime","dbName":"made_at"},{"name":"unmarkedUntil","kind":"scalar","type":"DateTime","dbName":"unmarked_until"}],"dbName":"database_mark","schema":null},"KnownAddress":{"fields":[{"name":"userId","kind":"scalar","type":"Int","dbName":"user_id"},{"name":"user","kind":"object","type":"User","relationName":"KnownAddressToUser"},{"name":"client","kind":"scalar","type":"String"},{"name":"tokenVersion","kind":"scalar","type":"Int","dbName":"token_version"},{"name":"lastLoginAt","kind":"scalar","type":"DateTime","dbName":"last_login_at"}],"dbName":"known_addresses","schema":null},"Mail":{"fields":[{"name":"id","kind":"scalar","type":"String"},{"name":"kind","kind":"enum","type":"MailKind"},{"name":"username","kind":"scalar","type":"String"},{"name":"email","kind":"scalar","type":"String"},{"name":"userId","kind":"scalar","type":"Int","dbName":"user_id"},{"name":"user","kind":"object","type":"User","relationName":"MailToUser"},{"name":"language","kind":"scalar","type":"String"},{"name":"requestId","kind":"scalar","type":"String","dbName":"request_id"},{"name":"createdAt","kind":"scalar","type":"DateTime","dbName":"created_at"},{"name":"attempts","kind":"scalar","type":"Int"},{"name":"dueAt","kind":"scalar","type":"DateTime","dbName":"due_at"},{"name":"lastFailure","kind":"scalar","type":"String","dbName":"last_failure"},{"name":"claimedUntil","kind":"scalar","type":"DateTime","dbName":"claimed_until"}],"dbName":"mails","schema":null}},"enums":{},"types":{}}');
config.parameterizationSchema = {
  strings: JSON.parse('["where","orderBy","cursor","user","mails","sessions","knownAddresses","_count","User.findUnique","User.findUniqueOrThrow","User.findFirst","User.findFirstOrThrow","User.findMany","data","User.createOne","User.createMany","User.createManyAndReturn","User.updateOne","User.updateMany","User.updateManyAndReturn","create","update","User.upsertOne","User.deleteOne","User.deleteMany","having","_avg","_sum","_min","_max","User.groupBy","User.aggregate","Session.findUnique","Session.findUniqueOrThrow","Session.findFirst","Session.findFirstOrThrow","Session.findMany","Session.createOne","Session.createMany","Session.createManyAndReturn","Session.updateOne","Session.updateMany","Session.updateManyAndReturn","Session.upsertOne","Session.deleteOne","Session.deleteMany","Session.groupBy","Session.aggregate","DeletedUser.findUnique","DeletedUser.findUniqueOrThrow","DeletedUser.findFirst","DeletedUser.findFirstOrThrow","DeletedUser.findMany","DeletedUser.createOne","DeletedUser.createMany","DeletedUser.createManyAndReturn","DeletedUser.updateOne","DeletedUser.updateMany","DeletedUser.updateManyAndReturn","DeletedUser.upsertOne","DeletedUser.deleteOne","DeletedUser.deleteMany","DeletedUser.groupBy","DeletedUser.aggregate","DatabaseMark.findUnique","DatabaseMark.findUniqueOrThrow","DatabaseMark.findFirst","DatabaseMark.findFirstOrThrow","DatabaseMark.findMany","DatabaseMark.createOne","DatabaseMark.createMany","DatabaseMark.createManyAndReturn","DatabaseMark.updateOne","DatabaseMark.updateMany","DatabaseMark.updateManyAndReturn","DatabaseMark.upsertOne","DatabaseMark.deleteOne","DatabaseMark.deleteMany","DatabaseMark.groupBy","DatabaseMark.aggregate","KnownAddress.findUnique","KnownAddress.findUniqueOrThrow","KnownAddress.findFirst","KnownAddress.findFirstOrThrow","KnownAddress.findMany","KnownAddress.createOne","KnownAddress.createMany","KnownAddress.createManyAndReturn","KnownAddress.updateOne","KnownAddress.updateMany","KnownAddress.updateManyAndReturn","KnownAddress.upsertOne","KnownAddress.deleteOne","KnownAddress.deleteMany","KnownAddress.groupBy","KnownAddress.aggregate","Mail.findUnique","Mail.findUniqueOrThrow","Mail.findFirst","Mail.findFirstOrThrow","Mail.findMany","Mail.createOne","Mail.createMany","Mail.createManyAndReturn","Mail.updateOne","Mail.updateMany","Mail.updateManyAndReturn","Mail.upsertOne","Mail.deleteOne","Mail.deleteMany","Mail.groupBy","Mail.aggregate","AND","OR","NOT","id","MailKind","kind","username","email","userId","language","requestId","createdAt","attempts","dueAt","lastFailure","claimedUntil","equals","in","notIn","lt","lte","gt","gte","not","contains","startsWith","endsWith","client","tokenVersion","lastLoginAt","mark","madeAt","unmarkedUntil","deletedAt","startedAt","lastUsedAt","endedAt","userAgent","passwordHash","passwordTemporary","selfRegistered","userType","role","adpStatus","bookChapterApproverDesignation","tokensRevokedAt","resetTokenHash","resetTokenExpiresAt","pendingResetTokenHash","pendingResetTokenExpiresAt","pendingResetTokenVersion","disabledAt","updatedAt","userId_client","every","some","none","is","isNot","connectOrCreate","upsert","createMany","set","disconnect","delete","connect","updateMany","deleteMany","increment","decrement","multiply","divide"]'),
  graph: "wgI8YBoEAADSAQAgBQAA0wEAIAYAANQBACBwAADOAQAwcQAABwAQcgAAzgEAMHMCAAAAAXYBAAAAAXcBAAAAAXtAAL4BACGMAQIAwgEAIZYBAQDPAQAhlwEgANABACGYASAA0AEAIZkBAQDKAQAhmgEBAMoBACGbAQEAzwEAIZwBAQDPAQAhnQFAAM0BACGeAQEAAAABnwFAAM0BACGgAQEAAAABoQFAAM0BACGiAQIA0QEAIaMBQADNAQAhpAFAAL4BACEBAAAAAQAgEAMAANcBACBwAADVAQAwcQAAAwAQcgAA1QEAMHMBAL0BACF1AADWAXUidgEAzwEAIXcBAM8BACF4AgDRAQAheQEAzwEAIXoBAMoBACF7QAC-AQAhfAIAwgEAIX1AAM0BACF-AQDPAQAhf0AAzQEAIQgDAACwAgAgdgAA2AEAIHcAANgBACB4AADYAQAgeQAA2AEAIH0AANgBACB-AADYAQAgfwAA2AEAIBADAADXAQAgcAAA1QEAMHEAAAMAEHIAANUBADBzAQAAAAF1AADWAXUidgEAzwEAIXcBAM8BACF4AgDRAQAheQEAzwEAIXoBAMoBACF7QAC-AQAhfAIAwgEAIX1AAM0BACF-AQDPAQAhf0AAzQEAIQMAAAADACABAAAEADACAAAFACAaBAAA0gEAIAUAANMBACAGAADUAQAgcAAAzgEAMHEAAAcAEHIAAM4BADBzAgDCAQAhdgEAygEAIXcBAM8BACF7QAC-AQAhjAECAMIBACGWAQEAzwEAIZcBIADQAQAhmAEgANABACGZAQEAygEAIZoBAQDKAQAhmwEBAM8BACGcAQEAzwEAIZ0BQADNAQAhngEBAM8BACGfAUAAzQEAIaABAQDPAQAhoQFAAM0BACGiAQIA0QEAIaMBQADNAQAhpAFAAL4BACEBAAAABwAgDAMAAMsBACBwAADMAQAwcQAACQAQcgAAzAEAMHMBAL0BACF4AgDCAQAhiwEBAMoBACGMAQIAwgEAIZIBQAC-AQAhkwFAAL4BACGUAUAAzQEAIZUBAQDKAQAhAgMAALACACCUAQAA2AEAIAwDAADLAQAgcAAAzAEAMHEAAAkAEHIAAMwBADBzAQAAAAF4AgDCAQAhiwEBAMoBACGMAQIAwgEAIZIBQAC-AQAhkwFAAL4BACGUAUAAzQEAIZUBAQDKAQAhAwAAAAkAIAEAAAoAMAIAAAsAIAgDAADLAQAgcAAAyQEAMHEAAA0AEHIAAMkBADB4AgDCAQAhiwEBAMoBACGMAQIAwgEAIY0BQAC-AQAhAQMAALACACAJAwAAywEAIHAAAMkBADBxAAANABByAADJAQAweAIAwgEAIYsBAQDKAQAhjAECAMIBACGNAUAAvgEAIaUBAADIAQAgAwAAAA0AIAEAAA4AMAIAAA8AIAEAAAADACABAAAACQAgAQAAAA0AIAEAAAABACAOBAAArQIAIAUAAK4CACAGAACvAgAgdwAA2AEAIJYBAADYAQAgmwEAANgBACCcAQAA2AEAIJ0BAADYAQAgngEAANgBACCfAQAA2AEAIKABAADYAQAgoQEAANgBACCiAQAA2AEAIKMBAADYAQAgAwAAAAcAIAEAABUAMAIAAAEAIAMAAAAHACABAAAVADACAAABACADAAAABwAgAQAAFQAwAgAAAQAgFwQAAKoCACAFAACrAgAgBgAArAIAIHMCAAAAAXYBAAAAAXcBAAAAAXtAAAAAAYwBAgAAAAGWAQEAAAABlwEgAAAAAZgBIAAAAAGZAQEAAAABmgEBAAAAAZsBAQAAAAGcAQEAAAABnQFAAAAAAZ4BAQAAAAGfAUAAAAABoAEBAAAAAaEBQAAAAAGiAQIAAAABowFAAAAAAaQBQAAAAAEBDQAAGQAgFHMCAAAAAXYBAAAAAXcBAAAAAXtAAAAAAYwBAgAAAAGWAQEAAAABlwEgAAAAAZgBIAAAAAGZAQEAAAABmgEBAAAAAZsBAQAAAAGcAQEAAAABnQFAAAAAAZ4BAQAAAAGfAUAAAAABoAEBAAAAAaEBQAAAAAGiAQIAAAABowFAAAAAAaQBQAAAAAEBDQAAGwAwAQ0AABsAMBcEAACDAgAgBQAAhAIAIAYAAIUCACBzAgDiAQAhdgEA3gEAIXcBAOABACF7QADhAQAhjAECAOIBACGWAQEA4AEAIZcBIACCAgAhmAEgAIICACGZAQEA3gEAIZoBAQDeAQAhmwEBAOABACGcAQEA4AEAIZ0BQADjAQAhngEBAOABACGfAUAA4wEAIaABAQDgAQAhoQFAAOMBACGiAQIA5AEAIaMBQADjAQAhpAFAAOEBACECAAAAAQAgDQAAHgAgFHMCAOIBACF2AQDeAQAhdwEA4AEAIXtAAOEBACGMAQIA4gEAIZYBAQDgAQAhlwEgAIICACGYASAAggIAIZkBAQDeAQAhmgEBAN4BACGbAQEA4AEAIZwBAQDgAQAhnQFAAOMBACGeAQEA4AEAIZ8BQADjAQAhoAEBAOABACGhAUAA4wEAIaIBAgDkAQAhowFAAOMBACGkAUAA4QEAIQIAAAAHACANAAAgACACAAAABwAgDQAAIAAgAwAAAAEAIBQAABkAIBUAAB4AIAEAAAABACABAAAABwAgEAcAAP0BACAaAAD-AQAgGwAAgQIAIBwAAIACACAdAAD_AQAgdwAA2AEAIJYBAADYAQAgmwEAANgBACCcAQAA2AEAIJ0BAADYAQAgngEAANgBACCfAQAA2AEAIKABAADYAQAgoQEAANgBACCiAQAA2AEAIKMBAADYAQAgF3AAAMQBADBxAAAnABByAADEAQAwcwIApwEAIXYBAKUBACF3AQCjAQAhe0AApgEAIYwBAgCnAQAhlgEBAKMBACGXASAAxQEAIZgBIADFAQAhmQEBAKUBACGaAQEApQEAIZsBAQCjAQAhnAEBAKMBACGdAUAAqAEAIZ4BAQCjAQAhnwFAAKgBACGgAQEAowEAIaEBQACoAQAhogECAKQBACGjAUAAqAEAIaQBQACmAQAhAwAAAAcAIAEAACYAMBkAACcAIAMAAAAHACABAAAVADACAAABACABAAAACwAgAQAAAAsAIAMAAAAJACABAAAKADACAAALACADAAAACQAgAQAACgAwAgAACwAgAwAAAAkAIAEAAAoAMAIAAAsAIAkDAAD8AQAgcwEAAAABeAIAAAABiwEBAAAAAYwBAgAAAAGSAUAAAAABkwFAAAAAAZQBQAAAAAGVAQEAAAABAQ0AAC8AIAhzAQAAAAF4AgAAAAGLAQEAAAABjAECAAAAAZIBQAAAAAGTAUAAAAABlAFAAAAAAZUBAQAAAAEBDQAAMQAwAQ0AADEAMAkDAAD7AQAgcwEA3gEAIXgCAOIBACGLAQEA3gEAIYwBAgDiAQAhkgFAAOEBACGTAUAA4QEAIZQBQADjAQAhlQEBAN4BACECAAAACwAgDQAANAAgCHMBAN4BACF4AgDiAQAhiwEBAN4BACGMAQIA4gEAIZIBQADhAQAhkwFAAOEBACGUAUAA4wEAIZUBAQDeAQAhAgAAAAkAIA0AADYAIAIAAAAJACANAAA2ACADAAAACwAgFAAALwAgFQAANAAgAQAAAAsAIAEAAAAJACAGBwAA9gEAIBoAAPcBACAbAAD6AQAgHAAA-QEAIB0AAPgBACCUAQAA2AEAIAtwAADDAQAwcQAAPQAQcgAAwwEAMHMBAKEBACF4AgCnAQAhiwEBAKUBACGMAQIApwEAIZIBQACmAQAhkwFAAKYBACGUAUAAqAEAIZUBAQClAQAhAwAAAAkAIAEAADwAMBkAAD0AIAMAAAAJACABAAAKADACAAALACAFcAAAwQEAMHEAAEMAEHIAAMEBADBzAgAAAAGRAUAAvgEAIQEAAABAACABAAAAQAAgBXAAAMEBADBxAABDABByAADBAQAwcwIAwgEAIZEBQAC-AQAhAAMAAABDACABAABEADACAABAACADAAAAQwAgAQAARAAwAgAAQAAgAwAAAEMAIAEAAEQAMAIAAEAAIAJzAgAAAAGRAUAAAAABAQ0AAEgAIAJzAgAAAAGRAUAAAAABAQ0AAEoAMAENAABKADACcwIA4gEAIZEBQADhAQAhAgAAAEAAIA0AAE0AIAJzAgDiAQAhkQFAAOEBACECAAAAQwAgDQAATwAgAgAAAEMAIA0AAE8AIAMAAABAACAUAABIACAVAABNACABAAAAQAAgAQAAAEMAIAUHAADxAQAgGgAA8gEAIBsAAPUBACAcAAD0AQAgHQAA8wEAIAVwAADAAQAwcQAAVgAQcgAAwAEAMHMCAKcBACGRAUAApgEAIQMAAABDACABAABVADAZAABWACADAAAAQwAgAQAARAAwAgAAQAAgBnAAALwBADBxAABcABByAAC8AQAwjgEBAAAAAY8BQAC-AQAhkAFAAL4BACEBAAAAWQAgAQAAAFkAIAZwAAC8AQAwcQAAXAAQcgAAvAEAMI4BAQC9AQAhjwFAAL4BACGQAUAAvgEAIQADAAAAXAAgAQAAXQAwAgAAWQAgAwAAAFwAIAEAAF0AMAIAAFkAIAMAAABcACABAABdADACAABZACADjgEBAAAAAY8BQAAAAAGQAUAAAAABAQ0AAGEAIAOOAQEAAAABjwFAAAAAAZABQAAAAAEBDQAAYwAwAQ0AAGMAMAOOAQEA3gEAIY8BQADhAQAhkAFAAOEBACECAAAAWQAgDQAAZgAgA44BAQDeAQAhjwFAAOEBACGQAUAA4QEAIQIAAABcACANAABoACACAAAAXAAgDQAAaAAgAwAAAFkAIBQAAGEAIBUAAGYAIAEAAABZACABAAAAXAAgAwcAAO4BACAcAADwAQAgHQAA7wEAIAZwAAC7AQAwcQAAbwAQcgAAuwEAMI4BAQChAQAhjwFAAKYBACGQAUAApgEAIQMAAABcACABAABuADAZAABvACADAAAAXAAgAQAAXQAwAgAAWQAgAQAAAA8AIAEAAAAPACADAAAADQAgAQAADgAwAgAADwAgAwAAAA0AIAEAAA4AMAIAAA8AIAMAAAANACABAAAOADACAAAPACAFAwAA7QEAIHgCAAAAAYsBAQAAAAGMAQIAAAABjQFAAAAAAQENAAB3ACAEeAIAAAABiwEBAAAAAYwBAgAAAAGNAUAAAAABAQ0AAHkAMAENAAB5ADAFAwAA7AEAIHgCAOIBACGLAQEA3gEAIYwBAgDiAQAhjQFAAOEBACECAAAADwAgDQAAfAAgBHgCAOIBACGLAQEA3gEAIYwBAgDiAQAhjQFAAOEBACECAAAADQAgDQAAfgAgAgAAAA0AIA0AAH4AIAMAAAAPACAUAAB3ACAVAAB8ACABAAAADwAgAQAAAA0AIAUHAADnAQAgGgAA6AEAIBsAAOsBACAcAADqAQAgHQAA6QEAIAdwAAC6AQAwcQAAhQEAEHIAALoBADB4AgCnAQAhiwEBAKUBACGMAQIApwEAIY0BQACmAQAhAwAAAA0AIAEAAIQBADAZAACFAQAgAwAAAA0AIAEAAA4AMAIAAA8AIAEAAAAFACABAAAABQAgAwAAAAMAIAEAAAQAMAIAAAUAIAMAAAADACABAAAEADACAAAFACADAAAAAwAgAQAABAAwAgAABQAgDQMAAOYBACBzAQAAAAF1AAAAdQJ2AQAAAAF3AQAAAAF4AgAAAAF5AQAAAAF6AQAAAAF7QAAAAAF8AgAAAAF9QAAAAAF-AQAAAAF_QAAAAAEBDQAAjQEAIAxzAQAAAAF1AAAAdQJ2AQAAAAF3AQAAAAF4AgAAAAF5AQAAAAF6AQAAAAF7QAAAAAF8AgAAAAF9QAAAAAF-AQAAAAF_QAAAAAEBDQAAjwEAMAENAACPAQAwAQAAAAcAIA0DAADlAQAgcwEA3gEAIXUAAN8BdSJ2AQDgAQAhdwEA4AEAIXgCAOQBACF5AQDgAQAhegEA3gEAIXtAAOEBACF8AgDiAQAhfUAA4wEAIX4BAOABACF_QADjAQAhAgAAAAUAIA0AAJMBACAMcwEA3gEAIXUAAN8BdSJ2AQDgAQAhdwEA4AEAIXgCAOQBACF5AQDgAQAhegEA3gEAIXtAAOEBACF8AgDiAQAhfUAA4wEAIX4BAOABACF_QADjAQAhAgAAAAMAIA0AAJUBACACAAAAAwAgDQAAlQEAIAEAAAAHACADAAAABQAgFAAAjQEAIBUAAJMBACABAAAABQAgAQAAAAMAIAwHAADZAQAgGgAA2gEAIBsAAN0BACAcAADcAQAgHQAA2wEAIHYAANgBACB3AADYAQAgeAAA2AEAIHkAANgBACB9AADYAQAgfgAA2AEAIH8AANgBACAPcAAAoAEAMHEAAJ0BABByAACgAQAwcwEAoQEAIXUAAKIBdSJ2AQCjAQAhdwEAowEAIXgCAKQBACF5AQCjAQAhegEApQEAIXtAAKYBACF8AgCnAQAhfUAAqAEAIX4BAKMBACF_QACoAQAhAwAAAAMAIAEAAJwBADAZAACdAQAgAwAAAAMAIAEAAAQAMAIAAAUAIA9wAACgAQAwcQAAnQEAEHIAAKABADBzAQChAQAhdQAAogF1InYBAKMBACF3AQCjAQAheAIApAEAIXkBAKMBACF6AQClAQAhe0AApgEAIXwCAKcBACF9QACoAQAhfgEAowEAIX9AAKgBACELBwAArQEAIBwAALIBACAdAACyAQAggAEBAAAAAYEBAQAAAASCAQEAAAAEgwEBAAAAAYQBAQAAAAGFAQEAAAABhgEBAAAAAYcBAQC5AQAhBwcAAK0BACAcAAC4AQAgHQAAuAEAIIABAAAAdQKBAQAAAHUIggEAAAB1CIcBAAC3AXUiDgcAAKoBACAcAAC2AQAgHQAAtgEAIIABAQAAAAGBAQEAAAAFggEBAAAABYMBAQAAAAGEAQEAAAABhQEBAAAAAYYBAQAAAAGHAQEAtQEAIYgBAQAAAAGJAQEAAAABigEBAAAAAQ0HAACqAQAgGgAAtAEAIBsAAKoBACAcAACqAQAgHQAAqgEAIIABAgAAAAGBAQIAAAAFggECAAAABYMBAgAAAAGEAQIAAAABhQECAAAAAYYBAgAAAAGHAQIAswEAIQ4HAACtAQAgHAAAsgEAIB0AALIBACCAAQEAAAABgQEBAAAABIIBAQAAAASDAQEAAAABhAEBAAAAAYUBAQAAAAGGAQEAAAABhwEBALEBACGIAQEAAAABiQEBAAAAAYoBAQAAAAELBwAArQEAIBwAALABACAdAACwAQAggAFAAAAAAYEBQAAAAASCAUAAAAAEgwFAAAAAAYQBQAAAAAGFAUAAAAABhgFAAAAAAYcBQACvAQAhDQcAAK0BACAaAACuAQAgGwAArQEAIBwAAK0BACAdAACtAQAggAECAAAAAYEBAgAAAASCAQIAAAAEgwECAAAAAYQBAgAAAAGFAQIAAAABhgECAAAAAYcBAgCsAQAhCwcAAKoBACAcAACrAQAgHQAAqwEAIIABQAAAAAGBAUAAAAAFggFAAAAABYMBQAAAAAGEAUAAAAABhQFAAAAAAYYBQAAAAAGHAUAAqQEAIQsHAACqAQAgHAAAqwEAIB0AAKsBACCAAUAAAAABgQFAAAAABYIBQAAAAAWDAUAAAAABhAFAAAAAAYUBQAAAAAGGAUAAAAABhwFAAKkBACEIgAECAAAAAYEBAgAAAAWCAQIAAAAFgwECAAAAAYQBAgAAAAGFAQIAAAABhgECAAAAAYcBAgCqAQAhCIABQAAAAAGBAUAAAAAFggFAAAAABYMBQAAAAAGEAUAAAAABhQFAAAAAAYYBQAAAAAGHAUAAqwEAIQ0HAACtAQAgGgAArgEAIBsAAK0BACAcAACtAQAgHQAArQEAIIABAgAAAAGBAQIAAAAEggECAAAABIMBAgAAAAGEAQIAAAABhQECAAAAAYYBAgAAAAGHAQIArAEAIQiAAQIAAAABgQECAAAABIIBAgAAAASDAQIAAAABhAECAAAAAYUBAgAAAAGGAQIAAAABhwECAK0BACEIgAEIAAAAAYEBCAAAAASCAQgAAAAEgwEIAAAAAYQBCAAAAAGFAQgAAAABhgEIAAAAAYcBCACuAQAhCwcAAK0BACAcAACwAQAgHQAAsAEAIIABQAAAAAGBAUAAAAAEggFAAAAABIMBQAAAAAGEAUAAAAABhQFAAAAAAYYBQAAAAAGHAUAArwEAIQiAAUAAAAABgQFAAAAABIIBQAAAAASDAUAAAAABhAFAAAAAAYUBQAAAAAGGAUAAAAABhwFAALABACEOBwAArQEAIBwAALIBACAdAACyAQAggAEBAAAAAYEBAQAAAASCAQEAAAAEgwEBAAAAAYQBAQAAAAGFAQEAAAABhgEBAAAAAYcBAQCxAQAhiAEBAAAAAYkBAQAAAAGKAQEAAAABC4ABAQAAAAGBAQEAAAAEggEBAAAABIMBAQAAAAGEAQEAAAABhQEBAAAAAYYBAQAAAAGHAQEAsgEAIYgBAQAAAAGJAQEAAAABigEBAAAAAQ0HAACqAQAgGgAAtAEAIBsAAKoBACAcAACqAQAgHQAAqgEAIIABAgAAAAGBAQIAAAAFggECAAAABYMBAgAAAAGEAQIAAAABhQECAAAAAYYBAgAAAAGHAQIAswEAIQiAAQgAAAABgQEIAAAABYIBCAAAAAWDAQgAAAABhAEIAAAAAYUBCAAAAAGGAQgAAAABhwEIALQBACEOBwAAqgEAIBwAALYBACAdAAC2AQAggAEBAAAAAYEBAQAAAAWCAQEAAAAFgwEBAAAAAYQBAQAAAAGFAQEAAAABhgEBAAAAAYcBAQC1AQAhiAEBAAAAAYkBAQAAAAGKAQEAAAABC4ABAQAAAAGBAQEAAAAFggEBAAAABYMBAQAAAAGEAQEAAAABhQEBAAAAAYYBAQAAAAGHAQEAtgEAIYgBAQAAAAGJAQEAAAABigEBAAAAAQcHAACtAQAgHAAAuAEAIB0AALgBACCAAQAAAHUCgQEAAAB1CIIBAAAAdQiHAQAAtwF1IgSAAQAAAHUCgQEAAAB1CIIBAAAAdQiHAQAAuAF1IgsHAACtAQAgHAAAsgEAIB0AALIBACCAAQEAAAABgQEBAAAABIIBAQAAAASDAQEAAAABhAEBAAAAAYUBAQAAAAGGAQEAAAABhwEBALkBACEHcAAAugEAMHEAAIUBABByAAC6AQAweAIApwEAIYsBAQClAQAhjAECAKcBACGNAUAApgEAIQZwAAC7AQAwcQAAbwAQcgAAuwEAMI4BAQChAQAhjwFAAKYBACGQAUAApgEAIQZwAAC8AQAwcQAAXAAQcgAAvAEAMI4BAQC9AQAhjwFAAL4BACGQAUAAvgEAIQiAAQEAAAABgQEBAAAABIIBAQAAAASDAQEAAAABhAEBAAAAAYUBAQAAAAGGAQEAAAABhwEBAL8BACEIgAFAAAAAAYEBQAAAAASCAUAAAAAEgwFAAAAAAYQBQAAAAAGFAUAAAAABhgFAAAAAAYcBQACwAQAhCIABAQAAAAGBAQEAAAAEggEBAAAABIMBAQAAAAGEAQEAAAABhQEBAAAAAYYBAQAAAAGHAQEAvwEAIQVwAADAAQAwcQAAVgAQcgAAwAEAMHMCAKcBACGRAUAApgEAIQVwAADBAQAwcQAAQwAQcgAAwQEAMHMCAMIBACGRAUAAvgEAIQiAAQIAAAABgQECAAAABIIBAgAAAASDAQIAAAABhAECAAAAAYUBAgAAAAGGAQIAAAABhwECAK0BACELcAAAwwEAMHEAAD0AEHIAAMMBADBzAQChAQAheAIApwEAIYsBAQClAQAhjAECAKcBACGSAUAApgEAIZMBQACmAQAhlAFAAKgBACGVAQEApQEAIRdwAADEAQAwcQAAJwAQcgAAxAEAMHMCAKcBACF2AQClAQAhdwEAowEAIXtAAKYBACGMAQIApwEAIZYBAQCjAQAhlwEgAMUBACGYASAAxQEAIZkBAQClAQAhmgEBAKUBACGbAQEAowEAIZwBAQCjAQAhnQFAAKgBACGeAQEAowEAIZ8BQACoAQAhoAEBAKMBACGhAUAAqAEAIaIBAgCkAQAhowFAAKgBACGkAUAApgEAIQUHAACtAQAgHAAAxwEAIB0AAMcBACCAASAAAAABhwEgAMYBACEFBwAArQEAIBwAAMcBACAdAADHAQAggAEgAAAAAYcBIADGAQAhAoABIAAAAAGHASAAxwEAIQJ4AgAAAAGLAQEAAAABCAMAAMsBACBwAADJAQAwcQAADQAQcgAAyQEAMHgCAMIBACGLAQEAygEAIYwBAgDCAQAhjQFAAL4BACELgAEBAAAAAYEBAQAAAASCAQEAAAAEgwEBAAAAAYQBAQAAAAGFAQEAAAABhgEBAAAAAYcBAQCyAQAhiAEBAAAAAYkBAQAAAAGKAQEAAAABHAQAANIBACAFAADTAQAgBgAA1AEAIHAAAM4BADBxAAAHABByAADOAQAwcwIAwgEAIXYBAMoBACF3AQDPAQAhe0AAvgEAIYwBAgDCAQAhlgEBAM8BACGXASAA0AEAIZgBIADQAQAhmQEBAMoBACGaAQEAygEAIZsBAQDPAQAhnAEBAM8BACGdAUAAzQEAIZ4BAQDPAQAhnwFAAM0BACGgAQEAzwEAIaEBQADNAQAhogECANEBACGjAUAAzQEAIaQBQAC-AQAhqQEAAAcAIKoBAAAHACAMAwAAywEAIHAAAMwBADBxAAAJABByAADMAQAwcwEAvQEAIXgCAMIBACGLAQEAygEAIYwBAgDCAQAhkgFAAL4BACGTAUAAvgEAIZQBQADNAQAhlQEBAMoBACEIgAFAAAAAAYEBQAAAAAWCAUAAAAAFgwFAAAAAAYQBQAAAAAGFAUAAAAABhgFAAAAAAYcBQACrAQAhGgQAANIBACAFAADTAQAgBgAA1AEAIHAAAM4BADBxAAAHABByAADOAQAwcwIAwgEAIXYBAMoBACF3AQDPAQAhe0AAvgEAIYwBAgDCAQAhlgEBAM8BACGXASAA0AEAIZgBIADQAQAhmQEBAMoBACGaAQEAygEAIZsBAQDPAQAhnAEBAM8BACGdAUAAzQEAIZ4BAQDPAQAhnwFAAM0BACGgAQEAzwEAIaEBQADNAQAhogECANEBACGjAUAAzQEAIaQBQAC-AQAhC4ABAQAAAAGBAQEAAAAFggEBAAAABYMBAQAAAAGEAQEAAAABhQEBAAAAAYYBAQAAAAGHAQEAtgEAIYgBAQAAAAGJAQEAAAABigEBAAAAAQKAASAAAAABhwEgAMcBACEIgAECAAAAAYEBAgAAAAWCAQIAAAAFgwECAAAAAYQBAgAAAAGFAQIAAAABhgECAAAAAYcBAgCqAQAhA6YBAAADACCnAQAAAwAgqAEAAAMAIAOmAQAACQAgpwEAAAkAIKgBAAAJACADpgEAAA0AIKcBAAANACCoAQAADQAgEAMAANcBACBwAADVAQAwcQAAAwAQcgAA1QEAMHMBAL0BACF1AADWAXUidgEAzwEAIXcBAM8BACF4AgDRAQAheQEAzwEAIXoBAMoBACF7QAC-AQAhfAIAwgEAIX1AAM0BACF-AQDPAQAhf0AAzQEAIQSAAQAAAHUCgQEAAAB1CIIBAAAAdQiHAQAAuAF1IhwEAADSAQAgBQAA0wEAIAYAANQBACBwAADOAQAwcQAABwAQcgAAzgEAMHMCAMIBACF2AQDKAQAhdwEAzwEAIXtAAL4BACGMAQIAwgEAIZYBAQDPAQAhlwEgANABACGYASAA0AEAIZkBAQDKAQAhmgEBAMoBACGbAQEAzwEAIZwBAQDPAQAhnQFAAM0BACGeAQEAzwEAIZ8BQADNAQAhoAEBAM8BACGhAUAAzQEAIaIBAgDRAQAhowFAAM0BACGkAUAAvgEAIakBAAAHACCqAQAABwAgAAAAAAAAAa4BAQAAAAEBrgEAAAB1AgGuAQEAAAABAa4BQAAAAAEFrgECAAAAAbQBAgAAAAG1AQIAAAABtgECAAAAAbcBAgAAAAEBrgFAAAAAAQWuAQIAAAABtAECAAAAAbUBAgAAAAG2AQIAAAABtwECAAAAAQcUAAC-AgAgFQAAwQIAIKsBAAC_AgAgrAEAAMACACCvAQAABwAgsAEAAAcAILEBAAABACADFAAAvgIAIKsBAAC_AgAgsQEAAAEAIAAAAAAABRQAALkCACAVAAC8AgAgqwEAALoCACCsAQAAuwIAILEBAAABACADFAAAuQIAIKsBAAC6AgAgsQEAAAEAIAAAAAAAAAAAAAAAAAAFFAAAtAIAIBUAALcCACCrAQAAtQIAIKwBAAC2AgAgsQEAAAEAIAMUAAC0AgAgqwEAALUCACCxAQAAAQAgAAAAAAABrgEgAAAAAQsUAACeAgAwFQAAowIAMKsBAACfAgAwrAEAAKACADCtAQAAoQIAIK4BAACiAgAwrwEAAKICADCwAQAAogIAMLEBAACiAgAwsgEAAKQCADCzAQAApQIAMAsUAACSAgAwFQAAlwIAMKsBAACTAgAwrAEAAJQCADCtAQAAlQIAIK4BAACWAgAwrwEAAJYCADCwAQAAlgIAMLEBAACWAgAwsgEAAJgCADCzAQAAmQIAMAsUAACGAgAwFQAAiwIAMKsBAACHAgAwrAEAAIgCADCtAQAAiQIAIK4BAACKAgAwrwEAAIoCADCwAQAAigIAMLEBAACKAgAwsgEAAIwCADCzAQAAjQIAMAOLAQEAAAABjAECAAAAAY0BQAAAAAECAAAADwAgFAAAkQIAIAMAAAAPACAUAACRAgAgFQAAkAIAIAENAACzAgAwCQMAAMsBACBwAADJAQAwcQAADQAQcgAAyQEAMHgCAMIBACGLAQEAygEAIYwBAgDCAQAhjQFAAL4BACGlAQAAyAEAIAIAAAAPACANAACQAgAgAgAAAI4CACANAACPAgAgB3AAAI0CADBxAACOAgAQcgAAjQIAMHgCAMIBACGLAQEAygEAIYwBAgDCAQAhjQFAAL4BACEHcAAAjQIAMHEAAI4CABByAACNAgAweAIAwgEAIYsBAQDKAQAhjAECAMIBACGNAUAAvgEAIQOLAQEA3gEAIYwBAgDiAQAhjQFAAOEBACEDiwEBAN4BACGMAQIA4gEAIY0BQADhAQAhA4sBAQAAAAGMAQIAAAABjQFAAAAAAQdzAQAAAAGLAQEAAAABjAECAAAAAZIBQAAAAAGTAUAAAAABlAFAAAAAAZUBAQAAAAECAAAACwAgFAAAnQIAIAMAAAALACAUAACdAgAgFQAAnAIAIAENAACyAgAwDAMAAMsBACBwAADMAQAwcQAACQAQcgAAzAEAMHMBAAAAAXgCAMIBACGLAQEAygEAIYwBAgDCAQAhkgFAAL4BACGTAUAAvgEAIZQBQADNAQAhlQEBAMoBACECAAAACwAgDQAAnAIAIAIAAACaAgAgDQAAmwIAIAtwAACZAgAwcQAAmgIAEHIAAJkCADBzAQC9AQAheAIAwgEAIYsBAQDKAQAhjAECAMIBACGSAUAAvgEAIZMBQAC-AQAhlAFAAM0BACGVAQEAygEAIQtwAACZAgAwcQAAmgIAEHIAAJkCADBzAQC9AQAheAIAwgEAIYsBAQDKAQAhjAECAMIBACGSAUAAvgEAIZMBQAC-AQAhlAFAAM0BACGVAQEAygEAIQdzAQDeAQAhiwEBAN4BACGMAQIA4gEAIZIBQADhAQAhkwFAAOEBACGUAUAA4wEAIZUBAQDeAQAhB3MBAN4BACGLAQEA3gEAIYwBAgDiAQAhkgFAAOEBACGTAUAA4QEAIZQBQADjAQAhlQEBAN4BACEHcwEAAAABiwEBAAAAAYwBAgAAAAGSAUAAAAABkwFAAAAAAZQBQAAAAAGVAQEAAAABC3MBAAAAAXUAAAB1AnYBAAAAAXcBAAAAAXkBAAAAAXoBAAAAAXtAAAAAAXwCAAAAAX1AAAAAAX4BAAAAAX9AAAAAAQIAAAAFACAUAACpAgAgAwAAAAUAIBQAAKkCACAVAACoAgAgAQ0AALECADAQAwAA1wEAIHAAANUBADBxAAADABByAADVAQAwcwEAAAABdQAA1gF1InYBAM8BACF3AQDPAQAheAIA0QEAIXkBAM8BACF6AQDKAQAhe0AAvgEAIXwCAMIBACF9QADNAQAhfgEAzwEAIX9AAM0BACECAAAABQAgDQAAqAIAIAIAAACmAgAgDQAApwIAIA9wAAClAgAwcQAApgIAEHIAAKUCADBzAQC9AQAhdQAA1gF1InYBAM8BACF3AQDPAQAheAIA0QEAIXkBAM8BACF6AQDKAQAhe0AAvgEAIXwCAMIBACF9QADNAQAhfgEAzwEAIX9AAM0BACEPcAAApQIAMHEAAKYCABByAAClAgAwcwEAvQEAIXUAANYBdSJ2AQDPAQAhdwEAzwEAIXgCANEBACF5AQDPAQAhegEAygEAIXtAAL4BACF8AgDCAQAhfUAAzQEAIX4BAM8BACF_QADNAQAhC3MBAN4BACF1AADfAXUidgEA4AEAIXcBAOABACF5AQDgAQAhegEA3gEAIXtAAOEBACF8AgDiAQAhfUAA4wEAIX4BAOABACF_QADjAQAhC3MBAN4BACF1AADfAXUidgEA4AEAIXcBAOABACF5AQDgAQAhegEA3gEAIXtAAOEBACF8AgDiAQAhfUAA4wEAIX4BAOABACF_QADjAQAhC3MBAAAAAXUAAAB1AnYBAAAAAXcBAAAAAXkBAAAAAXoBAAAAAXtAAAAAAXwCAAAAAX1AAAAAAX4BAAAAAX9AAAAAAQQUAACeAgAwqwEAAJ8CADCtAQAAoQIAILEBAACiAgAwBBQAAJICADCrAQAAkwIAMK0BAACVAgAgsQEAAJYCADAEFAAAhgIAMKsBAACHAgAwrQEAAIkCACCxAQAAigIAMAAAAA4EAACtAgAgBQAArgIAIAYAAK8CACB3AADYAQAglgEAANgBACCbAQAA2AEAIJwBAADYAQAgnQEAANgBACCeAQAA2AEAIJ8BAADYAQAgoAEAANgBACChAQAA2AEAIKIBAADYAQAgowEAANgBACALcwEAAAABdQAAAHUCdgEAAAABdwEAAAABeQEAAAABegEAAAABe0AAAAABfAIAAAABfUAAAAABfgEAAAABf0AAAAABB3MBAAAAAYsBAQAAAAGMAQIAAAABkgFAAAAAAZMBQAAAAAGUAUAAAAABlQEBAAAAAQOLAQEAAAABjAECAAAAAY0BQAAAAAEWBAAAqgIAIAYAAKwCACBzAgAAAAF2AQAAAAF3AQAAAAF7QAAAAAGMAQIAAAABlgEBAAAAAZcBIAAAAAGYASAAAAABmQEBAAAAAZoBAQAAAAGbAQEAAAABnAEBAAAAAZ0BQAAAAAGeAQEAAAABnwFAAAAAAaABAQAAAAGhAUAAAAABogECAAAAAaMBQAAAAAGkAUAAAAABAgAAAAEAIBQAALQCACADAAAABwAgFAAAtAIAIBUAALgCACAYAAAABwAgBAAAgwIAIAYAAIUCACANAAC4AgAgcwIA4gEAIXYBAN4BACF3AQDgAQAhe0AA4QEAIYwBAgDiAQAhlgEBAOABACGXASAAggIAIZgBIACCAgAhmQEBAN4BACGaAQEA3gEAIZsBAQDgAQAhnAEBAOABACGdAUAA4wEAIZ4BAQDgAQAhnwFAAOMBACGgAQEA4AEAIaEBQADjAQAhogECAOQBACGjAUAA4wEAIaQBQADhAQAhFgQAAIMCACAGAACFAgAgcwIA4gEAIXYBAN4BACF3AQDgAQAhe0AA4QEAIYwBAgDiAQAhlgEBAOABACGXASAAggIAIZgBIACCAgAhmQEBAN4BACGaAQEA3gEAIZsBAQDgAQAhnAEBAOABACGdAUAA4wEAIZ4BAQDgAQAhnwFAAOMBACGgAQEA4AEAIaEBQADjAQAhogECAOQBACGjAUAA4wEAIaQBQADhAQAhFgQAAKoCACAFAACrAgAgcwIAAAABdgEAAAABdwEAAAABe0AAAAABjAECAAAAAZYBAQAAAAGXASAAAAABmAEgAAAAAZkBAQAAAAGaAQEAAAABmwEBAAAAAZwBAQAAAAGdAUAAAAABngEBAAAAAZ8BQAAAAAGgAQEAAAABoQFAAAAAAaIBAgAAAAGjAUAAAAABpAFAAAAAAQIAAAABACAUAAC5AgAgAwAAAAcAIBQAALkCACAVAAC9AgAgGAAAAAcAIAQAAIMCACAFAACEAgAgDQAAvQIAIHMCAOIBACF2AQDeAQAhdwEA4AEAIXtAAOEBACGMAQIA4gEAIZYBAQDgAQAhlwEgAIICACGYASAAggIAIZkBAQDeAQAhmgEBAN4BACGbAQEA4AEAIZwBAQDgAQAhnQFAAOMBACGeAQEA4AEAIZ8BQADjAQAhoAEBAOABACGhAUAA4wEAIaIBAgDkAQAhowFAAOMBACGkAUAA4QEAIRYEAACDAgAgBQAAhAIAIHMCAOIBACF2AQDeAQAhdwEA4AEAIXtAAOEBACGMAQIA4gEAIZYBAQDgAQAhlwEgAIICACGYASAAggIAIZkBAQDeAQAhmgEBAN4BACGbAQEA4AEAIZwBAQDgAQAhnQFAAOMBACGeAQEA4AEAIZ8BQADjAQAhoAEBAOABACGhAUAA4wEAIaIBAgDkAQAhowFAAOMBACGkAUAA4QEAIRYFAACrAgAgBgAArAIAIHMCAAAAAXYBAAAAAXcBAAAAAXtAAAAAAYwBAgAAAAGWAQEAAAABlwEgAAAAAZgBIAAAAAGZAQEAAAABmgEBAAAAAZsBAQAAAAGcAQEAAAABnQFAAAAAAZ4BAQAAAAGfAUAAAAABoAEBAAAAAaEBQAAAAAGiAQIAAAABowFAAAAAAaQBQAAAAAECAAAAAQAgFAAAvgIAIAMAAAAHACAUAAC-AgAgFQAAwgIAIBgAAAAHACAFAACEAgAgBgAAhQIAIA0AAMICACBzAgDiAQAhdgEA3gEAIXcBAOABACF7QADhAQAhjAECAOIBACGWAQEA4AEAIZcBIACCAgAhmAEgAIICACGZAQEA3gEAIZoBAQDeAQAhmwEBAOABACGcAQEA4AEAIZ0BQADjAQAhngEBAOABACGfAUAA4wEAIaABAQDgAQAhoQFAAOMBACGiAQIA5AEAIaMBQADjAQAhpAFAAOEBACEWBQAAhAIAIAYAAIUCACBzAgDiAQAhdgEA3gEAIXcBAOABACF7QADhAQAhjAECAOIBACGWAQEA4AEAIZcBIACCAgAhmAEgAIICACGZAQEA3gEAIZoBAQDeAQAhmwEBAOABACGcAQEA4AEAIZ0BQADjAQAhngEBAOABACGfAUAA4wEAIaABAQDgAQAhoQFAAOMBACGiAQIA5AEAIaMBQADjAQAhpAFAAOEBACEEBAYCBQwDBhAEBwAFAQMIAQEDAAEBAwABAwQRAAUSAAYTAAAAAAUHAAoaAAsbAAwcAA0dAA4AAAAAAAUHAAoaAAsbAAwcAA0dAA4BAwABAQMAAQUHABMaABQbABUcABYdABcAAAAAAAUHABMaABQbABUcABYdABcAAAAFBwAdGgAeGwAfHAAgHQAhAAAAAAAFBwAdGgAeGwAfHAAgHQAhAAAAAwcAJxwAKB0AKQAAAAMHACccACgdACkBAwABAQMAAQUHAC4aAC8bADAcADEdADIAAAAAAAUHAC4aAC8bADAcADEdADIBA5IBAQEDmAEBBQcANxoAOBsAORwAOh0AOwAAAAAABQcANxoAOBsAORwAOh0AOwgCAQkUAQoWAQsXAQwYAQ4aAQ8cBhAdBxEfARIhBhMiCBYjARckARglBh4oCR8pDyAqAyErAyIsAyMtAyQuAyUwAyYyBiczECg1Ayk3Bio4ESs5Ayw6Ay07Bi4-Ei8_GDBBGTFCGTJFGTNGGTRHGTVJGTZLBjdMGjhOGTlQBjpRGztSGTxTGT1UBj5XHD9YIkBaI0FbI0JeI0NfI0RgI0ViI0ZkBkdlJEhnI0lpBkpqJUtrI0xsI01tBk5wJk9xKlByBFFzBFJ0BFN1BFR2BFV4BFZ6Bld7K1h9BFl_BlqAASxbgQEEXIIBBF2DAQZehgEtX4cBM2CIAQJhiQECYooBAmOLAQJkjAECZY4BAmaQAQZnkQE0aJQBAmmWAQZqlwE1a5kBAmyaAQJtmwEGbp4BNm-fATw"
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
  DatabaseMarkScalarFieldEnum: () => DatabaseMarkScalarFieldEnum,
  DbNull: () => DbNull2,
  Decimal: () => Decimal2,
  DeletedUserScalarFieldEnum: () => DeletedUserScalarFieldEnum,
  JsonNull: () => JsonNull2,
  KnownAddressScalarFieldEnum: () => KnownAddressScalarFieldEnum,
  MailScalarFieldEnum: () => MailScalarFieldEnum,
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
  Mail: "Mail"
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
  claimedUntil: "claimedUntil"
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
