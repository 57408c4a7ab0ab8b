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

/// A user who was deleted in the last day: replicas refuse their tokens. See src/auth/revocations.ts.
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
config.runtimeDataModel = JSON.parse('{"models":{"User":{"fields":[{"name":"id","kind":"scalar","type":"Int"},{"name":"username","kind":"scalar","type":"String"},{"name":"email","kind":"scalar","type":"String"},{"name":"passwordHash","kind":"scalar","type":"String","dbName":"password_hash"},{"name":"passwordTemporary","kind":"scalar","type":"Boolean","dbName":"password_temporary"},{"name":"userType","kind":"scalar","type":"String","dbName":"user_type"},{"name":"role","kind":"scalar","type":"String"},{"name":"adpStatus","kind":"scalar","type":"String","dbName":"adp_status"},{"name":"bookChapterApproverDesignation","kind":"scalar","type":"String","dbName":"book_chapter_approver_designation"},{"name":"tokenVersion","kind":"scalar","type":"Int","dbName":"token_version"},{"name":"tokensRevokedAt","kind":"scalar","type":"DateTime","dbName":"tokens_revoked_at"},{"name":"resetTokenHash","kind":"scalar","type":"String","dbName":"reset_token_hash"},{"name":"resetTokenExpiresAt","kind":"scalar","type":"DateTime","dbName":"reset_token_expires_at"},{"name":"pendingResetTokenHash","kind":"scalar","type":"String","dbName":"pending_reset_token_hash"},{"name":"pendingResetTokenExpiresAt","kind":"scalar","type":"DateTime","dbName":"pending_reset_token_expires_at"},{"name":"pendingResetTokenVersion","kind":"scalar","type":"Int","dbName":"pending_reset_token_version"},{"name":"disabledAt","kind":"scalar","type":"DateTime","dbName":"disabled_at"},{"name":"createdAt","kind":"scalar","type":"DateTime","dbName":"created_at"},{"name":"updatedAt","kind":"scalar","type":"DateTime","dbName":"updated_at"},{"name":"mails","kind":"object","type":"Mail","relationName":"MailToUser"},{"name":"sessions","kind":"object","type":"Session","relationName":"SessionToUser"},{"name":"knownAddresses","kind":"object","type":"KnownAddress","relationName":"KnownAddressToUser"}],"dbName":"users","schema":null},"Session":{"fields":[{"name":"id","kind":"scalar","type":"String"},{"name":"userId","kind":"scalar","type":"Int","dbName":"user_id"},{"name":"user","kind":"object","type":"User","relationName":"SessionToUser"},{"name":"tokenVersion","kind":"scalar","type":"Int","dbName":"token_version"},{"name":"startedAt","kind":"scalar","type":"DateTime","dbName":"started_at"},{"name":"lastUsedAt","kind":"scalar","type":"DateTime","dbName":"last_used_at"},{"name":"endedAt","kind":"scalar","type":"DateTime","dbName":"ended_at"},{"name":"client","kind":"scalar","type":"String"},{"name":"userAgent","kind":"scalar","type":"String","dbName":"user_agent"}],"dbName":"sessions","schema":null},"DeletedUser":{"fields":[{"name":"id","kind":"scalar","type":"Int"},{"name":"deletedAt","kind":"scalar","type":"DateTime","dbName":"deleted_at"}],"dbName":"deleted_users","schema":null},"KnownAddress":{"fields":[{"name":"userId","kind":"scalar","type":"Int","dbName":"user_id"},{"name":"user","kind":"object","type":"User","relationName":"KnownAddressToUser"},{"name":"client","kind":"scalar","type":"String"},{"name":"tokenVersion","kind":"scalar","type":"Int","dbName":"token_version"},{"name":"lastLoginAt","kind":"scalar","type":"DateTime","dbName":"last_login_at"}],"dbName":"known_addresses","schema":null},"Mail":{"fields":[{"name":"id","kind":"scalar","type":"String"},{"name":"kind","kind":"enum","type":"MailKind"},{"name":"username","kind":"scalar","type":"String"},{"name":"email","kind":"scalar","type":"String"},{"name":"userId","kind":"scalar","type":"Int","dbName":"user_id"},{"name":"user","kind":"object","type":"User","relationName":"MailToUser"},{"name":"language","kind":"scalar","type":"String"},{"name":"requestId","kind":"scalar","type":"String","dbName":"request_id"},{"name":"createdAt","kind":"scalar","type":"DateTime","dbName":"created_at"},{"name":"attempts","kind":"scalar","type":"Int"},{"name":"dueAt","kind":"scalar","type":"DateTime","dbName":"due_at"},{"name":"claimedUntil","kind":"scalar","type":"DateTime","dbName":"claimed_until"}],"dbName":"mails","schema":null}},"enums":{},"types":{}}');
config.parameterizationSchema = {
  strings: JSON.parse('["where","orderBy","cursor","user","mails","sessions","knownAddresses","_count","User.findUnique","User.findUniqueOrThrow","User.findFirst","User.findFirstOrThrow","User.findMany","data","User.createOne","User.createMany","User.createManyAndReturn","User.updateOne","User.updateMany","User.updateManyAndReturn","create","update","User.upsertOne","User.deleteOne","User.deleteMany","having","_avg","_sum","_min","_max","User.groupBy","User.aggregate","Session.findUnique","Session.findUniqueOrThrow","Session.findFirst","Session.findFirstOrThrow","Session.findMany","Session.createOne","Session.createMany","Session.createManyAndReturn","Session.updateOne","Session.updateMany","Session.updateManyAndReturn","Session.upsertOne","Session.deleteOne","Session.deleteMany","Session.groupBy","Session.aggregate","DeletedUser.findUnique","DeletedUser.findUniqueOrThrow","DeletedUser.findFirst","DeletedUser.findFirstOrThrow","DeletedUser.findMany","DeletedUser.createOne","DeletedUser.createMany","DeletedUser.createManyAndReturn","DeletedUser.updateOne","DeletedUser.updateMany","DeletedUser.updateManyAndReturn","DeletedUser.upsertOne","DeletedUser.deleteOne","DeletedUser.deleteMany","DeletedUser.groupBy","DeletedUser.aggregate","KnownAddress.findUnique","KnownAddress.findUniqueOrThrow","KnownAddress.findFirst","KnownAddress.findFirstOrThrow","KnownAddress.findMany","KnownAddress.createOne","KnownAddress.createMany","KnownAddress.createManyAndReturn","KnownAddress.updateOne","KnownAddress.updateMany","KnownAddress.updateManyAndReturn","KnownAddress.upsertOne","KnownAddress.deleteOne","KnownAddress.deleteMany","KnownAddress.groupBy","KnownAddress.aggregate","Mail.findUnique","Mail.findUniqueOrThrow","Mail.findFirst","Mail.findFirstOrThrow","Mail.findMany","Mail.createOne","Mail.createMany","Mail.createManyAndReturn","Mail.updateOne","Mail.updateMany","Mail.updateManyAndReturn","Mail.upsertOne","Mail.deleteOne","Mail.deleteMany","Mail.groupBy","Mail.aggregate","AND","OR","NOT","id","MailKind","kind","username","email","userId","language","requestId","createdAt","attempts","dueAt","claimedUntil","equals","in","notIn","lt","lte","gt","gte","not","contains","startsWith","endsWith","client","tokenVersion","lastLoginAt","deletedAt","startedAt","lastUsedAt","endedAt","userAgent","passwordHash","passwordTemporary","userType","role","adpStatus","bookChapterApproverDesignation","tokensRevokedAt","resetTokenHash","resetTokenExpiresAt","pendingResetTokenHash","pendingResetTokenExpiresAt","pendingResetTokenVersion","disabledAt","updatedAt","userId_client","every","some","none","is","isNot","connectOrCreate","upsert","createMany","set","disconnect","delete","connect","updateMany","deleteMany","increment","decrement","multiply","divide"]'),
  graph: "pAI0UBkEAAC3AQAgBQAAuAEAIAYAALkBACBgAACzAQAwYQAABwAQYgAAswEAMGMCAAAAAWYBAAAAAWcBAAAAAWtAAKUBACF7AgCkAQAhggEBALQBACGDASAAtQEAIYQBAQCtAQAhhQEBAK0BACGGAQEAtAEAIYcBAQC0AQAhiAFAALABACGJAQEAAAABigFAALABACGLAQEAAAABjAFAALABACGNAQIAtgEAIY4BQACwAQAhjwFAAKUBACEBAAAAAQAgDwMAALwBACBgAAC6AQAwYQAAAwAQYgAAugEAMGMBALEBACFlAAC7AWUiZgEAtAEAIWcBALQBACFoAgC2AQAhaQEAtAEAIWoBAK0BACFrQAClAQAhbAIApAEAIW1AALABACFuQACwAQAhBwMAAJICACBmAAC9AQAgZwAAvQEAIGgAAL0BACBpAAC9AQAgbQAAvQEAIG4AAL0BACAPAwAAvAEAIGAAALoBADBhAAADABBiAAC6AQAwYwEAAAABZQAAuwFlImYBALQBACFnAQC0AQAhaAIAtgEAIWkBALQBACFqAQCtAQAha0AApQEAIWwCAKQBACFtQACwAQAhbkAAsAEAIQMAAAADACABAAAEADACAAAFACAZBAAAtwEAIAUAALgBACAGAAC5AQAgYAAAswEAMGEAAAcAEGIAALMBADBjAgCkAQAhZgEArQEAIWcBALQBACFrQAClAQAhewIApAEAIYIBAQC0AQAhgwEgALUBACGEAQEArQEAIYUBAQCtAQAhhgEBALQBACGHAQEAtAEAIYgBQACwAQAhiQEBALQBACGKAUAAsAEAIYsBAQC0AQAhjAFAALABACGNAQIAtgEAIY4BQACwAQAhjwFAAKUBACEBAAAABwAgDAMAAK4BACBgAACvAQAwYQAACQAQYgAArwEAMGMBALEBACFoAgCkAQAhegEArQEAIXsCAKQBACF-QAClAQAhf0AApQEAIYABQACwAQAhgQEBAK0BACECAwAAkgIAIIABAAC9AQAgDAMAAK4BACBgAACvAQAwYQAACQAQYgAArwEAMGMBAAAAAWgCAKQBACF6AQCtAQAhewIApAEAIX5AAKUBACF_QAClAQAhgAFAALABACGBAQEArQEAIQMAAAAJACABAAAKADACAAALACAIAwAArgEAIGAAAKwBADBhAAANABBiAACsAQAwaAIApAEAIXoBAK0BACF7AgCkAQAhfEAApQEAIQEDAACSAgAgCQMAAK4BACBgAACsAQAwYQAADQAQYgAArAEAMGgCAKQBACF6AQCtAQAhewIApAEAIXxAAKUBACGQAQAAqwEAIAMAAAANACABAAAOADACAAAPACABAAAAAwAgAQAAAAkAIAEAAAANACABAAAAAQAgDgQAAI8CACAFAACQAgAgBgAAkQIAIGcAAL0BACCCAQAAvQEAIIYBAAC9AQAghwEAAL0BACCIAQAAvQEAIIkBAAC9AQAgigEAAL0BACCLAQAAvQEAIIwBAAC9AQAgjQEAAL0BACCOAQAAvQEAIAMAAAAHACABAAAVADACAAABACADAAAABwAgAQAAFQAwAgAAAQAgAwAAAAcAIAEAABUAMAIAAAEAIBYEAACMAgAgBQAAjQIAIAYAAI4CACBjAgAAAAFmAQAAAAFnAQAAAAFrQAAAAAF7AgAAAAGCAQEAAAABgwEgAAAAAYQBAQAAAAGFAQEAAAABhgEBAAAAAYcBAQAAAAGIAUAAAAABiQEBAAAAAYoBQAAAAAGLAQEAAAABjAFAAAAAAY0BAgAAAAGOAUAAAAABjwFAAAAAAQENAAAZACATYwIAAAABZgEAAAABZwEAAAABa0AAAAABewIAAAABggEBAAAAAYMBIAAAAAGEAQEAAAABhQEBAAAAAYYBAQAAAAGHAQEAAAABiAFAAAAAAYkBAQAAAAGKAUAAAAABiwEBAAAAAYwBQAAAAAGNAQIAAAABjgFAAAAAAY8BQAAAAAEBDQAAGwAwAQ0AABsAMBYEAADlAQAgBQAA5gEAIAYAAOcBACBjAgDHAQAhZgEAwwEAIWcBAMUBACFrQADGAQAhewIAxwEAIYIBAQDFAQAhgwEgAOQBACGEAQEAwwEAIYUBAQDDAQAhhgEBAMUBACGHAQEAxQEAIYgBQADIAQAhiQEBAMUBACGKAUAAyAEAIYsBAQDFAQAhjAFAAMgBACGNAQIAyQEAIY4BQADIAQAhjwFAAMYBACECAAAAAQAgDQAAHgAgE2MCAMcBACFmAQDDAQAhZwEAxQEAIWtAAMYBACF7AgDHAQAhggEBAMUBACGDASAA5AEAIYQBAQDDAQAhhQEBAMMBACGGAQEAxQEAIYcBAQDFAQAhiAFAAMgBACGJAQEAxQEAIYoBQADIAQAhiwEBAMUBACGMAUAAyAEAIY0BAgDJAQAhjgFAAMgBACGPAUAAxgEAIQIAAAAHACANAAAgACACAAAABwAgDQAAIAAgAwAAAAEAIBQAABkAIBUAAB4AIAEAAAABACABAAAABwAgEAcAAN8BACAaAADgAQAgGwAA4wEAIBwAAOIBACAdAADhAQAgZwAAvQEAIIIBAAC9AQAghgEAAL0BACCHAQAAvQEAIIgBAAC9AQAgiQEAAL0BACCKAQAAvQEAIIsBAAC9AQAgjAEAAL0BACCNAQAAvQEAII4BAAC9AQAgFmAAAKcBADBhAAAnABBiAACnAQAwYwIAjgEAIWYBAIwBACFnAQCKAQAha0AAjQEAIXsCAI4BACGCAQEAigEAIYMBIACoAQAhhAEBAIwBACGFAQEAjAEAIYYBAQCKAQAhhwEBAIoBACGIAUAAjwEAIYkBAQCKAQAhigFAAI8BACGLAQEAigEAIYwBQACPAQAhjQECAIsBACGOAUAAjwEAIY8BQACNAQAhAwAAAAcAIAEAACYAMBkAACcAIAMAAAAHACABAAAVADACAAABACABAAAACwAgAQAAAAsAIAMAAAAJACABAAAKADACAAALACADAAAACQAgAQAACgAwAgAACwAgAwAAAAkAIAEAAAoAMAIAAAsAIAkDAADeAQAgYwEAAAABaAIAAAABegEAAAABewIAAAABfkAAAAABf0AAAAABgAFAAAAAAYEBAQAAAAEBDQAALwAgCGMBAAAAAWgCAAAAAXoBAAAAAXsCAAAAAX5AAAAAAX9AAAAAAYABQAAAAAGBAQEAAAABAQ0AADEAMAENAAAxADAJAwAA3QEAIGMBAMMBACFoAgDHAQAhegEAwwEAIXsCAMcBACF-QADGAQAhf0AAxgEAIYABQADIAQAhgQEBAMMBACECAAAACwAgDQAANAAgCGMBAMMBACFoAgDHAQAhegEAwwEAIXsCAMcBACF-QADGAQAhf0AAxgEAIYABQADIAQAhgQEBAMMBACECAAAACQAgDQAANgAgAgAAAAkAIA0AADYAIAMAAAALACAUAAAvACAVAAA0ACABAAAACwAgAQAAAAkAIAYHAADYAQAgGgAA2QEAIBsAANwBACAcAADbAQAgHQAA2gEAIIABAAC9AQAgC2AAAKYBADBhAAA9ABBiAACmAQAwYwEAiAEAIWgCAI4BACF6AQCMAQAhewIAjgEAIX5AAI0BACF_QACNAQAhgAFAAI8BACGBAQEAjAEAIQMAAAAJACABAAA8ADAZAAA9ACADAAAACQAgAQAACgAwAgAACwAgBWAAAKMBADBhAABDABBiAACjAQAwYwIAAAABfUAApQEAIQEAAABAACABAAAAQAAgBWAAAKMBADBhAABDABBiAACjAQAwYwIApAEAIX1AAKUBACEAAwAAAEMAIAEAAEQAMAIAAEAAIAMAAABDACABAABEADACAABAACADAAAAQwAgAQAARAAwAgAAQAAgAmMCAAAAAX1AAAAAAQENAABIACACYwIAAAABfUAAAAABAQ0AAEoAMAENAABKADACYwIAxwEAIX1AAMYBACECAAAAQAAgDQAATQAgAmMCAMcBACF9QADGAQAhAgAAAEMAIA0AAE8AIAIAAABDACANAABPACADAAAAQAAgFAAASAAgFQAATQAgAQAAAEAAIAEAAABDACAFBwAA0wEAIBoAANQBACAbAADXAQAgHAAA1gEAIB0AANUBACAFYAAAogEAMGEAAFYAEGIAAKIBADBjAgCOAQAhfUAAjQEAIQMAAABDACABAABVADAZAABWACADAAAAQwAgAQAARAAwAgAAQAAgAQAAAA8AIAEAAAAPACADAAAADQAgAQAADgAwAgAADwAgAwAAAA0AIAEAAA4AMAIAAA8AIAMAAAANACABAAAOADACAAAPACAFAwAA0gEAIGgCAAAAAXoBAAAAAXsCAAAAAXxAAAAAAQENAABeACAEaAIAAAABegEAAAABewIAAAABfEAAAAABAQ0AAGAAMAENAABgADAFAwAA0QEAIGgCAMcBACF6AQDDAQAhewIAxwEAIXxAAMYBACECAAAADwAgDQAAYwAgBGgCAMcBACF6AQDDAQAhewIAxwEAIXxAAMYBACECAAAADQAgDQAAZQAgAgAAAA0AIA0AAGUAIAMAAAAPACAUAABeACAVAABjACABAAAADwAgAQAAAA0AIAUHAADMAQAgGgAAzQEAIBsAANABACAcAADPAQAgHQAAzgEAIAdgAAChAQAwYQAAbAAQYgAAoQEAMGgCAI4BACF6AQCMAQAhewIAjgEAIXxAAI0BACEDAAAADQAgAQAAawAwGQAAbAAgAwAAAA0AIAEAAA4AMAIAAA8AIAEAAAAFACABAAAABQAgAwAAAAMAIAEAAAQAMAIAAAUAIAMAAAADACABAAAEADACAAAFACADAAAAAwAgAQAABAAwAgAABQAgDAMAAMsBACBjAQAAAAFlAAAAZQJmAQAAAAFnAQAAAAFoAgAAAAFpAQAAAAFqAQAAAAFrQAAAAAFsAgAAAAFtQAAAAAFuQAAAAAEBDQAAdAAgC2MBAAAAAWUAAABlAmYBAAAAAWcBAAAAAWgCAAAAAWkBAAAAAWoBAAAAAWtAAAAAAWwCAAAAAW1AAAAAAW5AAAAAAQENAAB2ADABDQAAdgAwAQAAAAcAIAwDAADKAQAgYwEAwwEAIWUAAMQBZSJmAQDFAQAhZwEAxQEAIWgCAMkBACFpAQDFAQAhagEAwwEAIWtAAMYBACFsAgDHAQAhbUAAyAEAIW5AAMgBACECAAAABQAgDQAAegAgC2MBAMMBACFlAADEAWUiZgEAxQEAIWcBAMUBACFoAgDJAQAhaQEAxQEAIWoBAMMBACFrQADGAQAhbAIAxwEAIW1AAMgBACFuQADIAQAhAgAAAAMAIA0AAHwAIAIAAAADACANAAB8ACABAAAABwAgAwAAAAUAIBQAAHQAIBUAAHoAIAEAAAAFACABAAAAAwAgCwcAAL4BACAaAAC_AQAgGwAAwgEAIBwAAMEBACAdAADAAQAgZgAAvQEAIGcAAL0BACBoAAC9AQAgaQAAvQEAIG0AAL0BACBuAAC9AQAgDmAAAIcBADBhAACEAQAQYgAAhwEAMGMBAIgBACFlAACJAWUiZgEAigEAIWcBAIoBACFoAgCLAQAhaQEAigEAIWoBAIwBACFrQACNAQAhbAIAjgEAIW1AAI8BACFuQACPAQAhAwAAAAMAIAEAAIMBADAZAACEAQAgAwAAAAMAIAEAAAQAMAIAAAUAIA5gAACHAQAwYQAAhAEAEGIAAIcBADBjAQCIAQAhZQAAiQFlImYBAIoBACFnAQCKAQAhaAIAiwEAIWkBAIoBACFqAQCMAQAha0AAjQEAIWwCAI4BACFtQACPAQAhbkAAjwEAIQsHAACUAQAgHAAAmQEAIB0AAJkBACBvAQAAAAFwAQAAAARxAQAAAARyAQAAAAFzAQAAAAF0AQAAAAF1AQAAAAF2AQCgAQAhBwcAAJQBACAcAACfAQAgHQAAnwEAIG8AAABlAnAAAABlCHEAAABlCHYAAJ4BZSIOBwAAkQEAIBwAAJ0BACAdAACdAQAgbwEAAAABcAEAAAAFcQEAAAAFcgEAAAABcwEAAAABdAEAAAABdQEAAAABdgEAnAEAIXcBAAAAAXgBAAAAAXkBAAAAAQ0HAACRAQAgGgAAmwEAIBsAAJEBACAcAACRAQAgHQAAkQEAIG8CAAAAAXACAAAABXECAAAABXICAAAAAXMCAAAAAXQCAAAAAXUCAAAAAXYCAJoBACEOBwAAlAEAIBwAAJkBACAdAACZAQAgbwEAAAABcAEAAAAEcQEAAAAEcgEAAAABcwEAAAABdAEAAAABdQEAAAABdgEAmAEAIXcBAAAAAXgBAAAAAXkBAAAAAQsHAACUAQAgHAAAlwEAIB0AAJcBACBvQAAAAAFwQAAAAARxQAAAAARyQAAAAAFzQAAAAAF0QAAAAAF1QAAAAAF2QACWAQAhDQcAAJQBACAaAACVAQAgGwAAlAEAIBwAAJQBACAdAACUAQAgbwIAAAABcAIAAAAEcQIAAAAEcgIAAAABcwIAAAABdAIAAAABdQIAAAABdgIAkwEAIQsHAACRAQAgHAAAkgEAIB0AAJIBACBvQAAAAAFwQAAAAAVxQAAAAAVyQAAAAAFzQAAAAAF0QAAAAAF1QAAAAAF2QACQAQAhCwcAAJEBACAcAACSAQAgHQAAkgEAIG9AAAAAAXBAAAAABXFAAAAABXJAAAAAAXNAAAAAAXRAAAAAAXVAAAAAAXZAAJABACEIbwIAAAABcAIAAAAFcQIAAAAFcgIAAAABcwIAAAABdAIAAAABdQIAAAABdgIAkQEAIQhvQAAAAAFwQAAAAAVxQAAAAAVyQAAAAAFzQAAAAAF0QAAAAAF1QAAAAAF2QACSAQAhDQcAAJQBACAaAACVAQAgGwAAlAEAIBwAAJQBACAdAACUAQAgbwIAAAABcAIAAAAEcQIAAAAEcgIAAAABcwIAAAABdAIAAAABdQIAAAABdgIAkwEAIQhvAgAAAAFwAgAAAARxAgAAAARyAgAAAAFzAgAAAAF0AgAAAAF1AgAAAAF2AgCUAQAhCG8IAAAAAXAIAAAABHEIAAAABHIIAAAAAXMIAAAAAXQIAAAAAXUIAAAAAXYIAJUBACELBwAAlAEAIBwAAJcBACAdAACXAQAgb0AAAAABcEAAAAAEcUAAAAAEckAAAAABc0AAAAABdEAAAAABdUAAAAABdkAAlgEAIQhvQAAAAAFwQAAAAARxQAAAAARyQAAAAAFzQAAAAAF0QAAAAAF1QAAAAAF2QACXAQAhDgcAAJQBACAcAACZAQAgHQAAmQEAIG8BAAAAAXABAAAABHEBAAAABHIBAAAAAXMBAAAAAXQBAAAAAXUBAAAAAXYBAJgBACF3AQAAAAF4AQAAAAF5AQAAAAELbwEAAAABcAEAAAAEcQEAAAAEcgEAAAABcwEAAAABdAEAAAABdQEAAAABdgEAmQEAIXcBAAAAAXgBAAAAAXkBAAAAAQ0HAACRAQAgGgAAmwEAIBsAAJEBACAcAACRAQAgHQAAkQEAIG8CAAAAAXACAAAABXECAAAABXICAAAAAXMCAAAAAXQCAAAAAXUCAAAAAXYCAJoBACEIbwgAAAABcAgAAAAFcQgAAAAFcggAAAABcwgAAAABdAgAAAABdQgAAAABdggAmwEAIQ4HAACRAQAgHAAAnQEAIB0AAJ0BACBvAQAAAAFwAQAAAAVxAQAAAAVyAQAAAAFzAQAAAAF0AQAAAAF1AQAAAAF2AQCcAQAhdwEAAAABeAEAAAABeQEAAAABC28BAAAAAXABAAAABXEBAAAABXIBAAAAAXMBAAAAAXQBAAAAAXUBAAAAAXYBAJ0BACF3AQAAAAF4AQAAAAF5AQAAAAEHBwAAlAEAIBwAAJ8BACAdAACfAQAgbwAAAGUCcAAAAGUIcQAAAGUIdgAAngFlIgRvAAAAZQJwAAAAZQhxAAAAZQh2AACfAWUiCwcAAJQBACAcAACZAQAgHQAAmQEAIG8BAAAAAXABAAAABHEBAAAABHIBAAAAAXMBAAAAAXQBAAAAAXUBAAAAAXYBAKABACEHYAAAoQEAMGEAAGwAEGIAAKEBADBoAgCOAQAhegEAjAEAIXsCAI4BACF8QACNAQAhBWAAAKIBADBhAABWABBiAACiAQAwYwIAjgEAIX1AAI0BACEFYAAAowEAMGEAAEMAEGIAAKMBADBjAgCkAQAhfUAApQEAIQhvAgAAAAFwAgAAAARxAgAAAARyAgAAAAFzAgAAAAF0AgAAAAF1AgAAAAF2AgCUAQAhCG9AAAAAAXBAAAAABHFAAAAABHJAAAAAAXNAAAAAAXRAAAAAAXVAAAAAAXZAAJcBACELYAAApgEAMGEAAD0AEGIAAKYBADBjAQCIAQAhaAIAjgEAIXoBAIwBACF7AgCOAQAhfkAAjQEAIX9AAI0BACGAAUAAjwEAIYEBAQCMAQAhFmAAAKcBADBhAAAnABBiAACnAQAwYwIAjgEAIWYBAIwBACFnAQCKAQAha0AAjQEAIXsCAI4BACGCAQEAigEAIYMBIACoAQAhhAEBAIwBACGFAQEAjAEAIYYBAQCKAQAhhwEBAIoBACGIAUAAjwEAIYkBAQCKAQAhigFAAI8BACGLAQEAigEAIYwBQACPAQAhjQECAIsBACGOAUAAjwEAIY8BQACNAQAhBQcAAJQBACAcAACqAQAgHQAAqgEAIG8gAAAAAXYgAKkBACEFBwAAlAEAIBwAAKoBACAdAACqAQAgbyAAAAABdiAAqQEAIQJvIAAAAAF2IACqAQAhAmgCAAAAAXoBAAAAAQgDAACuAQAgYAAArAEAMGEAAA0AEGIAAKwBADBoAgCkAQAhegEArQEAIXsCAKQBACF8QAClAQAhC28BAAAAAXABAAAABHEBAAAABHIBAAAAAXMBAAAAAXQBAAAAAXUBAAAAAXYBAJkBACF3AQAAAAF4AQAAAAF5AQAAAAEbBAAAtwEAIAUAALgBACAGAAC5AQAgYAAAswEAMGEAAAcAEGIAALMBADBjAgCkAQAhZgEArQEAIWcBALQBACFrQAClAQAhewIApAEAIYIBAQC0AQAhgwEgALUBACGEAQEArQEAIYUBAQCtAQAhhgEBALQBACGHAQEAtAEAIYgBQACwAQAhiQEBALQBACGKAUAAsAEAIYsBAQC0AQAhjAFAALABACGNAQIAtgEAIY4BQACwAQAhjwFAAKUBACGUAQAABwAglQEAAAcAIAwDAACuAQAgYAAArwEAMGEAAAkAEGIAAK8BADBjAQCxAQAhaAIApAEAIXoBAK0BACF7AgCkAQAhfkAApQEAIX9AAKUBACGAAUAAsAEAIYEBAQCtAQAhCG9AAAAAAXBAAAAABXFAAAAABXJAAAAAAXNAAAAAAXRAAAAAAXVAAAAAAXZAAJIBACEIbwEAAAABcAEAAAAEcQEAAAAEcgEAAAABcwEAAAABdAEAAAABdQEAAAABdgEAsgEAIQhvAQAAAAFwAQAAAARxAQAAAARyAQAAAAFzAQAAAAF0AQAAAAF1AQAAAAF2AQCyAQAhGQQAALcBACAFAAC4AQAgBgAAuQEAIGAAALMBADBhAAAHABBiAACzAQAwYwIApAEAIWYBAK0BACFnAQC0AQAha0AApQEAIXsCAKQBACGCAQEAtAEAIYMBIAC1AQAhhAEBAK0BACGFAQEArQEAIYYBAQC0AQAhhwEBALQBACGIAUAAsAEAIYkBAQC0AQAhigFAALABACGLAQEAtAEAIYwBQACwAQAhjQECALYBACGOAUAAsAEAIY8BQAClAQAhC28BAAAAAXABAAAABXEBAAAABXIBAAAAAXMBAAAAAXQBAAAAAXUBAAAAAXYBAJ0BACF3AQAAAAF4AQAAAAF5AQAAAAECbyAAAAABdiAAqgEAIQhvAgAAAAFwAgAAAAVxAgAAAAVyAgAAAAFzAgAAAAF0AgAAAAF1AgAAAAF2AgCRAQAhA5EBAAADACCSAQAAAwAgkwEAAAMAIAORAQAACQAgkgEAAAkAIJMBAAAJACADkQEAAA0AIJIBAAANACCTAQAADQAgDwMAALwBACBgAAC6AQAwYQAAAwAQYgAAugEAMGMBALEBACFlAAC7AWUiZgEAtAEAIWcBALQBACFoAgC2AQAhaQEAtAEAIWoBAK0BACFrQAClAQAhbAIApAEAIW1AALABACFuQACwAQAhBG8AAABlAnAAAABlCHEAAABlCHYAAJ8BZSIbBAAAtwEAIAUAALgBACAGAAC5AQAgYAAAswEAMGEAAAcAEGIAALMBADBjAgCkAQAhZgEArQEAIWcBALQBACFrQAClAQAhewIApAEAIYIBAQC0AQAhgwEgALUBACGEAQEArQEAIYUBAQCtAQAhhgEBALQBACGHAQEAtAEAIYgBQACwAQAhiQEBALQBACGKAUAAsAEAIYsBAQC0AQAhjAFAALABACGNAQIAtgEAIY4BQACwAQAhjwFAAKUBACGUAQAABwAglQEAAAcAIAAAAAAAAAGZAQEAAAABAZkBAAAAZQIBmQEBAAAAAQGZAUAAAAABBZkBAgAAAAGfAQIAAAABoAECAAAAAaEBAgAAAAGiAQIAAAABAZkBQAAAAAEFmQECAAAAAZ8BAgAAAAGgAQIAAAABoQECAAAAAaIBAgAAAAEHFAAAoAIAIBUAAKMCACCWAQAAoQIAIJcBAACiAgAgmgEAAAcAIJsBAAAHACCcAQAAAQAgAxQAAKACACCWAQAAoQIAIJwBAAABACAAAAAAAAUUAACbAgAgFQAAngIAIJYBAACcAgAglwEAAJ0CACCcAQAAAQAgAxQAAJsCACCWAQAAnAIAIJwBAAABACAAAAAAAAAAAAAABRQAAJYCACAVAACZAgAglgEAAJcCACCXAQAAmAIAIJwBAAABACADFAAAlgIAIJYBAACXAgAgnAEAAAEAIAAAAAAAAZkBIAAAAAELFAAAgAIAMBUAAIUCADCWAQAAgQIAMJcBAACCAgAwmAEAAIMCACCZAQAAhAIAMJoBAACEAgAwmwEAAIQCADCcAQAAhAIAMJ0BAACGAgAwngEAAIcCADALFAAA9AEAMBUAAPkBADCWAQAA9QEAMJcBAAD2AQAwmAEAAPcBACCZAQAA-AEAMJoBAAD4AQAwmwEAAPgBADCcAQAA-AEAMJ0BAAD6AQAwngEAAPsBADALFAAA6AEAMBUAAO0BADCWAQAA6QEAMJcBAADqAQAwmAEAAOsBACCZAQAA7AEAMJoBAADsAQAwmwEAAOwBADCcAQAA7AEAMJ0BAADuAQAwngEAAO8BADADegEAAAABewIAAAABfEAAAAABAgAAAA8AIBQAAPMBACADAAAADwAgFAAA8wEAIBUAAPIBACABDQAAlQIAMAkDAACuAQAgYAAArAEAMGEAAA0AEGIAAKwBADBoAgCkAQAhegEArQEAIXsCAKQBACF8QAClAQAhkAEAAKsBACACAAAADwAgDQAA8gEAIAIAAADwAQAgDQAA8QEAIAdgAADvAQAwYQAA8AEAEGIAAO8BADBoAgCkAQAhegEArQEAIXsCAKQBACF8QAClAQAhB2AAAO8BADBhAADwAQAQYgAA7wEAMGgCAKQBACF6AQCtAQAhewIApAEAIXxAAKUBACEDegEAwwEAIXsCAMcBACF8QADGAQAhA3oBAMMBACF7AgDHAQAhfEAAxgEAIQN6AQAAAAF7AgAAAAF8QAAAAAEHYwEAAAABegEAAAABewIAAAABfkAAAAABf0AAAAABgAFAAAAAAYEBAQAAAAECAAAACwAgFAAA_wEAIAMAAAALACAUAAD_AQAgFQAA_gEAIAENAACUAgAwDAMAAK4BACBgAACvAQAwYQAACQAQYgAArwEAMGMBAAAAAWgCAKQBACF6AQCtAQAhewIApAEAIX5AAKUBACF_QAClAQAhgAFAALABACGBAQEArQEAIQIAAAALACANAAD-AQAgAgAAAPwBACANAAD9AQAgC2AAAPsBADBhAAD8AQAQYgAA-wEAMGMBALEBACFoAgCkAQAhegEArQEAIXsCAKQBACF-QAClAQAhf0AApQEAIYABQACwAQAhgQEBAK0BACELYAAA-wEAMGEAAPwBABBiAAD7AQAwYwEAsQEAIWgCAKQBACF6AQCtAQAhewIApAEAIX5AAKUBACF_QAClAQAhgAFAALABACGBAQEArQEAIQdjAQDDAQAhegEAwwEAIXsCAMcBACF-QADGAQAhf0AAxgEAIYABQADIAQAhgQEBAMMBACEHYwEAwwEAIXoBAMMBACF7AgDHAQAhfkAAxgEAIX9AAMYBACGAAUAAyAEAIYEBAQDDAQAhB2MBAAAAAXoBAAAAAXsCAAAAAX5AAAAAAX9AAAAAAYABQAAAAAGBAQEAAAABCmMBAAAAAWUAAABlAmYBAAAAAWcBAAAAAWkBAAAAAWoBAAAAAWtAAAAAAWwCAAAAAW1AAAAAAW5AAAAAAQIAAAAFACAUAACLAgAgAwAAAAUAIBQAAIsCACAVAACKAgAgAQ0AAJMCADAPAwAAvAEAIGAAALoBADBhAAADABBiAAC6AQAwYwEAAAABZQAAuwFlImYBALQBACFnAQC0AQAhaAIAtgEAIWkBALQBACFqAQCtAQAha0AApQEAIWwCAKQBACFtQACwAQAhbkAAsAEAIQIAAAAFACANAACKAgAgAgAAAIgCACANAACJAgAgDmAAAIcCADBhAACIAgAQYgAAhwIAMGMBALEBACFlAAC7AWUiZgEAtAEAIWcBALQBACFoAgC2AQAhaQEAtAEAIWoBAK0BACFrQAClAQAhbAIApAEAIW1AALABACFuQACwAQAhDmAAAIcCADBhAACIAgAQYgAAhwIAMGMBALEBACFlAAC7AWUiZgEAtAEAIWcBALQBACFoAgC2AQAhaQEAtAEAIWoBAK0BACFrQAClAQAhbAIApAEAIW1AALABACFuQACwAQAhCmMBAMMBACFlAADEAWUiZgEAxQEAIWcBAMUBACFpAQDFAQAhagEAwwEAIWtAAMYBACFsAgDHAQAhbUAAyAEAIW5AAMgBACEKYwEAwwEAIWUAAMQBZSJmAQDFAQAhZwEAxQEAIWkBAMUBACFqAQDDAQAha0AAxgEAIWwCAMcBACFtQADIAQAhbkAAyAEAIQpjAQAAAAFlAAAAZQJmAQAAAAFnAQAAAAFpAQAAAAFqAQAAAAFrQAAAAAFsAgAAAAFtQAAAAAFuQAAAAAEEFAAAgAIAMJYBAACBAgAwmAEAAIMCACCcAQAAhAIAMAQUAAD0AQAwlgEAAPUBADCYAQAA9wEAIJwBAAD4AQAwBBQAAOgBADCWAQAA6QEAMJgBAADrAQAgnAEAAOwBADAAAAAOBAAAjwIAIAUAAJACACAGAACRAgAgZwAAvQEAIIIBAAC9AQAghgEAAL0BACCHAQAAvQEAIIgBAAC9AQAgiQEAAL0BACCKAQAAvQEAIIsBAAC9AQAgjAEAAL0BACCNAQAAvQEAII4BAAC9AQAgCmMBAAAAAWUAAABlAmYBAAAAAWcBAAAAAWkBAAAAAWoBAAAAAWtAAAAAAWwCAAAAAW1AAAAAAW5AAAAAAQdjAQAAAAF6AQAAAAF7AgAAAAF-QAAAAAF_QAAAAAGAAUAAAAABgQEBAAAAAQN6AQAAAAF7AgAAAAF8QAAAAAEVBAAAjAIAIAYAAI4CACBjAgAAAAFmAQAAAAFnAQAAAAFrQAAAAAF7AgAAAAGCAQEAAAABgwEgAAAAAYQBAQAAAAGFAQEAAAABhgEBAAAAAYcBAQAAAAGIAUAAAAABiQEBAAAAAYoBQAAAAAGLAQEAAAABjAFAAAAAAY0BAgAAAAGOAUAAAAABjwFAAAAAAQIAAAABACAUAACWAgAgAwAAAAcAIBQAAJYCACAVAACaAgAgFwAAAAcAIAQAAOUBACAGAADnAQAgDQAAmgIAIGMCAMcBACFmAQDDAQAhZwEAxQEAIWtAAMYBACF7AgDHAQAhggEBAMUBACGDASAA5AEAIYQBAQDDAQAhhQEBAMMBACGGAQEAxQEAIYcBAQDFAQAhiAFAAMgBACGJAQEAxQEAIYoBQADIAQAhiwEBAMUBACGMAUAAyAEAIY0BAgDJAQAhjgFAAMgBACGPAUAAxgEAIRUEAADlAQAgBgAA5wEAIGMCAMcBACFmAQDDAQAhZwEAxQEAIWtAAMYBACF7AgDHAQAhggEBAMUBACGDASAA5AEAIYQBAQDDAQAhhQEBAMMBACGGAQEAxQEAIYcBAQDFAQAhiAFAAMgBACGJAQEAxQEAIYoBQADIAQAhiwEBAMUBACGMAUAAyAEAIY0BAgDJAQAhjgFAAMgBACGPAUAAxgEAIRUEAACMAgAgBQAAjQIAIGMCAAAAAWYBAAAAAWcBAAAAAWtAAAAAAXsCAAAAAYIBAQAAAAGDASAAAAABhAEBAAAAAYUBAQAAAAGGAQEAAAABhwEBAAAAAYgBQAAAAAGJAQEAAAABigFAAAAAAYsBAQAAAAGMAUAAAAABjQECAAAAAY4BQAAAAAGPAUAAAAABAgAAAAEAIBQAAJsCACADAAAABwAgFAAAmwIAIBUAAJ8CACAXAAAABwAgBAAA5QEAIAUAAOYBACANAACfAgAgYwIAxwEAIWYBAMMBACFnAQDFAQAha0AAxgEAIXsCAMcBACGCAQEAxQEAIYMBIADkAQAhhAEBAMMBACGFAQEAwwEAIYYBAQDFAQAhhwEBAMUBACGIAUAAyAEAIYkBAQDFAQAhigFAAMgBACGLAQEAxQEAIYwBQADIAQAhjQECAMkBACGOAUAAyAEAIY8BQADGAQAhFQQAAOUBACAFAADmAQAgYwIAxwEAIWYBAMMBACFnAQDFAQAha0AAxgEAIXsCAMcBACGCAQEAxQEAIYMBIADkAQAhhAEBAMMBACGFAQEAwwEAIYYBAQDFAQAhhwEBAMUBACGIAUAAyAEAIYkBAQDFAQAhigFAAMgBACGLAQEAxQEAIYwBQADIAQAhjQECAMkBACGOAUAAyAEAIY8BQADGAQAhFQUAAI0CACAGAACOAgAgYwIAAAABZgEAAAABZwEAAAABa0AAAAABewIAAAABggEBAAAAAYMBIAAAAAGEAQEAAAABhQEBAAAAAYYBAQAAAAGHAQEAAAABiAFAAAAAAYkBAQAAAAGKAUAAAAABiwEBAAAAAYwBQAAAAAGNAQIAAAABjgFAAAAAAY8BQAAAAAECAAAAAQAgFAAAoAIAIAMAAAAHACAUAACgAgAgFQAApAIAIBcAAAAHACAFAADmAQAgBgAA5wEAIA0AAKQCACBjAgDHAQAhZgEAwwEAIWcBAMUBACFrQADGAQAhewIAxwEAIYIBAQDFAQAhgwEgAOQBACGEAQEAwwEAIYUBAQDDAQAhhgEBAMUBACGHAQEAxQEAIYgBQADIAQAhiQEBAMUBACGKAUAAyAEAIYsBAQDFAQAhjAFAAMgBACGNAQIAyQEAIY4BQADIAQAhjwFAAMYBACEVBQAA5gEAIAYAAOcBACBjAgDHAQAhZgEAwwEAIWcBAMUBACFrQADGAQAhewIAxwEAIYIBAQDFAQAhgwEgAOQBACGEAQEAwwEAIYUBAQDDAQAhhgEBAMUBACGHAQEAxQEAIYgBQADIAQAhiQEBAMUBACGKAUAAyAEAIYsBAQDFAQAhjAFAAMgBACGNAQIAyQEAIY4BQADIAQAhjwFAAMYBACEEBAYCBQwDBhAEBwAFAQMIAQEDAAEBAwABAwQRAAUSAAYTAAAAAAUHAAoaAAsbAAwcAA0dAA4AAAAAAAUHAAoaAAsbAAwcAA0dAA4BAwABAQMAAQUHABMaABQbABUcABYdABcAAAAAAAUHABMaABQbABUcABYdABcAAAAFBwAdGgAeGwAfHAAgHQAhAAAAAAAFBwAdGgAeGwAfHAAgHQAhAQMAAQEDAAEFBwAmGgAnGwAoHAApHQAqAAAAAAAFBwAmGgAnGwAoHAApHQAqAQN5AQEDfwEFBwAvGgAwGwAxHAAyHQAzAAAAAAAFBwAvGgAwGwAxHAAyHQAzCAIBCRQBChYBCxcBDBgBDhoBDxwGEB0HER8BEiEGEyIIFiMBFyQBGCUGHigJHykPICoDISsDIiwDIy0DJC4DJTADJjIGJzMQKDUDKTcGKjgRKzkDLDoDLTsGLj4SLz8YMEEZMUIZMkUZM0YZNEcZNUkZNksGN0waOE4ZOVAGOlEbO1IZPFMZPVQGPlccP1giQFkEQVoEQlsEQ1wERF0ERV8ERmEGR2IjSGQESWYGSmckS2gETGkETWoGTm0lT24rUG8CUXACUnECU3ICVHMCVXUCVncGV3gsWHsCWX0GWn4tW4ABAlyBAQJdggEGXoUBLl-GATQ"
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
