-- Adds a member to a set for a while, and counts its members: a sorted set, scored with when each is given up. Replicas
-- say so that they are alive, and which limits they hold.
--
-- KEYS  the set
-- ARGV  the member, ms until it is given up
-- Reply how many members there are, this one included, and the time in ms since 1970, rounded up

local time = redis.call('TIME')
local now = time[1] * 1000 + (time[2] - time[2] % 1000) / 1000

redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return { redis.call('ZCARD', KEYS[1]), time[1] * 1000 + math.ceil(time[2] / 1000) }
