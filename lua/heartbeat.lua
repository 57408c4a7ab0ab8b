-- Tells that a replica is alive, and asks which are: a sorted set of replicas, scored with when each is given up.
--
-- KEYS  the set
-- ARGV  the replica's name, ms until it is given up, the number of this call. A name is an id, which may be followed by
--       an @ and a tag: which limits the replica holds. In a release without tags it may end with a colon and a digest
-- Reply the word "replicas", the number of this call, how many replicas are alive, this one included, and each tag or
--       digest of theirs once, an empty one for names without
--
-- A replica has one name at a time: with a new tag, its former name goes.

local time = redis.call('TIME')
local now = time[1] * 1000 + (time[2] - time[2] % 1000) / 1000

redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])

local names = redis.call('ZRANGE', KEYS[1], 0, -1)
local reply, seen, count = { 'replicas', ARGV[3] + 0, 0 }, {}, 0
local id = string.match(ARGV[1], '^[^@]*@')
for _, name in ipairs(names) do
  if id and name ~= ARGV[1] and string.sub(name, 1, #id) == id then
    redis.call('ZREM', KEYS[1], name)
  else
    count = count + 1
    local tag = string.match(name, '@(.*)') or string.match(name, ':(.*)') or ''
    if not seen[tag] then
      seen[tag] = true
      reply[#reply + 1] = tag
    end
  end
end
reply[3] = count
return reply
