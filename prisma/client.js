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
  /// SHA-256, in hexadecimal, of the reset token in the newest mail that was sent. See src/mail/link-tokens.ts.
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
  /// Who the user is at an OpenID provider, by its \`iss\` and \`sub\`; null for an account with a password alone.
  signInIssuer                   String?   @map("sign_in_issuer")
  signInSubject                  String?   @map("sign_in_subject")
  createdAt                      DateTime  @default(now()) @map("created_at") @db.Timestamptz(3)
  updatedAt                      DateTime  @default(now()) @updatedAt @map("updated_at") @db.Timestamptz(3)

  signInTickets  SignInTicket[]
  secondFactor   SecondFactor?
  mails          Mail[]
  sessions       Session[]
  knownAddresses KnownAddress[]

  @@unique([source, sourcedId])
  @@unique([signInIssuer, signInSubject])
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

/// What a page gets after a sign-in at an OpenID provider, and exchanges for a token, once. See src/sign-in/tickets.ts.
model SignInTicket {
  /// SHA-256, in hexadecimal.
  hash         String   @id
  userId       Int      @map("user_id")
  user         User     @relation(fields: [userId], references: [id], onDelete: Cascade)
  /// The user's token version at the sign-in. The ticket is void with another one.
  tokenVersion Int      @map("token_version")
  /// The S256 challenge of the page that began the sign-in: only its verifier spends the ticket.
  challenge    String
  expiresAt    DateTime @map("expires_at") @db.Timestamptz(3)

  @@index([userId])
  @@index([expiresAt])
  @@map("sign_in_tickets")
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
/// src/mail/mail-server.ts.
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
config.runtimeDataModel = JSON.parse('{"models":{"User":{"fields":[{"name":"id","kind":"scalar","type":"Int"},{"name":"username","kind":"scalar","type":"String"},{"name":"email","kind":"scalar","type":"String"},{"name":"passwordHash","kind":"scalar","type":"String","dbName":"password_hash"},{"name":"passwordTemporary","kind":"scalar","type":"Boolean","dbName":"password_temporary"},{"name":"selfRegistered","kind":"scalar","type":"Boolean","dbName":"self_registered"},{"name":"userType","kind":"scalar","type":"String","dbName":"user_type"},{"name":"role","kind":"scalar","type":"String"},{"name":"adpStatus","kind":"scalar","type":"String","dbName":"adp_status"},{"name":"bookChapterApproverDesignation","kind":"scalar","type":"String","dbName":"book_chapter_approver_designation"},{"name":"tokenVersion","kind":"scalar","type":"Int","dbName":"token_version"},{"name":"tokensRevokedAt","kind":"scalar","type":"DateTime","dbName":"tokens_revoked_at"},{"name":"resetTokenHash","kind":"scalar","type":"String","dbName":"reset_token_hash"},{"name":"resetTokenExpiresAt","kind":"scalar","type":"DateTime","dbName":"reset_token_expires_at"},{"name":"pendingResetTokenHash","kind":"scalar","type":"String","dbName":"pending_reset_token_hash"},{"name":"pendingResetTokenExpiresAt","kind":"scalar","type":"DateTime","dbName":"pending_reset_token_expires_at"},{"name":"pendingResetTokenVersion","kind":"scalar","type":"Int","dbName":"pending_reset_token_version"},{"name":"disabledAt","kind":"scalar","type":"DateTime","dbName":"disabled_at"},{"name":"disabledBySource","kind":"scalar","type":"Boolean","dbName":"disabled_by_source"},{"name":"source","kind":"scalar","type":"String"},{"name":"sourcedId","kind":"scalar","type":"String","dbName":"sourced_id"},{"name":"secondFactorSince","kind":"scalar","type":"DateTime","dbName":"second_factor_since"},{"name":"signInIssuer","kind":"scalar","type":"String","dbName":"sign_in_issuer"},{"name":"signInSubject","kind":"scalar","type":"String","dbName":"sign_in_subject"},{"name":"createdAt","kind":"scalar","type":"DateTime","dbName":"created_at"},{"name":"updatedAt","kind":"scalar","type":"DateTime","dbName":"updated_at"},{"name":"signInTickets","kind":"object","type":"SignInTicket","relationName":"SignInTicketToUser"},{"name":"secondFactor","kind":"object","type":"SecondFactor","relationName":"SecondFactorToUser"},{"name":"mails","kind":"object","type":"Mail","relationName":"MailToUser"},{"name":"sessions","kind":"object","type":"Session","relationName":"SessionToUser"},{"name":"knownAddresses","kind":"object","type":"KnownAddress","relationName":"KnownAddressToUser"}],"dbName":"users","schema":null},"Session":{"fields":[{"name":"id","kind":"scalar","type":"String"},{"name":"userId","kind":"scalar","type":"Int","dbName":"user_id"},{"name":"user","kind":"object","type":"User","relationName":"SessionToUser"},{"name":"tokenVersion","kind":"scalar","type":"Int","dbName":"token_version"},{"name":"startedAt","kind":"scalar","type":"DateTime","dbName":"started_at"},{"name":"lastUsedAt","kind":"scalar","type":"DateTime","dbName":"last_used_at"},{"name":"endedAt","kind":"scalar","type":"DateTime","dbName":"ended_at"},{"name":"client","kind":"scalar","type":"String"},{"name":"userAgent","kind":"scalar","type":"String","dbName":"user_agent"}],"dbName":"sessions","schema":null},"SecondFactor":{"fields":[{"name":"userId","kind":"scalar","type":"Int","dbName":"user_id"},{"name":"user","kind":"object","type":"User","relationName":"SecondFactorToUser"},{"name":"secret","kind":"scalar","type":"String"},{"name":"lastStep","kind":"scalar","type":"Int","dbName":"last_step"},{"name":"lastUsedAt","kind":"scalar","type":"DateTime","dbName":"last_used_at"},{"name":"wrongCodes","kind":"scalar","type":"Int","dbName":"wrong_codes"},{"name":"wrongOfPassword","kind":"scalar","type":"Int","dbName":"wrong_of_password"},{"name":"passwordDigest","kind":"scalar","type":"String","dbName":"password_digest"},{"name":"lastRefusal","kind":"scalar","type":"String","dbName":"last_refusal"},{"name":"lastRefusedAt","kind":"scalar","type":"DateTime","dbName":"last_refused_at"},{"name":"newSecret","kind":"scalar","type":"String","dbName":"new_secret"},{"name":"linkHash","kind":"scalar","type":"String","dbName":"link_hash"},{"name":"linkExpiresAt","kind":"scalar","type":"DateTime","dbName":"link_expires_at"},{"name":"linkVersion","kind":"scalar","type":"Int","dbName":"link_version"},{"name":"linkEmail","kind":"scalar","type":"String","dbName":"link_email"},{"name":"beginnings","kind":"scalar","type":"Int"},{"name":"recoveryCodes","kind":"object","type":"RecoveryCode","relationName":"RecoveryCodeToSecondFactor"}],"dbName":"second_factors","schema":null},"RecoveryCode":{"fields":[{"name":"userId","kind":"scalar","type":"Int","dbName":"user_id"},{"name":"factor","kind":"object","type":"SecondFactor","relationName":"RecoveryCodeToSecondFactor"},{"name":"hash","kind":"scalar","type":"String"}],"dbName":"recovery_codes","schema":null},"SignInTicket":{"fields":[{"name":"hash","kind":"scalar","type":"String"},{"name":"userId","kind":"scalar","type":"Int","dbName":"user_id"},{"name":"user","kind":"object","type":"User","relationName":"SignInTicketToUser"},{"name":"tokenVersion","kind":"scalar","type":"Int","dbName":"token_version"},{"name":"challenge","kind":"scalar","type":"String"},{"name":"expiresAt","kind":"scalar","type":"DateTime","dbName":"expires_at"}],"dbName":"sign_in_tickets","schema":null},"DeletedUser":{"fields":[{"name":"id","kind":"scalar","type":"Int"},{"name":"deletedAt","kind":"scalar","type":"DateTime","dbName":"deleted_at"}],"dbName":"deleted_users","schema":null},"DatabaseMark":{"fields":[{"name":"mark","kind":"scalar","type":"String"},{"name":"madeAt","kind":"scalar","type":"DateTime","dbName":"made_at"},{"name":"unmarkedUntil","kind":"scalar","type":"DateTime","dbName":"unmarked_until"}],"dbName":"database_mark","schema":null},"KnownAddress":{"fields":[{"name":"userId","kind":"scalar","type":"Int","dbName":"user_id"},{"name":"user","kind":"object","type":"User","relationName":"KnownAddressToUser"},{"name":"client","kind":"scalar","type":"String"},{"name":"tokenVersion","kind":"scalar","type":"Int","dbName":"token_version"},{"name":"lastLoginAt","kind":"scalar","type":"DateTime","dbName":"last_login_at"}],"dbName":"known_addresses","schema":null},"Mail":{"fields":[{"name":"id","kind":"scalar","type":"String"},{"name":"kind","kind":"enum","type":"MailKind"},{"name":"username","kind":"scalar","type":"String"},{"name":"email","kind":"scalar","type":"String"},{"name":"userId","kind":"scalar","type":"Int","dbName":"user_id"},{"name":"user","kind":"object","type":"User","relationName":"MailToUser"},{"name":"language","kind":"scalar","type":"String"},{"name":"requestId","kind":"scalar","type":"String","dbName":"request_id"},{"name":"createdAt","kind":"scalar","type":"DateTime","dbName":"created_at"},{"name":"attempts","kind":"scalar","type":"Int"},{"name":"dueAt","kind":"scalar","type":"DateTime","dbName":"due_at"},{"name":"lastFailure","kind":"scalar","type":"String","dbName":"last_failure"},{"name":"claimedUntil","kind":"scalar","type":"DateTime","dbName":"claimed_until"},{"name":"sentAt","kind":"scalar","type":"DateTime","dbName":"sent_at"},{"name":"refusedAt","kind":"scalar","type":"DateTime","dbName":"refused_at"},{"name":"letterId","kind":"scalar","type":"String","dbName":"letter_id"}],"dbName":"mails","schema":null},"MailServer":{"fields":[{"name":"id","kind":"scalar","type":"Int"},{"name":"faults","kind":"scalar","type":"Int"},{"name":"pausedUntil","kind":"scalar","type":"DateTime","dbName":"paused_until"}],"dbName":"mail_server","schema":null},"Roster":{"fields":[{"name":"source","kind":"scalar","type":"String"},{"name":"importedAt","kind":"scalar","type":"DateTime","dbName":"imported_at"}],"dbName":"rosters","schema":null}},"enums":{},"types":{}}');
config.parameterizationSchema = {
  strings: JSON.parse('["where","orderBy","cursor","user","signInTickets","factor","recoveryCodes","_count","secondFactor","mails","sessions","knownAddresses","User.findUnique","User.findUniqueOrThrow","User.findFirst","User.findFirstOrThrow","User.findMany","data","User.createOne","User.createMany","User.createManyAndReturn","User.updateOne","User.updateMany","User.updateManyAndReturn","create","update","User.upsertOne","User.deleteOne","User.deleteMany","having","_avg","_sum","_min","_max","User.groupBy","User.aggregate","Session.findUnique","Session.findUniqueOrThrow","Session.findFirst","Session.findFirstOrThrow","Session.findMany","Session.createOne","Session.createMany","Session.createManyAndReturn","Session.updateOne","Session.updateMany","Session.updateManyAndReturn","Session.upsertOne","Session.deleteOne","Session.deleteMany","Session.groupBy","Session.aggregate","SecondFactor.findUnique","SecondFactor.findUniqueOrThrow","SecondFactor.findFirst","SecondFactor.findFirstOrThrow","SecondFactor.findMany","SecondFactor.createOne","SecondFactor.createMany","SecondFactor.createManyAndReturn","SecondFactor.updateOne","SecondFactor.updateMany","SecondFactor.updateManyAndReturn","SecondFactor.upsertOne","SecondFactor.deleteOne","SecondFactor.deleteMany","SecondFactor.groupBy","SecondFactor.aggregate","RecoveryCode.findUnique","RecoveryCode.findUniqueOrThrow","RecoveryCode.findFirst","RecoveryCode.findFirstOrThrow","RecoveryCode.findMany","RecoveryCode.createOne","RecoveryCode.createMany","RecoveryCode.createManyAndReturn","RecoveryCode.updateOne","RecoveryCode.updateMany","RecoveryCode.updateManyAndReturn","RecoveryCode.upsertOne","RecoveryCode.deleteOne","RecoveryCode.deleteMany","RecoveryCode.groupBy","RecoveryCode.aggregate","SignInTicket.findUnique","SignInTicket.findUniqueOrThrow","SignInTicket.findFirst","SignInTicket.findFirstOrThrow","SignInTicket.findMany","SignInTicket.createOne","SignInTicket.createMany","SignInTicket.createManyAndReturn","SignInTicket.updateOne","SignInTicket.updateMany","SignInTicket.updateManyAndReturn","SignInTicket.upsertOne","SignInTicket.deleteOne","SignInTicket.deleteMany","SignInTicket.groupBy","SignInTicket.aggregate","DeletedUser.findUnique","DeletedUser.findUniqueOrThrow","DeletedUser.findFirst","DeletedUser.findFirstOrThrow","DeletedUser.findMany","DeletedUser.createOne","DeletedUser.createMany","DeletedUser.createManyAndReturn","DeletedUser.updateOne","DeletedUser.updateMany","DeletedUser.updateManyAndReturn","DeletedUser.upsertOne","DeletedUser.deleteOne","DeletedUser.deleteMany","DeletedUser.groupBy","DeletedUser.aggregate","DatabaseMark.findUnique","DatabaseMark.findUniqueOrThrow","DatabaseMark.findFirst","DatabaseMark.findFirstOrThrow","DatabaseMark.findMany","DatabaseMark.createOne","DatabaseMark.createMany","DatabaseMark.createManyAndReturn","DatabaseMark.updateOne","DatabaseMark.updateMany","DatabaseMark.updateManyAndReturn","DatabaseMark.upsertOne","DatabaseMark.deleteOne","DatabaseMark.deleteMany","DatabaseMark.groupBy","DatabaseMark.aggregate","KnownAddress.findUnique","KnownAddress.findUniqueOrThrow","KnownAddress.findFirst","KnownAddress.findFirstOrThrow","KnownAddress.findMany","KnownAddress.createOne","KnownAddress.createMany","KnownAddress.createManyAndReturn","KnownAddress.updateOne","KnownAddress.updateMany","KnownAddress.updateManyAndReturn","KnownAddress.upsertOne","KnownAddress.deleteOne","KnownAddress.deleteMany","KnownAddress.groupBy","KnownAddress.aggregate","Mail.findUnique","Mail.findUniqueOrThrow","Mail.findFirst","Mail.findFirstOrThrow","Mail.findMany","Mail.createOne","Mail.createMany","Mail.createManyAndReturn","Mail.updateOne","Mail.updateMany","Mail.updateManyAndReturn","Mail.upsertOne","Mail.deleteOne","Mail.deleteMany","Mail.groupBy","Mail.aggregate","MailServer.findUnique","MailServer.findUniqueOrThrow","MailServer.findFirst","MailServer.findFirstOrThrow","MailServer.findMany","MailServer.createOne","MailServer.createMany","MailServer.createManyAndReturn","MailServer.updateOne","MailServer.updateMany","MailServer.updateManyAndReturn","MailServer.upsertOne","MailServer.deleteOne","MailServer.deleteMany","MailServer.groupBy","MailServer.aggregate","Roster.findUnique","Roster.findUniqueOrThrow","Roster.findFirst","Roster.findFirstOrThrow","Roster.findMany","Roster.createOne","Roster.createMany","Roster.createManyAndReturn","Roster.updateOne","Roster.updateMany","Roster.updateManyAndReturn","Roster.upsertOne","Roster.deleteOne","Roster.deleteMany","Roster.groupBy","Roster.aggregate","AND","OR","NOT","source","importedAt","equals","in","notIn","lt","lte","gt","gte","not","contains","startsWith","endsWith","id","faults","pausedUntil","MailKind","kind","username","email","userId","language","requestId","createdAt","attempts","dueAt","lastFailure","claimedUntil","sentAt","refusedAt","letterId","client","tokenVersion","lastLoginAt","mark","madeAt","unmarkedUntil","deletedAt","hash","challenge","expiresAt","secret","lastStep","lastUsedAt","wrongCodes","wrongOfPassword","passwordDigest","lastRefusal","lastRefusedAt","newSecret","linkHash","linkExpiresAt","linkVersion","linkEmail","beginnings","every","some","none","startedAt","endedAt","userAgent","passwordHash","passwordTemporary","selfRegistered","userType","role","adpStatus","bookChapterApproverDesignation","tokensRevokedAt","resetTokenHash","resetTokenExpiresAt","pendingResetTokenHash","pendingResetTokenExpiresAt","pendingResetTokenVersion","disabledAt","disabledBySource","sourcedId","secondFactorSince","signInIssuer","signInSubject","updatedAt","userId_client","userId_hash","source_sourcedId","signInIssuer_signInSubject","is","isNot","connectOrCreate","upsert","createMany","set","disconnect","delete","connect","updateMany","deleteMany","increment","decrement","multiply","divide"]'),
  graph: "rQRtsAEkBAAA3wIAIAgAAOACACAJAADhAgAgCgAA4gIAIAsAAOMCACDEAQAA3QIAMMUBAAASABDGAQAA3QIAMMcBAQDQAgAh1AECAAAAAdkBAQAAAAHaAQEA0AIAId4BQACsAgAh5wECALICACGEAgEA0AIAIYUCIADeAgAhhgIgAN4CACGHAgEAqwIAIYgCAQCrAgAhiQIBANACACGKAgEA0AIAIYsCQADRAgAhjAIBAAAAAY0CQADRAgAhjgIBAAAAAY8CQADRAgAhkAICANICACGRAkAA0QIAIZICIADeAgAhkwIBANACACGUAkAA0QIAIZUCAQDQAgAhlgIBANACACGXAkAArAIAIZoCAADtAgAgmwIAAO4CACABAAAAAQAgCQMAANMCACDEAQAA7AIAMMUBAAADABDGAQAA7AIAMNsBAgCyAgAh5wECALICACHtAQEAqwIAIe4BAQCrAgAh7wFAAKwCACEBAwAAuAMAIAkDAADTAgAgxAEAAOwCADDFAQAAAwAQxgEAAOwCADDbAQIAsgIAIecBAgCyAgAh7QEBAAAAAe4BAQCrAgAh7wFAAKwCACEDAAAAAwAgAQAABAAwAgAABQAgFAMAANMCACAGAADUAgAgxAEAAM8CADDFAQAABwAQxgEAAM8CADDbAQIAsgIAIfABAQDQAgAh8QECALICACHyAUAA0QIAIfMBAgCyAgAh9AECALICACH1AQEA0AIAIfYBAQDQAgAh9wFAANECACH4AQEA0AIAIfkBAQDQAgAh-gFAANECACH7AQIA0gIAIfwBAQDQAgAh_QECALICACEBAAAABwAgBgUAAOsCACDEAQAA6gIAMMUBAAAJABDGAQAA6gIAMNsBAgCyAgAh7QEBAKsCACEBBQAAhwQAIAcFAADrAgAgxAEAAOoCADDFAQAACQAQxgEAAOoCADDbAQIAsgIAIe0BAQCrAgAhmQIAAOkCACADAAAACQAgAQAACgAwAgAACwAgAQAAAAkAIBMDAADnAgAgxAEAAOQCADDFAQAADgAQxgEAAOQCADDUAQEAyAIAIdgBAADlAtgBItkBAQDQAgAh2gEBANACACHbAQIA0gIAIdwBAQDQAgAh3QEBAKsCACHeAUAArAIAId8BAgCyAgAh4AFAANECACHhAQEA0AIAIeIBQADRAgAh4wFAANECACHkAUAA0QIAIeUBAQDmAgAhCwMAALgDACDZAQAA-gIAINoBAAD6AgAg2wEAAPoCACDcAQAA-gIAIOABAAD6AgAg4QEAAPoCACDiAQAA-gIAIOMBAAD6AgAg5AEAAPoCACDlAQAA-gIAIBMDAADnAgAgxAEAAOQCADDFAQAADgAQxgEAAOQCADDUAQEAAAAB2AEAAOUC2AEi2QEBANACACHaAQEA0AIAIdsBAgDSAgAh3AEBANACACHdAQEAqwIAId4BQACsAgAh3wECALICACHgAUAA0QIAIeEBAQDQAgAh4gFAANECACHjAUAA0QIAIeQBQADRAgAh5QEBAOYCACEDAAAADgAgAQAADwAwAgAAEAAgIgQAAN8CACAIAADgAgAgCQAA4QIAIAoAAOICACALAADjAgAgxAEAAN0CADDFAQAAEgAQxgEAAN0CADDHAQEA0AIAIdQBAgCyAgAh2QEBAKsCACHaAQEA0AIAId4BQACsAgAh5wECALICACGEAgEA0AIAIYUCIADeAgAhhgIgAN4CACGHAgEAqwIAIYgCAQCrAgAhiQIBANACACGKAgEA0AIAIYsCQADRAgAhjAIBANACACGNAkAA0QIAIY4CAQDQAgAhjwJAANECACGQAgIA0gIAIZECQADRAgAhkgIgAN4CACGTAgEA0AIAIZQCQADRAgAhlQIBANACACGWAgEA0AIAIZcCQACsAgAhAQAAABIAIAwDAADTAgAgxAEAANwCADDFAQAAFAAQxgEAANwCADDUAQEAyAIAIdsBAgCyAgAh5gEBAKsCACHnAQIAsgIAIfIBQACsAgAhgQJAAKwCACGCAkAA0QIAIYMCAQCrAgAhAgMAALgDACCCAgAA-gIAIAwDAADTAgAgxAEAANwCADDFAQAAFAAQxgEAANwCADDUAQEAAAAB2wECALICACHmAQEAqwIAIecBAgCyAgAh8gFAAKwCACGBAkAArAIAIYICQADRAgAhgwIBAKsCACEDAAAAFAAgAQAAFQAwAgAAFgAgCAMAANMCACDEAQAA2wIAMMUBAAAYABDGAQAA2wIAMNsBAgCyAgAh5gEBAKsCACHnAQIAsgIAIegBQACsAgAhAQMAALgDACAJAwAA0wIAIMQBAADbAgAwxQEAABgAEMYBAADbAgAw2wECALICACHmAQEAqwIAIecBAgCyAgAh6AFAAKwCACGYAgAA2gIAIAMAAAAYACABAAAZADACAAAaACABAAAAAwAgAQAAAA4AIAEAAAAUACABAAAAGAAgAQAAAAEAIBUEAACGBAAgCAAAhwQAIAkAAIgEACAKAACJBAAgCwAAigQAIMcBAAD6AgAg2gEAAPoCACCEAgAA-gIAIIkCAAD6AgAgigIAAPoCACCLAgAA-gIAIIwCAAD6AgAgjQIAAPoCACCOAgAA-gIAII8CAAD6AgAgkAIAAPoCACCRAgAA-gIAIJMCAAD6AgAglAIAAPoCACCVAgAA-gIAIJYCAAD6AgAgAwAAABIAIAEAACEAMAIAAAEAIAMAAAASACABAAAhADACAAABACADAAAAEgAgAQAAIQAwAgAAAQAgHwQAAIEEACAIAACCBAAgCQAAgwQAIAoAAIQEACALAACFBAAgxwEBAAAAAdQBAgAAAAHZAQEAAAAB2gEBAAAAAd4BQAAAAAHnAQIAAAABhAIBAAAAAYUCIAAAAAGGAiAAAAABhwIBAAAAAYgCAQAAAAGJAgEAAAABigIBAAAAAYsCQAAAAAGMAgEAAAABjQJAAAAAAY4CAQAAAAGPAkAAAAABkAICAAAAAZECQAAAAAGSAiAAAAABkwIBAAAAAZQCQAAAAAGVAgEAAAABlgIBAAAAAZcCQAAAAAEBEQAAJQAgGscBAQAAAAHUAQIAAAAB2QEBAAAAAdoBAQAAAAHeAUAAAAAB5wECAAAAAYQCAQAAAAGFAiAAAAABhgIgAAAAAYcCAQAAAAGIAgEAAAABiQIBAAAAAYoCAQAAAAGLAkAAAAABjAIBAAAAAY0CQAAAAAGOAgEAAAABjwJAAAAAAZACAgAAAAGRAkAAAAABkgIgAAAAAZMCAQAAAAGUAkAAAAABlQIBAAAAAZYCAQAAAAGXAkAAAAABAREAACcAMAERAAAnADAfBAAAxwMAIAgAAMgDACAJAADJAwAgCgAAygMAIAsAAMsDACDHAQEAgQMAIdQBAgD5AgAh2QEBAPICACHaAQEAgQMAId4BQADzAgAh5wECAPkCACGEAgEAgQMAIYUCIADGAwAhhgIgAMYDACGHAgEA8gIAIYgCAQDyAgAhiQIBAIEDACGKAgEAgQMAIYsCQACCAwAhjAIBAIEDACGNAkAAggMAIY4CAQCBAwAhjwJAAIIDACGQAgIAgwMAIZECQACCAwAhkgIgAMYDACGTAgEAgQMAIZQCQACCAwAhlQIBAIEDACGWAgEAgQMAIZcCQADzAgAhAgAAAAEAIBEAACoAIBrHAQEAgQMAIdQBAgD5AgAh2QEBAPICACHaAQEAgQMAId4BQADzAgAh5wECAPkCACGEAgEAgQMAIYUCIADGAwAhhgIgAMYDACGHAgEA8gIAIYgCAQDyAgAhiQIBAIEDACGKAgEAgQMAIYsCQACCAwAhjAIBAIEDACGNAkAAggMAIY4CAQCBAwAhjwJAAIIDACGQAgIAgwMAIZECQACCAwAhkgIgAMYDACGTAgEAgQMAIZQCQACCAwAhlQIBAIEDACGWAgEAgQMAIZcCQADzAgAhAgAAABIAIBEAACwAIAIAAAASACARAAAsACADAAAAAQAgGAAAJQAgGQAAKgAgAQAAAAEAIAEAAAASACAVBwAAwQMAIB4AAMIDACAfAADFAwAgIAAAxAMAICEAAMMDACDHAQAA-gIAINoBAAD6AgAghAIAAPoCACCJAgAA-gIAIIoCAAD6AgAgiwIAAPoCACCMAgAA-gIAII0CAAD6AgAgjgIAAPoCACCPAgAA-gIAIJACAAD6AgAgkQIAAPoCACCTAgAA-gIAIJQCAAD6AgAglQIAAPoCACCWAgAA-gIAIB3EAQAA1gIAMMUBAAAzABDGAQAA1gIAMMcBAQC2AgAh1AECAK4CACHZAQEAowIAIdoBAQC2AgAh3gFAAKQCACHnAQIArgIAIYQCAQC2AgAhhQIgANcCACGGAiAA1wIAIYcCAQCjAgAhiAIBAKMCACGJAgEAtgIAIYoCAQC2AgAhiwJAALgCACGMAgEAtgIAIY0CQAC4AgAhjgIBALYCACGPAkAAuAIAIZACAgC3AgAhkQJAALgCACGSAiAA1wIAIZMCAQC2AgAhlAJAALgCACGVAgEAtgIAIZYCAQC2AgAhlwJAAKQCACEDAAAAEgAgAQAAMgAwHQAAMwAgAwAAABIAIAEAACEAMAIAAAEAIAEAAAAWACABAAAAFgAgAwAAABQAIAEAABUAMAIAABYAIAMAAAAUACABAAAVADACAAAWACADAAAAFAAgAQAAFQAwAgAAFgAgCQMAAMADACDUAQEAAAAB2wECAAAAAeYBAQAAAAHnAQIAAAAB8gFAAAAAAYECQAAAAAGCAkAAAAABgwIBAAAAAQERAAA7ACAI1AEBAAAAAdsBAgAAAAHmAQEAAAAB5wECAAAAAfIBQAAAAAGBAkAAAAABggJAAAAAAYMCAQAAAAEBEQAAPQAwAREAAD0AMAkDAAC_AwAg1AEBAPICACHbAQIA-QIAIeYBAQDyAgAh5wECAPkCACHyAUAA8wIAIYECQADzAgAhggJAAIIDACGDAgEA8gIAIQIAAAAWACARAABAACAI1AEBAPICACHbAQIA-QIAIeYBAQDyAgAh5wECAPkCACHyAUAA8wIAIYECQADzAgAhggJAAIIDACGDAgEA8gIAIQIAAAAUACARAABCACACAAAAFAAgEQAAQgAgAwAAABYAIBgAADsAIBkAAEAAIAEAAAAWACABAAAAFAAgBgcAALoDACAeAAC7AwAgHwAAvgMAICAAAL0DACAhAAC8AwAgggIAAPoCACALxAEAANUCADDFAQAASQAQxgEAANUCADDUAQEAtAIAIdsBAgCuAgAh5gEBAKMCACHnAQIArgIAIfIBQACkAgAhgQJAAKQCACGCAkAAuAIAIYMCAQCjAgAhAwAAABQAIAEAAEgAMB0AAEkAIAMAAAAUACABAAAVADACAAAWACAUAwAA0wIAIAYAANQCACDEAQAAzwIAMMUBAAAHABDGAQAAzwIAMNsBAgAAAAHwAQEA0AIAIfEBAgCyAgAh8gFAANECACHzAQIAsgIAIfQBAgCyAgAh9QEBANACACH2AQEA0AIAIfcBQADRAgAh-AEBANACACH5AQEAAAAB-gFAANECACH7AQIA0gIAIfwBAQDQAgAh_QECALICACEBAAAATAAgAQAAAEwAIAwDAAC4AwAgBgAAuQMAIPABAAD6AgAg8gEAAPoCACD1AQAA-gIAIPYBAAD6AgAg9wEAAPoCACD4AQAA-gIAIPkBAAD6AgAg-gEAAPoCACD7AQAA-gIAIPwBAAD6AgAgAwAAAAcAIAEAAE8AMAIAAEwAIAMAAAAHACABAABPADACAABMACADAAAABwAgAQAATwAwAgAATAAgEQMAALYDACAGAAC3AwAg2wECAAAAAfABAQAAAAHxAQIAAAAB8gFAAAAAAfMBAgAAAAH0AQIAAAAB9QEBAAAAAfYBAQAAAAH3AUAAAAAB-AEBAAAAAfkBAQAAAAH6AUAAAAAB-wECAAAAAfwBAQAAAAH9AQIAAAABAREAAFMAIA_bAQIAAAAB8AEBAAAAAfEBAgAAAAHyAUAAAAAB8wECAAAAAfQBAgAAAAH1AQEAAAAB9gEBAAAAAfcBQAAAAAH4AQEAAAAB-QEBAAAAAfoBQAAAAAH7AQIAAAAB_AEBAAAAAf0BAgAAAAEBEQAAVQAwAREAAFUAMBEDAACoAwAgBgAAqQMAINsBAgD5AgAh8AEBAIEDACHxAQIA-QIAIfIBQACCAwAh8wECAPkCACH0AQIA-QIAIfUBAQCBAwAh9gEBAIEDACH3AUAAggMAIfgBAQCBAwAh-QEBAIEDACH6AUAAggMAIfsBAgCDAwAh_AEBAIEDACH9AQIA-QIAIQIAAABMACARAABYACAP2wECAPkCACHwAQEAgQMAIfEBAgD5AgAh8gFAAIIDACHzAQIA-QIAIfQBAgD5AgAh9QEBAIEDACH2AQEAgQMAIfcBQACCAwAh-AEBAIEDACH5AQEAgQMAIfoBQACCAwAh-wECAIMDACH8AQEAgQMAIf0BAgD5AgAhAgAAAAcAIBEAAFoAIAIAAAAHACARAABaACADAAAATAAgGAAAUwAgGQAAWAAgAQAAAEwAIAEAAAAHACAPBwAAowMAIB4AAKQDACAfAACnAwAgIAAApgMAICEAAKUDACDwAQAA-gIAIPIBAAD6AgAg9QEAAPoCACD2AQAA-gIAIPcBAAD6AgAg-AEAAPoCACD5AQAA-gIAIPoBAAD6AgAg-wEAAPoCACD8AQAA-gIAIBLEAQAAzgIAMMUBAABhABDGAQAAzgIAMNsBAgCuAgAh8AEBALYCACHxAQIArgIAIfIBQAC4AgAh8wECAK4CACH0AQIArgIAIfUBAQC2AgAh9gEBALYCACH3AUAAuAIAIfgBAQC2AgAh-QEBALYCACH6AUAAuAIAIfsBAgC3AgAh_AEBALYCACH9AQIArgIAIQMAAAAHACABAABgADAdAABhACADAAAABwAgAQAATwAwAgAATAAgAQAAAAsAIAEAAAALACADAAAACQAgAQAACgAwAgAACwAgAwAAAAkAIAEAAAoAMAIAAAsAIAMAAAAJACABAAAKADACAAALACADBQAAogMAINsBAgAAAAHtAQEAAAABAREAAGkAIALbAQIAAAAB7QEBAAAAAQERAABrADABEQAAawAwAwUAAKEDACDbAQIA-QIAIe0BAQDyAgAhAgAAAAsAIBEAAG4AIALbAQIA-QIAIe0BAQDyAgAhAgAAAAkAIBEAAHAAIAIAAAAJACARAABwACADAAAACwAgGAAAaQAgGQAAbgAgAQAAAAsAIAEAAAAJACAFBwAAnAMAIB4AAJ0DACAfAACgAwAgIAAAnwMAICEAAJ4DACAFxAEAAM0CADDFAQAAdwAQxgEAAM0CADDbAQIArgIAIe0BAQCjAgAhAwAAAAkAIAEAAHYAMB0AAHcAIAMAAAAJACABAAAKADACAAALACABAAAABQAgAQAAAAUAIAMAAAADACABAAAEADACAAAFACADAAAAAwAgAQAABAAwAgAABQAgAwAAAAMAIAEAAAQAMAIAAAUAIAYDAACbAwAg2wECAAAAAecBAgAAAAHtAQEAAAAB7gEBAAAAAe8BQAAAAAEBEQAAfwAgBdsBAgAAAAHnAQIAAAAB7QEBAAAAAe4BAQAAAAHvAUAAAAABAREAAIEBADABEQAAgQEAMAYDAACaAwAg2wECAPkCACHnAQIA-QIAIe0BAQDyAgAh7gEBAPICACHvAUAA8wIAIQIAAAAFACARAACEAQAgBdsBAgD5AgAh5wECAPkCACHtAQEA8gIAIe4BAQDyAgAh7wFAAPMCACECAAAAAwAgEQAAhgEAIAIAAAADACARAACGAQAgAwAAAAUAIBgAAH8AIBkAAIQBACABAAAABQAgAQAAAAMAIAUHAACVAwAgHgAAlgMAIB8AAJkDACAgAACYAwAgIQAAlwMAIAjEAQAAzAIAMMUBAACNAQAQxgEAAMwCADDbAQIArgIAIecBAgCuAgAh7QEBAKMCACHuAQEAowIAIe8BQACkAgAhAwAAAAMAIAEAAIwBADAdAACNAQAgAwAAAAMAIAEAAAQAMAIAAAUAIAXEAQAAywIAMMUBAACTAQAQxgEAAMsCADDUAQIAAAAB7AFAAKwCACEBAAAAkAEAIAEAAACQAQAgBcQBAADLAgAwxQEAAJMBABDGAQAAywIAMNQBAgCyAgAh7AFAAKwCACEAAwAAAJMBACABAACUAQAwAgAAkAEAIAMAAACTAQAgAQAAlAEAMAIAAJABACADAAAAkwEAIAEAAJQBADACAACQAQAgAtQBAgAAAAHsAUAAAAABAREAAJgBACAC1AECAAAAAewBQAAAAAEBEQAAmgEAMAERAACaAQAwAtQBAgD5AgAh7AFAAPMCACECAAAAkAEAIBEAAJ0BACAC1AECAPkCACHsAUAA8wIAIQIAAACTAQAgEQAAnwEAIAIAAACTAQAgEQAAnwEAIAMAAACQAQAgGAAAmAEAIBkAAJ0BACABAAAAkAEAIAEAAACTAQAgBQcAAJADACAeAACRAwAgHwAAlAMAICAAAJMDACAhAACSAwAgBcQBAADKAgAwxQEAAKYBABDGAQAAygIAMNQBAgCuAgAh7AFAAKQCACEDAAAAkwEAIAEAAKUBADAdAACmAQAgAwAAAJMBACABAACUAQAwAgAAkAEAIAbEAQAAxwIAMMUBAACsAQAQxgEAAMcCADDpAQEAAAAB6gFAAKwCACHrAUAArAIAIQEAAACpAQAgAQAAAKkBACAGxAEAAMcCADDFAQAArAEAEMYBAADHAgAw6QEBAMgCACHqAUAArAIAIesBQACsAgAhAAMAAACsAQAgAQAArQEAMAIAAKkBACADAAAArAEAIAEAAK0BADACAACpAQAgAwAAAKwBACABAACtAQAwAgAAqQEAIAPpAQEAAAAB6gFAAAAAAesBQAAAAAEBEQAAsQEAIAPpAQEAAAAB6gFAAAAAAesBQAAAAAEBEQAAswEAMAERAACzAQAwA-kBAQDyAgAh6gFAAPMCACHrAUAA8wIAIQIAAACpAQAgEQAAtgEAIAPpAQEA8gIAIeoBQADzAgAh6wFAAPMCACECAAAArAEAIBEAALgBACACAAAArAEAIBEAALgBACADAAAAqQEAIBgAALEBACAZAAC2AQAgAQAAAKkBACABAAAArAEAIAMHAACNAwAgIAAAjwMAICEAAI4DACAGxAEAAMYCADDFAQAAvwEAEMYBAADGAgAw6QEBALQCACHqAUAApAIAIesBQACkAgAhAwAAAKwBACABAAC-AQAwHQAAvwEAIAMAAACsAQAgAQAArQEAMAIAAKkBACABAAAAGgAgAQAAABoAIAMAAAAYACABAAAZADACAAAaACADAAAAGAAgAQAAGQAwAgAAGgAgAwAAABgAIAEAABkAMAIAABoAIAUDAACMAwAg2wECAAAAAeYBAQAAAAHnAQIAAAAB6AFAAAAAAQERAADHAQAgBNsBAgAAAAHmAQEAAAAB5wECAAAAAegBQAAAAAEBEQAAyQEAMAERAADJAQAwBQMAAIsDACDbAQIA-QIAIeYBAQDyAgAh5wECAPkCACHoAUAA8wIAIQIAAAAaACARAADMAQAgBNsBAgD5AgAh5gEBAPICACHnAQIA-QIAIegBQADzAgAhAgAAABgAIBEAAM4BACACAAAAGAAgEQAAzgEAIAMAAAAaACAYAADHAQAgGQAAzAEAIAEAAAAaACABAAAAGAAgBQcAAIYDACAeAACHAwAgHwAAigMAICAAAIkDACAhAACIAwAgB8QBAADFAgAwxQEAANUBABDGAQAAxQIAMNsBAgCuAgAh5gEBAKMCACHnAQIArgIAIegBQACkAgAhAwAAABgAIAEAANQBADAdAADVAQAgAwAAABgAIAEAABkAMAIAABoAIAEAAAAQACABAAAAEAAgAwAAAA4AIAEAAA8AMAIAABAAIAMAAAAOACABAAAPADACAAAQACADAAAADgAgAQAADwAwAgAAEAAgEAMAAIUDACDUAQEAAAAB2AEAAADYAQLZAQEAAAAB2gEBAAAAAdsBAgAAAAHcAQEAAAAB3QEBAAAAAd4BQAAAAAHfAQIAAAAB4AFAAAAAAeEBAQAAAAHiAUAAAAAB4wFAAAAAAeQBQAAAAAHlAQEAAAABAREAAN0BACAP1AEBAAAAAdgBAAAA2AEC2QEBAAAAAdoBAQAAAAHbAQIAAAAB3AEBAAAAAd0BAQAAAAHeAUAAAAAB3wECAAAAAeABQAAAAAHhAQEAAAAB4gFAAAAAAeMBQAAAAAHkAUAAAAAB5QEBAAAAAQERAADfAQAwAREAAN8BADABAAAAEgAgEAMAAIQDACDUAQEA8gIAIdgBAACAA9gBItkBAQCBAwAh2gEBAIEDACHbAQIAgwMAIdwBAQCBAwAh3QEBAPICACHeAUAA8wIAId8BAgD5AgAh4AFAAIIDACHhAQEAgQMAIeIBQACCAwAh4wFAAIIDACHkAUAAggMAIeUBAQCBAwAhAgAAABAAIBEAAOMBACAP1AEBAPICACHYAQAAgAPYASLZAQEAgQMAIdoBAQCBAwAh2wECAIMDACHcAQEAgQMAId0BAQDyAgAh3gFAAPMCACHfAQIA-QIAIeABQACCAwAh4QEBAIEDACHiAUAAggMAIeMBQACCAwAh5AFAAIIDACHlAQEAgQMAIQIAAAAOACARAADlAQAgAgAAAA4AIBEAAOUBACABAAAAEgAgAwAAABAAIBgAAN0BACAZAADjAQAgAQAAABAAIAEAAAAOACAPBwAA-wIAIB4AAPwCACAfAAD_AgAgIAAA_gIAICEAAP0CACDZAQAA-gIAINoBAAD6AgAg2wEAAPoCACDcAQAA-gIAIOABAAD6AgAg4QEAAPoCACDiAQAA-gIAIOMBAAD6AgAg5AEAAPoCACDlAQAA-gIAIBLEAQAAswIAMMUBAADtAQAQxgEAALMCADDUAQEAtAIAIdgBAAC1AtgBItkBAQC2AgAh2gEBALYCACHbAQIAtwIAIdwBAQC2AgAh3QEBAKMCACHeAUAApAIAId8BAgCuAgAh4AFAALgCACHhAQEAtgIAIeIBQAC4AgAh4wFAALgCACHkAUAAuAIAIeUBAQC5AgAhAwAAAA4AIAEAAOwBADAdAADtAQAgAwAAAA4AIAEAAA8AMAIAABAAIAbEAQAAsQIAMMUBAADzAQAQxgEAALECADDUAQIAAAAB1QECALICACHWAUAArAIAIQEAAADwAQAgAQAAAPABACAGxAEAALECADDFAQAA8wEAEMYBAACxAgAw1AECALICACHVAQIAsgIAIdYBQACsAgAhAAMAAADzAQAgAQAA9AEAMAIAAPABACADAAAA8wEAIAEAAPQBADACAADwAQAgAwAAAPMBACABAAD0AQAwAgAA8AEAIAPUAQIAAAAB1QECAAAAAdYBQAAAAAEBEQAA-AEAIAPUAQIAAAAB1QECAAAAAdYBQAAAAAEBEQAA-gEAMAERAAD6AQAwA9QBAgD5AgAh1QECAPkCACHWAUAA8wIAIQIAAADwAQAgEQAA_QEAIAPUAQIA-QIAIdUBAgD5AgAh1gFAAPMCACECAAAA8wEAIBEAAP8BACACAAAA8wEAIBEAAP8BACADAAAA8AEAIBgAAPgBACAZAAD9AQAgAQAAAPABACABAAAA8wEAIAUHAAD0AgAgHgAA9QIAIB8AAPgCACAgAAD3AgAgIQAA9gIAIAbEAQAArQIAMMUBAACGAgAQxgEAAK0CADDUAQIArgIAIdUBAgCuAgAh1gFAAKQCACEDAAAA8wEAIAEAAIUCADAdAACGAgAgAwAAAPMBACABAAD0AQAwAgAA8AEAIAXEAQAAqgIAMMUBAACMAgAQxgEAAKoCADDHAQEAAAAByAFAAKwCACEBAAAAiQIAIAEAAACJAgAgBcQBAACqAgAwxQEAAIwCABDGAQAAqgIAMMcBAQCrAgAhyAFAAKwCACEAAwAAAIwCACABAACNAgAwAgAAiQIAIAMAAACMAgAgAQAAjQIAMAIAAIkCACADAAAAjAIAIAEAAI0CADACAACJAgAgAscBAQAAAAHIAUAAAAABAREAAJECACACxwEBAAAAAcgBQAAAAAEBEQAAkwIAMAERAACTAgAwAscBAQDyAgAhyAFAAPMCACECAAAAiQIAIBEAAJYCACACxwEBAPICACHIAUAA8wIAIQIAAACMAgAgEQAAmAIAIAIAAACMAgAgEQAAmAIAIAMAAACJAgAgGAAAkQIAIBkAAJYCACABAAAAiQIAIAEAAACMAgAgAwcAAO8CACAgAADxAgAgIQAA8AIAIAXEAQAAogIAMMUBAACfAgAQxgEAAKICADDHAQEAowIAIcgBQACkAgAhAwAAAIwCACABAACeAgAwHQAAnwIAIAMAAACMAgAgAQAAjQIAMAIAAIkCACAFxAEAAKICADDFAQAAnwIAEMYBAACiAgAwxwEBAKMCACHIAUAApAIAIQ4HAACmAgAgIAAAqQIAICEAAKkCACDJAQEAAAABygEBAAAABMsBAQAAAATMAQEAAAABzQEBAAAAAc4BAQAAAAHPAQEAAAAB0AEBAKgCACHRAQEAAAAB0gEBAAAAAdMBAQAAAAELBwAApgIAICAAAKcCACAhAACnAgAgyQFAAAAAAcoBQAAAAATLAUAAAAAEzAFAAAAAAc0BQAAAAAHOAUAAAAABzwFAAAAAAdABQAClAgAhCwcAAKYCACAgAACnAgAgIQAApwIAIMkBQAAAAAHKAUAAAAAEywFAAAAABMwBQAAAAAHNAUAAAAABzgFAAAAAAc8BQAAAAAHQAUAApQIAIQjJAQIAAAABygECAAAABMsBAgAAAATMAQIAAAABzQECAAAAAc4BAgAAAAHPAQIAAAAB0AECAKYCACEIyQFAAAAAAcoBQAAAAATLAUAAAAAEzAFAAAAAAc0BQAAAAAHOAUAAAAABzwFAAAAAAdABQACnAgAhDgcAAKYCACAgAACpAgAgIQAAqQIAIMkBAQAAAAHKAQEAAAAEywEBAAAABMwBAQAAAAHNAQEAAAABzgEBAAAAAc8BAQAAAAHQAQEAqAIAIdEBAQAAAAHSAQEAAAAB0wEBAAAAAQvJAQEAAAABygEBAAAABMsBAQAAAATMAQEAAAABzQEBAAAAAc4BAQAAAAHPAQEAAAAB0AEBAKkCACHRAQEAAAAB0gEBAAAAAdMBAQAAAAEFxAEAAKoCADDFAQAAjAIAEMYBAACqAgAwxwEBAKsCACHIAUAArAIAIQvJAQEAAAABygEBAAAABMsBAQAAAATMAQEAAAABzQEBAAAAAc4BAQAAAAHPAQEAAAAB0AEBAKkCACHRAQEAAAAB0gEBAAAAAdMBAQAAAAEIyQFAAAAAAcoBQAAAAATLAUAAAAAEzAFAAAAAAc0BQAAAAAHOAUAAAAABzwFAAAAAAdABQACnAgAhBsQBAACtAgAwxQEAAIYCABDGAQAArQIAMNQBAgCuAgAh1QECAK4CACHWAUAApAIAIQ0HAACmAgAgHgAAsAIAIB8AAKYCACAgAACmAgAgIQAApgIAIMkBAgAAAAHKAQIAAAAEywECAAAABMwBAgAAAAHNAQIAAAABzgECAAAAAc8BAgAAAAHQAQIArwIAIQ0HAACmAgAgHgAAsAIAIB8AAKYCACAgAACmAgAgIQAApgIAIMkBAgAAAAHKAQIAAAAEywECAAAABMwBAgAAAAHNAQIAAAABzgECAAAAAc8BAgAAAAHQAQIArwIAIQjJAQgAAAABygEIAAAABMsBCAAAAATMAQgAAAABzQEIAAAAAc4BCAAAAAHPAQgAAAAB0AEIALACACEGxAEAALECADDFAQAA8wEAEMYBAACxAgAw1AECALICACHVAQIAsgIAIdYBQACsAgAhCMkBAgAAAAHKAQIAAAAEywECAAAABMwBAgAAAAHNAQIAAAABzgECAAAAAc8BAgAAAAHQAQIApgIAIRLEAQAAswIAMMUBAADtAQAQxgEAALMCADDUAQEAtAIAIdgBAAC1AtgBItkBAQC2AgAh2gEBALYCACHbAQIAtwIAIdwBAQC2AgAh3QEBAKMCACHeAUAApAIAId8BAgCuAgAh4AFAALgCACHhAQEAtgIAIeIBQAC4AgAh4wFAALgCACHkAUAAuAIAIeUBAQC5AgAhCwcAAKYCACAgAACpAgAgIQAAqQIAIMkBAQAAAAHKAQEAAAAEywEBAAAABMwBAQAAAAHNAQEAAAABzgEBAAAAAc8BAQAAAAHQAQEAxAIAIQcHAACmAgAgIAAAwwIAICEAAMMCACDJAQAAANgBAsoBAAAA2AEIywEAAADYAQjQAQAAwgLYASIOBwAAuwIAICAAALwCACAhAAC8AgAgyQEBAAAAAcoBAQAAAAXLAQEAAAAFzAEBAAAAAc0BAQAAAAHOAQEAAAABzwEBAAAAAdABAQDBAgAh0QEBAAAAAdIBAQAAAAHTAQEAAAABDQcAALsCACAeAADAAgAgHwAAuwIAICAAALsCACAhAAC7AgAgyQECAAAAAcoBAgAAAAXLAQIAAAAFzAECAAAAAc0BAgAAAAHOAQIAAAABzwECAAAAAdABAgC_AgAhCwcAALsCACAgAAC-AgAgIQAAvgIAIMkBQAAAAAHKAUAAAAAFywFAAAAABcwBQAAAAAHNAUAAAAABzgFAAAAAAc8BQAAAAAHQAUAAvQIAIQsHAAC7AgAgIAAAvAIAICEAALwCACDJAQEAAAABygEBAAAABcsBAQAAAAXMAQEAAAABzQEBAAAAAc4BAQAAAAHPAQEAAAAB0AEBALoCACELBwAAuwIAICAAALwCACAhAAC8AgAgyQEBAAAAAcoBAQAAAAXLAQEAAAAFzAEBAAAAAc0BAQAAAAHOAQEAAAABzwEBAAAAAdABAQC6AgAhCMkBAgAAAAHKAQIAAAAFywECAAAABcwBAgAAAAHNAQIAAAABzgECAAAAAc8BAgAAAAHQAQIAuwIAIQvJAQEAAAABygEBAAAABcsBAQAAAAXMAQEAAAABzQEBAAAAAc4BAQAAAAHPAQEAAAAB0AEBALwCACHRAQEAAAAB0gEBAAAAAdMBAQAAAAELBwAAuwIAICAAAL4CACAhAAC-AgAgyQFAAAAAAcoBQAAAAAXLAUAAAAAFzAFAAAAAAc0BQAAAAAHOAUAAAAABzwFAAAAAAdABQAC9AgAhCMkBQAAAAAHKAUAAAAAFywFAAAAABcwBQAAAAAHNAUAAAAABzgFAAAAAAc8BQAAAAAHQAUAAvgIAIQ0HAAC7AgAgHgAAwAIAIB8AALsCACAgAAC7AgAgIQAAuwIAIMkBAgAAAAHKAQIAAAAFywECAAAABcwBAgAAAAHNAQIAAAABzgECAAAAAc8BAgAAAAHQAQIAvwIAIQjJAQgAAAABygEIAAAABcsBCAAAAAXMAQgAAAABzQEIAAAAAc4BCAAAAAHPAQgAAAAB0AEIAMACACEOBwAAuwIAICAAALwCACAhAAC8AgAgyQEBAAAAAcoBAQAAAAXLAQEAAAAFzAEBAAAAAc0BAQAAAAHOAQEAAAABzwEBAAAAAdABAQDBAgAh0QEBAAAAAdIBAQAAAAHTAQEAAAABBwcAAKYCACAgAADDAgAgIQAAwwIAIMkBAAAA2AECygEAAADYAQjLAQAAANgBCNABAADCAtgBIgTJAQAAANgBAsoBAAAA2AEIywEAAADYAQjQAQAAwwLYASILBwAApgIAICAAAKkCACAhAACpAgAgyQEBAAAAAcoBAQAAAATLAQEAAAAEzAEBAAAAAc0BAQAAAAHOAQEAAAABzwEBAAAAAdABAQDEAgAhB8QBAADFAgAwxQEAANUBABDGAQAAxQIAMNsBAgCuAgAh5gEBAKMCACHnAQIArgIAIegBQACkAgAhBsQBAADGAgAwxQEAAL8BABDGAQAAxgIAMOkBAQC0AgAh6gFAAKQCACHrAUAApAIAIQbEAQAAxwIAMMUBAACsAQAQxgEAAMcCADDpAQEAyAIAIeoBQACsAgAh6wFAAKwCACEIyQEBAAAAAcoBAQAAAATLAQEAAAAEzAEBAAAAAc0BAQAAAAHOAQEAAAABzwEBAAAAAdABAQDJAgAhCMkBAQAAAAHKAQEAAAAEywEBAAAABMwBAQAAAAHNAQEAAAABzgEBAAAAAc8BAQAAAAHQAQEAyQIAIQXEAQAAygIAMMUBAACmAQAQxgEAAMoCADDUAQIArgIAIewBQACkAgAhBcQBAADLAgAwxQEAAJMBABDGAQAAywIAMNQBAgCyAgAh7AFAAKwCACEIxAEAAMwCADDFAQAAjQEAEMYBAADMAgAw2wECAK4CACHnAQIArgIAIe0BAQCjAgAh7gEBAKMCACHvAUAApAIAIQXEAQAAzQIAMMUBAAB3ABDGAQAAzQIAMNsBAgCuAgAh7QEBAKMCACESxAEAAM4CADDFAQAAYQAQxgEAAM4CADDbAQIArgIAIfABAQC2AgAh8QECAK4CACHyAUAAuAIAIfMBAgCuAgAh9AECAK4CACH1AQEAtgIAIfYBAQC2AgAh9wFAALgCACH4AQEAtgIAIfkBAQC2AgAh-gFAALgCACH7AQIAtwIAIfwBAQC2AgAh_QECAK4CACEUAwAA0wIAIAYAANQCACDEAQAAzwIAMMUBAAAHABDGAQAAzwIAMNsBAgCyAgAh8AEBANACACHxAQIAsgIAIfIBQADRAgAh8wECALICACH0AQIAsgIAIfUBAQDQAgAh9gEBANACACH3AUAA0QIAIfgBAQDQAgAh-QEBANACACH6AUAA0QIAIfsBAgDSAgAh_AEBANACACH9AQIAsgIAIQvJAQEAAAABygEBAAAABcsBAQAAAAXMAQEAAAABzQEBAAAAAc4BAQAAAAHPAQEAAAAB0AEBALwCACHRAQEAAAAB0gEBAAAAAdMBAQAAAAEIyQFAAAAAAcoBQAAAAAXLAUAAAAAFzAFAAAAAAc0BQAAAAAHOAUAAAAABzwFAAAAAAdABQAC-AgAhCMkBAgAAAAHKAQIAAAAFywECAAAABcwBAgAAAAHNAQIAAAABzgECAAAAAc8BAgAAAAHQAQIAuwIAISQEAADfAgAgCAAA4AIAIAkAAOECACAKAADiAgAgCwAA4wIAIMQBAADdAgAwxQEAABIAEMYBAADdAgAwxwEBANACACHUAQIAsgIAIdkBAQCrAgAh2gEBANACACHeAUAArAIAIecBAgCyAgAhhAIBANACACGFAiAA3gIAIYYCIADeAgAhhwIBAKsCACGIAgEAqwIAIYkCAQDQAgAhigIBANACACGLAkAA0QIAIYwCAQDQAgAhjQJAANECACGOAgEA0AIAIY8CQADRAgAhkAICANICACGRAkAA0QIAIZICIADeAgAhkwIBANACACGUAkAA0QIAIZUCAQDQAgAhlgIBANACACGXAkAArAIAIZwCAAASACCdAgAAEgAgA_4BAAAJACD_AQAACQAggAIAAAkAIAvEAQAA1QIAMMUBAABJABDGAQAA1QIAMNQBAQC0AgAh2wECAK4CACHmAQEAowIAIecBAgCuAgAh8gFAAKQCACGBAkAApAIAIYICQAC4AgAhgwIBAKMCACEdxAEAANYCADDFAQAAMwAQxgEAANYCADDHAQEAtgIAIdQBAgCuAgAh2QEBAKMCACHaAQEAtgIAId4BQACkAgAh5wECAK4CACGEAgEAtgIAIYUCIADXAgAhhgIgANcCACGHAgEAowIAIYgCAQCjAgAhiQIBALYCACGKAgEAtgIAIYsCQAC4AgAhjAIBALYCACGNAkAAuAIAIY4CAQC2AgAhjwJAALgCACGQAgIAtwIAIZECQAC4AgAhkgIgANcCACGTAgEAtgIAIZQCQAC4AgAhlQIBALYCACGWAgEAtgIAIZcCQACkAgAhBQcAAKYCACAgAADZAgAgIQAA2QIAIMkBIAAAAAHQASAA2AIAIQUHAACmAgAgIAAA2QIAICEAANkCACDJASAAAAAB0AEgANgCACECyQEgAAAAAdABIADZAgAhAtsBAgAAAAHmAQEAAAABCAMAANMCACDEAQAA2wIAMMUBAAAYABDGAQAA2wIAMNsBAgCyAgAh5gEBAKsCACHnAQIAsgIAIegBQACsAgAhDAMAANMCACDEAQAA3AIAMMUBAAAUABDGAQAA3AIAMNQBAQDIAgAh2wECALICACHmAQEAqwIAIecBAgCyAgAh8gFAAKwCACGBAkAArAIAIYICQADRAgAhgwIBAKsCACEiBAAA3wIAIAgAAOACACAJAADhAgAgCgAA4gIAIAsAAOMCACDEAQAA3QIAMMUBAAASABDGAQAA3QIAMMcBAQDQAgAh1AECALICACHZAQEAqwIAIdoBAQDQAgAh3gFAAKwCACHnAQIAsgIAIYQCAQDQAgAhhQIgAN4CACGGAiAA3gIAIYcCAQCrAgAhiAIBAKsCACGJAgEA0AIAIYoCAQDQAgAhiwJAANECACGMAgEA0AIAIY0CQADRAgAhjgIBANACACGPAkAA0QIAIZACAgDSAgAhkQJAANECACGSAiAA3gIAIZMCAQDQAgAhlAJAANECACGVAgEA0AIAIZYCAQDQAgAhlwJAAKwCACECyQEgAAAAAdABIADZAgAhA_4BAAADACD_AQAAAwAggAIAAAMAIBYDAADTAgAgBgAA1AIAIMQBAADPAgAwxQEAAAcAEMYBAADPAgAw2wECALICACHwAQEA0AIAIfEBAgCyAgAh8gFAANECACHzAQIAsgIAIfQBAgCyAgAh9QEBANACACH2AQEA0AIAIfcBQADRAgAh-AEBANACACH5AQEA0AIAIfoBQADRAgAh-wECANICACH8AQEA0AIAIf0BAgCyAgAhnAIAAAcAIJ0CAAAHACAD_gEAAA4AIP8BAAAOACCAAgAADgAgA_4BAAAUACD_AQAAFAAggAIAABQAIAP-AQAAGAAg_wEAABgAIIACAAAYACATAwAA5wIAIMQBAADkAgAwxQEAAA4AEMYBAADkAgAw1AEBAMgCACHYAQAA5QLYASLZAQEA0AIAIdoBAQDQAgAh2wECANICACHcAQEA0AIAId0BAQCrAgAh3gFAAKwCACHfAQIAsgIAIeABQADRAgAh4QEBANACACHiAUAA0QIAIeMBQADRAgAh5AFAANECACHlAQEA5gIAIQTJAQAAANgBAsoBAAAA2AEIywEAAADYAQjQAQAAwwLYASIIyQEBAAAAAcoBAQAAAAXLAQEAAAAFzAEBAAAAAc0BAQAAAAHOAQEAAAABzwEBAAAAAdABAQDoAgAhJAQAAN8CACAIAADgAgAgCQAA4QIAIAoAAOICACALAADjAgAgxAEAAN0CADDFAQAAEgAQxgEAAN0CADDHAQEA0AIAIdQBAgCyAgAh2QEBAKsCACHaAQEA0AIAId4BQACsAgAh5wECALICACGEAgEA0AIAIYUCIADeAgAhhgIgAN4CACGHAgEAqwIAIYgCAQCrAgAhiQIBANACACGKAgEA0AIAIYsCQADRAgAhjAIBANACACGNAkAA0QIAIY4CAQDQAgAhjwJAANECACGQAgIA0gIAIZECQADRAgAhkgIgAN4CACGTAgEA0AIAIZQCQADRAgAhlQIBANACACGWAgEA0AIAIZcCQACsAgAhnAIAABIAIJ0CAAASACAIyQEBAAAAAcoBAQAAAAXLAQEAAAAFzAEBAAAAAc0BAQAAAAHOAQEAAAABzwEBAAAAAdABAQDoAgAhAtsBAgAAAAHtAQEAAAABBgUAAOsCACDEAQAA6gIAMMUBAAAJABDGAQAA6gIAMNsBAgCyAgAh7QEBAKsCACEWAwAA0wIAIAYAANQCACDEAQAAzwIAMMUBAAAHABDGAQAAzwIAMNsBAgCyAgAh8AEBANACACHxAQIAsgIAIfIBQADRAgAh8wECALICACH0AQIAsgIAIfUBAQDQAgAh9gEBANACACH3AUAA0QIAIfgBAQDQAgAh-QEBANACACH6AUAA0QIAIfsBAgDSAgAh_AEBANACACH9AQIAsgIAIZwCAAAHACCdAgAABwAgCQMAANMCACDEAQAA7AIAMMUBAAADABDGAQAA7AIAMNsBAgCyAgAh5wECALICACHtAQEAqwIAIe4BAQCrAgAh7wFAAKwCACECxwEBAAAAAZMCAQAAAAEClQIBAAAAAZYCAQAAAAEAAAABoQIBAAAAAQGhAkAAAAABAAAAAAAFoQICAAAAAacCAgAAAAGoAgIAAAABqQICAAAAAaoCAgAAAAEAAAAAAAABoQIAAADYAQIBoQIBAAAAAQGhAkAAAAABBaECAgAAAAGnAgIAAAABqAICAAAAAakCAgAAAAGqAgIAAAABBxgAAKkEACAZAACsBAAgngIAAKoEACCfAgAAqwQAIKICAAASACCjAgAAEgAgpAIAAAEAIAMYAACpBAAgngIAAKoEACCkAgAAAQAgAAAAAAAFGAAApAQAIBkAAKcEACCeAgAApQQAIJ8CAACmBAAgpAIAAAEAIAMYAACkBAAgngIAAKUEACCkAgAAAQAgAAAAAAAAAAAAAAAAAAUYAACfBAAgGQAAogQAIJ4CAACgBAAgnwIAAKEEACCkAgAAAQAgAxgAAJ8EACCeAgAAoAQAIKQCAAABACAAAAAAAAUYAACaBAAgGQAAnQQAIJ4CAACbBAAgnwIAAJwEACCkAgAATAAgAxgAAJoEACCeAgAAmwQAIKQCAABMACAAAAAAAAUYAACUBAAgGQAAmAQAIJ4CAACVBAAgnwIAAJcEACCkAgAAAQAgCxgAAKoDADAZAACvAwAwngIAAKsDADCfAgAArAMAMKACAACtAwAgoQIAAK4DADCiAgAArgMAMKMCAACuAwAwpAIAAK4DADClAgAAsAMAMKYCAACxAwAwAe0BAQAAAAECAAAACwAgGAAAtQMAIAMAAAALACAYAAC1AwAgGQAAtAMAIAERAACWBAAwBwUAAOsCACDEAQAA6gIAMMUBAAAJABDGAQAA6gIAMNsBAgCyAgAh7QEBAKsCACGZAgAA6QIAIAIAAAALACARAAC0AwAgAgAAALIDACARAACzAwAgBcQBAACxAwAwxQEAALIDABDGAQAAsQMAMNsBAgCyAgAh7QEBAKsCACEFxAEAALEDADDFAQAAsgMAEMYBAACxAwAw2wECALICACHtAQEAqwIAIQHtAQEA8gIAIQHtAQEA8gIAIQHtAQEAAAABAxgAAJQEACCeAgAAlQQAIKQCAAABACAEGAAAqgMAMJ4CAACrAwAwoAIAAK0DACCkAgAArgMAMBUEAACGBAAgCAAAhwQAIAkAAIgEACAKAACJBAAgCwAAigQAIMcBAAD6AgAg2gEAAPoCACCEAgAA-gIAIIkCAAD6AgAgigIAAPoCACCLAgAA-gIAIIwCAAD6AgAgjQIAAPoCACCOAgAA-gIAII8CAAD6AgAgkAIAAPoCACCRAgAA-gIAIJMCAAD6AgAglAIAAPoCACCVAgAA-gIAIJYCAAD6AgAgAAAAAAAABRgAAI8EACAZAACSBAAgngIAAJAEACCfAgAAkQQAIKQCAAABACADGAAAjwQAIJ4CAACQBAAgpAIAAAEAIAAAAAAAAaECIAAAAAELGAAA9QMAMBkAAPoDADCeAgAA9gMAMJ8CAAD3AwAwoAIAAPgDACChAgAA-QMAMKICAAD5AwAwowIAAPkDADCkAgAA-QMAMKUCAAD7AwAwpgIAAPwDADAHGAAA8AMAIBkAAPMDACCeAgAA8QMAIJ8CAADyAwAgogIAAAcAIKMCAAAHACCkAgAATAAgCxgAAOQDADAZAADpAwAwngIAAOUDADCfAgAA5gMAMKACAADnAwAgoQIAAOgDADCiAgAA6AMAMKMCAADoAwAwpAIAAOgDADClAgAA6gMAMKYCAADrAwAwCxgAANgDADAZAADdAwAwngIAANkDADCfAgAA2gMAMKACAADbAwAgoQIAANwDADCiAgAA3AMAMKMCAADcAwAwpAIAANwDADClAgAA3gMAMKYCAADfAwAwCxgAAMwDADAZAADRAwAwngIAAM0DADCfAgAAzgMAMKACAADPAwAgoQIAANADADCiAgAA0AMAMKMCAADQAwAwpAIAANADADClAgAA0gMAMKYCAADTAwAwA-YBAQAAAAHnAQIAAAAB6AFAAAAAAQIAAAAaACAYAADXAwAgAwAAABoAIBgAANcDACAZAADWAwAgAREAAI4EADAJAwAA0wIAIMQBAADbAgAwxQEAABgAEMYBAADbAgAw2wECALICACHmAQEAqwIAIecBAgCyAgAh6AFAAKwCACGYAgAA2gIAIAIAAAAaACARAADWAwAgAgAAANQDACARAADVAwAgB8QBAADTAwAwxQEAANQDABDGAQAA0wMAMNsBAgCyAgAh5gEBAKsCACHnAQIAsgIAIegBQACsAgAhB8QBAADTAwAwxQEAANQDABDGAQAA0wMAMNsBAgCyAgAh5gEBAKsCACHnAQIAsgIAIegBQACsAgAhA-YBAQDyAgAh5wECAPkCACHoAUAA8wIAIQPmAQEA8gIAIecBAgD5AgAh6AFAAPMCACED5gEBAAAAAecBAgAAAAHoAUAAAAABB9QBAQAAAAHmAQEAAAAB5wECAAAAAfIBQAAAAAGBAkAAAAABggJAAAAAAYMCAQAAAAECAAAAFgAgGAAA4wMAIAMAAAAWACAYAADjAwAgGQAA4gMAIAERAACNBAAwDAMAANMCACDEAQAA3AIAMMUBAAAUABDGAQAA3AIAMNQBAQAAAAHbAQIAsgIAIeYBAQCrAgAh5wECALICACHyAUAArAIAIYECQACsAgAhggJAANECACGDAgEAqwIAIQIAAAAWACARAADiAwAgAgAAAOADACARAADhAwAgC8QBAADfAwAwxQEAAOADABDGAQAA3wMAMNQBAQDIAgAh2wECALICACHmAQEAqwIAIecBAgCyAgAh8gFAAKwCACGBAkAArAIAIYICQADRAgAhgwIBAKsCACELxAEAAN8DADDFAQAA4AMAEMYBAADfAwAw1AEBAMgCACHbAQIAsgIAIeYBAQCrAgAh5wECALICACHyAUAArAIAIYECQACsAgAhggJAANECACGDAgEAqwIAIQfUAQEA8gIAIeYBAQDyAgAh5wECAPkCACHyAUAA8wIAIYECQADzAgAhggJAAIIDACGDAgEA8gIAIQfUAQEA8gIAIeYBAQDyAgAh5wECAPkCACHyAUAA8wIAIYECQADzAgAhggJAAIIDACGDAgEA8gIAIQfUAQEAAAAB5gEBAAAAAecBAgAAAAHyAUAAAAABgQJAAAAAAYICQAAAAAGDAgEAAAABDtQBAQAAAAHYAQAAANgBAtkBAQAAAAHaAQEAAAAB3AEBAAAAAd0BAQAAAAHeAUAAAAAB3wECAAAAAeABQAAAAAHhAQEAAAAB4gFAAAAAAeMBQAAAAAHkAUAAAAAB5QEBAAAAAQIAAAAQACAYAADvAwAgAwAAABAAIBgAAO8DACAZAADuAwAgAREAAIwEADATAwAA5wIAIMQBAADkAgAwxQEAAA4AEMYBAADkAgAw1AEBAAAAAdgBAADlAtgBItkBAQDQAgAh2gEBANACACHbAQIA0gIAIdwBAQDQAgAh3QEBAKsCACHeAUAArAIAId8BAgCyAgAh4AFAANECACHhAQEA0AIAIeIBQADRAgAh4wFAANECACHkAUAA0QIAIeUBAQDmAgAhAgAAABAAIBEAAO4DACACAAAA7AMAIBEAAO0DACASxAEAAOsDADDFAQAA7AMAEMYBAADrAwAw1AEBAMgCACHYAQAA5QLYASLZAQEA0AIAIdoBAQDQAgAh2wECANICACHcAQEA0AIAId0BAQCrAgAh3gFAAKwCACHfAQIAsgIAIeABQADRAgAh4QEBANACACHiAUAA0QIAIeMBQADRAgAh5AFAANECACHlAQEA5gIAIRLEAQAA6wMAMMUBAADsAwAQxgEAAOsDADDUAQEAyAIAIdgBAADlAtgBItkBAQDQAgAh2gEBANACACHbAQIA0gIAIdwBAQDQAgAh3QEBAKsCACHeAUAArAIAId8BAgCyAgAh4AFAANECACHhAQEA0AIAIeIBQADRAgAh4wFAANECACHkAUAA0QIAIeUBAQDmAgAhDtQBAQDyAgAh2AEAAIAD2AEi2QEBAIEDACHaAQEAgQMAIdwBAQCBAwAh3QEBAPICACHeAUAA8wIAId8BAgD5AgAh4AFAAIIDACHhAQEAgQMAIeIBQACCAwAh4wFAAIIDACHkAUAAggMAIeUBAQCBAwAhDtQBAQDyAgAh2AEAAIAD2AEi2QEBAIEDACHaAQEAgQMAIdwBAQCBAwAh3QEBAPICACHeAUAA8wIAId8BAgD5AgAh4AFAAIIDACHhAQEAgQMAIeIBQACCAwAh4wFAAIIDACHkAUAAggMAIeUBAQCBAwAhDtQBAQAAAAHYAQAAANgBAtkBAQAAAAHaAQEAAAAB3AEBAAAAAd0BAQAAAAHeAUAAAAAB3wECAAAAAeABQAAAAAHhAQEAAAAB4gFAAAAAAeMBQAAAAAHkAUAAAAAB5QEBAAAAAQ8GAAC3AwAg8AEBAAAAAfEBAgAAAAHyAUAAAAAB8wECAAAAAfQBAgAAAAH1AQEAAAAB9gEBAAAAAfcBQAAAAAH4AQEAAAAB-QEBAAAAAfoBQAAAAAH7AQIAAAAB_AEBAAAAAf0BAgAAAAECAAAATAAgGAAA8AMAIAMAAAAHACAYAADwAwAgGQAA9AMAIBEAAAAHACAGAACpAwAgEQAA9AMAIPABAQCBAwAh8QECAPkCACHyAUAAggMAIfMBAgD5AgAh9AECAPkCACH1AQEAgQMAIfYBAQCBAwAh9wFAAIIDACH4AQEAgQMAIfkBAQCBAwAh-gFAAIIDACH7AQIAgwMAIfwBAQCBAwAh_QECAPkCACEPBgAAqQMAIPABAQCBAwAh8QECAPkCACHyAUAAggMAIfMBAgD5AgAh9AECAPkCACH1AQEAgQMAIfYBAQCBAwAh9wFAAIIDACH4AQEAgQMAIfkBAQCBAwAh-gFAAIIDACH7AQIAgwMAIfwBAQCBAwAh_QECAPkCACEE5wECAAAAAe0BAQAAAAHuAQEAAAAB7wFAAAAAAQIAAAAFACAYAACABAAgAwAAAAUAIBgAAIAEACAZAAD_AwAgAREAAIsEADAJAwAA0wIAIMQBAADsAgAwxQEAAAMAEMYBAADsAgAw2wECALICACHnAQIAsgIAIe0BAQAAAAHuAQEAqwIAIe8BQACsAgAhAgAAAAUAIBEAAP8DACACAAAA_QMAIBEAAP4DACAIxAEAAPwDADDFAQAA_QMAEMYBAAD8AwAw2wECALICACHnAQIAsgIAIe0BAQCrAgAh7gEBAKsCACHvAUAArAIAIQjEAQAA_AMAMMUBAAD9AwAQxgEAAPwDADDbAQIAsgIAIecBAgCyAgAh7QEBAKsCACHuAQEAqwIAIe8BQACsAgAhBOcBAgD5AgAh7QEBAPICACHuAQEA8gIAIe8BQADzAgAhBOcBAgD5AgAh7QEBAPICACHuAQEA8gIAIe8BQADzAgAhBOcBAgAAAAHtAQEAAAAB7gEBAAAAAe8BQAAAAAEEGAAA9QMAMJ4CAAD2AwAwoAIAAPgDACCkAgAA-QMAMAMYAADwAwAgngIAAPEDACCkAgAATAAgBBgAAOQDADCeAgAA5QMAMKACAADnAwAgpAIAAOgDADAEGAAA2AMAMJ4CAADZAwAwoAIAANsDACCkAgAA3AMAMAQYAADMAwAwngIAAM0DADCgAgAAzwMAIKQCAADQAwAwAAwDAAC4AwAgBgAAuQMAIPABAAD6AgAg8gEAAPoCACD1AQAA-gIAIPYBAAD6AgAg9wEAAPoCACD4AQAA-gIAIPkBAAD6AgAg-gEAAPoCACD7AQAA-gIAIPwBAAD6AgAgAAAABOcBAgAAAAHtAQEAAAAB7gEBAAAAAe8BQAAAAAEO1AEBAAAAAdgBAAAA2AEC2QEBAAAAAdoBAQAAAAHcAQEAAAAB3QEBAAAAAd4BQAAAAAHfAQIAAAAB4AFAAAAAAeEBAQAAAAHiAUAAAAAB4wFAAAAAAeQBQAAAAAHlAQEAAAABB9QBAQAAAAHmAQEAAAAB5wECAAAAAfIBQAAAAAGBAkAAAAABggJAAAAAAYMCAQAAAAED5gEBAAAAAecBAgAAAAHoAUAAAAABHgQAAIEEACAIAACCBAAgCQAAgwQAIAsAAIUEACDHAQEAAAAB1AECAAAAAdkBAQAAAAHaAQEAAAAB3gFAAAAAAecBAgAAAAGEAgEAAAABhQIgAAAAAYYCIAAAAAGHAgEAAAABiAIBAAAAAYkCAQAAAAGKAgEAAAABiwJAAAAAAYwCAQAAAAGNAkAAAAABjgIBAAAAAY8CQAAAAAGQAgIAAAABkQJAAAAAAZICIAAAAAGTAgEAAAABlAJAAAAAAZUCAQAAAAGWAgEAAAABlwJAAAAAAQIAAAABACAYAACPBAAgAwAAABIAIBgAAI8EACAZAACTBAAgIAAAABIAIAQAAMcDACAIAADIAwAgCQAAyQMAIAsAAMsDACARAACTBAAgxwEBAIEDACHUAQIA-QIAIdkBAQDyAgAh2gEBAIEDACHeAUAA8wIAIecBAgD5AgAhhAIBAIEDACGFAiAAxgMAIYYCIADGAwAhhwIBAPICACGIAgEA8gIAIYkCAQCBAwAhigIBAIEDACGLAkAAggMAIYwCAQCBAwAhjQJAAIIDACGOAgEAgQMAIY8CQACCAwAhkAICAIMDACGRAkAAggMAIZICIADGAwAhkwIBAIEDACGUAkAAggMAIZUCAQCBAwAhlgIBAIEDACGXAkAA8wIAIR4EAADHAwAgCAAAyAMAIAkAAMkDACALAADLAwAgxwEBAIEDACHUAQIA-QIAIdkBAQDyAgAh2gEBAIEDACHeAUAA8wIAIecBAgD5AgAhhAIBAIEDACGFAiAAxgMAIYYCIADGAwAhhwIBAPICACGIAgEA8gIAIYkCAQCBAwAhigIBAIEDACGLAkAAggMAIYwCAQCBAwAhjQJAAIIDACGOAgEAgQMAIY8CQACCAwAhkAICAIMDACGRAkAAggMAIZICIADGAwAhkwIBAIEDACGUAkAAggMAIZUCAQCBAwAhlgIBAIEDACGXAkAA8wIAIR4EAACBBAAgCQAAgwQAIAoAAIQEACALAACFBAAgxwEBAAAAAdQBAgAAAAHZAQEAAAAB2gEBAAAAAd4BQAAAAAHnAQIAAAABhAIBAAAAAYUCIAAAAAGGAiAAAAABhwIBAAAAAYgCAQAAAAGJAgEAAAABigIBAAAAAYsCQAAAAAGMAgEAAAABjQJAAAAAAY4CAQAAAAGPAkAAAAABkAICAAAAAZECQAAAAAGSAiAAAAABkwIBAAAAAZQCQAAAAAGVAgEAAAABlgIBAAAAAZcCQAAAAAECAAAAAQAgGAAAlAQAIAHtAQEAAAABAwAAABIAIBgAAJQEACAZAACZBAAgIAAAABIAIAQAAMcDACAJAADJAwAgCgAAygMAIAsAAMsDACARAACZBAAgxwEBAIEDACHUAQIA-QIAIdkBAQDyAgAh2gEBAIEDACHeAUAA8wIAIecBAgD5AgAhhAIBAIEDACGFAiAAxgMAIYYCIADGAwAhhwIBAPICACGIAgEA8gIAIYkCAQCBAwAhigIBAIEDACGLAkAAggMAIYwCAQCBAwAhjQJAAIIDACGOAgEAgQMAIY8CQACCAwAhkAICAIMDACGRAkAAggMAIZICIADGAwAhkwIBAIEDACGUAkAAggMAIZUCAQCBAwAhlgIBAIEDACGXAkAA8wIAIR4EAADHAwAgCQAAyQMAIAoAAMoDACALAADLAwAgxwEBAIEDACHUAQIA-QIAIdkBAQDyAgAh2gEBAIEDACHeAUAA8wIAIecBAgD5AgAhhAIBAIEDACGFAiAAxgMAIYYCIADGAwAhhwIBAPICACGIAgEA8gIAIYkCAQCBAwAhigIBAIEDACGLAkAAggMAIYwCAQCBAwAhjQJAAIIDACGOAgEAgQMAIY8CQACCAwAhkAICAIMDACGRAkAAggMAIZICIADGAwAhkwIBAIEDACGUAkAAggMAIZUCAQCBAwAhlgIBAIEDACGXAkAA8wIAIRADAAC2AwAg2wECAAAAAfABAQAAAAHxAQIAAAAB8gFAAAAAAfMBAgAAAAH0AQIAAAAB9QEBAAAAAfYBAQAAAAH3AUAAAAAB-AEBAAAAAfkBAQAAAAH6AUAAAAAB-wECAAAAAfwBAQAAAAH9AQIAAAABAgAAAEwAIBgAAJoEACADAAAABwAgGAAAmgQAIBkAAJ4EACASAAAABwAgAwAAqAMAIBEAAJ4EACDbAQIA-QIAIfABAQCBAwAh8QECAPkCACHyAUAAggMAIfMBAgD5AgAh9AECAPkCACH1AQEAgQMAIfYBAQCBAwAh9wFAAIIDACH4AQEAgQMAIfkBAQCBAwAh-gFAAIIDACH7AQIAgwMAIfwBAQCBAwAh_QECAPkCACEQAwAAqAMAINsBAgD5AgAh8AEBAIEDACHxAQIA-QIAIfIBQACCAwAh8wECAPkCACH0AQIA-QIAIfUBAQCBAwAh9gEBAIEDACH3AUAAggMAIfgBAQCBAwAh-QEBAIEDACH6AUAAggMAIfsBAgCDAwAh_AEBAIEDACH9AQIA-QIAIR4IAACCBAAgCQAAgwQAIAoAAIQEACALAACFBAAgxwEBAAAAAdQBAgAAAAHZAQEAAAAB2gEBAAAAAd4BQAAAAAHnAQIAAAABhAIBAAAAAYUCIAAAAAGGAiAAAAABhwIBAAAAAYgCAQAAAAGJAgEAAAABigIBAAAAAYsCQAAAAAGMAgEAAAABjQJAAAAAAY4CAQAAAAGPAkAAAAABkAICAAAAAZECQAAAAAGSAiAAAAABkwIBAAAAAZQCQAAAAAGVAgEAAAABlgIBAAAAAZcCQAAAAAECAAAAAQAgGAAAnwQAIAMAAAASACAYAACfBAAgGQAAowQAICAAAAASACAIAADIAwAgCQAAyQMAIAoAAMoDACALAADLAwAgEQAAowQAIMcBAQCBAwAh1AECAPkCACHZAQEA8gIAIdoBAQCBAwAh3gFAAPMCACHnAQIA-QIAIYQCAQCBAwAhhQIgAMYDACGGAiAAxgMAIYcCAQDyAgAhiAIBAPICACGJAgEAgQMAIYoCAQCBAwAhiwJAAIIDACGMAgEAgQMAIY0CQACCAwAhjgIBAIEDACGPAkAAggMAIZACAgCDAwAhkQJAAIIDACGSAiAAxgMAIZMCAQCBAwAhlAJAAIIDACGVAgEAgQMAIZYCAQCBAwAhlwJAAPMCACEeCAAAyAMAIAkAAMkDACAKAADKAwAgCwAAywMAIMcBAQCBAwAh1AECAPkCACHZAQEA8gIAIdoBAQCBAwAh3gFAAPMCACHnAQIA-QIAIYQCAQCBAwAhhQIgAMYDACGGAiAAxgMAIYcCAQDyAgAhiAIBAPICACGJAgEAgQMAIYoCAQCBAwAhiwJAAIIDACGMAgEAgQMAIY0CQACCAwAhjgIBAIEDACGPAkAAggMAIZACAgCDAwAhkQJAAIIDACGSAiAAxgMAIZMCAQCBAwAhlAJAAIIDACGVAgEAgQMAIZYCAQCBAwAhlwJAAPMCACEeBAAAgQQAIAgAAIIEACAJAACDBAAgCgAAhAQAIMcBAQAAAAHUAQIAAAAB2QEBAAAAAdoBAQAAAAHeAUAAAAAB5wECAAAAAYQCAQAAAAGFAiAAAAABhgIgAAAAAYcCAQAAAAGIAgEAAAABiQIBAAAAAYoCAQAAAAGLAkAAAAABjAIBAAAAAY0CQAAAAAGOAgEAAAABjwJAAAAAAZACAgAAAAGRAkAAAAABkgIgAAAAAZMCAQAAAAGUAkAAAAABlQIBAAAAAZYCAQAAAAGXAkAAAAABAgAAAAEAIBgAAKQEACADAAAAEgAgGAAApAQAIBkAAKgEACAgAAAAEgAgBAAAxwMAIAgAAMgDACAJAADJAwAgCgAAygMAIBEAAKgEACDHAQEAgQMAIdQBAgD5AgAh2QEBAPICACHaAQEAgQMAId4BQADzAgAh5wECAPkCACGEAgEAgQMAIYUCIADGAwAhhgIgAMYDACGHAgEA8gIAIYgCAQDyAgAhiQIBAIEDACGKAgEAgQMAIYsCQACCAwAhjAIBAIEDACGNAkAAggMAIY4CAQCBAwAhjwJAAIIDACGQAgIAgwMAIZECQACCAwAhkgIgAMYDACGTAgEAgQMAIZQCQACCAwAhlQIBAIEDACGWAgEAgQMAIZcCQADzAgAhHgQAAMcDACAIAADIAwAgCQAAyQMAIAoAAMoDACDHAQEAgQMAIdQBAgD5AgAh2QEBAPICACHaAQEAgQMAId4BQADzAgAh5wECAPkCACGEAgEAgQMAIYUCIADGAwAhhgIgAMYDACGHAgEA8gIAIYgCAQDyAgAhiQIBAIEDACGKAgEAgQMAIYsCQACCAwAhjAIBAIEDACGNAkAAggMAIY4CAQCBAwAhjwJAAIIDACGQAgIAgwMAIZECQACCAwAhkgIgAMYDACGTAgEAgQMAIZQCQACCAwAhlQIBAIEDACGWAgEAgQMAIZcCQADzAgAhHgQAAIEEACAIAACCBAAgCgAAhAQAIAsAAIUEACDHAQEAAAAB1AECAAAAAdkBAQAAAAHaAQEAAAAB3gFAAAAAAecBAgAAAAGEAgEAAAABhQIgAAAAAYYCIAAAAAGHAgEAAAABiAIBAAAAAYkCAQAAAAGKAgEAAAABiwJAAAAAAYwCAQAAAAGNAkAAAAABjgIBAAAAAY8CQAAAAAGQAgIAAAABkQJAAAAAAZICIAAAAAGTAgEAAAABlAJAAAAAAZUCAQAAAAGWAgEAAAABlwJAAAAAAQIAAAABACAYAACpBAAgAwAAABIAIBgAAKkEACAZAACtBAAgIAAAABIAIAQAAMcDACAIAADIAwAgCgAAygMAIAsAAMsDACARAACtBAAgxwEBAIEDACHUAQIA-QIAIdkBAQDyAgAh2gEBAIEDACHeAUAA8wIAIecBAgD5AgAhhAIBAIEDACGFAiAAxgMAIYYCIADGAwAhhwIBAPICACGIAgEA8gIAIYkCAQCBAwAhigIBAIEDACGLAkAAggMAIYwCAQCBAwAhjQJAAIIDACGOAgEAgQMAIY8CQACCAwAhkAICAIMDACGRAkAAggMAIZICIADGAwAhkwIBAIEDACGUAkAAggMAIZUCAQCBAwAhlgIBAIEDACGXAkAA8wIAIR4EAADHAwAgCAAAyAMAIAoAAMoDACALAADLAwAgxwEBAIEDACHUAQIA-QIAIdkBAQDyAgAh2gEBAIEDACHeAUAA8wIAIecBAgD5AgAhhAIBAIEDACGFAiAAxgMAIYYCIADGAwAhhwIBAPICACGIAgEA8gIAIYkCAQCBAwAhigIBAIEDACGLAkAAggMAIYwCAQCBAwAhjQJAAIIDACGOAgEAgQMAIY8CQACCAwAhkAICAIMDACGRAkAAggMAIZICIADGAwAhkwIBAIEDACGUAkAAggMAIZUCAQCBAwAhlgIBAIEDACGXAkAA8wIAIQYEBgIHAAkICAMJEQYKFwcLGwgBAwABAwMAAQYMBAcABQEFAAMBBg0AAQMTAQEDAAEBAwABBAQcAAkdAAoeAAsfAAAAAAUHAA4eAA8fABAgABEhABIAAAAAAAUHAA4eAA8fABAgABEhABIBAwABAQMAAQUHABceABgfABkgABohABsAAAAAAAUHABceABgfABkgABohABsBAwABAQMAAQUHACAeACEfACIgACMhACQAAAAAAAUHACAeACEfACIgACMhACQBBQADAQUAAwUHACkeACofACsgACwhAC0AAAAAAAUHACkeACofACsgACwhAC0BAwABAQMAAQUHADIeADMfADQgADUhADYAAAAAAAUHADIeADMfADQgADUhADYAAAAFBwA8HgA9HwA-IAA_IQBAAAAAAAAFBwA8HgA9HwA-IAA_IQBAAAAAAwcARiAARyEASAAAAAMHAEYgAEchAEgBAwABAQMAAQUHAE0eAE4fAE8gAFAhAFEAAAAAAAUHAE0eAE4fAE8gAFAhAFEBA-IBAQED6AEBBQcAVh4AVx8AWCAAWSEAWgAAAAAABQcAVh4AVx8AWCAAWSEAWgAAAAUHAGAeAGEfAGIgAGMhAGQAAAAAAAUHAGAeAGEfAGIgAGMhAGQAAAADBwBqIABrIQBsAAAAAwcAaiAAayEAbAwCAQ0gAQ4iAQ8jARAkARImARMoChQpCxUrARYtChcuDBovARswARwxCiI0DSM1EyQ2ByU3ByY4Byc5Byg6Byk8Byo-Cis_FCxBBy1DCi5EFS9FBzBGBzFHCjJKFjNLHDRNAzVOAzZQAzdRAzhSAzlUAzpWCjtXHTxZAz1bCj5cHj9dA0BeA0FfCkJiH0NjJURkBEVlBEZmBEdnBEhoBElqBEpsCkttJkxvBE1xCk5yJ09zBFB0BFF1ClJ4KFN5LlR6AlV7AlZ8Ald9Alh-AlmAAQJaggEKW4MBL1yFAQJdhwEKXogBMF-JAQJgigECYYsBCmKOATFjjwE3ZJEBOGWSAThmlQE4Z5YBOGiXAThpmQE4apsBCmucATlsngE4baABCm6hATpvogE4cKMBOHGkAQpypwE7c6gBQXSqAUJ1qwFCdq4BQnevAUJ4sAFCebIBQnq0AQp7tQFDfLcBQn25AQp-ugFEf7sBQoABvAFCgQG9AQqCAcABRYMBwQFJhAHCAQiFAcMBCIYBxAEIhwHFAQiIAcYBCIkByAEIigHKAQqLAcsBSowBzQEIjQHPAQqOAdABS48B0QEIkAHSAQiRAdMBCpIB1gFMkwHXAVKUAdgBBpUB2QEGlgHaAQaXAdsBBpgB3AEGmQHeAQaaAeABCpsB4QFTnAHkAQadAeYBCp4B5wFUnwHpAQagAeoBBqEB6wEKogHuAVWjAe8BW6QB8QFcpQHyAVymAfUBXKcB9gFcqAH3AVypAfkBXKoB-wEKqwH8AV2sAf4BXK0BgAIKrgGBAl6vAYICXLABgwJcsQGEAgqyAYcCX7MBiAJltAGKAma1AYsCZrYBjgJmtwGPAma4AZACZrkBkgJmugGUAgq7AZUCZ7wBlwJmvQGZAgq-AZoCaL8BmwJmwAGcAmbBAZ0CCsIBoAJpwwGhAm0"
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
  SignInTicketScalarFieldEnum: () => SignInTicketScalarFieldEnum,
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
  SignInTicket: "SignInTicket",
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
  signInIssuer: "signInIssuer",
  signInSubject: "signInSubject",
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
var SignInTicketScalarFieldEnum = {
  hash: "hash",
  userId: "userId",
  tokenVersion: "tokenVersion",
  challenge: "challenge",
  expiresAt: "expiresAt"
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
