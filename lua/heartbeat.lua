-- Tells that a replica is alive, and asks which are: a sorted set of replicas, scored with when each is given up.
--
-- KEYS  the set
-- ARGV  the replica's name, ms until it is given up, the number of this call. A name may end with a colon and a digest
-- Reply the word "replicas", the number of this call, how many replicas are alive, this one included, and each digest of
--       theirs once, an empty one for names without

local time = redis.call('TIME')
local now = time[1] * 1000 + (time[2] - time[2] % 1000) / 1000

redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])

local names = redis.call('ZRANGE', KEYS[1], 0, -1)
local reply, seen = { 'replicas', ARGV[3] + 0, #names }, {}
for _, name in ipairs(names) do
  local digest = string.match(name, ':(.*)') or ''
  if not seen[digest] then
    seen[digest] = true
    reply[#reply + 1] = digest
  end
end
return reply
