// The client that runs is committed: so a build needs no command line of Prisma, which is most of what npm would load.
// `npm run db:generate` makes it, and its types, which only the type check reads.
export * from '../src/generated/prisma/client.js'
