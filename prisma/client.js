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
  /// Since when a login needs a code, too; null if it needs none. See src/second-factor/.
  secondFactorSince              DateTime? @map("second_factor_since") @db.Timestamptz(3)
  createdAt                      DateTime  @default(now()) @map("created_at") @db.Timestamptz(3)
  updatedAt                      DateTime  @default(now()) @updatedAt @map("updated_at") @db.Timestamptz(3)

  secondFactor   SecondFactor?
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

/// What a user's second factor is, and an enrolment that has begun. See src/second-factor/.
model SecondFactor {
  userId          Int       @id @map("user_id")
  user            User      @relation(fields: [userId], references: [id], onDelete: Cascade)
  /// Sealed; null without a factor.
  secret          String?
  /// The time step of RFC 6238 of the newest code that was accepted. It works no more, and no earlier one does.
  lastStep        Int       @default(0) @map("last_step")
  lastUsedAt      DateTime? @map("last_used_at") @db.Timestamptz(3)
  /// Wrong codes since the last accepted one.
  wrongCodes      Int       @default(0) @map("wrong_codes")
  /// Those of them that came with one password, and the SHA-256 of its bcrypt hash.
  wrongOfPassword Int       @default(0) @map("wrong_of_password")
  passwordDigest  String?   @map("password_digest")
  /// What was wrong with the last code that was refused, such as \`late\`.
  lastRefusal     String?   @map("last_refusal")
  lastRefusedAt   DateTime? @map("last_refused_at") @db.Timestamptz(3)
  /// The secret of the newest link, sealed. It becomes the secret as soon as a code of it is accepted.
  newSecret       String?   @map("new_secret")
  /// SHA-256, in hexadecimal, of the link's token.
  linkHash        String?   @unique @map("link_hash")
  linkExpiresAt   DateTime? @map("link_expires_at") @db.Timestamptz(3)
  /// The user's token version when the link was made, and the address that it was mailed to. It is void with others.
  linkVersion     Int?      @map("link_version")
  linkEmail       String?   @map("link_email")
  /// How many secrets were made. Each has another name in an authenticator.
  beginnings      Int       @default(0)

  recoveryCodes RecoveryCode[]

  @@map("second_factors")
}

/// SHA-256, in hexadecimal, of a recovery code that was not used yet.
model RecoveryCode {
  userId Int          @map("user_id")
  factor SecondFactor @relation(fields: [userId], references: [userId], onDelete: Cascade)
  hash   String

  @@id([userId, hash])
  @@map("recovery_codes")
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
  second_factor
  second_factor_removed
  password_stolen

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
config.runtimeDataModel = JSON.parse('{"models":{"User":{"fields":[{"name":"id","kind":"scalar","type":"Int"},{"name":"username","kind":"scalar","type":"String"},{"name":"email","kind":"scalar","type":"String"},{"name":"passwordHash","kind":"scalar","type":"String","dbName":"password_hash"},{"name":"passwordTemporary","kind":"scalar","type":"Boolean","dbName":"password_temporary"},{"name":"selfRegistered","kind":"scalar","type":"Boolean","dbName":"self_registered"},{"name":"userType","kind":"scalar","type":"String","dbName":"user_type"},{"name":"role","kind":"scalar","type":"String"},{"name":"adpStatus","kind":"scalar","type":"String","dbName":"adp_status"},{"name":"bookChapterApproverDesignation","kind":"scalar","type":"String","dbName":"book_chapter_approver_designation"},{"name":"tokenVersion","kind":"scalar","type":"Int","dbName":"token_version"},{"name":"tokensRevokedAt","kind":"scalar","type":"DateTime","dbName":"tokens_revoked_at"},{"name":"resetTokenHash","kind":"scalar","type":"String","dbName":"reset_token_hash"},{"name":"resetTokenExpiresAt","kind":"scalar","type":"DateTime","dbName":"reset_token_expires_at"},{"name":"pendingResetTokenHash","kind":"scalar","type":"String","dbName":"pending_reset_token_hash"},{"name":"pendingResetTokenExpiresAt","kind":"scalar","type":"DateTime","dbName":"pending_reset_token_expires_at"},{"name":"pendingResetTokenVersion","kind":"scalar","type":"Int","dbName":"pending_reset_token_version"},{"name":"disabledAt","kind":"scalar","type":"DateTime","dbName":"disabled_at"},{"name":"disabledBySource","kind":"scalar","type":"Boolean","dbName":"disabled_by_source"},{"name":"source","kind":"scalar","type":"String"},{"name":"sourcedId","kind":"scalar","type":"String","dbName":"sourced_id"},{"name":"secondFactorSince","kind":"scalar","type":"DateTime","dbName":"second_factor_since"},{"name":"createdAt","kind":"scalar","type":"DateTime","dbName":"created_at"},{"name":"updatedAt","kind":"scalar","type":"DateTime","dbName":"updated_at"},{"name":"secondFactor","kind":"object","type":"SecondFactor","relationName":"SecondFactorToUser"},{"name":"mails","kind":"object","type":"Mail","relationName":"MailToUser"},{"name":"sessions","kind":"object","type":"Session","relationName":"SessionToUser"},{"name":"knownAddresses","kind":"object","type":"KnownAddress","relationName":"KnownAddressToUser"}],"dbName":"users","schema":null},"Session":{"fields":[{"name":"id","kind":"scalar","type":"String"},{"name":"userId","kind":"scalar","type":"Int","dbName":"user_id"},{"name":"user","kind":"object","type":"User","relationName":"SessionToUser"},{"name":"tokenVersion","kind":"scalar","type":"Int","dbName":"token_version"},{"name":"startedAt","kind":"scalar","type":"DateTime","dbName":"started_at"},{"name":"lastUsedAt","kind":"scalar","type":"DateTime","dbName":"last_used_at"},{"name":"endedAt","kind":"scalar","type":"DateTime","dbName":"ended_at"},{"name":"client","kind":"scalar","type":"String"},{"name":"userAgent","kind":"scalar","type":"String","dbName":"user_agent"}],"dbName":"sessions","schema":null},"SecondFactor":{"fields":[{"name":"userId","kind":"scalar","type":"Int","dbName":"user_id"},{"name":"user","kind":"object","type":"User","relationName":"SecondFactorToUser"},{"name":"secret","kind":"scalar","type":"String"},{"name":"lastStep","kind":"scalar","type":"Int","dbName":"last_step"},{"name":"lastUsedAt","kind":"scalar","type":"DateTime","dbName":"last_used_at"},{"name":"wrongCodes","kind":"scalar","type":"Int","dbName":"wrong_codes"},{"name":"wrongOfPassword","kind":"scalar","type":"Int","dbName":"wrong_of_password"},{"name":"passwordDigest","kind":"scalar","type":"String","dbName":"password_digest"},{"name":"lastRefusal","kind":"scalar","type":"String","dbName":"last_refusal"},{"name":"lastRefusedAt","kind":"scalar","type":"DateTime","dbName":"last_refused_at"},{"name":"newSecret","kind":"scalar","type":"String","dbName":"new_secret"},{"name":"linkHash","kind":"scalar","type":"String","dbName":"link_hash"},{"name":"linkExpiresAt","kind":"scalar","type":"DateTime","dbName":"link_expires_at"},{"name":"linkVersion","kind":"scalar","type":"Int","dbName":"link_version"},{"name":"linkEmail","kind":"scalar","type":"String","dbName":"link_email"},{"name":"beginnings","kind":"scalar","type":"Int"},{"name":"recoveryCodes","kind":"object","type":"RecoveryCode","relationName":"RecoveryCodeToSecondFactor"}],"dbName":"second_factors","schema":null},"RecoveryCode":{"fields":[{"name":"userId","kind":"scalar","type":"Int","dbName":"user_id"},{"name":"factor","kind":"object","type":"SecondFactor","relationName":"RecoveryCodeToSecondFactor"},{"name":"hash","kind":"scalar","type":"String"}],"dbName":"recovery_codes","schema":null},"DeletedUser":{"fields":[{"name":"id","kind":"scalar","type":"Int"},{"name":"deletedAt","kind":"scalar","type":"DateTime","dbName":"deleted_at"}],"dbName":"deleted_users","schema":null},"DatabaseMark":{"fields":[{"name":"mark","kind":"scalar","type":"String"},{"name":"madeAt","kind":"scalar","type":"DateTime","dbName":"made_at"},{"name":"unmarkedUntil","kind":"scalar","type":"DateTime","dbName":"unmarked_until"}],"dbName":"database_mark","schema":null},"KnownAddress":{"fields":[{"name":"userId","kind":"scalar","type":"Int","dbName":"user_id"},{"name":"user","kind":"object","type":"User","relationName":"KnownAddressToUser"},{"name":"client","kind":"scalar","type":"String"},{"name":"tokenVersion","kind":"scalar","type":"Int","dbName":"token_version"},{"name":"lastLoginAt","kind":"scalar","type":"DateTime","dbName":"last_login_at"}],"dbName":"known_addresses","schema":null},"Mail":{"fields":[{"name":"id","kind":"scalar","type":"String"},{"name":"kind","kind":"enum","type":"MailKind"},{"name":"username","kind":"scalar","type":"String"},{"name":"email","kind":"scalar","type":"String"},{"name":"userId","kind":"scalar","type":"Int","dbName":"user_id"},{"name":"user","kind":"object","type":"User","relationName":"MailToUser"},{"name":"language","kind":"scalar","type":"String"},{"name":"requestId","kind":"scalar","type":"String","dbName":"request_id"},{"name":"createdAt","kind":"scalar","type":"DateTime","dbName":"created_at"},{"name":"attempts","kind":"scalar","type":"Int"},{"name":"dueAt","kind":"scalar","type":"DateTime","dbName":"due_at"},{"name":"lastFailure","kind":"scalar","type":"String","dbName":"last_failure"},{"name":"claimedUntil","kind":"scalar","type":"DateTime","dbName":"claimed_until"},{"name":"sentAt","kind":"scalar","type":"DateTime","dbName":"sent_at"},{"name":"refusedAt","kind":"scalar","type":"DateTime","dbName":"refused_at"},{"name":"letterId","kind":"scalar","type":"String","dbName":"letter_id"}],"dbName":"mails","schema":null},"MailServer":{"fields":[{"name":"id","kind":"scalar","type":"Int"},{"name":"faults","kind":"scalar","type":"Int"},{"name":"pausedUntil","kind":"scalar","type":"DateTime","dbName":"paused_until"}],"dbName":"mail_server","schema":null},"Roster":{"fields":[{"name":"source","kind":"scalar","type":"String"},{"name":"importedAt","kind":"scalar","type":"DateTime","dbName":"imported_at"}],"dbName":"rosters","schema":null}},"enums":{},"types":{}}');
config.parameterizationSchema = {
  strings: JSON.parse('["where","user","orderBy","cursor","factor","recoveryCodes","_count","secondFactor","mails","sessions","knownAddresses","User.findUnique","User.findUniqueOrThrow","User.findFirst","User.findFirstOrThrow","User.findMany","data","User.createOne","User.createMany","User.createManyAndReturn","User.updateOne","User.updateMany","User.updateManyAndReturn","create","update","User.upsertOne","User.deleteOne","User.deleteMany","having","_avg","_sum","_min","_max","User.groupBy","User.aggregate","Session.findUnique","Session.findUniqueOrThrow","Session.findFirst","Session.findFirstOrThrow","Session.findMany","Session.createOne","Session.createMany","Session.createManyAndReturn","Session.updateOne","Session.updateMany","Session.updateManyAndReturn","Session.upsertOne","Session.deleteOne","Session.deleteMany","Session.groupBy","Session.aggregate","SecondFactor.findUnique","SecondFactor.findUniqueOrThrow","SecondFactor.findFirst","SecondFactor.findFirstOrThrow","SecondFactor.findMany","SecondFactor.createOne","SecondFactor.createMany","SecondFactor.createManyAndReturn","SecondFactor.updateOne","SecondFactor.updateMany","SecondFactor.updateManyAndReturn","SecondFactor.upsertOne","SecondFactor.deleteOne","SecondFactor.deleteMany","SecondFactor.groupBy","SecondFactor.aggregate","RecoveryCode.findUnique","RecoveryCode.findUniqueOrThrow","RecoveryCode.findFirst","RecoveryCode.findFirstOrThrow","RecoveryCode.findMany","RecoveryCode.createOne","RecoveryCode.createMany","RecoveryCode.createManyAndReturn","RecoveryCode.updateOne","RecoveryCode.updateMany","RecoveryCode.updateManyAndReturn","RecoveryCode.upsertOne","RecoveryCode.deleteOne","RecoveryCode.deleteMany","RecoveryCode.groupBy","RecoveryCode.aggregate","DeletedUser.findUnique","DeletedUser.findUniqueOrThrow","DeletedUser.findFirst","DeletedUser.findFirstOrThrow","DeletedUser.findMany","DeletedUser.createOne","DeletedUser.createMany","DeletedUser.createManyAndReturn","DeletedUser.updateOne","DeletedUser.updateMany","DeletedUser.updateManyAndReturn","DeletedUser.upsertOne","DeletedUser.deleteOne","DeletedUser.deleteMany","DeletedUser.groupBy","DeletedUser.aggregate","DatabaseMark.findUnique","DatabaseMark.findUniqueOrThrow","DatabaseMark.findFirst","DatabaseMark.findFirstOrThrow","DatabaseMark.findMany","DatabaseMark.createOne","DatabaseMark.createMany","DatabaseMark.createManyAndReturn","DatabaseMark.updateOne","DatabaseMark.updateMany","DatabaseMark.updateManyAndReturn","DatabaseMark.upsertOne","DatabaseMark.deleteOne","DatabaseMark.deleteMany","DatabaseMark.groupBy","DatabaseMark.aggregate","KnownAddress.findUnique","KnownAddress.findUniqueOrThrow","KnownAddress.findFirst","KnownAddress.findFirstOrThrow","KnownAddress.findMany","KnownAddress.createOne","KnownAddress.createMany","KnownAddress.createManyAndReturn","KnownAddress.updateOne","KnownAddress.updateMany","KnownAddress.updateManyAndReturn","KnownAddress.upsertOne","KnownAddress.deleteOne","KnownAddress.deleteMany","KnownAddress.groupBy","KnownAddress.aggregate","Mail.findUnique","Mail.findUniqueOrThrow","Mail.findFirst","Mail.findFirstOrThrow","Mail.findMany","Mail.createOne","Mail.createMany","Mail.createManyAndReturn","Mail.updateOne","Mail.updateMany","Mail.updateManyAndReturn","Mail.upsertOne","Mail.deleteOne","Mail.deleteMany","Mail.groupBy","Mail.aggregate","MailServer.findUnique","MailServer.findUniqueOrThrow","MailServer.findFirst","MailServer.findFirstOrThrow","MailServer.findMany","MailServer.createOne","MailServer.createMany","MailServer.createManyAndReturn","MailServer.updateOne","MailServer.updateMany","MailServer.updateManyAndReturn","MailServer.upsertOne","MailServer.deleteOne","MailServer.deleteMany","MailServer.groupBy","MailServer.aggregate","Roster.findUnique","Roster.findUniqueOrThrow","Roster.findFirst","Roster.findFirstOrThrow","Roster.findMany","Roster.createOne","Roster.createMany","Roster.createManyAndReturn","Roster.updateOne","Roster.updateMany","Roster.updateManyAndReturn","Roster.upsertOne","Roster.deleteOne","Roster.deleteMany","Roster.groupBy","Roster.aggregate","AND","OR","NOT","source","importedAt","equals","in","notIn","lt","lte","gt","gte","not","contains","startsWith","endsWith","id","faults","pausedUntil","MailKind","kind","username","email","userId","language","requestId","createdAt","attempts","dueAt","lastFailure","claimedUntil","sentAt","refusedAt","letterId","client","tokenVersion","lastLoginAt","mark","madeAt","unmarkedUntil","deletedAt","hash","secret","lastStep","lastUsedAt","wrongCodes","wrongOfPassword","passwordDigest","lastRefusal","lastRefusedAt","newSecret","linkHash","linkExpiresAt","linkVersion","linkEmail","beginnings","every","some","none","startedAt","endedAt","userAgent","passwordHash","passwordTemporary","selfRegistered","userType","role","adpStatus","bookChapterApproverDesignation","tokensRevokedAt","resetTokenHash","resetTokenExpiresAt","pendingResetTokenHash","pendingResetTokenExpiresAt","pendingResetTokenVersion","disabledAt","disabledBySource","sourcedId","secondFactorSince","updatedAt","userId_client","userId_hash","source_sourcedId","is","isNot","connectOrCreate","upsert","createMany","set","disconnect","delete","connect","updateMany","deleteMany","increment","decrement","multiply","divide"]'),
  graph: "8gNjoAEgBwAAwwIAIAgAAMQCACAJAADFAgAgCgAAxgIAILMBAADBAgAwtAEAAA4AELUBAADBAgAwtgEBALQCACHDAQIAAAAByAEBAAAAAckBAQC0AgAhzQFAAJECACHWAQIAlwIAIfEBAQC0AgAh8gEgAMICACHzASAAwgIAIfQBAQCQAgAh9QEBAJACACH2AQEAtAIAIfcBAQC0AgAh-AFAALUCACH5AQEAAAAB-gFAALUCACH7AQEAAAAB_AFAALUCACH9AQIAtgIAIf4BQAC1AgAh_wEgAMICACGAAgEAtAIAIYECQAC1AgAhggJAAJECACGFAgAAzwIAIAEAAAABACAUAQAAtwIAIAUAALgCACCzAQAAswIAMLQBAAADABC1AQAAswIAMMoBAgCXAgAh3QEBALQCACHeAQIAlwIAId8BQAC1AgAh4AECAJcCACHhAQIAlwIAIeIBAQC0AgAh4wEBALQCACHkAUAAtQIAIeUBAQC0AgAh5gEBALQCACHnAUAAtQIAIegBAgC2AgAh6QEBALQCACHqAQIAlwIAIQEAAAADACAGBAAAzgIAILMBAADNAgAwtAEAAAUAELUBAADNAgAwygECAJcCACHcAQEAkAIAIQEEAADSAwAgBwQAAM4CACCzAQAAzQIAMLQBAAAFABC1AQAAzQIAMMoBAgCXAgAh3AEBAJACACGEAgAAzAIAIAMAAAAFACACAAAGADADAAAHACABAAAABQAgEwEAAMoCACCzAQAAxwIAMLQBAAAKABC1AQAAxwIAMMMBAQCtAgAhxwEAAMgCxwEiyAEBALQCACHJAQEAtAIAIcoBAgC2AgAhywEBALQCACHMAQEAkAIAIc0BQACRAgAhzgECAJcCACHPAUAAtQIAIdABAQC0AgAh0QFAALUCACHSAUAAtQIAIdMBQAC1AgAh1AEBAMkCACELAQAAkgMAIMgBAADbAgAgyQEAANsCACDKAQAA2wIAIMsBAADbAgAgzwEAANsCACDQAQAA2wIAINEBAADbAgAg0gEAANsCACDTAQAA2wIAINQBAADbAgAgEwEAAMoCACCzAQAAxwIAMLQBAAAKABC1AQAAxwIAMMMBAQAAAAHHAQAAyALHASLIAQEAtAIAIckBAQC0AgAhygECALYCACHLAQEAtAIAIcwBAQCQAgAhzQFAAJECACHOAQIAlwIAIc8BQAC1AgAh0AEBALQCACHRAUAAtQIAIdIBQAC1AgAh0wFAALUCACHUAQEAyQIAIQMAAAAKACACAAALADADAAAMACAfBwAAwwIAIAgAAMQCACAJAADFAgAgCgAAxgIAILMBAADBAgAwtAEAAA4AELUBAADBAgAwtgEBALQCACHDAQIAlwIAIcgBAQCQAgAhyQEBALQCACHNAUAAkQIAIdYBAgCXAgAh8QEBALQCACHyASAAwgIAIfMBIADCAgAh9AEBAJACACH1AQEAkAIAIfYBAQC0AgAh9wEBALQCACH4AUAAtQIAIfkBAQC0AgAh-gFAALUCACH7AQEAtAIAIfwBQAC1AgAh_QECALYCACH-AUAAtQIAIf8BIADCAgAhgAIBALQCACGBAkAAtQIAIYICQACRAgAhAQAAAA4AIAwBAAC3AgAgswEAAMACADC0AQAAEAAQtQEAAMACADDDAQEArQIAIcoBAgCXAgAh1QEBAJACACHWAQIAlwIAId8BQACRAgAh7gFAAJECACHvAUAAtQIAIfABAQCQAgAhAgEAAJIDACDvAQAA2wIAIAwBAAC3AgAgswEAAMACADC0AQAAEAAQtQEAAMACADDDAQEAAAABygECAJcCACHVAQEAkAIAIdYBAgCXAgAh3wFAAJECACHuAUAAkQIAIe8BQAC1AgAh8AEBAJACACEDAAAAEAAgAgAAEQAwAwAAEgAgCAEAALcCACCzAQAAvwIAMLQBAAAUABC1AQAAvwIAMMoBAgCXAgAh1QEBAJACACHWAQIAlwIAIdcBQACRAgAhAQEAAJIDACAJAQAAtwIAILMBAAC_AgAwtAEAABQAELUBAAC_AgAwygECAJcCACHVAQEAkAIAIdYBAgCXAgAh1wFAAJECACGDAgAAvgIAIAMAAAAUACACAAAVADADAAAWACABAAAACgAgAQAAABAAIAEAAAAUACABAAAAAQAgEgcAANIDACAIAADTAwAgCQAA1AMAIAoAANUDACC2AQAA2wIAIMkBAADbAgAg8QEAANsCACD2AQAA2wIAIPcBAADbAgAg-AEAANsCACD5AQAA2wIAIPoBAADbAgAg-wEAANsCACD8AQAA2wIAIP0BAADbAgAg_gEAANsCACCAAgAA2wIAIIECAADbAgAgAwAAAA4AIAIAABwAMAMAAAEAIAMAAAAOACACAAAcADADAAABACADAAAADgAgAgAAHAAwAwAAAQAgHAcAAM4DACAIAADPAwAgCQAA0AMAIAoAANEDACC2AQEAAAABwwECAAAAAcgBAQAAAAHJAQEAAAABzQFAAAAAAdYBAgAAAAHxAQEAAAAB8gEgAAAAAfMBIAAAAAH0AQEAAAAB9QEBAAAAAfYBAQAAAAH3AQEAAAAB-AFAAAAAAfkBAQAAAAH6AUAAAAAB-wEBAAAAAfwBQAAAAAH9AQIAAAAB_gFAAAAAAf8BIAAAAAGAAgEAAAABgQJAAAAAAYICQAAAAAEBEAAAIAAgGLYBAQAAAAHDAQIAAAAByAEBAAAAAckBAQAAAAHNAUAAAAAB1gECAAAAAfEBAQAAAAHyASAAAAAB8wEgAAAAAfQBAQAAAAH1AQEAAAAB9gEBAAAAAfcBAQAAAAH4AUAAAAAB-QEBAAAAAfoBQAAAAAH7AQEAAAAB_AFAAAAAAf0BAgAAAAH-AUAAAAAB_wEgAAAAAYACAQAAAAGBAkAAAAABggJAAAAAAQEQAAAiADABEAAAIgAwHAcAAKEDACAIAACiAwAgCQAAowMAIAoAAKQDACC2AQEA4gIAIcMBAgDaAgAhyAEBANMCACHJAQEA4gIAIc0BQADUAgAh1gECANoCACHxAQEA4gIAIfIBIACgAwAh8wEgAKADACH0AQEA0wIAIfUBAQDTAgAh9gEBAOICACH3AQEA4gIAIfgBQADjAgAh-QEBAOICACH6AUAA4wIAIfsBAQDiAgAh_AFAAOMCACH9AQIA5AIAIf4BQADjAgAh_wEgAKADACGAAgEA4gIAIYECQADjAgAhggJAANQCACECAAAAAQAgEAAAJQAgGLYBAQDiAgAhwwECANoCACHIAQEA0wIAIckBAQDiAgAhzQFAANQCACHWAQIA2gIAIfEBAQDiAgAh8gEgAKADACHzASAAoAMAIfQBAQDTAgAh9QEBANMCACH2AQEA4gIAIfcBAQDiAgAh-AFAAOMCACH5AQEA4gIAIfoBQADjAgAh-wEBAOICACH8AUAA4wIAIf0BAgDkAgAh_gFAAOMCACH_ASAAoAMAIYACAQDiAgAhgQJAAOMCACGCAkAA1AIAIQIAAAAOACAQAAAnACACAAAADgAgEAAAJwAgAwAAAAEAIBcAACAAIBgAACUAIAEAAAABACABAAAADgAgEwYAAJsDACAdAACcAwAgHgAAnwMAIB8AAJ4DACAgAACdAwAgtgEAANsCACDJAQAA2wIAIPEBAADbAgAg9gEAANsCACD3AQAA2wIAIPgBAADbAgAg-QEAANsCACD6AQAA2wIAIPsBAADbAgAg_AEAANsCACD9AQAA2wIAIP4BAADbAgAggAIAANsCACCBAgAA2wIAIBuzAQAAugIAMLQBAAAuABC1AQAAugIAMLYBAQCbAgAhwwECAJMCACHIAQEAiAIAIckBAQCbAgAhzQFAAIkCACHWAQIAkwIAIfEBAQCbAgAh8gEgALsCACHzASAAuwIAIfQBAQCIAgAh9QEBAIgCACH2AQEAmwIAIfcBAQCbAgAh-AFAAJ0CACH5AQEAmwIAIfoBQACdAgAh-wEBAJsCACH8AUAAnQIAIf0BAgCcAgAh_gFAAJ0CACH_ASAAuwIAIYACAQCbAgAhgQJAAJ0CACGCAkAAiQIAIQMAAAAOACACAAAtADAcAAAuACADAAAADgAgAgAAHAAwAwAAAQAgAQAAABIAIAEAAAASACADAAAAEAAgAgAAEQAwAwAAEgAgAwAAABAAIAIAABEAMAMAABIAIAMAAAAQACACAAARADADAAASACAJAQAAmgMAIMMBAQAAAAHKAQIAAAAB1QEBAAAAAdYBAgAAAAHfAUAAAAAB7gFAAAAAAe8BQAAAAAHwAQEAAAABARAAADYAIAjDAQEAAAABygECAAAAAdUBAQAAAAHWAQIAAAAB3wFAAAAAAe4BQAAAAAHvAUAAAAAB8AEBAAAAAQEQAAA4ADABEAAAOAAwCQEAAJkDACDDAQEA0wIAIcoBAgDaAgAh1QEBANMCACHWAQIA2gIAId8BQADUAgAh7gFAANQCACHvAUAA4wIAIfABAQDTAgAhAgAAABIAIBAAADsAIAjDAQEA0wIAIcoBAgDaAgAh1QEBANMCACHWAQIA2gIAId8BQADUAgAh7gFAANQCACHvAUAA4wIAIfABAQDTAgAhAgAAABAAIBAAAD0AIAIAAAAQACAQAAA9ACADAAAAEgAgFwAANgAgGAAAOwAgAQAAABIAIAEAAAAQACAGBgAAlAMAIB0AAJUDACAeAACYAwAgHwAAlwMAICAAAJYDACDvAQAA2wIAIAuzAQAAuQIAMLQBAABEABC1AQAAuQIAMMMBAQCZAgAhygECAJMCACHVAQEAiAIAIdYBAgCTAgAh3wFAAIkCACHuAUAAiQIAIe8BQACdAgAh8AEBAIgCACEDAAAAEAAgAgAAQwAwHAAARAAgAwAAABAAIAIAABEAMAMAABIAIBQBAAC3AgAgBQAAuAIAILMBAACzAgAwtAEAAAMAELUBAACzAgAwygECAAAAAd0BAQC0AgAh3gECAJcCACHfAUAAtQIAIeABAgCXAgAh4QECAJcCACHiAQEAtAIAIeMBAQC0AgAh5AFAALUCACHlAQEAtAIAIeYBAQAAAAHnAUAAtQIAIegBAgC2AgAh6QEBALQCACHqAQIAlwIAIQEAAABHACABAAAARwAgDAEAAJIDACAFAACTAwAg3QEAANsCACDfAQAA2wIAIOIBAADbAgAg4wEAANsCACDkAQAA2wIAIOUBAADbAgAg5gEAANsCACDnAQAA2wIAIOgBAADbAgAg6QEAANsCACADAAAAAwAgAgAASgAwAwAARwAgAwAAAAMAIAIAAEoAMAMAAEcAIAMAAAADACACAABKADADAABHACARAQAAkAMAIAUAAJEDACDKAQIAAAAB3QEBAAAAAd4BAgAAAAHfAUAAAAAB4AECAAAAAeEBAgAAAAHiAQEAAAAB4wEBAAAAAeQBQAAAAAHlAQEAAAAB5gEBAAAAAecBQAAAAAHoAQIAAAAB6QEBAAAAAeoBAgAAAAEBEAAATgAgD8oBAgAAAAHdAQEAAAAB3gECAAAAAd8BQAAAAAHgAQIAAAAB4QECAAAAAeIBAQAAAAHjAQEAAAAB5AFAAAAAAeUBAQAAAAHmAQEAAAAB5wFAAAAAAegBAgAAAAHpAQEAAAAB6gECAAAAAQEQAABQADABEAAAUAAwEQEAAIIDACAFAACDAwAgygECANoCACHdAQEA4gIAId4BAgDaAgAh3wFAAOMCACHgAQIA2gIAIeEBAgDaAgAh4gEBAOICACHjAQEA4gIAIeQBQADjAgAh5QEBAOICACHmAQEA4gIAIecBQADjAgAh6AECAOQCACHpAQEA4gIAIeoBAgDaAgAhAgAAAEcAIBAAAFMAIA_KAQIA2gIAId0BAQDiAgAh3gECANoCACHfAUAA4wIAIeABAgDaAgAh4QECANoCACHiAQEA4gIAIeMBAQDiAgAh5AFAAOMCACHlAQEA4gIAIeYBAQDiAgAh5wFAAOMCACHoAQIA5AIAIekBAQDiAgAh6gECANoCACECAAAAAwAgEAAAVQAgAgAAAAMAIBAAAFUAIAMAAABHACAXAABOACAYAABTACABAAAARwAgAQAAAAMAIA8GAAD9AgAgHQAA_gIAIB4AAIEDACAfAACAAwAgIAAA_wIAIN0BAADbAgAg3wEAANsCACDiAQAA2wIAIOMBAADbAgAg5AEAANsCACDlAQAA2wIAIOYBAADbAgAg5wEAANsCACDoAQAA2wIAIOkBAADbAgAgErMBAACyAgAwtAEAAFwAELUBAACyAgAwygECAJMCACHdAQEAmwIAId4BAgCTAgAh3wFAAJ0CACHgAQIAkwIAIeEBAgCTAgAh4gEBAJsCACHjAQEAmwIAIeQBQACdAgAh5QEBAJsCACHmAQEAmwIAIecBQACdAgAh6AECAJwCACHpAQEAmwIAIeoBAgCTAgAhAwAAAAMAIAIAAFsAMBwAAFwAIAMAAAADACACAABKADADAABHACABAAAABwAgAQAAAAcAIAMAAAAFACACAAAGADADAAAHACADAAAABQAgAgAABgAwAwAABwAgAwAAAAUAIAIAAAYAMAMAAAcAIAMEAAD8AgAgygECAAAAAdwBAQAAAAEBEAAAZAAgAsoBAgAAAAHcAQEAAAABARAAAGYAMAEQAABmADADBAAA-wIAIMoBAgDaAgAh3AEBANMCACECAAAABwAgEAAAaQAgAsoBAgDaAgAh3AEBANMCACECAAAABQAgEAAAawAgAgAAAAUAIBAAAGsAIAMAAAAHACAXAABkACAYAABpACABAAAABwAgAQAAAAUAIAUGAAD2AgAgHQAA9wIAIB4AAPoCACAfAAD5AgAgIAAA-AIAIAWzAQAAsQIAMLQBAAByABC1AQAAsQIAMMoBAgCTAgAh3AEBAIgCACEDAAAABQAgAgAAcQAwHAAAcgAgAwAAAAUAIAIAAAYAMAMAAAcAIAWzAQAAsAIAMLQBAAB4ABC1AQAAsAIAMMMBAgAAAAHbAUAAkQIAIQEAAAB1ACABAAAAdQAgBbMBAACwAgAwtAEAAHgAELUBAACwAgAwwwECAJcCACHbAUAAkQIAIQADAAAAeAAgAgAAeQAwAwAAdQAgAwAAAHgAIAIAAHkAMAMAAHUAIAMAAAB4ACACAAB5ADADAAB1ACACwwECAAAAAdsBQAAAAAEBEAAAfQAgAsMBAgAAAAHbAUAAAAABARAAAH8AMAEQAAB_ADACwwECANoCACHbAUAA1AIAIQIAAAB1ACAQAACCAQAgAsMBAgDaAgAh2wFAANQCACECAAAAeAAgEAAAhAEAIAIAAAB4ACAQAACEAQAgAwAAAHUAIBcAAH0AIBgAAIIBACABAAAAdQAgAQAAAHgAIAUGAADxAgAgHQAA8gIAIB4AAPUCACAfAAD0AgAgIAAA8wIAIAWzAQAArwIAMLQBAACLAQAQtQEAAK8CADDDAQIAkwIAIdsBQACJAgAhAwAAAHgAIAIAAIoBADAcAACLAQAgAwAAAHgAIAIAAHkAMAMAAHUAIAazAQAArAIAMLQBAACRAQAQtQEAAKwCADDYAQEAAAAB2QFAAJECACHaAUAAkQIAIQEAAACOAQAgAQAAAI4BACAGswEAAKwCADC0AQAAkQEAELUBAACsAgAw2AEBAK0CACHZAUAAkQIAIdoBQACRAgAhAAMAAACRAQAgAgAAkgEAMAMAAI4BACADAAAAkQEAIAIAAJIBADADAACOAQAgAwAAAJEBACACAACSAQAwAwAAjgEAIAPYAQEAAAAB2QFAAAAAAdoBQAAAAAEBEAAAlgEAIAPYAQEAAAAB2QFAAAAAAdoBQAAAAAEBEAAAmAEAMAEQAACYAQAwA9gBAQDTAgAh2QFAANQCACHaAUAA1AIAIQIAAACOAQAgEAAAmwEAIAPYAQEA0wIAIdkBQADUAgAh2gFAANQCACECAAAAkQEAIBAAAJ0BACACAAAAkQEAIBAAAJ0BACADAAAAjgEAIBcAAJYBACAYAACbAQAgAQAAAI4BACABAAAAkQEAIAMGAADuAgAgHwAA8AIAICAAAO8CACAGswEAAKsCADC0AQAApAEAELUBAACrAgAw2AEBAJkCACHZAUAAiQIAIdoBQACJAgAhAwAAAJEBACACAACjAQAwHAAApAEAIAMAAACRAQAgAgAAkgEAMAMAAI4BACABAAAAFgAgAQAAABYAIAMAAAAUACACAAAVADADAAAWACADAAAAFAAgAgAAFQAwAwAAFgAgAwAAABQAIAIAABUAMAMAABYAIAUBAADtAgAgygECAAAAAdUBAQAAAAHWAQIAAAAB1wFAAAAAAQEQAACsAQAgBMoBAgAAAAHVAQEAAAAB1gECAAAAAdcBQAAAAAEBEAAArgEAMAEQAACuAQAwBQEAAOwCACDKAQIA2gIAIdUBAQDTAgAh1gECANoCACHXAUAA1AIAIQIAAAAWACAQAACxAQAgBMoBAgDaAgAh1QEBANMCACHWAQIA2gIAIdcBQADUAgAhAgAAABQAIBAAALMBACACAAAAFAAgEAAAswEAIAMAAAAWACAXAACsAQAgGAAAsQEAIAEAAAAWACABAAAAFAAgBQYAAOcCACAdAADoAgAgHgAA6wIAIB8AAOoCACAgAADpAgAgB7MBAACqAgAwtAEAALoBABC1AQAAqgIAMMoBAgCTAgAh1QEBAIgCACHWAQIAkwIAIdcBQACJAgAhAwAAABQAIAIAALkBADAcAAC6AQAgAwAAABQAIAIAABUAMAMAABYAIAEAAAAMACABAAAADAAgAwAAAAoAIAIAAAsAMAMAAAwAIAMAAAAKACACAAALADADAAAMACADAAAACgAgAgAACwAwAwAADAAgEAEAAOYCACDDAQEAAAABxwEAAADHAQLIAQEAAAAByQEBAAAAAcoBAgAAAAHLAQEAAAABzAEBAAAAAc0BQAAAAAHOAQIAAAABzwFAAAAAAdABAQAAAAHRAUAAAAAB0gFAAAAAAdMBQAAAAAHUAQEAAAABARAAAMIBACAPwwEBAAAAAccBAAAAxwECyAEBAAAAAckBAQAAAAHKAQIAAAABywEBAAAAAcwBAQAAAAHNAUAAAAABzgECAAAAAc8BQAAAAAHQAQEAAAAB0QFAAAAAAdIBQAAAAAHTAUAAAAAB1AEBAAAAAQEQAADEAQAwARAAAMQBADABAAAADgAgEAEAAOUCACDDAQEA0wIAIccBAADhAscBIsgBAQDiAgAhyQEBAOICACHKAQIA5AIAIcsBAQDiAgAhzAEBANMCACHNAUAA1AIAIc4BAgDaAgAhzwFAAOMCACHQAQEA4gIAIdEBQADjAgAh0gFAAOMCACHTAUAA4wIAIdQBAQDiAgAhAgAAAAwAIBAAAMgBACAPwwEBANMCACHHAQAA4QLHASLIAQEA4gIAIckBAQDiAgAhygECAOQCACHLAQEA4gIAIcwBAQDTAgAhzQFAANQCACHOAQIA2gIAIc8BQADjAgAh0AEBAOICACHRAUAA4wIAIdIBQADjAgAh0wFAAOMCACHUAQEA4gIAIQIAAAAKACAQAADKAQAgAgAAAAoAIBAAAMoBACABAAAADgAgAwAAAAwAIBcAAMIBACAYAADIAQAgAQAAAAwAIAEAAAAKACAPBgAA3AIAIB0AAN0CACAeAADgAgAgHwAA3wIAICAAAN4CACDIAQAA2wIAIMkBAADbAgAgygEAANsCACDLAQAA2wIAIM8BAADbAgAg0AEAANsCACDRAQAA2wIAINIBAADbAgAg0wEAANsCACDUAQAA2wIAIBKzAQAAmAIAMLQBAADSAQAQtQEAAJgCADDDAQEAmQIAIccBAACaAscBIsgBAQCbAgAhyQEBAJsCACHKAQIAnAIAIcsBAQCbAgAhzAEBAIgCACHNAUAAiQIAIc4BAgCTAgAhzwFAAJ0CACHQAQEAmwIAIdEBQACdAgAh0gFAAJ0CACHTAUAAnQIAIdQBAQCeAgAhAwAAAAoAIAIAANEBADAcAADSAQAgAwAAAAoAIAIAAAsAMAMAAAwAIAazAQAAlgIAMLQBAADYAQAQtQEAAJYCADDDAQIAAAABxAECAJcCACHFAUAAkQIAIQEAAADVAQAgAQAAANUBACAGswEAAJYCADC0AQAA2AEAELUBAACWAgAwwwECAJcCACHEAQIAlwIAIcUBQACRAgAhAAMAAADYAQAgAgAA2QEAMAMAANUBACADAAAA2AEAIAIAANkBADADAADVAQAgAwAAANgBACACAADZAQAwAwAA1QEAIAPDAQIAAAABxAECAAAAAcUBQAAAAAEBEAAA3QEAIAPDAQIAAAABxAECAAAAAcUBQAAAAAEBEAAA3wEAMAEQAADfAQAwA8MBAgDaAgAhxAECANoCACHFAUAA1AIAIQIAAADVAQAgEAAA4gEAIAPDAQIA2gIAIcQBAgDaAgAhxQFAANQCACECAAAA2AEAIBAAAOQBACACAAAA2AEAIBAAAOQBACADAAAA1QEAIBcAAN0BACAYAADiAQAgAQAAANUBACABAAAA2AEAIAUGAADVAgAgHQAA1gIAIB4AANkCACAfAADYAgAgIAAA1wIAIAazAQAAkgIAMLQBAADrAQAQtQEAAJICADDDAQIAkwIAIcQBAgCTAgAhxQFAAIkCACEDAAAA2AEAIAIAAOoBADAcAADrAQAgAwAAANgBACACAADZAQAwAwAA1QEAIAWzAQAAjwIAMLQBAADxAQAQtQEAAI8CADC2AQEAAAABtwFAAJECACEBAAAA7gEAIAEAAADuAQAgBbMBAACPAgAwtAEAAPEBABC1AQAAjwIAMLYBAQCQAgAhtwFAAJECACEAAwAAAPEBACACAADyAQAwAwAA7gEAIAMAAADxAQAgAgAA8gEAMAMAAO4BACADAAAA8QEAIAIAAPIBADADAADuAQAgArYBAQAAAAG3AUAAAAABARAAAPYBACACtgEBAAAAAbcBQAAAAAEBEAAA-AEAMAEQAAD4AQAwArYBAQDTAgAhtwFAANQCACECAAAA7gEAIBAAAPsBACACtgEBANMCACG3AUAA1AIAIQIAAADxAQAgEAAA_QEAIAIAAADxAQAgEAAA_QEAIAMAAADuAQAgFwAA9gEAIBgAAPsBACABAAAA7gEAIAEAAADxAQAgAwYAANACACAfAADSAgAgIAAA0QIAIAWzAQAAhwIAMLQBAACEAgAQtQEAAIcCADC2AQEAiAIAIbcBQACJAgAhAwAAAPEBACACAACDAgAwHAAAhAIAIAMAAADxAQAgAgAA8gEAMAMAAO4BACAFswEAAIcCADC0AQAAhAIAELUBAACHAgAwtgEBAIgCACG3AUAAiQIAIQ4GAACLAgAgHwAAjgIAICAAAI4CACC4AQEAAAABuQEBAAAABLoBAQAAAAS7AQEAAAABvAEBAAAAAb0BAQAAAAG-AQEAAAABvwEBAI0CACHAAQEAAAABwQEBAAAAAcIBAQAAAAELBgAAiwIAIB8AAIwCACAgAACMAgAguAFAAAAAAbkBQAAAAAS6AUAAAAAEuwFAAAAAAbwBQAAAAAG9AUAAAAABvgFAAAAAAb8BQACKAgAhCwYAAIsCACAfAACMAgAgIAAAjAIAILgBQAAAAAG5AUAAAAAEugFAAAAABLsBQAAAAAG8AUAAAAABvQFAAAAAAb4BQAAAAAG_AUAAigIAIQi4AQIAAAABuQECAAAABLoBAgAAAAS7AQIAAAABvAECAAAAAb0BAgAAAAG-AQIAAAABvwECAIsCACEIuAFAAAAAAbkBQAAAAAS6AUAAAAAEuwFAAAAAAbwBQAAAAAG9AUAAAAABvgFAAAAAAb8BQACMAgAhDgYAAIsCACAfAACOAgAgIAAAjgIAILgBAQAAAAG5AQEAAAAEugEBAAAABLsBAQAAAAG8AQEAAAABvQEBAAAAAb4BAQAAAAG_AQEAjQIAIcABAQAAAAHBAQEAAAABwgEBAAAAAQu4AQEAAAABuQEBAAAABLoBAQAAAAS7AQEAAAABvAEBAAAAAb0BAQAAAAG-AQEAAAABvwEBAI4CACHAAQEAAAABwQEBAAAAAcIBAQAAAAEFswEAAI8CADC0AQAA8QEAELUBAACPAgAwtgEBAJACACG3AUAAkQIAIQu4AQEAAAABuQEBAAAABLoBAQAAAAS7AQEAAAABvAEBAAAAAb0BAQAAAAG-AQEAAAABvwEBAI4CACHAAQEAAAABwQEBAAAAAcIBAQAAAAEIuAFAAAAAAbkBQAAAAAS6AUAAAAAEuwFAAAAAAbwBQAAAAAG9AUAAAAABvgFAAAAAAb8BQACMAgAhBrMBAACSAgAwtAEAAOsBABC1AQAAkgIAMMMBAgCTAgAhxAECAJMCACHFAUAAiQIAIQ0GAACLAgAgHQAAlQIAIB4AAIsCACAfAACLAgAgIAAAiwIAILgBAgAAAAG5AQIAAAAEugECAAAABLsBAgAAAAG8AQIAAAABvQECAAAAAb4BAgAAAAG_AQIAlAIAIQ0GAACLAgAgHQAAlQIAIB4AAIsCACAfAACLAgAgIAAAiwIAILgBAgAAAAG5AQIAAAAEugECAAAABLsBAgAAAAG8AQIAAAABvQECAAAAAb4BAgAAAAG_AQIAlAIAIQi4AQgAAAABuQEIAAAABLoBCAAAAAS7AQgAAAABvAEIAAAAAb0BCAAAAAG-AQgAAAABvwEIAJUCACEGswEAAJYCADC0AQAA2AEAELUBAACWAgAwwwECAJcCACHEAQIAlwIAIcUBQACRAgAhCLgBAgAAAAG5AQIAAAAEugECAAAABLsBAgAAAAG8AQIAAAABvQECAAAAAb4BAgAAAAG_AQIAiwIAIRKzAQAAmAIAMLQBAADSAQAQtQEAAJgCADDDAQEAmQIAIccBAACaAscBIsgBAQCbAgAhyQEBAJsCACHKAQIAnAIAIcsBAQCbAgAhzAEBAIgCACHNAUAAiQIAIc4BAgCTAgAhzwFAAJ0CACHQAQEAmwIAIdEBQACdAgAh0gFAAJ0CACHTAUAAnQIAIdQBAQCeAgAhCwYAAIsCACAfAACOAgAgIAAAjgIAILgBAQAAAAG5AQEAAAAEugEBAAAABLsBAQAAAAG8AQEAAAABvQEBAAAAAb4BAQAAAAG_AQEAqQIAIQcGAACLAgAgHwAAqAIAICAAAKgCACC4AQAAAMcBArkBAAAAxwEIugEAAADHAQi_AQAApwLHASIOBgAAoAIAIB8AAKECACAgAAChAgAguAEBAAAAAbkBAQAAAAW6AQEAAAAFuwEBAAAAAbwBAQAAAAG9AQEAAAABvgEBAAAAAb8BAQCmAgAhwAEBAAAAAcEBAQAAAAHCAQEAAAABDQYAAKACACAdAAClAgAgHgAAoAIAIB8AAKACACAgAACgAgAguAECAAAAAbkBAgAAAAW6AQIAAAAFuwECAAAAAbwBAgAAAAG9AQIAAAABvgECAAAAAb8BAgCkAgAhCwYAAKACACAfAACjAgAgIAAAowIAILgBQAAAAAG5AUAAAAAFugFAAAAABbsBQAAAAAG8AUAAAAABvQFAAAAAAb4BQAAAAAG_AUAAogIAIQsGAACgAgAgHwAAoQIAICAAAKECACC4AQEAAAABuQEBAAAABboBAQAAAAW7AQEAAAABvAEBAAAAAb0BAQAAAAG-AQEAAAABvwEBAJ8CACELBgAAoAIAIB8AAKECACAgAAChAgAguAEBAAAAAbkBAQAAAAW6AQEAAAAFuwEBAAAAAbwBAQAAAAG9AQEAAAABvgEBAAAAAb8BAQCfAgAhCLgBAgAAAAG5AQIAAAAFugECAAAABbsBAgAAAAG8AQIAAAABvQECAAAAAb4BAgAAAAG_AQIAoAIAIQu4AQEAAAABuQEBAAAABboBAQAAAAW7AQEAAAABvAEBAAAAAb0BAQAAAAG-AQEAAAABvwEBAKECACHAAQEAAAABwQEBAAAAAcIBAQAAAAELBgAAoAIAIB8AAKMCACAgAACjAgAguAFAAAAAAbkBQAAAAAW6AUAAAAAFuwFAAAAAAbwBQAAAAAG9AUAAAAABvgFAAAAAAb8BQACiAgAhCLgBQAAAAAG5AUAAAAAFugFAAAAABbsBQAAAAAG8AUAAAAABvQFAAAAAAb4BQAAAAAG_AUAAowIAIQ0GAACgAgAgHQAApQIAIB4AAKACACAfAACgAgAgIAAAoAIAILgBAgAAAAG5AQIAAAAFugECAAAABbsBAgAAAAG8AQIAAAABvQECAAAAAb4BAgAAAAG_AQIApAIAIQi4AQgAAAABuQEIAAAABboBCAAAAAW7AQgAAAABvAEIAAAAAb0BCAAAAAG-AQgAAAABvwEIAKUCACEOBgAAoAIAIB8AAKECACAgAAChAgAguAEBAAAAAbkBAQAAAAW6AQEAAAAFuwEBAAAAAbwBAQAAAAG9AQEAAAABvgEBAAAAAb8BAQCmAgAhwAEBAAAAAcEBAQAAAAHCAQEAAAABBwYAAIsCACAfAACoAgAgIAAAqAIAILgBAAAAxwECuQEAAADHAQi6AQAAAMcBCL8BAACnAscBIgS4AQAAAMcBArkBAAAAxwEIugEAAADHAQi_AQAAqALHASILBgAAiwIAIB8AAI4CACAgAACOAgAguAEBAAAAAbkBAQAAAAS6AQEAAAAEuwEBAAAAAbwBAQAAAAG9AQEAAAABvgEBAAAAAb8BAQCpAgAhB7MBAACqAgAwtAEAALoBABC1AQAAqgIAMMoBAgCTAgAh1QEBAIgCACHWAQIAkwIAIdcBQACJAgAhBrMBAACrAgAwtAEAAKQBABC1AQAAqwIAMNgBAQCZAgAh2QFAAIkCACHaAUAAiQIAIQazAQAArAIAMLQBAACRAQAQtQEAAKwCADDYAQEArQIAIdkBQACRAgAh2gFAAJECACEIuAEBAAAAAbkBAQAAAAS6AQEAAAAEuwEBAAAAAbwBAQAAAAG9AQEAAAABvgEBAAAAAb8BAQCuAgAhCLgBAQAAAAG5AQEAAAAEugEBAAAABLsBAQAAAAG8AQEAAAABvQEBAAAAAb4BAQAAAAG_AQEArgIAIQWzAQAArwIAMLQBAACLAQAQtQEAAK8CADDDAQIAkwIAIdsBQACJAgAhBbMBAACwAgAwtAEAAHgAELUBAACwAgAwwwECAJcCACHbAUAAkQIAIQWzAQAAsQIAMLQBAAByABC1AQAAsQIAMMoBAgCTAgAh3AEBAIgCACESswEAALICADC0AQAAXAAQtQEAALICADDKAQIAkwIAId0BAQCbAgAh3gECAJMCACHfAUAAnQIAIeABAgCTAgAh4QECAJMCACHiAQEAmwIAIeMBAQCbAgAh5AFAAJ0CACHlAQEAmwIAIeYBAQCbAgAh5wFAAJ0CACHoAQIAnAIAIekBAQCbAgAh6gECAJMCACEUAQAAtwIAIAUAALgCACCzAQAAswIAMLQBAAADABC1AQAAswIAMMoBAgCXAgAh3QEBALQCACHeAQIAlwIAId8BQAC1AgAh4AECAJcCACHhAQIAlwIAIeIBAQC0AgAh4wEBALQCACHkAUAAtQIAIeUBAQC0AgAh5gEBALQCACHnAUAAtQIAIegBAgC2AgAh6QEBALQCACHqAQIAlwIAIQu4AQEAAAABuQEBAAAABboBAQAAAAW7AQEAAAABvAEBAAAAAb0BAQAAAAG-AQEAAAABvwEBAKECACHAAQEAAAABwQEBAAAAAcIBAQAAAAEIuAFAAAAAAbkBQAAAAAW6AUAAAAAFuwFAAAAAAbwBQAAAAAG9AUAAAAABvgFAAAAAAb8BQACjAgAhCLgBAgAAAAG5AQIAAAAFugECAAAABbsBAgAAAAG8AQIAAAABvQECAAAAAb4BAgAAAAG_AQIAoAIAISEHAADDAgAgCAAAxAIAIAkAAMUCACAKAADGAgAgswEAAMECADC0AQAADgAQtQEAAMECADC2AQEAtAIAIcMBAgCXAgAhyAEBAJACACHJAQEAtAIAIc0BQACRAgAh1gECAJcCACHxAQEAtAIAIfIBIADCAgAh8wEgAMICACH0AQEAkAIAIfUBAQCQAgAh9gEBALQCACH3AQEAtAIAIfgBQAC1AgAh-QEBALQCACH6AUAAtQIAIfsBAQC0AgAh_AFAALUCACH9AQIAtgIAIf4BQAC1AgAh_wEgAMICACGAAgEAtAIAIYECQAC1AgAhggJAAJECACGGAgAADgAghwIAAA4AIAPrAQAABQAg7AEAAAUAIO0BAAAFACALswEAALkCADC0AQAARAAQtQEAALkCADDDAQEAmQIAIcoBAgCTAgAh1QEBAIgCACHWAQIAkwIAId8BQACJAgAh7gFAAIkCACHvAUAAnQIAIfABAQCIAgAhG7MBAAC6AgAwtAEAAC4AELUBAAC6AgAwtgEBAJsCACHDAQIAkwIAIcgBAQCIAgAhyQEBAJsCACHNAUAAiQIAIdYBAgCTAgAh8QEBAJsCACHyASAAuwIAIfMBIAC7AgAh9AEBAIgCACH1AQEAiAIAIfYBAQCbAgAh9wEBAJsCACH4AUAAnQIAIfkBAQCbAgAh-gFAAJ0CACH7AQEAmwIAIfwBQACdAgAh_QECAJwCACH-AUAAnQIAIf8BIAC7AgAhgAIBAJsCACGBAkAAnQIAIYICQACJAgAhBQYAAIsCACAfAAC9AgAgIAAAvQIAILgBIAAAAAG_ASAAvAIAIQUGAACLAgAgHwAAvQIAICAAAL0CACC4ASAAAAABvwEgALwCACECuAEgAAAAAb8BIAC9AgAhAsoBAgAAAAHVAQEAAAABCAEAALcCACCzAQAAvwIAMLQBAAAUABC1AQAAvwIAMMoBAgCXAgAh1QEBAJACACHWAQIAlwIAIdcBQACRAgAhDAEAALcCACCzAQAAwAIAMLQBAAAQABC1AQAAwAIAMMMBAQCtAgAhygECAJcCACHVAQEAkAIAIdYBAgCXAgAh3wFAAJECACHuAUAAkQIAIe8BQAC1AgAh8AEBAJACACEfBwAAwwIAIAgAAMQCACAJAADFAgAgCgAAxgIAILMBAADBAgAwtAEAAA4AELUBAADBAgAwtgEBALQCACHDAQIAlwIAIcgBAQCQAgAhyQEBALQCACHNAUAAkQIAIdYBAgCXAgAh8QEBALQCACHyASAAwgIAIfMBIADCAgAh9AEBAJACACH1AQEAkAIAIfYBAQC0AgAh9wEBALQCACH4AUAAtQIAIfkBAQC0AgAh-gFAALUCACH7AQEAtAIAIfwBQAC1AgAh_QECALYCACH-AUAAtQIAIf8BIADCAgAhgAIBALQCACGBAkAAtQIAIYICQACRAgAhArgBIAAAAAG_ASAAvQIAIRYBAAC3AgAgBQAAuAIAILMBAACzAgAwtAEAAAMAELUBAACzAgAwygECAJcCACHdAQEAtAIAId4BAgCXAgAh3wFAALUCACHgAQIAlwIAIeEBAgCXAgAh4gEBALQCACHjAQEAtAIAIeQBQAC1AgAh5QEBALQCACHmAQEAtAIAIecBQAC1AgAh6AECALYCACHpAQEAtAIAIeoBAgCXAgAhhgIAAAMAIIcCAAADACAD6wEAAAoAIOwBAAAKACDtAQAACgAgA-sBAAAQACDsAQAAEAAg7QEAABAAIAPrAQAAFAAg7AEAABQAIO0BAAAUACATAQAAygIAILMBAADHAgAwtAEAAAoAELUBAADHAgAwwwEBAK0CACHHAQAAyALHASLIAQEAtAIAIckBAQC0AgAhygECALYCACHLAQEAtAIAIcwBAQCQAgAhzQFAAJECACHOAQIAlwIAIc8BQAC1AgAh0AEBALQCACHRAUAAtQIAIdIBQAC1AgAh0wFAALUCACHUAQEAyQIAIQS4AQAAAMcBArkBAAAAxwEIugEAAADHAQi_AQAAqALHASIIuAEBAAAAAbkBAQAAAAW6AQEAAAAFuwEBAAAAAbwBAQAAAAG9AQEAAAABvgEBAAAAAb8BAQDLAgAhIQcAAMMCACAIAADEAgAgCQAAxQIAIAoAAMYCACCzAQAAwQIAMLQBAAAOABC1AQAAwQIAMLYBAQC0AgAhwwECAJcCACHIAQEAkAIAIckBAQC0AgAhzQFAAJECACHWAQIAlwIAIfEBAQC0AgAh8gEgAMICACHzASAAwgIAIfQBAQCQAgAh9QEBAJACACH2AQEAtAIAIfcBAQC0AgAh-AFAALUCACH5AQEAtAIAIfoBQAC1AgAh-wEBALQCACH8AUAAtQIAIf0BAgC2AgAh_gFAALUCACH_ASAAwgIAIYACAQC0AgAhgQJAALUCACGCAkAAkQIAIYYCAAAOACCHAgAADgAgCLgBAQAAAAG5AQEAAAAFugEBAAAABbsBAQAAAAG8AQEAAAABvQEBAAAAAb4BAQAAAAG_AQEAywIAIQLKAQIAAAAB3AEBAAAAAQYEAADOAgAgswEAAM0CADC0AQAABQAQtQEAAM0CADDKAQIAlwIAIdwBAQCQAgAhFgEAALcCACAFAAC4AgAgswEAALMCADC0AQAAAwAQtQEAALMCADDKAQIAlwIAId0BAQC0AgAh3gECAJcCACHfAUAAtQIAIeABAgCXAgAh4QECAJcCACHiAQEAtAIAIeMBAQC0AgAh5AFAALUCACHlAQEAtAIAIeYBAQC0AgAh5wFAALUCACHoAQIAtgIAIekBAQC0AgAh6gECAJcCACGGAgAAAwAghwIAAAMAIAK2AQEAAAABgAIBAAAAAQAAAAGLAgEAAAABAYsCQAAAAAEAAAAAAAWLAgIAAAABkQICAAAAAZICAgAAAAGTAgIAAAABlAICAAAAAQAAAAAAAAGLAgAAAMcBAgGLAgEAAAABAYsCQAAAAAEFiwICAAAAAZECAgAAAAGSAgIAAAABkwICAAAAAZQCAgAAAAEHFwAA7gMAIBgAAPEDACCIAgAA7wMAIIkCAADwAwAgjAIAAA4AII0CAAAOACCOAgAAAQAgAxcAAO4DACCIAgAA7wMAII4CAAABACAAAAAAAAUXAADpAwAgGAAA7AMAIIgCAADqAwAgiQIAAOsDACCOAgAAAQAgAxcAAOkDACCIAgAA6gMAII4CAAABACAAAAAAAAAAAAAAAAAABRcAAOQDACAYAADnAwAgiAIAAOUDACCJAgAA5gMAII4CAABHACADFwAA5AMAIIgCAADlAwAgjgIAAEcAIAAAAAAABRcAAN4DACAYAADiAwAgiAIAAN8DACCJAgAA4QMAII4CAAABACALFwAAhAMAMBgAAIkDADCIAgAAhQMAMIkCAACGAwAwigIAAIcDACCLAgAAiAMAMIwCAACIAwAwjQIAAIgDADCOAgAAiAMAMI8CAACKAwAwkAIAAIsDADAB3AEBAAAAAQIAAAAHACAXAACPAwAgAwAAAAcAIBcAAI8DACAYAACOAwAgARAAAOADADAHBAAAzgIAILMBAADNAgAwtAEAAAUAELUBAADNAgAwygECAJcCACHcAQEAkAIAIYQCAADMAgAgAgAAAAcAIBAAAI4DACACAAAAjAMAIBAAAI0DACAFswEAAIsDADC0AQAAjAMAELUBAACLAwAwygECAJcCACHcAQEAkAIAIQWzAQAAiwMAMLQBAACMAwAQtQEAAIsDADDKAQIAlwIAIdwBAQCQAgAhAdwBAQDTAgAhAdwBAQDTAgAhAdwBAQAAAAEDFwAA3gMAIIgCAADfAwAgjgIAAAEAIAQXAACEAwAwiAIAAIUDADCKAgAAhwMAII4CAACIAwAwEgcAANIDACAIAADTAwAgCQAA1AMAIAoAANUDACC2AQAA2wIAIMkBAADbAgAg8QEAANsCACD2AQAA2wIAIPcBAADbAgAg-AEAANsCACD5AQAA2wIAIPoBAADbAgAg-wEAANsCACD8AQAA2wIAIP0BAADbAgAg_gEAANsCACCAAgAA2wIAIIECAADbAgAgAAAAAAAABRcAANkDACAYAADcAwAgiAIAANoDACCJAgAA2wMAII4CAAABACADFwAA2QMAIIgCAADaAwAgjgIAAAEAIAAAAAAAAYsCIAAAAAEHFwAAyQMAIBgAAMwDACCIAgAAygMAIIkCAADLAwAgjAIAAAMAII0CAAADACCOAgAARwAgCxcAAL0DADAYAADCAwAwiAIAAL4DADCJAgAAvwMAMIoCAADAAwAgiwIAAMEDADCMAgAAwQMAMI0CAADBAwAwjgIAAMEDADCPAgAAwwMAMJACAADEAwAwCxcAALEDADAYAAC2AwAwiAIAALIDADCJAgAAswMAMIoCAAC0AwAgiwIAALUDADCMAgAAtQMAMI0CAAC1AwAwjgIAALUDADCPAgAAtwMAMJACAAC4AwAwCxcAAKUDADAYAACqAwAwiAIAAKYDADCJAgAApwMAMIoCAACoAwAgiwIAAKkDADCMAgAAqQMAMI0CAACpAwAwjgIAAKkDADCPAgAAqwMAMJACAACsAwAwA9UBAQAAAAHWAQIAAAAB1wFAAAAAAQIAAAAWACAXAACwAwAgAwAAABYAIBcAALADACAYAACvAwAgARAAANgDADAJAQAAtwIAILMBAAC_AgAwtAEAABQAELUBAAC_AgAwygECAJcCACHVAQEAkAIAIdYBAgCXAgAh1wFAAJECACGDAgAAvgIAIAIAAAAWACAQAACvAwAgAgAAAK0DACAQAACuAwAgB7MBAACsAwAwtAEAAK0DABC1AQAArAMAMMoBAgCXAgAh1QEBAJACACHWAQIAlwIAIdcBQACRAgAhB7MBAACsAwAwtAEAAK0DABC1AQAArAMAMMoBAgCXAgAh1QEBAJACACHWAQIAlwIAIdcBQACRAgAhA9UBAQDTAgAh1gECANoCACHXAUAA1AIAIQPVAQEA0wIAIdYBAgDaAgAh1wFAANQCACED1QEBAAAAAdYBAgAAAAHXAUAAAAABB8MBAQAAAAHVAQEAAAAB1gECAAAAAd8BQAAAAAHuAUAAAAAB7wFAAAAAAfABAQAAAAECAAAAEgAgFwAAvAMAIAMAAAASACAXAAC8AwAgGAAAuwMAIAEQAADXAwAwDAEAALcCACCzAQAAwAIAMLQBAAAQABC1AQAAwAIAMMMBAQAAAAHKAQIAlwIAIdUBAQCQAgAh1gECAJcCACHfAUAAkQIAIe4BQACRAgAh7wFAALUCACHwAQEAkAIAIQIAAAASACAQAAC7AwAgAgAAALkDACAQAAC6AwAgC7MBAAC4AwAwtAEAALkDABC1AQAAuAMAMMMBAQCtAgAhygECAJcCACHVAQEAkAIAIdYBAgCXAgAh3wFAAJECACHuAUAAkQIAIe8BQAC1AgAh8AEBAJACACELswEAALgDADC0AQAAuQMAELUBAAC4AwAwwwEBAK0CACHKAQIAlwIAIdUBAQCQAgAh1gECAJcCACHfAUAAkQIAIe4BQACRAgAh7wFAALUCACHwAQEAkAIAIQfDAQEA0wIAIdUBAQDTAgAh1gECANoCACHfAUAA1AIAIe4BQADUAgAh7wFAAOMCACHwAQEA0wIAIQfDAQEA0wIAIdUBAQDTAgAh1gECANoCACHfAUAA1AIAIe4BQADUAgAh7wFAAOMCACHwAQEA0wIAIQfDAQEAAAAB1QEBAAAAAdYBAgAAAAHfAUAAAAAB7gFAAAAAAe8BQAAAAAHwAQEAAAABDsMBAQAAAAHHAQAAAMcBAsgBAQAAAAHJAQEAAAABywEBAAAAAcwBAQAAAAHNAUAAAAABzgECAAAAAc8BQAAAAAHQAQEAAAAB0QFAAAAAAdIBQAAAAAHTAUAAAAAB1AEBAAAAAQIAAAAMACAXAADIAwAgAwAAAAwAIBcAAMgDACAYAADHAwAgARAAANYDADATAQAAygIAILMBAADHAgAwtAEAAAoAELUBAADHAgAwwwEBAAAAAccBAADIAscBIsgBAQC0AgAhyQEBALQCACHKAQIAtgIAIcsBAQC0AgAhzAEBAJACACHNAUAAkQIAIc4BAgCXAgAhzwFAALUCACHQAQEAtAIAIdEBQAC1AgAh0gFAALUCACHTAUAAtQIAIdQBAQDJAgAhAgAAAAwAIBAAAMcDACACAAAAxQMAIBAAAMYDACASswEAAMQDADC0AQAAxQMAELUBAADEAwAwwwEBAK0CACHHAQAAyALHASLIAQEAtAIAIckBAQC0AgAhygECALYCACHLAQEAtAIAIcwBAQCQAgAhzQFAAJECACHOAQIAlwIAIc8BQAC1AgAh0AEBALQCACHRAUAAtQIAIdIBQAC1AgAh0wFAALUCACHUAQEAyQIAIRKzAQAAxAMAMLQBAADFAwAQtQEAAMQDADDDAQEArQIAIccBAADIAscBIsgBAQC0AgAhyQEBALQCACHKAQIAtgIAIcsBAQC0AgAhzAEBAJACACHNAUAAkQIAIc4BAgCXAgAhzwFAALUCACHQAQEAtAIAIdEBQAC1AgAh0gFAALUCACHTAUAAtQIAIdQBAQDJAgAhDsMBAQDTAgAhxwEAAOECxwEiyAEBAOICACHJAQEA4gIAIcsBAQDiAgAhzAEBANMCACHNAUAA1AIAIc4BAgDaAgAhzwFAAOMCACHQAQEA4gIAIdEBQADjAgAh0gFAAOMCACHTAUAA4wIAIdQBAQDiAgAhDsMBAQDTAgAhxwEAAOECxwEiyAEBAOICACHJAQEA4gIAIcsBAQDiAgAhzAEBANMCACHNAUAA1AIAIc4BAgDaAgAhzwFAAOMCACHQAQEA4gIAIdEBQADjAgAh0gFAAOMCACHTAUAA4wIAIdQBAQDiAgAhDsMBAQAAAAHHAQAAAMcBAsgBAQAAAAHJAQEAAAABywEBAAAAAcwBAQAAAAHNAUAAAAABzgECAAAAAc8BQAAAAAHQAQEAAAAB0QFAAAAAAdIBQAAAAAHTAUAAAAAB1AEBAAAAAQ8FAACRAwAg3QEBAAAAAd4BAgAAAAHfAUAAAAAB4AECAAAAAeEBAgAAAAHiAQEAAAAB4wEBAAAAAeQBQAAAAAHlAQEAAAAB5gEBAAAAAecBQAAAAAHoAQIAAAAB6QEBAAAAAeoBAgAAAAECAAAARwAgFwAAyQMAIAMAAAADACAXAADJAwAgGAAAzQMAIBEAAAADACAFAACDAwAgEAAAzQMAIN0BAQDiAgAh3gECANoCACHfAUAA4wIAIeABAgDaAgAh4QECANoCACHiAQEA4gIAIeMBAQDiAgAh5AFAAOMCACHlAQEA4gIAIeYBAQDiAgAh5wFAAOMCACHoAQIA5AIAIekBAQDiAgAh6gECANoCACEPBQAAgwMAIN0BAQDiAgAh3gECANoCACHfAUAA4wIAIeABAgDaAgAh4QECANoCACHiAQEA4gIAIeMBAQDiAgAh5AFAAOMCACHlAQEA4gIAIeYBAQDiAgAh5wFAAOMCACHoAQIA5AIAIekBAQDiAgAh6gECANoCACEDFwAAyQMAIIgCAADKAwAgjgIAAEcAIAQXAAC9AwAwiAIAAL4DADCKAgAAwAMAII4CAADBAwAwBBcAALEDADCIAgAAsgMAMIoCAAC0AwAgjgIAALUDADAEFwAApQMAMIgCAACmAwAwigIAAKgDACCOAgAAqQMAMAwBAACSAwAgBQAAkwMAIN0BAADbAgAg3wEAANsCACDiAQAA2wIAIOMBAADbAgAg5AEAANsCACDlAQAA2wIAIOYBAADbAgAg5wEAANsCACDoAQAA2wIAIOkBAADbAgAgAAAADsMBAQAAAAHHAQAAAMcBAsgBAQAAAAHJAQEAAAABywEBAAAAAcwBAQAAAAHNAUAAAAABzgECAAAAAc8BQAAAAAHQAQEAAAAB0QFAAAAAAdIBQAAAAAHTAUAAAAAB1AEBAAAAAQfDAQEAAAAB1QEBAAAAAdYBAgAAAAHfAUAAAAAB7gFAAAAAAe8BQAAAAAHwAQEAAAABA9UBAQAAAAHWAQIAAAAB1wFAAAAAARsHAADOAwAgCAAAzwMAIAoAANEDACC2AQEAAAABwwECAAAAAcgBAQAAAAHJAQEAAAABzQFAAAAAAdYBAgAAAAHxAQEAAAAB8gEgAAAAAfMBIAAAAAH0AQEAAAAB9QEBAAAAAfYBAQAAAAH3AQEAAAAB-AFAAAAAAfkBAQAAAAH6AUAAAAAB-wEBAAAAAfwBQAAAAAH9AQIAAAAB_gFAAAAAAf8BIAAAAAGAAgEAAAABgQJAAAAAAYICQAAAAAECAAAAAQAgFwAA2QMAIAMAAAAOACAXAADZAwAgGAAA3QMAIB0AAAAOACAHAAChAwAgCAAAogMAIAoAAKQDACAQAADdAwAgtgEBAOICACHDAQIA2gIAIcgBAQDTAgAhyQEBAOICACHNAUAA1AIAIdYBAgDaAgAh8QEBAOICACHyASAAoAMAIfMBIACgAwAh9AEBANMCACH1AQEA0wIAIfYBAQDiAgAh9wEBAOICACH4AUAA4wIAIfkBAQDiAgAh-gFAAOMCACH7AQEA4gIAIfwBQADjAgAh_QECAOQCACH-AUAA4wIAIf8BIACgAwAhgAIBAOICACGBAkAA4wIAIYICQADUAgAhGwcAAKEDACAIAACiAwAgCgAApAMAILYBAQDiAgAhwwECANoCACHIAQEA0wIAIckBAQDiAgAhzQFAANQCACHWAQIA2gIAIfEBAQDiAgAh8gEgAKADACHzASAAoAMAIfQBAQDTAgAh9QEBANMCACH2AQEA4gIAIfcBAQDiAgAh-AFAAOMCACH5AQEA4gIAIfoBQADjAgAh-wEBAOICACH8AUAA4wIAIf0BAgDkAgAh_gFAAOMCACH_ASAAoAMAIYACAQDiAgAhgQJAAOMCACGCAkAA1AIAIRsIAADPAwAgCQAA0AMAIAoAANEDACC2AQEAAAABwwECAAAAAcgBAQAAAAHJAQEAAAABzQFAAAAAAdYBAgAAAAHxAQEAAAAB8gEgAAAAAfMBIAAAAAH0AQEAAAAB9QEBAAAAAfYBAQAAAAH3AQEAAAAB-AFAAAAAAfkBAQAAAAH6AUAAAAAB-wEBAAAAAfwBQAAAAAH9AQIAAAAB_gFAAAAAAf8BIAAAAAGAAgEAAAABgQJAAAAAAYICQAAAAAECAAAAAQAgFwAA3gMAIAHcAQEAAAABAwAAAA4AIBcAAN4DACAYAADjAwAgHQAAAA4AIAgAAKIDACAJAACjAwAgCgAApAMAIBAAAOMDACC2AQEA4gIAIcMBAgDaAgAhyAEBANMCACHJAQEA4gIAIc0BQADUAgAh1gECANoCACHxAQEA4gIAIfIBIACgAwAh8wEgAKADACH0AQEA0wIAIfUBAQDTAgAh9gEBAOICACH3AQEA4gIAIfgBQADjAgAh-QEBAOICACH6AUAA4wIAIfsBAQDiAgAh_AFAAOMCACH9AQIA5AIAIf4BQADjAgAh_wEgAKADACGAAgEA4gIAIYECQADjAgAhggJAANQCACEbCAAAogMAIAkAAKMDACAKAACkAwAgtgEBAOICACHDAQIA2gIAIcgBAQDTAgAhyQEBAOICACHNAUAA1AIAIdYBAgDaAgAh8QEBAOICACHyASAAoAMAIfMBIACgAwAh9AEBANMCACH1AQEA0wIAIfYBAQDiAgAh9wEBAOICACH4AUAA4wIAIfkBAQDiAgAh-gFAAOMCACH7AQEA4gIAIfwBQADjAgAh_QECAOQCACH-AUAA4wIAIf8BIACgAwAhgAIBAOICACGBAkAA4wIAIYICQADUAgAhEAEAAJADACDKAQIAAAAB3QEBAAAAAd4BAgAAAAHfAUAAAAAB4AECAAAAAeEBAgAAAAHiAQEAAAAB4wEBAAAAAeQBQAAAAAHlAQEAAAAB5gEBAAAAAecBQAAAAAHoAQIAAAAB6QEBAAAAAeoBAgAAAAECAAAARwAgFwAA5AMAIAMAAAADACAXAADkAwAgGAAA6AMAIBIAAAADACABAACCAwAgEAAA6AMAIMoBAgDaAgAh3QEBAOICACHeAQIA2gIAId8BQADjAgAh4AECANoCACHhAQIA2gIAIeIBAQDiAgAh4wEBAOICACHkAUAA4wIAIeUBAQDiAgAh5gEBAOICACHnAUAA4wIAIegBAgDkAgAh6QEBAOICACHqAQIA2gIAIRABAACCAwAgygECANoCACHdAQEA4gIAId4BAgDaAgAh3wFAAOMCACHgAQIA2gIAIeEBAgDaAgAh4gEBAOICACHjAQEA4gIAIeQBQADjAgAh5QEBAOICACHmAQEA4gIAIecBQADjAgAh6AECAOQCACHpAQEA4gIAIeoBAgDaAgAhGwcAAM4DACAIAADPAwAgCQAA0AMAILYBAQAAAAHDAQIAAAAByAEBAAAAAckBAQAAAAHNAUAAAAAB1gECAAAAAfEBAQAAAAHyASAAAAAB8wEgAAAAAfQBAQAAAAH1AQEAAAAB9gEBAAAAAfcBAQAAAAH4AUAAAAAB-QEBAAAAAfoBQAAAAAH7AQEAAAAB_AFAAAAAAf0BAgAAAAH-AUAAAAAB_wEgAAAAAYACAQAAAAGBAkAAAAABggJAAAAAAQIAAAABACAXAADpAwAgAwAAAA4AIBcAAOkDACAYAADtAwAgHQAAAA4AIAcAAKEDACAIAACiAwAgCQAAowMAIBAAAO0DACC2AQEA4gIAIcMBAgDaAgAhyAEBANMCACHJAQEA4gIAIc0BQADUAgAh1gECANoCACHxAQEA4gIAIfIBIACgAwAh8wEgAKADACH0AQEA0wIAIfUBAQDTAgAh9gEBAOICACH3AQEA4gIAIfgBQADjAgAh-QEBAOICACH6AUAA4wIAIfsBAQDiAgAh_AFAAOMCACH9AQIA5AIAIf4BQADjAgAh_wEgAKADACGAAgEA4gIAIYECQADjAgAhggJAANQCACEbBwAAoQMAIAgAAKIDACAJAACjAwAgtgEBAOICACHDAQIA2gIAIcgBAQDTAgAhyQEBAOICACHNAUAA1AIAIdYBAgDaAgAh8QEBAOICACHyASAAoAMAIfMBIACgAwAh9AEBANMCACH1AQEA0wIAIfYBAQDiAgAh9wEBAOICACH4AUAA4wIAIfkBAQDiAgAh-gFAAOMCACH7AQEA4gIAIfwBQADjAgAh_QECAOQCACH-AUAA4wIAIf8BIACgAwAhgAIBAOICACGBAkAA4wIAIYICQADUAgAhGwcAAM4DACAJAADQAwAgCgAA0QMAILYBAQAAAAHDAQIAAAAByAEBAAAAAckBAQAAAAHNAUAAAAAB1gECAAAAAfEBAQAAAAHyASAAAAAB8wEgAAAAAfQBAQAAAAH1AQEAAAAB9gEBAAAAAfcBAQAAAAH4AUAAAAAB-QEBAAAAAfoBQAAAAAH7AQEAAAAB_AFAAAAAAf0BAgAAAAH-AUAAAAAB_wEgAAAAAYACAQAAAAGBAkAAAAABggJAAAAAAQIAAAABACAXAADuAwAgAwAAAA4AIBcAAO4DACAYAADyAwAgHQAAAA4AIAcAAKEDACAJAACjAwAgCgAApAMAIBAAAPIDACC2AQEA4gIAIcMBAgDaAgAhyAEBANMCACHJAQEA4gIAIc0BQADUAgAh1gECANoCACHxAQEA4gIAIfIBIACgAwAh8wEgAKADACH0AQEA0wIAIfUBAQDTAgAh9gEBAOICACH3AQEA4gIAIfgBQADjAgAh-QEBAOICACH6AUAA4wIAIfsBAQDiAgAh_AFAAOMCACH9AQIA5AIAIf4BQADjAgAh_wEgAKADACGAAgEA4gIAIYECQADjAgAhggJAANQCACEbBwAAoQMAIAkAAKMDACAKAACkAwAgtgEBAOICACHDAQIA2gIAIcgBAQDTAgAhyQEBAOICACHNAUAA1AIAIdYBAgDaAgAh8QEBAOICACHyASAAoAMAIfMBIACgAwAh9AEBANMCACH1AQEA0wIAIfYBAQDiAgAh9wEBAOICACH4AUAA4wIAIfkBAQDiAgAh-gFAAOMCACH7AQEA4gIAIfwBQADjAgAh_QECAOQCACH-AUAA4wIAIf8BIACgAwAhgAIBAOICACGBAkAA4wIAIYICQADUAgAhBQYACAcEAggNBQkTBgoXBwMBAAEFCAMGAAQBBAACAQUJAAEBDwEBAQABAQEAAQMIGAAJGQAKGgAAAAAFBgANHQAOHgAPHwAQIAARAAAAAAAFBgANHQAOHgAPHwAQIAARAQEAAQEBAAEFBgAWHQAXHgAYHwAZIAAaAAAAAAAFBgAWHQAXHgAYHwAZIAAaAQEAAQEBAAEFBgAfHQAgHgAhHwAiIAAjAAAAAAAFBgAfHQAgHgAhHwAiIAAjAQQAAgEEAAIFBgAoHQApHgAqHwArIAAsAAAAAAAFBgAoHQApHgAqHwArIAAsAAAABQYAMh0AMx4ANB8ANSAANgAAAAAABQYAMh0AMx4ANB8ANSAANgAAAAMGADwfAD0gAD4AAAADBgA8HwA9IAA-AQEAAQEBAAEFBgBDHQBEHgBFHwBGIABHAAAAAAAFBgBDHQBEHgBFHwBGIABHAQHHAQEBAc0BAQUGAEwdAE0eAE4fAE8gAFAAAAAAAAUGAEwdAE0eAE4fAE8gAFAAAAAFBgBWHQBXHgBYHwBZIABaAAAAAAAFBgBWHQBXHgBYHwBZIABaAAAAAwYAYB8AYSAAYgAAAAMGAGAfAGEgAGILAgEMGwENHQEOHgEPHwERIQESIwkTJAoUJgEVKAkWKQsZKgEaKwEbLAkhLwwiMBIjMQYkMgYlMwYmNAYnNQYoNwYpOQkqOhMrPAYsPgktPxQuQAYvQQYwQgkxRRUyRhszSAI0SQI1SwI2TAI3TQI4TwI5UQk6Uhw7VAI8Vgk9Vx0-WAI_WQJAWglBXR5CXiRDXwNEYANFYQNGYgNHYwNIZQNJZwlKaCVLagNMbAlNbSZObgNPbwNQcAlRcydSdC1Tdi5Udy5Vei5Wey5XfC5Yfi5ZgAEJWoEBL1uDAS5chQEJXYYBMF6HAS5fiAEuYIkBCWGMATFijQE3Y48BOGSQAThlkwE4ZpQBOGeVATholwE4aZkBCWqaATlrnAE4bJ4BCW2fATpuoAE4b6EBOHCiAQlxpQE7cqYBP3OnAQd0qAEHdakBB3aqAQd3qwEHeK0BB3mvAQl6sAFAe7IBB3y0AQl9tQFBfrYBB3-3AQeAAbgBCYEBuwFCggG8AUiDAb0BBYQBvgEFhQG_AQWGAcABBYcBwQEFiAHDAQWJAcUBCYoBxgFJiwHJAQWMAcsBCY0BzAFKjgHOAQWPAc8BBZAB0AEJkQHTAUuSAdQBUZMB1gFSlAHXAVKVAdoBUpYB2wFSlwHcAVKYAd4BUpkB4AEJmgHhAVObAeMBUpwB5QEJnQHmAVSeAecBUp8B6AFSoAHpAQmhAewBVaIB7QFbowHvAVykAfABXKUB8wFcpgH0AVynAfUBXKgB9wFcqQH5AQmqAfoBXasB_AFcrAH-AQmtAf8BXq4BgAJcrwGBAlywAYICCbEBhQJfsgGGAmM"
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
  RecoveryCodeScalarFieldEnum: () => RecoveryCodeScalarFieldEnum,
  RosterScalarFieldEnum: () => RosterScalarFieldEnum,
  SecondFactorScalarFieldEnum: () => SecondFactorScalarFieldEnum,
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
  SecondFactor: "SecondFactor",
  RecoveryCode: "RecoveryCode",
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
  secondFactorSince: "secondFactorSince",
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
var SecondFactorScalarFieldEnum = {
  userId: "userId",
  secret: "secret",
  lastStep: "lastStep",
  lastUsedAt: "lastUsedAt",
  wrongCodes: "wrongCodes",
  wrongOfPassword: "wrongOfPassword",
  passwordDigest: "passwordDigest",
  lastRefusal: "lastRefusal",
  lastRefusedAt: "lastRefusedAt",
  newSecret: "newSecret",
  linkHash: "linkHash",
  linkExpiresAt: "linkExpiresAt",
  linkVersion: "linkVersion",
  linkEmail: "linkEmail",
  beginnings: "beginnings"
};
var RecoveryCodeScalarFieldEnum = {
  userId: "userId",
  hash: "hash"
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
  invitation: "invitation",
  second_factor: "second_factor",
  second_factor_removed: "second_factor_removed",
  password_stolen: "password_stolen"
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
